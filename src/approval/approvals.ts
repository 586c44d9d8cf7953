/** Decides whether a plan has enough valid signatures, and says why a signature is not valid. No I/O. */
import { timeWords } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { counted, moneyOf } from '../base/words.ts';
import type { AmountUnit } from '../domain/amounts/money.ts';
import type { Note } from '../domain/note.ts';
import { isSamePerson, personName } from './person.ts';
import { type Policy, unitOf } from './policy.ts';
import { fits, type Signature } from './signature.ts';

/** A plan's sums in one currency and unit. */
export interface Stake {
  readonly currency: string;
  readonly unit: AmountUnit;
  /** The largest sum of one payee, over all its rows. */
  readonly largest: bigint;
  readonly total: bigint;
  /** The day's sum, with all other batches that were sent or begun on that day. */
  readonly day: bigint;
}

export interface Approval extends Pick<Signature, 'approver' | 'fingerprint' | 'at' | 'signature'> {}

export interface PlanToApprove {
  /** The plan's digest, such as `sha256:…`. */
  readonly digest: string;
  readonly file: string;
  readonly maker: string;
  readonly expiresAt: number;
  readonly stakes: readonly Stake[];
  /** The number of approvals that the batch began with; 0 if it had none. */
  readonly signedFirst: number;
}

/** How far the clock of one computer may be ahead of another. */
const clockSlackMs = 5 * 60 * 1000;

/** Returns one approval for each approver. Throws if too few are valid, with a sentence about each invalid signature. */
export function approvalsOf(
  plan: PlanToApprove,
  signatures: readonly { readonly file: string; readonly signature: Signature | null }[],
  policy: Policy,
  now: number,
): { readonly approvals: readonly Approval[]; readonly notes: readonly Note[] } {
  const noMaker = whyNoMaker(plan.maker, policy);
  if (noMaker !== null) throw new PayrunError('MAKER_REFUSED', { plan: plan.digest, maker: noMaker });
  const approvals = new Map<string, Approval>();
  const notCounted: { file: string; why: string }[] = [];
  for (const { file, signature } of signatures) {
    const why = signature === null ? 'it is no signature of Payrun' : whyNot(plan, signature, policy, now);
    if (why !== null || signature === null) notCounted.push({ file, why: why ?? '' });
    else if (!approvals.has(signature.approver)) {
      const { approver, fingerprint, at, signature: bytes } = signature;
      approvals.set(approver, { approver, fingerprint, at, signature: bytes });
    }
  }
  const { needed, because } = neededForPlan(plan, policy);
  const signed = [...approvals.keys()];
  if (signed.length < needed)
    throw new PayrunError('APPROVALS_TOO_FEW', {
      plan: plan.digest,
      file: plan.file,
      signed,
      needed,
      because,
      notCounted,
      mayStillSign: mayStillSign(plan.maker, signed, policy),
    });
  return {
    approvals: [...approvals.values()],
    notes: notCounted.map((one) => ({ note: 'signature-not-counted', ...one })),
  };
}

/** Returns the approvers who have not signed yet, but may. */
export const mayStillSign = (maker: string, signed: readonly string[], { approvers }: Policy): string[] =>
  approvers.map(({ name }) => name).filter((name) => !signed.includes(name) && !isSamePerson(name, maker));

/** Returns words that end a sentence; null if plans of this maker can be approved. */
export function whyNoMaker(maker: string, policy: Policy | null): string | null {
  const wrong = personName(maker);
  if (wrong !== null) return `'${maker}', which ${wrong}`;
  if (policy?.makers === undefined || policy.makers.some((name) => isSamePerson(name, maker))) return null;
  return `'${maker}', who is none of the makers of ${policy.path}`;
}

/** Returns words that follow the name of the signature's file; null if the signature is valid. */
export function whyNot(
  { digest, maker, expiresAt }: Pick<PlanToApprove, 'digest' | 'maker' | 'expiresAt'>,
  signature: Signature,
  { approvers }: Policy,
  now: number,
): string | null {
  const { approver, at, purpose } = signature;
  if (purpose !== 'approve plan') return 'it was signed for another purpose';
  if (signature.digest !== digest) return `it is over another plan, ${signature.digest}`;
  const fault = signerFault(signature, approvers);
  if (fault !== null) return fault;
  if (isSamePerson(approver, maker)) return `'${approver}' made the plan, and whoever makes it does not approve it`;
  const signedAt = Date.parse(at);
  if (signedAt > now + clockSlackMs) return `it was signed at ${timeWords(signedAt)}, and it is ${timeWords(now)}`;
  if (signedAt >= expiresAt) return `it was signed at ${timeWords(signedAt)}, when the plan had expired`;
  return null;
}

function signerFault(signature: Signature, approvers: Policy['approvers']): string | null {
  const { approver, fingerprint } = signature;
  const known = approvers.find(({ name }) => name === approver);
  if (known === undefined) return `'${approver}' is no approver`;
  const key = known.keys.find((one) => one.fingerprint === fingerprint);
  if (key === undefined) return `key ${fingerprint} is none of those of '${approver}'`;
  return fits(signature, key)
    ? null
    : `the signature is not that of key ${fingerprint}, or what was signed was changed`;
}

/** Returns null if the signature releases the row. The caller checks that the signer did not run the batch. */
export function whyNotReleased(digest: string, signature: Signature, { approvers }: Policy): string | null {
  if (signature.purpose !== 'release row') return 'it was signed for another purpose';
  if (signature.digest !== digest) return 'it is over another row';
  return signerFault(signature, approvers);
}

/** A plan needs at least as many as its batch began with, so that a weaker policy cannot add rows. */
export function neededForPlan({ stakes, signedFirst }: Pick<PlanToApprove, 'stakes' | 'signedFirst'>, policy: Policy) {
  const asked = neededFor(stakes, policy);
  const because = `this batch began with ${counted(signedFirst, 'approval')}`;
  return signedFirst > asked.needed ? { needed: signedFirst, because } : asked;
}

/** Returns the most approvals that any sum needs. */
export function neededFor(
  stakes: readonly Stake[],
  { currencies, otherwise }: Policy,
): { readonly needed: number; readonly because: string } {
  let most = { needed: 0, because: 'no amount of it asks for any' };
  const ask = (needed: number, because: string) => {
    if (needed > most.needed) most = { needed, because };
  };
  for (const { currency, unit, largest, total, day } of stakes) {
    const rule = ruleFor({ currency, unit }, currencies);
    const money = (amount: bigint) => moneyOf({ amount, unit, currency });
    const kind = `${unit === 'whole' ? '' : `${unit} `}${currency}`;
    const every = currencies.length === 0 ? 'every amount' : `every amount in ${kind}`;
    if (rule === undefined) ask(otherwise, `the policy asks for ${counted(otherwise, 'approval')} for ${every}`);
    for (const { above, approvals } of rule?.row ?? [])
      if (largest > BigInt(above)) ask(approvals, `a payee gets ${money(largest)}, above ${money(BigInt(above))}`);
    for (const { above, approvals } of rule?.batch ?? [])
      if (total > BigInt(above)) ask(approvals, `the batch pays ${money(total)}, above ${money(BigInt(above))}`);
    for (const { above, approvals } of rule?.day ?? [])
      if (day > BigInt(above))
        ask(approvals, `${money(day)} would have been sent on one day, above ${money(BigInt(above))}`);
  }
  return most;
}

function ruleFor({ currency, unit }: Pick<Stake, 'currency' | 'unit'>, currencies: Policy['currencies']) {
  return currencies.find((one) => one.currency === currency && unitOf[one.currency] === unit);
}

/** Returns the limit of one batch that only the day's sum exceeds: the batch may have been split. */
export function splitLimit(
  { currency, unit, total, day }: Omit<Stake, 'largest'>,
  { currencies }: Pick<Policy, 'currencies'>,
): { readonly above: string; readonly approvals: number } | null {
  const crossed = ruleFor({ currency, unit }, currencies)?.batch?.findLast(({ above }) => day > BigInt(above));
  return crossed === undefined || total > BigInt(crossed.above) ? null : crossed;
}
