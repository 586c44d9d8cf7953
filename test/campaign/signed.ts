/** People who sign a plan permit one payment of each of its rows, with the content that the plan shows. */
import { readFileSync } from 'node:fs';
import { tagOf } from '../../src/domain/rows/tag.ts';
import type { Stored } from '../simulation/world.ts';
import { productKey, type Real } from './desk.ts';
import type { SeenBatch } from './seen.ts';

/** The money of each payment, by the payment's tag. The tag names the row and its revision. */
export type SignedRows = ReadonlyMap<string, string>;

interface PlanRow {
  readonly key: string;
  readonly amount: string;
  readonly reference: string;
  readonly standing: string;
}

export const moneyOf = ({ amount, reference }: Pick<Stored | PlanRow, 'amount' | 'reference'>): string =>
  `${amount} ${reference}`;

/** Called when the plan was made. Only its own version gives one of its rows another revision. */
export function rowsOfPlan(real: Real, number: number, batches: readonly SeenBatch[]): SignedRows {
  const { order, path } = real.plans.get(number)!;
  const { rows } = JSON.parse(readFileSync(path, 'utf8')) as { readonly rows: readonly PlanRow[] };
  const known = batches.find(({ name }) => name === order.batch)?.rows ?? [];
  // The plan does not send a row that stays unpaid.
  const sent = rows.filter(({ standing }) => standing !== 'unpaid');
  return new Map(
    sent.map((row) => {
      const own = known.find(({ key }) => productKey(real, key) === row.key);
      const revision = (own?.revision ?? 0) + (own?.state === 'expired' ? 1 : 0);
      return [tagOf(order.batch, row.key, revision), moneyOf(row)];
    }),
  );
}
