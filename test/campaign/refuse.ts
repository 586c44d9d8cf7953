/** The refusals that the reference knows. */
export class Refusal extends Error {}

export const refusals = [
  'ADDITION_CHANGES_ROWS',
  'ADDITION_ENDS_MISTAKES',
  'APPROVALS_TOO_FEW',
  'APPROVED_ALREADY',
  'BATCH_NAMES_ALIKE',
  'BATCH_PAID',
  'BATCH_UNAPPROVED',
  'BATCH_UNKNOWN',
  'IDENTITY_CHANGED',
  'NOTHING_TO_ADD_TO',
  'NOTHING_TO_SEND',
  'OLDER_VERSION',
  'OWN_APPROVAL',
  'PAUSED',
  'PAYMENT_ALIVE',
  'PLAN_DECLINED',
  'PLAN_DIFFERS',
  'PLAN_EXPIRED',
  'POLICY_NOT_FOUND',
  'PROPOSAL_WAITS',
  'RELEASE_BY_MAKER',
  'REPEATS_A_DOUBT',
  'RETRY_UNPLANNED',
  'ROWS_ADDED',
  'ROWS_CLOSED',
  'ROWS_DROPPED',
  'ROW_IN_OTHER_STATE',
  'ROW_IS_CLOSED',
  'ROW_IS_OPEN',
  'ROW_NOT_LISTED',
  'ROW_NOT_UNPAID',
  'ROW_UNKNOWN',
  'SENT_ROWS_CHANGED',
  'SIGNATURE_USELESS',
  'SIGNED_PLAN_MISSING',
  'SHEET_HAS_PROBLEMS',
  'SHEET_LOOKS_PAID',
  'VERSION_CONFLICT',
] as const;

export const refuse = (code: (typeof refusals)[number]): never => {
  throw new Refusal(code);
};
