/**
 * Columns that are not read, and yet say that rows would be paid in another currency, or in other units, than is meant, or that a
 * row is not to be paid at all.
 */
import type { Problem } from '../base/problem.ts';
import { counted } from '../base/words.ts';
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
  /** The rows that it says are not to be paid, where the person said that it is nothing. */
  marked: number;
}

const sign = /^\p{L}{0,3}\p{Sc}$/u;
const unitWord = /^(?:in )?(?:cents?|kobo|thousands?|millions?|['’]?000['’]?s?)$/i;
const unitHeader = /\b(?:cents?|kobo|thousands?|millions?)\b/i;
const nothing = /^[-–—]$|^n\/?a$/i;
/** Under such a header any code is a currency, that of Tonga too. */
const currencyHeader = /curr|money|coin|\b(?:ccy|cur|fx|paid in|pay in)\b/i;
/** No code, sign or name that is looked for is longer. */
const longest = 40;
/** A note that says more is not looked at. */
const longestMark = 200;
/** Of ten filled cells; a slip among them makes a column no other one. */
const nearlyAll = 8;

const yes = /^(?:y|yes|x|true|1|ja|oui|✓|✔)$/i;
/** Not 0, which stands in a column of amounts. */
const no = /^(?:n|no|false|nee|non|✗|✘)$/i;
/** What people write beside a row that must not be paid, alone or before their reasons. */
const stopWord =
  /^[\s*!([]*(?:(?:on[ -]?|please )?hold(?: (?:back|until|till|for|per|pending|as)\b.*)?|stop(?:ped)?(?: payment)?|cancel(?:l?ed)?|void(?:ed)?|(?:do not|don['’]?t) (?:pay|process|release)\b.*|not to be paid|not (?:yet )?(?:approved|authori[sz]ed))(?=$|\s*[-–—:;,.!*)\]])/isu;
const stopHeader =
  /^\W*(?:(?:on[ -]?)?hold|stop(?:ped)?(?: payment)?|cancel(?:l?ed)?|void(?:ed)?|skip(?:ped)?|reversed|(?:do not|don['’]?t) pay)\W*$/i;
/** `Pay?`, `Pay (Y/N)`, `To be paid`, `Approved`, with a no below it. */
const payHeader =
  /^\W*(?:to be paid|(?:to )?pay|(?:approved|authori[sz]ed)(?: (?:to pay|for payment))?)(?: now)?\W*(?:y(?:es)?\W*no?\W*)?$/i;
/** Under a header of a status or a note; elsewhere it may be a name. */
const passedWord =
  /^[\s*!([]*(?:skip(?:ped)?(?: (?:this|it|row|payment|for)\b.*)?|revers(?:ed|al)(?: on\b.*)?|(?:rejected|declined|disputed|withheld)(?: by\b.*)?|reject|unapproved|dnp|duplicated?|excluded?|deleted?|removed?|ignored?|(?:pending|awaiting) (?:approval|authori[sz]ation))(?=$|\s*[-–—:;,.!*)\]])/isu;
/** `Paid 12/11`, `PAID - EFT`, `paid on Friday`, `paid in full`; but not `paid weekly`. */
const paidWord = /^(?:already )?paid(?: (?:on|in full|in cash)\b.*|\s*[-–—:;,.!(\d].*)?$/is;
/** `Paid` in a column of another kind is how somebody's leave is. */
const statusHeader = /stat(?:us|e)|paid|payment|note|remark|comment|action|hold/i;

function isStopped(text: string, header: string): boolean {
  if (text.length > longestMark || header.length > longestMark) return false;
  return (
    stopWord.test(text) ||
    ((paidWord.test(text) || passedWord.test(text)) && statusHeader.test(header)) ||
    (no.test(text) && payHeader.test(header)) ||
    (yes.test(text) && (stopHeader.test(header) || /^(?:already )?paid\W*$/i.test(header.trim())))
  );
}

function markedRow(row: number, column: string, text: string): Problem {
  const message = `column ${column} is not read, and says '${text.slice(0, 40)}' of this row; delete the row if it is not to be paid, or else clear that cell; if the column means something else, give it null in a map`;
  return batchProblem('ROW_MARKED', 'error', message, { row, value: text.slice(0, 40) });
}

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
            marked: 0,
          },
        ],
  );

  /** The row is null where the line cannot be paid: then nothing says in what it would be. Answers what marks the row as not to be paid. */
  function see({ number, raw }: Line, row: Row | null): Problem[] {
    const problems: Problem[] = [];
    for (const one of watched) {
      const text = shownText(raw[one.index] ?? '').trim();
      if (text === '' || nothing.test(text)) continue;
      one.filled += 1;
      if (isStopped(text, sheet.header[one.index]!)) {
        if (one.decided) one.marked += 1;
        else problems.push(markedRow(number, nameOf(one), text));
      }
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
    return problems;
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
      const { other, unit, marked } = one;
      if (marked > 0)
        return [
          `Column ${nameOf(one)} is not read, as the map says, though it marks ${counted(marked, 'row')} as not to be paid.`,
        ];
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
