/** Follows open payments until they end, with few requests even for many payments. */
import pLimit from 'p-limit';
import { assert, PayrunError } from '../../base/errors.ts';
import { CallFailure, nullIfFailed, type ReadPayment, readPayment } from '../../client/client.ts';
import { changedDetails, depositIn } from '../../domain/amounts/deposit.ts';
import { isForeignWord } from '../../domain/sending/payment.ts';
import { because, type StoredReasons } from '../../domain/sending/reason.ts';
import { type BatchFacts, type LedgerRow, type Move, rowPages } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { seenPayment } from '../reconcile/list-scan.ts';
import { alarmIn, holdForWrongPayment, reconcile } from '../reconcile/reconcile.ts';
import { answerToStore } from './deposits.ts';
import { keptAnswer, readDetails } from './payment-details.ts';

const maxPauseMs = 5 * 60 * 1000;
/** Payrun reads up to this many open payments by id. For more, Payrun reads the list if that takes fewer requests. */
const fewPayments = 20;
const hintGapMs = 500;

/** Expired payments that webhook calls name, because the service may still pay them. A list scan sets `alarm`. */
interface Late {
  readonly ids: Set<string>;
  alarm: PayrunError | null;
}

/** Follows payments until they end, `waitMs` is over or the run stops. Returns a late payment's alarm, or null. */
export async function settle(deps: Deps, batch: BatchFacts): Promise<PayrunError | null> {
  const { clock, limits, stop } = deps;
  const untilMs = clock.monotonic() + limits.waitMs;
  let open = await countOpen(deps, batch);
  let total = open;
  const late: Late = { ids: new Set(), alarm: null };
  let pauseMs = limits.firstPollMs;
  let listPages = 0;
  while (open > 0 && limits.waitMs > 0 && !stop.aborted) {
    const leftMs = untilMs - clock.monotonic();
    if (leftMs <= 0) break;
    deps.progress({ stage: 'settling', done: total - open, total });
    await pauseOrHints(deps, batch, late, Math.min(pauseMs * (0.75 + clock.random() / 2), leftMs));
    if (stop.aborted) break;
    // Counts again, because payments that webhook calls reported must not change the pace of polling.
    if (deps.hints !== undefined) open = await countOpen(deps, batch);
    total = Math.max(total, open);
    listPages = await look(deps, batch, open, listPages);
    await askLate(deps, batch, late);
    const before = open;
    open = await countOpen(deps, batch);
    pauseMs = open < before ? Math.max(limits.firstPollMs, pauseMs / 1.5) : Math.min(pauseMs * 1.5, maxPauseMs);
  }
  // Reads payments that webhook calls named, even if the settings allow no wait.
  if (deps.hints?.waiting().aborted === true && !stop.aborted) await readHinted(deps, batch, late, deps.hints.take());
  deps.progress({ stage: 'settling', done: total - open, total });
  return late.alarm;
}

/** Waits for the next poll, and reads payments that webhook calls (hints) name. Ends early if no payment is open. */
async function pauseOrHints(deps: Deps, batch: BatchFacts, late: Late, pauseMs: number): Promise<void> {
  const { clock, stop, hints } = deps;
  if (hints === undefined) {
    await clock.sleep(pauseMs, stop);
    return;
  }
  const untilMs = clock.monotonic() + pauseMs;
  for (let leftMs = pauseMs; leftMs > 0 && !stop.aborted; leftMs = untilMs - clock.monotonic()) {
    await clock.sleep(leftMs, AbortSignal.any([stop, hints.waiting()]));
    if (!hints.waiting().aborted) continue;
    await clock.sleep(hintGapMs, stop);
    await readHinted(deps, batch, late, hints.take());
    if ((await countOpen(deps, batch)) === 0) return;
  }
}

/** Reads the payments that webhook calls named: open payments of this batch, and `Late` payments of any batch. */
async function readHinted(deps: Deps, batch: BatchFacts, late: Late, ids: readonly string[]): Promise<void> {
  const rows = new Map<number, LedgerRow>();
  for (const id of ids) {
    const row = await deps.ledger.rows.rowByPayment(id);
    if (row?.batch === batch.name && row.state === 'accepted') rows.set(row.id, row);
    if (row?.state === 'expired' || (await deps.ledger.rows.earlierPayment(id)) !== null) late.ids.add(id);
  }
  await askLate(deps, batch, late);
  // Ignores failed reads, because the next poll reads these payments again.
  await nullIfFailed<unknown>(rows.size > fewPayments ? readList(deps, batch) : readEach(deps, [...rows.values()]));
}

/** Reads the late payments. If one is no longer expired, a list scan checks all rows and may set the alarm. */
async function askLate(deps: Deps, batch: BatchFacts, late: Late): Promise<void> {
  const ids = [...late.ids];
  const limit = pLimit(deps.limits.concurrency);
  const check = async () => {
    const payments = await Promise.all(ids.map((id) => limit(async () => await deps.client.payment(id))));
    if (payments.some((payment) => payment !== null && deps.statuses.endOf(payment.status) !== 'expired'))
      late.alarm ??= await alarmIn(deps, await reconcile(deps, batch));
    for (const id of ids) late.ids.delete(id);
  };
  await nullIfFailed(check());
}

/** Throws if a payment of the row had expired, but the service no longer says so. Called before the row changes, closes or goes again. */
export async function requireStillExpired(
  { ledger, client, statuses }: Deps,
  { id, batch, key: row, number }: Pick<LedgerRow, 'id' | 'batch' | 'key' | 'number'>,
): Promise<void> {
  for (const expired of await ledger.rows.expiredPayments(id)) {
    const payment = await client.payment(expired);
    if (payment === null || statuses.endOf(payment.status) === 'expired') continue;
    throw new PayrunError('PAYMENT_ALIVE', { batch, row, number, payment: expired, status: payment.status ?? null });
  }
}

export async function lookOnce(deps: Deps, batch: BatchFacts): Promise<void> {
  if (deps.limits.waitMs > 0) await look(deps, batch, await countOpen(deps, batch), 0);
}

async function look(deps: Deps, batch: BatchFacts, open: number, listPages: number): Promise<number> {
  if (open === 0) return listPages;
  // Ignores a failed poll, because the next poll may succeed.
  if (open > Math.max(fewPayments, listPages)) return (await nullIfFailed(readList(deps, batch))) ?? listPages;
  await nullIfFailed(readOneByOne(deps, batch));
  return listPages;
}

async function countOpen({ ledger }: Deps, batch: BatchFacts): Promise<number> {
  const lines = await ledger.rows.counts(batch.name);
  return lines.filter(({ state }) => state === 'accepted').reduce((sum, { rows }) => sum + rows, 0);
}

async function readOneByOne(deps: Deps, batch: BatchFacts): Promise<void> {
  for await (const rows of openRows(deps, batch)) await readEach(deps, rows);
}

async function readEach(deps: Deps, rows: readonly LedgerRow[]): Promise<void> {
  const limit = pLimit(deps.limits.concurrency);
  await everyOne(rows.map((row) => limit(read, deps, row)));
}

async function readList(deps: Deps, batch: BatchFacts): Promise<number> {
  const { ledger, client, stop } = deps;
  const limit = pLimit(deps.limits.concurrency);
  let unseen = await countOpen(deps, batch);
  let pages = 0;
  for await (const items of client.payments()) {
    pages += 1;
    const moved: Promise<void>[] = [];
    const seen = new Set<string>();
    for (const item of items) {
      const payment = readPayment(item);
      if (payment === null || seen.has(payment.id)) continue;
      seen.add(payment.id);
      const row = await ledger.rows.rowByPayment(payment.id);
      if (row?.batch !== batch.name || row.state !== 'accepted') continue;
      unseen -= 1;
      // The interface does not show which fields of a payment the list leaves out (interface 4.21, 4.22). Payrun reads a
      // payment by its id if it ended without a statusLog, lacks a status, or has new or different deposit details.
      const lacksDetails =
        row.fromCountry !== null &&
        (row.serviceDetails === null ||
          changedDetails(readDetails(row.serviceDetails).details, depositIn(payment)).length > 0);
      const ended = payment.status == null || deps.statuses.endOf(payment.status) !== 'open';
      const isWhole = !lacksDetails && !(ended && !payment.statusLog);
      moved.push(limit(async () => await observe(deps, row, isWhole ? payment : await byId(deps, row, payment))));
    }
    await everyOne(moved);
    if (unseen <= 0 || stop.aborted) break;
  }
  return pages;
}

/** Waits for all reads and then throws the first failure, so that no read is still running at the next poll. */
async function everyOne(looks: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(looks);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function byId({ client }: Deps, row: LedgerRow, listed: ReadPayment | null = null): Promise<ReadPayment | null> {
  assert(row.paymentId !== null, 'what is followed is a payment');
  const read = client.payment(row.paymentId);
  return listed === null ? await read : ((await nullIfFailed(read)) ?? listed);
}

const read = async (deps: Deps, row: LedgerRow): Promise<void> => await observe(deps, row, await byId(deps, row));

/** Only `success`, `expired` (interface 2.8) and the words in the settings end a payment. */
async function observe({ ledger, clock, limits, statuses }: Deps, row: LedgerRow, payment: ReadPayment | null) {
  const forgotten = because({ kind: 'forgotten', paymentId: row.paymentId ?? '' });
  if (payment === null) {
    // A new payment may not be readable at once, so it counts as missing only after `visibleMs`.
    const known = clock.now() - Number(row.submittedAt) > limits.doubt.visibleMs;
    if (known && row.reason === null) await ledger.rows.note(row, { reason: forgotten });
    return;
  }
  const seen = seenPayment(payment, statuses);
  const hold = await holdForWrongPayment({ ledger }, row, seen);
  if (hold !== null) return await ledger.rows.move(hold);
  const reason = row.reason === forgotten ? null : row.reason;
  const status = payment.status ?? null;
  const end = statuses.endOf(status);
  const told = row.fromCountry === null ? keptAnswer(payment) : await answerToStore({ ledger, clock }, row, payment);
  if (end === 'open') {
    const lacksDetails =
      row.fromCountry !== null &&
      (row.serviceDetails === null ||
        readDetails(told).details.length > readDetails(row.serviceDetails).details.length);
    const known = status === null ? {} : { paymentStatus: status };
    if (lacksDetails || reason !== row.reason || (status !== null && status !== row.paymentStatus))
      await ledger.rows.note(row, { ...known, reason, serviceDetails: told });
    return;
  }
  const move: Move = {
    row,
    from: 'accepted',
    to: end === 'success' ? 'succeeded' : 'expired',
    paymentStatus: status,
    settledAt: clock.now(),
    // A paid row keeps its reason, for example a person's words. A different settled amount replaces the reason.
    reason: end === 'success' ? (otherSettled(row, payment) ?? reason) : expired(status),
    serviceDetails: told,
    ...(isForeignWord(status) ? { data: { takenAs: end } } : {}),
  };
  await ledger.rows.move(move);
}

const expired = (status: string | null) => because({ kind: 'expired', status: isForeignWord(status) ? status : null });

/** Returns a reason if amountSettled differs from the amount; null if not. The unit is unknown (interface 2.8). */
function otherSettled(row: LedgerRow, { amountSettled }: ReadPayment): StoredReasons | null {
  const amount = row.paidAmount ?? row.amount;
  return amountSettled == null || amountSettled === amount
    ? null
    : because({ kind: 'settled-amount', settled: amountSettled, amount });
}

/** Reads each payment with a funding source by its id. Returns how many reads failed. */
export async function lookAtDeposits(deps: Deps, batch: BatchFacts): Promise<number> {
  const limit = pLimit(deps.limits.concurrency);
  let unasked = 0;
  const ask = async (row: LedgerRow) => {
    try {
      await read(deps, row);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      unasked += 1;
    }
  };
  for await (const rows of openRows(deps, batch))
    await everyOne(rows.filter(({ fromCountry }) => fromCountry !== null).map((row) => limit(ask, row)));
  return unasked;
}

const openRows = ({ ledger }: Deps, { name }: BatchFacts) => rowPages(ledger, { batch: name, states: ['accepted'] });
