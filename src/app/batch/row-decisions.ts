/** A person's decisions about rows that no scan can settle, and the checks before each decision. */
import type { Signature } from '../../approval/approval.ts';
import { PayrunError } from '../../base/errors.ts';
import { type RowDecisionKind, type RowOfBatch, someOf } from '../../base/refusal.ts';
import type { ReadPayment } from '../../client/client.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { foldTag, tagOf } from '../../domain/rows/tag.ts';
import { elapsedMs } from '../../domain/sending/doubt.ts';
import { because, heldFor, isHeldForAccountChange, type Reason } from '../../domain/sending/reason.ts';
import {
  type BatchFacts,
  isListed,
  type Ledger,
  type LedgerRow,
  type Move,
  type RowState,
  wordOfRow,
} from '../../ledger/ledger.ts';
import type { Deps } from '../../pipeline/deps.ts';
import { notedRow } from '../../pipeline/doubt-step.ts';
import { knownMatches, namedIn } from '../../pipeline/duplicates/duplicates.ts';
import { planAgain, signingOf } from '../../pipeline/opened-with.ts';
import type { BatchOrder } from '../../pipeline/order.ts';
import { payeeReader } from '../../pipeline/payees/register-payees.ts';
import { requireSameIdentity } from '../../pipeline/plans/plan.ts';
import { sentMomentOf } from '../../pipeline/reconcile/absence.ts';
import { momentNow, seenPayment } from '../../pipeline/reconcile/list-scan.ts';
import { agrees, otherAmount } from '../../pipeline/reconcile/match-payments.ts';
import { reconcile, refuseAlarm, type ScanFacts } from '../../pipeline/reconcile/reconcile.ts';
import { holdAlike } from '../../pipeline/reconcile/run-scans.ts';
import { requireSeen, rowAsSeen, type Seen, standingOf } from '../../pipeline/seen.ts';
import { stopOf } from '../../pipeline/sending/backoff.ts';
import { knowChange } from '../../pipeline/settle/deposits.ts';
import type { NamedRows } from './command.ts';
import { leadBatch } from './find-batch.ts';

/** Leads the batch for a decision of a person. Throws for another service too. */
export async function openBatch(deps: Deps, { batch: name }: Pick<BatchOrder, 'batch'>): Promise<BatchFacts> {
  const batch = await leadBatch(deps.ledger, name);
  await requireSameIdentity(deps, batch);
  await deps.client.ready().catch((error: unknown) => {
    throw stopOf(deps, error);
  });
  return batch;
}

type RowsAsSeen = { readonly named: readonly NamedRows[]; readonly seen?: Seen | undefined };

/** Returns each named row once. If the words can mean different rows, `seen` says which. */
export async function rowsNamed({ ledger }: Pick<Deps, 'ledger'>, batch: BatchFacts, { named, seen }: RowsAsSeen) {
  const whole = named.map((one) => ('row' in one ? one.row : one.list));
  const parts = named.flatMap((one) => ('row' in one ? [one.row] : one.list.split(',').map((part) => part.trim())));
  const called = new Map<string, readonly LedgerRow[]>();
  for (const said of new Set([...whole, ...parts])) called.set(said, await rowsCalled(ledger, batch, said));
  const readings = new Map<string, readonly LedgerRow[]>();
  let unknown = '';
  for (const [words, at] of [[whole, 0] as const, [parts, 0] as const, [parts, -1] as const]) {
    const found = words.map((said) => called.get(said)?.at(at));
    const rows = [...new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]]))).values()];
    if (found.includes(undefined)) unknown = words[found.indexOf(undefined)] ?? '';
    else readings.set(await standingOf(ledger, rows), rows);
  }
  const [first, ...others] = readings.values();
  if (first === undefined)
    throw new PayrunError('ROW_UNKNOWN', { batch: batch.name, sheet: batch.sheet.name, row: unknown });
  if (others.length === 0 || seen?.rows !== undefined) return readings.get(seen?.rows ?? '') ?? first;
  const shown = Array.from(parts[1] ? [] : readings, ([state, [row]]) => ({ row: notedRow(row!), seen: state }));
  throw new PayrunError('ROWS_AMBIGUOUS', { batch: batch.name, said: whole.join(','), readings: shown });
}

/** Leads the batch for a decision about rows. Throws while a plan waits, because it shows the rows as they are. */
export async function openRows(deps: Deps, order: Pick<BatchOrder, 'batch'> & RowsAsSeen) {
  const batch = await openBatch(deps, order);
  deps.ledger.holds.requireNoProposal(batch.name);
  const rows = await rowsNamed(deps, batch, order);
  await requireSeen(deps.ledger, batch, order.seen, rows);
  return { batch, rows };
}

export async function rowsCalled(ledger: Ledger, batch: BatchFacts, said: string): Promise<LedgerRow[]> {
  const byKey = await ledger.rows.rowByKey(batch.name, said);
  const number = /^[1-9]\d{0,8}$/.test(said) ? Number(said) : null;
  const [listed] = number === null ? [] : await ledger.rows.rowsByNumber(batch.name, batch.sheet.id, number - 1, 1);
  const byNumber = listed?.number === number ? await ledger.rows.row(listed.id) : null;
  return [byKey, byNumber?.id === byKey?.id ? null : byNumber].filter((row) => row !== null);
}

const open: readonly RowState[] = ['in_doubt', 'absent', 'withheld', 'held'];

export interface Decided {
  readonly why: string;
  readonly by: string | null;
  readonly signature?: Signature | null;
}

/** Runs `resolve --paid ID`. The payment must have a tag of the row, or else pay exactly what the row says. */
export async function resolvePaid(
  deps: Deps,
  row: LedgerRow,
  { payment: paymentId, by }: { readonly payment: string; readonly by: string | null },
): Promise<Note> {
  const { ledger, client } = deps;
  requireNotClosed(row);
  if (row.paymentId === paymentId && !open.includes(row.state))
    return { note: 'payment-known-already', row: row.key, payment: paymentId };
  requireOpen(row, open, 'paid');
  const payed = { ...placeOf(row), payment: paymentId };
  const earlier = await ledger.rows.earlierPayment(paymentId);
  const owner =
    (await ledger.rows.rowByPayment(paymentId)) ?? (earlier === null ? null : await ledger.rows.row(earlier.row));
  if (owner !== null && owner.id !== row.id)
    throw new PayrunError('PAYMENT_OF_OTHER_ROW', { ...payed, other: placeOf(owner) });
  const payment = await client.payment(paymentId);
  if (payment === null) throw new PayrunError('PAYMENT_NOT_AT_SERVICE', payed);
  const tag = foldTag(payment.tag);
  const revision = tag === null ? null : revisionOf(row, tag);
  const named = tag === null || revision !== null ? null : await ledger.rows.rowByTag(tag);
  if (named !== null) throw new PayrunError('PAYMENT_OF_OTHER_ROW', { ...payed, other: placeOf(named) });
  // While a payment may still appear under the row's own tag, no payment with another tag is accepted.
  if (tag !== row.tag) requireHorizon(deps, row);
  if (deps.statuses.endOf(payment.status) === 'expired') throw new PayrunError('PAYMENT_EXPIRED', payed);
  const agreed = await paysRow(deps, row, payment);
  // The row may have been corrected after it was sent, so a payment under one of its tags may differ from it.
  if (!agreed && revision === null) throw new PayrunError('PAYMENT_DIFFERS', payed);
  const why = saidPaid(row, payment, { own: revision !== null, agreed });
  const reason = why === null ? null : because(why);
  const { merchantId, amount, reference } = payment;
  const move = {
    row,
    from: row.state,
    to: 'accepted',
    paymentId,
    ...otherAmount(row, amount ?? null),
    acceptedAt: deps.clock.now(),
    ...(payment.status ? { paymentStatus: payment.status } : {}),
    ...(revision === null || tag === null || tag === row.tag ? {} : { revision, tag }),
    reason,
    ...(reason === null ? {} : { evidence: reason }),
    data: { said: 'paid', by, own: revision !== null, ...(agreed ? {} : { paid: { merchantId, amount, reference } }) },
  } as const;
  // If the payment was made elsewhere, a later scan is complete even if it shows no tag of ours on this payment.
  await (revision === null ? ledger.rows.markGone(paymentId, null, move) : ledger.rows.move(move));
  return {
    note: 'payment-accepted',
    row: row.key,
    payment: paymentId,
    status: payment.status ?? null,
    paid: agreed ? row.amount : (amount ?? null),
    planned: row.amount,
  };
}

/** How many revisions above the row's own are tried. No two tags are equal, so a large number does no harm. */
const farAbove = 100;

/** Finds the revision with this tag. A lost ledger may have made a newer revision than the row's own, so newer ones are tried too. */
function revisionOf(row: LedgerRow, tag: string): number | null {
  for (let revision = 0; revision <= row.revision + farAbove; revision += 1)
    if (tagOf(row.batch, row.key, revision) === tag) return revision;
  return null;
}

function saidPaid(
  row: LedgerRow,
  { amount, reference }: ReadPayment,
  { own, agreed }: { own: boolean; agreed: boolean },
): Reason | null {
  if (!own) return { kind: 'said-paid-elsewhere' };
  if (agreed) return null;
  const plannedReference = rowOfContent(row.content, row.number).reference;
  const found = { amount: amount ?? null, reference: reference ?? null };
  return { kind: 'said-paid', ...found, planned: row.amount, plannedReference };
}

async function paysRow(deps: Deps, row: LedgerRow, payment: ReadPayment): Promise<boolean> {
  // A row without a merchant has none to compare, so the person's word decides that the payee is right.
  const named = { ...row, merchantId: row.merchantId ?? payment.merchantId ?? null };
  const seen = [{ revision: row.revision, payment: seenPayment(payment, deps.statuses) }];
  const told = await payeeReader(deps)({ row: named, seen });
  return told.seen.every((one) => agrees(told.row, one.payment));
}

/** Runs `resolve --not-paid`. Two complete scans after the horizon must not find a payment of the row. */
export async function resolveNotPaid(deps: Deps, batch: BatchFacts, row: LedgerRow, said: Decided): Promise<Note> {
  const { ledger } = deps;
  requireNotClosed(row);
  if (row.state === 'absent') return { note: 'absent', row: row.key };
  requireOpen(row, open, 'not-paid');
  if (row.state === 'withheld') throw await refusalOfHeld(ledger, row);
  requireHorizon(deps, row);
  await scanTwice(deps, batch, async (facts) => {
    if (facts.incomplete !== null) throw new PayrunError('PASS_INCOMPLETE', { why: facts.incomplete });
    const living = facts.living.get(row.id);
    if (living !== undefined) throw new PayrunError('PAYMENT_FOUND', { ...placeOf(row), payment: living });
  });
  const now = await ledger.rows.row(row.id);
  // The scans may have released the row already, under the policy `resend`.
  if (now === null || now.state === 'absent' || now.state === 'ready') return { note: 'absent', row: row.key };
  requireOpen(now, open, 'not-paid');
  const reason = because({ kind: 'said-not-paid', why: said.why });
  await ledger.rows.move({ row: now, from: now.state, to: 'absent', reason, data: { said: 'not paid', ...said } });
  return { note: 'absent', row: row.key };
}

async function scanTwice(deps: Deps, batch: BatchFacts, check: (facts: ScanFacts) => Promise<void>): Promise<void> {
  for (const pass of [1, 2]) {
    if (pass === 2) await deps.clock.sleep(deps.limits.doubt.confirmMs, deps.stop);
    if (deps.stop.aborted) throw new PayrunError('STOPPED', { signal: null, hasEnded: true });
    const facts = await reconcile(deps, batch);
    await refuseAlarm(deps, facts);
    await check(facts);
  }
}

/** Runs `resolve --release-absent` for one row, or for all absent rows. A row that the newest sheet lacks would never be sent. The next run scans before it sends. */
export async function releaseAbsent(
  { ledger }: Deps,
  batch: BatchFacts,
  rows: readonly LedgerRow[],
  said: Decided,
): Promise<Note> {
  for (const row of rows) requireOpen(row, ['absent'], 'release-absent');
  const left = rows.find((row) => !isListed(row, batch));
  if (left !== undefined) {
    const command = planAgain(batch, await signingOf(ledger));
    throw new PayrunError('ROW_NOT_LISTED', { ...placeOf(left), command });
  }
  if (rows.length === 0) return { note: 'nothing-absent' };
  const reason = because({ kind: 'said-released', why: said.why });
  const released = { from: 'absent', to: 'ready', missed: null, reason, data: { said: 'release', ...said } } as const;
  await ledger.rows.moveAll(rows.map((row) => ({ row, ...released })));
  return { note: 'absent-released', batch: batch.name, rows: someOf(rows, notedRow), by: said.by };
}

/** Runs `resolve --not-a-repeat`: releases a held look-alike. Throws if its scan shows a payment of the row, or one that its reasons lacked. */
export async function releaseRepeat(deps: Deps, batch: BatchFacts, row: LedgerRow, said: Decided): Promise<Note> {
  requireNotClosed(row);
  if (row.allowed !== null && row.state !== 'withheld') return { note: 'released-already', row: row.key };
  requireOpen(row, ['withheld'], 'release-repeat');
  const { ledger } = deps;
  if (isHeldForAccountChange(row)) throw await refusalOfHeld(ledger, row);
  const known = await knownMatches(deps, batch, row);
  const facts = await reconcile(deps, batch);
  await refuseAlarm(deps, facts);
  if (facts.incomplete !== null) throw new PayrunError('PASS_INCOMPLETE', { why: facts.incomplete });
  await holdAlike(deps, batch);
  const now = await ledger.rows.row(row.id);
  const found = facts.living.get(row.id);
  if (found !== undefined || now?.state !== 'withheld')
    throw new PayrunError('PAYMENT_FOUND', { ...placeOf(row), payment: found ?? now?.paymentId ?? '' });
  const shown = namedIn(row);
  if (namedIn(now).some((match) => !shown.includes(match))) throw await refusalOfHeld(ledger, now);
  const data = { said: 'not a repeat', ...said };
  const allowed = JSON.stringify(known);
  await ledger.rows.move({ row: now, from: 'withheld', to: unheld(now), allowed, reason: null, data });
  return { note: 'no-repeat', batch: row.batch, row: notedRow(row), by: said.by };
}

/** Runs `resolve --known`: the row keeps its state, and the other rows of its batch continue. */
export async function resolveKnown({ ledger }: Deps, row: LedgerRow, reason: string): Promise<Note> {
  const changed = await knowChange(ledger, row, reason);
  if (changed !== null) return changed;
  const copied = (await ledger.duplicates.livingCopies(row.batch)).some(({ row: one, copy }) =>
    [one.id, copy.id].includes(row.id),
  );
  if (!copied) requireOpen(row, ['duplicate', 'duplicate_paid'], 'known');
  await ledger.duplicates.know(row, reason);
  return { note: 'row-known', batch: row.batch, row: row.key, is: wordOfRow(row) };
}

/** Runs `resolve --payment ID --gone`: a lost payment no longer makes each scan incomplete. Throws if the service shows it. */
export async function resolveGone(deps: Deps, batch: BatchFacts, paymentId: string, reason: string): Promise<Note> {
  const { ledger, client } = deps;
  const row = await ledger.rows.rowByPayment(paymentId);
  if (row === null) throw new PayrunError('PAYMENT_UNKNOWN', { payment: paymentId });
  const there = new PayrunError('PAYMENT_NOT_GONE', { ...placeOf(row), payment: paymentId });
  await scanTwice(deps, batch, async () => {
    if (ledger.passes.holds(paymentId)) throw there;
  });
  if ((await client.payment(paymentId)) !== null) throw there;
  const isHeld = row.state === 'accepted';
  const said = heldFor({ kind: 'said-gone', paymentId, why: reason });
  const move: Move = { row, from: row.state, ...said, data: { said: 'gone', why: reason } };
  await ledger.rows.markGone(paymentId, reason, isHeld ? move : null);
  return { note: 'payment-not-looked-for', payment: paymentId, row: row.key, isHeld };
}

/** Returns the state after the release of a withheld row. A row without a merchant is planned again, to get a merchant first. */
export const unheld = ({ merchantId }: Pick<LedgerRow, 'merchantId'>) => (merchantId === null ? 'planned' : 'ready');

export function requireOpen(row: LedgerRow, states: readonly RowState[], asked: RowDecisionKind): void {
  requireNotClosed(row);
  if (!states.includes(row.state))
    throw new PayrunError('ROW_IN_OTHER_STATE', { ...placeOf(row), state: wordOfRow(row), asked });
}

export function requireNotClosed(row: LedgerRow): void {
  if (wordOfRow(row) !== 'closed') return;
  throw new PayrunError('ROW_IS_CLOSED', explained(row));
}

export const placeOf = ({ batch, key }: LedgerRow): RowOfBatch => ({ batch, row: key });

export function explained(row: LedgerRow): RowOfBatch & { readonly command: ActionNamed } {
  return { ...placeOf(row), command: { action: 'explain-row', ...placeOf(row), named: null } };
}

/** Returns the refusal of a decision that does not release the held row: it waits for another decision. */
async function refusalOfHeld(ledger: Ledger, row: LedgerRow): Promise<PayrunError> {
  const of = { ...(await rowAsSeen(ledger, row)), signs: await signingOf(ledger), named: null };
  if (isHeldForAccountChange(row))
    return new PayrunError('ROW_HELD_FOR_ACCOUNT', { ...placeOf(row), command: { action: 'release-row', ...of } });
  const command: ActionNamed = { action: 'allow-repeat', ...of };
  return new PayrunError('ROW_LOOKS_PAID', { ...placeOf(row), reason: row.reason!, command });
}

/** Throws before the horizon has passed, because the payment of the last attempt may still appear. */
function requireHorizon(deps: Deps, row: LedgerRow): void {
  if (row.attempts === 0) return;
  const { deadlineMs, horizonMs } = deps.limits.doubt;
  const now = momentNow(deps);
  const left = deadlineMs + horizonMs - elapsedMs(sentMomentOf(row), now);
  if (left > 0) throw new PayrunError('PAYMENT_MAY_APPEAR', { ...placeOf(row), after: now.wall + left });
}
