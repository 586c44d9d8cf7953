/** The advice in each answer of a hot folder, typed by hand. */
import { expect, it } from 'vitest';
import { hotFolderWords, nackAdvice } from '../../src/messages/hot-folder.ts';

const planAgain =
  'Make a new plan of this sheet with the settings of the watcher (its payrun.config.json), and have it approved. The sheet is in the subfolder taken. Put the signatures into the folder first, then the plan, and the sheet last.';

it.each([
  [
    ['SHEET_REFUSED', 'PAYEES_REFUSED'],
    'Correct each problem in the sheet, or in the checked workbook if there is one. Then put it into the folder again.',
  ],
  [
    ['FILE_UNREADABLE'],
    'Save the sheet as .xlsx or .csv under a short name, and check that it opens. Then put it into the folder again.',
  ],
  [
    ['SHEET_CHANGED'],
    'Find out who changed the sheet while it lay in the folder, and why. Then put the right sheet into the folder again, under a name that nobody writes to.',
  ],
  [
    ['TOTALS_DIFFER', 'TOTALS_MISSING'],
    'Ask the person who made the sheet whether the sheet or its totals are wrong. Then put both into the folder again.',
  ],
  [['PLAN_NOT_FOUND', 'PLAN_UNREADABLE', 'PLAN_CHANGED', 'PLAN_PAGE_DIFFERS', 'PLAN_EXPIRED'], planAgain],
  [['PLAN_DECLINED', 'PLAN_DIFFERS', 'BATCH_LEAVES_PLAN', 'RETRY_UNPLANNED'], planAgain],
  [
    ['VERSION_CONFLICT'],
    'Compare this sheet with the one that `why` names. If this sheet is right, put it into the folder again. If not, do nothing: the batch keeps the other sheet.',
  ],
  [
    ['IDENTITY_CHANGED'],
    'Tell the person who maintains the settings: the batch was sent with another key, user or address.',
  ],
  [
    ['LEDGER_BUSY', null],
    'Remove the cause that `why` names. Then put the sheet into the folder again, or run it from the command line.',
  ],
])('%j', (codes, words) => {
  expect(codes.map((code) => nackAdvice(code, { cameBefore: false }))).toEqual(codes.map(() => words));
  expect(nackAdvice(codes[0] ?? null, { cameBefore: true })).toBe(
    'Do nothing if it is the same sheet again: its rows are paid, or their payments are under way. If it is for another period, or if somebody changed its rows on purpose, run it from the command line in one of the ways that `why` names.',
  );
});

it('says what an answer adds to a refusal', () => {
  expect(hotFolderWords).toMatchObject({
    refused: 'The sheet or one of its payees was refused.',
    sentBefore: 'Rows that were sent before are not sent again. The ACK shows the status of each row.',
  });
  expect(hotFolderWords.outMade('out')).toBe('The folder out was gone with its answers, and was made again');
});
