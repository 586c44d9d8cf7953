/** The policy in force: after a ledger has known a policy, nothing is sent without it. */
import { PayrunError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../outcome.ts';
import { openPolicy, tellDenied } from './approved.ts';

/**
 * Records the policy in force and its place. Throws when it cannot be used, is missing although one was in force, or is another
 * one at another place. A policy is changed at its place, and no copy takes that place: a copy could be changed afterwards. The
 * console's policy lies in the ledger, so a batch that was approved under it continues on machines without the file.
 */
export async function requirePolicy(
  { ledger, policy }: Pick<Deps, 'ledger' | 'policy'>,
  batch: string | null,
): Promise<void> {
  // A copied ledger records nothing more.
  await ledger.requireHome();
  const { path: last, digest, ofConsole } = (await ledger.told(null, 'policy')).at(-1)?.data ?? {};
  const isRemembered = typeof last === 'string';
  if (policy === undefined && ofConsole === true && wasApproved(ledger, batch)) return;
  let found: string | null = null;
  try {
    if (policy !== undefined) found = openPolicy(policy.path).digest;
    if (isRemembered && policy?.path !== last && found !== digest)
      throw policy === undefined || policy.ofConsole
        ? new PayrunError('POLICY_NOT_FOUND', { path: last })
        : new PayrunError('POLICY_DIFFERS', { path: policy.path, last });
  } catch (error) {
    if (error instanceof PayrunError) await tellDenied({ ledger }, batch, null, error);
    throw error;
  }
  if (policy === undefined || (isRemembered && (policy.path !== last || found === digest))) return;
  // A terminal that names the console's file leaves it the console's.
  const data = { path: policy.path, digest: found!, ofConsole: policy.ofConsole || ofConsole === true };
  await ledger.record({ batch: null, row: null, what: 'policy', data });
}

const wasApproved = (ledger: Ledger, batch: string | null) =>
  batch !== null && ledger.sheetsOf(batch).some((sheet) => planOf({ sheet })?.policy != null);
