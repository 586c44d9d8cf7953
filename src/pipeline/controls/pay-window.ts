/** The pay window of a run: outside of it nothing is sent, and the rows stay ready. */
import { timeWords } from '../../base/clock.ts';
import { assert, PayrunError } from '../../base/errors.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import { opensAt, shutsAt, windowWords } from '../../domain/calendar/pay-window.ts';
import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'limits' | 'clock'>;

/** Why nothing may be sent at this moment; null where it may. */
export function outsideWindow({ limits: { payWindow }, clock }: Needs): PayrunError | null {
  if (payWindow === undefined) return null;
  const opening = opensAt(payWindow.windows, clock.now());
  if (opening === null) return null;
  assert(opening !== undefined, 'windows that never meet are refused where they are read');
  const until = timeWords(opening);
  return new PayrunError('OUTSIDE_PAY_WINDOW', { window: payWindowWords({ limits: { payWindow } })!, until });
}

/** For how long something may be sent yet. */
export function windowLeftMs({ limits: { payWindow }, clock }: Needs): number {
  if (payWindow === undefined) return Number.POSITIVE_INFINITY;
  const now = clock.now();
  return opensAt(payWindow.windows, now) === null ? shutsAt(payWindow.windows, now) - now : 0;
}

/** For a plan; null where there is none. */
export function payWindowWords({ limits: { payWindow } }: { readonly limits: Pick<Deps['limits'], 'payWindow'> }) {
  return payWindow === undefined ? null : payWindow.windows.map(windowWords).join(', and ');
}

/** For whoever looks at a sheet: when a run would begin to send. */
export function payWindowNotes(deps: Needs): string[] {
  const outside = outsideWindow(deps);
  return outside === null ? [] : [outside.message];
}

/** For whoever makes a plan: one that has expired when its run may send is of no use. */
export function expiryNotes({ limits: { payWindow }, clock }: Needs, expiresAt: number): string[] {
  const opening = payWindow === undefined ? null : opensAt(payWindow.windows, clock.now());
  if (opening == null || opening < expiresAt) return [];
  return [
    'This plan expires before the pay window opens, so no run can pay it: make it good for longer, as with --expires 72h, or for another window.',
  ];
}

/** Whoever waits longer holds no decision that is still meant: cron, or a person, begins it again. */
const longestWaitMs = dayMs;
/** The wall clock may be set, or the machine may sleep, while it is waited for. */
const lookMs = 60_000;

/**
 * Before the ledger is taken and the sheet is read: nothing that others need is held while a run waits for its hour. A worker, who leads
 * others meanwhile, comes back when it is told.
 */
export async function awaitWindow(deps: Pick<Deps, 'limits' | 'clock' | 'stop' | 'say' | 'handsOver'>): Promise<void> {
  const { limits, clock, stop, say, handsOver } = deps;
  if (limits.payWindow?.outside !== 'wait' || handsOver === true) return;
  let told = false;
  for (;;) {
    const now = clock.now();
    const opening = opensAt(limits.payWindow.windows, now);
    if (opening == null || opening - now > longestWaitMs || stop.aborted) return;
    if (!told) say(`Waiting: ${outsideWindow(deps)?.message}`);
    told = true;
    await clock.sleep(Math.min(lookMs, opening - now), stop);
  }
}
