/** `pause`: stops the sending of one batch or of all, until a person ends the pause. */
import { PayrunError } from '../base/errors.ts';
import type { PauseReason } from '../base/faults/fault.ts';
import type { Fleet, Ledger } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { batchNamed, requireFleet } from './batch/find-batch.ts';

type PauseDeps = Pick<Deps, 'ledger' | 'actor'>;

/** Null for `batch` pauses all batches. Payments under way continue. Returns false if the pause was already there. */
export const pauseBatch = async ({ ledger, actor }: PauseDeps, batch: string | null, reason: PauseReason) =>
  await (await fleetOf(ledger, batch)).pause(batch, actor.name, reason);

/** Returns false if there was no such pause. Throws MOVED if the person saw another pause, whose id is `only`. */
export async function endPause(
  { ledger, actor }: PauseDeps,
  batch: string | null,
  seen: { readonly reason?: string; readonly only?: number } = {},
): Promise<boolean> {
  const isEnded = await (await fleetOf(ledger, batch)).endPause(batch, actor.name, seen);
  if (!isEnded && seen.only !== undefined) throw new PayrunError('MOVED', {});
  return isEnded;
}

async function fleetOf(ledger: Ledger, batch: string | null): Promise<Fleet> {
  const fleet = requireFleet(ledger);
  if (batch !== null) await batchNamed(ledger, batch);
  await ledger.requireHome();
  return fleet;
}
