/** A worker: joins a ledger's fleet and sends open batches. It continues after a loss of the database or the service. */
import { requireFleet } from '../app/batch/find-batch.ts';
import type { Clock } from '../base/clock.ts';
import { failureOf, PayrunError } from '../base/errors.ts';
import type { ErrorCode } from '../base/refusal.ts';
import { CallFailure } from '../client/client.ts';
import type { Note } from '../domain/note.ts';
import { isPassingFault } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { requirePolicy, sendWhatIsOpen } from '../pipeline/sending/together.ts';
import { listenForWork, type WakingOrder } from './waking.ts';

export interface WorkOrder {
  /** Connects to the ledger and the service. Called again after a loss, so that the worker never uses a broken connection. */
  readonly assemble: () => Promise<{ readonly deps: Deps; close(): Promise<void> }>;
  readonly clock: Clock;
  /** Aborted to drain the worker: calls under way end, and the worker gives back claimed rows that it did not send. */
  readonly stop: AbortSignal;
  readonly say: (note: Note) => void;
  /** Null for a worker that only sends rows for other leaders. */
  readonly waking: Pick<WakingOrder, 'address' | 'schema' | 'lead' | 'missed' | 'sweepMs'> | null;
}

const ledgerLost: readonly ErrorCode[] = ['LEDGER_UNWRITABLE', 'LEDGER_UNUSABLE'];
const passing: readonly ErrorCode[] = [...ledgerLost, 'SERVICE_UNREACHABLE', 'SERVICE_BUSY', 'SERVICE_ANSWER'];
const longestRestMs = 10_000;

export async function work({ assemble, clock, stop, say, waking }: WorkOrder): Promise<number> {
  let sent = 0;
  let restMs = 250;
  let joined = false;
  let away = false;
  while (!stop.aborted) {
    try {
      const { deps, close } = await assemble();
      try {
        const fleet = requireFleet(deps.ledger);
        await deps.ledger.requireHome();
        await requirePolicy(deps, null);
        if (!joined) say({ note: 'worker-joined', ledger: deps.ledger.path, service: deps.service.label });
        if (away) say({ note: 'ledger-back' });
        joined = true;
        away = false;
        const over = new AbortController();
        const ends = AbortSignal.any([stop, over.signal]);
        const leading = waking === null ? null : listenForWork({ ...waking, deps, clock, stop: ends, say });
        leading?.catch((error: unknown) => say({ note: 'worker-leads-nothing', why: failureOf(error) }));
        try {
          sent += await sendWhatIsOpen(deps, fleet, () => {
            restMs = 250;
          });
        } finally {
          over.abort();
          await leading?.catch(() => undefined);
        }
      } finally {
        await close();
      }
    } catch (error) {
      // Before the worker has joined once, an error is usually a wrong setting. Only a server that is gone or not ready is worth a wait.
      if (!(joined ? isPassing(error) : isPassingFault(error))) throw error;
      away ||= error instanceof PayrunError && ledgerLost.includes(error.code);
      say({ note: 'worker-tries-again', why: failureOf(error) });
      await clock.sleep(restMs, stop);
      restMs = Math.min(restMs * 2, longestRestMs);
    }
  }
  return sent;
}

const isPassing = (error: unknown): boolean =>
  error instanceof CallFailure || (error instanceof PayrunError && passing.includes(error.code));
