/** Sentences that contain next actions as data. A terminal shows an action as a command, the console as a button. */
import type { ErrorCode, RefusalFacts } from '../base/refusal.ts';
import { visible } from '../base/words.ts';
import type { ActionNamed } from '../domain/next-action.ts';
import type { NoteKind, NoteOf } from '../domain/note.ts';
import type { Audience, Worded } from './audience.ts';
import { commandOf, type Place } from './next-actions.ts';

type Part = string | ActionNamed;

export interface Passage {
  readonly parts: readonly Part[];
}

/** A sentence that may contain next actions. */
type Wording = string | Passage;

const partsOf = (value: unknown): readonly Part[] =>
  typeof value === 'object' && value !== null
    ? 'parts' in value
      ? (value.parts as readonly Part[])
      : [value as ActionNamed]
    : [String(value)];

/** A template tag: the values may be next actions and other passages. */
export const passage = (
  strings: TemplateStringsArray,
  ...values: readonly (string | number | ActionNamed | Passage)[]
): Passage => ({ parts: strings.flatMap((words, at) => [words, ...(at < values.length ? partsOf(values[at]) : [])]) });

/** Returns the sentence with the terminal's commands. */
export const wordingText = (wording: Wording | ActionNamed, place: Place): string =>
  partsOf(wording)
    .map((part) => (typeof part === 'string' ? part : visible(commandOf(part, place))))
    .join('');

export type NoteWords = { readonly [K in NoteKind]: (facts: NoteOf<K>, place: Place, to: Audience) => Wording };

/** One paragraph, or several: paragraphs and lists of items. */
type Paragraphs = string | readonly (string | readonly string[])[];

export type RefusalWords = {
  readonly [C in ErrorCode]: (facts: Worded<RefusalFacts[C]>, to: Audience, place: Place) => Paragraphs;
};

export type Texts<Names extends string> = Readonly<Record<Names, string>>;
