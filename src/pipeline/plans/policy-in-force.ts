/** The policy in force: after a ledger has known a policy, nothing is sent without it. */
import { existsSync } from 'node:fs';
import { PayrunError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { openPolicy, tellDenied } from './approved.ts';

/**
 * Records the policy in force and its path. Throws if the policy cannot be used, is missing although the ledger knows
 * one, or differs from the known one and has another path. People change a policy at its own path only: somebody could
 * change a copy later.
 */
export async function requirePolicy(
  { ledger, policy }: Pick<Deps, 'ledger' | 'policy'>,
  batch: string | null,
): Promise<void> {
  // Throws for a ledger that was copied to another database, because this ledger must record nothing more.
  await ledger.requireHome();
  const { path: last, digest, ofConsole } = (await ledger.told(null, 'policy')).at(-1)?.data ?? {};
  const isRemembered = typeof last === 'string';
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
  // A command at the terminal may name the console's policy file. The file still counts as the console's policy.
  const data = { path: policy.path, digest: found!, ofConsole: policy.ofConsole || ofConsole === true };
  await ledger.record({ batch: null, row: null, what: 'policy', data });
}

/** Returns the console's policy if it is in force; null if not. The policy also binds commands that name no policy. */
export async function policyOfConsole(ledger: Pick<Ledger, 'told'>): Promise<NonNullable<Deps['policy']> | null> {
  const { path, ofConsole } = (await ledger.told(null, 'policy')).at(-1)?.data ?? {};
  return ofConsole === true && typeof path === 'string' && existsSync(path) ? { path, ofConsole } : null;
}
