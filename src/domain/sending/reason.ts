/** Reasons for the state of a row, a merchant or a document, as data. `messages/reasons.ts` has their sentences. */
import { assert } from '../../base/errors.ts';
import type { ServiceFault } from '../../base/faults/fault.ts';
import type { FoundProblem } from '../../base/problem.ts';
import type { NearDifference } from '../../base/refusal.ts';
import type { Each, StoredReasons } from '../../base/words.ts';
import type { AccountChange } from '../problems/batch-problems.ts';
import type { DocumentFileFault } from '../problems/document-problems.ts';

/** `failure` is the failed call with the service's own text. `why` is a person's reason, verbatim. */
interface ReasonFacts
  extends Each<
      | 'paused-before-sending ended-before-sending claim-returned run-died paid-after-expiry merchant-unreadable'
      | 'said-paid-elsewhere upload-ended unverified found-listed not-found-listed',
      object
    >,
    Each<'said-not-paid said-released said-known', { why: string }>,
    Each<'looks-paid like-payment', { to: SentRow | SeenElsewhere; differs: NearDifference | null; name?: string }>,
    Each<'not-sent answer-lost refused merchant-failed', { failure: ServiceFault }> {
  'worker-lost': { worker: string };
  'answered-with-other-payment': { paymentId: string } & Partial<RowName>;
  'not-listed': { payments: number; at: number };
  'older-payment': { payments: readonly string[]; sentAt: number; settledAfter: number };
  /** `alike`: the ids of payments that belong to no known row, but have this row's payee, amount and reference. */
  absent: { sentAt: number; scannedAt: number; payments: number; proof: AbsenceProof; alike: readonly string[] };
  forgotten: { paymentId: string };
  'settled-amount': { settled: number; amount: number };
  'two-payments': { payments: readonly string[] };
  /** `status`: the service's word that the setting payments.statuses maps to expired; null for the word `expired`. */
  expired: { status: string | null };
  'account-changed': AccountChange;
  'has-mistakes': { problems: readonly FoundProblem[] };
  /** `differences` is null if the row has no merchant to compare with. */
  'payment-differs': { paymentId: string; differences: readonly Difference[] | null };
  'payment-of-other-row': { paymentId: string } & RowName;
  'wrong-payment': { paymentId: string; tag: string };
  /** `bySetting`: the setting payments.statuses earlier mapped this `status` to success, but no longer does. */
  'no-longer-paid': { paymentId: string; status: string | null; bySetting: boolean };
  'merchant-not-listed': { merchantId: string };
  'merchant-ambiguous': { merchants: readonly string[] };
  'said-gone': { paymentId: string; why: string };
  'said-paid': { amount: number | null; reference: string | null; planned: number; plannedReference: string };
  /** `fault` is null if the file changed after its check. */
  'file-unusable': { fault: DocumentFileFault | null };
  'document-refused': { failure: ServiceFault; limits: string };
  // The kinds below are evidence: how a doubt ended, a person's decision, or a payment that looks like the row.
  'found-in-scan': { scan: ScanNamed; tag: 'own' | 'other' };
  /** `firstAt` is the start of the first scan that lacked the payment; null if `scan` was the first. */
  'missing-in-scans': { scan: ScanNamed; firstAt: number | null; proof: AbsenceProof };
  'late-answer': { worker: string };
  'released-by': { by: string; why: string; change: AccountChange | null };
}

export type ReasonKind = keyof ReasonFacts;
export type ReasonOf<K extends ReasonKind> = Readonly<{ kind: K } & ReasonFacts[K]>;
export type Reason = { readonly [K in ReasonKind]: ReasonOf<K> }[ReasonKind];

/** Why a row that was sent is held: a payment contradicts the row, or the service lost the row's payment. */
type Hold = Extract<Reason, { readonly kind: PaymentHold }>;
type PaymentHold = 'payment-differs' | 'payment-of-other-row' | 'wrong-payment' | 'no-longer-paid' | 'said-gone';

/** The proof that the list was up to date. A payment that an up-to-date list lacks does not exist. */
export type AbsenceProof = 'younger payment' | 'twice the horizon';
type RowName = Readonly<Record<'row' | 'batch', string>>;
/** `sentAt` is null for a row that a person closed before it was sent. */
type SentRow = Readonly<{ row: number; batch: string; sentAt: number | null }>;
/** A list scan. `at` is the start of the scan in milliseconds since 1970. */
export type ScanNamed = Readonly<{ at: number; payments: number; pages: number; isComplete: boolean }>;
type SeenElsewhere = Readonly<{ paymentId: string; at: number | null }>;

export type { NearDifference, StoredReasons };

export type Difference =
  | Readonly<{ what: 'amount'; found: number; expected: number }>
  | Readonly<{ what: 'reference' | 'merchant'; found: string; expected: string | null }>;

export const because = (first: Reason, ...more: readonly Reason[]) => JSON.stringify([first, ...more]) as StoredReasons;

/** Returns the part of a move that holds a sent row. */
export const heldFor = (hold: Hold) => ({ to: 'held', reason: because(hold) }) as const;

export function reasonsIn(stored: StoredReasons | null): readonly Reason[] {
  if (stored === null) return [];
  const reasons: unknown = JSON.parse(stored);
  assert(Array.isArray(reasons), 'reasons are a list');
  return reasons as Reason[];
}

export const reasonOf = <K extends ReasonKind>(stored: StoredReasons | null, kind: K) =>
  (reasonsIn(stored).find((one) => one.kind === kind) as ReasonOf<K> | undefined) ?? null;

type HasReason = { readonly reason: StoredReasons | null };

export const isLookalike = ({ reason }: HasReason) => reasonOf(reason, 'looks-paid') !== null;

export const isHeldForAccountChange = ({ reason }: HasReason) => reasonOf(reason, 'account-changed') !== null;
