/** The advice in the answer of a hot folder to each refusal, typed by hand. The refusal's words are the terminal's. */
import { expect, it } from 'vitest';
import type { ErrorCode } from '../../src/base/refusal.ts';
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

const said: { readonly [C in ErrorCode]: string } = {
  CREDENTIALS_MISSING: anyCause,
  FILE_UNREADABLE:
    'Save the sheet as .xlsx or .csv under a short name, and check that it opens. Then put it into the folder again.',
  SHEET_COPY_GONE: anyCause,
  MAP_UNUSABLE: anyCause,
  CORRECTIONS_UNUSABLE: anyCause,
  FOLDER_UNWRITABLE: anyCause,
  FOLDER_UNUSABLE: anyCause,
  HOT_FOLDER_REPLACED: anyCause,
  HOT_FOLDER_LOCK_DAMAGED: anyCause,
  HOT_FOLDER_RECORD_UNREADABLE: anyCause,
  DISK_UNWRITABLE: anyCause,
  COPIES_UNWRITABLE: anyCause,
  FOLDER_BUSY: anyCause,
  LEDGER_HAS_NO_BATCH: anyCause,
  LEDGER_ADDRESS_UNUSABLE: anyCause,
  LEDGER_COPY_NEEDS_POSTGRES: anyCause,
  LEDGER_COPY_REFUSED: anyCause,
  WORKERS_NEED_POSTGRES: anyCause,
  SCHEDULE_UNUSABLE: anyCause,
  CAP_UNUSABLE: anyCause,
  EXPECT_UNUSABLE: anyCause,
  PAY_WINDOWS_NEVER_MEET: anyCause,
  WEBHOOKS_UNHEARD: anyCause,
  ROW_UNKNOWN: anyCause,
  ROWS_AMBIGUOUS: anyCause,
  ROW_NOT_UNPAID: anyCause,
  ROW_STAYS: anyCause,
  MOVED: anyCause,
  OWN_SHEET: anyCause,
  OWN_TO_DISCARD: anyCause,
  OWN_APPROVAL: anyCause,
  PAYMENT_UNKNOWN: anyCause,
  TEMPLATE_FORMAT_UNKNOWN: anyCause,
  RESULT_FORMAT_UNKNOWN: anyCause,
  WORKBOOK_ROWS_TOO_MANY: anyCause,
  WORKBOOK_CELLS_TOO_MANY: anyCause,
  CONSOLE_BUSY: anyCause,
  CONSOLE_HAS_NO_ACCOUNTS: anyCause,
  CONSOLE_ADDRESS_UNUSABLE: anyCause,
  CONSOLE_PAGE_MISSING: anyCause,
  SERVICE_DATA_BUSY: anyCause,
  SERVICE_DATA_FOREIGN: anyCause,
  SERVICE_DATABASE_UNUSABLE: anyCause,
  SERVICE_ADDRESS_UNUSABLE: anyCause,
  BASE_PATH_INVALID: anyCause,
  PUBLIC_URL_INVALID: anyCause,
  FAULT_ROUTE_UNKNOWN: anyCause,
  FAULT_KIND_MISPLACED: anyCause,
  TENANT_NAMELESS: anyCause,
  TENANT_UNKNOWN: anyCause,
  USER_UNKNOWN: anyCause,
  USER_DISABLED: anyCause,
  SHEET_REFUSED: correct,
  SHEET_HAS_PROBLEMS: correct,
  PAYEES_REFUSED: correct,
  SHEET_CHANGED:
    'Find out who changed the sheet while it lay in the folder, and why. Then put the right sheet into the folder again, under a name that nobody writes to.',
  TOTALS_DIFFER: totals,
  TOTALS_MISSING: totals,
  OVER_CAP: anyCause,
  VARIANCE: anyCause,
  LEDGER_BUSY: anyCause,
  LEDGER_OF_OTHER_BUILD: anyCause,
  LEDGER_UNUSABLE: anyCause,
  LEDGER_UNWRITABLE: anyCause,
  LEDGER_DAMAGED: anyCause,
  BATCH_UNKNOWN: anyCause,
  SENT_ROWS_CHANGED: repeated,
  SENT_ROWS_INVALID: repeated,
  ROWS_ADDED: repeated,
  ROWS_DROPPED: anyCause,
  ADDITION_CHANGES_ROWS: anyCause,
  OLDER_VERSION: anyCause,
  NOTHING_TO_ADD_TO: anyCause,
  ROWS_CLOSED: repeated,
  BATCH_PAID: repeated,
  BATCH_PAID_IN_PART: repeated,
  EXPIRED_ROW_PAID: repeated,
  MAP_LEFT_OUT: repeated,
  CLAIMS_UNKNOWN: repeated,
  SHEET_LOOKS_PAID: repeated,
  REPEATS_A_DOUBT: anyCause,
  PROPOSAL_WAITS: anyCause,
  VERSION_CONFLICT:
    'Compare this sheet with the one that `why` names. If this sheet is right, put it into the folder again. If not, do nothing: the batch keeps the other sheet.',
  IDENTITY_CHANGED: 'Tell the person who maintains the settings: the batch was sent with another key, user or address.',
  IDENTITY_UNPROVEN: anyCause,
  PLAN_NOT_FOUND: planAgain,
  PLAN_UNREADABLE: planAgain,
  PLAN_CHANGED: planAgain,
  PLAN_PAGE_DIFFERS: planAgain,
  PLAN_EXPIRED: planAgain,
  PLAN_DECLINED: planAgain,
  PLAN_DIFFERS: planAgain,
  BATCH_LEAVES_PLAN: planAgain,
  RETRY_UNPLANNED: planAgain,
  APPROVALS_TOO_FEW: anyCause,
  MAKER_REFUSED: anyCause,
  MAKER_UNSIGNABLE: anyCause,
  SIGNATURE_USELESS: anyCause,
  SIGNED_PLAN_MISSING: anyCause,
  SIGNED_PLANS_SEVERAL: anyCause,
  BATCH_UNAPPROVED: anyCause,
  SHEET_UNAPPROVED: anyCause,
  RELEASE_UNAPPROVED: anyCause,
  POLICY_NOT_FOUND: anyCause,
  POLICY_DIFFERS: anyCause,
  POLICY_UNUSABLE: anyCause,
  KEY_UNUSABLE: anyCause,
  SERVICE_UNREACHABLE: anyCause,
  SERVICE_ANSWER: anyCause,
  SERVICE_UNREADABLE: anyCause,
  REFUSED_IN_A_ROW: anyCause,
  SERVICE_REFUSED: anyCause,
  SERVICE_LACKS: anyCause,
  DOCUMENTS_NOT_LISTED: anyCause,
  CREDENTIALS_REFUSED: anyCause,
  SERVICE_BUSY: anyCause,
  TAG_LOST: anyCause,
  PASS_INCOMPLETE: anyCause,
  PAID_ELSEWHERE: anyCause,
  SENT_ELSEWHERE: anyCause,
  LEDGER_RESTORED: anyCause,
  PAID_TWICE: anyCause,
  COPIES_PAID: anyCause,
  PAYMENT_UNDONE: anyCause,
  DEPOSIT_CHANGED: anyCause,
  CANARY_OPEN: anyCause,
  CANARY_UNPAID: anyCause,
  RAIL_SHUT: anyCause,
  OUTSIDE_PAY_WINDOW: anyCause,
  PAUSED: anyCause,
  STOPPED_BEFORE: anyCause,
  STOPPED: anyCause,
};

it.each(Object.entries(said))('%s', (code, words) => {
  expect(nackAdvice(code)).toBe(words);
});

it('an end without a refusal has advice too', () => {
  expect(nackAdvice(null)).toBe(anyCause);
});

it('says what an answer adds to a refusal', () => {
  expect(hotFolderWords).toMatchObject({
    refused: 'The sheet or one of its payees was refused.',
    sentBefore: 'Rows that were sent before are not sent again. The ACK shows the status of each row.',
  });
  expect(hotFolderWords.outMade('out')).toBe('The folder out was missing with its answers, and Payrun made it again');
});
