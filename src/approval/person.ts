/** Names of people: what one may be, and when two are one person's. */
import { fold, plainName } from '../domain/rows/text.ts';

const longestName = 64;
/** Letters that look like Latin ones: a name of both is meant to look like another. */
const lookalikes =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
/** Letters and marks without a shape: two names that differ by one look like one name. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;

/** Returns the fault of a name, in words that follow it; null for one that can also be part of a file's name. */
export function personName(name: string): string | null {
  if (name.trim() !== name || name === '' || name.length > longestName)
    return `is not a name of 1 to ${longestName} characters without outer spaces`;
  if (!/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’_-]*$/u.test(name))
    return "may have letters, digits, spaces and . ' _ - only, and begins with a letter or digit";
  if (unseen.test(name)) return 'has a character that nobody sees';
  if (/\p{Script=Latin}/u.test(name) && lookalikes.test(name)) return 'mixes letters of two alphabets that look alike';
  return null;
}

/** Case, accents, spaces and stops make no other person. */
export function isSamePerson(one: string, other: string): boolean {
  return foldedName(one) === foldedName(other);
}

export function foldedName(name: string): string {
  return fold(plainName(name)) || fold(name.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
}
