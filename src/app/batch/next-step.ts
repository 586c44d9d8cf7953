/** Finds a row's next step and the effect of that step. */
import { type Signing, someOf } from '../../base/refusal.ts';
import { type ActionNamed, type NextAction, type RowEffect, resumeOf, stepAt } from '../../domain/next-action.ts';
import type { DoubtView } from '../../domain/sending/doubt.ts';
import { isHeldForAccountChange, reasonOf } from '../../domain/sending/reason.ts';
import { type BatchFacts, closableStates, isListed, type LedgerRow, wordOfRow } from '../../ledger/ledger.ts';
import { doubtStep, notedRow } from '../../pipeline/doubt-step.ts';
import { correctedSheet, planAgain, planOf } from '../../pipeline/opened-with.ts';

export interface RowStep {
  readonly effect: RowEffect;
  readonly next: NextAction;
  /** Closes the row unpaid; absent if Payrun may not close it, or if `next` closes it. */
  readonly closes?: NextAction;
}

interface StepFacts {
  readonly view: DoubtView;
  readonly signs: Signing;
  /** The text of `standingOf` of the row. */
  readonly seen: string;
  /** The newest sheet has the row in a line with a mistake. */
  readonly hasMistake: boolean;
  /** A copy of the row may be paid too. */
  readonly isCopied: boolean;
  readonly hasWaitingPlan: boolean;
}

/** While a plan of the batch waits, Payrun sends, closes and releases no row, and accepts no other sheet. */
export function nextStepOf(row: LedgerRow, batch: BatchFacts, facts: StepFacts): RowStep | null {
  const step = stepOf(row, batch, facts);
  if (step === null || !facts.hasWaitingPlan) return step;
  return sendsNothing.includes(step.effect) ? { effect: step.effect, next: step.next } : null;
}

const sendsNothing: readonly RowEffect[] = ['ends-two-payments', 'scans', 'accepts-payment', 'asks-service'];

function stepOf(row: LedgerRow, batch: BatchFacts, facts: StepFacts): RowStep | null {
  const { view, signs, seen, hasMistake, isCopied } = facts;
  const drop = stepAt({ action: 'drop-rows', batch: batch.name, rows: [row.key], seen, named: null }, null, view);
  const mayClose = wordOfRow(row) !== 'closed' && closableStates.includes(row.state);
  const step = (effect: RowEffect, action: ActionNamed, notBefore: number | null = null): RowStep => ({
    effect,
    next: stepAt(action, notBefore, view),
    ...(mayClose ? { closes: drop } : {}),
  });
  const ofRow = { batch: batch.name, row: row.key, seen };
  const known: ActionNamed = { action: 'resolve-known', ...ofRow, named: null };
  const handIn = correctedSheet(batch, signs, [row]);
  if (isCopied) return step('ends-two-payments', known);
  if (!isListed(row, batch) && closableStates.includes(row.state))
    return mayClose && row.state === 'absent'
      ? { effect: 'drops', next: drop }
      : step('takes-back', planAgain(batch, signs));
  if (wordOfRow(row) === 'closed')
    return step('reopens', { action: 'reopen-rows', batch: batch.name, rows: [row.key], seen, signs });
  switch (row.state) {
    case 'planned':
    case 'ready':
      return step('sends', resumeOf(batch.name), batch.quietUntil);
    case 'sending':
    case 'in_doubt':
      return { effect: 'scans', next: doubtStep(batch.name, someOf([row], notedRow), [row], view) };
    case 'absent':
      return step('sends-absent', { action: 'release-absent', ...ofRow, signs, rows: null });
    case 'withheld':
      if (isHeldForAccountChange(row))
        return step('releases-account', { action: 'release-row', ...ofRow, signs, named: null });
      return step('releases-repeat', { action: 'allow-repeat', ...ofRow, signs, named: null });
    case 'held': {
      const payment = reasonOf(row.reason, 'payment-differs')?.paymentId;
      if (payment !== undefined) return step('accepts-payment', { action: 'resolve-paid', ...ofRow, payment });
      return step('denies-payment', { action: 'resolve-not-paid', ...ofRow, signs });
    }
    case 'accepted':
      return step('asks-service', resumeOf(batch.name));
    case 'expired':
    case 'refused':
      if (hasMistake) return step('corrects', handIn);
      if (planOf(batch) === null)
        return step('retries', { action: 'retry', batch: batch.name, rows: [row.key], seen, count: null });
      return step('plans-retry', planAgain(batch, signs, [row.key]));
    case 'duplicate':
    case 'duplicate_paid':
      return step('ends-two-payments', known);
    case 'invalid':
      return step('corrects', handIn);
    case 'succeeded':
      return null;
  }
}
