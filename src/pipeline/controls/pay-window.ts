/** The pay window of a run. Outside the window Payrun sends nothing, and rows stay ready. */
import { assert, PayrunError } from '../../base/errors.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import { opensAt, shutsAt } from '../../domain/calendar/pay-window.ts';
import type { Note } from '../../domain/note.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'limits' | 'clock'>;

/** Returns the windows and the time when they open; null if they are open now. */
function shutFacts({ limits, clock }: Needs) {
  const { windows } = limits.payWindow;
  const until = opensAt(windows, clock.now());
  assert(until !== undefined, 'pay windows meet');
  return until === null ? null : { windows, until };
}

export function outsideWindow(deps: Needs): PayrunError | null {
  const facts = shutFacts(deps);
  return facts === null ? null : new PayrunError('OUTSIDE_PAY_WINDOW', facts);
}

export function windowLeftMs({ limits: { payWindow }, clock }: Needs): number {
  const now = clock.now();
  return opensAt(payWindow.windows, now) === null ? shutsAt(payWindow.windows, now) - now : 0;
}

export function shutNotes(deps: Needs, note: 'outside-pay-window' | 'waits-for-window'): Note[] {
  const facts = shutFacts(deps);
  return facts === null ? [] : [{ note, ...facts }];
}

export function expiryNotes({ limits: { payWindow }, clock }: Needs, expiresAt: number): Note[] {
  const opening = opensAt(payWindow.windows, clock.now());
  return opening == null || opening < expiresAt ? [] : [{ note: 'plan-expires-before-window' }];
}

/** The longest wait for the window. After a longer wait, people may no longer want the payment. */
const longestWaitMs = dayMs;
/** How often to read the clock during the wait, because somebody may set it and the machine may sleep. */
const lookMs = 60_000;

/** Waits for the window before the run locks the ledger, if `outside` is `wait`. Returns at once for a worker, or if the wait would be too long. */
export async function awaitWindow(deps: Pick<Deps, 'limits' | 'clock' | 'stop' | 'say' | 'actor'>): Promise<void> {
  const { limits, clock, stop, say, actor } = deps;
  if (limits.payWindow.outside !== 'wait' || !rightsOf(actor).waitsForWindow) return;
  let isShown = false;
  for (;;) {
    const now = clock.now();
    const opening = opensAt(limits.payWindow.windows, now);
    if (opening == null || opening - now > longestWaitMs || stop.aborted) return;
    if (!isShown) for (const note of shutNotes(deps, 'waits-for-window')) say(note);
    isShown = true;
    await clock.sleep(Math.min(lookMs, opening - now), stop);
  }
}
