/** Shares commits: writes of one turn of the event loop form one transaction, and each caller continues once it is on the disk. */
import type { Clock } from '../../base/clock.ts';
import { type ErrorCode, PayrunError } from '../../base/errors.ts';
import type { Sql } from './sql.ts';

type Write = {
  readonly run: () => unknown;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
};

export interface Committer {
  /** Queues a write for the next shared commit. */
  share<T>(run: () => T): Promise<T>;
  /** Runs at once in a transaction of its own. */
  alone<T>(run: () => T): T;
  /** How long commits held the event loop, in milliseconds, and how many there were. */
  stats(): { readonly stalledMs: number; readonly commits: number; readonly writes: number };
}

/**
 * How many writes are committed before the turn ends; otherwise the first answer of a burst waits until all of it was read. Six
 * was the fastest of 2 to 8 in the bench, where a commit takes 0.3 ms: three answers with the intents behind them.
 */
const fewest = 6;
/** Errors of one intent, not of the disk. */
const ofOneIntent: readonly ErrorCode[] = ['PAUSED', 'PLANNED_SINCE'];
/** A group gathers at least as long as its commit takes, so a slow disk is asked less often. */
const msToGather = 0.05;

export function committer(sql: Sql, clock: Pick<Clock, 'monotonic'>): Committer {
  let waiting: Write[] = [];
  let stalledMs = 0;
  let commits = 0;
  let writes = 0;
  let usualMs = 0;

  function transaction<T>(run: () => T): T {
    const started = clock.monotonic();
    try {
      return sql.transaction(run);
    } finally {
      const tookMs = clock.monotonic() - started;
      usualMs += (tookMs - usualMs) / 8;
      stalledMs += tookMs;
      commits += 1;
    }
  }

  function flush(): void {
    if (waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    writes += group.length;
    try {
      const values = transaction(() => group.map((write) => write.run()));
      for (const [index, write] of group.entries()) write.done(values[index] as never);
    } catch (error) {
      // On a full disk a smaller write must not slip in before one that it depends on.
      if (group.length === 1 || (error instanceof PayrunError && !ofOneIntent.includes(error.code))) {
        for (const write of group) write.failed(error);
        return;
      }
      // One bad write must not fail the others, so each gets its own transaction.
      for (const write of group) {
        try {
          write.done(transaction(write.run) as never);
        } catch (own) {
          write.failed(own);
        }
      }
    }
  }

  return {
    share: (run) =>
      new Promise((done, failed) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ run, done: done as (value: never) => void, failed });
        if (waiting.length >= Math.max(fewest, usualMs / msToGather)) flush();
      }),
    alone: transaction,
    stats: () => ({ stalledMs, commits, writes }),
  };
}
