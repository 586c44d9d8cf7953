/** What a payment's status means (interface 2.8, 3). */

/** open: anything but the two known ends, even a word that sounds final (traps C1). */
export type PaymentEnd = 'success' | 'expired' | 'open';

/** Compared trimmed and folded; a missing status is open. `statusMap` lets a tenant name further words once it knows them. */
export function paymentEnd(status: string | null, statusMap: Readonly<Record<string, PaymentEnd>> = {}): PaymentEnd {
  const word = (status ?? '').trim().toLowerCase();
  if (Object.hasOwn(statusMap, word)) return statusMap[word] ?? 'open';
  return word === 'success' || word === 'expired' ? word : 'open';
}
