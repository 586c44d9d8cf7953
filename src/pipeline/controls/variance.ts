/** Compares a sheet with the last batch of its series: new and missing payees, changed amounts and the changed sum. */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import type { Beyond } from '../../base/refusal.ts';
import type { NoteOf } from '../../domain/note.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import type { Ledger, PayeeMoney } from '../../ledger/ledger.ts';
import { mergedChoices, type SheetOptions } from '../../sheet/sheet.ts';
import type { PlanHead } from '../plans/plan-file.ts';

export interface VarianceOrder {
  readonly series: string | null;
  /** The largest change that needs no confirmation, in percent. */
  readonly percent: number;
  readonly stop: boolean;
  readonly confirm: string | null;
}

type SeriesNote = NoteOf<'series-first' | 'series-compared'>;

export interface VarianceData {
  readonly summary: SeriesNote | null;
  readonly confirmed: string | null;
}

export interface Variance {
  readonly series: string | null;
  readonly summary: SeriesNote | null;
  readonly beyond: readonly Beyond[];
  readonly warnings: readonly Problem[];
}

export const noVariance: Variance = { series: null, summary: null, beyond: [], warnings: [] };

const shown = 10;

/** True if the change is larger than `percent`. A change from zero is always larger. */
export function isBeyond(was: bigint, now: bigint, percent: number): boolean {
  const moved = now > was ? now - was : was - now;
  return moved * 10_000n > was * BigInt(Math.round(percent * 100));
}

export async function varianceOf(
  ledger: Ledger,
  batch: string,
  address: string,
  { series: said, percent, stop }: VarianceOrder,
): Promise<Variance> {
  const known = (await ledger.batches.batch(batch))?.sheet.options.series;
  const series = said ?? (typeof known === 'string' ? known : null);
  if (series === null) return stop ? { ...noVariance, beyond: [{ of: 'no-series' }] } : noVariance;
  const last = await ledger.batches.lastOfSeries(series, batch, address);
  if (last === null) {
    const first = { of: 'first-of-series', series } as const;
    return { series, summary: { note: 'series-first', series }, beyond: [first], warnings: [] };
  }
  return { series, ...(await compared(ledger, last, series, percent)) };
}

async function compared(
  ledger: Ledger,
  last: string,
  series: string,
  percent: number,
): Promise<Omit<Variance, 'series'>> {
  const totals = new Map<string, { money: Pick<PayeeMoney, 'currency' | 'unit'>; was: bigint; now: bigint }>();
  const fresh = kept();
  const gone = kept();
  const changed = kept();
  for (const line of ledger.batches.moneyByPayee(last)) {
    const { currency, unit } = line;
    const [was, now] = [BigInt(line.was ?? 0), BigInt(line.now ?? 0)];
    const total = totals.get(`${currency} ${unit}`) ?? { money: { currency, unit }, was: 0n, now: 0n };
    totals.set(`${currency} ${unit}`, { ...total, was: total.was + was, now: total.now + now });
    if (line.was === null) fresh.see(line, now);
    else if (line.now === null) gone.see(line, was);
    else if (isBeyond(was, now, percent)) changed.see(line, now > was ? now - was : was - now);
  }
  const lastBatch = await ledger.batches.batch(last);
  const far = [...totals.values()].filter(({ was, now }) => isBeyond(was, now, percent));
  const problem = ({ name, number, was, now, currency, unit }: PayeeMoney) => {
    const said = (amount: number | null) => (amount === null ? null : String(amount));
    const facts = { name: name ?? '', batch: last, currency, unit, was: said(was), now: said(now) };
    return batchProblem('VARIES', 'warning', facts, { row: now === null ? null : number });
  };
  return {
    summary: {
      note: 'series-compared',
      batch: last,
      series,
      at: (await ledger.rows.lastSent(last)) ?? lastBatch?.createdAt ?? 0,
      percent,
      payees: { added: fresh.count(), gone: gone.count(), changed: changed.count() },
      totals: [...totals.values()].map(({ money, was, now }) => ({ was: String(was), now: String(now), ...money })),
    },
    beyond: [
      ...far.map(({ money, was, now }) => ({ of: 'total' as const, ...money, was: String(was), now: String(now) })),
      ...(changed.count() > 0 ? [{ of: 'payees' as const, payees: changed.count(), percent }] : []),
    ],
    warnings: [changed, fresh, gone].flatMap((some) => some.lines().map(problem)),
  };
}

function kept() {
  const most: { readonly line: PayeeMoney; readonly by: bigint }[] = [];
  let seen = 0;
  return {
    see(line: PayeeMoney, by: bigint): void {
      seen += 1;
      const at = most.findIndex((one) => one.by < by);
      most.splice(at < 0 ? most.length : at, 0, { line, by });
      most.length = Math.min(most.length, shown);
    },
    count: () => seen,
    lines: () => most.map(({ line }) => line),
  };
}

/** Adds the plan's choices, series and confirmation to a run. The run's own options come first. */
export function underPlan<Order extends { readonly variance?: VarianceOrder; readonly sheet: SheetOptions }>(
  given: Order,
  { series, confirm_variance, choices }: PlanHead['terms'],
): Order {
  const order = { ...given, sheet: { ...given.sheet, choices: mergedChoices(given.sheet.choices, choices) } };
  const { variance } = order;
  if (variance === undefined) return order;
  const { series: said, confirm } = variance;
  return { ...order, variance: { ...variance, series: said ?? series, confirm: confirm ?? confirm_variance } };
}

export async function unconfirmedOf(
  ledger: Ledger,
  batch: string,
  { beyond }: Variance,
  order: VarianceOrder | undefined,
): Promise<readonly Beyond[]> {
  if (order?.stop !== true || order.confirm !== null || beyond.length === 0) return [];
  // A person confirmed this sheet when it was accepted, so the same sheet may continue.
  return (await ledger.batches.batch(batch))?.sheet.digest === ledger.draft.digest() ? [] : beyond;
}

export async function requireConfirmed(
  ledger: Ledger,
  batch: string,
  variance: Variance,
  order: VarianceOrder | undefined,
): Promise<void> {
  const unconfirmed = await unconfirmedOf(ledger, batch, variance, order);
  if (unconfirmed.length === 0) return;
  throw new PayrunError('VARIANCE', { beyond: unconfirmed });
}

export function varianceEntries({ summary }: Variance, order: VarianceOrder | undefined) {
  const data: VarianceData = { summary, confirmed: order?.confirm ?? null };
  return summary === null && data.confirmed === null ? [] : [{ what: 'variance' as const, data: { ...data } }];
}
