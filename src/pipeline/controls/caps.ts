/** Applies caps. Payrun sends nothing over a cap, and splits no payment to fit under one. */
import { PayrunError } from '../../base/errors.ts';
import type { OverCap } from '../../base/refusal.ts';
import { type Caps, cappedMoney, cappedMoneys, hasCaps, overCaps } from '../../domain/amounts/cap.ts';
import { dayName } from '../../domain/calendar/johannesburg.ts';
import type { Note } from '../../domain/note.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { recordDenied } from '../plans/approved.ts';
import { ledgerNow } from '../plans/plan-source.ts';
import { dayAt } from './sent-today.ts';

interface CapsOrder {
  readonly batch: string;
  /** Ids of the unpaid rows that a retry sends again, to which the caps apply. Null: the caps apply to the checked sheet. */
  readonly retried: readonly number[] | null;
}

export async function requireUnderCaps(
  { ledger, limits: { caps }, ...deps }: Pick<Deps, 'ledger' | 'limits' | 'service' | 'clock'>,
  order: CapsOrder,
): Promise<Note[]> {
  return await requireUnder(ledger, caps, order, deps.service.identity, await ledgerNow({ ledger, ...deps }));
}

/** Returns a note if every sum is within the caps on the day of `now`, and no note without caps. Throws OVER_CAP with every sum above a cap. */
export async function requireUnder(
  ledger: Ledger,
  caps: Caps,
  order: CapsOrder,
  identity: string,
  now: number,
): Promise<Note[]> {
  if (!hasCaps(caps)) return [];
  const day = dayAt(identity, now);
  const over: OverCap[] = [];
  for (const money of cappedMoneys) {
    const cap = caps[money] ?? {};
    if (Object.keys(cap).length === 0) continue;
    const figures = await ledger.batches.capFigures({ ...order, money: cappedMoney[money], cap, day });
    over.push(...overCaps(money, cap, figures, dayName(day.from)));
  }
  if (over.length === 0) return [{ note: 'within-caps', caps }];
  throw new PayrunError('OVER_CAP', { over, dayEnds: over.some((one) => one.of === 'day') ? day.until : null });
}

/** Applies the caps to a batch that continues, because a cap may be lower now, and other batches may have paid on this day. */
export async function refuseOverCaps(deps: Deps, batch: BatchFacts, retried: readonly number[] = []): Promise<void> {
  try {
    await requireUnderCaps(deps, { batch: batch.name, retried });
  } catch (error) {
    if (error instanceof PayrunError) await recordDenied(deps, batch.name, null, error);
    throw error;
  }
}
