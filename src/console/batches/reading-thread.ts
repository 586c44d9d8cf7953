/** Reads many rows for pages in a thread that reading.ts starts, so that other requests do not wait. */
import { parentPort, workerData } from 'node:worker_threads';
import { declineBefore } from '../../app/upload-plan.ts';
import { isoTime, systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { type Ledger, type LedgerPlace, openLedger } from '../../ledger/ledger.ts';
import { inZone } from '../../messages/format/times.ts';
import { wordsOf } from '../../messages/refusals.ts';
import type { Deps } from '../../pipeline/deps.ts';
import { approvedUnder } from '../../pipeline/plans/approved.ts';
import { openPlan } from '../../pipeline/plans/plan-file.ts';
import type { Batch } from '../api.ts';
import { Refused, refusedBy } from '../http/route.ts';
import { type EqualCells, openTable, type RowsQuery, type Table } from '../inspection/check-table.ts';
import { openViews, type ViewSettings } from './batch-views.ts';
import { type ReviewAsked, reviewOf } from './review.ts';

export type ReaderGiven = ViewSettings & { readonly ledger: LedgerPlace };

const shownUploads = 200;
type Columns = Parameters<typeof openTable>[1];

function inTable<T>(path: string, columns: Columns, read: (table: Table) => T): T {
  using table = openTable(path, columns);
  return read(table);
}

const openTasks = (ledger: Ledger, settings: ViewSettings) => ({
  ...openViews(ledger, systemClock.now, settings),
  table: (path: string, columns: Columns, query: RowsQuery) => inTable(path, columns, ({ rows }) => rows(query)),
  mistakes: (path: string, columns: Columns) => inTable(path, columns, ({ mistakes }) => mistakes()),
  warnings: (path: string, columns: Columns) => inTable(path, columns, ({ warnings }) => warnings()),
  mistaken: (path: string, cells: EqualCells) => inTable(path, null, ({ mistaken }) => mistaken(cells)),
  saying: (path: string, ...asked: Parameters<Table['saying']>) =>
    inTable(path, null, ({ saying }) => saying(...asked)),
  texts: (path: string, column: number) => inTable(path, null, ({ texts }) => texts(column)),
  uploads: (text: string) => ledger.uploads.briefs(text, shownUploads),
  evidence(batch: string): Batch['evidence'] {
    const taken = ledger.pages.evidenceTaken(batch);
    return taken === null ? null : { ...taken, at: isoTime(taken.at) };
  },
  declineBefore: async (asked: Parameters<typeof declineBefore>[1]) => await declineBefore(ledger, asked),
  review: async (asked: ReviewAsked) => await reviewOf(ledger, asked),
  requirePayable: async (path: string, policy: string, actor: Deps['actor'], now: number) =>
    void (await approvedUnder({ ledger, policy: { path: policy, ofConsole: true }, actor }, await openPlan(path), now)),
});

export type Tasks = ReturnType<typeof openTasks>;

export interface ThreadRequest {
  readonly id: number;
  readonly what: keyof Tasks;
  readonly args: readonly unknown[];
  readonly zone: string;
}
export type ThreadAnswer =
  | { readonly id: number; readonly value: unknown }
  /** `fault` is a refusal, or the words of another error. */
  | { readonly id: number; readonly fault: Pick<Refused, 'status' | 'said'> | string };

/** Returns a function that answers requests. It fails only if the ledger cannot be opened. */
export function openReading({ ledger: { place, options }, ...settings }: ReaderGiven) {
  const ledger = openLedger(place, systemClock, { ...options, readOnly: true });
  const tasks = openTasks(ledger, settings);
  const answer = async ({ id, what, args, zone }: ThreadRequest): Promise<ThreadAnswer> => {
    try {
      return { id, value: await inZone(zone, () => (tasks[what] as (...all: unknown[]) => unknown)(...args)) };
    } catch (error) {
      const fault = error instanceof PayrunError ? refusedBy(error) : error;
      return { id, fault: fault instanceof Refused ? { status: fault.status, said: fault.said } : wordsOf(fault) };
    }
  };
  return { ledger, answer };
}

const port = parentPort;
if (port !== null) {
  const { ledger, answer } = openReading(workerData as ReaderGiven);
  // The error ends the thread. The next request starts another thread, which connects again.
  void ledger.lost.then(() => {
    throw new Error('the connection of its ledger has ended');
  });
  port.on('message', (request: ThreadRequest) => void answer(request).then((told) => port.postMessage(told)));
}
