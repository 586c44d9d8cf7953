/** Records why a run stopped, for the result, the next steps and the fleet. */
import { PayrunError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/refusal.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import type { BatchFacts, StopEntry } from '../../ledger/ledger.ts';
import type { Deps } from '../../pipeline/deps.ts';
import { isStoppedHere, signalFacts } from '../../pipeline/sending/signals.ts';

/** After a signal ended the wait for the service early, another process may not meet these errors. */
const notWaitedFor: readonly ErrorCode[] = ['SERVICE_BUSY', 'SERVICE_UNREACHABLE', 'SERVICE_ANSWER', 'PASS_INCOMPLETE'];

/** True if a worker leaves the batch to another worker after a drain or a pause. */
export function isLeftToWorkers({ actor, stop }: Deps, stopped: PayrunError | null): boolean {
  if (rightsOf(actor).afterSignal !== 'worker') return false;
  if (stopped?.code === 'PAUSED') return true;
  return stop.aborted && (stopped === null || notWaitedFor.includes(stopped.code));
}

export async function recordStop(
  deps: Deps,
  batch: BatchFacts,
  stopped: PayrunError | null,
  ends: boolean,
): Promise<void> {
  const { ledger, clock, stop, actor } = deps;
  // If a person's signal stopped the batch, only a person continues it. No worker does so at a scheduled hour.
  const bySignal = isStoppedHere(deps);
  const why = stopped ?? (stop.aborted ? new PayrunError('STOPPED', { signal: null, hasEnded: true }) : null);
  const told = stopFacts(batch, why, bySignal ? signalFacts(actor) : {});
  // A worker that could not reach the service leaves no task for a person, because the worker tries again.
  const how = { mayLeadOn: !ends, keeps: rightsOf(actor).afterSignal === 'worker' };
  const tell = async () => {
    // A run without a stop ends an older stop, even if nothing was left to send.
    const data = { sent: 0, stopped: null, until: clock.now() };
    if (why === null && (await ledger.trail.newestEntry(batch.name, 'stop', 'run'))?.what === 'stop')
      await ledger.trail.record({ batch: batch.name, row: null, what: 'run', data });
    if (ledger.fleet !== null) await ledger.fleet.finish(batch.name, told, how);
    else if (told !== null) await ledger.trail.record(told);
  };
  await tell().catch(() => undefined);
}

export function stopFacts({ name }: BatchFacts, stop: PayrunError | null, more: object = {}): StopEntry | null {
  if (stop === null) return null;
  return { batch: name, row: null, what: 'stop', data: { ...stop.refusal, ...more } };
}
