/** Asks the reading thread, so that the server can answer other requests in the meantime. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Refusal } from '../../base/refusal.ts';
import type { LedgerPlace, UploadBrief } from '../../ledger/ledger.ts';
import type { PageMessage } from '../../messages/web/messages.ts';
import type { Batch } from '../api.ts';
import type { declineOf, rememberDecline, sinceDeclined } from '../drafts/declines.ts';
import type { PlanFacts } from '../drafts/sheet-records.ts';
import { Refused } from '../http/route.ts';
import type { EqualCells, RowsQuery, Table } from '../inspection/check-table.ts';
import type { ViewSettings, Views } from './batch-views.ts';
import type { Reviewed } from './review.ts';

export interface ReaderGiven extends ViewSettings {
  readonly ledger: LedgerPlace;
}

export interface Tasks extends Views {
  table(path: string, columns: readonly (string | null)[] | null, query: RowsQuery): ReturnType<Table['rows']>;
  mistakes(
    path: string,
    columns: readonly (string | null)[] | null,
    places: readonly number[],
  ): ReturnType<Table['mistakes']>;
  warnings(path: string, columns: readonly (string | null)[] | null): ReturnType<Table['warnings']>;
  mistaken(path: string, cells: EqualCells): readonly number[];
  saying(path: string, ...asked: Parameters<Table['saying']>): ReturnType<Table['saying']>;
  texts(path: string, column: number): readonly string[];
  uploads(text: string): readonly UploadBrief[];
  evidence(batch: string): Batch['evidence'];
  review(path: string, policy: string, now: number, again: PlanFacts['retry'], table: string | null): Promise<Reviewed>;
  /** Returns why the plan can no longer be paid as it was made; null if it can. */
  olderThanBatch(path: string): Promise<Refusal | null>;
  rememberDecline(...given: Parameters<typeof rememberDecline>): Promise<void>;
  sinceDeclined(...given: Parameters<typeof sinceDeclined>): ReturnType<typeof sinceDeclined>;
  declineOf(...given: Parameters<typeof declineOf>): ReturnType<typeof declineOf>;
}

export interface Asked {
  readonly id: number;
  readonly what: keyof Tasks;
  readonly args: readonly unknown[];
}
export type Told = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly fault: Fault };

type Fault =
  | { readonly status: number; readonly said: PageMessage }
  | { readonly status: null; readonly message: string };

export interface Reader {
  ask<K extends keyof Tasks>(what: K, ...args: Parameters<Tasks[K]>): Promise<Awaited<ReturnType<Tasks[K]>>>;
  close(): Promise<void>;
}

const entry = join(import.meta.dirname, `reading-thread${extname(import.meta.filename)}`);

export function openReader(given: ReaderGiven): Reader {
  let thread: Worker | null = null;
  let last = 0;
  const waiting = new Map<
    number,
    { readonly done: (value: never) => void; readonly failed: (error: unknown) => void }
  >();

  function started(): Worker {
    if (thread !== null) return thread;
    const own = new Worker(entry, { workerData: given, stdin: false });
    own.unref();
    own.on('message', (told: Told) => {
      const asked = waiting.get(told.id);
      waiting.delete(told.id);
      if ('value' in told) asked?.done(told.value as never);
      else asked?.failed(faultOf(told.fault));
    });
    // Fails the waiting requests. The next request starts another thread.
    const ended = (error: unknown) => {
      // A failed thread reports twice. Another thread may run by then.
      if (thread !== own) return;
      thread = null;
      for (const { failed } of waiting.values())
        failed(error instanceof Error ? error : new Error('reading was ended'));
      waiting.clear();
    };
    own.once('error', ended);
    own.once('exit', ended);
    thread = own;
    return own;
  }

  return {
    ask: (what, ...args) =>
      new Promise((done, failed) => {
        const to = started();
        last += 1;
        waiting.set(last, { done, failed });
        to.postMessage({ id: last, what, args } satisfies Asked);
      }),
    async close() {
      await thread?.terminate();
    },
  };
}

function faultOf(fault: Fault): Error {
  return fault.status === null ? new Error(fault.message) : new Refused(fault.status, fault.said);
}
