/** Problems of a sheet whose advice differs between the terminal and a page, typed by hand. */
import { expect, it } from 'vitest';
import type { SheetProblems } from '../../src/domain/problems/sheet-problems.ts';
import { problemWords } from '../../src/messages/problems.ts';

type Case = {
  [C in keyof SheetProblems]: [code: C, facts: SheetProblems[C], terminal: string, page: string];
}[keyof SheetProblems];

const cases: Case[] = [
  [
    'HEADER_UNIT',
    { header: 'Amount cents', unit: 'cents' },
    `the header 'Amount cents' gives the amount in 'cents', which is not a currency code; give whole units, and head the column 'amount' or, for example, 'amount (ZAR)', or say with --map what they count: "values": {"amount_unit": "cents"}`,
    "the header 'Amount cents' gives the amount in 'cents', which is not a currency code; give whole units, and head the column 'amount' or, for example, 'amount (ZAR)', or match the columns here and say what they count",
  ],
  [
    'COLUMN_MISSING',
    { field: 'amount', map: null },
    'no column says how much is paid; add a column amount, or say with --map where it stands',
    'no column says how much is paid; add a column amount, or match the columns here and say where it stands',
  ],
  [
    'COLUMN_MISSING',
    { field: 'name', map: 'flutterwave' },
    "no column says who is paid: Flutterwave finds the name by the account, but Payrun needs the name in the sheet. Add the column 'name', with the name of each payee",
    "no column says who is paid: Flutterwave finds the name by the account, but Payrun needs the name in the sheet. Add the column 'name', with the name of each payee",
  ],
  [
    'MAP_REFUSED',
    { map: 'kenya-mobile', refused: 'Bank Paybill Number', of: { column: 'C', header: 'bank paybill number' } },
    "column C 'bank paybill number' is not for the map kenya-mobile: Payrun cannot pay to bank accounts in Kenya. Pay the same people by their mobile numbers, in a file without this column",
    "column C 'bank paybill number' is not for the map kenya-mobile: Payrun cannot pay to bank accounts in Kenya. Pay the same people by their mobile numbers, in a file without this column",
  ],
  [
    'ROW_HIDDEN',
    {},
    'the row is hidden or filtered away; show it or delete it, or pay hidden rows too with --include-hidden',
    'the row is hidden or filtered away; show it or delete it',
  ],
  [
    'ONLY_UNKNOWN',
    { column: 'status', why: 'no-such-column', columns: 0 },
    "no column is headed 'status', which --only names here, in the settings or for the batch; correct it, or say --ignore-column status",
    "no column is headed 'status', by which the rows to be paid were chosen",
  ],
  [
    'ONLY_UNKNOWN',
    { column: 'status', why: 'no-such-value', letter: 'C', value: 'FAILED', has: ['PAID', ''] },
    "no row says 'FAILED' in column C 'status', which --only names; its rows say 'PAID', nothing",
    "no row says 'FAILED' in column C 'status', by which the rows to be paid were chosen; its rows say 'PAID', nothing",
  ],
  [
    'RESULTS_STALE',
    { field: 'amount' },
    'amount has calculated cells, and the sheet says that its results are not current; open it in the spreadsheet program and save it, or paste the values',
    'amount has calculated cells, and the sheet says that its results are not current; write its value here, or save the file in the spreadsheet program and upload it again',
  ],
];

it.each(cases)('%s %j', (code, facts, terminal, page) => {
  expect([problemWords({ code, facts }), problemWords({ code, facts }, 'page')]).toEqual([terminal, page]);
});
