/** The exit code of each refusal, and the refusals that approvers end. */
import type { ErrorCode } from '../base/refusal.ts';

/** Exit codes of failures; every other refusal sent nothing, and ends with 26. */
const others: { readonly [C in ErrorCode]?: number } = {
  USAGE: 2,
  CONFIG: 2,
  CREDENTIALS_MISSING: 2,
  FILE_UNREADABLE: 2,
  MAP_UNUSABLE: 2,
  CORRECTIONS_UNUSABLE: 2,
  FOLDER_UNWRITABLE: 2,
  FOLDER_UNUSABLE: 2,
  DISK_UNWRITABLE: 1,
  COPIES_UNWRITABLE: 2,
  FOLDER_BUSY: 24,
  SHEET_REFUSED: 20,
  LEDGER_BUSY: 24,
  LEDGER_OF_OTHER_BUILD: 2,
  LEDGER_UNUSABLE: 2,
  LEDGER_UNWRITABLE: 1,
  LEDGER_DAMAGED: 27,
  BATCH_UNKNOWN: 2,
  POLICY_UNUSABLE: 2,
  KEY_UNUSABLE: 2,
  SERVICE_UNREACHABLE: 25,
  SERVICE_ANSWER: 25,
  SERVICE_UNREADABLE: 25,
  REFUSED_IN_A_ROW: 25,
  SERVICE_REFUSED: 25,
  CREDENTIALS_REFUSED: 25,
  SERVICE_BUSY: 25,
  TAG_LOST: 25,
  PASS_INCOMPLETE: 25,
  OTHER_LEDGER: 23,
  CANARY_OPEN: 23,
  CANARY_UNPAID: 22,
  RAIL_SHUT: 23,
  OUTSIDE_PAY_WINDOW: 23,
  PAID_TWICE: 27,
  PAYMENT_UNDONE: 27,
  DEPOSIT_CHANGED: 27,
  PAUSED: 23,
  PLANNED_SINCE: 23,
  STOPPED_BEFORE: 23,
  STOPPED: 130,
};

export const exitOfCode = (code: ErrorCode): number => others[code] ?? 26;

/** An approval is missing, or does not count. */
export const lacksApproval: readonly ErrorCode[] = [
  'APPROVALS_TOO_FEW',
  'MAKER_REFUSED',
  'MAKER_UNSIGNABLE',
  'SIGNATURE_USELESS',
  'SIGNED_PLAN_MISSING',
  'SIGNED_PLANS_SEVERAL',
  'BATCH_UNAPPROVED',
  'SHEET_UNAPPROVED',
  'RETRY_UNAPPROVED',
  'RELEASE_UNAPPROVED',
];
