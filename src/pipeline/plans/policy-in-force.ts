/** The policy in force: after a ledger has known a policy, nothing is sent without it. */
import { PayrunError } from '../../base/errors.ts';
import type { Deps } from '../deps.ts';
import { openPolicy, tellDenied } from './approved.ts';

/**
 * Records the policy in force and its place. Throws if it is unusable, if it is missing although one was in force, or
 * if it differs at another place. A policy changes only at its place, since a copy could be changed later.
 */
export async function requirePolicy(
  { ledger, policy }: Pick<Deps, 'ledger' | 'policy'>,
  batch: string | null,
): Promise<void> {
  // A copied ledger must record nothing more.
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
