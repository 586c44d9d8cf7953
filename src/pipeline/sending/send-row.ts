/** One row, sent once: its intent is on the disk before its payment is asked for, and what the answer means stands here (design 4.2, 4.3). */
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { PayrunError, wordsOf } from '../../base/errors.ts';
import { CallFailure, type CreatedPayment } from '../../client/client.ts';
import { depositIn } from '../../domain/amounts/deposit.ts';
import type { RailSpan } from '../../domain/calendar/rail-limit.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { foldTag } from '../../domain/rows/tag.ts';
import { momentText, sharedCauseMs } from '../../domain/sending/doubt.ts';
import type { Fleet, LedgerRow, Move, RowFacts, RowState } from '../../ledger/ledger.ts';
import { type PaymentCreate, paymentCreate } from '../../wire/payment.ts';
import { outsideWindow } from '../controls/pay-window.ts';
import { railsNow } from '../controls/rail-limits.ts';
import { type Deps, defaultBreaker, type Webhook } from '../deps.ts';
import { momentNow } from '../reconcile/list-scan.ts';
import { keptAnswer } from '../settle/payment-details.ts';
import { asStop, patienceMs } from './backoff.ts';

/** An intent is only good for this long; a machine that slept in between must not send an old decision (design 4.2). */
export const sendWindowMs = 5000;
/** So many doubts one after another mean that the service is ill (design 4.4). */
export const maxDoubtsInARow = 3;
const maxPatience = 5;

export interface PayOptions {
  /** The words to send for each funding source (interface 2.9). */
  readonly sourceWords: ReadonlyMap<string, string>;
  /** Each such payment asks a phone for money: one at a time. */
  readonly collecting: boolean;
  /** On the monotonic clock: when the run began. */
  readonly beganAt: number;
  /** So many rows and no more, one after another, and none after one that is refused; null: all. */
  readonly most: number | null;
}

/** How far ahead the witness speaks, so that it need not be written for every intent. */
export const witnessAheadMs = 20_000;

/** No intent is written at a moment for which the witness does not speak. */
export async function bearWitness(run: Pick<PayRun, 'deps' | 'witnessedUntil'>, lastIntent: number): Promise<void> {
  const { witness, ledger, say } = run.deps;
  if (witness === undefined) return;
  const failed = witness.write(ledger.id, { ...(await ledger.head()), lastIntent });
  if (failed !== null && run.witnessedUntil === 0)
    say(`The witness of this run could not be written (${failed}); paying goes on without it.`);
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
  lastDoubt: { readonly at: number; readonly reason: string };
  /** Rows that this run brought in doubt, and that no pass has settled. */
  readonly unsettled: Set<number>;
  /** Countries and sources whose first payment came back with its tag. */
  readonly proven: Set<string>;
  /** How often the breaker opened. */
  openings: number;
  /** The breaker is open: nothing is sent. */
  tripped: boolean;
  /** How often in a row the service asked us to wait or could not be reached. */
  patience: number;
  /** Nobody sends before this moment on the monotonic clock: a 429 is everybody's. */
  openAt: number;
  /** The witness says that intents may have been written until this moment of the wall clock. */
  witnessedUntil: number;
  /** The ledger itself keeps two rows from having one payment, but not from having one of an earlier revision. */
  readonly hasEarlier: boolean;
  stopped: PayrunError | null;
  later: PayrunError | null;
  /** Something could not be written: what is decided from here on is not sent. */
  broken: boolean;
  /** Fewer rows at a time, once the wait is over (domain/pace.ts). */
  slower?: (waitMs: number) => void;
  /** Its rows are claims of this member of a fleet, which counts for all what went wrong; null: nobody else sends. */
  member: Member | null;
}

/** Whose claims they are, and where. */
export interface Member {
  readonly name: string;
  readonly fleet: Fleet;
}

export async function newRun(deps: Deps, options: PayOptions, total: number): Promise<PayRun> {
  return {
    deps,
    options,
    sent: 0,
    done: 0,
    total,
    refusedInARow: 0,
    doubtsInARow: 0,
    lastDoubt: { at: Number.NEGATIVE_INFINITY, reason: '' },
    unsettled: new Set(),
    openings: 0,
    proven: new Set(),
    tripped: false,
    patience: 0,
    openAt: 0,
    witnessedUntil: 0,
    hasEarlier: await deps.ledger.hasEarlierPayments(null),
    stopped: null,
    later: null,
    broken: false,
    member: null,
  };
}

export function halted(run: PayRun): boolean {
  return run.stopped !== null || run.later !== null || run.broken || run.tripped || run.deps.stop.aborted;
}

/**
 * Brings one row as far as it gets: its payment, or null. A row that certainly was not created goes back to `ready`
 * and is tried again after the wait that everybody keeps; each try has an intent of its own.
 */
export async function payRow(run: PayRun, row: LedgerRow, canary: boolean): Promise<Accepted | null> {
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
    tellPaying(run);
    const answer = await ask(run, row, body);
    if ('id' in answer) return answer;
    const { failure } = answer;
    if (failure.status === 401 || failure.status === 403) {
      const last = refusedTokens > 0;
      refusedTokens += 1;
      if (last) return await unauthorized(run, row, failure, canary);
      await leave(run, row, 'ready', { reason: wordsOf(failure) });
      await run.deps.client.reauthenticate();
    } else if (failure.outcome !== 'not-sent' || !patient(run, failure)) return null;
  }
}

/** A payment that the service named, and when that is on the disk. */
export interface Accepted {
  readonly id: string;
  readonly written: Promise<boolean>;
}

/** False where the row is no longer this claim's: the answer is kept as evidence, and the row stands as it stood. */
async function leave(
  run: PayRun,
  row: LedgerRow,
  to: RowState,
  facts: RowFacts,
  tag: unknown = null,
): Promise<boolean> {
  const move: Move = { row, from: 'sending', to, ...facts };
  if (run.member !== null) return await run.member.fleet.answer(run.member.name, move, foldTag(tag) === row.tag);
  await run.deps.ledger.move(move);
  return true;
}

/**
 * A row that this member has claimed, and so with its intent, is sent once or given back; who is turned away for the token's sake lets
 * the row go, and whoever claims it next asks with a new one.
 */
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
    await leave(run, row, 'ready', { reason: wordsOf(failure) });
    await client.reauthenticate();
  } else if (failure.outcome === 'not-sent') patient(run, failure);
  return null;
}

/** Of the rows that were claimed together. */
export interface Claimed {
  /** Before the claim was asked for, on both clocks. */
  readonly wall: number;
  readonly steady: number;
  /** Rows that this process sent with a token that was refused. */
  readonly turnedAway: Set<number>;
}

/** Refused twice, the second time with a new token: the whole run's fault, unless the caller may read and only this row is forbidden. */
async function unauthorized(run: PayRun, row: LedgerRow, failure: CallFailure, canary: boolean): Promise<null> {
  const mayRead = failure.status === 403 && (await mayStillRead(run.deps));
  if (mayRead && !canary) {
    await leaveRefused(run, row, wordsOf(failure));
    return null;
  }
  await leave(run, row, 'ready', { reason: wordsOf(failure) });
  const hint = ". This service may want a user's token: set PAYRUN_USER_ID (interface 5.7)";
  run.stopped ??= new PayrunError('CREDENTIALS_REFUSED', { detail: `${wordsOf(failure)}${mayRead ? hint : ''}` });
  return null;
}

/** One that is refused is a fault of its row; many in a row are hardly one of theirs, and the others are kept from the same end. */
async function leaveRefused(run: PayRun, row: LedgerRow, reason: string): Promise<void> {
  const written = await leave(run, row, 'refused', { reason: `The service refused the payment: ${reason}.` });
  if (!written || run.member !== null) return;
  run.refusedInARow += 1;
  const { refusals } = run.deps.limits.breaker ?? defaultBreaker;
  if (run.refusedInARow >= refusals)
    run.stopped ??= new PayrunError('REFUSED_IN_A_ROW', { count: run.refusedInARow, detail: reason });
  settled(run);
}

/** The hour may have passed since the row was read. */
function isBeyond({ country, currency, amount }: LedgerRow, spans: readonly RailSpan[]): boolean {
  const span = spans.find((one) => one.country === country && one.currency === currency);
  return span !== undefined && (amount < span.least || amount > span.most);
}

/** By either clock: one of them may have stood still. */
function isLate(clock: Clock, { wall, steady }: Pick<Claimed, 'wall' | 'steady'>): boolean {
  return clock.now() - wall > sendWindowMs || clock.monotonic() - steady > sendWindowMs;
}

/** A flipped bit inside a value is seen by nothing else. */
export function requireContent({ content, contentHash, key, batch }: LedgerRow): void {
  if (sha256(content) !== contentHash)
    throw new PayrunError('LEDGER_DAMAGED', {
      detail: `the content of row ${key} of batch ${batch} was changed outside Payrun`,
    });
}

async function writeIntent(run: PayRun, row: LedgerRow, body: PaymentCreate): Promise<'written' | 'abandoned'> {
  const { ledger, clock } = run.deps;
  requireContent(row);
  const wall = clock.now();
  const steady = clock.monotonic();
  const { merchantId, amount } = body;
  if (wall >= run.witnessedUntil) await bearWitness(run, wall + witnessAheadMs);
  await ledger.move({
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
  await ledger.move({
    row,
    from: 'sending',
    to: 'ready',
    reason: late
      ? 'Not sent: the machine paused between the decision and the sending.'
      : 'Not sent: the run ended at the same moment.',
  });
  return 'abandoned';
}

/** Sends once, and writes what the answer means before anything else happens with the row; of an accepted one, `written` tells when and whether. */
async function ask(run: PayRun, row: LedgerRow, body: PaymentCreate): Promise<Accepted | { failure: CallFailure }> {
  let created: CreatedPayment;
  try {
    created = await run.deps.client.createPayment(body);
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const reason = wordsOf(error);
    if (error.outcome === 'unknown') {
      const doubt = { reason: `Sent, and not known whether it arrived: ${reason}.` };
      if (await leave(run, row, 'in_doubt', doubt)) inDoubt(run, row, reason);
    } else if (error.status === 401 || error.status === 403) {
      // The caller decides: a new token, and then perhaps a refusal.
    } else if (error.outcome === 'refused') {
      await leaveRefused(run, row, reason);
    } else await leave(run, row, 'ready', { reason });
    return { failure: error };
  }
  return { id: created.id, written: writeAccepted(run, row, created) };
}

/** False where the ledger knows the id as another row's: no two rows have one payment, so this row is in doubt. */
async function writeAccepted(run: PayRun, row: LedgerRow, { id, payment, body }: CreatedPayment): Promise<boolean> {
  run.sent += 1;
  const earlier = run.hasEarlier ? await run.deps.ledger.earlierPayment(id) : null;
  if (earlier !== null) return await leaveToOther(run, row, id, await run.deps.ledger.row(earlier.row));
  try {
    const facts = {
      paymentId: id,
      acceptedAt: run.deps.clock.now(),
      ...(payment?.status ? { paymentStatus: payment.status } : {}),
      // What has to be deposited where stands in this answer (interface 4.20); where it does not, the payment is asked by its id.
      ...(row.fromCountry === null || depositIn(body).length === 0 ? {} : { told: keptAnswer(body) }),
    };
    if (!(await leave(run, row, 'accepted', facts, payment?.tag))) return false;
  } catch (error) {
    const other = await run.deps.ledger.rowByPayment(id);
    if (other === null) throw error;
    return await leaveToOther(run, row, id, other);
  }
  run.refusedInARow = 0;
  settled(run);
  return true;
}

async function leaveToOther(run: PayRun, row: LedgerRow, id: string, other: LedgerRow | null): Promise<false> {
  const reason = `The service answered with payment ${id}, which belongs to row ${other?.key} of batch ${other?.batch}.`;
  run.sent -= 1;
  if (await leave(run, row, 'in_doubt', { reason })) inDoubt(run, row, reason);
  return false;
}

function settled(run: PayRun): void {
  run.doubtsInARow = 0;
  run.patience = 0;
  run.done += 1;
  tellPaying(run);
}

/** Of a fleet the leader tells, for all. */
function tellPaying({ member, deps, done, total }: PayRun): void {
  if (member === null) deps.progress({ stage: 'paying', done, total });
}

function inDoubt(run: PayRun, row: LedgerRow, reason: string): void {
  if (run.member !== null) return;
  const at = run.deps.clock.monotonic();
  const shared = at - run.lastDoubt.at < sharedCauseMs && reason === run.lastDoubt.reason;
  run.done += 1;
  run.unsettled.add(row.id);
  if (!shared) run.doubtsInARow += 1;
  run.lastDoubt = { at, reason };
  if (run.doubtsInARow >= maxDoubtsInARow || run.unsettled.size > mostDoubts(run)) run.tripped = true;
}

/** More of them than so many, or than so large a part of the batch, open the breaker. */
export function mostDoubts({ deps, total }: PayRun): number {
  const { doubts } = deps.limits.breaker ?? defaultBreaker;
  return Math.max(doubts.rows, (doubts.percent * total) / 100);
}

/** 429, or nothing reached the service: everybody waits, a 429 also halves the pace for a while, and after five times the run ends (design 4.3). */
function patient(run: PayRun, failure: CallFailure): boolean {
  const { clock } = run.deps;
  const now = clock.monotonic();
  // Rows that were under way together hit the same wall; it counts once.
  if (now >= run.openAt) {
    run.patience += 1;
    run.openAt = now + patienceMs(failure, run.patience, clock.random());
    if (failure.status === 429) run.slower?.(run.openAt - now);
  }
  if (run.patience <= maxPatience) return true;
  run.stopped ??= asStop(run.deps, failure);
  return false;
}

export async function openGate(run: PayRun): Promise<void> {
  const { clock, stop } = run.deps;
  for (
    let waitMs = run.openAt - clock.monotonic();
    waitMs > 0 && !stop.aborted;
    waitMs = run.openAt - clock.monotonic()
  )
    await clock.sleep(waitMs, stop);
}

/** A second 403 is about this row only if the caller may still read (design 4.3). */
async function mayStillRead({ client }: Deps): Promise<boolean> {
  try {
    for await (const _page of client.payments()) return true;
    return true;
  } catch {
    return false;
  }
}

/** What is sent. Only fields that the row has: an absent one is not sent (interface 4.20). */
export function paymentBody(
  row: LedgerRow,
  sourceWords: ReadonlyMap<string, string>,
  webhook?: Webhook,
): PaymentCreate {
  const { amount, reference, type, fromCountry, collectionMethod, slow, ownTag } = rowOfContent(
    row.content,
    row.number,
  );
  const meta = {
    ...(collectionMethod === null ? {} : { collectionMethod }),
    ...(ownTag === null ? {} : { ownTag }),
  };
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
