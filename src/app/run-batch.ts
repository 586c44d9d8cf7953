/** The story of a batch: read, plan, refuse if anything is wrong, open, register payees, reconcile, pay, attach, settle, report. */
import { basename } from 'node:path';
import { failureOf, PayrunError } from '../base/errors.ts';
import { makeFolder } from '../base/folder.ts';
import type { Problem } from '../base/problem.ts';
import type { Failure } from '../base/refusal.ts';
import { bankCountries, bankDirectory, offlineBanks } from '../domain/accounts/bank.ts';
import { resumeOf } from '../domain/next-action.ts';
import type { Note } from '../domain/note.ts';
import { batchProblem } from '../domain/problems/batch-problems.ts';
import type { RowRules } from '../domain/rows/line.ts';
import { defaultTagScope } from '../domain/rows/tag.ts';
import { rightsOf } from '../domain/sending/actor.ts';
import {
  type BatchFacts,
  isPersonsStop,
  type Ledger,
  type LedgerMerchant,
  type LedgerRow,
  type MerchantState,
  proposalWaits,
  wordOf,
} from '../ledger/ledger.ts';
import { rememberedGuards, withRemembered } from '../pipeline/controls/batch-limits.ts';
import { payBehindCanaries, stepsPastCanary } from '../pipeline/controls/canary.ts';
import { refuseOverCaps, requireUnderCaps } from '../pipeline/controls/caps.ts';
import { type Expected, requireTotals, type TotalsOrder, totalsNotes } from '../pipeline/controls/control-totals.ts';
import { historyTold, sumsOf } from '../pipeline/controls/history.ts';
import { awaitWindow } from '../pipeline/controls/pay-window.ts';
import { holdChangedPayees, type PayeeControl } from '../pipeline/controls/payee-control.ts';
import { addRailProblems } from '../pipeline/controls/rail-limits.ts';
import { requireConfirmed, underPlan, varianceTold } from '../pipeline/controls/variance.ts';
import type { Deps } from '../pipeline/deps.ts';
import { attach } from '../pipeline/documents/attach.ts';
import { addressOf, holdDuplicates, keepWarnings, refusePaidSheet } from '../pipeline/duplicates/duplicates.ts';
import { exitOfCode, stopsSendingOnly } from '../pipeline/exit-code.ts';
import { checkSheet, type SheetCheck } from '../pipeline/intake/check-rows.ts';
import {
  keepCopy,
  planCopyOf,
  requireSheetFile,
  requireWritable,
  type SheetCopy,
  standingCopy,
} from '../pipeline/intake/intake.ts';
import {
  type HandBackOrder,
  nothingBack,
  type ProblemReport,
  removeProblemReport,
  withHandedBack,
  writeProblemReport,
} from '../pipeline/intake/problem-report.ts';
import {
  batchOutcome,
  exitOf,
  noPlan,
  type Outcome,
  planOf,
  readingOptions,
  standing,
  standingWithDraft,
  unknownClaims,
  viewOf,
} from '../pipeline/outcome.ts';
import { type PayeeRegistration, registerPayees } from '../pipeline/payees/register-payees.ts';
import {
  type ApproveOrder,
  keepPlan,
  type OpenedPlan,
  openApproved,
  refuseUnapproved,
  requireApproved,
  requireAsPlanned,
  requirePlanned,
  takenIn,
  tellDenied,
} from '../pipeline/plans/approved.ts';
import {
  endedRefusal,
  type Plan,
  type PlanOrder,
  planBatch,
  refuseEnded,
  refuseVersion,
  requireSameIdentity,
} from '../pipeline/plans/plan.ts';
import { digestWords } from '../pipeline/plans/plan-file.ts';
import { fileDigest } from '../pipeline/plans/plan-place.ts';
import { planGround } from '../pipeline/plans/plan-source.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { foreignRepeatMs } from '../pipeline/reconcile/list-scan.ts';
import { alarmOf } from '../pipeline/reconcile/reconcile.ts';
import { clockNotes, refuseQuiet, scanAfterSending, scanBeforeSending } from '../pipeline/reconcile/run-scans.ts';
import { awayFolder, keepAway } from '../pipeline/results/fallback-location.ts';
import { report, reportBoth, requireResultPlace, requireRoom, resultPlace } from '../pipeline/results/report.ts';
import { stopOf } from '../pipeline/sending/backoff.ts';
import { sourceWordsFor } from '../pipeline/sending/funding-sources.ts';
import { heedSignal, isStoppedByPerson, isStoppedHere } from '../pipeline/sending/signals.ts';
import { stopIn } from '../pipeline/sending/together.ts';
import { lookOnce, settle } from '../pipeline/settle/settle.ts';
import {
  choiceNotes,
  correctionEntries,
  correctionNotes,
  mapNote,
  noMap,
  openSheet,
  type SheetOptions,
} from '../sheet/sheet.ts';
import { isHandedOver, stopTold, tellStop } from './tell-stop.ts';

export interface RunOrder extends PlanOrder, AdvanceOrder {
  readonly controls?: TotalsOrder;
  readonly sheet: SheetOptions;
  /** The rules for rows, except for the banks, which the service lists. */
  readonly rules: Omit<RowRules, 'banks'>;
  readonly documentsFolder: string;
  /** A file with another digest is not paid. */
  readonly sha256?: string;
  /** The ledger's newest sheet when the file was taken; absent takes the newest one now. */
  readonly base?: number;
  /** A different person has to release the held rows. */
  readonly by?: string | null;
  /** The person who made the sheet, if no plan says so. */
  readonly maker?: string | null;
  /** The only plan that may be run; null runs without a plan. */
  readonly approve?: ApproveOrder | null;
}

export interface AdvanceOrder {
  readonly updateNames: boolean;
  /** The person says that what is left belongs to a batch which another ledger paid in part. */
  readonly isMeant?: boolean;
  readonly skipInvalid: boolean;
  /** The folder of the result; null for the sheet's folder. */
  readonly outDir: string | null;
  readonly format: 'csv' | 'xlsx' | null;
  /** Nothing of the batch is sent without this policy's approvals. */
  readonly policy?: string | null;
  readonly payees?: PayeeControl;
  readonly seen?: Seen;
}

export interface Seen {
  /** The opening's version (Fleet.standsAs). If it is another one now, somebody else leads. */
  readonly opening?: string;
  /** The pause that this run ends, once nothing refuses it. */
  readonly pause?: number;
  /** The time at which the sheet came. A batch that a person stopped after that is not continued. */
  readonly at?: number;
}

const earlyPauseMs = 10;

/** The most problems that an outcome carries; a checked workbook has room for more. */
const maxProblems = 10_000;

/** `payrun run FILE`: after a crash the same command continues. */
export async function run(deps: Deps, order: RunOrder): Promise<Outcome> {
  const { ledger, clock } = deps;
  await requireSheetFile(order.file, order.file);
  await requireWritable(order.outDir, order.file);
  const over = new AbortController();
  const heed = (batch: string) => heedSignal(deps, batch, over.signal);
  if (order.batch !== null) heed(order.batch);
  await requirePolicy(deps, order.batch);
  await awaitWindow(deps);
  const take = async () => {
    await ledger.hold();
    // Another process may have put a policy in force meanwhile.
    await requirePolicy(deps, order.batch);
    await ledger.recover();
  };
  const later = await isForTheFleet(deps, order);
  if (!later) await take();
  const base = order.base ?? ledger.newestSheet();
  const copy = await keepCopy(ledger, order.file, clock, order.sha256);
  const token = watch(deps.client.ready());
  const opened = await openUnderPlan(deps, { ...order, base }, copy, { take: later ? take : null, heed }).catch(
    async (error: unknown) => {
      await copy.discard();
      throw error;
    },
  );
  const isKept = !('exit' in opened) && opened.batch.sheet.copy === copy.path;
  if (!isKept) await copy.discard();
  if ('exit' in opened) return opened;
  return await advance(deps, { ...order, isMeant: order.add }, opened.batch, { ...opened, token, later: null, over });
}

/** A worker can continue sooner than a long sheet is checked, so the run locks the ledger only after reading it. */
async function isForTheFleet({ ledger, service }: Deps, { batch, approve }: RunOrder): Promise<boolean> {
  if (ledger.fleet === null || batch === null || approve != null) return false;
  return (await ledger.fleet.unfinished(service.identity)).some((one) => one.left && one.batch === batch);
}

type BasedOrder = RunOrder & Required<Pick<RunOrder, 'base'>>;

interface Leading {
  /** Locks the ledger after the sheet was read; null if it is locked already. */
  readonly take: (() => Promise<void>) | null;
  /** Sets the batch that a signal stops from now on. */
  readonly heed: (batch: string) => void;
}

interface Opened {
  readonly batch: BatchFacts;
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
  /** True if the service's merchants were read for a plan. */
  readonly read: boolean;
}

/** If the run is refused, the trail records why. */
async function openUnderPlan(
  deps: Deps,
  order: BasedOrder,
  copy: SheetCopy,
  leading: Leading,
): Promise<Outcome | Opened> {
  const { approve = null } = order;
  if (approve === null) return await openBatch(deps, order, copy, null, leading);
  let opened: OpenedPlan | null = null;
  try {
    opened = await openApproved(deps, approve, order);
    const { batch, batch_named, terms } = opened.plan.head;
    leading.heed(batch);
    const named = { ...underPlan(order, terms), batch: order.batch ?? (batch_named ? batch : null) };
    const outcome = await openBatch(deps, named, copy, opened, leading);
    if ('exit' in outcome) {
      const [problem] = outcome.problems;
      const first = problem === undefined ? null : { code: problem.code, facts: problem.facts };
      const error = new PayrunError('SHEET_HAS_PROBLEMS', { problem: first });
      await tellDenied(deps, batch, opened.plan.digest, error);
    }
    return outcome;
  } catch (error) {
    if (error instanceof PayrunError && (exitOfCode(error.code) === 26 || error.code === 'POLICY_UNUSABLE'))
      await tellDenied(deps, opened?.plan.head.batch ?? order.batch, opened?.plan.digest ?? approve.digest, error);
    throw error;
  }
}

async function openBatch(
  deps: Deps,
  order: BasedOrder,
  copy: SheetCopy,
  approved: OpenedPlan | null,
  leading: Leading,
): Promise<Outcome | Opened> {
  const { ledger, service } = deps;
  const { checked, plan } = await planSheet(deps, order, copy.path, leading);
  if (plan.refused) {
    const refused = await refusal(deps, plan, checked);
    const { file, outDir } = order;
    const facts = { file, outDir, source: checked.sheet, totals: refused.totals };
    return withHandedBack(refused, await handedBack(deps, facts));
  }
  if (deps.stop.aborted) throw new PayrunError('STOPPED', { signal: null, hasEnded: true });
  if (order.seen?.at !== undefined && (await isStoppedByPerson(deps, plan.batch, order.seen.at)))
    throw stoppedBefore(plan.batch);
  await refuseLivePayments(deps, plan, order);
  const known = await ledger.batch(plan.batch);
  if (approved === null) {
    if (plan.comparison.isHead && known !== null) await requireAsPlanned(deps, known, order);
  }
  if (!plan.comparison.isHead && (approved === null || approved.policy === null))
    await refuseUnapproved(deps, plan.batch);
  const { expected, within } = await heldToControls(deps, order, plan);
  if (approved !== null) {
    await requirePlanned(deps, approved, plan, planGround(deps, { ...order, read: checked }, plan)).catch(
      (error: unknown) => {
        throw stopOf(deps, error);
      },
    );
    await keepPlan(approved, planCopyOf(copy.path));
  }
  const taken = approved === null ? null : takenIn(approved);
  // A result file under another name is next month's sheet, so its claims about sent rows are ignored.
  const claimed = plan.batch === checked.ownBatch ? checked.claimed : 0;
  const options = {
    ...checked.options,
    outDir: order.outDir,
    format: order.format,
    sha256: await fileDigest(copy.path),
    claimed,
    ...(checked.sheet.leftOut() === 0 ? {} : { leftOut: checked.sheet.leftOut() }),
    add: order.add,
    ...(deps.limits.canary === undefined ? {} : { canary: deps.limits.canary }),
    ...rememberedGuards(deps.limits),
    repeated: { ...order.repeated, ...readingOptions(checked.options) },
    ...(order.by == null ? {} : { by: order.by }),
    ...(order.maker == null || approved !== null ? {} : { maker: order.maker }),
    sums: sumsOf(ledger),
    ...(plan.variance.series === null ? {} : { series: plan.variance.series }),
    ...(taken === null ? {} : { plan: taken.remembered }),
  };
  const batch = await ledger.importDraft({
    batch: plan.batch,
    identity: service.identity,
    service: service.label,
    tagScope: defaultTagScope,
    repeatReason: order.confirmRepeat,
    base: approved?.plan.head.base ?? order.base,
    plan: approved === null ? null : digestWords(approved.plan.digest),
    isAddition: order.add && !order.drop,
    mayRepeat: known !== null && (await mayRepeat(deps, known, options)),
    sheet: {
      name: copy.name,
      origin: copy.origin,
      copy: copy.path,
      options,
    },
    told: [
      ...(taken?.told ?? []),
      ...correctionEntries(checked.options.corrections, checked.sheet),
      ...historyTold(plan.history),
      ...varianceTold(plan.variance, order.variance),
      ...(expected === null ? [] : [{ what: 'totals', data: { agreed: expected } }]),
    ],
  });
  const becameBatch = new Set(ledger.sheetsOf(batch.name).map(({ options }) => String(options.sha256)));
  const notes: Note[] = [
    ...(approved?.notes ?? []),
    ...planNotes(checked, plan),
    ...totalsNotes(expected),
    ...within,
    ...(await removeProblemReport(order.file, order.outDir, becameBatch)),
  ];
  const problems = ledger.draft.problems(maxProblems);
  await keepWarnings(ledger, batch, problems);
  return { batch, problems, notes, read: approved !== null };
}

/** Options that one file or one command sets for itself; they do not make another version. */
const ofOneRun = ['sha256', 'claimed', 'leftOut', 'add', 'sums', 'series', 'plan'];

const settingsIn = (options: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.entries(options).filter(([name, value]) => value !== undefined && !ofOneRun.includes(name)));

/** True if the same rows are no new version. Other settings need one, unless a plan fixed them. */
async function mayRepeat({ ledger }: Deps, batch: BatchFacts, options: Readonly<Record<string, unknown>>) {
  const isSame = planOf(batch) !== null || settingsIn(batch.sheet.options) === settingsIn(options);
  const hasCopy = async () =>
    await standingCopy(ledger, batch).then(
      () => true,
      () => false,
    );
  return isSame && (await hasCopy());
}

/** The sheet may have been exchanged on its way, or was not meant to be paid. */
async function heldToControls(
  deps: Deps,
  order: RunOrder,
  plan: Plan,
): Promise<{ readonly expected: readonly Expected[] | null; readonly within: readonly Note[] }> {
  try {
    const expected = await requireTotals(deps.ledger.draft, order.file, order.controls);
    await requireConfirmed(deps.ledger, plan.batch, plan.variance, order.variance);
    return { expected, within: await requireUnderCaps(deps, { batch: plan.batch, again: null }) };
  } catch (error) {
    // If the run has a plan, the trail records every refusal anyway.
    if (error instanceof PayrunError && exitOfCode(error.code) === 26 && order.approve == null)
      await tellDenied(deps, plan.batch, null, error);
    throw error;
  }
}

/** Throws if a row is changed or ended because its payment expired, and that payment was paid late. */
async function refuseLivePayments(deps: Deps, { comparison, batch }: Plan, { add, drop }: RunOrder): Promise<void> {
  for (const { number, paymentId, isMissing } of comparison.expired) {
    if (isMissing === 1 && add && !drop) continue;
    const payment = await deps.client.payment(paymentId).catch((error: unknown) => {
      throw stopOf(deps, error);
    });
    if (payment === null || deps.statuses.endOf(payment.status) === 'expired') continue;
    const status = payment.status ?? null;
    throw new PayrunError('EXPIRED_ROW_PAID', { row: number, batch, payment: paymentId, status });
  }
}

/** Compares the sheet with the rules, the ledger and the service. Throws if it may not continue (exit 26). */
export async function planSheet(
  deps: Deps,
  order: RunOrder,
  path: string,
  leading: Leading | null = null,
  isPlanned = order.approve != null,
): Promise<{ checked: SheetCheck; plan: Plan }> {
  const { ledger, clock } = deps;
  // Open the sheet while the service lists its banks.
  const opened = watch(openSheet(path, order.sheet));
  const rules = { ...order.rules, banks: await serviceBanks(deps) };
  const { sheet: options, documentsFolder } = order;
  const keptBy = async (name: string | null) => {
    const batch = name === null ? await batchOfFile(ledger, path) : await ledger.batch(name);
    return { map: mapOf(batch), choices: optionsOf(batch).choices };
  };
  const checked = await checkSheet(
    ledger.draft,
    {
      path,
      options,
      opened,
      rules,
      documentsFolder,
      documentLimits: deps.limits.documents,
      batch: order.batch,
      now: clock.now(),
      keptBy,
    },
    deps.progress,
  );
  await leading?.take?.();
  addRailProblems(ledger.draft, deps.limits.rails ?? 'warn', clock.now(), order.batch ?? checked.ownBatch);
  const plan = await planBatch(deps, order, checked.ownBatch);
  leading?.heed(plan.batch);
  await refuseWithoutMap(deps, order, plan.batch, checked.options);
  if (!plan.refused) {
    const repeated = { ...order.repeated, ...readingOptions(checked.options) };
    refuseVersion(plan, { ...order, repeated }, isPlanned);
    if (plan.isNew) await refusePaidSheet(deps.ledger, plan.duplicates, { ...order, repeated });
    refuseEnded(plan, clock.now());
  }
  return { checked, plan };
}

/** Returns the one batch of the same file; null if there is none, or several. */
async function batchOfFile(ledger: Ledger, path: string): Promise<BatchFacts | null> {
  const chosen = (await ledger.batches()).filter((batch) => optionsOf(batch).choices !== undefined);
  if (chosen.length === 0) return null;
  const sha256 = await fileDigest(path);
  const [only = null, ...others] = chosen.filter(({ sheet }) => sheet.options.sha256 === sha256);
  return others.length === 0 ? only : null;
}

const optionsOf = (batch: BatchFacts | null) => (batch?.sheet.options ?? {}) as SheetOptions;

function mapOf(batch: BatchFacts | null): SheetOptions['map'] {
  const { map } = optionsOf(batch);
  return map?.name === noMap.name ? undefined : map;
}

/** Throws for a sheet without its batch's map, since its columns could mean other amounts. */
async function refuseWithoutMap(
  { ledger }: Deps,
  { file, repeated }: RunOrder,
  batch: string,
  options: SheetOptions,
): Promise<void> {
  const map = options.map === undefined ? mapOf(await ledger.batch(batch)) : undefined;
  if (map === undefined) return;
  const command = (name: string) =>
    ({ action: 'run-sheet', file, batch, add: false, why: null, options: { ...repeated, map: name } }) as const;
  throw new PayrunError('MAP_LEFT_OUT', {
    batch,
    map: map.name,
    withMap: command(map.name),
    withoutMap: command('none'),
  });
}

/** Returns the refusal of a batch that another ledger fully paid more than a day ago; else null. */
async function paidLongAgo({ ledger, clock }: Deps, batch: BatchFacts): Promise<PayrunError | null> {
  const { rows, left_out } = await standing(ledger, batch);
  const allPaid = rows.paid > 0 && rows.paid === rows.total - left_out;
  return allPaid ? endedRefusal(await ledger.lastSent(batch.name), batch.name, clock.now()) : null;
}

/** Similar rows would look paid. With `--add` the person says that the other rows belong to that batch. */
async function refuseOldPart(deps: Deps, batch: BatchFacts, isMeant = false): Promise<void> {
  const { ledger } = deps;
  const last = await ledger.lastSent(batch.name);
  if (last === null || last >= batch.createdAt - foreignRepeatMs || isMeant || batch.sheet.options.add === true) return;
  const { rows: left } = await readyCount(deps, batch);
  if (left === 0) return;
  throw new PayrunError('BATCH_PAID_IN_PART', { batch: batch.name, lastPaidAt: last, unpaid: left });
}

/** Checks first that the result can be written. If not, a worker uses a folder beside the ledger and continues. */
async function placed({ ledger, actor }: Deps, order: AdvanceOrder, batch: BatchFacts): Promise<AdvanceOrder> {
  try {
    await requireResultPlace(batch, order);
    return order;
  } catch (error) {
    if (rightsOf(actor).needsResult) throw error;
    const outDir = awayFolder(ledger);
    try {
      makeFolder(outDir);
    } catch {
      // A later attempt to write the result reports the error.
    }
    return { ...order, outDir };
  }
}

export async function resume(given: Deps, said: AdvanceOrder, name: string): Promise<Outcome> {
  const { ledger, service } = given;
  const may = rightsOf(given.actor);
  const over = new AbortController();
  heedSignal(given, name, over.signal);
  await requirePolicy(given, name);
  await awaitWindow(withRemembered(given, await ledger.batch(name)));
  await ledger.hold();
  await requirePolicy(given, name);
  // Another process led the batch meanwhile, and may have stopped it.
  if (said.seen?.opening !== undefined && (await ledger.fleet?.standsAs(name)) !== said.seen.opening)
    throw new PayrunError('LEDGER_BUSY', { path: ledger.path, holder: { fault: 'held-until-now' } });
  await ledger.recover();
  const batch = await ledger.batch(name);
  if (batch === null) throw new PayrunError('BATCH_UNKNOWN', { batch: name });
  if (!may.continuesStopped && (await isStoppedByPerson(given, name)) && (await mayBeSent(given, name))) {
    const stopped = stoppedBefore(name);
    return await concluded(given, said, batch, async () => ({ notes: [], alarm: stopped }));
  }
  const deps = withRemembered(given, batch);
  await requireSameIdentity(deps, batch);
  if (said.policy != null) await requireApproved(deps, batch);
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
    token: watch(deps.client.ready()),
    over,
  });
}

const stoppedBefore = (batch: string) => new PayrunError('STOPPED_BEFORE', { batch, command: resumeOf(batch) });

/** True if rows may be sent. Following payments needs no approval. */
const mayBeSent = async ({ ledger }: Deps, name: string) =>
  (await ledger.counts(name)).some(({ state, listed }) => listed && ['not sent', 'in doubt'].includes(wordOf[state]));

/** A plan that waits stops the sending. Payments that were sent are still followed. */
function proposalStop({ ledger }: Deps, batch: string): PayrunError | null {
  const proposal = ledger.proposalOf(batch);
  return proposal && proposalWaits(batch, proposal);
}

interface Intake extends Omit<Opened, 'batch'> {
  /** Resolves when the service has given a token; rejects if the service cannot be used. */
  readonly token: Promise<void>;
  /** Payments already sent are still followed. */
  readonly later: PayrunError | null;
  /** Aborted when sending has finished, so that later signals stop nothing. */
  readonly over: AbortController;
}

/** Throws for a result file that shows payments unknown to this ledger and to the service. */
async function refuseUnknownClaims({ ledger, service }: Deps, batch: BatchFacts): Promise<void> {
  const { rows } = await standing(ledger, batch);
  const claims = unknownClaims(batch, rows);
  if (claims === null) return;
  throw new PayrunError('CLAIMS_UNKNOWN', { ...claims, ledger: ledger.path, service: service.label });
}

/** Each stage moves rows to their next state in the ledger, so resuming needs no other code. */
async function advance(deps: Deps, order: AdvanceOrder, batch: BatchFacts, intake: Intake): Promise<Outcome> {
  await requireRoom(deps.ledger, batch, order);
  const problems = [...intake.problems];
  const notes: Note[] = [...intake.notes];
  let sent = 0;
  let stopped: PayrunError | null = null;
  let { later } = intake;
  // If something stops the sending, a person has to decide, so no worker continues.
  let opened = later !== null;
  const beganAt = deps.clock.monotonic();
  // The batch has a result from the start. A long one is written in the pauses between the first payments.
  const { ledger, clock } = deps;
  const rest = new AbortController();
  const pause = () => clock.sleep(earlyPauseMs, rest.signal);
  const writing = report({ ...order, ledger, batch, now: clock.now(), pause });
  // A worker sends even if the result cannot be written; the end reports whether it could.
  const may = rightsOf(deps.actor);
  const early = watch(may.needsResult ? writing : writing.catch(() => null));
  try {
    // A result needs the sheet's copy, so fail before anything is sent.
    if (may.needsResult) await standingCopy(ledger, batch);
    await intake.token;
    await holdDuplicates(deps, batch);
    await holdChangedPayees(deps, batch, addressOf(batch.identity), order.payees ?? 'hold');
    const enrolled = await registerPayees(deps, batch, { ...order, read: intake.read });
    await Promise.race([early, Promise.resolve()]);
    await refuseMerchants(deps, batch, order, enrolled, problems);
    // Register payees before the scan, since it compares payments with the merchants of their rows.
    const adopted = deps.stop.aborted ? [] : await scanBeforeSending(deps, batch);
    notes.push(...adopted, ...clockNotes(deps));
    await refuseUnknownClaims(deps, batch);
    await refuseOldPart(deps, batch, order.isMeant);
    let released = 0;
    do {
      // A scan released rows, which need another scan.
      if (released > 0) notes.push(...(await scanBeforeSending(deps, batch)));
      released = 0;
      const ready = await readyCount(deps, batch);
      // An alarm stops sending; payments already sent are still followed.
      if (ready.rows > 0 && later === null && (await alarmOf(deps, batch)) === null && !deps.stop.aborted) {
        await refuseQuiet(deps, batch);
        const sourceWords = await sourceWordsFor(deps, ready.sources);
        opened = true;
        const paid = await payBehindCanaries(deps, batch, ready.rows, {
          sourceWords,
          collecting: ready.collecting,
          beganAt,
        });
        sent += paid.sent;
        stopped = paid.stopped;
        later = paid.later;
      }
      const paidAt = clock.monotonic();
      if (stopped === null) await attach(deps, batch);
      // Scan even when every answer was lost, since a payment that appears settles the row's doubt.
      if (ready.rows > 0) {
        const looked = await scanAfterSending(deps, batch, paidAt);
        notes.push(...looked.notes);
        stopped ??= looked.stopped;
        released = looked.released;
      }
      // In a fleet only the leader can send released rows. So send them now, before it follows thousands of payments.
    } while (ledger.fleet !== null && released > 0 && (stopped ?? later) === null && !deps.stop.aborted);
    if (stopped === null) stopped = await settle(deps, batch);
    stopped ??= await alarmOf(deps, batch);
    if (stopped === null && adopted.length > 0 && sent === 0) stopped = await paidLongAgo(deps, batch);
    stopped ??= later;
  } catch (error) {
    stopped = stopOf(deps, error);
  }
  if (stopped !== null && stopsSendingOnly.includes(stopped.code)) await lookOnce(deps, batch);
  // A fleet continues what an earlier leader left, until one process finishes or a person must decide.
  const ends = stopped === null || opened || isStoppedHere(deps);
  // A later signal is not the reason.
  const interrupted = deps.stop.aborted;
  if (!isHandedOver(deps, stopped)) await tellStop(deps, batch, stopped, ends);
  if (ends) intake.over.abort();
  rest.abort();
  await early.catch(() => undefined);
  const back = stopped?.code === 'PAYEES_REFUSED' ? await handedBatch(deps, order, batch) : nothingBack;
  return withHandedBack(await outcome(deps, order, batch, { sent, stopped, problems, notes, interrupted }), back);
}

/** Writes the checked workbook with the payees that the service refused. */
async function handedBatch(deps: Deps, order: AdvanceOrder, batch: BatchFacts): Promise<ProblemReport> {
  const { origin, options } = batch.sheet;
  const { totals } = await standing(deps.ledger, batch);
  try {
    const source = await openSheet(await standingCopy(deps.ledger, batch), options as SheetOptions);
    return await handedBack(deps, { file: origin, outDir: resultPlace(batch, order).outDir, source, totals });
  } catch (error) {
    return { ...nothingBack, notes: [{ note: 'checked-unwritten', why: failureOf(error) }] };
  }
}

async function handedBack(
  { ledger, service, clock }: Deps,
  order: Omit<HandBackOrder, 'service' | 'now'>,
): Promise<ProblemReport> {
  return await writeProblemReport(ledger.draft, { ...order, service: service.label, now: clock.now() });
}

/** Finishes a batch for a leader that is gone, if nothing more will be sent. Records its stop and writes its result. */
export async function concludeFor(deps: Deps, order: AdvanceOrder, name: string): Promise<Outcome | null> {
  const { ledger, service } = deps;
  if ((await ledger.fleet?.unfinished(service.identity))?.some((one) => one.due && one.batch === name) !== true)
    return null;
  await ledger.hold();
  await ledger.recover();
  const [batch, closing] = [await ledger.batch(name), await ledger.fleet!.closing(name)];
  if (batch === null) return null;
  const alarm = stopIn(closing);
  // If the closing is `due`, its leader recorded it, and a schedule made later must stay in force.
  const isTold = isPersonsStop(await ledger.newestEntry(name, 'stop', 'run', 'opened'));
  if (closing?.why !== 'due') await ledger.fleet!.finish(name, isTold ? null : stopTold(batch, alarm));
  return await concluded(deps, order, batch, async () => ({ notes: [], alarm }));
}

/** Scans may have changed rows, so the result is written even on failure. */
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

async function outcome(
  deps: Deps,
  order: AdvanceOrder,
  batch: BatchFacts,
  facts: {
    sent: number;
    stopped: PayrunError | null;
    problems: readonly Problem[];
    notes: readonly Note[];
    interrupted: boolean;
  },
): Promise<Outcome> {
  const { ledger, clock } = deps;
  deps.progress({ stage: 'reporting', done: 0, total: null });
  const notes: Note[] = [...facts.notes];
  let unwritten: Failure | null = null;
  // Report what was paid even if the result cannot be written.
  const written = await reportBoth({ ...order, ledger, batch, now: clock.now() }).catch((error: unknown) => {
    unwritten = failureOf(error);
    // The run stopped for the same reason.
    const isStop = error instanceof PayrunError && error.message === facts.stopped?.message;
    if (!isStop) notes.push({ note: 'result-unwritten', batch: batch.name, why: unwritten });
    return null;
  });
  const result = written?.result ?? null;
  const answer = written?.answer ?? null;
  notes.push(...(written?.notes ?? []));
  // If this write fails, the ledger has reported its failure already.
  await keepAway(deps, batch, { path: result, why: unwritten }).catch(() => undefined);
  await ledger.fleet?.end(batch.name).catch(() => undefined);
  const standing = await batchOutcome(ledger, (await ledger.batch(batch.name)) ?? batch, viewOf(deps));
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
    // A worker has already reported that the result is missing.
    exit:
      standing.exit === 27
        ? 27
        : exitOf(standing, facts.stopped) || (result === null && rightsOf(deps.actor).needsResult ? 1 : 0),
  };
}

/** Nothing is sent or kept, and the batch stays as it was. */
export async function refusal(
  deps: Pick<Deps, 'ledger' | 'service'>,
  plan: Plan | null,
  checked: SheetCheck,
): Promise<Outcome> {
  const { draft } = deps.ledger;
  const { rows, errors } = draft.counts();
  if (rows === 0 && errors === 0) draft.addProblems([batchProblem('SHEET_WITHOUT_ROWS', 'error', {})]);
  const counts = draft.counts();
  const stands = await standingWithDraft(deps.ledger, plan?.comparison ?? null, plan?.batch ?? null);
  // If the header has an error, no row was read, so none is counted.
  const unread = checked.sheet.problems.some(({ severity }) => severity === 'error') ? stands.rows.invalid : 0;
  return {
    batch: plan?.comparison.known ? plan.batch : null,
    service: deps.service.label,
    ledger: deps.ledger.path,
    digest: null,
    ...noPlan,
    sent: 0,
    rows: { ...stands.rows, total: stands.rows.total - unread, invalid: stands.rows.invalid - unread },
    left_out: stands.left_out,
    totals: stands.totals,
    problems: draft.problems(maxProblems),
    problems_total: counts.problems,
    ...adviceOf(checked),
    documents: stands.documents,
    result: null,
    checked: null,
    checked_rows: null,
    next: [],
    notes: [...readingNotes(checked), ...stands.notes],
    stopped: null,
    exit: 20,
  };
}

export function adviceOf(checked: SheetCheck | null): Pick<Outcome, 'map'> {
  return checked?.advice == null ? {} : { map: checked.advice };
}

const merchantCodes: Partial<Record<MerchantState, 'MERCHANT_AMBIGUOUS' | 'MERCHANT_UNCLEAR'>> = {
  held: 'MERCHANT_AMBIGUOUS',
  in_doubt: 'MERCHANT_UNCLEAR',
};

/** Stops the run if the service refused a payee. With `--skip-invalid` only the payee's rows end unpaid. */
async function refuseMerchants(
  deps: Deps,
  batch: BatchFacts,
  order: AdvanceOrder,
  { refused }: PayeeRegistration,
  problems: Problem[],
): Promise<void> {
  if (refused.length === 0) return;
  const { ledger } = deps;
  const byDestination = new Map(refused.map((merchant) => [merchant.destination, merchant]));
  for await (const rows of plannedRows(deps, batch)) {
    const hit = rows.flatMap((row) => {
      const merchant = byDestination.get(row.destination);
      return merchant === undefined ? [] : [{ row, merchant }];
    });
    const found = hit.map(({ row: { number: row }, merchant: { state, reason } }) =>
      batchProblem(merchantCodes[state] ?? 'MERCHANT_REFUSED', 'error', { reason }, { row }),
    );
    ledger.draft.addProblems(found);
    problems.push(...found.slice(0, Math.max(0, maxProblems - problems.length)));
    if (order.skipInvalid) await leaveOut(ledger, hit);
  }
  if (!order.skipInvalid) throw new PayrunError('PAYEES_REFUSED', { payees: refused.length });
}

async function leaveOut(
  ledger: Ledger,
  hit: readonly { readonly row: LedgerRow; readonly merchant: LedgerMerchant }[],
): Promise<void> {
  const moves = hit.filter(({ merchant }) => merchant.state === 'refused');
  if (moves.length > 0)
    await ledger.moveAll(
      moves.map(({ row, merchant }) => ({ row, from: 'planned', to: 'refused', reason: merchant.reason })),
    );
  // An ambiguous payee, or one without an answer, is not refused; its row can continue later.
  for (const { row, merchant } of hit)
    if (merchant.state !== 'refused') await ledger.note(row, { reason: merchant.reason });
}

async function* plannedRows({ ledger }: Deps, batch: BatchFacts): AsyncIterable<readonly LedgerRow[]> {
  let afterId = 0;
  for (;;) {
    const rows = await ledger.rows({
      batch: batch.name,
      since: batch.listedSince,
      states: ['planned'],
      afterId,
      limit: 500,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = last.id;
    yield rows;
  }
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

/** The built-in tables replace lists that cannot be read. The service decides later. */
async function serviceBanks({ client, say }: Deps): Promise<RowRules['banks']> {
  const countries = bankCountries.filter((country) => country !== 'Kenya');
  try {
    const lists = await Promise.all(countries.map(async (country) => [country, await client.banks(country)] as const));
    return bankDirectory(Object.fromEntries(lists));
  } catch (error) {
    if (error instanceof PayrunError && error.code !== 'SERVICE_ANSWER') throw error;
    say({ note: 'banks-not-listed' });
    return offlineBanks();
  }
}

/** Describes how the sheet was read, so that a person notices a wrong reading. */
export function readingNotes({ sheet, options: { map, corrections, choices }, total, notes }: SheetCheck): Note[] {
  const file = basename(sheet.path).replace(/^\d{4}-\d\d-\d\dT\d+Z-[0-9a-f]{8}-/, '');
  return [
    { note: 'sheet-read', file, form: sheet.form },
    ...(map === undefined ? [] : [mapNote(map, sheet.header, sheet.columns)]),
    ...correctionNotes(corrections),
    ...(sheet.unused.length === 0 ? [] : [{ note: 'columns-unused', columns: sheet.unused } as const]),
    ...choiceNotes(choices, sheet.leftOut()),
    ...notes,
    ...(total === null ? [] : [total]),
  ];
}

export function planNotes(checked: SheetCheck, plan: Plan): Note[] {
  const { named, ended } = plan;
  return [
    ...endedNotes(plan),
    ...readingNotes(checked),
    ...(named === null || ended !== null ? [] : [named]),
    ...missingNotes(plan),
    ...plan.history.notes,
    ...(plan.variance.summary === null ? [] : [plan.variance.summary]),
  ];
}

/** Returns a first note that the sheet was paid before, so that nobody thinks it was paid again. */
function endedNotes({ batch, ended }: Plan): Note[] {
  if (ended === null || ended.at === null) return [];
  const { at, file, allPaid: isPaid } = ended;
  return [{ note: 'already-paid', batch, file, at, isPaid }];
}

/** Returns a note on sent rows that the sheet lacks; the status reports the other missing rows. */
function missingNotes({ comparison, batch }: Plan): Note[] {
  const rows = comparison.rows['may be paid'].missing;
  return rows === 0 ? [] : [{ note: 'rows-missing', batch, rows }];
}

/** Marks a promise as handled, so that its failure is reported only where it is awaited. */
function watch<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
