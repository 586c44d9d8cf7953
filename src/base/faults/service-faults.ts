/** Why an answer of the payout service, or its list of payments, cannot be relied on. */

interface Payment {
  payment: string;
}

/** `call` is the method and path, such as `POST /payments`. */
interface Call {
  call: string;
}

export interface ServiceFaults {
  // A call to the service failed. `reason` is the service's own text; null if it gave none.
  'call-was-answered': Call & { status: number; reason: string | null };
  'call-has-no-answer': Call & { phase: string };
  'call-was-cut': Call;
  /** `code` is the system's error code, such as ECONNREFUSED; null if the error has none. */
  'call-failed': Call & { code: string | null; detail: string };
  'answer-is-too-large': Call & { mostBytes: number };
  'answer-has-no-id': Call & { status: number };
  'answer-has-other-form': object;
  'answer-repeats-pages': object;
  'answer-has-odd-status': { status: number; reason: string | null };
  'answer-has-no-token': { fields: string };
  'source-is-not-listed': { source: string };
  // A list with any of these faults cannot prove that a payment is missing. `more` counts further such payments.
  'list-cannot-be-read': { why: { readonly fault: string } };
  'list-is-unusable': { what: string | null; why: { readonly fault: string } };
  'list-items-lack-ids': { items: number };
  'list-shows-other-tag': Payment & { seenTag: string; tag: string; more: number };
  'list-lacks-payment': Payment & { sentAt: number; more: number };
  'list-lacks-new-payment': Payment & { seconds: number };
  'list-lost-payment': Payment;
}
