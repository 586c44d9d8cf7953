/** What a service tells of a payment beside its id and status: kept with the row, shown in the result. */
import { type Detail, depositIn, detailWords, isDepositName } from '../../domain/amounts/deposit.ts';

/** What one row keeps of it. */
const maxCharacters = 8192;
/** No account, address or reference is longer: what is cut is a log, or a picture as text. */
const maxText = 1000;

const plainNames = ['statusLog', 'amountSettled', 'otcFees', 'destinationCurrency'];

/** The answer as it came; of one that is too long what the result shows, its long texts cut, as many fields as there is room for. */
export function keptAnswer(answer: unknown): string {
  const whole = JSON.stringify(answer);
  if (whole.length <= maxCharacters) return whole;
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  const fields = Object.entries(JSON.parse(whole, (_, value: unknown) => cut(value)) as object)
    .filter(([name]) => plainNames.includes(name) || isDepositName(name))
    .map(([name, value]) => JSON.stringify({ [name]: value as unknown }).slice(1, -1));
  // The short ones first: a long one must not take the room of several.
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

interface Told {
  readonly statusLog: string | null;
  readonly amountSettled: number | null;
  readonly otcFees: number | null;
  readonly destinationCurrency: string | null;
  readonly deposit: string | null;
  readonly details: readonly Detail[];
}

/** The answer as it is kept; of one that a person has touched by hand, nothing. */
export function toldIn(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function readTold(json: string): Told {
  const told = toldIn(json);
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  const details = depositIn(told);
  return {
    statusLog: text(told.statusLog),
    amountSettled: number(told.amountSettled),
    otcFees: number(told.otcFees),
    destinationCurrency: text(told.destinationCurrency),
    deposit: details.length === 0 ? null : detailWords(details),
    details,
  };
}
