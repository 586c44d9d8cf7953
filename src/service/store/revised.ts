/** Changes rows with optimistic locking, so that concurrent changes never overwrite each other. */
import type { UpdateResult } from 'kysely';

/** Decides again if another change came first. `write` must write only over the given revision. */
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
    // If no row was updated, another change came first. Some change succeeds in each round, so the loop ends.
    if (numUpdatedRows === 1n) return { ...row, ...change };
  }
}
