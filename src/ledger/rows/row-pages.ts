/** Reads rows page by page, so that a batch of any size needs little memory. */
import type { Ledger } from '../contract.ts';
import type { LedgerRow, RowQuery } from '../facts.ts';

/** Yields pages until one is empty. `read` gets the last item of the page before. */
export async function* pagesOf<T>(read: (last: T | undefined) => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield page;
}

/** Yields pages of at most `size` rows, in the order of their ids. Rows may change between two pages. */
export const rowPages = (
  ledger: Pick<Ledger, 'rows'>,
  query: Omit<RowQuery, 'afterId' | 'limit'>,
  size = 500,
): AsyncIterable<readonly LedgerRow[]> =>
  pagesOf<LedgerRow>((last) => ledger.rows({ ...query, afterId: last?.id ?? 0, limit: size }));

export async function* eachRow(...asked: Parameters<typeof rowPages>): AsyncIterable<LedgerRow> {
  for await (const page of rowPages(...asked)) yield* page;
}
