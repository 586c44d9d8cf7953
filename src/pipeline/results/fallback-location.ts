/** Finds another place for a result if a worker cannot write to the sheet's folder, or lacks a copy of the sheet. */
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Failure } from '../../base/refusal.ts';
import type { NoteOf } from '../../domain/note.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

export const awayFolder = ({ folder }: Pick<Ledger, 'folder'>): string => join(folder, 'results');

/** A result on a worker's own disk. `host` is the name of the worker's machine. */
interface Away {
  readonly host: string;
  readonly path: string | null;
  readonly why: Failure | null;
}

/** Records in the ledger where a worker left the result, if not in the usual place. Shows each new place once. */
export async function keepAway(
  { ledger, actor, say }: Pick<Deps, 'ledger' | 'actor' | 'say'>,
  batch: BatchFacts,
  { path, why }: Omit<Away, 'host'>,
): Promise<void> {
  const { needsResult } = rightsOf(actor);
  if (path === null && needsResult) return;
  const isAway = !needsResult && (path === null || dirname(path) === awayFolder(ledger));
  const facts: Away | null = isAway ? { host: hostname(), path, why } : null;
  if (JSON.stringify(await awayOf(ledger, batch)) === JSON.stringify(facts)) return;
  await ledger.trail.record({ batch: batch.name, row: null, what: 'result', data: { away: facts } });
  if (facts !== null) say(awayNote(batch, facts));
}

export async function awayNotes(ledger: Ledger, batch: BatchFacts): Promise<NoteOf<'result-away'>[]> {
  const away = await awayOf(ledger, batch);
  return away === null ? [] : [awayNote(batch, away)];
}

async function awayOf(ledger: Ledger, { name }: BatchFacts): Promise<Away | null> {
  // Reads the ledger only in a fleet, because only a worker's result may be in another place.
  const newest = ledger.fleet === null ? null : await ledger.trail.newestEntry(name, 'result');
  return (newest?.data.away as Away | null | undefined) ?? null;
}

const awayNote = ({ name: batch }: BatchFacts, away: Away): NoteOf<'result-away'> => ({
  note: 'result-away',
  batch,
  ...away,
});
