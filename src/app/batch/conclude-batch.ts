/** The end of each command about a batch: writes the result and returns the outcome. */

import { isDeepStrictEqual } from 'node:util';
import { failureOf, type PayrunError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import type { Problem } from '../../base/problem.ts';
import type { Failure } from '../../base/refusal.ts';
import type { Note } from '../../domain/note.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import { type BatchFacts, isPersonsStop } from '../../ledger/ledger.ts';
import { stepsPastCanary } from '../../pipeline/controls/canary.ts';
import type { Deps } from '../../pipeline/deps.ts';
import { standingCopy } from '../../pipeline/intake/intake.ts';
import type { ProblemReport } from '../../pipeline/intake/problem-report.ts';
import { noReport, writeProblemReport } from '../../pipeline/intake/problem-report.ts';
import type { AdvanceOrder } from '../../pipeline/order.ts';
import { batchOutcome, endOf, type Outcome, standing, viewOf } from '../../pipeline/outcome.ts';
import { alarmOf } from '../../pipeline/reconcile/reconcile.ts';
import { awayFolder, keepAway } from '../../pipeline/results/fallback-location.ts';
import { report, requireResultPlace, resultPlace } from '../../pipeline/results/report.ts';
import { stopIn, unfinishedIn } from '../../pipeline/sending/together.ts';
import type { SheetOptions } from '../../sheet/sheet.ts';
import { openSheet } from '../../sheet/sheet.ts';
import { stopFacts } from './stop-entry.ts';

/** Throws if the result cannot be written. For a worker, it returns an order with a folder beside the ledger instead. */
export async function placed({ ledger, actor }: Deps, order: AdvanceOrder, batch: BatchFacts): Promise<AdvanceOrder> {
  try {
    await requireResultPlace(batch, order);
    return order;
  } catch (error) {
    if (rightsOf(actor).needsResult) throw error;
    const outDir = awayFolder(ledger);
    try {
      makeFolder(outDir);
    } catch {
      // The attempt to write the result at the end reports this error.
    }
    return { ...order, outDir };
  }
}

/** Records the stop and writes the result that a batch's leader left out. Returns null if the batch does not wait for that. */
export async function concludeAbandoned(deps: Deps, order: AdvanceOrder, name: string): Promise<Outcome | null> {
  const { ledger } = deps;
  if ((await unfinishedIn(deps, name))?.due !== true) return null;
  await ledger.hold();
  await ledger.recover();
  const [batch, closing] = [await ledger.batch(name), await ledger.fleet!.closing(name)];
  if (batch === null) return null;
  const alarm = stopIn(closing);
  // After `due`, the leader has already recorded the stop. A second record would end a schedule that was set after the first record.
  const isTold = isPersonsStop(await ledger.newestEntry(name, 'stop', 'run', 'opened'));
  if (closing?.why !== 'due') await ledger.fleet!.finish(name, isTold ? null : stopFacts(batch, alarm));
  return await concluded(deps, order, batch, async () => ({ notes: [], alarm }));
}

/** Writes the result after `settling`. If `settling` throws, still writes it, because scans may have changed rows, and then throws. */
export async function concluded(
  deps: Deps,
  said: AdvanceOrder,
  batch: BatchFacts,
  settling: () => Promise<{ readonly notes: readonly Note[]; readonly alarm: PayrunError | null }>,
): Promise<Outcome> {
  const order = rightsOf(deps.actor).needsResult ? said : await placed(deps, said, batch);
  const end = async (notes: readonly Note[], alarm: PayrunError | null) =>
    await outcome(deps, order, batch, {
      sent: 0,
      stopped: alarm ?? (await alarmOf(deps, batch)),
      problems: [],
      notes,
      interrupted: deps.stop.aborted,
    });
  const settled = await settling().catch(async (error: unknown) => {
    await end([], null);
    throw error;
  });
  return await end(settled.notes, settled.alarm);
}

export interface SendingResult {
  readonly sent: number;
  readonly stopped: PayrunError | null;
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
  readonly interrupted: boolean;
}

export async function outcome(
  deps: Deps,
  order: AdvanceOrder,
  batch: BatchFacts,
  facts: SendingResult,
): Promise<Outcome> {
  const { ledger, clock } = deps;
  deps.progress({ stage: 'reporting', done: 0, total: null });
  const notes: Note[] = [...facts.notes];
  let unwritten: Failure | null = null;
  // If the result cannot be written, the outcome must still report what was paid.
  const written = await report({ ...order, ledger, batch, now: clock.now() }).catch((error: unknown) => {
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
  await ledger.fleet?.end(batch.name).catch(() => undefined);
  const standing = await batchOutcome(
    ledger,
    (await ledger.batch(batch.name)) ?? batch,
    viewOf(deps.limits, clock.now()),
  );
  const hasAlarm = standing.end.why === 'alarm';
  const end = endOf({ ...standing, hasAlarm }, facts.stopped);
  // A missing result fails the command. A worker has already reported it, and does not fail.
  const lacksResult = result === null && rightsOf(deps.actor).needsResult;
  return {
    ...standing,
    sent: facts.sent,
    problems: facts.problems,
    problems_total: facts.problems.length,
    result,
    ...(answer === null ? {} : { answer }),
    next: facts.stopped?.code === 'CANARY_UNPAID' ? stepsPastCanary(standing.next, batch) : standing.next,
    notes: [...notes, ...standing.notes],
    stopped: facts.stopped?.refusal ?? null,
    interrupted: facts.interrupted,
    end: end.why === 'done' && lacksResult ? { is: 'open', why: 'machine' } : end,
  };
}

export async function handedBatch(
  { ledger, service, clock }: Deps,
  order: AdvanceOrder,
  batch: BatchFacts,
): Promise<ProblemReport> {
  const { origin, options } = batch.sheet;
  const { totals } = await standing(ledger, batch);
  try {
    const source = await openSheet(await standingCopy(ledger, batch), options as SheetOptions);
    const { outDir } = resultPlace(batch, order);
    const facts = { file: origin, outDir, source, service: service.label, totals, now: clock.now() };
    return await writeProblemReport(ledger.draft, facts);
  } catch (error) {
    return { ...noReport, notes: [{ note: 'checked-unwritten', why: failureOf(error) }] };
  }
}
