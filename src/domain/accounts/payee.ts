/** The payee of a row, as the payee control compares it: the sheet's own id, the name and the account. */
import { sha256 } from '../../base/digest.ts';
import { editDistance, fold, plainName } from '../rows/text.ts';
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
function foldedId(id: string): string | null {
  return fold(plainName(id)).replaceAll(/(?<!\d)0+(?=\d)/g, '') || null;
}

const titles = /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|rev|adv|messrs)\b[ .,]*)+(?=\S)/i;

/** True if one name may be a correction of the other. Both names come from `payeeWords`. */
export function mayBeMended(one: string, other: string): boolean {
  const [few = [], many = []] = [one, other].map((words) => words.split(' ')).sort((a, b) => a.length - b.length);
  const isIn = (word: string) => many.some((full) => full === word || initialOf(full, word) || initialOf(word, full));
  if (few.some((word) => many.includes(word)) && few.every(isIn)) return true;
  const [name, otherName] = [few.join(''), many.join('')];
  return editDistance(name, otherName) <= Math.max(1, Math.floor(Math.min(name.length, otherName.length) / 5));
}

const initialOf = (word: string, full: string) => word.length === 1 && full.startsWith(word);

export const foldedPayee = (name: string): string => withoutTitles(name, fold);

export const payeeWords = (name: string): string => withoutTitles(name, spaced);

/** Keeps a name that has only titles, or no Latin letters. */
function withoutTitles(name: string, folded: (plain: string) => string): string {
  const plain = plainName(name);
  return folded(plain.replace(titles, '')) || folded(plain) || name;
}

const spaced = (plain: string) =>
  plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

/** Returns a digest of an account without bank, leading zeros and a phone's country code; null if nothing is left. */
export function accountMark(account: string): string | null {
  const text = /[^|:/]*$/.exec(account.toLowerCase())![0];
  const plain = /[a-z]/.test(text) ? text : text.replace(/\D/g, '').replace(/^0*(?:254(?=\d{9,10}$))?0*/, '');
  return plain === '' ? null : sha256(plain).slice(0, 16);
}
