/** Changes rows with optimistic locking, so that concurrent changes never overwrite each other. */
import type { UpdateResult } from 'kysely';

/** Changes a row. Decides again if another change came first. `write` must write over the given revision only. */
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
    // Another change came first if no row was updated. One change succeeds in each round, so the loop ends.
    if (numUpdatedRows === 1n) return { ...row, ...change };
  }
}
