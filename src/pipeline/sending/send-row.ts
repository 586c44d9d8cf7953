/** Sends one row: commits its intent, sends POST /payments and records the answer (docs/explanation/safety.md). */
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { PayrunError } from '../../base/errors.ts';
import { eachOf } from '../../base/words.ts';
import { CallFailure, type CreatedPayment } from '../../client/client.ts';
import { depositIn } from '../../domain/amounts/deposit.ts';
import type { RailSpan } from '../../domain/calendar/rail-limit.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { foldTag } from '../../domain/rows/tag.ts';
import { momentText, sharedCauseMs } from '../../domain/sending/doubt.ts';
import { because, type StoredReasons } from '../../domain/sending/reason.ts';
import type { Fleet, LedgerRow, Move, RowFacts, RowState } from '../../ledger/ledger.ts';
import { type PaymentCreate, paymentCreate } from '../../wire/payment.ts';
import { outsideWindow } from '../controls/pay-window.ts';
import { railsNow } from '../controls/rail-limits.ts';
import type { Deps, Webhook } from '../deps.ts';
import { momentNow } from '../reconcile/list-scan.ts';
import { keptAnswer } from '../settle/payment-details.ts';
import { asStop, backoffMs } from './backoff.ts';

/** How long an intent is valid. A machine that wakes from sleep must not send an old intent. */
export const sendWindowMs = 5000;
/** How many consecutive doubts open the breaker. Doubts with a shared cause count once. */
export const maxDoubtsInARow = 3;
const maxPatience = 5;

export interface PayOptions {
  readonly sourceWords: ReadonlyMap<string, string>;
  /** True if a row of the batch collects its money from a phone. The run then sends one row at a time. */
  readonly collecting: boolean;
  readonly beganAt: number;
  /** How many canaries to send; a refused row ends the sending. Null sends all rows. */
  readonly most: number | null;
}

/** One witness entry covers intents for this long, so that not every intent needs an entry. */
export const witnessAheadMs = 20_000;

/** Records in the witness that the run may write intents until `lastIntent`. Reports only a failed first write. */
export async function extendWitness(run: Pick<PayRun, 'deps' | 'witnessedUntil'>, lastIntent: number): Promise<void> {
  const { witness, ledger, say } = run.deps;
  if (witness === undefined) return;
  const failed = witness.write(ledger.id, { ...(await ledger.trail.head()), lastIntent });
  if (failed !== null && run.witnessedUntil === 0) say({ note: 'witness-unwritten', why: failed });
  run.witnessedUntil = lastIntent;
}

export interface PayRun {
  readonly deps: Deps;
  readonly options: PayOptions;
  readonly total: number;
  sent: number;
  done: number;
  refusedInARow: number;
  doubtsInARow: number;
  lastDoubt: { readonly at: number; readonly reason: StoredReasons | null };
  /** The ids of rows that this run put in doubt, until a scan settles them. */
  readonly unsettled: Set<number>;
  /** The countries and funding sources with a successful probe, such as `Kenya|USDT`. */
  readonly proven: Set<string>;
  openings: number;
  tripped: boolean;
  /** The number of consecutive waits for a busy or unreachable service. */
  patience: number;
  /** The run sends no row before this time of the monotonic clock, because a busy service is busy for all rows. */
  openAt: number;
  /** The wall-clock time until which the witness allows intents. */
  witnessedUntil: number;
  /** True if rows have payments of earlier revisions. The ledger's uniqueness check does not cover these payments. */
  readonly hasEarlier: boolean;
  stopped: PayrunError | null;
  later: PayrunError | null;
  /** True after an unexpected failure, such as a failed write. The run then sends nothing more. */
  broken: boolean;
  slower?: (waitMs: number) => void;
  /** The fleet member that claimed the rows; null outside a fleet. A fleet itself counts refusals and doubts. */
  member: Member | null;
}

export interface Member {
  readonly name: string;
  readonly fleet: Fleet;
}

export async function newRun(deps: Deps, options: PayOptions, total: number): Promise<PayRun> {
  return {
    deps,
    options,
    total,
    ...eachOf(0, 'sent done refusedInARow doubtsInARow openings patience openAt witnessedUntil'),
    ...eachOf(null, 'stopped later member'),
    ...eachOf(false, 'tripped broken'),
    lastDoubt: { at: Number.NEGATIVE_INFINITY, reason: null },
    unsettled: new Set(),
    proven: new Set(),
    hasEarlier: await deps.ledger.rows.hasEarlierPayments(null),
  };
}

export const halted = (run: PayRun): boolean =>
  run.stopped !== null || run.later !== null || run.broken || run.tripped || run.deps.stop.aborted;

/** Sends a row. Tries again after a refused token or a busy answer. Returns null if no payment was accepted. */
export async function payRow(run: PayRun, row: LedgerRow, isProbe: boolean): Promise<Accepted | null> {
  const body = paymentBody(row, run.options.sourceWords, run.deps.webhook);
  let refusedTokens = 0;
  for (;;) {
    await openGate(run);
    if (halted(run)) return null;
    await run.deps.client.ready();
    run.later ??= outsideWindow(run.deps);
    if (run.later !== null || isBeyond(row, railsNow(run.deps))) return null;
    const intent = await writeIntent(run, row, body);
    if (intent === 'abandoned') continue;
    reportProgress(run);
    const answer = await ask(run, row, body);
    if ('id' in answer) return answer;
    const { failure } = answer;
    if (failure.status === 401 || failure.status === 403) {
      const last = refusedTokens > 0;
      refusedTokens += 1;
      if (last) return await unauthorized(run, row, failure, isProbe);
      await leave(run, row, 'ready', { reason: because({ kind: 'not-sent', failure: failure.fault }) });
      await run.deps.client.reauthenticate();
    } else if (failure.outcome !== 'not-sent' || !patient(run, failure)) return null;
  }
}

/** An accepted payment. `written` resolves to false if the ledger did not record the payment for its row. */
interface Accepted {
  readonly id: string;
  readonly written: Promise<boolean>;
}

/** Moves the row. If the fleet member's claim has expired, only records the answer in the trail and returns false. */
async function leave(run: PayRun, row: LedgerRow, to: RowState, facts: RowFacts, tag: unknown = null) {
  const move: Move = { row, from: 'sending', to, ...facts };
  if (run.member !== null) return await run.member.fleet.answer(run.member.name, move, foldTag(tag) === row.tag);
  await run.deps.ledger.rows.move(move);
  return true;
}

/** Sends a claimed row. Returns null if no payment was accepted. After a refused token, a later claim sends the row. */
export async function payClaimed(run: PayRun, row: LedgerRow, claimed: Claimed): Promise<Accepted | null> {
  const { clock, client } = run.deps;
  const { name, fleet } = run.member!;
  if (isLate(clock, claimed) || halted(run)) {
    await fleet.giveBack(name, row);
    return null;
  }
  const answer = await ask(run, row, paymentBody(row, run.options.sourceWords, run.deps.webhook));
  if ('id' in answer) return answer;
  const { failure } = answer;
  if (failure.status === 401 || failure.status === 403) {
    if (claimed.turnedAway.has(row.id)) return await unauthorized(run, row, failure, false);
    claimed.turnedAway.add(row.id);
    await leave(run, row, 'ready', { reason: because({ kind: 'not-sent', failure: failure.fault }) });
    await client.reauthenticate();
  } else if (failure.outcome === 'not-sent') patient(run, failure);
  return null;
}

interface Claimed {
  /** When the claim was requested: `wall` by the wall clock, `steady` by the monotonic clock. */
  readonly wall: number;
  readonly steady: number;
  /** The ids of rows for which the service refused this process's token. */
  readonly turnedAway: Set<number>;
}

/** Stops the run after a second 401 or 403. If reads still work after a 403, refuses only the row (but not a probe). */
async function unauthorized(run: PayRun, row: LedgerRow, failure: CallFailure, isProbe: boolean): Promise<null> {
  const mayRead = failure.status === 403 && (await mayStillRead(run.deps));
  if (mayRead && !isProbe) {
    await leaveRefused(run, row, failure);
    return null;
  }
  await leave(run, row, 'ready', { reason: because({ kind: 'not-sent', failure: failure.fault }) });
  const hint = mayRead ? 'user-token-needed' : null;
  run.stopped ??= new PayrunError('CREDENTIALS_REFUSED', { why: failure.fault, hint });
  return null;
}

/** Records a refusal. Many consecutive refusals stop the run, because their cause is rarely in the rows. */
async function leaveRefused(run: PayRun, row: LedgerRow, { fault: failure }: CallFailure): Promise<void> {
  const reason = because({ kind: 'refused', failure });
  const written = await leave(run, row, 'refused', { reason });
  if (!written || run.member !== null) return;
  run.refusedInARow += 1;
  const { refusals } = run.deps.limits.breaker;
  if (run.refusedInARow >= refusals)
    run.stopped ??= new PayrunError('REFUSED_IN_A_ROW', { count: run.refusedInARow, reason });
  settled(run);
}

function isBeyond({ country, currency, amount }: LedgerRow, spans: readonly RailSpan[]): boolean {
  const span = spans.find((one) => one.country === country && one.currency === currency);
  return span !== undefined && (amount < span.least || amount > span.most);
}

/** True if the intent or claim is too old. Checks two clocks, because each of them can stand still. */
const isLate = (clock: Clock, { wall, steady }: Pick<Claimed, 'wall' | 'steady'>): boolean =>
  clock.now() - wall > sendWindowMs || clock.monotonic() - steady > sendWindowMs;

/** Throws if the row's content does not match its hash. No other check notices a damaged value. */
export function requireContent({ content, contentHash, key, batch }: LedgerRow): void {
  if (sha256(content) !== contentHash)
    throw new PayrunError('LEDGER_DAMAGED', { why: { fault: 'row-was-changed', row: key, batch } });
}

async function writeIntent(run: PayRun, row: LedgerRow, body: PaymentCreate): Promise<'written' | 'abandoned'> {
  const { ledger, clock } = run.deps;
  requireContent(row);
  const wall = clock.now();
  const steady = clock.monotonic();
  const { merchantId, amount } = body;
  if (wall >= run.witnessedUntil) await extendWitness(run, wall + witnessAheadMs);
  await ledger.rows.move({
    row,
    from: 'ready',
    to: 'sending',
    attempted: 1,
    submittedAt: wall,
    sentMoment: momentText(momentNow(run.deps)),
    missed: null,
    reason: null,
    data: { tag: row.tag, merchantId, amount },
  });
  const late = isLate(clock, { wall, steady });
  if (!late && !run.broken) return 'written';
  const reason = because({ kind: late ? 'paused-before-sending' : 'ended-before-sending' });
  await ledger.rows.move({ row, from: 'sending', to: 'ready', reason });
  return 'abandoned';
}

/** Sends the request once and records the outcome. The caller handles 401 and 403, and may await `written`. */
async function ask(run: PayRun, row: LedgerRow, body: PaymentCreate): Promise<Accepted | { failure: CallFailure }> {
  let created: CreatedPayment;
  try {
    created = await run.deps.client.createPayment(body);
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { fault: failure } = error;
    if (error.outcome === 'unknown') {
      const reason = because({ kind: 'answer-lost', failure });
      if (await leave(run, row, 'in_doubt', { reason })) inDoubt(run, row, reason);
    } else if (error.status === 401 || error.status === 403) {
      // Records nothing, because the caller first tries a new token.
    } else if (error.outcome === 'refused') {
      await leaveRefused(run, row, error);
    } else await leave(run, row, 'ready', { reason: because({ kind: 'not-sent', failure }) });
    return { failure: error };
  }
  return { id: created.id, written: writeAccepted(run, row, created) };
}

/** Records the accepted payment. Returns false if the claim had expired, or if another row already has the payment. */
async function writeAccepted(run: PayRun, row: LedgerRow, { id, payment, body }: CreatedPayment): Promise<boolean> {
  run.sent += 1;
  const earlier = run.hasEarlier ? await run.deps.ledger.rows.earlierPayment(id) : null;
  if (earlier !== null) return await leaveToOther(run, row, id, await run.deps.ledger.rows.row(earlier.row));
  try {
    const facts = {
      paymentId: id,
      acceptedAt: run.deps.clock.now(),
      ...(payment?.status ? { paymentStatus: payment.status } : {}),
      // The answer may say where to deposit the money (interface 4.20). If not, Payrun fetches the payment later.
      ...(row.fromCountry === null || depositIn(body).length === 0 ? {} : { serviceDetails: keptAnswer(body) }),
    };
    if (!(await leave(run, row, 'accepted', facts, payment?.tag))) return false;
  } catch (error) {
    const other = await run.deps.ledger.rows.rowByPayment(id);
    if (other === null) throw error;
    return await leaveToOther(run, row, id, other);
  }
  run.refusedInARow = 0;
  settled(run);
  return true;
}

async function leaveToOther(run: PayRun, row: LedgerRow, id: string, other: LedgerRow | null): Promise<false> {
  const named = other === null ? {} : { row: other.key, batch: other.batch };
  const reason = because({ kind: 'answered-with-other-payment', paymentId: id, ...named });
  run.sent -= 1;
  if (await leave(run, row, 'in_doubt', { reason })) inDoubt(run, row, reason);
  return false;
}

function settled(run: PayRun): void {
  run.doubtsInARow = 0;
  run.patience = 0;
  run.done += 1;
  reportProgress(run);
}

function reportProgress({ member, deps, done, total }: PayRun): void {
  if (member === null) deps.progress({ stage: 'paying', done, total });
}

function inDoubt(run: PayRun, row: LedgerRow, reason: StoredReasons): void {
  if (run.member !== null) return;
  const at = run.deps.clock.monotonic();
  const shared = at - run.lastDoubt.at < sharedCauseMs && reason === run.lastDoubt.reason;
  run.done += 1;
  run.unsettled.add(row.id);
  if (!shared) run.doubtsInARow += 1;
  run.lastDoubt = { at, reason };
  if (run.doubtsInARow >= maxDoubtsInARow || run.unsettled.size > mostDoubts(run)) run.tripped = true;
}

/** Returns how many unsettled doubts the breaker allows: `rows`, or `percent` of the batch if that is more. */
export function mostDoubts({ deps, total }: PayRun): number {
  const { doubts } = deps.limits.breaker;
  return Math.max(doubts.rows, (doubts.percent * total) / 100);
}

/** Makes all rows wait if the service is unavailable. After five waits in a row, stops the run and returns false. */
function patient(run: PayRun, failure: CallFailure): boolean {
  const { clock } = run.deps;
  const now = clock.monotonic();
  // Requests that were under way together fail together, and count as one failure.
  if (now >= run.openAt) {
    run.patience += 1;
    run.openAt = now + backoffMs(failure, run.patience, clock.random());
    if (failure.status === 429) run.slower?.(run.openAt - now);
  }
  if (run.patience <= maxPatience) return true;
  run.stopped ??= asStop(run.deps, failure);
  return false;
}

export async function openGate(run: PayRun): Promise<void> {
  const { clock, stop } = run.deps;
  const leftMs = () => run.openAt - clock.monotonic();
  for (let waitMs = leftMs(); waitMs > 0 && !stop.aborted; waitMs = leftMs()) await clock.sleep(waitMs, stop);
}

async function mayStillRead({ client }: Deps): Promise<boolean> {
  try {
    for await (const _page of client.payments()) return true;
    return true;
  } catch {
    return false;
  }
}

export function paymentBody(row: LedgerRow, sourceWords: ReadonlyMap<string, string>, webhook?: Webhook) {
  const content = rowOfContent(row.content, row.number);
  const { amount, reference, type, fromCountry, collectionMethod, slow, ownTag } = content;
  const meta = { ...(collectionMethod === null ? {} : { collectionMethod }), ...(ownTag === null ? {} : { ownTag }) };
  return paymentCreate.parse({
    merchantId: row.merchantId,
    amount,
    reference,
    tag: row.tag,
    ...(type === null ? {} : { type }),
    ...(fromCountry === null ? {} : { fromCountry: sourceWords.get(fromCountry) ?? fromCountry }),
    ...(Object.keys(meta).length === 0 ? {} : { meta: JSON.stringify(meta) }),
    ...(slow ? { isSlowPayment: true } : {}),
    ...(webhook === undefined ? {} : { webhookUrl: webhook.url }),
    ...(webhook?.secret ? { webhookSecret: webhook.secret.reveal() } : {}),
  });
}
