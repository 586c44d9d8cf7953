/** The reference's rules of approvals: nobody approves or pays their own plan, and each approver counts once. */
import type { Approver, Command, Place } from './commands.ts';
import { type Batch, headOf, type LedgerWorld, type World } from './model-world.ts';
import { planMs } from './parameters.ts';
import { refuse } from './refuse.ts';

interface Person {
  readonly by?: Approver;
}

const readers = 'run, run plan, plan, propose, resume, continue, retry, reopen, release-absent, not-paid, not-a-repeat';

/** These commands read the policy, and the ledger remembers it. */
export const readsPolicy = ({ do: way }: Command): boolean => readers.split(', ').includes(way);

/** A ledger that knows a policy sends nothing without it. */
export function refuseLostPolicy({ needed, ledgers }: World, { ledger }: Pick<Place, 'ledger'>): void {
  if (needed === 0 && ledgers[ledger]!.isPolicyKnown) refuse('POLICY_NOT_FOUND');
}

/** Ann makes all plans, so she releases and reopens no row. */
export function refuseMaker({ needed }: World, batch: Batch, { by }: Person): void {
  if (needed > 0 && headOf(batch)!.approvers === null) refuse('BATCH_UNAPPROVED');
  if (needed > 0 && by === 'ann') refuse('RELEASE_BY_MAKER');
}

/** Nobody continues a batch without its approvals, and no approver continues it. */
export function refuseUnapproved({ needed }: World, batch: Batch, { by }: Person): void {
  const { approvers } = headOf(batch)!;
  if (needed > 0 && approvers === null) refuse('BATCH_UNAPPROVED');
  if (by !== undefined && approvers?.includes(by) === true) refuse('OWN_APPROVAL');
}

type RunPlan = Extract<Command, { readonly do: 'run plan' }>;

/** `began`: the plan opened the newest version. */
export function refuseApprovals(
  { needed, plans }: World,
  batch: Batch | undefined,
  { plan, by }: RunPlan,
  began: boolean,
): void {
  const head = batch === undefined ? null : headOf(batch);
  const { approvers } = plans[plan]!;
  const isApproved = began && (head!.approvers !== null || needed === 0);
  if (!isApproved && approvers.length < Math.max(needed, batch?.signedFirst ?? 0)) refuse('APPROVALS_TOO_FEW');
  const counted = (began ? head!.approvers : null) ?? (needed > 0 ? approvers : []);
  if (by !== undefined && counted.includes(by)) refuse('OWN_APPROVAL');
}

type Approving = Extract<Command, { readonly do: 'approve' }>;

export function approve(world: World, { plan: number, by }: Approving, or: string[]): void {
  const plan = world.plans[number]!;
  if (world.now - plan.at >= planMs) refuse('PLAN_EXPIRED');
  // A maker of an earlier version is refused before the signature is made.
  if (by === 'ann') or.push('OWN_SHEET');
  const hasSigned = plan.approvers.includes(by);
  // Nothing reads the signatures while there is no policy. A later policy counts them.
  if (world.needed > 0 && by === 'ann') refuse('SIGNATURE_USELESS');
  if (world.needed > 0 && hasSigned) refuse('APPROVED_ALREADY');
  if (by !== 'ann' && !hasSigned) world.plans[number] = { ...plan, approvers: [...plan.approvers, by] };
}

/** `isSeen`: the ledger has a policy. A command that died or was refused may have recorded it. */
export function rememberPolicy(own: LedgerWorld, { needed }: World, command: Command, isSeen: () => boolean): void {
  if (needed > 0 && readsPolicy(command) && isSeen()) own.isPolicyKnown = true;
}
