/** Reads many rows for pages in a thread that reading.ts starts, so that other requests do not wait. */
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { isoTime, systemClock } from '../../base/clock.ts';
import { assert, PayrunError } from '../../base/errors.ts';
import type { Refusal } from '../../base/refusal.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { olderThanBatch } from '../../pipeline/plans/approved.ts';
import { declineOf, rememberDecline, sinceDeclined } from '../drafts/declines.ts';
import { Refused, refusedBy } from '../http/route.ts';
import { openTable, type RowsQuery, type Table } from '../inspection/check-table.ts';
import { openViews } from './batch-views.ts';
import type { Asked, ReaderGiven, Tasks, Told } from './reading.ts';
import { reviewOf } from './review.ts';

const port = parentPort;
assert(port !== null, 'this file is a thread of reading.ts');
const given = workerData as ReaderGiven;
const ledger = openLedger(given.ledger.place, systemClock, { ...given.ledger.options, readOnly: true });
// The error ends the thread. The next request starts another thread, which connects again.
void ledger.lost.then(() => {
  throw new Error('the connection of its ledger has ended');
});
const views = openViews(ledger, systemClock.now, given);

/** Tables that stay open, because people who scroll ask for the same table again. */
const tables = new Map<string, { readonly table: Table; readonly file: number }>();
const keptTables = 8;
const shownUploads = 200;

function tableAt(path: string, columns: readonly (string | null)[] | null): Table {
  const key = JSON.stringify([path, columns]);
  const file = statSync(path).ino;
  const open = tables.get(key);
  if (open?.file === file) return open.table;
  open?.table.close();
  const table = openTable(path, columns);
  tables.delete(key);
  tables.set(key, { table, file });
  const [oldest] = tables.keys();
  if (tables.size > keptTables && oldest !== undefined) {
    tables.get(oldest)?.table.close();
    tables.delete(oldest);
  }
  return table;
}

const tasks: Tasks = {
  ...views,
  table: (path: string, columns: readonly (string | null)[] | null, query: RowsQuery) =>
    tableAt(path, columns).rows(query),
  mistakes: (path, columns, places) => tableAt(path, columns).mistakes(places),
  warnings: (path, columns) => tableAt(path, columns).warnings(),
  mistaken: (path, cells) => tableAt(path, null).mistaken(cells),
  saying: (path, ...asked) => tableAt(path, null).saying(...asked),
  texts: (path: string, column: number) => tableAt(path, null).texts(column),
  uploads: (text: string) => ledger.uploads.briefs(text, shownUploads),
  evidence(batch: string) {
    const taken = ledger.pages.evidenceTaken(batch);
    return taken === null ? null : { ...taken, at: isoTime(taken.at) };
  },
  review: async (path, policy, now, again, table) =>
    await reviewOf(ledger, path, policy, now, again, table === null ? null : tableAt(table, null)),
  async olderThanBatch(path) {
    const refusal = await olderThanBatch(ledger, path);
    return refusal === null ? null : ({ code: refusal.code, facts: refusal.facts } as Refusal);
  },
  rememberDecline,
  sinceDeclined,
  declineOf,
};

port.on('message', ({ id, what, args }: Asked) => {
  const answer = (told: Told) => port.postMessage(told);
  void Promise.resolve()
    .then(() => (tasks[what] as (...all: unknown[]) => unknown)(...args))
    .then(
      (value) => answer({ id, value }),
      (error: unknown) => answer({ id, fault: faultOf(error instanceof PayrunError ? refusedBy(error) : error) }),
    );
});

const faultOf = (error: unknown) =>
  error instanceof Refused
    ? { status: error.status, said: error.said }
    : ({ status: null, message: wordsOf(error) } as const);
