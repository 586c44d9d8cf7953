/** Reads rows page by page, so that a batch of any size needs little memory. */
import type { Ledger } from '../contract.ts';
import type { LedgerRow, RowQuery } from '../facts.ts';

/** Yields pages of at most `size` rows, in the order of their ids. Rows may change between two pages. */
export async function* rowPages(
  ledger: Pick<Ledger, 'rows'>,
  query: Omit<RowQuery, 'afterId' | 'limit'>,
  size = 500,
): AsyncIterable<readonly LedgerRow[]> {
  for (let afterId = 0; ; ) {
    const page = await ledger.rows({ ...query, afterId, limit: size });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    afterId = last.id;
  }
}
