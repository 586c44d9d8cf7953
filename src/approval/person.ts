/** Names of people: which names are valid, and when two names mean the same person. */
import type { NameFault } from '../base/faults/fault.ts';
import { fold, plainName } from '../domain/rows/text.ts';

const longestName = 64;
/** Alphabets with letters that look Latin. A name that mixes them with Latin letters could imitate another name. */
const lookalikes =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
/** Invisible characters. They could make two different names look the same. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;

/** Returns the fault of the name; null if the name is valid. A valid name can be part of a file name. */
export function personName(name: string): NameFault | null {
  if (name.trim() !== name || name === '' || name.length > longestName) return 'name-has-wrong-length';
  if (!/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’_-]*$/u.test(name)) return 'name-has-odd-letters';
  if (unseen.test(name)) return 'name-has-unseen-letters';
  if (/\p{Script=Latin}/u.test(name) && lookalikes.test(name)) return 'name-mixes-scripts';
  return null;
}

/** Ignores case, accents, spaces, full stops, hyphens, underscores and the order of words. */
export const isSamePerson = (one: string, other: string): boolean =>
  foldedName(one) === foldedName(other) || sortedName(one) === sortedName(other);

const sortedName = (name: string) =>
  name
    .split(/[ ._-]+/)
    .map(foldedName)
    .sort()
    .join(' ')
    .trim();

export const foldedName = (name: string): string =>
  fold(plainName(name)) || fold(name.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
