/** Handles signals to a run: how the ledger records them, and whether they stop the batch. */
import { failureOf, PayrunError } from '../../base/errors.ts';
import type { Refusal } from '../../base/refusal.ts';
import { type Actor, rightsOf } from '../../domain/sending/actor.ts';
import { type Ledger, openLedger, type StopEntry, stoppedBefore, wordOf } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

/** True if a signal stopped the run. False for a worker, because another worker continues the batch. */
export const isStoppedHere = ({ stop, actor }: Deps) => stop.aborted && rightsOf(actor).afterSignal !== 'worker';

export const stopBySignal = ({ actor }: Pick<Deps, 'actor'>, batch: string): StopEntry => ({
  batch,
  row: null,
  what: 'stop',
  data: { code: 'STOPPED', facts: { signal: null, hasEnded: false }, ...signalFacts(actor), by: actor.name },
});

export const signalFacts = (actor: Actor) => ({ signal: rightsOf(actor).afterSignal });

/** Returns why the batch is stopped, if this actor may not continue it. */
function stopFor({ ledger, actor }: Pick<Deps, 'ledger' | 'actor'>, batch: string): Refusal | null {
  const lead = ledger.leads.of(batch);
  return lead.stands === 'stopped' && !rightsOf(actor).continuesStopped ? lead.stop.why : null;
}

/** True if a person stopped the batch, and this actor may not continue it. */
export const isStoppedByPerson = (deps: Pick<Deps, 'ledger' | 'actor'>, batch: string): boolean =>
  stopFor(deps, batch)?.code === 'STOPPED';

/** Returns the refusal to send rows of a stopped batch; null if there is none. Payments alone are followed even after a stop. */
export async function stopInForce(deps: Deps, batch: string): Promise<PayrunError | null> {
  if (stopFor(deps, batch) === null) return null;
  const lines = await deps.ledger.rows.counts(batch);
  const mayBeSent = lines.some(({ state, listed }) => listed && ['not sent', 'in doubt'].includes(wordOf[state]));
  return mayBeSent ? stoppedBefore(batch) : null;
}

/** Records a person's signal at once, because a second signal ends the process. Ignores signals after `over`. */
export function recordStopOnSignal(deps: Deps, batch: string, over: AbortSignal): void {
  const { ledger, clock, stop, actor, say } = deps;
  if (rightsOf(actor).afterSignal !== 'person') return;
  const record = async (target: Ledger) => {
    await target.hold();
    await target.leads.stop(stopBySignal(deps, batch), actor.name);
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
