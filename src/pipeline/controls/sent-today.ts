/** Sums what this ledger sends to a service on one day, so that nobody avoids an approval by splitting a sheet into batches. */
import { type Policy, type Stake, splitLimit } from '../../approval/approval.ts';
import type { Problem } from '../../base/problem.ts';
import { unitOf } from '../../base/words.ts';
import { dayMs, dayStart } from '../../domain/calendar/johannesburg.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import type { CapOrder, Ledger } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { addressOf } from '../duplicates/duplicates.ts';
import { ledgerNow } from '../plans/plan-source.ts';

export function dayAt(identity: string, now: number): CapOrder['day'] {
  const from = dayStart(now);
  return { address: addressOf(identity), from, until: from + dayMs };
}

/** Returns the sum of the day's other batches: what they sent, and what they may still send without a further approval. */
export async function sentToday(
  ledger: Pick<Ledger, 'batches'>,
  { batch, identity }: { readonly batch: string; readonly identity: string },
  { currency, unit }: Pick<Stake, 'currency' | 'unit'>,
  now: number,
): Promise<bigint> {
  const asked = { batch, retried: [], money: { currency, unit }, cap: { day: '0' }, day: dayAt(identity, now) };
  return (await ledger.batches.capFigures(asked)).today + (await ledger.batches.approvedToSend(asked));
}

/** Warns if the day's payments in a currency would need more approvals as one batch than as several. */
export async function splitWarnings(
  deps: Pick<Deps, 'ledger' | 'service' | 'clock'>,
  batch: string,
  policy: Policy,
): Promise<Problem[]> {
  const day = dayAt(deps.service.identity, await ledgerNow(deps));
  const warnings: Problem[] = [];
  for (const { currency } of policy.currencies) {
    const money = { currency, unit: unitOf[currency] };
    const asked = { batch, retried: null, money, cap: { batch: '0', day: '0' }, day };
    const { now, before, today } = await deps.ledger.batches.capFigures(asked);
    const others = today + (await deps.ledger.batches.approvedToSend(asked));
    const limit = splitLimit({ ...money, total: before + now, day: others + now }, policy);
    if (limit === null) continue;
    const { above, approvals } = limit;
    const facts = { ...money, day: String(others + now), above: String(above), approvals };
    warnings.push(batchProblem('APPROVAL_SPLIT', 'warning', facts));
  }
  return warnings;
}
