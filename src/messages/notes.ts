/** Turns notes into sentences: with commands for a terminal, without commands for a page. */
import { visible } from '../base/words.ts';
import type { Note, NoteKind } from '../domain/note.ts';
import { type Audience, factsOnPage, mapTexts } from './audience.ts';
import { duplicateNotes } from './duplicates.ts';
import { noPlace, type Place } from './next-actions.ts';
import { batchNotes } from './notes/batch-notes.ts';
import { sheetNotes } from './notes/sheet-notes.ts';
import { type NoteWords, wordingText } from './passage.ts';

const words: NoteWords = { ...batchNotes, ...sheetNotes, ...duplicateNotes };

const said = (note: Note, place: Place, to: Audience): string =>
  wordingText((words[note.note] as NoteWords[NoteKind])(mapTexts(note, visible) as never, place, to), place);

/** Invisible characters are printed by name. */
export const noteWords = (note: Note, place = noPlace): string => said(note, place, 'terminal');

type NoteDocument = Note & { readonly message: string };

export const noteDocument = (note: Note, place: Place): NoteDocument => ({ ...note, message: noteWords(note, place) });

export const noteOnPage = (note: Note): string => said(factsOnPage(note), noPlace, 'page');
