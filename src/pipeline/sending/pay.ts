/** Pays the ready rows of a batch: the probes one by one, then the others in parallel (docs/explanation/safety.md). */
import pLimit from 'p-limit';
import { PayrunError } from '../../base/errors.ts';
import { nullIfFailed } from '../../client/client.ts';
import { foldTag } from '../../domain/rows/tag.ts';
import { fullPace, slowed, widthAt } from '../../domain/sending/pace.ts';
import { type BatchFacts, forbidsIntents, type LedgerRow } from '../../ledger/ledger.ts';
import { heldByRails, railsNow } from '../controls/rail-limits.ts';
import type { Deps } from '../deps.ts';
import { reconcile, refuseAlarm, refuseOthers, type ScanFacts } from '../reconcile/reconcile.ts';
import { stopOf } from './backoff.ts';
import { extendWitness, halted, newRun, type PayOptions, type PayRun, payRow } from './send-row.ts';
import { sendTogether } from './together.ts';

export interface SendingResult {
  readonly sent: number;
  readonly stopped: PayrunError | null;
  /** Why the run sends no further rows now, for example a pause. The run still follows the payments that it sent. */
  readonly later: PayrunError | null;
}

const maxOpenings = 3;
const probeStepMs = 100;

export async function pay(deps: Deps, batch: BatchFacts, total: number, options: PayOptions): Promise<SendingResult> {
  const { ledger, clock, limits } = deps;
  const later = ledger.holds.whyHeld(batch.name);
  if (later !== null) return { sent: 0, stopped: null, later };
  const run = await newRun(deps, options, total);
  const concurrency = options.collecting ? 1 : limits.concurrency;
  try {
    do {
      await sendProbes(run, batch);
      if (options.most !== null) await sendAhead(run, batch);
      else if (ledger.fleet === null) await sendAll(run, batch, concurrency);
      else await sendTogether(run, batch, ledger.fleet, concurrency);
      if (run.tripped && run.stopped === null) await closeBreaker(run, batch);
      else break;
    } while (!halted(run));
  } catch (error) {
    // Returns the error instead of throwing it, so that the caller learns how many rows were sent.
    const stop = stopOf(deps, error);
    if (forbidsIntents(stop)) run.later ??= stop;
    else run.stopped ??= stop;
  }
  if (!halted(run) && options.most === null) run.later ??= await heldByRails(deps, batch);
  if (run.witnessedUntil > 0) await extendWitness(run, clock.now());
  const data = { sent: run.sent, stopped: run.stopped?.code ?? null, until: clock.now() };
  await ledger.trail.record({ batch: batch.name, row: null, what: 'run', data }).catch((error: unknown) => {
    run.stopped ??= stopOf(deps, error);
  });
  return { sent: run.sent, stopped: run.stopped, later: run.later };
}

/** Closes the breaker: scans, then sends row after row until one is accepted. The third opening stops the run. */
async function closeBreaker(run: PayRun, batch: BatchFacts): Promise<void> {
  const { deps } = run;
  for (;;) {
    run.openings += 1;
    if (run.openings >= maxOpenings) {
      const { reason } = run.lastDoubt;
      const holes = { service: deps.service.label, count: run.unsettled.size, reason };
      run.stopped ??= new PayrunError('SERVICE_UNREADABLE', holes);
      return;
    }
    deps.say({ note: 'doubts-in-a-row', reason: run.lastDoubt.reason });
    await lookForDoubts(run, batch);
    run.tripped = false;
    while (!halted(run) && !enough(run)) {
      const [row] = await readyRows(deps, batch, 0, 1);
      if (row === undefined) return;
      const accepted = await payRow(run, row, false);
      if (accepted !== null && (await accepted.written)) return;
      if (run.unsettled.has(row.id)) break;
    }
    // Resets `tripped`, so that `halted` does not end the loop. The next round counts this doubt as an opening.
    run.tripped = false;
    if (halted(run) || enough(run)) return;
  }
}

/** Waits until the list must show every payment that was made before the run began. */
async function awaitVisible({ deps: { clock, limits, stop }, options }: PayRun): Promise<void> {
  await clock.sleep(Math.max(0, options.beganAt + limits.doubt.visibleMs - clock.monotonic()), stop);
}

/** Scans, and removes rows that are no longer in doubt from `run.unsettled`. Throws for an alarm or another sender. */
async function lookForDoubts(run: PayRun, batch: BatchFacts): Promise<void> {
  const { deps } = run;
  await refuseWhatItShows(deps, await reconcile(deps, batch, 'paying'));
  for (const id of run.unsettled) if ((await deps.ledger.rows.row(id))?.state !== 'in_doubt') run.unsettled.delete(id);
  run.doubtsInARow = Math.min(run.doubtsInARow, run.unsettled.size);
}

async function refuseWhatItShows(deps: Deps, pass: ScanFacts): Promise<void> {
  await refuseAlarm(deps, pass);
  refuseOthers(pass);
}

export const readyRows = async (deps: Deps, batch: BatchFacts, afterId: number, limit: number) =>
  await deps.ledger.rows.list({
    batch: batch.name,
    since: batch.listedSince,
    states: ['ready'],
    afterId,
    within: railsNow(deps),
    limit,
  });

/** Sends the probes. The run ends if the service does not return a probe's tag: only the tag can settle doubts. */
async function sendProbes(run: PayRun, batch: BatchFacts): Promise<void> {
  const kindOf = (row: LedgerRow) => `${row.country}|${row.fromCountry ?? ''}`;
  const { proven } = run;
  const { ledger } = run.deps;
  // True after the list showed a payment of this batch. Before that, the list may still lack new payments.
  let listed = (await ledger.batches.batch(batch.name))?.listedAt != null;
  while (!halted(run) && !enough(run)) {
    const firsts = await run.deps.ledger.rows.firstReadyOfKinds(batch.name, batch.listedSince, railsNow(run.deps));
    const probe = firsts.find((row) => !proven.has(kindOf(row)));
    if (probe === undefined) return;
    const accepted = await payRow(run, probe, true);
    if (accepted === null || !(await accepted.written)) {
      // A row that was refused or is in doubt is not ready. The next row of its country and source becomes the probe.
      if (run.unsettled.has(probe.id)) {
        // The list may show another ledger's new payments late, so the run waits before the next probe.
        if (!listed) await awaitVisible(run);
        await lookForDoubts(run, batch);
      }
      continue;
    }
    await awaitTag(run.deps, probe, accepted.id);
    if (!listed && !halted(run)) {
      await awaitListed(run, batch, accepted.id);
      if (halted(run)) return;
      await ledger.batches.proveList(batch.name);
      listed = true;
    }
    proven.add(kindOf(probe));
  }
}

/** Waits until the list shows the payment, and scans again. Throws for alarms, other senders and incomplete lists. */
async function awaitListed(run: PayRun, batch: BatchFacts, paymentId: string): Promise<void> {
  const { deps } = run;
  const { clock, limits, ledger, stop } = deps;
  const untilMs = clock.monotonic() + limits.probeMs;
  for (let delayMs = probeStepMs; ; delayMs = Math.min(delayMs * 2, 2000)) {
    await refuseWhatItShows(deps, await reconcile(deps, batch, 'paying'));
    if (ledger.passes.holds(paymentId)) break;
    if (clock.monotonic() + delayMs > untilMs)
      throw new PayrunError('PASS_INCOMPLETE', {
        why: { fault: 'list-lacks-new-payment', payment: paymentId, seconds: limits.probeMs / 1000 },
      });
    await clock.sleep(delayMs, stop);
    if (stop.aborted) return;
  }
  await awaitVisible(run);
  if (stop.aborted) return;
  const pass = await reconcile(deps, batch, 'paying');
  await refuseWhatItShows(deps, pass);
  if (pass.incomplete !== null) throw new PayrunError('PASS_INCOMPLETE', { why: pass.incomplete });
  if (!ledger.passes.holds(paymentId))
    throw new PayrunError('PASS_INCOMPLETE', { why: { fault: 'list-lost-payment', payment: paymentId } });
}

/** Waits until the service returns the payment with its tag. Throws TAG_LOST for another tag or after `probeMs`. */
async function awaitTag({ client, clock, limits, stop }: Deps, row: LedgerRow, paymentId: string): Promise<void> {
  const untilMs = clock.monotonic() + limits.probeMs;
  for (let delayMs = probeStepMs; ; delayMs = Math.min(delayMs * 2, 2000)) {
    const tag = foldTag((await nullIfFailed(client.payment(paymentId)))?.tag);
    if (tag === row.tag) return;
    if (tag !== null || clock.monotonic() + delayMs > untilMs) {
      const facts = { payment: paymentId, tag: row.tag, seen: tag, seconds: limits.probeMs / 1000 };
      throw new PayrunError('TAG_LOST', facts);
    }
    await clock.sleep(delayMs, stop);
    // After a signal the run sends nothing more, and the next run probes again.
    if (stop.aborted) return;
  }
}

/** Sends all ready rows in parallel. Reads them page by page, so that memory does not grow with the batch. */
async function sendAll(run: PayRun, batch: BatchFacts, concurrency: number): Promise<void> {
  const { clock } = run.deps;
  const limit = pLimit(concurrency);
  let pace = fullPace(concurrency);
  const keepPace = () => {
    const width = widthAt(pace, clock.monotonic());
    if (width !== limit.concurrency) limit.concurrency = width;
  };
  run.slower = (waitMs) => {
    pace = slowed(pace, clock.monotonic(), waitMs);
    keepPace();
  };
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    run.broken = true;
    failures.push(error);
  };
  let open = 0;
  let closed = Promise.withResolvers<void>();
  const close = () => {
    open -= 1;
    keepPace();
    closed.resolve();
    closed = Promise.withResolvers();
  };
  // Frees the row's slot when its answer arrives, so that this answer and the next intent share one commit.
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
  const sendPages = async () => {
    for (let afterId = 0; !halted(run); ) {
      const page = await readyRows(run.deps, batch, afterId, 4 * concurrency);
      if (page.length === 0) return;
      for (const row of page) {
        while (open >= 2 * concurrency && !halted(run)) await closed.promise;
        if (halted(run)) return;
        open += 1;
        void limit(send, row);
        afterId = row.id;
      }
    }
  };
  await sendPages().catch(fail);
  while (open > 0) await closed.promise;
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

const enough = ({ options: { most }, done, refusedInARow }: PayRun): boolean =>
  most !== null && (done >= most || refusedInARow > 0);
