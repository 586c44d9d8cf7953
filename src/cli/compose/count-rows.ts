/** Counts the rows of a ledger in a thread, so that whoever pays meanwhile does not stand still, however long its database takes. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LedgerPlace, RowState } from '../../ledger/ledger.ts';

export type Counted = readonly { readonly state: RowState; readonly rows: number }[];

const entry = join(import.meta.dirname, `count-thread${extname(import.meta.filename)}`);
/** Sooner than whoever asks gives up. */
const timeoutMs = 8000;

/** Throws where the ledger does not answer, or is not there. */
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
