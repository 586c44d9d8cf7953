/** Runs and resumes a batch: opens it, registers payees, scans, pays, attaches documents, settles and writes the result. */

import { handledLater, PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import type { Note } from '../domain/note.ts';
import { rightsOf } from '../domain/sending/actor.ts';
import { type BatchFacts, proposalWaits, type SheetFacts, wordOf } from '../ledger/ledger.ts';
import { withRemembered } from '../pipeline/controls/batch-limits.ts';
import { payBehindCanaries } from '../pipeline/controls/canary.ts';
import { refuseOverCaps } from '../pipeline/controls/caps.ts';
import { awaitWindow } from '../pipeline/controls/pay-window.ts';
import { holdChangedPayees } from '../pipeline/controls/payee-control.ts';
import type { Deps } from '../pipeline/deps.ts';
import { attach } from '../pipeline/documents/attach.ts';
import { holdDuplicates } from '../pipeline/duplicates/duplicates.ts';
import { keepCopy, requireSheetFile, requireWritable, standingCopy } from '../pipeline/intake/intake.ts';
import { noReport, withReport } from '../pipeline/intake/problem-report.ts';
import type { AdvanceOrder, RunOrder } from '../pipeline/order.ts';
import { type Outcome, standing, unknownClaims } from '../pipeline/outcome.ts';
import { refuseMerchants } from '../pipeline/payees/refused-payees.ts';
import { registerPayees } from '../pipeline/payees/register-payees.ts';
import { requireApproved, requireAsPlanned } from '../pipeline/plans/approved.ts';
import { endedRefusal, requireSameIdentity } from '../pipeline/plans/plan.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { foreignRepeatMs } from '../pipeline/reconcile/list-scan.ts';
import { alarmOf } from '../pipeline/reconcile/reconcile.ts';
import { clockNotes, refuseQuiet, scanAfterSending, scanBeforeSending } from '../pipeline/reconcile/run-scans.ts';
import { stopsSendingOnly } from '../pipeline/refusal-kind.ts';
import { report, requireRoom } from '../pipeline/results/report.ts';
import { stopOf } from '../pipeline/sending/backoff.ts';
import { sourceWordsFor } from '../pipeline/sending/funding-sources.ts';
import { isStoppedByPerson, isStoppedHere, recordStopOnSignal, stoppedBefore } from '../pipeline/sending/signals.ts';
import { unfinishedIn } from '../pipeline/sending/together.ts';
import { lookOnce, settle } from '../pipeline/settle/settle.ts';
import { type OpenedVersion, openVersion } from '../pipeline/versions/open-version.ts';
import { concluded, handedBatch, outcome, placed } from './batch/conclude-batch.ts';
import { batchNamed } from './batch/find-batch.ts';
import { isHandedOver, recordStop } from './batch/stop-entry.ts';

const earlyPauseMs = 10;

/** Runs `payrun run FILE`. After a crash, the same command continues the batch. */
export async function run(deps: Deps, order: RunOrder): Promise<Outcome> {
  const { ledger, clock } = deps;
  await requireSheetFile(order.file, order.file);
  await requireWritable(order.outDir, order.file);
  const over = new AbortController();
  const stopOnSignal = (batch: string) => recordStopOnSignal(deps, batch, over.signal);
  if (order.batch !== null) stopOnSignal(order.batch);
  await requirePolicy(deps, order.batch);
  await awaitWindow(deps);
  const take = async () => {
    await ledger.hold();
    // Another process may have put a policy in force before this run had the lock.
    await requirePolicy(deps, order.batch);
    await ledger.recover();
  };
  // A worker may continue the batch while the run checks its sheet, so the run then locks the ledger after the check.
  const isOpen = order.approve == null && order.batch !== null;
  const later = isOpen && (await unfinishedIn(deps, order.batch))?.left === true;
  if (!later) await take();
  const base = order.base ?? ledger.newestSheet();
  const copy = await keepCopy(ledger, order.file, clock, order.sha256);
  const token = handledLater(deps.client.ready());
  const opened = await openVersion(deps, { ...order, base }, copy, { take: later ? take : null, stopOnSignal }).catch(
    async (error: unknown) => {
      await copy.discard();
      throw error;
    },
  );
  const isKept = !('end' in opened) && opened.batch.sheet.copy === copy.path;
  if (!isKept) await copy.discard();
  if ('end' in opened) return opened;
  return await advance(deps, { ...order, isMeant: order.add }, opened.batch, { ...opened, token, later: null, over });
}

export async function resume(given: Deps, said: AdvanceOrder, name: string): Promise<Outcome> {
  const { ledger, service } = given;
  const may = rightsOf(given.actor);
  const over = new AbortController();
  recordStopOnSignal(given, name, over.signal);
  await requirePolicy(given, name);
  await awaitWindow(withRemembered(given, await ledger.batch(name)));
  await ledger.hold();
  await requirePolicy(given, name);
  // If another process led the batch since the decision, it may have stopped the batch.
  if (said.seen?.opening !== undefined && (await ledger.fleet?.standsAs(name)) !== said.seen.opening)
    throw new PayrunError('LEDGER_BUSY', { path: ledger.path, holder: { fault: 'held-until-now' } });
  await ledger.recover();
  const batch = await batchNamed(ledger, name);
  if (!may.continuesStopped && (await isStoppedByPerson(given, name)) && (await mayBeSent(given, name))) {
    const stopped = stoppedBefore(name);
    return await concluded(given, said, batch, async () => ({ notes: [], alarm: stopped }));
  }
  const deps = withRemembered(given, batch);
  await requireSameIdentity(deps, batch);
  if (deps.policy !== undefined) await requireApproved(deps, batch);
  await requireAsPlanned(deps, batch, said);
  ledger.draft.clear();
  const order = await placed(deps, said, batch);
  await refuseOverCaps(deps, batch);
  if (said.seen?.pause !== undefined && !deps.stop.aborted)
    await ledger.fleet?.endPause(name, deps.actor.name, { only: said.seen.pause });
  const bound = !may.rebindsUnsent ? batch : await ledger.bind(name, service.identity, service.label);
  return await advance(deps, order, bound, {
    problems: [],
    notes: [],
    read: false,
    later: proposalStop(deps, name),
    token: handledLater(deps.client.ready()),
    over,
  });
}

/** Runs a file of the hot folder, or resumes the batch that the file became. `recorded` is the batch that the watcher recorded. */
export async function runOrResume(
  deps: Deps,
  order: RunOrder & { readonly seen: { readonly at: number } },
  recorded: string | null,
  onBegan: () => void,
): Promise<Outcome> {
  const { file, sha256 = null, seen } = order;
  // A watcher that crashed did not record the batch. Other sheets may have had the path, so hash and time count too.
  const became = ({ origin, options, receivedAt }: SheetFacts) =>
    origin === file && options.sha256 === sha256 && receivedAt >= seen.at;
  const batches = await deps.ledger.batches();
  const own =
    batches.find(({ name }) => name === recorded) ??
    batches.find(({ name }) => deps.ledger.sheetsOf(name).some(became));
  if (own === undefined) return await run(deps, order);
  onBegan();
  return await resume(deps, order, own.name);
}

/** True if the batch has rows that a run could send. Payments alone are followed even after a stop. */
const mayBeSent = async ({ ledger }: Deps, name: string) =>
  (await ledger.counts(name)).some(({ state, listed }) => listed && ['not sent', 'in doubt'].includes(wordOf[state]));

/** Returns the refusal to send while a plan waits for approval; null if none waits. Payments already sent are still followed. */
function proposalStop({ ledger }: Deps, batch: string): PayrunError | null {
  const proposal = ledger.proposalOf(batch);
  return proposal && proposalWaits(batch, proposal);
}

interface Intake extends Omit<OpenedVersion, 'batch'> {
  readonly token: Promise<void>;
  /** A stop that forbids sending only. Payments already sent are still followed. */
  readonly later: PayrunError | null;
  /** Aborted when only the result is left to write, so that a later signal does not stop the batch. */
  readonly over: AbortController;
}

async function refuseUnknownClaims({ ledger, service }: Deps, batch: BatchFacts): Promise<void> {
  const { rows } = await standing(ledger, batch);
  const claims = unknownClaims(batch, rows);
  if (claims === null) return;
  throw new PayrunError('CLAIMS_UNKNOWN', { ...claims, ledger: ledger.path, service: service.label });
}

interface Course {
  readonly problems: Problem[];
  readonly notes: Note[];
  sent: number;
  stopped: PayrunError | null;
  later: PayrunError | null;
  /** True if a person must decide after a stop, for example once sending has begun. False if a worker may continue the batch. */
  ends: boolean;
}

/** Each stage moves rows in the ledger, so a resumed batch needs no other code. */
async function advance(deps: Deps, order: AdvanceOrder, batch: BatchFacts, intake: Intake): Promise<Outcome> {
  await requireRoom(deps.ledger, batch, order);
  const { later } = intake;
  const beganAt = deps.clock.monotonic();
  const course: Course = {
    problems: [...intake.problems],
    notes: [...intake.notes],
    sent: 0,
    stopped: null,
    later,
    ends: later !== null,
  };
  const rest = new AbortController();
  const early = firstResult(deps, order, batch, rest.signal);
  try {
    // Fails before anything is sent if the sheet's copy is gone, because a result needs the copy.
    if (rightsOf(deps.actor).needsResult) await standingCopy(deps.ledger, batch);
    await intake.token;
    const adopted = await prepare(deps, order, batch, { read: intake.read, early }, course);
    await sendAll(deps, batch, beganAt, course);
    course.stopped ??= await settle(deps, batch);
    course.stopped ??= await alarmOf(deps, batch);
    if (course.stopped === null && adopted > 0 && course.sent === 0) course.stopped = await paidLongAgo(deps, batch);
    course.stopped ??= course.later;
  } catch (error) {
    course.stopped = stopOf(deps, error);
  }
  const { stopped } = course;
  if (stopped !== null && stopsSendingOnly.includes(stopped.code)) await lookOnce(deps, batch);
  // False if another process of the fleet may continue the batch.
  const ends = stopped === null || course.ends || isStoppedHere(deps);
  // Reads the signal now, because a signal that comes later is not the reason for the stop.
  const interrupted = deps.stop.aborted;
  if (!isHandedOver(deps, stopped)) await recordStop(deps, batch, stopped, ends);
  if (ends) intake.over.abort();
  rest.abort();
  await early.catch(() => undefined);
  const back = stopped?.code === 'PAYEES_REFUSED' ? await handedBatch(deps, order, batch) : noReport;
  return withReport(await outcome(deps, order, batch, { ...course, interrupted }), back);
}

/** Gives the batch a result even after a crash. A long result is written in the pauses between the first payments. */
function firstResult(deps: Deps, order: AdvanceOrder, batch: BatchFacts, rest: AbortSignal): Promise<unknown> {
  const { ledger, clock } = deps;
  const pause = () => clock.sleep(earlyPauseMs, rest);
  const writing = report({ ...order, ledger, batch, now: clock.now(), pause });
  // A worker sends even if it cannot write this result. The end of the run reports whether the result could be written.
  return handledLater(rightsOf(deps.actor).needsResult ? writing : writing.catch(() => null));
}

/** Returns how many notes the scan gave. */
async function prepare(
  deps: Deps,
  order: AdvanceOrder,
  batch: BatchFacts,
  { read, early }: { readonly read: boolean; readonly early: Promise<unknown> },
  { notes, problems }: Course,
): Promise<number> {
  await holdDuplicates(deps, batch);
  await holdChangedPayees(deps, batch);
  const unregistered = await registerPayees(deps, batch, { ...order, read });
  await Promise.race([early, Promise.resolve()]);
  await refuseMerchants(deps, batch, order, unregistered, problems);
  // The scan compares payments with the merchants of their rows, so payees are registered first.
  const adopted = deps.stop.aborted ? [] : await scanBeforeSending(deps, batch);
  notes.push(...adopted, ...clockNotes(deps));
  await refuseUnknownClaims(deps, batch);
  await refuseOldPart(deps, batch, order.isMeant);
  return adopted.length;
}

/** In a fleet, also sends rows that the scan after the sending released. */
async function sendAll(deps: Deps, batch: BatchFacts, beganAt: number, course: Course): Promise<void> {
  const { ledger, clock } = deps;
  let released = 0;
  do {
    // A released row may be sent only after another scan.
    if (released > 0) course.notes.push(...(await scanBeforeSending(deps, batch)));
    released = 0;
    const ready = await readyCount(deps, batch);
    if (ready.rows > 0 && course.later === null && (await alarmOf(deps, batch)) === null && !deps.stop.aborted) {
      await refuseQuiet(deps, batch);
      const sourceWords = await sourceWordsFor(deps, ready.sources);
      course.ends = true;
      const paid = await payBehindCanaries(deps, batch, ready.rows, {
        sourceWords,
        collecting: ready.collecting,
        beganAt,
      });
      course.sent += paid.sent;
      course.stopped = paid.stopped;
      course.later = paid.later;
    }
    const paidAt = clock.monotonic();
    if (course.stopped === null) await attach(deps, batch);
    // Scans even if every answer was lost, because a payment that appears settles the row's doubt.
    if (ready.rows > 0) {
      const looked = await scanAfterSending(deps, batch, paidAt);
      course.notes.push(...looked.notes);
      course.stopped ??= looked.stopped;
      released = looked.released;
    }
    // In a fleet, only the leader can send released rows. It sends them now, before it follows thousands of payments.
  } while (ledger.fleet !== null && released > 0 && (course.stopped ?? course.later) === null && !deps.stop.aborted);
}

/** Returns the refusal if another ledger paid the whole batch more than a day ago; null if not. */
async function paidLongAgo({ ledger, clock }: Deps, batch: BatchFacts): Promise<PayrunError | null> {
  const { rows, left_out } = await standing(ledger, batch);
  const allPaid = rows.paid > 0 && rows.paid === rows.total - left_out;
  return allPaid ? endedRefusal(await ledger.lastSent(batch.name), batch.name, clock.now()) : null;
}

/** Throws if another ledger paid part of the batch long ago. With `--add`, the person says that the rest belongs to the batch. */
async function refuseOldPart(deps: Deps, batch: BatchFacts, isMeant = false): Promise<void> {
  const { ledger } = deps;
  const last = await ledger.lastSent(batch.name);
  if (last === null || last >= batch.createdAt - foreignRepeatMs || isMeant || batch.sheet.options.add === true) return;
  const { rows: left } = await readyCount(deps, batch);
  if (left === 0) return;
  throw new PayrunError('BATCH_PAID_IN_PART', { batch: batch.name, lastPaidAt: last, unpaid: left });
}

async function readyCount(
  { ledger }: Deps,
  batch: BatchFacts,
): Promise<{ rows: number; sources: readonly string[]; collecting: boolean }> {
  const kinds = await ledger.readyKinds(batch.name, batch.listedSince);
  return {
    rows: kinds.reduce((sum, { rows }) => sum + rows, 0),
    sources: kinds.flatMap(({ from }) => (from === null ? [] : [from])),
    collecting: kinds.some(({ collection }) => collection === 'MOMO'),
  };
}
