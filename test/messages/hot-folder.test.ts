/** The advice in the answer of a hot folder to each refusal, typed by hand. The refusal's words are the terminal's. */
import { expect, it } from 'vitest';
import { refusalExamples } from '../../scripts/refusal-examples.ts';
import type { ErrorCode } from '../../src/base/refusal.ts';
import type { RefusalKind } from '../../src/domain/sending/end.ts';
import { hotFolderWords, nackAdvice } from '../../src/messages/hot-folder.ts';
import { refusalKind } from '../../src/pipeline/refusal-kind.ts';

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

const ofKind: { readonly [K in RefusalKind]: string } = {
  signal: anyCause,
  alarm: anyCause,
  doubt: anyCause,
  service: anyCause,
  machine: anyCause,
  usage: anyCause,
  busy: anyCause,
  rule: anyCause,
  sheet: correct,
  later: anyCause,
};

/** The refusals whose advice differs from that of their kind. */
const own: { readonly [C in ErrorCode]?: string } = {
  FILE_UNREADABLE:
    'Save the sheet as .xlsx or .csv under a short name, and check that it opens. Then put it into the folder again.',
  SHEET_CHANGED:
    'Find out who changed the sheet while it lay in the folder, and why. Then put the right sheet into the folder again, under a name that nobody writes to.',
  TOTALS_DIFFER: totals,
  TOTALS_MISSING: totals,
  SENT_ROWS_CHANGED: repeated,
  SENT_ROWS_INVALID: repeated,
  ROWS_ADDED: repeated,
  ROWS_CLOSED: repeated,
  BATCH_PAID: repeated,
  BATCH_PAID_IN_PART: repeated,
  EXPIRED_ROW_PAID: repeated,
  MAP_LEFT_OUT: repeated,
  CLAIMS_UNKNOWN: repeated,
  SHEET_LOOKS_PAID: repeated,
  VERSION_CONFLICT:
    'Compare this sheet with the one that `why` names. If this sheet is right, put it into the folder again. If not, do nothing: the batch keeps the other sheet.',
  IDENTITY_CHANGED: 'Tell the person who maintains the settings: the batch was sent with another key, user or address.',
  PLAN_NOT_FOUND: planAgain,
  PLAN_UNREADABLE: planAgain,
  PLAN_CHANGED: planAgain,
  PLAN_EXPIRED: planAgain,
  PLAN_DECLINED: planAgain,
  PLAN_DIFFERS: planAgain,
  BATCH_LEAVES_PLAN: planAgain,
  RETRY_UNPLANNED: planAgain,
};

it.each(Object.keys(refusalExamples) as ErrorCode[])('%s', (code) => {
  const kind = refusalKind(code);
  expect(nackAdvice(kind, code)).toBe(own[code] ?? ofKind[kind]);
});

it('says what an answer adds to a refusal', () => {
  expect(hotFolderWords).toMatchObject({
    refused: 'The sheet or one of its payees was refused.',
    sentBefore: 'Rows that were sent before are not sent again. The ACK shows the status of each row.',
  });
  expect(hotFolderWords.outMade('out')).toBe('The folder out was missing with its answers, and Payrun made it again');
});
