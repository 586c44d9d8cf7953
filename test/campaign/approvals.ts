/** The reference's rules of approvals: nobody approves their own plan, and each approver counts once. */
import type { Approver, Command } from './commands.ts';
import type { World } from './model-world.ts';
import { planMs } from './parameters.ts';
import { refuse } from './refuse.ts';

/** Ann makes all plans, so she releases and reopens no row. */
export function refuseMaker({ needed }: World, { by }: { readonly by?: Approver }): void {
  if (needed > 0 && by === 'ann') refuse('RELEASE_BY_MAKER');
}

type Approving = Extract<Command, { readonly do: 'approve' }>;

export function approve(world: World, { plan: number, by }: Approving, or: string[]): void {
  const plan = world.plans[number]!;
  if (world.now - plan.at >= planMs) refuse('PLAN_EXPIRED');
  // A maker of an earlier version is refused before the signature is made.
  if (by === 'ann') or.push('OWN_SHEET');
  // Nothing reads the signatures if there is no policy.
  if (world.needed === 0) return;
  if (by === 'ann') refuse('SIGNATURE_USELESS');
  if (plan.approvers.includes(by)) refuse('APPROVED_ALREADY');
  world.plans[number] = { ...plan, approvers: [...plan.approvers, by] };
}
