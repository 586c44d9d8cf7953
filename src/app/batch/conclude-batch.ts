/** The end of each command about a batch: records why a run stopped, writes the result and returns the outcome. */
import { isDeepStrictEqual } from 'node:util';
import { errorOf, failureOf, handledLater, type PayrunError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import type { Problem } from '../../base/problem.ts';
import type { ErrorCode, Failure } from '../../base/refusal.ts';
import type { Note } from '../../domain/note.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import type { BatchFacts, LeadEnd } from '../../ledger/ledger.ts';
import { stepsPastCanary } from '../../pipeline/controls/canary.ts';
import type { Deps } from '../../pipeline/deps.ts';
import { viewOf } from '../../pipeline/doubt-step.ts';
import { standing } from '../../pipeline/figures.ts';
import { standingCopy } from '../../pipeline/intake/intake.ts';
import { noReport, type ProblemReport, withReport, writeProblemReport } from '../../pipeline/intake/problem-report.ts';
import { batchStatus, endOfRows, type Outcome, outcomeOf } from '../../pipeline/outcome.ts';
import { alarmOf } from '../../pipeline/reconcile/reconcile.ts';
import { refusalKind, stopsSendingOnly } from '../../pipeline/refusal-kind.ts';
import { awayFolder, keepAway } from '../../pipeline/results/fallback-location.ts';
import { type ResultPlace, report, requireResultPlace, resultPlace } from '../../pipeline/results/report.ts';
import type { Course } from '../../pipeline/send-batch.ts';
import { isStoppedHere, stopBySignal } from '../../pipeline/sending/signals.ts';
import { lookOnce } from '../../pipeline/settle/settle.ts';
import { openSheet, type SheetOptions } from '../../sheet/sheet.ts';
import { leadBatch } from './find-batch.ts';

/** Throws if the result cannot be written. For a worker, it returns a folder beside the ledger instead. */
export async function placed({ ledger, actor }: Deps, said: ResultPlace, batch: BatchFacts): Promise<ResultPlace> {
  const place = resultPlace(batch, said);
  try {
    await requireResultPlace(batch, place);
    return place;
  } catch (error) {
    if (rightsOf(actor).needsResult) throw error;
    const outDir = awayFolder(ledger);
    try {
      makeFolder(outDir);
    } catch {
      // The attempt to write the result at the end reports this error.
    }
    return { ...place, outDir };
  }
}

/** Writes the result that a batch's leader left out. Returns null if no result is owed. */
export async function concludeAbandoned(deps: Deps, said: ResultPlace, name: string): Promise<Outcome | null> {
  const { ledger } = deps;
  if (!ledger.leads.owesResult(name)) return null;
  const batch = await leadBatch(ledger, name);
  const lead = ledger.leads.of(name);
  const alarm = lead.stands === 'stopped' ? errorOf(lead.stop.why) : null;
  return await concluded(deps, said, batch, async () => ({ notes: [], alarm }));
}

/** Writes the result after `settling`. If `settling` throws, still writes it, because scans may have changed rows, and then throws. */
export async function concluded(
  deps: Deps,
  said: ResultPlace,
  batch: BatchFacts,
  settling: () => Promise<{ readonly notes: readonly Note[]; readonly alarm: PayrunError | null }>,
): Promise<Outcome> {
  const place = rightsOf(deps.actor).needsResult ? said : await placed(deps, said, batch);
  const end = async (notes: readonly Note[], alarm: PayrunError | null) => {
    const stopped = alarm ?? (await alarmOf(deps, batch));
    if (stopped !== null && refusalKind(stopped.code) === 'alarm') await recordStop(deps, batch, stopped, true);
    return await outcome(deps, place, batch, { sent: 0, stopped, problems: [], notes, interrupted: deps.stop.aborted });
  };
  const settled = await settling().catch(async (error: unknown) => {
    await end([], null);
    throw error;
  });
  return await end(settled.notes, settled.alarm);
}

const earlyPauseMs = 10;

/** Gives the batch a result even after a crash. A long result is written in the pauses between the first payments. */
export function firstResult(deps: Deps, batch: BatchFacts, place: ResultPlace) {
  const { ledger, clock } = deps;
  const rest = new AbortController();
  const pause = () => clock.sleep(earlyPauseMs, rest.signal);
  const writing = report({ ...place, ledger, batch, now: clock.now(), pause });
  // A worker sends even if it cannot write this result. The end of the run reports whether the result could be written.
  const written = handledLater<unknown>(rightsOf(deps.actor).needsResult ? writing : writing.catch(() => null));
  return { written, rest };
}

interface RunFacts extends ReturnType<typeof firstResult> {
  readonly place: ResultPlace;
  readonly course: Course;
  readonly over: AbortController;
}

/** Ends a run: records why it stopped, and writes the result. */
export async function concludeRun(deps: Deps, batch: BatchFacts, facts: RunFacts): Promise<Outcome> {
  const { place, course, over, written, rest } = facts;
  const { stopped } = course;
  if (stopped !== null && stopsSendingOnly.includes(stopped.code)) await lookOnce(deps, batch);
  // False if another process of the fleet may continue the batch.
  const ends = stopped === null || course.ends || isStoppedHere(deps);
  // Reads the signal now, because a signal that comes later is not the reason for the stop.
  const interrupted = deps.stop.aborted;
  if (!isLeftToOthers(deps, stopped)) await recordStop(deps, batch, stopped, ends);
  if (ends) over.abort();
  rest.abort();
  await written.catch(() => undefined);
  const back = stopped?.code === 'PAYEES_REFUSED' ? await handedBatch(deps, place, batch) : noReport;
  return withReport(await outcome(deps, place, batch, { ...course, interrupted }), back);
}

/** After a signal ended the wait for the service early, another process may not meet these errors. */
const notWaitedFor: readonly ErrorCode[] = ['SERVICE_BUSY', 'SERVICE_UNREACHABLE', 'SERVICE_ANSWER', 'PASS_INCOMPLETE'];

/** True if a hot folder or a worker leaves the batch to another process after a signal. */
function isLeftToOthers({ actor, stop }: Deps, stopped: PayrunError | null): boolean {
  if (rightsOf(actor).continuesStopped) return false;
  return stop.aborted && (stopped === null || notWaitedFor.includes(stopped.code));
}

/** How long a batch waits until somebody reads its payments again, or tries the service again. */
const nextLookMs = 15_000;
const nextTryMs = 60_000;

/** Returns how a run leaves its batch. Null after a signal that another process heeds. */
function leadEnd({ clock, stop, actor }: Deps, stopped: PayrunError | null): LeadEnd | null {
  if (stop.aborted && (stopped === null || refusalKind(stopped.code) !== 'alarm'))
    return rightsOf(actor).continuesStopped ? { stop: stopBySignal({ actor }) } : null;
  if (stopped === null) return { at: clock.now() + nextLookMs, why: null };
  const { code, facts, refusal: why } = stopped;
  if (code === 'CANARY_OPEN') return { at: clock.now() + nextLookMs, why };
  if ('until' in facts) return { at: facts.until, why };
  const isTriedAgain = code !== 'REFUSED_IN_A_ROW' && ['service', 'machine'].includes(refusalKind(code));
  return isTriedAgain ? { at: clock.now() + nextTryMs, why } : { stop: { by: null, why } };
}

async function recordStop(deps: Deps, batch: BatchFacts, stopped: PayrunError | null, ends: boolean): Promise<void> {
  const { ledger, stop, actor } = deps;
  // A worker that could not reach the service leaves no task for a person, because the worker tries again.
  const triesAgain = !ends && !rightsOf(actor).continuesStopped;
  const why = stopped?.refusal ?? (stop.aborted ? stopBySignal(deps).why : null);
  await ledger.leads.finish(batch.name, leadEnd(deps, stopped), triesAgain ? null : why).catch(() => undefined);
}

interface SendingResult extends Pick<Course, 'sent' | 'stopped'> {
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
  readonly interrupted: boolean;
}

async function outcome(deps: Deps, place: ResultPlace, batch: BatchFacts, facts: SendingResult): Promise<Outcome> {
  const { ledger, clock } = deps;
  deps.progress({ stage: 'reporting', done: 0, total: null });
  const notes: Note[] = [...facts.notes];
  let unwritten: Failure | null = null;
  // If the result cannot be written, the outcome must still report what was paid.
  const written = await report({ ...place, ledger, batch, now: clock.now() }).catch((error: unknown) => {
    unwritten = failureOf(error);
    // If the same error stopped the run, it is reported only once.
    const isStop = facts.stopped !== null && isDeepStrictEqual(unwritten, failureOf(facts.stopped));
    if (!isStop) notes.push({ note: 'result-unwritten', batch: batch.name, why: unwritten });
    return null;
  });
  const result = written?.result ?? null;
  const answer = written?.answer ?? null;
  notes.push(...(written?.notes ?? []));
  // The ledger reports its own write errors.
  await keepAway(deps, batch, { path: result, why: unwritten }).catch(() => undefined);
  await ledger.leads.resultWritten(batch.name).catch(() => undefined);
  const known = (await ledger.batches.batch(batch.name)) ?? batch;
  const standing = await batchStatus(ledger, known, viewOf(deps.limits, clock.now()));
  const end = endOfRows({ ...standing, hasAlarm: standing.end === 'alarm' }, facts.stopped);
  // A missing result fails the command. A worker has already reported it, and does not fail.
  const lacksResult = result === null && rightsOf(deps.actor).needsResult;
  const { problems, sent, interrupted } = facts;
  const reached = {
    ...standing,
    findings: { problems, problems_total: problems.length },
    run: { sent, result, ...(answer === null ? {} : { answer }) },
    next: facts.stopped?.code === 'CANARY_UNPAID' ? stepsPastCanary(standing.next, batch) : standing.next,
    notes: [...notes, ...standing.notes],
    interrupted,
    end: end === 'done' && lacksResult ? 'machine' : end,
  } as const;
  return outcomeOf(reached, facts.stopped?.refusal ?? null);
}

async function handedBatch(
  { ledger, service, clock }: Deps,
  { outDir }: ResultPlace,
  batch: BatchFacts,
): Promise<ProblemReport> {
  const { origin, options } = batch.sheet;
  const { totals } = await standing(ledger, batch);
  try {
    const source = await openSheet(await standingCopy(ledger, batch), options as SheetOptions);
    const facts = { file: origin, outDir, source, service: service.label, totals, now: clock.now() };
    return await writeProblemReport(ledger.draft, facts);
  } catch (error) {
    return { ...noReport, notes: [{ note: 'checked-unwritten', why: failureOf(error) }] };
  }
}
