/** The words about characters that a name or a reference may not have. */
import { codePointName } from '../../base/words.ts';
import type { Stranger, Strangers } from '../../domain/problems/row-problems.ts';

export const strangerWords = ({ strangers, others }: Pick<Strangers, 'strangers' | 'others'>): string =>
  strangers.map(strangerWord).join(', ') + (others > 0 ? ` and ${others} more` : '');

/** Returns why the letters in the file cannot be trusted, and how to save it again; null if they can. */
export const doubtOf = ({ encoding }: Pick<Strangers, 'encoding'>): string | null =>
  encoding === null ? null : doubts[encoding];

const doubts = {
  broken: 'the encoding of the file is broken (UTF-8 that some program read as Windows-1252): save it as UTF-8 again',
  guessed: 'the file does not say its encoding, so this letter is a guess: save it as UTF-8 ("CSV UTF-8" in Excel)',
} as const;

const strangerWord = ({ character, position }: Stranger) => `${characterName(character)} at position ${position}`;

const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const mark = /^\p{M}$/u;

function characterName(character: string): string {
  if (character === '\u00a0') return 'a no-break space';
  if (character === '\t') return 'a tab';
  if (character === '\n' || character === '\r') return 'a line break';
  if (visible.test(character)) return `"${character}"`;
  if (mark.test(character)) return `the accent ${codePointName(character)}`;
  return `the invisible ${codePointName(character)}`;
}
