/** Names of people: which names are valid, and when two names mean one person. */
import type { NameFault } from '../base/faults/fault.ts';
import { fold, plainName } from '../domain/rows/text.ts';

const longestName = 64;
/** Scripts with letters that look like Latin ones. A name that mixes one of them with Latin could imitate another name. */
const lookalikes =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
/** Invisible characters. Two names that differ only in one of them look the same. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;

/** Returns null for a valid name, and the fault for another. The name may become part of a file name. */
export function personName(name: string): NameFault | null {
  if (name.trim() !== name || name === '' || name.length > longestName) return 'name-has-wrong-length';
  if (!/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’_-]*$/u.test(name)) return 'name-has-odd-letters';
  if (unseen.test(name)) return 'name-has-unseen-letters';
  if (/\p{Script=Latin}/u.test(name) && lookalikes.test(name)) return 'name-mixes-scripts';
  return null;
}

/** True if both names mean one person. Case, accents, spaces and full stops do not count. */
export function isSamePerson(one: string, other: string): boolean {
  return foldedName(one) === foldedName(other);
}

export function foldedName(name: string): string {
  return fold(plainName(name)) || fold(name.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
}
