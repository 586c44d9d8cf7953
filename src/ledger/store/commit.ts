/** Gathers writes into transactions. The promise of a write resolves when its transaction is on the disk. */
import type { Clock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/refusal.ts';
import type { Sql } from './sql.ts';

type Write = {
  readonly run: () => unknown;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
};

export interface Committer {
  share<T>(run: () => T): Promise<T>;
  alone<T>(run: () => T): T;
}

/** A group is full with this many writes, and commits without waiting. In the bench, 6 was the fastest of 2 to 8. */
const fewest = 6;
/** These errors concern one intent only. Any other PayrunError makes the whole group fail. */
const ofOneIntent: readonly ErrorCode[] = ['PAUSED', 'PROPOSAL_WAITS'];
/** On a slow disk, a full group is larger. A commit time of 1 ms divided by 0.05 ms gives a group of 20 writes. */
const msToGather = 0.05;

export function committer(sql: Sql, clock: Pick<Clock, 'monotonic'>): Committer {
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
      if (group.length === 1 || (error instanceof PayrunError && !ofOneIntent.includes(error.code))) {
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
    share: (run) =>
      new Promise((done, failed) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ run, done: done as (value: never) => void, failed });
        if (waiting.length >= Math.max(fewest, usualMs / msToGather)) flush();
      }),
    alone: transaction,
  };
}
