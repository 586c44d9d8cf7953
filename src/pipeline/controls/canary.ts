/** Canaries: with `--canary N`, a batch's first rows must be paid before any other row is sent. */
import { PayrunError } from '../../base/errors.ts';
import type { NextAction } from '../../domain/next-action.ts';
import { type BatchFacts, eachRow, type LedgerRow, type RowState } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { attach } from '../documents/attach.ts';
import { planOf } from '../opened-with.ts';
import { scanBeforeSending } from '../reconcile/run-scans.ts';
import { pay, readyRows, type SendingResult } from '../sending/pay.ts';
import type { PayOptions } from '../sending/send-row.ts';
import { settle } from '../settle/settle.ts';

/** The sent canaries. `open` counts those that may still be paid; `unpaid` is true if one ended unpaid. */
export interface Ahead {
  readonly paid: number;
  readonly open: number;
  readonly unpaid: boolean;
}

export function canaryStep({ paid, open, unpaid }: Ahead, canary: number): 'all' | 'follow' | 'stop' | number {
  if (paid >= canary) return 'all';
  if (unpaid) return 'stop';
  return paid + open < canary ? canary - paid - open : 'follow';
}

export async function payBehindCanaries(
  deps: Deps,
  batch: BatchFacts,
  total: number,
  options: Omit<PayOptions, 'most'>,
): Promise<SendingResult> {
  // The batch keeps the number of canaries for later runs; `--canary 0` sends all rows.
  const canary = deps.limits.canary ?? Number(batch.sheet.options.canary ?? 0);
  if (canary === 0) return await pay(deps, batch, total, { ...options, most: null });
  let sent = 0;
  let followed = false;
  const later = (why: PayrunError): SendingResult => ({ sent, stopped: null, later: why });
  for (;;) {
    const unpaid = await firstUnpaid(deps, batch);
    const ahead = await countAhead(deps, batch);
    const step = canaryStep({ ...ahead, unpaid: unpaid !== null }, canary);
    if (step === 'stop') {
      const { number, reason } = unpaid!;
      return later(new PayrunError('CANARY_UNPAID', { row: number, reason, batch: batch.name }));
    }
    if (step === 'follow') {
      if (followed || deps.stop.aborted)
        return later(new PayrunError('CANARY_OPEN', { rows: canary, paid: ahead.paid }));
      // Attaches documents now, because a service may ask for them before it pays the canaries.
      await attach(deps, batch);
      const alarm = await settle(deps, batch);
      if (alarm !== null) return { sent, stopped: alarm, later: null };
      followed = true;
      continue;
    }
    // Scans the service's list again, because another sender may have paid rows while this run followed its canaries.
    if (followed) for (const note of await scanBeforeSending(deps, batch)) deps.say(note);
    const paid = await pay(deps, batch, total, { ...options, most: step === 'all' ? null : step });
    sent += paid.sent;
    const ended = paid.stopped !== null || paid.later !== null || deps.stop.aborted;
    if (step === 'all' || ended || (await readyRows(deps, batch, 0, 1)).length === 0) return { ...paid, sent };
  }
}

/** States in which a sent row may still be paid. `held` is missing, because a possible duplicate is held before it is sent. */
const openStates: readonly RowState[] = ['sending', 'in_doubt', 'absent', 'accepted', 'duplicate', 'duplicate_paid'];

async function countAhead({ ledger }: Deps, { name }: BatchFacts): Promise<Omit<Ahead, 'unpaid'>> {
  const lines = await ledger.rows.counts(name);
  const rowsOf = (states: readonly RowState[]) =>
    lines.filter(({ state }) => states.includes(state)).reduce((sum, { rows }) => sum + rows, 0);
  return { paid: rowsOf(['succeeded']), open: rowsOf(openStates) };
}

async function firstUnpaid({ ledger }: Deps, { name, listedSince: since }: BatchFacts): Promise<LedgerRow | null> {
  for await (const row of eachRow(ledger, { batch: name, since, states: ['refused', 'expired'] }))
    if (row.attempts > 0) return row;
  return null;
}

/** After an unpaid canary, the step `resume` comes last and becomes `resume --canary 0`. Under a plan, the step is removed. */
export function stepsPastCanary(steps: readonly NextAction[], batch: BatchFacts): NextAction[] {
  const others = steps.filter(({ action }) => action !== 'resume');
  const past = steps.flatMap((step) => (step.action === 'resume' ? [{ ...step, why: 'past-canary' } as const] : []));
  return planOf(batch) === null ? [...others, ...past] : others;
}
