/** Handles signals to a run: how the ledger records them, and whether they stop the batch. */
import { failureOf, PayrunError } from '../../base/errors.ts';
import type { Refusal } from '../../base/refusal.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import { type Ledger, openLedger, stoppedBefore } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

/** True if a signal stopped a person's run. After another signal, another process continues the batch. */
export const isStoppedHere = ({ stop, actor }: Deps) => stop.aborted && rightsOf(actor).continuesStopped;

export const stopBySignal = ({ actor }: Pick<Deps, 'actor'>) => ({
  by: actor.name,
  why: { code: 'STOPPED', facts: { signal: null, hasEnded: false } } as const satisfies Refusal,
});

/** Returns the refusal of a stopped batch that this actor may not continue; null if there is none. */
export function stopFor({ ledger, actor }: Pick<Deps, 'ledger' | 'actor'>, batch: string): PayrunError | null {
  const lead = ledger.leads.of(batch);
  return lead.stands === 'stopped' && !rightsOf(actor).continuesStopped ? stoppedBefore(batch, lead) : null;
}

/** Returns the refusal to send rows of a stopped batch; null if there is none. Payments alone are followed even after a stop. */
export const stopInForce = (deps: Deps, batch: string): PayrunError | null =>
  deps.ledger.leads.hasUnsent(batch) ? stopFor(deps, batch) : null;

/** Records a person's signal at once, because a second signal ends the process. Ignores signals after `over`. */
export function recordStopOnSignal(deps: Deps, batch: string, over: AbortSignal): void {
  const { ledger, clock, stop, actor, say } = deps;
  if (!rightsOf(actor).continuesStopped) return;
  const record = async (target: Ledger) => {
    await target.hold();
    await target.leads.stop(batch, stopBySignal(deps));
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
