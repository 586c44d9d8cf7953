/** Runs a batch under an approved plan: Payrun pays the rows of the plan, or names each difference. */
import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type Approval,
  approvalsOf,
  type Needed,
  neededForPlan,
  type Person,
  type PlanToApprove,
  type Policy,
  readPolicy,
  requireOther,
  whyNotOther,
} from '../../approval/approval.ts';
import { fileFault, PayrunError } from '../../base/errors.ts';
import type { PlanFault } from '../../base/faults/fault.ts';
import type { Some } from '../../base/refusal.ts';
import { readSmallFile } from '../../base/small-file.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import type { EntryKind } from '../../domain/trail.ts';
import type { BatchFacts, Ledger, Maker } from '../../ledger/ledger.ts';
import { recordSubmitted } from '../../sheet/sheet.ts';
import type { Deps, ServiceFacts } from '../deps.ts';
import { type ApprovedPlan, planAgain, planOf, signingOf } from '../opened-with.ts';
import { type Plan, payerOf, shownIdentity } from './plan.ts';
import { planDifferences } from './plan-differences.ts';
import { digestWords, openPlan, type PlanFile } from './plan-file.ts';
import { fileDigest, findPlan, isSigned, type PlanSearch, plansOf, signatureIn, signaturesOf } from './plan-place.ts';
import { ledgerNow } from './plan-source.ts';
import { retryIn } from './retries.ts';
import { stakesOf } from './stakes.ts';

export interface ApproveOrder {
  /** The digest in hex, or the beginning of it. If null, Payrun takes a plan beside the sheet, a signed one first. */
  readonly digest: string | null;
  readonly path: string | null;
}

/** How far one clock may be ahead of another. */
const clockSlackMs = 5 * 60 * 1000;

/** A plan to run. `began` is true if this plan opened the newest sheet of its batch; the plan then no longer expires. */
export interface FoundPlan extends Pick<PlanSearch, 'again'> {
  readonly plan: PlanFile;
  readonly began: boolean;
  /** The keys of the plan's rows if the plan is a retry. */
  readonly retry: readonly string[];
  /** The id of the plan's hold; null if the plan was not proposed. */
  readonly proposal: number | null;
}

export interface OpenedPlan extends FoundPlan {
  /** The policy's digest; null if no policy was required. */
  readonly policy: string | null;
  readonly approvals: readonly Approval[];
  readonly notes: readonly Note[];
}

/** Finds the plan. Checks its text and service identity before the sheet is read. */
export async function planToRun(deps: Deps, order: ApproveOrder, place: PlanSearch): Promise<FoundPlan> {
  const now = await ledgerNow(deps);
  const { digest, path: asked } = order;
  const found = digest === null ? await signedPlan(deps, place, now) : await findPlan(place, asked, digest);
  const plan = await openPlan(found);
  if (digest !== null && !plan.digest.startsWith(digest)) throw fileChanged(plan.path);
  const { head } = plan;
  const retry = await retryIn(plan);
  const batch = place.again.batch ?? (head.batch_named ? head.batch : null);
  const options = { ...place.again.options, maker: head.maker };
  const again = { ...place.again, batch, options, retry };
  const held = deps.ledger.holds.proposalOf(head.batch);
  const proposal = held?.digest === digestWords(plan.digest) ? held.id : null;
  const no = await standingNo(deps, plan);
  if (no !== null) {
    const { file: _file, ...ended } = no;
    throw new PayrunError('PLAN_DECLINED', { plan: digestWords(plan.digest), ...ended, command: again });
  }
  const began = beganUnder(deps.ledger, plan) !== null;
  const whose = whoseMoney(head, deps.service);
  if (again.batch !== null && again.batch !== head.batch)
    whose.push({ fault: 'setting-differs', name: 'batch', was: head.batch, now: again.batch });
  const toRun = { plan, again, retry, began, proposal };
  if (whose.length > 0) throw refused(toRun, whose);
  return toRun;
}

/** Throws if the plan has too few approvals, or if the person who pays it approved it. */
export async function approvedUnder(deps: Pick<Deps, 'ledger' | 'policy' | 'actor'>, plan: PlanFile, now: number) {
  const began = beganUnder(deps.ledger, plan);
  let approved = { policy: began?.policy ?? null, approvals: began?.approvals ?? [], notes: [] as readonly Note[] };
  // Checks the approvals of a begun batch only once, because an approver may have left later.
  if (deps.policy !== undefined && approved.policy === null) {
    const policy = openPolicy(deps.policy.path);
    const facts = await factsOf(deps.ledger, plan, now);
    approved = { policy: policy.digest, ...approvalsOf(facts, await signaturesBeside(plan), policy, now) };
  }
  requireOther('pay', deps.actor, approversOf(approved));
  return approved;
}

/** Throws for a person who approved the batch's plan. */
export async function requireOtherPayer(deps: Deps, batch: BatchFacts): Promise<void> {
  const plan = planOf(batch);
  const own = whyNotOther('pay', deps.actor, approversOf(plan));
  if (own !== null) throw await recordDenied(deps, batch.name, plan?.digest ?? null, own);
}

/** Returns the plan of each version of the batch, the newest last; null for a version without a plan. */
const plansUsed = ({ batches }: Ledger, { head }: PlanFile) =>
  batches.sheetsOf(head.batch).map((sheet) => planOf({ sheet }));

const beganUnder = (ledger: Ledger, plan: PlanFile): ApprovedPlan | null =>
  [plansUsed(ledger, plan).at(-1)].find((one) => one?.digest === plan.digest) ?? null;

const standingNo = async ({ ledger }: Pick<Deps, 'ledger'>, { digest }: PlanFile) =>
  await ledger.trail.declineOf(digestWords(digest));

/** Returns the only signed plan that has not expired and opened no version, else the signed plan in use, else the only unsigned plan. */
async function signedPlan(deps: Deps, place: PlanSearch, now: number): Promise<string> {
  const fresh: string[] = [];
  const unsigned: string[] = [];
  const begun: string[] = [];
  for (const path of await plansOf(place)) {
    const plan = await openPlan(path).catch(() => null);
    if (plan === null || (await standingNo(deps, plan)) !== null) continue;
    const signed = await isSigned(plan);
    const used = plansUsed(deps.ledger, plan).map((one) => one?.digest);
    if (used.at(-1) === plan.digest) begun.push(...(signed ? [path] : []));
    else if (!used.includes(plan.digest) && now < Date.parse(plan.head.expires_at))
      (signed ? fresh : unsigned).push(path);
  }
  const found = fresh.length > 0 ? fresh : begun;
  const isTrial = deps.service.embedded && deps.policy?.ofConsole === true;
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined && unsigned.length === 1) return unsigned[0]!;
  throw only === undefined
    ? new PayrunError('SIGNED_PLAN_MISSING', { command: place.again, isTrial })
    : new PayrunError('SIGNED_PLANS_SEVERAL', { paths: found });
}

const maxPolicyBytes = 1024 * 1024;

const signaturesBeside = async ({ path }: PlanFile) =>
  (await signaturesOf(path)).map((file) => ({ file: basename(file), signature: signatureIn(file) }));

/** Returns the people who made the batch, and those who worked on the sheet of the plan. */
export const makersOf = (ledger: Ledger, { head, digest }: PlanFile): readonly Maker[] =>
  ledger.uploads.makersOf(head.batch, digestWords(digest));

const approversOf = (plan: Pick<ApprovedPlan, 'approvals'> | null): readonly Person[] =>
  (plan?.approvals ?? []).map(({ approver: name }) => ({ name }));

async function factsOf(ledger: Ledger | null, plan: PlanFile, now: number): Promise<PlanToApprove> {
  const { maker, expires_at } = plan.head;
  return {
    signs: ledger === null ? 'key' : await signingOf(ledger),
    digest: digestWords(plan.digest),
    file: plan.path,
    maker,
    makers: ledger === null ? [] : makersOf(ledger, plan),
    expiresAt: Date.parse(expires_at),
    stakes: await stakesOf(plan, ledger, now),
    signedFirst: (ledger ? plansUsed(ledger, plan) : []).find((one) => one?.policy != null)?.approvals.length ?? 0,
  };
}

export interface ApprovalStanding extends Needed {
  readonly approvals: readonly Approval[];
  readonly notes: readonly Note[];
}

export async function approvalStanding(
  ledger: Ledger | null,
  plan: PlanFile,
  policyPath: string,
  now: number,
): Promise<ApprovalStanding> {
  const policy = openPolicy(policyPath);
  const facts = await factsOf(ledger, plan, now);
  const all = { ...facts, stakes: [], signedFirst: 0 };
  return { ...neededForPlan(facts, policy), ...approvalsOf(all, await signaturesBeside(plan), policy, now) };
}

export function openPolicy(path: string): Policy {
  let text: string;
  try {
    text = readSmallFile(path, maxPolicyBytes);
  } catch (error) {
    throw new PayrunError('POLICY_UNUSABLE', { path, why: [{ fault: 'policy-file', why: fileFault(error) }] });
  }
  return readPolicy(path, text);
}

function whoseMoney(head: PlanFile['head'], service: ServiceFacts): PlanFault[] {
  if (head.service === service.label && head.identity === service.identity) return [];
  return [{ fault: 'identity-differs', was: payerOf(head), now: shownIdentity(service.identity) }];
}

/** Throws if the plan's time is in the future, or is over. A plan whose batch began does not expire, so that no half-sent batch waits. */
export function requireTime(opened: FoundPlan, now: number): void {
  const { plan, began } = opened;
  const [madeAt, expiredAt] = [Date.parse(plan.head.made_at), Date.parse(plan.head.expires_at)];
  if (madeAt > now + clockSlackMs) throw refused(opened, [{ fault: 'plan-is-from-future', madeAt, now }]);
  if (!began && now >= expiredAt) throw refused(opened, [{ fault: 'plan-is-over', expiredAt, now }]);
}

export async function requirePlanned(
  deps: Deps,
  opened: OpenedPlan,
  planned: Plan,
  now: Parameters<typeof planDifferences>[3],
): Promise<void> {
  const differences = await planDifferences(deps, opened, planned, now);
  if (differences.total > 0) throw differsFrom(opened, differences);
}

const refused = (opened: FoundPlan, differences: readonly PlanFault[]) =>
  differsFrom(opened, { shown: differences, total: differences.length });

const differsFrom = ({ plan: { digest, path }, again }: FoundPlan, differences: Some<PlanFault>): PayrunError =>
  new PayrunError('PLAN_DIFFERS', { plan: digestWords(digest), path, differences, command: again });

const fileChanged = (path: string) =>
  new PayrunError('PLAN_CHANGED', { path, line: null, why: { fault: 'file-changed' } });

export async function keepPlan({ plan }: Pick<OpenedPlan, 'plan'>, copy: string): Promise<void> {
  await recordSubmitted(plan.path);
  await copyFile(plan.path, copy);
  if ((await fileDigest(copy)) !== plan.digest) throw fileChanged(plan.path);
}

export function planRecord({ plan, policy, approvals }: OpenedPlan): {
  readonly remembered: ApprovedPlan;
  readonly entries: readonly { readonly what: EntryKind; readonly data: Readonly<Record<string, unknown>> }[];
} {
  const { maker, made_at, expires_at, identity, terms } = plan.head;
  const { update_names } = terms;
  const remembered = { digest: plan.digest, maker, made_at, expires_at, identity, update_names, policy, approvals };
  const planned = { what: 'plan' as const, data: { plan: plan.digest, maker, made_at, expires_at, policy } };
  const signed = approvals.map((approval) => ({ what: 'approval' as const, data: { plan: plan.digest, ...approval } }));
  return { remembered, entries: [planned, ...signed] };
}

export async function requireApproved(deps: Pick<Deps, 'ledger'>, batch: BatchFacts): Promise<void> {
  const plan = planOf(batch);
  if (plan !== null && plan.policy !== null) return;
  const sheet = plan === null ? batch.sheet.name : null;
  const command: ActionNamed = planAgain(batch, await signingOf(deps.ledger));
  const error = new PayrunError('BATCH_UNAPPROVED', { batch: batch.name, sheet, command });
  throw await recordDenied(deps, batch.name, plan?.digest ?? null, error);
}

/** Throws if a batch that continues would differ from its plan, such as after `ledger rebind`. */
export async function requireAsPlanned(
  deps: Pick<Deps, 'ledger' | 'service' | 'limits'>,
  batch: BatchFacts,
  { updateNames }: { readonly updateNames: boolean },
): Promise<void> {
  const plan = planOf(batch);
  if (plan === null) return;
  const { service, limits } = deps;
  const canary = Number(batch.sheet.options.canary ?? 0);
  const difference = leavesPlan();
  if (difference === null) return;
  const command = planAgain(batch, await signingOf(deps.ledger));
  const facts = { batch: batch.name, plan: digestWords(plan.digest), difference, command };
  throw await recordDenied(deps, batch.name, plan.digest, new PayrunError('BATCH_LEAVES_PLAN', facts));

  function leavesPlan(): PlanFault | null {
    const [was, now] = [shownIdentity(plan!.identity), shownIdentity(service.identity)];
    if (plan!.identity !== service.identity) return { fault: 'identity-differs', was, now };
    if (updateNames && !plan!.update_names)
      return { fault: 'setting-differs', name: 'update_names', was: false, now: true };
    if (limits.canary === undefined || limits.canary >= canary) return null;
    return { fault: 'setting-differs', name: 'canary', was: canary, now: limits.canary };
  }
}

/** Records a refusal in the trail, and returns it. Ignores a failed write, because the caller throws the refusal itself. */
export async function recordDenied(
  { ledger }: Pick<Deps, 'ledger'>,
  batch: string | null,
  digest: string | null,
  error: PayrunError,
): Promise<PayrunError> {
  const data = { plan: digest, ...error.refusal };
  await ledger.trail.record({ batch, row: null, what: 'denied', data }).catch(() => undefined);
  return error;
}
