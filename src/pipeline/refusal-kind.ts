/** The kind of each refusal, the refusals that approvers can resolve, and those that stop only the sending. */
import type { ErrorCode } from '../base/refusal.ts';
import { type End, type RefusalKind, refusalKinds } from '../domain/sending/end.ts';
import { usageCodes } from '../messages/refusals/usage-refusals.ts';

/** Each refusal that is not here is of the kind `rule`: nothing was sent. */
const codes: { readonly [K in RefusalKind]: readonly ErrorCode[] } = {
  machine: ['DISK_UNWRITABLE', 'LEDGER_UNWRITABLE'],
  usage: [
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
  rule: [],
  sheet: ['SHEET_REFUSED', 'SHEET_HAS_PROBLEMS', 'PAYEES_REFUSED'],
  doubt: ['CANARY_UNPAID'],
  later: [
    'PAID_ELSEWHERE',
    'SENT_ELSEWHERE',
    'LEDGER_RESTORED',
    'CANARY_OPEN',
    'RAIL_SHUT',
    'OUTSIDE_PAY_WINDOW',
    'PAUSED',
    'STOPPED_BEFORE',
  ],
  busy: ['FOLDER_BUSY', 'LEDGER_BUSY'],
  service: [
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
  alarm: ['LEDGER_DAMAGED', 'PAID_TWICE', 'COPIES_PAID', 'PAYMENT_UNDONE', 'DEPOSIT_CHANGED'],
  signal: ['STOPPED'],
};

/** An error without a code is a fault of the program. */
export const refusalKind = (code: ErrorCode | null): RefusalKind =>
  code === null ? 'machine' : (refusalKinds.find((kind) => codes[kind].includes(code)) ?? 'rule');

/** Returns the end of a command that threw this refusal. */
export const endOfRefusal = (code: ErrorCode): End => ({ is: 'refused', why: refusalKind(code) });

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
