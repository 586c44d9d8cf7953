/** The policy that the ledger was used under: once one was in force, nothing is sent where it is not found. */
import { PayrunError } from '../base/errors.ts';
import { openPolicy, tellDenied } from './approved.ts';
import type { Deps } from './deps.ts';

/** Records where the policy is; throws where it cannot be used, or is not found though one was in force before. */
export async function requirePolicy(
  { ledger, policy }: Pick<Deps, 'ledger' | 'policy'>,
  batch: string | null,
): Promise<void> {
  // A ledger that was copied elsewhere records nothing more.
  await ledger.requireHome();
  const told = (await ledger.told(null, 'policy')).at(-1)?.data.path;
  const last = typeof told === 'string' ? told : null;
  try {
    if (policy !== undefined) openPolicy(policy.path);
    if (last !== null && policy?.isKept !== true && policy?.path !== last)
      throw new PayrunError('POLICY_NOT_FOUND', { path: last });
  } catch (error) {
    if (error instanceof PayrunError) await tellDenied({ ledger }, batch, null, error);
    throw error;
  }
  if (policy?.isKept === true && policy.path !== last)
    await ledger.record({ batch: null, row: null, what: 'policy', data: { path: policy.path } });
}
