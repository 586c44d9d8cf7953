/** Opens the sheet as a version of its batch, unless a rule, a control or a newer version forbids it. */
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import type { Note } from '../../domain/note.ts';
import { isAddition } from '../../domain/rows/version-table.ts';
import { type BatchFacts, type LedgerRow, repeatsHead } from '../../ledger/ledger.ts';
import { correctionEntries } from '../../sheet/sheet.ts';
import { rememberedGuards } from '../controls/batch-limits.ts';
import { requireUnderCaps } from '../controls/caps.ts';
import { type Expected, requireTotals, totalsNotes } from '../controls/control-totals.ts';
import { historyEntries, sumsOf } from '../controls/history.ts';
import { requireConfirmed, underPlan, varianceEntries } from '../controls/variance.ts';
import type { Deps } from '../deps.ts';
import { keepWarnings } from '../duplicates/duplicates.ts';
import type { SheetCheck } from '../intake/check-rows.ts';
import { copyHead, planCopyOf, type SheetCopy, standingCopy } from '../intake/intake.ts';
import { maxProblems, removeProblemReport, withReport, writeProblemReport } from '../intake/problem-report.ts';
import { planOf, readingOptions, signingOf } from '../opened-with.ts';
import type { RunOrder } from '../order.ts';
import type { Outcome } from '../outcome.ts';
import {
  type ApproveOrder,
  approvedUnder,
  type FoundPlan,
  keepPlan,
  type OpenedPlan,
  planRecord,
  planToRun,
  recordDenied,
  requireApproved,
  requireAsPlanned,
  requirePlanned,
  requireTime,
} from '../plans/approved.ts';
import { conflictOf, type Plan, planAction } from '../plans/plan.ts';
import { digestWords } from '../plans/plan-file.ts';
import { fileDigest } from '../plans/plan-place.ts';
import { type GroundOrder, ledgerNow, planGround } from '../plans/plan-source.ts';
import { chosenIn, retryOrder } from '../plans/retries.ts';
import { refusalKind } from '../refusal-kind.ts';
import { stopFor } from '../sending/signals.ts';
import { requireStillExpired } from '../settle/settle.ts';
import { closingProblems, type Leading, planNotes, planSheet, refusal, rowsOfBatch } from './plan-sheet.ts';

interface Intake extends Leading {
  /** The id of the ledger's newest sheet when the program took the file. */
  readonly base: number;
  readonly copy: SheetCopy;
}

export interface OpenedVersion {
  readonly batch: BatchFacts;
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
  /** True if the run read the service's merchants when it compared the sheet with its plan. */
  readonly read: boolean;
}

/** Opens a version of the batch with the sheet's rows. Deletes the sheet's copy unless a batch keeps it. */
export async function openVersion(deps: Deps, order: RunOrder, intake: Intake): Promise<Outcome | OpenedVersion> {
  const { copy } = intake;
  try {
    return await (order.approve == null
      ? importSheet(deps, order, intake, null)
      : openUnderPlan(deps, order, intake, order.approve));
  } finally {
    // An error may come after the version was opened. If the ledger does not answer, the copy stays.
    const isKept = await deps.ledger.batches.hasCopy(copy.path).catch(() => true);
    if (!isKept) await copy.discard();
  }
}

async function openUnderPlan(
  deps: Deps,
  order: RunOrder,
  intake: Intake,
  approve: ApproveOrder,
): Promise<Outcome | OpenedVersion> {
  let found: FoundPlan | null = null;
  try {
    const repeated = { ...order.repeated, ...readingOptions(order.sheet) };
    const again = planAction({ ...order, repeated }, { batch: order.batch, signs: await signingOf(deps.ledger) });
    found = await planToRun(deps, approve, { ...order, again });
    const { batch, batch_named, sheet_sha256, terms } = found.plan.head;
    intake.stopOnSignal(batch);
    if (!found.began) await refuseStale(deps, underPlan(order, terms), intake.copy.path, found);
    const now = await ledgerNow(deps);
    requireTime(found, now);
    const opened = { ...found, ...(await approvedUnder(deps, found.plan, now)) };
    // A plan that is a retry compares no other row of the sheet.
    if ((approve.path !== null || terms.retry) && (await fileDigest(intake.copy.path)) !== sheet_sha256)
      throw new PayrunError('SHEET_CHANGED', { path: order.file });
    const named = { ...underPlan(order, terms), batch: order.batch ?? (batch_named ? batch : null) };
    const planned = terms.retry ? retryOrder(named, opened.retry, chosenIn(opened.retry, opened.began)) : named;
    const outcome = await importSheet(deps, planned, intake, opened);
    if ('kind' in outcome) {
      const { code, facts } = outcome.findings!.problems[0]!;
      const error = new PayrunError('SHEET_HAS_PROBLEMS', { problem: { code, facts } });
      await recordDenied(deps, batch, opened.plan.digest, error);
    }
    return outcome;
  } catch (error) {
    if (error instanceof PayrunError && (refusalKind(error.code) === 'rule' || error.code === 'POLICY_UNUSABLE'))
      await recordDenied(deps, found?.plan.head.batch ?? order.batch, found?.plan.digest ?? approve.digest, error);
    throw error;
  }
}

/** Throws for a plan of an older version: first what a new plan meets. A word that the sheet is the whole list was about that version. */
async function refuseStale(deps: Deps, given: RunOrder, path: string, { plan: { head }, again, retry }: FoundPlan) {
  const { batch, base, terms } = head;
  if (((await deps.ledger.batches.batch(batch))?.sheet.id ?? 0) <= base) return;
  const order = { ...given, batch, isPlan: true, repeated: again.options };
  const asked = terms.retry ? retryOrder(order, retry, chosenIn(retry, false)) : order;
  const said = { add: isAddition(asked), drop: false, isPlanned: false };
  const { plan } = await planSheet(deps, asked, path, null, said);
  throw new PayrunError('VERSION_CONFLICT', conflictOf(plan, asked, again));
}

async function importSheet(
  deps: Deps,
  given: RunOrder,
  intake: Intake,
  approved: OpenedPlan | null,
): Promise<Outcome | OpenedVersion> {
  const { ledger, service } = deps;
  const { copy } = intake;
  // A plan that has begun opened its version already, and permits no rows that return to an earlier content.
  const isPlanned = approved !== null && !approved.began;
  const { order, checked, plan } = await planSheet(deps, given, copy.path, intake, { ...given, isPlanned });
  if (plan.refused) {
    const refused = await refusal(ledger, service.label, plan, checked);
    const { file, outDir } = order;
    const facts = { file, outDir, source: checked.sheet, service: service.label, totals: refused.totals };
    return withReport(refused, await writeProblemReport(ledger.draft, { ...facts, now: deps.clock.now() }));
  }
  if (deps.stop.aborted) throw new PayrunError('STOPPED', { signal: null, hasEnded: true });
  const known = await ledger.batches.batch(plan.batch);
  const stopped = stopFor(deps, plan.batch);
  if (stopped !== null) throw stopped;
  // An addition does not show the unsent rows that it lacks, and somebody has to approve these too.
  const isPartial = isAddition(order) && plan.comparison.rows['never sent'].missing > 0;
  if (isPlanned && isPartial && known !== null && deps.policy !== undefined) await requireApproved(deps, known);
  const { expected, within } = await requireAllowed(deps, order, plan, approved, known);
  if (approved !== null) {
    const begun = await batchBegun(deps, { ...order, read: checked }, plan, approved);
    if (begun !== null) {
      await ledger.versions.takeClaims(begun.name, madeAt(approved)!);
      return { batch: begun, problems: [], notes: planNotes(checked, plan), read: false };
    }
    await keepPlan(approved, planCopyOf(copy.path));
  }
  const batch = await openNext(deps, order, intake, { checked, plan, known, approved, expected });
  const becameBatch = new Set(ledger.batches.sheetsOf(batch.name).map(({ options }) => String(options.sha256)));
  const changed = rowsOfBatch(order, plan);
  const notes: Note[] = [
    ...(approved?.notes ?? []),
    ...planNotes(checked, plan),
    ...(plan.comparison.known && changed.added + changed.differing + changed.dropped > 0 ? [changed] : []),
    ...(isAddition(order) || plan.dropped.total === 0
      ? []
      : [{ note: 'rows-dropped', batch: batch.name, rows: plan.dropped } as const]),
    ...totalsNotes(expected),
    ...within,
    // A person corrects the rows with mistakes in these files.
    ...(ledger.draft.counts().errors > 0 ? [] : await removeProblemReport(order.file, order.outDir, becameBatch)),
  ];
  const problems = ledger.draft.problems(maxProblems);
  await keepWarnings(ledger, batch, problems);
  return { batch, problems, notes, read: approved !== null };
}

interface Judged {
  readonly checked: SheetCheck;
  readonly plan: Plan;
  readonly known: BatchFacts | null;
  readonly approved: OpenedPlan | null;
  readonly expected: readonly Expected[] | null;
}

async function openNext(deps: Deps, order: RunOrder, { base, copy, turnOf }: Intake, judged: Judged) {
  const { ledger, service } = deps;
  const { checked, plan, known, approved, expected } = judged;
  const turn = turnOf(plan.batch);
  if (approved !== null && known !== null && plan.retried.length > 0)
    return await openRetry(deps, known, plan.retried, { approved, copy: copy.path, turn });
  const taken = approved === null ? null : planRecord(approved);
  const options = versionOptions(deps, order, checked, plan, { sha256: await fileDigest(copy.path), taken });
  return await ledger.versions.importDraft({
    batch: plan.batch,
    identity: service.identity,
    service: service.label,
    repeatReason: order.confirmRepeat,
    base: approved?.plan.head.base ?? base,
    turn,
    plan: approved === null ? null : digestWords(approved.plan.digest),
    proposal: approved?.proposal ?? null,
    isAddition: isAddition(order),
    mayRepeat: known !== null && approved === null && (await mayRepeat(deps, known, options)),
    saidAt: madeAt(approved),
    sheet: { name: copy.name, origin: copy.origin, copy: copy.path, options },
    entries: [
      ...(taken?.entries ?? []),
      ...correctionEntries(checked.options.corrections, checked.sheet),
      ...historyEntries(plan.history),
      ...varianceEntries(plan.variance, order.variance),
      ...(expected === null ? [] : [{ what: 'totals' as const, data: { agreed: expected } }]),
    ],
  });
}

const madeAt = (approved: OpenedPlan | null) =>
  approved === null ? undefined : Date.parse(approved.plan.head.made_at);

/** Opens the newest version again, with its own sheet, so that the plan's copy stands beside it. */
async function openRetry(
  { ledger, limits, actor }: Deps,
  head: BatchFacts,
  rows: readonly LedgerRow[],
  { approved, copy, turn }: Readonly<{ approved: OpenedPlan; copy: string; turn: number | null }>,
): Promise<BatchFacts> {
  await copyHead(ledger, head, copy);
  const { remembered, entries } = planRecord(approved);
  const options = { plan: remembered, canary: limits.canary, ...rememberedGuards(limits) };
  const { proposal } = approved;
  const under = { plan: digestWords(approved.plan.digest), proposal, copy, options, entries, saidAt: madeAt(approved) };
  return await ledger.versions.retryRows(head, rows, { by: actor.name, turn, under });
}

/** Throws if the sheet differs from its plan. Returns the batch if the plan opened its newest version before a crash; else null. */
async function batchBegun(deps: Deps, order: GroundOrder, plan: Plan, approved: OpenedPlan) {
  const { ledger, service } = deps;
  const closes = await closingProblems(ledger, order, plan);
  await requirePlanned(deps, approved, plan, { ground: planGround(deps, order, plan), closes });
  if (!approved.began) return null;
  return await ledger.batches.bind(plan.batch, service.identity, service.label);
}

/** Returns the options that the ledger keeps with the version, for the process that continues the batch. */
function versionOptions(
  { ledger, limits, actor }: Deps,
  order: RunOrder,
  checked: SheetCheck,
  plan: Plan,
  own: Readonly<{ sha256: string; taken: ReturnType<typeof planRecord> | null }>,
): Readonly<Record<string, unknown>> {
  const { sha256, taken } = own;
  return {
    ...checked.options,
    outDir: order.outDir,
    format: order.format,
    sha256,
    ...(checked.sheet.leftOut() === 0 ? {} : { leftOut: checked.sheet.leftOut() }),
    add: order.add,
    ...(limits.canary === undefined ? {} : { canary: limits.canary }),
    ...rememberedGuards(limits),
    repeated: order.repeated,
    // Another person than this one has to release the batch's held rows.
    ...(actor.name === null ? {} : { by: actor.name }),
    ...(order.maker == null || taken !== null ? {} : { maker: order.maker }),
    sums: sumsOf(ledger),
    ...(plan.variance.series === null ? {} : { series: plan.variance.series }),
    ...(taken === null ? {} : { plan: taken.remembered }),
  };
}

/** Options of one file or command. A difference in them alone makes no new version. */
const ofOneRun = ['sha256', 'leftOut', 'add', 'sums', 'series', 'plan', 'by'];

const settingsIn = (options: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.entries(options).filter(([name, value]) => value !== undefined && !ofOneRun.includes(name)));

/** True if a sheet with the same rows needs no new version. It needs one if the copy is missing, or if settings differ and the batch has no plan. */
async function mayRepeat({ ledger }: Deps, batch: BatchFacts, options: Readonly<Record<string, unknown>>) {
  const copy = await standingCopy(ledger, batch).catch(() => null);
  return copy !== null && (planOf(batch) !== null || settingsIn(batch.sheet.options) === settingsIn(options));
}

async function requireAllowed(
  deps: Deps,
  order: RunOrder,
  plan: Plan,
  approved: OpenedPlan | null,
  known: BatchFacts | null,
): ReturnType<typeof heldToControls> {
  await refuseLivePayments(deps, plan, order);
  if (approved === null && known !== null && repeatsHead(plan.comparison, isAddition(order)))
    await requireAsPlanned(deps, known, order);
  return await heldToControls(deps, order, plan);
}

/** Throws if the sheet differs from its control totals, exceeds a cap, or changes too much within its series. */
async function heldToControls(deps: Deps, order: RunOrder, plan: Plan) {
  try {
    const expected = await requireTotals(deps.ledger.draft, order.file, order.controls);
    await requireConfirmed(deps.ledger, plan.batch, plan.variance, order.variance);
    return { expected, within: await requireUnderCaps(deps, { batch: plan.batch, retried: null }) };
  } catch (error) {
    // If the run has a plan, `openVersion` records every refusal.
    if (error instanceof PayrunError && refusalKind(error.code) === 'rule' && order.approve == null)
      await recordDenied(deps, plan.batch, null, error);
    throw error;
  }
}

async function refuseLivePayments(deps: Deps, { comparison }: Plan, order: RunOrder): Promise<void> {
  for (const { isMissing, ...row } of comparison.expired)
    if (isMissing === 0 || !isAddition(order)) await requireStillExpired(deps, row);
}
