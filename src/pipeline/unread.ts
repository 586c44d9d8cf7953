/** Columns that are not read, and yet say that the rows would be paid in another currency, or in other units, than is meant. */
import type { Problem } from '../base/problem.ts';
import { shownText } from '../domain/cell.ts';
import { isCurrencyCode } from '../domain/money.ts';
import type { Row } from '../domain/row.ts';
import { columnName, isMapped, type Line, type Sheet, type SheetMap } from '../sheet/sheet.ts';
import { batchProblem } from './problem-codes.ts';

/** What stands in such a column so far. */
interface Watched {
  readonly index: number;
  /** True for a column headed `Cents`, with numbers below it. */
  readonly countsUnits: boolean;
  filled: number;
  currencies: number;
  units: number;
  /** The first row that would be paid in another currency than its cell says. */
  other: { readonly row: number; readonly text: string; readonly currency: string } | null;
  unit: { readonly row: number; readonly text: string } | null;
}

const sign = /^\p{L}{0,3}\p{Sc}$/u;
const unitWord = /^(?:in )?(?:cents?|kobo|thousands?|millions?|['’]?000['’]?s?)$/i;
const unitHeader = /\b(?:cents?|kobo|thousands?|millions?)\b/i;
const nothing = /^[-–—]$|^n\/?a$/i;
/** No code, sign or word that is looked for is longer. */
const longest = 12;
/** Of ten filled cells; a slip among them makes a column no other one, and departments may be called ALL and TOP. */
const nearlyAll = 8;

/** A column that the person gave to no field by a map is decided; every other one that is not read is watched. */
export function watchUnread(sheet: Sheet, map: SheetMap | undefined) {
  const watched = sheet.header.flatMap((text, index): Watched[] =>
    sheet.columns[index] !== null || sheet.ours[index] === true || isMapped(map, text)
      ? []
      : [
          {
            index,
            countsUnits: unitHeader.test(text.slice(0, 100)),
            filled: 0,
            currencies: 0,
            units: 0,
            other: null,
            unit: null,
          },
        ],
  );

  /** The row is null where the line cannot be paid: then nothing says in what it would be. */
  function see({ number, raw }: Line, row: Row | null): void {
    for (const one of watched) {
      const text = shownText(raw[one.index] ?? '').trim();
      if (text === '' || nothing.test(text)) continue;
      one.filled += 1;
      if (text.length > longest) continue;
      const currency = text.toUpperCase();
      if (isCurrencyCode(currency) || sign.test(text)) {
        one.currencies += 1;
        if (row !== null && currency !== row.currency && !(currency === '₦' && row.currency === 'NGN'))
          one.other ??= { row: number, text, currency: row.currency };
      } else if (one.countsUnits ? /[1-9]/.test(text) : unitWord.test(text)) {
        one.units += 1;
        one.unit ??= { row: number, text };
      }
    }
  }

  const holdsCurrencies = ({ other, currencies, filled }: Watched) =>
    other !== null && currencies * 10 >= filled * nearlyAll;

  function problems(): Problem[] {
    return watched.flatMap((one) => {
      const { index, countsUnits, filled, units, other, unit } = one;
      const column = `column ${columnName(index)} '${sheet.header[index]!.trim()}'`;
      if (other !== null && holdsCurrencies(one))
        return [
          batchProblem(
            'CURRENCY_UNREAD',
            'error',
            `${column} is not read, and holds currencies: row ${other.row} says ${other.text}, and would be paid in ${other.currency}; if it says what the amounts are in, head it 'currency', or say so with --map, and mend those rows; if it means something else, delete it, or give it null in a map`,
            { column: 'currency', value: other.text },
          ),
        ];
      if (unit !== null && (countsUnits || units * 10 >= filled * nearlyAll))
        return [
          batchProblem(
            'UNIT_UNREAD',
            'error',
            `${column} is not read, and seems to say what the amounts count: row ${unit.row} says ${unit.text}; write whole units into the column amount, or say with --map what it counts ("values": {"amount_unit": "cents"}); then delete the column, or give it null in a map`,
            { column: 'amount_unit', value: unit.text },
          ),
        ];
      return [];
    });
  }

  /** The headers of those that hold currencies. */
  const currencies = () => watched.filter(holdsCurrencies).map(({ index }) => sheet.header[index]!);

  return { see, problems, currencies };
}
