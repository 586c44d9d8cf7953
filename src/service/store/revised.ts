/** Changes of a row that may come at the same moment from several sides: each is made of the state that the one before it left. */
import type { UpdateResult } from 'kysely';

/**
 * Changes a row to what `decide` makes of the state as it stands. Where another change comes in between, `decide` is asked again with
 * what that left. `write` writes only over the revision that it is given. Undefined: there is no such row.
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
    // Another's change may have come first; that one is done, so the loop ends.
    if (numUpdatedRows === 1n) return { ...row, ...change };
  }
}
