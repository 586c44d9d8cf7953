/** The codes of refusals of a person's decision about a row, each with its data. The row does not change. */
import type { Action } from '../words.ts';

export type RowDecisionKind = 'paid' | 'not-paid' | 'release-absent' | 'release-repeat' | 'known' | 'drop' | 'retry';

export interface RowOfBatch {
  readonly row: string;
  readonly batch: string;
}

export interface RowRefusals {
  // A decision about a row is refused.
  ROW_IN_OTHER_STATE: RowOfBatch & { state: string; asked: RowDecisionKind };
  ROW_ACCOUNT_UNCHANGED: RowOfBatch & { state: string; command: Action };
  ROW_HELD_FOR_ACCOUNT: RowOfBatch & { command: Action };
  ROW_LOOKS_PAID: RowOfBatch & { command: Action };
  PAYMENT_OF_OTHER_ROW: RowOfBatch & { payment: string; other: RowOfBatch };
  PAYMENT_NOT_AT_SERVICE: RowOfBatch & { payment: string };
  PAYMENT_EXPIRED: RowOfBatch & { payment: string };
  PAYMENT_DIFFERS: RowOfBatch & { payment: string };
  /** The row changes, closes or goes again, but the service no longer reports one of its payments as expired. */
  PAYMENT_ALIVE: RowOfBatch & { number: number; payment: string; status: string | null };
  PAYMENT_NOT_GONE: RowOfBatch & { payment: string };
  PAYMENT_FOUND: RowOfBatch & { payment: string };
  PAYMENT_MAY_APPEAR: RowOfBatch & { after: number };
  ROW_MAY_BE_PAID: RowOfBatch;
  ROW_IS_CLOSED: RowOfBatch & { command: Action };
  ROW_IS_OPEN: RowOfBatch;
  ROW_NOT_LISTED: RowOfBatch & { command: Action };
  ROW_HAS_MISTAKE: RowOfBatch & { command: Action };
}
