/** Why a person's decision about a row is refused. */
import type { Action } from './action.ts';

export type RowDecisionKind = 'paid' | 'not-paid' | 'release-absent' | 'release-repeat' | 'known' | 'drop' | 'retry';

interface Payment {
  payment: string;
}

interface OtherRow extends Payment {
  row: string;
  batch: string;
}

export interface RowFaults {
  'row-is-in-other-state': { state: string; asked: RowDecisionKind };
  'account-is-as-before': { state: string; command: Action };
  'account-alone-holds-it': { command: Action };
  'row-looks-paid': { command: Action };
  'payment-is-of-other-row': OtherRow;
  'payment-is-unknown': Payment;
  'payment-is-expired': Payment;
  'payment-pays-otherwise': Payment;
  'payment-is-alive': Payment & { status: string | null };
  'payment-is-known': Payment;
  'payment-is-there': Payment;
  'payment-was-accepted': Payment;
  'payment-may-still-appear': { after: number };
  'row-may-be-paid': object;
  'row-is-closed': { command: Action };
  'row-is-open': object;
  'row-is-not-listed': object;
}
