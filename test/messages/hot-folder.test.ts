/** The advice in the answer of a hot folder to each refusal, typed by hand. The refusal's words are the terminal's. */
import { expect, it } from 'vitest';
import type { ErrorCode } from '../../src/base/refusal.ts';
import type { End, Fate } from '../../src/domain/sending/end.ts';
import { hotFolderWords, nackAdvice } from '../../src/messages/hot-folder.ts';

const planAgain =
  'Make a new plan of this sheet with the settings of the watcher (its payrun.config.json), and have it approved. The sheet is in the subfolder taken. Put the signatures into the folder first, then the plan, and the sheet last.';

const correct =
  'Correct each problem in the sheet, or in the checked workbook if there is one. Then put it into the folder again.';

const totals =
  'Ask the person who made the sheet whether the sheet or its totals are wrong. Then put both into the folder again.';

const repeated =
  'Do nothing if it is the same sheet again: its rows are paid, or their payments are under way. If it is for another period, or if somebody changed its rows on purpose, run it from the command line in one of the ways that `why` names.';

const anyCause =
  'Remove the cause that `why` names. Then put the sheet into the folder again, or run it from the command line.';

const unreadable =
  'Save the sheet as .xlsx or .csv under a short name, and check that it opens. Then put it into the folder again.';

const changed =
  'Find out who changed the sheet while it lay in the folder, and why. Then put the right sheet into the folder again, under a name that nobody writes to.';

const otherCounts =
  'Compare this sheet with the one that `why` names. If this sheet is right, put it into the folder again. If not, do nothing: the batch keeps the other sheet.';

const otherKey = 'Tell the person who maintains the settings: the batch was sent with another key, user or address.';

it.each<[End, ErrorCode | null, Fate, string]>([
  ['sheet', null, 'again', correct],
  ['sheet', 'CSV_HAS_ZEROS', 'final', correct],
  ['sheet', 'SHEET_HAS_PROBLEMS', 'final', correct],
  ['sheet', 'PAYEES_REFUSED', 'final', correct],
  ['doubt', 'PAYEES_REFUSED', 'final', correct],
  ['rule', 'OVER_CAP', 'final', anyCause],
  ['rule', 'IDENTITY_UNPROVEN', 'final', anyCause],
  ['usage', 'FILE_UNREADABLE', 'final', unreadable],
  ['rule', 'SHEET_CHANGED', 'final', changed],
  ['rule', 'TOTALS_DIFFER', 'totals', totals],
  ['rule', 'TOTALS_MISSING', 'totals', totals],
  ['rule', 'BATCH_PAID', 'repeated', repeated],
  ['rule', 'SHEET_LOOKS_PAID', 'repeated', repeated],
  ['rule', 'VERSION_CONFLICT', 'final', otherCounts],
  ['rule', 'IDENTITY_CHANGED', 'final', otherKey],
  ['rule', 'PLAN_NOT_FOUND', 'final', planAgain],
  ['rule', 'PLAN_UNREADABLE', 'final', planAgain],
  ['rule', 'PLAN_CHANGED', 'final', planAgain],
  ['rule', 'PLAN_EXPIRED', 'final', planAgain],
  ['rule', 'PLAN_DECLINED', 'final', planAgain],
  ['rule', 'PLAN_DIFFERS', 'final', planAgain],
  ['rule', 'BATCH_LEAVES_PLAN', 'final', planAgain],
  ['rule', 'RETRY_UNPLANNED', 'final', planAgain],
])('advises after %s %s', (end, code, fate, words) => {
  expect(nackAdvice(end, code, fate)).toBe(words);
});

it('says what an answer adds to a refusal', () => {
  expect(hotFolderWords).toMatchObject({
    refused: 'The sheet or one of its payees was refused.',
    sentBefore: 'Rows that were sent before are not sent again. The ACK shows the status of each row.',
  });
  expect(hotFolderWords.outMade('out')).toBe('The folder out was missing with its answers, and Payrun made it again');
});
