/** `approve`: signs a plan for an approver, and stores the signature beside the plan. Nothing is sent. */
import type { KeyObject } from 'node:crypto';
import {
  type Person,
  type Policy,
  publicOf,
  sign,
  signatureText,
  whyNoMaker,
  whyNot,
  whyNotApprove,
} from '../approval/approval.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { approvalStanding, makersOf } from '../pipeline/plans/approved.ts';
import { digestWords, openPlan, type PlanFile } from '../pipeline/plans/plan-file.ts';
import { replacePlanPage } from '../pipeline/plans/plan-page.ts';
import { pageOf, planStem } from '../pipeline/plans/plan-place.ts';
import { writeOutput } from '../sheet/sheet.ts';

interface Approver extends Person {
  readonly name: string;
  /** Called after the checks of the plan. A shell shows the plan here, and asks for the passphrase of the key. */
  unlock(plan: PlanFile): Promise<KeyObject>;
}

/**
 * Throws for a plan that changed or expired, and for a signature that the policy would not count. `seen` is the digest that the
 * approver saw; null if the approver sees the plan only in `unlock`. The standing is null without a policy.
 */
export async function approvePlan(
  { ledger, clock }: { readonly ledger: Ledger | null; readonly clock: Clock },
  { path, seen, policy }: { readonly path: string; readonly seen: string | null; readonly policy: Policy | null },
  { name, account = null, unlock }: Approver,
) {
  const plan = await openPlan(path);
  const digest = digestWords(plan.digest);
  if (seen !== null && seen !== digest) throw new PayrunError('PLAN_MOVED', {});
  const { maker, expires_at } = plan.head;
  const [now, expiresAt] = [clock.now(), Date.parse(expires_at)];
  if (now >= expiresAt) throw new PayrunError('PLAN_EXPIRED', { path, expiredAt: expiresAt });
  const noMaker = whyNoMaker(maker, policy);
  if (noMaker !== null) throw new PayrunError('MAKER_UNSIGNABLE', { path, why: noMaker });
  const standingNow = async () => (policy === null ? null : await approvalStanding(ledger, plan, policy.path, now));
  const signed = (await standingNow())?.approvals.map(({ approver }) => ({ name: approver })) ?? [];
  const own = whyNotApprove({ name, account }, ledger === null ? [] : makersOf(ledger, plan), signed);
  if (own !== null) throw own;
  const page = await replacePlanPage(pageOf(path), plan);
  const key = await unlock(plan);
  const signature = sign(key, { purpose: 'approve plan', digest, approver: name, at: isoTime(now) });
  const why = policy === null ? null : whyNot({ digest, maker, expiresAt }, signature, policy, now);
  if (policy !== null && why !== null)
    throw new PayrunError('SIGNATURE_USELESS', { approver: name, policy: policy.path, why });
  const place = { path: `${planStem(path)}.${name}.sig.json`, subject: `plan ${digest}` };
  const file = await writeOutput(place, async (handle) => await handle.appendFile(signatureText(signature)));
  const standing = await standingNow();
  const { fingerprint } = publicOf(name, key);
  return { kind: 'finished', plan, signature, fingerprint, page, file, standing } as const;
}
