/** The words of every problem of a file, its header and its lines, typed by hand: at the terminal, and on a page where they differ. */
import { expect, it } from 'vitest';
import type { FoundProblem } from '../../src/base/problem.ts';
import type { SheetProblems } from '../../src/domain/problems/sheet-problems.ts';
import { problemWords } from '../../src/messages/problems.ts';
import { expectPlaced } from './placed.ts';

type Case<C extends keyof SheetProblems> = readonly [facts: SheetProblems[C], terminal: string, page?: string];

const knows =
  'no row among the first fifty has three or more column names that Payrun knows (name, country, account number, amount, reference, …)';
const headless = '; it seems to have no header at all: put the column names above the first payout';
const [on, chosen] = [
  "column C 'status', which --only names",
  "column C 'status', by which the rows to be paid were chosen",
];
const calculate = 'open it in the spreadsheet program and save it, or paste the values';
const calculateOnPage = 'write its value here, or save the file in the spreadsheet program and upload it again';
const mistaken = 'the sheet, or a correction before it, is not what it was; take the correction out, or make it again';
const correction = { column: 'C', header: 'Bank', from: 'Absaa', to: '', row: null, rows: null, found: 0 };
const letters =
  'in letters that nobody can read, because they are too small or have the colour of their background; check that this is intended';
const sum =
  'so it looks like a sum of rows above it, which is never paid; delete it, or if it is a payee write where the money goes (a totals row stands last, with nothing but signatures and dates below it)';
const [map, here] = ['say with --map where it stands', 'match the columns here and say where it stands'];
const withMap = { header: 'Ref', map: 'bank.json', near: null };

const lacks = (field: string, what: string, add: string, addOnPage = add): Case<'COLUMN_MISSING'> => [
  { field, map: null },
  `no column says ${what}; add ${add}, or ${map}`,
  `no column says ${what}; add ${addOnPage}, or ${here}`,
];

const said: { readonly [C in keyof SheetProblems]: readonly Case<C>[] } = {
  HEADER_MISSING: [
    [{ map: null, isHeadless: false }, `${knows}; \`payrun template\` writes a sheet with the right ones`, knows],
    [
      { map: 'bank.json', isHeadless: true },
      `${knows} nor that the map bank.json reads${headless}; \`payrun template\` writes a sheet with the right ones`,
      `${knows} nor that the map bank.json reads${headless}`,
    ],
  ],
  HEADER_CHARACTERS: [
    [
      { header: 'nаme', points: ['U+0430'], meant: 'name' },
      "the header 'nаme' holds characters that cannot be seen or look like others: U+0430; type it again: 'name'",
    ],
  ],
  HEADER_MISSPELT: [
    [
      { header: 'bnak', meant: 'bank', field: 'bank_name' },
      "the header 'bnak' looks like 'bank' (bank_name), misspelt; correct it, or rename the column if it means something else",
      "the header 'bnak' looks like 'bank' (bank), misspelt; correct it, or rename the column if it means something else",
    ],
  ],
  HEADER_UNIT: [
    [
      { header: 'Amount cents', unit: 'cents' },
      `the header 'Amount cents' gives the amount in 'cents', which is not a currency code; give whole units, and head the column 'amount' or, for example, 'amount (ZAR)', or say with --map what they count: "values": {"amount_unit": "cents"}`,
      "the header 'Amount cents' gives the amount in 'cents', which is not a currency code; give whole units, and head the column 'amount' or, for example, 'amount (ZAR)', or match the columns here and say what they count",
    ],
  ],
  COLUMN_TWICE: [
    [
      { first: { column: 'B', header: 'Bank' }, second: { column: 'D', header: 'Bank name' }, field: 'bank_name' },
      "columns B 'Bank' and D 'Bank name' both mean bank_name; keep one, or rename the other",
      "columns B 'Bank' and D 'Bank name' both mean bank; keep one, or rename the other",
    ],
  ],
  COLUMN_MISSING: [
    lacks('name', 'who is paid', 'a column name'),
    lacks('country', 'which country is paid', 'a column country'),
    lacks(
      'account_number',
      'where the money goes',
      'bank_name and account_number, contact_number for mobile money in Kenya, or lnurl for Lightning',
      'bank and account number, phone number for mobile money in Kenya, or Lightning address for Lightning',
    ),
    lacks('amount', 'how much is paid', 'a column amount'),
    lacks('reference', 'what the payee sees on the statement', 'a column reference'),
    lacks('bank_name', "the payee's bank", 'a column bank_name', 'a column bank'),
    [
      { field: 'tag', map: null },
      `no column says tag; add a column tag, or ${map}`,
      `no column says tag; add a column tag, or ${here}`,
    ],
    [
      { field: 'name', map: 'flutterwave' },
      "no column says who is paid: Flutterwave finds the name by the account, but Payrun needs the name in the sheet. Add the column 'name', with the name of each payee",
    ],
  ],
  COLUMN_HIDDEN: [
    [
      { column: 'C', header: 'Bank' },
      "column C 'Bank' is hidden; show it or delete it, or read hidden columns too with --include-hidden",
      "column C 'Bank' is hidden; show it or delete it",
    ],
  ],
  MAP_UNKNOWN: [
    [
      { ...withMap, uses: ['tag', null], columns: [], near: 'Reference' },
      "no column is headed 'Ref', which the map bank.json reads as tag and nothing (perhaps 'Reference' is meant); correct the map, or the header",
    ],
    [
      { ...withMap, uses: ['tag', 'reference'], columns: ['B'] },
      `only column B is headed 'Ref', and the map bank.json speaks of 2; write one use for each, from left to right, such as "Ref": "tag"`,
    ],
    [
      { ...withMap, uses: ['tag'], columns: ['B', 'D'] },
      `columns B and D are headed 'Ref', and the map bank.json speaks of 1; write one use for each, from left to right, such as "Ref": ["tag",null]`,
    ],
  ],
  MAP_CONTRADICTED: [
    [
      { column: 'B', header: 'Bank', map: 'bank.json', field: 'bank_name', value: 'Absa' },
      "column B 'Bank' says the bank_name, and the map bank.json says bank_name 'Absa' of every row; take the value out of the map, or read the column as null",
      "column B 'Bank' says the bank, and the map bank.json says bank 'Absa' of every row; take the value out of the map, or read the column as null",
    ],
  ],
  MAP_REFUSED: [
    [
      { map: 'kenya-mobile', refused: 'Bank Paybill Number', of: { column: 'C', header: 'bank paybill number' } },
      "column C 'bank paybill number' is not for the map kenya-mobile: Payrun cannot pay to bank accounts in Kenya. Pay the same people by their mobile numbers, in a file without this column",
    ],
  ],
  TITLE_UNIT: [
    [
      { title: 'in cents' },
      "the title 'in cents' says that amounts are not counted in whole units, and they would be paid as if they were; write whole units in the column of amounts, and take those words away",
    ],
  ],
  TITLE_STOP: [
    [
      { title: 'PAID' },
      "the title 'PAID' says that the sheet is not to be paid, or was paid; if it is to be paid, take those words away",
    ],
  ],
  ROW_ABOVE_HEADER: [
    [
      { headerRow: 3 },
      'the row looks like a payment, and stands above the column names in row 3, where no row is read; move the column names above it, or delete it',
    ],
  ],
  AMOUNT_SPLIT: [
    [
      { row: 2, amount: '1', behind: '500' },
      "row 2 says '1' and, in a column that is not read, '500', and all rows are like that: an amount of 1500 that the separator has cut in two would be paid as 1. Put such amounts in quotes, or write them without a separator; if '500' is something else, name its column in a map",
    ],
  ],
  HEADER_SECOND: [
    [
      { row: 9 },
      "row 9 names other columns than the header, and the rows below it would be read by the header's; put each table on a sheet of its own",
    ],
  ],
  SHEET_EMPTY: [
    [
      { headerRow: 1 },
      'there are no rows below the header in row 1 yet; write one row for each payment, save the sheet, and submit it again',
    ],
  ],
  SHEET_OF_PROBLEMS: [
    [
      {},
      'this file holds only the rows with problems of a longer sheet; correct them in the longer sheet, and submit that sheet',
    ],
  ],
  CELLS_MAYBE_STRUCK: [
    [
      { field: 'amount' },
      'a conditional format strikes out cells of the column amount, and Payrun cannot tell which; delete the rows that are struck out, and then the format (Home, Conditional Formatting, Manage Rules)',
    ],
  ],
  MERGED_CELLS: [
    [
      { cells: 'B2:B4' },
      'cells B2:B4 are merged, and only the first one holds a value; unmerge them and fill each cell',
    ],
  ],
  ONLY_UNKNOWN: [
    [
      { column: 'status', why: 'no-such-column', columns: 0 },
      "no column is headed 'status', which --only names here, in the settings or for the batch; correct it, or say --ignore-column status",
      "no column is headed 'status', by which the rows to be paid were chosen",
    ],
    [
      { column: 'status', why: 'several-columns', columns: 2 },
      "2 columns are headed 'status', which --only names here, in the settings or for the batch; correct it, or say --ignore-column status",
      "2 columns are headed 'status', by which the rows to be paid were chosen",
    ],
    [
      { column: 'status', why: 'unknown-cells', letter: 'C', cells: 2 },
      `in ${on}, 2 cells are formulas without a current result, or errors; ${calculate}`,
      `in ${chosen}, 2 cells are formulas without a current result, or errors; ${calculateOnPage}`,
    ],
    [
      { column: 'status', why: 'merged', letter: 'C' },
      `in ${on}, cells are merged, and only the first row of each has the value; unmerge them, and fill each cell`,
      `in ${chosen}, cells are merged, and only the first row of each has the value; unmerge them, and fill each cell`,
    ],
    [
      { column: 'status', why: 'no-such-value', letter: 'C', value: 'FAILED', has: ['PAID', ''] },
      `no row says 'FAILED' in ${on}; its rows say 'PAID', nothing`,
      `no row says 'FAILED' in ${chosen}; its rows say 'PAID', nothing`,
    ],
  ],
  RESULTS_STALE: [
    [
      { field: 'amount' },
      `amount has calculated cells, and the sheet says that its results are not current; ${calculate}`,
      `amount has calculated cells, and the sheet says that its results are not current; ${calculateOnPage}`,
    ],
  ],
  CORRECTION_LOST: [
    [
      { emptied: 4 },
      'row 4 would be empty after its corrections, and nobody would see that it is left out; delete it in the sheet itself',
    ],
    [
      { ...correction, header: null },
      `a correction of column C, which the sheet does not have, from 'Absaa' to nothing, finds no cell of a row that says 'Absaa': ${mistaken}`,
    ],
    [
      { ...correction, row: 4 },
      `a correction of column C 'Bank', row 4, from 'Absaa' to nothing, finds no cell of a row that says 'Absaa': ${mistaken}`,
    ],
    [
      { ...correction, row: 4, rows: 3, found: 2 },
      `a correction of column C 'Bank', from 'Absaa' to nothing, finds 'Absaa' in 2 of its 3 rows, from row 4 on: ${mistaken}`,
    ],
  ],
  CELL_CORRECTED: [
    [
      { column: 'C', row: 4, header: 'Bank', from: 'Absaa', to: 'Absa', by: 'Ama', at: '2026-11-27T10:20:30.400Z' },
      "cell C4 'Bank' was corrected from 'Absaa' to 'Absa' (Ama, 2026-11-27 10:20:30 UTC)",
    ],
  ],
  WORD_READ: [
    [
      { field: 'country', word: 'Sudafrika', read: 'SouthAfrica' },
      "country 'Sudafrika' is read as SouthAfrica, as the map says",
      "country 'Sudafrika' is read as South Africa, as the map says",
    ],
  ],
  ROW_HIDDEN: [
    [
      {},
      'the row is hidden or filtered away; show it or delete it, or pay hidden rows too with --include-hidden',
      'the row is hidden or filtered away; show it or delete it',
    ],
  ],
  CELL_UNSEEN: [
    [
      { field: 'amount', value: '5', hiddenBy: 'format' },
      "amount holds '5', which its number format does not show; give it another format, or read hidden cells too with --include-hidden",
      "amount holds '5', which its number format does not show; give it another format",
    ],
    [
      { field: 'amount', value: '5', hiddenBy: 'letters' },
      `amount holds '5', ${letters}, or read hidden cells too with --include-hidden`,
      `amount holds '5', ${letters}`,
    ],
  ],
  CELL_STRUCK: [
    [
      { field: 'amount', value: '5' },
      "amount holds '5', which is struck out, all of it or a part; delete the row if it is not to be paid, or else take the line through it away",
    ],
  ],
  ROW_SUBTOTAL: [
    [{ label: null }, `the row holds an amount and nothing else, ${sum}`],
    [{ label: 'Total' }, `the row says 'Total' and not where money goes, ${sum}`],
  ],
  ROW_HEADER: [[{}, 'the row says what the header says, as where a new page begins, and is no payee; delete it']],
  ROW_NOTE: [
    [
      { text: 'Checked' },
      "the row says 'Checked' and no country, amount or reference, so it looks like a heading, a note or a signature, which is never paid; if it is a payee fill in what is missing, else delete it",
    ],
  ],
  ROW_FAR_BELOW: [[{ emptyRows: 40 }, 'the row stands 40 empty rows below the last one; move it up or delete it']],
  CELL_BEYOND_HEADER: [
    [
      { column: 'H', value: '5' },
      "'5' in column H stands right of the last column name; if a value holds the separator, put it in quotes; else delete the cell or give its column a name",
    ],
  ],
  ROW_TOO_LONG: [
    [
      { row: 4, values: 7, headerValues: 6 },
      'row 4 has 7 values, and the header 6; if a value holds the separator, as 1,500 does, put it in quotes; else take the surplus separator away',
    ],
  ],
  TEXT_FORCED: [[{ field: 'tag', value: "'42", read: '42' }, "tag ''42' is read as '42', as a spreadsheet shows it"]],
  FLOAT_READ: [
    [
      { field: 'amount', value: '42.0', read: '42' },
      "amount '42.0' is read as '42': a program wrote the number with a point and zeros",
    ],
  ],
  ENTITIES_READ: [
    [{ field: 'name', value: 'A&amp;B', read: 'A&B' }, "name 'A&amp;B' is read as 'A&B', as a web page shows it"],
  ],
  CELL_TOO_LONG: [
    [{ field: 'name', characters: 300, most: 256 }, 'name has 300 characters, more than 256; shorten it'],
  ],
  CELL_CONTROL_CHARACTER: [[{ field: 'name' }, 'name holds the character U+0000, which nobody can see; type it again']],
};

const cases = Object.entries(said).flatMap(([code, all]) =>
  (all as readonly (readonly [object, string, string?])[]).map(
    ([facts, terminal, page = terminal]) => [{ code, facts } as FoundProblem, [terminal, page]] as const,
  ),
);

it.each(cases)('%j', (problem, words) => {
  expect([problemWords(problem), problemWords(problem, 'page')]).toEqual(words);
  expectPlaced(() => problemWords(problem));
});
