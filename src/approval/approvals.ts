/** Decides whether a plan has enough valid signatures, and why a signature is invalid. Does no I/O. */
import { PayrunError } from '../base/errors.ts';
import type { ApprovalFault } from '../base/faults/fault.ts';
import type { Signing } from '../base/refusal.ts';
import { type Each, unitOf } from '../base/words.ts';
import type { AmountUnit } from '../domain/amounts/money.ts';
import type { ActionNamed } from '../domain/next-action.ts';
import type { Note } from '../domain/note.ts';
import { findSame, type Person } from './duties.ts';
import { isSamePerson, personName } from './person.ts';
import type { Policy } from './policy.ts';
import { fits, type Signature } from './signature.ts';

/** A plan's sums in one currency and unit. The sums decide how many approvals the plan needs. */
export interface Stake {
  readonly currency: string;
  readonly unit: AmountUnit;
  /** The largest sum for one payee, over all of the payee's rows. */
  readonly largest: bigint;
  readonly total: bigint;
  /** The sum of today's sent rows, this plan's unsent rows, and the approved unsent rows of other batches. */
  readonly day: bigint;
}

export interface Approval extends Pick<Signature, 'approver' | 'fingerprint' | 'at' | 'signature'> {}

export interface PlanToApprove extends Each<'digest file maker', string> {
  readonly signs: Signing;
  /** The people who prepared or paid a sheet of the batch. */
  readonly makers: readonly Person[];
  readonly expiresAt: number;
  readonly stakes: readonly Stake[];
  /** How many approvals the batch's first version had. */
  readonly signedFirst: number;
}

/** How far a signer's clock may be ahead of the clock of this machine. */
const clockSlackMs = 5 * 60 * 1000;

/** Returns one approval for each approver with a valid signature. Throws MAKER_REFUSED or APPROVALS_TOO_FEW. */
export function approvalsOf(
  plan: PlanToApprove,
  signatures: readonly { readonly file: string; readonly signature: Signature | null }[],
  policy: Policy,
  now: number,
): { readonly approvals: readonly Approval[]; readonly notes: readonly Note[] } {
  const noMaker = whyNoMaker(plan.maker, policy);
  if (noMaker !== null) throw new PayrunError('MAKER_REFUSED', { plan: plan.digest, why: noMaker });
  const approvals = new Map<string, Approval>();
  const notCounted: { file: string; why: ApprovalFault }[] = [];
  for (const { file, signature } of signatures) {
    const why = signature === null ? null : (whyNot(plan, signature, policy, now) ?? ownFault(plan, signature));
    if (signature === null) notCounted.push({ file, why: { fault: 'is-no-signature' } });
    else if (why !== null) notCounted.push({ file, why });
    else if (!approvals.has(signature.approver)) {
      const { approver, fingerprint, at, signature: bytes } = signature;
      approvals.set(approver, { approver, fingerprint, at, signature: bytes });
    }
  }
  const { needed, because } = neededForPlan(plan, policy);
  const signed = [...approvals.keys()];
  const command: ActionNamed = { action: 'approve-plan', plan: plan.file, signs: plan.signs };
  if (signed.length < needed) {
    const others = mayStillSign([{ name: plan.maker }, ...plan.makers], signed, policy);
    const facts = { plan: plan.digest, command, signed, needed, because, notCounted, mayStillSign: others };
    throw new PayrunError('APPROVALS_TOO_FEW', facts);
  }
  return {
    approvals: [...approvals.values()],
    notes: notCounted.map((one) => ({ note: 'signature-not-counted', ...one })),
  };
}

const ownFault = ({ makers }: PlanToApprove, { approver }: Signature): ApprovalFault | null =>
  findSame({ name: approver }, makers) === undefined ? null : { fault: 'signed-own-batch', approver };

export const mayStillSign = (makers: readonly Person[], signed: readonly string[], { approvers }: Policy): string[] =>
  approvers
    .map(({ name }) => name)
    .filter((name) => !signed.includes(name) && findSame({ name }, makers) === undefined);

export function whyNoMaker(maker: string, policy: Policy | null): ApprovalFault | null {
  const fault = personName(maker);
  if (fault !== null) return { fault: 'maker-has-invalid-name', maker, why: { fault } };
  if (policy?.makers === undefined || policy.makers.some((name) => isSamePerson(name, maker))) return null;
  return { fault: 'maker-is-not-listed', maker, policy: policy.path };
}

export function whyNot(
  { digest, maker, expiresAt }: Pick<PlanToApprove, 'digest' | 'maker' | 'expiresAt'>,
  signature: Signature,
  { approvers }: Policy,
  now: number,
): ApprovalFault | null {
  const { approver, at, purpose } = signature;
  if (purpose !== 'approve plan') return { fault: 'signed-for-other-purpose' };
  if (signature.digest !== digest) return { fault: 'signed-other-plan', plan: signature.digest };
  const fault = signerFault(signature, approvers);
  if (fault !== null) return fault;
  if (isSamePerson(approver, maker)) return { fault: 'signed-own-plan', approver };
  const signedAt = Date.parse(at);
  if (signedAt > now + clockSlackMs) return { fault: 'signed-in-future', signedAt, now };
  if (signedAt >= expiresAt) return { fault: 'signed-after-expiry', signedAt };
  return null;
}

function signerFault(signature: Signature, approvers: Policy['approvers']): ApprovalFault | null {
  const { approver, fingerprint } = signature;
  const known = approvers.find(({ name }) => name === approver);
  if (known === undefined) return { fault: 'signer-is-no-approver', approver };
  const key = known.keys.find((one) => one.fingerprint === fingerprint);
  if (key === undefined) return { fault: 'signer-has-other-key', approver, fingerprint };
  return fits(signature, key) ? null : { fault: 'signature-does-not-fit', fingerprint };
}

/** Returns null if the signature releases the row. The caller checks that the signer may release this row. */
export function whyNotReleased(digest: string, signature: Signature, { approvers }: Policy): ApprovalFault | null {
  if (signature.purpose !== 'release row' || signature.digest !== digest) return { fault: 'signed-for-other-purpose' };
  return signerFault(signature, approvers);
}

export interface Needed {
  readonly needed: number;
  readonly because: ApprovalFault;
}

/** Requires at least as many approvals as the batch's first version had, even if the policy is weaker now. */
export function neededForPlan(
  { stakes, signedFirst }: Pick<PlanToApprove, 'stakes' | 'signedFirst'>,
  policy: Policy,
): Needed {
  const asked = neededFor(stakes, policy);
  return signedFirst > asked.needed
    ? { needed: signedFirst, because: { fault: 'batch-began-with-approvals', approvals: signedFirst } }
    : asked;
}

/** Returns the largest number of approvals that any of the sums needs, and the reason. */
export function neededFor(stakes: readonly Stake[], { currencies, otherwise }: Policy): Needed {
  let most: Needed = { needed: 0, because: { fault: 'nothing-asks-for-approval' } };
  const ask = (needed: number, because: ApprovalFault) => {
    if (needed > most.needed) most = { needed, because };
  };
  for (const { currency, unit, largest, total, day } of stakes) {
    const rule = ruleFor({ currency, unit }, currencies);
    const money = (amount: bigint | string) => ({ amount: String(amount), unit, currency });
    const kind = `${unit === 'whole' ? '' : `${unit} `}${currency}`;
    const every = currencies.length === 0 ? null : kind;
    if (rule === undefined)
      ask(otherwise, { fault: 'every-amount-needs-approval', approvals: otherwise, money: every });
    const sums = [
      [rule?.row, largest, 'payee-gets-more'],
      [rule?.batch, total, 'batch-pays-more'],
      [rule?.day, day, 'day-pays-more'],
    ] as const;
    for (const [thresholds = [], amount, fault] of sums)
      for (const { above, approvals } of thresholds)
        if (amount > BigInt(above)) ask(approvals, { fault, amount: money(amount), above: money(above) });
  }
  return most;
}

const ruleFor = ({ currency, unit }: Pick<Stake, 'currency' | 'unit'>, currencies: Policy['currencies']) =>
  currencies.find((one) => one.currency === currency && unitOf[one.currency] === unit);

/** Returns the batch limit that a person may have avoided by splitting a batch in two; null if there is none. */
export function splitLimit(
  { currency, unit, total, day }: Omit<Stake, 'largest'>,
  { currencies }: Pick<Policy, 'currencies'>,
): { readonly above: string; readonly approvals: number } | null {
  const crossed = ruleFor({ currency, unit }, currencies)?.batch?.findLast(({ above }) => day > BigInt(above));
  return crossed === undefined || total > BigInt(crossed.above) ? null : crossed;
}
