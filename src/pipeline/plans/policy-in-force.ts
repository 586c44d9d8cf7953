/** The policy in force: once a ledger knew one, nothing is sent without it. */
import { PayrunError } from '../../base/errors.ts';
import type { Deps } from '../deps.ts';
import { openPolicy, tellDenied } from './approved.ts';

/**
 * Records the policy in force and its place. Throws when it cannot be used, is missing although one was in force, or is another
 * one at another place. A policy is changed at its place, and no copy takes that place: a copy could be changed afterwards.
 */
export async function requirePolicy(
  { ledger, policy }: Pick<Deps, 'ledger' | 'policy'>,
  batch: string | null,
): Promise<void> {
  // A copied ledger records nothing more.
  await ledger.requireHome();
  const { path: last, digest } = (await ledger.told(null, 'policy')).at(-1)?.data ?? {};
  const isRemembered = typeof last === 'string';
  let found: string | null = null;
  try {
    if (policy !== undefined) found = openPolicy(policy.path).digest;
    if (isRemembered && policy?.path !== last && found !== digest)
      throw policy?.isKept === true
        ? new PayrunError('POLICY_DIFFERS', { path: policy.path, last })
        : new PayrunError('POLICY_NOT_FOUND', { path: last });
  } catch (error) {
    if (error instanceof PayrunError) await tellDenied({ ledger }, batch, null, error);
    throw error;
  }
  if (policy?.isKept === true && (!isRemembered || (policy.path === last && found !== digest)))
    await ledger.record({ batch: null, row: null, what: 'policy', data: { path: policy.path, digest: found! } });
}
