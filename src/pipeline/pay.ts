/** Paying: each ready row's intent is on the disk before its payment is asked for, once; what the answer means stands here (design 4.2, 4.3). */
import pLimit from 'p-limit';
import { sha256 } from '../base/digest.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { CallFailure, type CreatedPayment } from '../client/client.ts';
import { depositIn } from '../domain/deposit.ts';
import { rowOfContent } from '../domain/digest.ts';
import { momentText } from '../domain/doubt.ts';
import type { RailSpan } from '../domain/rail-limit.ts';
import { foldTag } from '../domain/tag.ts';
import type { BatchFacts, LedgerRow, RowFacts, RowState } from '../ledger/ledger.ts';
import { type PaymentCreate, paymentCreate } from '../wire/payment.ts';
import { type Deps, defaultBreaker, type Webhook } from './deps.ts';
import { momentNow } from './pass.ts';
import { asStop, patienceMs, stopOf } from './patience.ts';
import { outsideWindow } from './pay-window.ts';
import { heldByRails, railsNow } from './rails.ts';
import { alarmIn, type PassFacts, reconcile, refuseOthers } from './reconcile.ts';
import { keptAnswer } from './told.ts';

export interface Paid {
  /** Payments created by this run. */
  readonly sent: number;
  /** Why paying stopped before its end, or null. */
  readonly stopped: PayrunError | null;
  /** Why rows were left for later; what was sent is followed as ever. */
  readonly later: PayrunError | null;
}

/** An intent is only good for this long; a machine that slept in between must not send an old decision (design 4.2). */
const sendWindowMs = 5000;
/** So many doubts one after another mean that the service is ill (design 4.4). */
const maxDoubtsInARow = 3;
/** Doubts of one moment and one cause, as of a connection that many shared, are one. */
const sharedCauseMs = 1000;
const maxOpenings = 3;
const maxPatience = 5;
const canaryStepMs = 100;

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

export async function pay(deps: Deps, batch: BatchFacts, total: number, options: PayOptions): Promise<Paid> {
  const { ledger, clock, limits } = deps;
  const run: PayRun = {
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
    hasEarlier: await ledger.hasEarlierPayments(null),
    stopped: null,
    later: null,
    broken: false,
  };
  const concurrency = options.collecting ? 1 : limits.concurrency;
  try {
    do {
      // Again after each opening of the breaker: a kind whose first payment was not proven goes alone once more.
      await sendCanaries(run, batch);
      if (options.most === null) await sendAll(run, batch, concurrency);
      else await sendAhead(run, batch);
      if (run.tripped && run.stopped === null) await closeBreaker(run, batch);
      else break;
    } while (!halted(run));
  } catch (error) {
    // What was sent is counted even when the run ends here.
    run.stopped ??= stopOf(deps, error);
  }
  if (!halted(run) && options.most === null) run.later ??= await heldByRails(deps, batch);
  if (run.witnessedUntil > 0) await bearWitness(run, clock.now());
  const data = { sent: run.sent, stopped: run.stopped?.code ?? null, until: clock.now() };
  await ledger.record({ batch: batch.name, row: null, what: 'run', data }).catch((error: unknown) => {
    // A ledger that cannot be written must not hide what was sent.
    run.stopped ??= stopOf(deps, error);
  });
  return { sent: run.sent, stopped: run.stopped, later: run.later };
}

/** How far ahead the witness speaks, so that it need not be written for every intent. */
const witnessAheadMs = 20_000;

/** No intent is written at a moment for which the witness does not speak. */
async function bearWitness(run: PayRun, lastIntent: number): Promise<void> {
  const { witness, ledger, say } = run.deps;
  if (witness === undefined) return;
  const failed = witness.write(ledger.id, { ...(await ledger.head()), lastIntent });
  if (failed !== null && run.witnessedUntil === 0)
    say(`The witness of this run could not be written (${failed}); paying goes on without it.`);
  run.witnessedUntil = lastIntent;
}

interface PayRun {
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
  slower?: () => void;
}

/**
 * The breaker is open: one pass at once, and what it finds no longer counts; then one row alone decides. Accepted, it closes the
 * breaker; refused or not sent, it hands its role on; in doubt, it is the next opening, and the third one ends the run.
 */
async function closeBreaker(run: PayRun, batch: BatchFacts): Promise<void> {
  const { deps } = run;
  for (;;) {
    run.openings += 1;
    if (run.openings >= maxOpenings) {
      const { reason } = run.lastDoubt;
      const holes = { service: deps.service.label, count: run.unsettled.size, detail: reason };
      run.stopped ??= new PayrunError('SERVICE_UNREADABLE', holes);
      return;
    }
    deps.say(
      `Payments go in doubt one after another (${run.lastDoubt.reason}); nothing is sent until one goes through.`,
    );
    await lookForDoubts(run, batch);
    run.tripped = false;
    while (!halted(run) && !enough(run)) {
      const [row] = await readyRows(deps, batch, 0, 1);
      if (row === undefined) return;
      const accepted = await payRow(run, row, false);
      if (accepted !== null && (await accepted.written)) return;
      if (run.unsettled.has(row.id)) break;
    }
    // The row that went alone may have tripped it again, which is this loop's next opening.
    run.tripped = false;
    if (halted(run) || enough(run)) return;
  }
}

/** What was made before the run began is in the list from here on. */
async function awaitVisible({ deps: { clock, limits, stop }, options }: PayRun): Promise<void> {
  await clock.sleep(Math.max(0, options.beganAt + limits.doubt.visibleMs - clock.monotonic()), stop);
}

/** One pass; what it settles no longer counts against the service. */
async function lookForDoubts(run: PayRun, batch: BatchFacts): Promise<void> {
  const { deps } = run;
  refuseWhatItShows(deps, await reconcile(deps, batch, 'paying'));
  for (const id of run.unsettled) if ((await deps.ledger.row(id))?.state !== 'in_doubt') run.unsettled.delete(id);
  run.doubtsInARow = Math.min(run.doubtsInARow, run.unsettled.size);
}

/** Two payments for a row, or somebody else at work on them: whichever pass of the run shows it, nothing more is sent. */
function refuseWhatItShows(deps: Deps, pass: PassFacts): void {
  const alarm = alarmIn(deps, pass);
  if (alarm !== null) throw alarm;
  refuseOthers(pass);
}

const readyRows = async (deps: Deps, batch: BatchFacts, afterId: number, limit: number) =>
  await deps.ledger.rows({
    batch: batch.name,
    sheet: batch.sheet.id,
    states: ['ready'],
    afterId,
    within: railsNow(deps),
    limit,
  });

/** The first row of each destination country and funding source goes alone, and its tag must come back (design 4.4). */
async function sendCanaries(run: PayRun, batch: BatchFacts): Promise<void> {
  const kindOf = (row: LedgerRow) => `${row.country}|${row.fromCountry ?? ''}`;
  const { proven } = run;
  const { ledger } = run.deps;
  // Only a ledger that once saw a payment of its own come to stand in the list can tell a blind list from a whole one.
  let listed = (await ledger.batch(batch.name))?.listedAt != null;
  while (!halted(run) && !enough(run)) {
    const firsts = await run.deps.ledger.firstReadyOfKinds(batch.name, batch.sheet.id, railsNow(run.deps));
    const canary = firsts.find((row) => !proven.has(kindOf(row)));
    if (canary === undefined) return;
    const accepted = await payRow(run, canary, true);
    if (accepted === null || !(await accepted.written)) {
      // Refused, or in doubt: it is no longer ready, and the next row of its kind takes the role.
      if (run.unsettled.has(canary.id)) {
        // While the list lags, what another ledger sent a moment ago is not in it: the role waits for it.
        if (!listed) await awaitVisible(run);
        await lookForDoubts(run, batch);
      }
      continue;
    }
    await awaitTag(run.deps, canary, accepted.id);
    if (!listed && !halted(run)) {
      await awaitListed(run, batch, accepted.id);
      if (halted(run)) return;
      await ledger.proveList(batch.name);
      listed = true;
    }
    proven.add(kindOf(canary));
  }
}

/**
 * On a batch's first run: the payment must be found in the list, and one more complete pass must hold it, before a second row is sent.
 * So two people who start at the same moment, or a list that answers blindly, cost one row at most.
 */
async function awaitListed(run: PayRun, batch: BatchFacts, paymentId: string): Promise<void> {
  const { deps } = run;
  const { clock, limits, ledger, stop } = deps;
  const untilMs = clock.monotonic() + limits.canaryMs;
  for (let delayMs = canaryStepMs; ; delayMs = Math.min(delayMs * 2, 2000)) {
    refuseWhatItShows(deps, await reconcile(deps, batch, 'paying'));
    if (ledger.passes.holds(paymentId)) break;
    if (clock.monotonic() + delayMs > untilMs)
      throw new PayrunError('PASS_INCOMPLETE', {
        detail: `payment ${paymentId}, which the service had just accepted, did not come to stand in it within ${limits.canaryMs / 1000} s`,
      });
    await clock.sleep(delayMs, stop);
    if (stop.aborted) return;
  }
  await awaitVisible(run);
  if (stop.aborted) return;
  const pass = await reconcile(deps, batch, 'paying');
  refuseWhatItShows(deps, pass);
  const missing = ledger.passes.holds(paymentId) ? null : `it lacks payment ${paymentId}, which it held a moment ago`;
  const detail = pass.incomplete ?? missing;
  if (detail !== null) throw new PayrunError('PASS_INCOMPLETE', { detail });
}

/** The payment may be readable only a moment after it was created; another tag, or none, would blind every later search. */
async function awaitTag({ client, clock, limits, stop }: Deps, row: LedgerRow, paymentId: string): Promise<void> {
  const untilMs = clock.monotonic() + limits.canaryMs;
  for (let delayMs = canaryStepMs; ; delayMs = Math.min(delayMs * 2, 2000)) {
    const payment = await client.payment(paymentId).catch((error: unknown) => {
      if (error instanceof CallFailure) return null;
      throw error;
    });
    const tag = foldTag(payment?.tag);
    if (tag === row.tag) return;
    if (tag !== null)
      throw new PayrunError('TAG_LOST', {
        detail: `Payment ${paymentId} came back with the tag '${tag}' instead of '${row.tag}'. Without its tag a payment cannot be found again after a lost answer, so nothing more is sent.`,
      });
    if (clock.monotonic() + delayMs > untilMs)
      throw new PayrunError('TAG_LOST', {
        detail: `Payment ${paymentId} did not come back with its tag '${row.tag}' within ${limits.canaryMs / 1000} s. Without its tag a payment cannot be found again after a lost answer, so nothing more is sent.`,
      });
    await clock.sleep(delayMs, stop);
    // Whoever stops the run does not wait for the tag: nothing more is sent, and the next run asks again.
    if (stop.aborted) return;
  }
}

/** Rows come from the ledger in pages, so the queue stays short whatever the batch's length (design 10). */
async function sendAll(run: PayRun, batch: BatchFacts, concurrency: number): Promise<void> {
  const limit = pLimit(concurrency);
  run.slower = () => {
    limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
  };
  const failures: unknown[] = [];
  let afterId = 0;
  let page: readonly LedgerRow[] = [];
  let next = 0;
  let feeding: Promise<void> | null = null;
  let ended = false;
  /** Queued or under way. */
  let open = 0;
  await new Promise<void>((done) => {
    const fail = (error: unknown) => {
      run.broken = true;
      failures.push(error);
    };
    const close = () => {
      open -= 1;
      feed();
    };
    // The slot is free once the answer is queued: the next row's intent joins its commit, behind it, and nothing of that row
    // leaves before both are on the disk.
    const send = async (row: LedgerRow) => {
      let written: Promise<boolean> | undefined;
      try {
        written = (await payRow(run, row, false))?.written;
      } catch (error) {
        fail(error);
      }
      if (written === undefined) close();
      else void written.catch(fail).then(close);
    };
    const fetchPage = async () => {
      try {
        page = await readyRows(run.deps, batch, afterId, 4 * concurrency);
        next = 0;
        afterId = page.at(-1)?.id ?? afterId;
        ended = page.length === 0;
      } catch (error) {
        fail(error);
      }
      feeding = null;
      feed();
    };
    const feed = () => {
      const over = ended || halted(run);
      while (!over && next < page.length && open < 2 * concurrency) {
        void limit(send, page[next]!);
        next += 1;
        open += 1;
      }
      if (!over && next >= page.length) feeding ??= fetchPage();
      else if (over && open === 0 && feeding === null) done();
    };
    feed();
  });
  if (failures.length > 0) throw failures[0];
}

async function sendAhead(run: PayRun, batch: BatchFacts): Promise<void> {
  while (!halted(run) && !enough(run)) {
    const [row] = await readyRows(run.deps, batch, 0, 1);
    if (row === undefined) return;
    const accepted = await payRow(run, row, false);
    await accepted?.written;
  }
}

/** Of the rows that go ahead of the others. */
function enough({ options: { most }, done, refusedInARow }: PayRun): boolean {
  return most !== null && (done >= most || refusedInARow > 0);
}

function halted(run: PayRun): boolean {
  return run.stopped !== null || run.later !== null || run.broken || run.tripped || run.deps.stop.aborted;
}

/**
 * Brings one row as far as it gets: its payment, or null. A row that certainly was not created goes back to `ready`
 * and is tried again after the wait that everybody keeps; each try has an intent of its own.
 */
async function payRow(run: PayRun, row: LedgerRow, canary: boolean): Promise<Accepted | null> {
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
interface Accepted {
  readonly id: string;
  readonly written: Promise<boolean>;
}

const leave = ({ deps }: PayRun, row: LedgerRow, to: RowState, facts: RowFacts) =>
  deps.ledger.move({ row, from: 'sending', to, ...facts });

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
  await leave(run, row, 'refused', { reason: `The service refused the payment: ${reason}.` });
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

async function writeIntent(run: PayRun, row: LedgerRow, body: PaymentCreate): Promise<'written' | 'abandoned'> {
  const { ledger, clock } = run.deps;
  if (sha256(row.content) !== row.contentHash)
    throw new PayrunError('LEDGER_DAMAGED', {
      detail: `the content of row ${row.key} of batch ${row.batch} was changed outside Payrun`,
    });
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
  const late = clock.now() - wall > sendWindowMs || clock.monotonic() - steady > sendWindowMs;
  if (!late && !run.broken) return 'written';
  await ledger.move({
    row,
    from: 'sending',
    to: 'ready',
    reason: 'Not sent: the machine paused between the decision and the sending.',
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
      await leave(run, row, 'in_doubt', { reason: `Sent, and not known whether it arrived: ${reason}.` });
      inDoubt(run, row, reason);
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
    await leave(run, row, 'accepted', {
      paymentId: id,
      acceptedAt: run.deps.clock.now(),
      ...(payment?.status ? { paymentStatus: payment.status } : {}),
      // What has to be deposited where stands in this answer (interface 4.20); where it does not, the payment is asked by its id.
      ...(row.fromCountry === null || depositIn(body).length === 0 ? {} : { told: keptAnswer(body) }),
    });
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
  await leave(run, row, 'in_doubt', { reason });
  inDoubt(run, row, reason);
  return false;
}

function settled(run: PayRun): void {
  run.doubtsInARow = 0;
  run.patience = 0;
  run.done += 1;
  run.deps.progress({ stage: 'paying', done: run.done, total: run.total });
}

function inDoubt(run: PayRun, row: LedgerRow, reason: string): void {
  const at = run.deps.clock.monotonic();
  const shared = at - run.lastDoubt.at < sharedCauseMs && reason === run.lastDoubt.reason;
  run.done += 1;
  run.unsettled.add(row.id);
  if (!shared) run.doubtsInARow += 1;
  run.lastDoubt = { at, reason };
  const { doubts } = run.deps.limits.breaker ?? defaultBreaker;
  const most = Math.max(doubts.rows, (doubts.percent * run.total) / 100);
  if (run.doubtsInARow >= maxDoubtsInARow || run.unsettled.size > most) run.tripped = true;
}

/** 429, or nothing reached the service: everybody waits, a 429 also halves the pace, and after five times the run ends (design 4.3). */
function patient(run: PayRun, failure: CallFailure): boolean {
  const { clock } = run.deps;
  const now = clock.monotonic();
  // Rows that were under way together hit the same wall; it counts once.
  if (now >= run.openAt) {
    run.patience += 1;
    run.openAt = now + patienceMs(failure, run.patience, clock.random());
    if (failure.status === 429) run.slower?.();
  }
  if (run.patience <= maxPatience) return true;
  run.stopped ??= asStop(run.deps, failure);
  return false;
}

async function openGate(run: PayRun): Promise<void> {
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
