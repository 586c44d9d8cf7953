/** Finds deposit details in the service's answers, compares two readings, and adds up amounts. */
import type { DepositDetail } from '../../base/refusal.ts';
import { decimalText, exactDecimal } from './exact-decimal.ts';

export type Detail = DepositDetail;

/**
 * The interface does not show the fields of deposit details and the name of the one-time USDT address (interface 2.8, 4.20).
 * Payrun shows every field whose name says deposit, address or wallet. An address counts only at the top level of the
 * payment, because a payee has addresses too.
 */
export const isDepositName = (name: string, above: readonly string[] = []): boolean =>
  /deposit/i.test(name) || (/address|wallet/i.test(name) && above.every((one) => /^(?:payment|data)$/.test(one)));

export function depositIn(answer: unknown): readonly Detail[] {
  const found = new Map<string, string>();
  walk(answer, [], false, (path, value) => found.set(path.join('.'), value));
  // If several paths end in the same name, only the alphabetically first path gets this short name.
  const owners = new Map<string, string>();
  const short = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  for (const path of [...found.keys()].toSorted()) if (!owners.has(short(path))) owners.set(short(path), path);
  return Array.from(found, ([path, value]) => ({ name: owners.get(short(path)) === path ? short(path) : path, value }));
}

function walk(
  value: unknown,
  path: readonly string[],
  inside: boolean,
  see: (path: readonly string[], value: string) => void,
): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value === 'object') {
    for (const [name, inner] of Object.entries(value))
      walk(inner, [...path, name], inside || isDepositName(name, path), see);
  } else if (inside) see(path, String(value as string | number | boolean));
}

/** True for a time or a state, which does not say where the money goes. */
const isClock = ({ name, value }: Detail) =>
  /expir|remaining|validUntil|updatedAt|(?:status|received|receivedAt|confirmed|confirmations|txHash|transactionHash)$/i.test(
    name,
  ) || /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(value);

function isSame(name: string, before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  const hex = /^0x[0-9a-f]{40}$/i;
  if (hex.test(before) && hex.test(after)) return before.toLowerCase() === after.toLowerCase();
  return isAmount.test(name) ? withoutZeros(before) === withoutZeros(after) : before === after;
}

const isAmount = /amount$/i;
const withoutZeros = (amount: string) => amount.replace(/^(\d+)(?:\.|(\.\d*[1-9]))0*$/, '$1$2');

export function changedDetails(before: readonly Detail[], after: readonly Detail[]): string[] {
  if (before.length === 0 || after.length === 0) return [];
  const [was, now] = [before, after].map(
    (details) => new Map(details.filter((detail) => !isClock(detail)).map(({ name, value }) => [name, value])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...was.keys(), ...now.keys()])].filter((name) => !isSame(name, was.get(name), now.get(name)));
}

/** Returns the details with these names, ordered by name, because the service may change the order. */
export const detailsNamed = (details: readonly Detail[], names: readonly string[]): Detail[] =>
  details.filter(({ name }) => names.includes(name)).toSorted((one, other) => (one.name < other.name ? -1 : 1));

export function isCompletion(before: readonly Detail[], after: readonly Detail[], changed: readonly string[]): boolean {
  const known = new Set(before.map(({ name }) => name));
  return after.length > 0 && changed.every((name) => !known.has(name));
}

export const referenceOf = (details: readonly Detail[]): string | null => firstNamed(details, /reference$|^memo$/i);
export const amountOf = (details: readonly Detail[]): string | null => firstNamed(details, isAmount);
export const currencyIn = (details: readonly Detail[]): string | null => firstNamed(details, /currency$/i);

const firstNamed = (details: readonly Detail[], name: RegExp): string | null =>
  details.find((detail) => name.test(detail.name))?.value ?? null;

export const accountOf = (details: readonly Detail[]): readonly Detail[] =>
  details.filter((detail) => !/reference$|^memo$|amount$/i.test(detail.name) && !isClock(detail));

export const detailWords = (details: readonly Detail[]): string =>
  details.map(({ name, value }) => `${name}: ${value}`).join('; ');

export function sumOf(amounts: readonly (string | null)[]): string | null {
  let sum = 0n;
  let places = 0;
  for (const amount of amounts) {
    const units = exactDecimal(amount ?? '');
    if (units === null || amount === null || units < 0n) return null;
    sum += units;
    places = Math.max(places, amount.split('.')[1]?.length ?? 0);
  }
  const [whole, fraction = ''] = decimalText(sum).split('.');
  return places === 0 ? whole! : `${whole}.${fraction.padEnd(places, '0')}`;
}
