/** Canaries: with `--canary N` the first rows of a batch are paid, and seen to be, before any other is sent. */
import { PayrunError } from '../../base/errors.ts';
import { counted } from '../../base/words.ts';
import type { BatchFacts, LedgerRow, RowState } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { attach } from '../documents/attach.ts';
import { type NextStep, planOf, sheetUnderPlan, shellWord } from '../outcome.ts';
import { lookBeforeSending } from '../reconcile/run-scans.ts';
import { type Paid, pay } from '../sending/pay.ts';
import type { PayOptions } from '../sending/send-row.ts';
import { settle } from '../settle/settle.ts';
import { railsNow } from './rail-limits.ts';

/** How the rows stand that went ahead: `open` may have been paid or not, of `unpaid` it is known. */
export interface Ahead {
  readonly paid: number;
  readonly open: number;
  readonly unpaid: boolean;
}

/** What is done next: all are sent, so many more go ahead, those that did are followed, or nothing more is sent. */
export function canaryStep({ paid, open, unpaid }: Ahead, canary: number): 'all' | 'follow' | 'stop' | number {
  if (paid >= canary) return 'all';
  if (unpaid) return 'stop';
  return paid + open < canary ? canary - paid - open : 'follow';
}

/** A batch keeps how many go ahead, so that whoever resumes it need not know; 0 on the command line lets all go. */
function canaryOf({ limits, ledger }: Deps, batch: BatchFacts): number {
  const { options } = sheetUnderPlan(ledger, batch) ?? batch.sheet;
  return limits.canary ?? Number(options.canary ?? 0);
}

export async function payBehindCanaries(
  deps: Deps,
  batch: BatchFacts,
  total: number,
  options: Omit<PayOptions, 'most'>,
): Promise<Paid> {
  const canary = canaryOf(deps, batch);
  if (canary === 0) return await pay(deps, batch, total, { ...options, most: null });
  let sent = 0;
  let followed = false;
  const later = (code: 'CANARY_OPEN' | 'CANARY_UNPAID', holes: Record<string, string | number>): Paid => ({
    sent,
    stopped: null,
    later: new PayrunError(code, holes),
  });
  for (;;) {
    const ahead = await aheadOf(deps, batch);
    const step = canaryStep(ahead.counts, canary);
    if (step === 'stop') return later('CANARY_UNPAID', { batch: shellWord(batch.name), ...unpaidHoles(ahead.unpaid!) });
    if (step === 'follow') {
      if (followed || deps.stop.aborted)
        return later('CANARY_OPEN', { rows: counted(canary, 'row'), paid: ahead.counts.paid });
      // A service may wait for the documents of what it pays.
      await attach(deps, batch);
      const alarm = await settle(deps, batch);
      if (alarm !== null) return { sent, stopped: alarm, later: null };
      followed = true;
      continue;
    }
    // Others may have been at work while the canaries were followed.
    if (followed) for (const note of await lookBeforeSending(deps, batch)) deps.say(note);
    const paid = await pay(deps, batch, total, { ...options, most: step === 'all' ? null : step });
    sent += paid.sent;
    const ended = paid.stopped !== null || paid.later !== null || deps.stop.aborted;
    if (step === 'all' || ended || !(await anyReady(deps, batch))) return { ...paid, sent };
  }
}

/** Of which it is not known yet whether they are paid; a look-alike that is held was not sent. */
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

/** Of the newest sheet, and sent: one whose payee was refused never was. */
async function firstUnpaid({ ledger }: Deps, { name, sheet }: BatchFacts): Promise<LedgerRow | null> {
  let afterId = 0;
  for (;;) {
    const states = ['refused', 'expired'] as const;
    const rows = await ledger.rows({ batch: name, sheet: sheet.id, states, afterId, limit: 500 });
    const sent = rows.find(({ attempts }) => attempts > 0);
    if (sent !== undefined) return sent;
    const last = rows.at(-1);
    if (last === undefined) return null;
    afterId = last.id;
  }
}

/** Behind an unpaid canary the same command sends nothing: what sends comes first, and the others go only without it, or by a new plan. */
export function stepsPastCanary(steps: readonly NextStep[], batch: BatchFacts): NextStep[] {
  const isResume = ({ command }: NextStep) => command.startsWith('payrun resume ');
  const past = ({ command, after }: NextStep) => ({
    command: `${command} --canary 0   # sends the others without it`,
    after,
  });
  const others = steps.filter((step) => !isResume(step));
  return planOf(batch) === null ? [...others, ...steps.filter(isResume).map(past)] : others;
}

/** What was sent and is unpaid says why. */
const unpaidHoles = ({ number, reason }: LedgerRow) => ({ row: number, reason: reason! });

async function anyReady(deps: Deps, { name, sheet }: BatchFacts): Promise<boolean> {
  const within = railsNow(deps);
  return (await deps.ledger.rows({ batch: name, sheet: sheet.id, states: ['ready'], within, limit: 1 })).length > 0;
}
