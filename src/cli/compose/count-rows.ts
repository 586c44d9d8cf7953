/** Counts a ledger's rows in a thread, so that a slow database does not delay payments. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LedgerPlace, RowState } from '../../ledger/ledger.ts';

export type Counted = readonly { readonly state: RowState; readonly rows: number }[];

const entry = join(import.meta.dirname, `count-thread${extname(import.meta.filename)}`);
/** Shorter than the timeout of Prometheus, which waits for the count. */
const timeoutMs = 8000;

export async function countRows(place: LedgerPlace): Promise<Counted> {
  const thread = new Worker(entry, { workerData: place, stdin: false });
  const patience = setTimeout(() => void thread.terminate(), timeoutMs);
  try {
    return await new Promise<Counted>((done, failed) => {
      thread.once('message', done);
      thread.once('error', failed);
      thread.once('exit', () => failed(new Error('it took too long')));
    });
  } finally {
    clearTimeout(patience);
    await thread.terminate();
  }
}
