/** `pause`: stops the sending of one batch or of all, until a person ends the pause. */
import { PayrunError } from '../base/errors.ts';
import type { Actor } from '../domain/sending/actor.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Done } from '../pipeline/outcome.ts';
import { stopBySignal } from '../pipeline/sending/signals.ts';
import { batchNamed } from './batch/find-batch.ts';
import { requireOwnWords } from './batch/own-words.ts';

type PauseDeps = Pick<Deps, 'ledger'>;
/** All batches of the ledger if `batch` is null. */
type Paused = { readonly batch: string | null };

/** Payments under way continue. `isNew` is false if the pause was already there. */
export async function pauseBatch(
  { ledger }: PauseDeps,
  { batch, reason }: Paused & { readonly reason: string },
  { name }: Actor,
): Promise<Done<{ readonly isNew: boolean }>> {
  requireOwnWords(reason);
  return { kind: 'finished', isNew: await (await holdsOf(ledger, batch)).pause(batch, name, reason) };
}

/** The button Stop: stops the batch for every run. `isNew` is false if nothing was left to stop. */
export async function stopSending(
  { ledger }: PauseDeps,
  { batch }: { readonly batch: string },
  actor: Actor,
): ReturnType<typeof pauseBatch> {
  await batchNamed(ledger, batch);
  return { kind: 'finished', isNew: await ledger.leads.stop(batch, stopBySignal({ actor })) };
}

/** Throws if a pause or a waiting plan forbids to continue the batch, or if the batch has changed since the person saw it. */
export async function requireTurn(ledger: Ledger, name: string, turn: number): Promise<void> {
  ledger.holds.requireNoHold(name);
  if (ledger.leads.of(name).turn !== turn) throw new PayrunError('LEAD_MOVED', { batch: name });
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
