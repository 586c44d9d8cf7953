/** Changes rows with optimistic locking, so that concurrent changes never overwrite each other. */
import type { UpdateResult } from 'kysely';

/** `write` must change the row only if the stored revision is `over`. After a conflict, `revised` starts again. */
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
    // If no row was updated, another change came first. The loop then starts again with the changed row.
    if (numUpdatedRows === 1n) return { ...row, ...change };
  }
}
