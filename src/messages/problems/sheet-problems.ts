/** The words of the problems of a file, its header and its lines. */
import { quoted, quotedOrNothing, shellWord } from '../../base/words.ts';
import type { SheetProblems } from '../../domain/problems/sheet-problems.ts';
import { type Audience, atTerminal, type ProblemTable } from '../audience.ts';
import { countryName, fieldName } from '../field-words.ts';
import { counted } from '../format/numbers.ts';
import { typed } from '../format/program.ts';
import { isoTimeWords } from '../format/times.ts';
import { shippedMapWords } from '../shipped-maps.ts';
import { calculateAgain } from './advice.ts';

const hiddenToo = (what: string, to: Audience) => atTerminal(to, `, or read hidden ${what} too with --include-hidden`);

const cellRead = ({ field, value, read }: SheetProblems['TEXT_FORCED'], to: Audience) =>
  `${fieldName(field, to)} ${quoted(value)} is read as ${quoted(read)}`;

const missing: Readonly<Record<string, readonly [what: string, add: (to: Audience) => string]>> = {
  name: ['who is paid', () => 'a column name'],
  country: ['which country is paid', () => 'a column country'],
  account_number: [
    'where the money goes',
    (to) =>
      `${fieldName('bank_name', to)} and ${fieldName('account_number', to)}, ${fieldName('contact_number', to)} for mobile money in Kenya, or ${fieldName('lnurl', to)} for Lightning`,
  ],
  amount: ['how much is paid', () => 'a column amount'],
  reference: ['what the payee sees on the statement', () => 'a column reference'],
  bank_name: ["the payee's bank", (to) => `a column ${fieldName('bank_name', to)}`],
};

function columnMissing({ field, map }: SheetProblems['COLUMN_MISSING'], to: Audience): string {
  const why = map === null ? undefined : shippedMapWords[map].lacks?.[field];
  const [what, add] = missing[field] ?? [fieldName(field, to), () => `a column ${fieldName(field, to)}`];
  const place = to === 'page' ? 'match the columns here and say where it stands' : 'say with --map where it stands';
  return `no column says ${what}${why === undefined ? `; add ${add(to)}, or ${place}` : `: ${why}`}`;
}

function mapUnknown({ header, map, uses, columns, near }: SheetProblems['MAP_UNKNOWN'], to: Audience): string {
  if (columns.length === 0) {
    const perhaps = near === null ? '' : ` (perhaps '${near}' is meant)`;
    return `no column is headed '${header}', which the map ${map} reads as ${uses.map((use) => (use === null ? 'nothing' : fieldName(use, to))).join(' and ')}${perhaps}; correct the map, or the header`;
  }
  const are = columns.length === 1 ? `only column ${columns[0]} is` : `columns ${columns.join(' and ')} are`;
  const list = columns.length === 1 ? uses[0] : columns.map((_, nth) => uses[nth] ?? null);
  return `${are} headed '${header}', and the map ${map} speaks of ${uses.length}; write one use for each, from left to right, such as "${header}": ${JSON.stringify(list)}`;
}

function onlyUnknown(facts: SheetProblems['ONLY_UNKNOWN'], audience: Audience): string {
  const isPage = audience === 'page';
  if ('columns' in facts) {
    const are = facts.columns === 0 ? 'no column is' : `${facts.columns} columns are`;
    return `${are} headed ${quoted(facts.column)}, ${isPage ? chosenBy : `which --only names here, in the settings or for the batch; correct it, or say --ignore-column ${shellWord(facts.column)}`}`;
  }
  const name = `column ${facts.letter} ${quoted(facts.column)}, ${isPage ? chosenBy : 'which --only names'}`;
  if (facts.why === 'unknown-cells')
    return `in ${name}, ${counted(facts.cells, 'cell')} are formulas without a current result, or errors; ${calculateAgain(audience)}`;
  if (facts.why === 'merged')
    return `in ${name}, cells are merged, and only the first row of each has the value; unmerge them, and fill each cell`;
  return `no row says ${quotedOrNothing(facts.value)} in ${name}; its rows say ${facts.has.map(quotedOrNothing).join(', ')}`;
}

const chosenBy = 'by which the rows to be paid were chosen';

function correctionLost({
  column,
  header,
  from,
  to,
  row,
  rows,
  found,
}: Exclude<SheetProblems['CORRECTION_LOST'], { emptied: number }>): string {
  const place =
    header === null
      ? `column ${column}, which the sheet does not have`
      : `column ${column} ${quoted(header)}${row === null || rows !== null ? '' : `, row ${row}`}`;
  const cells =
    rows === null
      ? `no cell of a row that says ${quotedOrNothing(from)}`
      : `${quotedOrNothing(from)} in ${found} of its ${rows} rows, from row ${row} on`;
  return `a correction of ${place}, from ${quotedOrNothing(from)} to ${quotedOrNothing(to)}, finds ${cells}: the sheet, or a correction before it, is not what it was; take the correction out, or make it again`;
}

export const sheetProblems: ProblemTable<SheetProblems> = {
  HEADER_MISSING: ({ map, isHeadless }, audience) =>
    `no row among the first fifty has three or more column names that Payrun knows (name, country, account number, amount, reference, …)${map === null ? '' : ` nor that the map ${map} reads`}${isHeadless ? '; it seems to have no header at all: put the column names above the first payout' : ''}${atTerminal(audience, `; \`${typed('template')}\` writes a sheet with the right ones`)}`,
  HEADER_CHARACTERS: ({ header, points, meant }) =>
    `the header '${header}' holds characters that cannot be seen or look like others: ${points.join(', ')}; type it again${meant === null ? '' : `: '${meant}'`}`,
  HEADER_MISSPELT: ({ header, meant, field }, to) =>
    `the header '${header}' looks like '${meant}' (${fieldName(field, to)}), misspelt; correct it, or rename the column if it means something else`,
  HEADER_UNIT: ({ header, unit }, audience) =>
    `the header '${header}' gives the amount in '${unit}', which is not a currency code; give whole units, and head the column 'amount' or, for example, 'amount (ZAR)', or ${audience === 'page' ? 'match the columns here and say what they count' : 'say with --map what they count: "values": {"amount_unit": "cents"}'}`,
  COLUMN_TWICE: ({ first, second, field }, to) =>
    `columns ${first.column} '${first.header}' and ${second.column} '${second.header}' both mean ${fieldName(field, to)}; keep one, or rename the other`,
  COLUMN_MISSING: columnMissing,
  COLUMN_HIDDEN: ({ column, header }, audience) =>
    `column ${column} '${header}' is hidden; show it or delete it${hiddenToo('columns', audience)}`,
  MAP_UNKNOWN: mapUnknown,
  MAP_CONTRADICTED: ({ column, header, map, field, value }, to) =>
    `column ${column} '${header}' says the ${fieldName(field, to)}, and the map ${map} says ${fieldName(field, to)} '${value}' of every row; take the value out of the map, or read the column as null`,
  MAP_REFUSED: ({ map, refused, of }) =>
    `${of === null ? '' : `column ${of.column} '${of.header}' is not for the map ${map}: `}${shippedMapWords[map].refused?.[refused] ?? refused}`,
  TITLE_UNIT: ({ title }) =>
    `the title '${title}' says that amounts are not counted in whole units, and they would be paid as if they were; write whole units in the column of amounts, and take those words away`,
  TITLE_STOP: ({ title }) =>
    `the title '${title}' says that the sheet is not to be paid, or was paid; if it is to be paid, take those words away`,
  ROW_ABOVE_HEADER: ({ headerRow }) =>
    `the row looks like a payment, and stands above the column names in row ${headerRow}, where no row is read; move the column names above it, or delete it`,
  AMOUNT_SPLIT: ({ row, amount, behind }) =>
    `row ${row} says '${amount}' and, in a column that is not read, '${behind}', and all rows are like that: an amount of ${amount}${behind} that the separator has cut in two would be paid as ${amount}. Put such amounts in quotes, or write them without a separator; if '${behind}' is something else, name its column in a map`,
  HEADER_SECOND: ({ row }) =>
    `row ${row} names other columns than the header, and the rows below it would be read by the header's; put each table on a sheet of its own`,
  SHEET_EMPTY: ({ headerRow }) =>
    `there are no rows below the header in row ${headerRow} yet; write one row for each payment, save the sheet, and submit it again`,
  SHEET_OF_PROBLEMS: () =>
    'this file holds only the rows with problems of a longer sheet; correct them in the longer sheet, and submit that sheet',
  CELLS_MAYBE_STRUCK: ({ field }, to) =>
    `a conditional format strikes out cells of the column ${fieldName(field, to)}, and Payrun cannot tell which; delete the rows that are struck out, and then the format (Home, Conditional Formatting, Manage Rules)`,
  MERGED_CELLS: ({ cells }) =>
    `cells ${cells} are merged, and only the first one holds a value; unmerge them and fill each cell`,
  ONLY_UNKNOWN: onlyUnknown,
  RESULTS_STALE: ({ field }, to) =>
    `${fieldName(field, to)} has calculated cells, and the sheet says that its results are not current; ${calculateAgain(to)}`,
  CORRECTION_LOST: (lost) =>
    'emptied' in lost
      ? `row ${lost.emptied} would be empty after its corrections, and nobody would see that it is left out; delete it in the sheet itself`
      : correctionLost(lost),
  CELL_CORRECTED: ({ column, row, header, from, to, by, at }) =>
    `cell ${column}${row} ${quoted(header)} was corrected from ${quotedOrNothing(from)} to ${quotedOrNothing(to)} (${by}, ${isoTimeWords(at)})`,
  WORD_READ: ({ field, word, read }, to) =>
    `${fieldName(field, to)} '${word}' is read as ${countryName(read, to)}, as the map says`,
  ROW_HIDDEN: (_, audience) =>
    `the row is hidden or filtered away; show it or delete it${atTerminal(audience, ', or pay hidden rows too with --include-hidden')}`,
  CELL_UNSEEN: ({ field, value, hiddenBy }, to) =>
    `${fieldName(field, to)} holds '${value}', ${hiddenBy === 'format' ? 'which its number format does not show; give it another format' : 'in letters that nobody can read, because they are too small or have the colour of their background; check that this is intended'}${hiddenToo('cells', to)}`,
  CELL_STRUCK: ({ field, value }, to) =>
    `${fieldName(field, to)} holds '${value}', which is struck out, all of it or a part; delete the row if it is not to be paid, or else take the line through it away`,
  ROW_SUBTOTAL: ({ label }) =>
    `the row ${label === null ? 'holds an amount and nothing else' : `says '${label}' and not where money goes`}, so it looks like a sum of rows above it, which is never paid; delete it, or if it is a payee write where the money goes (a totals row stands last, with nothing but signatures and dates below it)`,
  ROW_HEADER: () => 'the row says what the header says, as where a new page begins, and is no payee; delete it',
  ROW_NOTE: ({ text }) =>
    `the row says '${text}' and no country, amount or reference, so it looks like a heading, a note or a signature, which is never paid; if it is a payee fill in what is missing, else delete it`,
  ROW_FAR_BELOW: ({ emptyRows }) =>
    `the row stands ${emptyRows} empty rows below the last one; move it up or delete it`,
  CELL_BEYOND_HEADER: ({ column, value }) =>
    `'${value}' in column ${column} stands right of the last column name; if a value holds the separator, put it in quotes; else delete the cell or give its column a name`,
  ROW_TOO_LONG: ({ row, values, headerValues }) =>
    `row ${row} has ${values} values, and the header ${headerValues}; if a value holds the separator, as 1,500 does, put it in quotes; else take the surplus separator away`,
  TEXT_FORCED: (cell, to) => `${cellRead(cell, to)}, as a spreadsheet shows it`,
  FLOAT_READ: (cell, to) => `${cellRead(cell, to)}: a program wrote the number with a point and zeros`,
  ENTITIES_READ: (cell, to) => `${cellRead(cell, to)}, as a web page shows it`,
  CELL_TOO_LONG: ({ field, characters, most }, to) =>
    `${fieldName(field, to)} has ${characters} characters, more than ${most}; shorten it`,
  CELL_CONTROL_CHARACTER: ({ field }, to) =>
    `${fieldName(field, to)} holds the character U+0000, which nobody can see; type it again`,
};
