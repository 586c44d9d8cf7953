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
export async function requirePolicy(
  { ledger, policy }: Pick<Deps, 'ledger' | 'policy'>,
  batch: string | null,
): Promise<void> {
  // Throws for a ledger that was copied to another database, because the old ledger must record nothing more.
  await ledger.requireHome();
  const { path: last, digest, ofConsole } = (await ledger.trail.entries(null, 'policy')).at(-1)?.data ?? {};
  const isRemembered = typeof last === 'string';
  let found: string | null = null;
  try {
    if (policy !== undefined) found = openPolicy(policy.path).digest;
    if (isRemembered) requireSamePolicy(policy ?? null, last, () => digest);
  } catch (error) {
    if (error instanceof PayrunError) await recordDenied({ ledger }, batch, null, error);
    throw error;
  }
  if (policy === undefined || (isRemembered && (policy.path !== last || found === digest))) return;
  // A command at the terminal may name the console's policy file. The file still counts as the console's policy.
  const data = { path: policy.path, digest: found!, ofConsole: policy.ofConsole || ofConsole === true };
  await ledger.trail.record({ batch: null, row: null, what: 'policy', data });
}

/** Throws if the policy in force is another one than `last`. A copy at another path is the same policy. */
export function requireSamePolicy(
  policy: Deps['policy'] | null,
  last: string,
  digestOf: (last: string) => unknown,
): void {
  if (policy?.path === last || (policy && openPolicy(policy.path).digest === digestOf(last))) return;
  throw !policy || policy.ofConsole
    ? new PayrunError('POLICY_NOT_FOUND', { path: last })
    : new PayrunError('POLICY_DIFFERS', { path: policy.path, last });
}

/** Returns the console's policy if it is in force; null if not. This policy also binds commands that name no policy. */
export async function policyOfConsole(ledger: Pick<Ledger, 'trail'>): Promise<NonNullable<Deps['policy']> | null> {
  const { path, ofConsole } = (await ledger.trail.entries(null, 'policy')).at(-1)?.data ?? {};
  return ofConsole === true && typeof path === 'string' && existsSync(path) ? { path, ofConsole } : null;
}
