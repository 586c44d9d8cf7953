/** The exit code of each refusal, the refusals that approvers can resolve, and those that stop only the sending. */
import type { ErrorCode } from '../base/refusal.ts';
import { usageCodes } from '../messages/refusals/usage-refusals.ts';

/** Exit codes of refusals. A refusal that is neither here nor in `unusable` ends with 26: nothing was sent. */
const others: { readonly [C in ErrorCode]?: number } = {
  DISK_UNWRITABLE: 1,
  FOLDER_BUSY: 24,
  SHEET_REFUSED: 20,
  SHEET_HAS_PROBLEMS: 20,
  PAYEES_REFUSED: 20,
  LEDGER_BUSY: 24,
  LEDGER_UNWRITABLE: 1,
  LEDGER_DAMAGED: 27,
  SERVICE_UNREACHABLE: 25,
  SERVICE_ANSWER: 25,
  SERVICE_UNREADABLE: 25,
  REFUSED_IN_A_ROW: 25,
  SERVICE_REFUSED: 25,
  SERVICE_LACKS: 25,
  DOCUMENTS_NOT_LISTED: 25,
  CREDENTIALS_REFUSED: 25,
  SERVICE_BUSY: 25,
  TAG_LOST: 25,
  PASS_INCOMPLETE: 25,
  PAID_ELSEWHERE: 23,
  SENT_ELSEWHERE: 23,
  LEDGER_RESTORED: 23,
  CANARY_OPEN: 23,
  CANARY_UNPAID: 22,
  RAIL_SHUT: 23,
  OUTSIDE_PAY_WINDOW: 23,
  PAID_TWICE: 27,
  COPIES_PAID: 27,
  PAYMENT_UNDONE: 27,
  DEPOSIT_CHANGED: 27,
  PAUSED: 23,
  STOPPED_BEFORE: 23,
  STOPPED: 130,
};

/** Refusals of unusable commands, settings, files and names. They end with exit code 2. */
const unusable: readonly ErrorCode[] = [
  'USAGE',
  'CONFIG',
  'CREDENTIALS_MISSING',
  'FILE_UNREADABLE',
  'SHEET_COPY_GONE',
  'MAP_UNUSABLE',
  'CORRECTIONS_UNUSABLE',
  'FOLDER_UNWRITABLE',
  'FOLDER_UNUSABLE',
  'HOT_FOLDER_REPLACED',
  'HOT_FOLDER_LOCK_DAMAGED',
  'HOT_FOLDER_RECORD_UNREADABLE',
  'COPIES_UNWRITABLE',
  'LEDGER_OF_OTHER_BUILD',
  'LEDGER_UNUSABLE',
  'PAUSED_LEDGER_WAS_COPIED',
  'BATCH_UNKNOWN',
  'NOTHING_TO_ADD_TO',
  'POLICY_UNUSABLE',
  'KEY_UNUSABLE',
  ...usageCodes,
];

export const exitOfCode = (code: ErrorCode): number => others[code] ?? (unusable.includes(code) ? 2 : 26);

export const lacksApproval: readonly ErrorCode[] = [
  'APPROVALS_TOO_FEW',
  'MAKER_REFUSED',
  'MAKER_UNSIGNABLE',
  'SIGNATURE_USELESS',
  'SIGNED_PLAN_MISSING',
  'SIGNED_PLANS_SEVERAL',
  'BATCH_UNAPPROVED',
  'SHEET_UNAPPROVED',
  'RELEASE_UNAPPROVED',
];

/** After these refusals, the run still reads the status of the batch's open payments once. */
export const stopsSendingOnly: readonly ErrorCode[] = [
  'PASS_INCOMPLETE',
  'TAG_LOST',
  'PAID_ELSEWHERE',
  'SENT_ELSEWHERE',
  'LEDGER_RESTORED',
  'PAID_TWICE',
  'COPIES_PAID',
  'PAYMENT_UNDONE',
  'PAYEES_REFUSED',
  'REFUSED_IN_A_ROW',
];
