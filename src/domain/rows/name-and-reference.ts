/** Rules for names and references (interface 2.7, 2.8). */
import type { Strangers } from '../problems/row-problems.ts';
import { type Finding, finding, type Reading, read, refused } from './finding.ts';
import {
  nameCharacter,
  nameLength,
  plainName,
  plainReference,
  referenceCharacter,
  referenceLength,
  unmarked,
} from './text.ts';

/** The interface allows an empty name, but a sheet must name its payee. */
const namePattern = /^[A-Za-z0-9 @/().,_-]{1,254}$/;
const referencePattern = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/** `guessed`: the file's encoding is a guess, so its letters may be wrong. */
export type Letters = 'certain' | 'guessed';

/** The caller first removes outer spaces and zero-width characters. */
export function readName(text: string, letters: Letters = 'certain'): Reading<string> {
  if (namePattern.test(text) && text.trim() !== '') return read(text);
  if (text.trim() === '') return refused(finding('NAME_MISSING', 'error', {}));
  const findings: Finding[] = [];
  const { encoding, suggestion } = lettersOf(text, letters, plainName);
  const wrong = strangersIn(text, nameCharacter);
  if (wrong !== null)
    findings.push(finding('NAME_CHARACTERS', 'error', { name: text, ...wrong, encoding, suggestion }));
  if (text.length > nameLength)
    findings.push(finding('NAME_TOO_LONG', 'error', { length: text.length, most: nameLength }));
  return refused(...findings);
}

/** Never changes a reference, because the payee sees it and banks match payments by it. */
export function readReference(text: string, letters: Letters = 'certain'): Reading<string> {
  if (text.length <= referenceLength && referencePattern.test(text)) return read(text);
  if (text.trim() === '') return refused(finding('REFERENCE_MISSING', 'error', {}));
  return refused(referenceFinding(text, letters));
}

const scientific = /^\d[\d.,]*[eE]\+?\d+$/;

function referenceFinding(text: string, letters: Letters): Finding {
  if (scientific.test(text)) return finding('CELL_NUMBER', 'error', { field: 'reference', text, why: 'scientific' });
  const { encoding, suggestion } = lettersOf(text, letters, plainReference);
  const wrong = strangersIn(text, referenceCharacter);
  if (wrong !== null)
    return finding('REFERENCE_CHARACTERS', 'error', { reference: text, ...wrong, encoding, suggestion });
  return text.length > referenceLength
    ? finding('REFERENCE_TOO_LONG', 'error', { reference: text, most: referenceLength, suggestion })
    : finding('REFERENCE_SPACES', 'error', { reference: text, suggestion });
}

function lettersOf(
  text: string,
  letters: Letters,
  plainOf: (text: string) => string,
): Pick<Strangers, 'encoding' | 'suggestion'> {
  if (letters === 'guessed' && Array.from(text).some((one) => one > '\x7f' && !isAgreed(one)))
    return { encoding: 'guessed', suggestion: null };
  const whole = unbroken(text);
  return { encoding: whole === text ? null : 'broken', suggestion: plainOf(whole) || null };
}

/** True if Windows-1250 and Windows-1252 agree on the base letter. False for `è`, which is `č` in Windows-1250. */
function isAgreed(letter: string): boolean {
  agreed ??= agreedLetters();
  return agreed.has(letter);
}
let agreed: ReadonlySet<string> | undefined;

function agreedLetters(): ReadonlySet<string> {
  const bytes = Uint8Array.from({ length: 64 }, (_, at) => 0xc0 + at);
  const [western, central] = ['windows-1252', 'windows-1250'].map((name) =>
    Array.from(new TextDecoder(name).decode(bytes)),
  );
  return new Set(western!.filter((one, at) => one !== 'Õ' && unmarked(one) === unmarked(central![at]!)));
}

/** The characters that Windows-1252 has for the bytes 80 to 9F (hex), each with its byte. */
const windowsLetters = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 128 + at)),
    (one, at) => [one, 128 + at],
  ),
);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Repairs a text such as `ZoÃ«`, whose bytes were read in the wrong encoding. Returns other texts unchanged. */
function unbroken(text: string): string {
  return text.replace(/[^\0-\x7f]{2,}/g, (run) => {
    const bytes = Array.from(run, (one) => windowsLetters.get(one) ?? one.codePointAt(0)!);
    if (bytes.some((byte) => byte > 255)) return run;
    try {
      const decoded = utf8.decode(Uint8Array.from(bytes));
      return /^[\p{Script=Latin}\p{M}\p{P}]+$/u.test(decoded) ? decoded : run;
    } catch {
      return run;
    }
  });
}

const shownStrangers = 5;

function strangersIn(text: string, allowed: RegExp): Pick<Strangers, 'strangers' | 'others'> | null {
  const found = Array.from(text, (character, index) => ({ character, position: index + 1 })).filter(
    ({ character }) => !allowed.test(character),
  );
  if (found.length === 0) return null;
  return { strangers: found.slice(0, shownStrangers), others: Math.max(found.length - shownStrangers, 0) };
}
