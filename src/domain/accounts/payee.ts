/** The payee of a row, in a form that Payrun can compare: the sheet's own id, the name and the account. */
import { fold, plainName } from '../rows/text.ts';
import { type Destination, payeeKey } from './merchant.ts';

export interface Payee {
  readonly id: string | null;
  readonly name: string;
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

/** Removes leading zeros, because spreadsheets drop them: `EMP-0042` equals `emp 42`. */
const foldedId = (id: string): string | null => fold(plainName(id)).replaceAll(/(?<!\d)0+(?=\d)/g, '') || null;

const titles = /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|rev|adv|messrs)\b[ .,]*)+(?=\S)/i;

export function foldedPayee(name: string): string {
  const plain = plainName(name);
  return fold(plain.replace(titles, '')) || fold(plain) || name;
}
