/** Keeps the service's answer about a payment for the result file, and shortens long answers. */
import type { Each } from '../../base/words.ts';
import { type Detail, depositIn, detailWords, isDepositName } from '../../domain/amounts/deposit.ts';

const maxCharacters = 8192;
const maxText = 1000;

const plainNames = ['statusLog', 'amountSettled', 'otcFees', 'destinationCurrency'];

/** Returns the answer as JSON of at most 8192 characters. A longer answer keeps only the fields that a result shows. */
export function keptAnswer(answer: unknown): string {
  const whole = JSON.stringify(answer);
  if (whole.length <= maxCharacters) return whole;
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  const fields = Object.entries(JSON.parse(whole, (_, value: unknown) => cut(value)) as object)
    .filter(([name]) => plainNames.includes(name) || isDepositName(name))
    .map(([name, value]) => JSON.stringify({ [name]: value as unknown }).slice(1, -1));
  // Keeps short fields first, so that one long field does not displace several short fields.
  let room = maxCharacters - '{}'.length;
  const kept = new Set(
    fields
      .toSorted((a, b) => a.length - b.length)
      .filter((field) => {
        room -= field.length + ','.length;
        return room >= 0;
      }),
  );
  return `{${fields.filter((field) => kept.has(field)).join(',')}}`;
}

interface PaymentDetails extends Each<'statusLog destinationCurrency deposit', string | null> {
  readonly amountSettled: number | null;
  readonly otcFees: number | null;
  readonly details: readonly Detail[];
}

/** Returns an empty object if the text is not JSON, for example after a change by hand. */
export function detailsIn(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function readDetails(json: string): PaymentDetails {
  const answer = detailsIn(json);
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  const details = depositIn(answer);
  return {
    statusLog: text(answer.statusLog),
    amountSettled: number(answer.amountSettled),
    otcFees: number(answer.otcFees),
    destinationCurrency: text(answer.destinationCurrency),
    deposit: details.length === 0 ? null : detailWords(details),
    details,
  };
}
