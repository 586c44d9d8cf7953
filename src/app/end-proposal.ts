/** `decline` and `withdraw`: end the plan that waits for a batch. The plan is never paid, and the batch can get another plan. */
import { type Person, type PlanEnding, whyNotEnd } from '../approval/approval.ts';
import { PayrunError } from '../base/errors.ts';
import type { Ledger, Proposal } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Done } from '../pipeline/outcome.ts';
import { batchNamed } from './batch/find-batch.ts';
import { requireOwnWords } from './batch/own-words.ts';

interface Ending {
  readonly batch: string;
  readonly ending: PlanEnding;
  readonly reason: string;
  readonly seen?: string;
}

/** Returns why the person may not end the plan; null if they may. */
export const whyNotEndPlan = (
  { uploads }: Pick<Ledger, 'uploads'>,
  { batch, digest, by }: Pick<Proposal, 'batch' | 'digest' | 'by'>,
  ending: PlanEnding,
  person: Person,
): PayrunError | null => whyNotEnd(ending, person, [{ name: by }, ...uploads.makersOf(batch, digest)]);

/** A batch then waits for a person; a first version's plan leaves none. `wasWaiting` is false if no plan waited. */
export async function endProposal(
  { ledger }: Pick<Deps, 'ledger'>,
  { batch, ending, reason, seen }: Ending,
  person: Person & { readonly name: string },
): Promise<Done<{ readonly wasWaiting: boolean; readonly hasBatch: boolean }>> {
  requireOwnWords(reason);
  await ledger.requireHome();
  const proposal = ledger.holds.proposalOf(batch);
  if (seen !== undefined && proposal?.digest !== seen) throw new PayrunError('PLAN_MOVED', {});
  if (proposal === null) {
    await batchNamed(ledger, batch);
    return { kind: 'finished', wasWaiting: false, hasBatch: true };
  }
  const why = whyNotEndPlan(ledger, proposal, ending, person);
  if (why !== null) throw why;
  const said = { by: person.name, did: ending, declined: reason };
  const wasWaiting = await ledger.holds.endProposal(proposal, said);
  // A payment may have begun.
  if (!wasWaiting && seen !== undefined) throw new PayrunError('PLAN_MOVED', {});
  return { kind: 'finished', wasWaiting, hasBatch: (await ledger.batches.batch(batch)) !== null };
}
