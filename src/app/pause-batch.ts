/** `pause`: stops the sending of one batch or of all, until a person ends the pause. */
import { PayrunError } from '../base/errors.ts';
import type { PauseReason } from '../base/faults/fault.ts';
import { type Fleet, type Ledger, pausedError, proposalWaits } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { standing } from '../pipeline/figures.ts';
import { batchNamed, requireFleet } from './batch/find-batch.ts';
import { requireOwnWords } from './batch/own-words.ts';

type PauseDeps = Pick<Deps, 'ledger' | 'actor'>;

/** Null for `batch` pauses all batches. Payments under way continue. Returns false if the pause was already there. */
export async function pauseBatch({ ledger, actor }: PauseDeps, batch: string | null, reason: PauseReason) {
  if (typeof reason === 'string') requireOwnWords(reason);
  return await (await fleetOf(ledger, batch)).pause(batch, actor.name, reason);
}

/** The button Stop: pauses the batch for every run, if its ledger has a fleet and one of its rows may still be sent. */
export async function stopSending(deps: PauseDeps, name: string, by: string): Promise<boolean> {
  const batch = await batchNamed(deps.ledger, name);
  const { not_sent, being_sent, in_doubt } = (await standing(deps.ledger, batch)).rows;
  if (deps.ledger.fleet === null || not_sent + being_sent + in_doubt === 0) return false;
  return await pauseBatch(deps, name, { fault: 'stopped-at-console', by });
}

/** Throws unless the person saw the batch's only pause, which a Stop began (null: no pause), and no plan waits. */
export async function requireOnlyStop(ledger: Ledger, name: string, seen: number | null): Promise<void> {
  const ours = (await ledger.fleet?.pauses(name)) ?? [];
  const said = ours.find(({ reason }) => typeof reason === 'string');
  if (said !== undefined) throw pausedError(name, said.reason);
  const proposal = ledger.batches.proposalOf(name);
  if (proposal !== null) throw proposalWaits(name, proposal);
  if ((ours[0]?.id ?? null) !== seen) throw new PayrunError('MOVED', {});
}

/** Returns false if there was no such pause. Throws MOVED if the person saw another pause, whose id is `only`. */
export async function endPause(
  { ledger, actor }: PauseDeps,
  batch: string | null,
  seen: { readonly reason?: string; readonly only?: number } = {},
): Promise<boolean> {
  if (seen.reason !== undefined) requireOwnWords(seen.reason);
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
