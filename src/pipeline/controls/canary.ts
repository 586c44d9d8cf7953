/** Canaries: with `--canary N`, a batch's first rows must be paid before any other row is sent. */
import { PayrunError } from '../../base/errors.ts';
import type { NextAction } from '../../domain/next-action.ts';
import { type BatchFacts, type LedgerRow, type RowState, rowPages } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { attach } from '../documents/attach.ts';
import { planOf, shellWord } from '../outcome.ts';
import { scanBeforeSending } from '../reconcile/run-scans.ts';
import { pay, type SendingResult } from '../sending/pay.ts';
import type { PayOptions } from '../sending/send-row.ts';
import { settle } from '../settle/settle.ts';
import { railsNow } from './rail-limits.ts';

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

/** Returns the number of canaries. The batch keeps this number for later runs; `--canary 0` sends all rows. */
function canaryOf({ limits }: Deps, { sheet: { options } }: BatchFacts): number {
  return limits.canary ?? Number(options.canary ?? 0);
}

export async function payBehindCanaries(
  deps: Deps,
  batch: BatchFacts,
  total: number,
  options: Omit<PayOptions, 'most'>,
): Promise<SendingResult> {
  const canary = canaryOf(deps, batch);
  if (canary === 0) return await pay(deps, batch, total, { ...options, most: null });
  let sent = 0;
  let followed = false;
  const later = (why: PayrunError): SendingResult => ({ sent, stopped: null, later: why });
  for (;;) {
    const ahead = await aheadOf(deps, batch);
    const step = canaryStep(ahead.counts, canary);
    if (step === 'stop') {
      const { number, reason } = ahead.unpaid!;
      return later(new PayrunError('CANARY_UNPAID', { row: String(number), reason, batch: shellWord(batch.name) }));
    }
    if (step === 'follow') {
      if (followed || deps.stop.aborted)
        return later(new PayrunError('CANARY_OPEN', { rows: canary, paid: ahead.counts.paid }));
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
    if (step === 'all' || ended || !(await anyReady(deps, batch))) return { ...paid, sent };
  }
}

/** States in which a sent row may still be paid. `held` is missing, because a possible duplicate is held before it is sent. */
const openStates: readonly RowState[] = ['sending', 'in_doubt', 'absent', 'accepted', 'duplicate', 'duplicate_paid'];

async function aheadOf(
  deps: Deps,
  batch: BatchFacts,
): Promise<{ readonly counts: Ahead; readonly unpaid: LedgerRow | null }> {
  const lines = await deps.ledger.counts(batch.name);
  const rowsOf = (states: readonly RowState[]) =>
    lines.filter(({ state }) => states.includes(state)).reduce((sum, { rows }) => sum + rows, 0);
  const unpaid = await firstUnpaid(deps, batch);
  return { counts: { paid: rowsOf(['succeeded']), open: rowsOf(openStates), unpaid: unpaid !== null }, unpaid };
}

async function firstUnpaid({ ledger }: Deps, { name, listedSince: since }: BatchFacts): Promise<LedgerRow | null> {
  for await (const rows of rowPages(ledger, { batch: name, since, states: ['refused', 'expired'] })) {
    const sent = rows.find(({ attempts }) => attempts > 0);
    if (sent !== undefined) return sent;
  }
  return null;
}

/** After an unpaid canary, the step `resume` comes last and becomes `resume --canary 0`. Under a plan, the step is removed. */
export function stepsPastCanary(steps: readonly NextAction[], batch: BatchFacts): NextAction[] {
  const others = steps.filter(({ action }) => action !== 'resume');
  const past = steps.flatMap((step) => (step.action === 'resume' ? [{ ...step, why: 'past-canary' } as const] : []));
  return planOf(batch) === null ? [...others, ...past] : others;
}

async function anyReady(deps: Deps, { name, listedSince: since }: BatchFacts): Promise<boolean> {
  const within = railsNow(deps);
  return (await deps.ledger.rows({ batch: name, since, states: ['ready'], within, limit: 1 })).length > 0;
}
