/** Why an answer of the payout service, or its list of payments, cannot be relied on. */

interface Payment {
  payment: string;
}

export interface ServiceFaults {
  'answer-has-no-page': object;
  'answer-repeats-pages': { pages: number };
  'answer-repeats-marker': object;
  'answer-has-no-record': object;
  'answer-has-no-banks': object;
  'answer-has-odd-status': { status: number; detail: string };
  'answer-has-no-token': { fields: string };
  'answer-has-odd-expiry': { expiry: number };
  'source-is-not-listed': { source: string };
  // A list with one of these faults cannot prove that a payment is missing. `more` counts further payments with the same fault.
  'list-cannot-be-read': { detail: string };
  'list-is-unusable': { what: string; why: { readonly fault: string } };
  'list-items-lack-ids': { items: number };
  'list-shows-other-tag': Payment & { seenTag: string; tag: string; more: number };
  'list-lacks-payment': Payment & { sentAt: number; more: number };
  'list-lacks-new-payment': Payment & { seconds: number };
  'list-lost-payment': Payment;
}
