/** Words a note for each reader: at a terminal with commands, on a page without them. */

import { visible } from '../base/words.ts';
import type { Note, NoteKind, NoteOf } from '../domain/note.ts';
import { factsOnPage, mapTexts } from './audience.ts';
import { countryName, fieldName } from './field-words.ts';
import { leavingNotes } from './leaving.ts';
import { batchNotes } from './notes/batch-notes.ts';
import { sheetNotes, totalsWords } from './notes/sheet-notes.ts';
import { workerNotes } from './notes/worker-notes.ts';
import { type NoteWords, wordingText } from './passage.ts';
import { beyondWords } from './refusals/control-refusals.ts';
import { failureWords } from './refusals.ts';

const words: NoteWords = { ...batchNotes, ...sheetNotes, ...leavingNotes, ...workerNotes };

/** Returns the sentences of a note. `place` is the flags for service and ledger. Hidden characters are shown by name. */
export const noteWords = (note: Note, place = ''): string =>
  wordingText((words[note.note] as NoteWords[NoteKind])(mapTexts(note, visible) as never, place), place);

/** A note as programs read it, with its facts. */
export type NoteDocument = Note & { readonly message: string };

export const noteDocument = (note: Note, place = ''): NoteDocument => ({ ...note, message: noteWords(note, place) });

/** Notes whose words name a command or a flag. */
const onPage: { readonly [K in NoteKind]?: (facts: NoteOf<K>) => string } = {
  'result-away': ({ host, path, why }) =>
    path === null
      ? `A worker on ${host} led the batch on, and could not write the result${why === null ? '' : `: ${failureWords(why).split('\n')[0]}`}`
      : `A worker on ${host} led the batch on, and cannot write to the folder of the sheet: the result lies there, at ${path}.`,
  'map-read': ({ columns, values }) => {
    const parts = [
      ...(columns.length === 0
        ? []
        : [columns.map(({ header, field }) => `'${header}' is ${fieldName(field, 'page')}`).join(', ')]),
      ...(values.length === 0
        ? []
        : [
            `every row has ${values.map(({ field, value }) => `${fieldName(field, 'page')} ${countryName(value, 'page')}`).join(', ')}`,
          ]),
    ];
    return `The map of the columns: ${parts.join('; ') || 'it says nothing of this sheet'}`;
  },
  'totals-agree': ({ source, ...totals }) =>
    `The sheet is what ${source === '--expect' ? 'the control totals say' : `${source} says`}: ${totalsWords(totals)}.`,
  'plan-stops': ({ unconfirmed }) =>
    `A run of it stops: ${unconfirmed.map((one) => beyondWords(one, 'page')).join('; ')}. If it is meant, say why, and plan it again.`,
  'plan-expires-before-window': () =>
    'This plan expires before the pay window opens, so no run can pay it: make it good for longer, or for another window.',
  payees: ({ payees, known }) =>
    `Different accounts that would be paid: ${payees}. Of these the service has saved ${known} already, and ${payees - known} will be saved there first.`,
  'documents-to-attach': ({ documents }) =>
    documents === 0
      ? 'Documents to be attached: 0.'
      : `Documents to be attached, each counted for every row that it goes with: ${documents}.`,
};

/** Returns the sentences of a note for a page, whose reader types no commands. */
export function noteOnPage(note: Note): string {
  const own = onPage[note.note] as ((facts: unknown) => string) | undefined;
  const seen = factsOnPage(note);
  return own === undefined ? noteWords(seen) : own(mapTexts(seen, visible));
}
