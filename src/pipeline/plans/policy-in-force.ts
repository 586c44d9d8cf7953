/** The policy in force. Once a ledger has known a policy, Payrun sends nothing without that policy. */
import { existsSync } from 'node:fs';
import { PayrunError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { openPolicy, recordDenied } from './approved.ts';

/**
 * Records the policy in force. Throws if it cannot be read, if a known policy is missing, or if a file at another path has
 * other content than the known policy. People may change the policy only at the known path.
 */
export async function requirePolicy({ ledger, policy }: Pick<Deps, 'ledger' | 'policy'>, batch: string | null) {
  // Throws for a ledger that was copied to another database, because the old ledger must record nothing more.
  await ledger.requireHome();
  const { path: last, digest, ofConsole } = (await ledger.trail.entries(null, 'policy')).at(-1)?.data ?? {};
  const isRemembered = typeof last === 'string';
  let found: FoundPolicy | null = null;
  try {
    found = findPolicy(policy ?? null);
    if (isRemembered) requireSamePolicy(found, { path: last, digest });
  } catch (error) {
    if (error instanceof PayrunError) await recordDenied({ ledger }, batch, null, error);
    throw error;
  }
  if (found === null || (isRemembered && (found.path !== last || found.digest === digest))) return;
  // A command at the terminal may name the console's policy file. The file still counts as the console's policy.
  const data = { ...found, ofConsole: found.ofConsole || ofConsole === true };
  await ledger.trail.record({ batch: null, row: null, what: 'policy', data });
}

type PolicyPlace = NonNullable<Deps['policy']>;
type FoundPolicy = PolicyPlace & { readonly digest: string };

export const findPolicy = (policy: PolicyPlace | null): FoundPolicy | null =>
  policy && { path: policy.path, digest: openPolicy(policy.path).digest, ofConsole: policy.ofConsole };

/** Throws if the policy in force is another one than `last`. A copy at another path is the same policy. */
export function requireSamePolicy(
  found: FoundPolicy | null,
  { path: last, digest }: { readonly path: string; readonly digest: unknown },
): void {
  if (found !== null && (found.path === last || found.digest === digest)) return;
  throw found === null || found.ofConsole
    ? new PayrunError('POLICY_NOT_FOUND', { path: last })
    : new PayrunError('POLICY_DIFFERS', { path: found.path, last });
}

/** Returns the console's policy if it is in force; null if not. This policy also binds commands that name no policy. */
export async function policyOfConsole(ledger: Pick<Ledger, 'trail'>): Promise<PolicyPlace | null> {
  const { path, ofConsole } = (await ledger.trail.entries(null, 'policy')).at(-1)?.data ?? {};
  return ofConsole === true && typeof path === 'string' && existsSync(path) ? { path, ofConsole } : null;
}
