/** A policy, and the keys of its approvers. Ann makes all plans, so her approvals never count. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvePlan } from '../../src/app/approve-plan.ts';
import type { AskSigner } from '../../src/app/release-row.ts';
import { makeKey, publicLine, publicOf, sign } from '../../src/approval/approval.ts';
import { isoTime } from '../../src/base/clock.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { openPolicy } from '../../src/pipeline/plans/approved.ts';
import type { Approver } from './commands.ts';

const keys = { ann: makeKey(), cara: makeKey(), dan: makeKey() } as const satisfies Record<Approver, unknown>;

export type PolicyPlace = NonNullable<Deps['policy']>;

export function writePolicy(folder: string, needed: number): PolicyPlace {
  const path = join(folder, 'payrun.policy.json');
  const approvers = Object.entries(keys).map(([name, key]) => ({ name, keys: [publicLine(publicOf(name, key))] }));
  writeFileSync(path, JSON.stringify({ version: 1, approvers, currencies: [], otherwise: needed }));
  return { path, ofConsole: false };
}

export const approve = async ({ ledger, clock, policy }: Deps, path: string, name: Approver) =>
  await approvePlan(
    { ledger, clock },
    { path, seen: null, policy: policy === undefined ? null : openPolicy(policy.path) },
    { name, unlock: async () => keys[name] },
  );

/** Under a policy, somebody signs each decision after which a row may be sent. */
export const signerFor =
  ({ clock, policy }: Deps, { by = 'cara' }: { readonly by?: Approver }): AskSigner =>
  async (reason) => {
    if (policy === undefined) return null;
    const signing = (digest: string) =>
      sign(keys[by], { purpose: 'release row', digest, approver: by, at: isoTime(clock.now()) });
    return { name: by, reason, signed: { policy: openPolicy(policy.path), sign: signing } };
  };
