/** The exit code of each refusal, the refusals that approvers can resolve, and those that stop only the sending. */
import type { ErrorCode } from '../base/refusal.ts';
import { usageCodes } from '../messages/refusals/usage-refusals.ts';

/** The refusals of each exit code. A refusal that is not here ends with 26: nothing was sent. */
const exits: Readonly<Record<number, readonly ErrorCode[]>> = {
  1: ['DISK_UNWRITABLE', 'LEDGER_UNWRITABLE'],
  // Unusable commands, settings, files and names.
  2: [
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
  ],
  20: ['SHEET_REFUSED', 'SHEET_HAS_PROBLEMS', 'PAYEES_REFUSED'],
  22: ['CANARY_UNPAID'],
  23: [
    'PAID_ELSEWHERE',
    'SENT_ELSEWHERE',
    'LEDGER_RESTORED',
    'CANARY_OPEN',
    'RAIL_SHUT',
    'OUTSIDE_PAY_WINDOW',
    'PAUSED',
    'STOPPED_BEFORE',
  ],
  24: ['FOLDER_BUSY', 'LEDGER_BUSY'],
  25: [
    'SERVICE_UNREACHABLE',
    'SERVICE_ANSWER',
    'SERVICE_UNREADABLE',
    'REFUSED_IN_A_ROW',
    'SERVICE_REFUSED',
    'SERVICE_LACKS',
    'DOCUMENTS_NOT_LISTED',
    'CREDENTIALS_REFUSED',
    'SERVICE_BUSY',
    'TAG_LOST',
    'PASS_INCOMPLETE',
  ],
  27: ['LEDGER_DAMAGED', 'PAID_TWICE', 'COPIES_PAID', 'PAYMENT_UNDONE', 'DEPOSIT_CHANGED'],
  130: ['STOPPED'],
};

export const exitOfCode = (code: ErrorCode): number =>
  Number(Object.entries(exits).find(([, codes]) => codes.includes(code))?.[0] ?? 26);

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
