/** Reconciling: one pass over the service's payments finds what is already there under our tags, before anything is sent (design 4.4). */
import { isoTime } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { CallFailure, type ReadPayment, readPayment } from '../client/client.ts';
import { paymentEnd } from '../domain/payment.ts';
import { foldTag } from '../domain/tag.ts';
import type { BatchFacts, LedgerRow, Move, RowState } from '../ledger/ledger.ts';
import type { Deps } from './deps.ts';

export interface PassFacts {
  readonly pages: number;
  readonly payments: number;
  /** Rows whose payment was there already: made by a run that died, or by another ledger. */
  readonly adopted: number;
  /** Rows whose tag stands on a payment with other content, or on two. */
  readonly conflicts: number;
}

/** Reads GET /payments to its end and settles what it shows; throws PASS_INCOMPLETE (25) if the end was not reached. */
export async function reconcile(deps: Deps, batch: BatchFacts): Promise<PassFacts> {
  const { ledger, client, clock } = deps;
  const sightings = new Map<number, { row: LedgerRow; payments: ReadPayment[] }>();
  let pages = 0;
  let payments = 0;
  try {
    for await (const items of client.payments()) {
      pages += 1;
      payments += items.length;
      for (const item of items) await sight(deps, item, sightings);
      deps.progress({ stage: 'reconciling', done: payments, total: null });
    }
  } catch (error) {
    if (error instanceof CallFailure || (error instanceof PayrunError && error.code === 'SERVICE_ANSWER'))
      throw new PayrunError('PASS_INCOMPLETE', { detail: wordsOf(error) });
    throw error;
  }
  let adopted = 0;
  let conflicts = 0;
  for (const { row, payments } of sightings.values()) {
    const moves = movesFor(row, payments, clock.now());
    if (moves.length === 0) continue;
    await ledger.moveAll(moves);
    if (moves.at(-1)?.to === 'accepted') adopted += 1;
    else conflicts += 1;
  }
  await tellUnfound(deps, batch, payments);
  await ledger.record({
    batch: batch.name,
    row: null,
    what: 'pass',
    data: { pages, payments, adopted, conflicts },
  });
  return { pages, payments, adopted, conflicts };
}

/** Not found is not "not paid": the row stays in doubt, and says what was looked for and when. */
async function tellUnfound({ ledger, clock }: Deps, batch: BatchFacts, payments: number): Promise<void> {
  for (let afterId = 0; ; ) {
    const rows = await ledger.rows({ batch: batch.name, states: ['in_doubt'], afterId, limit: 500 });
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = last.id;
    for (const row of rows) {
      const reason = (row.reason ?? '').replace(/ Not among the .*$/, '');
      const looked = `Not among the payments (${payments}) that the service listed on ${isoTime(clock.now())}.`;
      await ledger.note(row, { reason: `${reason} ${looked} It may still come: do not pay it elsewhere.` });
    }
  }
}

async function sight(
  { ledger }: Deps,
  item: unknown,
  sightings: Map<number, { row: LedgerRow; payments: ReadPayment[] }>,
): Promise<void> {
  const payment = readPayment(item);
  const tag = foldTag(payment?.tag);
  if (payment === null || tag === null) return;
  const row = await ledger.rowByTag(tag);
  if (row === null || row.paymentId === payment.id) return;
  const seen = sightings.get(row.id);
  if (seen === undefined) sightings.set(row.id, { row, payments: [payment] });
  else if (seen.payments.every(({ id }) => id !== payment.id)) seen.payments.push(payment);
}

const adoptable: readonly RowState[] = ['ready', 'in_doubt', 'absent', 'held', 'refused'];

/** What the payments under a row's tag mean for the row: pure, so that every case can be seen in a table. */
export function movesFor(row: LedgerRow, payments: readonly ReadPayment[], now: number): Move[] {
  const living = payments.filter(({ status }) => paymentEnd(status ?? null) !== 'expired');
  const [first] = living.length > 0 ? living : payments;
  if (first === undefined) return [];
  const ids = payments.map(({ id }) => id);
  // Without a merchant to compare with, a living payment is a doubt that only a person can end.
  if (row.state === 'planned') return living.length === 0 ? [] : [held(row, first, ids)];
  if (adoptable.includes(row.state)) {
    if (!agrees(row, first)) return row.state === 'held' || row.state === 'refused' ? [] : [held(row, first, ids)];
    const accepted: Move = {
      row,
      from: row.state,
      to: 'accepted',
      paymentId: first.id,
      // By the service's date: a payment that another ledger made counts from then (design 4.1).
      submittedAt: Date.parse(first.date ?? '') || now,
      ...(first.status ? { paymentStatus: first.status } : {}),
      reason: null,
      data: { found: 'by its tag in the list of payments' },
    };
    return living.length > 1 ? [accepted, twice({ ...row, state: 'accepted' }, ids)] : [accepted];
  }
  const paidOrPending = row.state === 'accepted' || row.state === 'succeeded';
  return paidOrPending && living.length > 0 ? [twice(row, [row.paymentId ?? '', ...ids])] : [];
}

/** The same money to the same payee; a service may leave a field out of its list, and then it says nothing against it. */
function agrees(row: LedgerRow, payment: ReadPayment): boolean {
  const sameMerchant = payment.merchantId == null || payment.merchantId === row.merchantId;
  const sameAmount = payment.amount == null || payment.amount === row.amount;
  const reference = (JSON.parse(row.content) as { reference: string }).reference;
  const sameReference = payment.reference == null || payment.reference === reference;
  return sameMerchant && sameAmount && sameReference;
}

function held(row: LedgerRow, payment: ReadPayment, ids: readonly string[]): Move {
  return {
    row,
    from: row.state,
    to: 'held',
    reason: `Payment ${payment.id} bears this row's tag, but ${row.merchantId === null ? "its merchant is not known to be the row's" : 'pays another merchant, amount or reference'}. Nothing is sent for the row until a person has looked at it.`,
    data: { payments: ids },
  };
}

function twice(row: LedgerRow, ids: readonly string[]): Move {
  return {
    row,
    from: row.state,
    to: 'duplicate_paid',
    reason: `The service has ${ids.length} payments for this row: ${ids.join(', ')}. Ask the service to stop or return one of them.`,
    data: { payments: ids },
  };
}
