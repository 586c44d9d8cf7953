/** `pause`: stops the sending of one batch or of all, until a person ends the pause. */
import { PayrunError } from '../base/errors.ts';
import type { PauseReason } from '../base/faults/fault.ts';
import type { Actor } from '../domain/sending/actor.ts';
import { type Ledger, pausedError, proposalWaits } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { standing } from '../pipeline/figures.ts';
import type { Done } from '../pipeline/outcome.ts';
import { batchNamed } from './batch/find-batch.ts';
import { requireOwnWords } from './batch/own-words.ts';

type PauseDeps = Pick<Deps, 'ledger'>;
/** All batches of the ledger if `batch` is null. */
type Paused = { readonly batch: string | null };

/** Payments under way continue. `isNew` is false if the pause was already there. */
export async function pauseBatch(
  { ledger }: PauseDeps,
  { batch, reason }: Paused & { readonly reason: PauseReason },
  { name }: Actor,
): Promise<Done<{ readonly isNew: boolean }>> {
  if (typeof reason === 'string') requireOwnWords(reason);
  return { kind: 'finished', isNew: await (await holdsOf(ledger, batch)).pause(batch, name, reason) };
}

/** The button Stop: pauses the batch for every run, if one of its rows may still be sent. */
export async function stopSending(
  deps: PauseDeps,
  { batch: name }: { readonly batch: string },
  actor: Actor & { readonly name: string },
): ReturnType<typeof pauseBatch> {
  const batch = await batchNamed(deps.ledger, name);
  const { not_sent, being_sent, in_doubt } = (await standing(deps.ledger, batch)).rows;
  if (not_sent + being_sent + in_doubt === 0) return { kind: 'finished', isNew: false };
  return await pauseBatch(deps, { batch: name, reason: { fault: 'stopped-at-console', by: actor.name } }, actor);
}

/** Throws unless the person saw the batch's only pause, which a Stop began (null: no pause), and no plan waits. */
export async function requireOnlyStop(ledger: Ledger, name: string, seen: number | null): Promise<void> {
  const ours = await ledger.holds.pauses(name);
  const said = ours.find(({ reason }) => typeof reason === 'string');
  if (said !== undefined) throw pausedError(name, { ...said, paused: said.batch });
  const proposal = ledger.holds.proposalOf(name);
  if (proposal !== null) throw proposalWaits(name, proposal);
  if ((ours[0]?.id ?? null) !== seen) throw new PayrunError('PAUSE_MOVED', { batch: name });
}

/** `wasPaused` is false if there was no such pause. Throws if the person saw another pause, whose id is `only`. */
export async function endPause(
  { ledger }: PauseDeps,
  { batch, ...seen }: Paused & { readonly reason?: string; readonly only?: number },
  { name }: Actor,
): Promise<Done<{ readonly wasPaused: boolean }>> {
  if (seen.reason !== undefined) requireOwnWords(seen.reason);
  const wasPaused = await (await holdsOf(ledger, batch)).endPause(batch, name, seen);
  if (!wasPaused && seen.only !== undefined) throw new PayrunError('PAUSE_MOVED', { batch });
  return { kind: 'finished', wasPaused };
}

async function holdsOf(ledger: Ledger, batch: string | null): Promise<Ledger['holds']> {
  if (batch !== null) await batchNamed(ledger, batch);
  await ledger.requireHome();
  return ledger.holds;
}
