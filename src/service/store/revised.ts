/** Changes rows by optimistic locking: concurrent changes of a row follow one another. */
import type { UpdateResult } from 'kysely';

/**
 * Changes a row by `decide`, and calls it again with the new state if another change came in between. `write` must
 * write only over the given revision. Returns undefined if there is no such row.
 */
export async function revised<R extends { readonly revision: number }, C extends object>(
  read: () => Promise<R | undefined>,
  decide: (row: R) => C,
  write: (change: C & { revision: number }, over: number) => Promise<UpdateResult>,
): Promise<(R & C) | undefined> {
  for (;;) {
    const row = await read();
    if (row === undefined) return undefined;
    const change = { ...decide(row), revision: row.revision + 1 };
    const { numUpdatedRows } = await write(change, row.revision);
    // If another change came first, that one is done; so the loop makes progress and ends.
    if (numUpdatedRows === 1n) return { ...row, ...change };
  }
}
