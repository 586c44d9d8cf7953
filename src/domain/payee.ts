/** Who a row pays, as the payee control knows payees: by the person's own id, else by name; and to which account. */
import { type Destination, payeeKey } from './merchant.ts';
import { editDistance, fold, plainName } from './text.ts';

export interface Payee {
  /** The employee's, customer's or supplier's id; null where the sheet has none. */
  readonly id: string | null;
  readonly name: string;
  /** Equal for two destinations that have one owner; it begins with the country. */
  readonly account: string;
}

export function payeeOf(row: {
  readonly payeeId: string | null;
  readonly name: string;
  readonly destination: Destination;
}): Payee {
  return {
    id: row.payeeId === null ? null : foldedId(row.payeeId),
    name: foldedPayee(row.name),
    account: payeeKey(row.destination),
  };
}

/** Zeros before digits are what a spreadsheet drops: `EMP-0042`, `emp 42`. null where nothing is left. */
function foldedId(id: string): string | null {
  return fold(plainName(id)).replaceAll(/(?<!\d)0+(?=\d)/g, '') || null;
}

const titles = /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|rev|adv|messrs)\b[ .,]*)+(?=\S)/i;

/** Folded names of which one may be the other, mended: one letter of five is another one, or a part of it came or went. A family shares more. */
export function mayBeMended(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.includes(short)) return 2 * short.length >= long.length;
  return editDistance(one, other) <= Math.max(1, Math.floor(short.length / 5));
}

/** Case, accents, spaces, stops and titles make no other payee. */
export function foldedPayee(name: string): string {
  const plain = plainName(name);
  return fold(plain.replace(titles, '')) || fold(plain) || name;
}
