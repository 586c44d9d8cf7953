/** The codes of refusals of a person's decision about a row, each with its data. The row does not change. */
import type { Action, Each, StoredReasons } from '../words.ts';

export type RowDecisionKind = 'paid' | 'not-paid' | 'release-absent' | 'release-repeat' | 'known' | 'drop' | 'retry';

export interface RowOfBatch {
  readonly row: string;
  readonly batch: string;
}

export interface RowRefusals
  // A decision about a row is refused.
  extends Each<'ROW_HELD_FOR_ACCOUNT ROW_IS_CLOSED ROW_NOT_LISTED ROW_HAS_MISTAKE', RowOfBatch & { command: Action }>,
    Each<
      'PAYMENT_NOT_AT_SERVICE PAYMENT_EXPIRED PAYMENT_DIFFERS PAYMENT_NOT_GONE PAYMENT_FOUND',
      RowOfBatch & { payment: string }
    >,
    Each<'ROW_MAY_BE_PAID ROW_IS_OPEN', RowOfBatch> {
  ROW_IN_OTHER_STATE: RowOfBatch & { state: string; asked: RowDecisionKind };
  ROW_ACCOUNT_UNCHANGED: RowOfBatch & { state: string; command: Action };
  /** `reason` names the payments that the row looks like. */
  ROW_LOOKS_PAID: RowOfBatch & { reason: StoredReasons; command: Action };
  PAYMENT_OF_OTHER_ROW: RowOfBatch & { payment: string; other: RowOfBatch };
  /** The row changes, closes or goes again, but the service no longer reports one of its payments as expired. */
  PAYMENT_ALIVE: RowOfBatch & { number: number; payment: string; status: string | null };
  PAYMENT_MAY_APPEAR: RowOfBatch & { after: number };
}
