/** Handles signals to a run: how the ledger records them, and whether they stop the batch. */
import { failureOf, PayrunError } from '../../base/errors.ts';
import { resumeOf } from '../../domain/next-action.ts';
import { type Actor, rightsOf } from '../../domain/sending/actor.ts';
import { isPersonsStop, type Ledger, openLedger, type StopEntry, stepsOn, wordOf } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

/** True if a signal stopped the run. False for a worker, because another worker continues the batch. */
export const isStoppedHere = ({ stop, actor }: Deps) => stop.aborted && rightsOf(actor).afterSignal !== 'worker';

export const stopBySignal = ({ actor }: Deps, batch: string): StopEntry => ({
  batch,
  row: null,
  what: 'stop',
  data: { code: 'STOPPED', facts: { signal: null, hasEnded: false }, ...signalFacts(actor) },
});

export const signalFacts = (actor: Actor) => ({ signal: rightsOf(actor).afterSignal });

export const stoppedBefore = (batch: string) => new PayrunError('STOPPED_BEFORE', { batch, command: resumeOf(batch) });

/** True if the batch's newest step (`stepsOn`) is a person's stop after `since`. A watcher ignores watchers' stops. */
export async function isStoppedByPerson(
  { ledger, actor }: Pick<Deps, 'ledger' | 'actor'>,
  batch: string,
  since = 0,
): Promise<boolean> {
  const newest = await ledger.trail.newestEntry(batch, ...stepsOn);
  if (newest === null || newest.at <= since) return false;
  return isPersonsStop(newest) && !(rightsOf(actor).afterSignal === 'watcher' && newest.data.signal === 'watcher');
}

/** Returns the stop of a person after which this actor sends no rows; null if there is none. Payments alone are followed even after a stop. */
export async function stopInForce(deps: Deps, batch: string): Promise<PayrunError | null> {
  if (rightsOf(deps.actor).continuesStopped || !(await isStoppedByPerson(deps, batch))) return null;
  const lines = await deps.ledger.rows.counts(batch);
  const mayBeSent = lines.some(({ state, listed }) => listed && ['not sent', 'in doubt'].includes(wordOf[state]));
  return mayBeSent ? stoppedBefore(batch) : null;
}

/** In a fleet, records a signal at once, because a second signal ends the process. Ignores signals after `over`. */
export function recordStopOnSignal(deps: Deps, batch: string, over: AbortSignal): void {
  const { ledger, clock, stop, actor, say } = deps;
  if (ledger.fleet === null || rightsOf(actor).afterSignal === 'worker') return;
  const record = async (target: Ledger) => {
    await target.hold();
    await target.fleet?.interrupt(stopBySignal(deps, batch));
  };
  const recordStop = async () => {
    try {
      await record(ledger).catch(async (error: unknown) => {
        if (error instanceof PayrunError && error.code === 'LEDGER_BUSY') throw error;
        // Tries a new connection, because the server may still answer although the old connection is lost.
        const { place, options } = ledger.at;
        const fresh = openLedger(place, clock, options);
        try {
          await record(fresh);
        } finally {
          await fresh.close();
        }
      });
    } catch (error) {
      say({ note: 'stop-unheard', batch, why: failureOf(error) });
    }
  };
  if (stop.aborted) void recordStop();
  else stop.addEventListener('abort', () => void recordStop(), { once: true, signal: over });
}
