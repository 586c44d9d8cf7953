/** A plan that is a retry: it sends unpaid rows of an earlier version again, and changes no other row. */
import { PayrunError } from '../../base/errors.ts';
import type { Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { PlanFile } from './plan-file.ts';

/** Given the unpaid rows of the sheet, returns those to send again, and the keys of all rows of the plan. */
export type Retries = (
  batch: string,
  unpaid: readonly LedgerRow[],
) => Promise<{ readonly rows: readonly LedgerRow[]; readonly keys: readonly string[] }>;

/** Returns the order for a retry: it keeps the batch's other rows, as an addition does, and the sums of its sheet say nothing about it. */
export const retryOrder = <Order extends object>(order: Order, retry: 'all' | readonly string[], retries: Retries) => ({
  ...order,
  retry,
  retries,
  add: true,
  drop: false,
  variance: undefined,
  controls: null,
});

export const chosenBy =
  (chosen: 'all' | readonly string[]): Retries =>
  async (batch, unpaid) => {
    if (chosen === 'all') return { rows: unpaid, keys: unpaid.map(({ key }) => key) };
    const [asked, known] = [new Set(chosen), new Set(unpaid.map(({ key }) => key))];
    const unknown = chosen.find((one) => !known.has(one));
    if (unknown !== undefined) throw new PayrunError('ROW_NOT_UNPAID', { batch, row: unknown });
    return { rows: unpaid.filter(({ key }) => asked.has(key)), keys: chosen };
  };

/** Returns the keys of the rows of a plan that is a retry; none for another plan. */
export async function retryIn({ head, lines }: PlanFile): Promise<readonly string[]> {
  const keys: string[] = [];
  if (head.terms.retry) for await (const { kind, line } of lines()) if (kind === 'rows') keys.push(line.key);
  return keys;
}

/** Returns the rows of a plan. None is sent again if the plan began, because an approval covers one payment of a row. */
export const chosenIn =
  (keys: readonly string[], began: boolean): Retries =>
  async (_, unpaid) => {
    const planned = new Set(keys);
    return { keys, rows: began ? [] : unpaid.filter(({ key }) => planned.has(key)) };
  };

/** Leaves only the rows of the retry in the draft, and returns those to send again. */
export async function draftRetry(
  { draft, versions }: Ledger,
  batch: string,
  { isNew, retries }: { readonly isNew: boolean; readonly retries: Retries | undefined },
) {
  // A sheet without valid rows is refused for its problems.
  if (retries === undefined || draft.counts().rows === 0) return [];
  if (isNew) throw new PayrunError('BATCH_UNKNOWN', { batch });
  const chosen = await retries(batch, await versions.unpaidInDraft(batch));
  if (chosen.keys.length === 0) throw new PayrunError('ROW_NOT_UNPAID', { batch, row: null });
  const again = chosen.rows.map(({ key }) => key);
  draft.retry(again, chosen.keys);
  return chosen.rows;
}
