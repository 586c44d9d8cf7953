/** Counts a ledger's rows in a thread, so that a slow database does not delay payments. */
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LedgerPlace, RowState } from '../../ledger/ledger.ts';

export type Counted = readonly { readonly state: RowState; readonly rows: number }[];

const entry = join(import.meta.dirname, `count-thread${extname(import.meta.filename)}`);
/** Shorter than the timeout of Prometheus, which waits for the count. */
const timeoutMs = 8000;

export async function countRows(place: LedgerPlace): Promise<Counted> {
  await using thread = new Worker(entry, { workerData: place, stdin: false });
  // An error after the answer has no reader. Without a listener it would end the process, which may be paying.
  thread.on('error', () => {});
  const ended = new AbortController();
  thread.once('exit', () => ended.abort());
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]);
  const [counted] = await once(thread, 'message', { signal });
  return counted;
}
