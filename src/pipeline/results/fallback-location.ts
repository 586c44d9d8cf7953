/** Places a result elsewhere if a worker cannot write to the sheet's folder, or has no copy of the sheet. */

import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { rightsOf } from '../../domain/sending/actor.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { commandOf } from '../../messages/next-actions.ts';
import type { Deps } from '../deps.ts';

export const awayFolder = ({ folder }: Pick<Ledger, 'folder'>): string => join(folder, 'results');

interface Written {
  /** The path of the result; null if none was written. */
  readonly path: string | null;
  readonly why: string | null;
}

/** Records where the result is, even if it is back in its usual place. An unusual place is reported once. */
export async function keepAway(
  { ledger, actor, say }: Pick<Deps, 'ledger' | 'actor' | 'say'>,
  batch: BatchFacts,
  written: Written,
): Promise<void> {
  const { path } = written;
  const { needsResult } = rightsOf(actor);
  if (path === null && needsResult) return;
  const isAway = !needsResult && (path === null || dirname(path) === awayFolder(ledger));
  const words = isAway ? awayWords(batch, written) : '';
  if ((await awayNote(ledger, batch)).join() === words) return;
  await ledger.record({ batch: batch.name, row: null, what: 'result', data: { words } });
  if (isAway) say(words);
}

export async function awayNote(ledger: Ledger, { name }: BatchFacts): Promise<string[]> {
  // Only a fleet has workers.
  const words = ledger.fleet === null ? null : (await ledger.newestEntry(name, 'result'))?.data.words;
  return typeof words === 'string' && words !== '' ? [words] : [];
}

function awayWords({ name }: BatchFacts, { path, why }: Written): string {
  const led = `A worker on ${hostname()} led the batch on`;
  const report = commandOf({ action: 'report', batch: name, needsFolder: false }, '');
  return path === null
    ? `${led}, and could not write the result: ${String(why).split('\n')[0]} Where the sheet was taken in: ${report}`
    : `${led}, and cannot write to the folder of the sheet: the result lies there, at ${path}. To write it to its own place: ${report}`;
}
