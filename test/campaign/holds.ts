/** The reference's rules of holds: a pause, and a plan that waits for a batch. */
import type { Command, Place } from './commands.ts';
import { type Batch, batchOf, type World } from './model-world.ts';
import { refuse } from './refuse.ts';
import { hasUnsent } from './stops.ts';

/** A hold that ends without a version leaves the batch to a person. */
function stopIfUnsent(batch: Batch): void {
  batch.isStopped ||= hasUnsent(batch);
}

export function refuseHold(world: World, place: Place): void {
  const { pauses } = world.ledgers[place.ledger]!;
  if (pauses.includes('') || pauses.includes(place.batch)) refuse('PAUSED');
  refuseProposal(world, place);
}

/** While a plan waits for a batch, no other version of the batch is opened. */
export function refuseProposal(world: World, { ledger, batch }: Place, plan: number | null = null): void {
  const waits = world.ledgers[ledger]!.proposals[batch];
  if (waits !== undefined && waits !== plan) refuse('PROPOSAL_WAITS');
}

export function endProposal(world: World, { ledger, batch }: Place): void {
  const { batches, proposals } = world.ledgers[ledger]!;
  const number = proposals[batch];
  if (number === undefined && batches[batch] === undefined) refuse('BATCH_UNKNOWN');
  if (number === undefined) return;
  if (batches[batch] !== undefined) stopIfUnsent(batches[batch]);
  world.plans[number] = { ...world.plans[number]!, isEnded: true };
  delete proposals[batch];
}

export function pause(world: World, command: Extract<Command, { readonly all: boolean }>, met: string[]): void {
  const name = command.all ? '' : batchOf(world, command).name;
  const { pauses, batches } = world.ledgers[command.ledger]!;
  met.push(`${command.do}: ${pauses.includes(name) ? 'it stands' : 'none stands'}`);
  if (command.do === 'end pause' && pauses.includes(name))
    for (const batch of Object.values(batches)) if (command.all || batch.name === name) stopIfUnsent(batch);
  if (command.do === 'end pause') pauses.splice(0, pauses.length, ...pauses.filter((one) => one !== name));
  else if (!pauses.includes(name)) pauses.push(name);
}
