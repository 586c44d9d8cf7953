/** Columns that are not read, and yet say that the rows would be paid in another currency, or in other units, than is meant. */
import type { Problem } from '../base/problem.ts';
import { shownText } from '../domain/cell.ts';
import { currencyNamed } from '../domain/money.ts';
import type { Row } from '../domain/row.ts';
import { columnName, isMapped, type Line, type Sheet, type SheetMap } from '../sheet/sheet.ts';
import { batchProblem } from './problem-codes.ts';

/** What stands in such a column so far. */
interface Watched {
  readonly index: number;
  /** True for a column headed `Cents`, with numbers below it. */
  readonly countsUnits: boolean;
  /** True where the person said by a map that it is nothing: then it is only told. */
  readonly decided: boolean;
  /** True where codes in it are currencies: by its header, or by one that is hardly anything else. */
  sure: boolean;
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
/** Under such a header any code is a currency, that of Tonga too. */
const currencyHeader = /curr|money|coin|\b(?:ccy|cur|fx|paid in|pay in)\b/i;
/** No code, sign or name that is looked for is longer. */
const longest = 40;
/** Of ten filled cells; a slip among them makes a column no other one. */
const nearlyAll = 8;

/** Every column that is not read is watched. */
export function watchUnread(sheet: Sheet, map: SheetMap | undefined) {
  const watched = sheet.header.flatMap((text, index): Watched[] =>
    sheet.columns[index] !== null || sheet.ours[index] === true
      ? []
      : [
          {
            index,
            countsUnits: unitHeader.test(text.slice(0, 100)),
            decided: isMapped(map, text),
            sure: currencyHeader.test(text.slice(0, 100)),
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
      const named = currencyNamed(text);
      if (named !== null || sign.test(text)) {
        one.currencies += 1;
        one.sure ||= named?.sure ?? true;
        if (row !== null && !(named?.codes.has(row.currency) ?? (text === '₦' && row.currency === 'NGN')))
          one.other ??= { row: number, text, currency: row.currency };
      } else if (one.countsUnits ? /[1-9]/.test(text) : unitWord.test(text)) {
        one.units += 1;
        one.unit ??= { row: number, text };
      }
    }
  }

  const holdsCurrencies = ({ sure, other, currencies, filled }: Watched) =>
    sure && other !== null && currencies * 10 >= filled * nearlyAll;
  const holdsUnits = ({ countsUnits, unit, units, filled }: Watched) =>
    unit !== null && (countsUnits || units * 10 >= filled * nearlyAll);
  const nameOf = ({ index }: Watched) => `${columnName(index)} '${sheet.header[index]!.trim()}'`;

  function problems(): Problem[] {
    return watched.flatMap((one) => {
      if (one.decided) return [];
      const { other, unit } = one;
      if (other !== null && holdsCurrencies(one))
        return [
          batchProblem(
            'CURRENCY_UNREAD',
            'error',
            `column ${nameOf(one)} is not read, and holds currencies: row ${other.row} says ${other.text}, and would be paid in ${other.currency}; if it says what the amounts are in, head it 'currency', or say so with --map, and mend those rows; if it means something else, delete it, or give it null in a map`,
            { column: 'currency', value: other.text },
          ),
        ];
      if (unit !== null && holdsUnits(one))
        return [
          batchProblem(
            'UNIT_UNREAD',
            'error',
            `column ${nameOf(one)} is not read, and seems to say what the amounts count: row ${unit.row} says ${unit.text}; write whole units into the column amount, or say with --map what it counts ("values": {"amount_unit": "cents"}); then delete the column, or give it null in a map`,
            { column: 'amount_unit', value: unit.text },
          ),
        ];
      return [];
    });
  }

  /** What a map has silenced: the person's word stands, and is said. */
  function notes(): string[] {
    return watched.flatMap((one) => {
      if (!one.decided) return [];
      const { other, unit } = one;
      if (other !== null && holdsCurrencies(one))
        return [
          `Column ${nameOf(one)} is not read, as the map says, though row ${other.row} says ${other.text} there, and is counted in ${other.currency}.`,
        ];
      if (unit !== null && holdsUnits(one))
        return [`Column ${nameOf(one)} is not read, as the map says, though row ${unit.row} says ${unit.text} there.`];
      return [];
    });
  }

  /** The headers of those that hold currencies. */
  const currencies = () =>
    watched.filter((one) => !one.decided && holdsCurrencies(one)).map(({ index }) => sheet.header[index]!);

  return { see, problems, notes, currencies };
}
