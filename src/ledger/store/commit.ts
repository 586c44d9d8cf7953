/** Gathers writes into transactions. The promise of a write resolves when its transaction is on the disk. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { forbidsIntents } from '../facts.ts';
import { isTaken } from './faults.ts';
import type { Sql } from './sql.ts';
import { openTrail } from './trail.ts';

type Write = {
  readonly run: () => unknown;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
};

/** A group is full with this many writes, and commits without waiting. In the bench, 6 was the fastest of 2 to 8. */
const fewest = 6;
/** On a slow disk, a full group is larger. A commit time of 1 ms divided by 0.05 ms gives a group of 20 writes. */
const msToGather = 0.05;
const longestWaitMs = 20_000;
const retryEveryMs = 25;

export function committer(sql: Sql, clock: Pick<Clock, 'monotonic'>) {
  let waiting: Write[] = [];
  let usualMs = 0;

  function transaction<T>(run: () => T): T {
    const started = clock.monotonic();
    try {
      return sql.transaction(run);
    } finally {
      usualMs += (clock.monotonic() - started - usualMs) / 8;
    }
  }

  function flush(): void {
    if (waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    try {
      const values = transaction(() => group.map((write) => write.run()));
      for (const [index, write] of group.entries()) write.done(values[index] as never);
    } catch (error) {
      // After a disk error every write of the group fails, because no write may succeed without the earlier writes.
      if (group.length === 1 || (error instanceof PayrunError && !forbidsIntents(error))) {
        for (const write of group) write.failed(error);
        return;
      }
      // Repeats each write in its own transaction, so that one bad write does not make the others fail.
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
    share: <T>(run: () => T) =>
      new Promise<T>((done, failed) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ run, done: done as (value: never) => void, failed });
        if (waiting.length >= Math.max(fewest, usualMs / msToGather)) flush();
      }),
    alone: transaction,
    /** Retries while another process holds the database, and lets the console answer other requests meanwhile. */
    async whenFree<T>(run: () => T, mostMs = longestWaitMs): Promise<T> {
      const giveUp = performance.now() + mostMs;
      for (;;) {
        try {
          return transaction(run);
        } catch (error) {
          const isBusy = error instanceof PayrunError && isTaken(error.cause);
          if (!isBusy || performance.now() > giveUp) throw error;
          await sleep(retryEveryMs);
        }
      }
    },
  };
}

export type Writing = ReturnType<typeof openWriting>;

export function openWriting(sql: Sql, clock: Clock) {
  return { sql, commits: committer(sql, clock), trail: openTrail(sql, clock), clock };
}
