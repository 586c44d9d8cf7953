/** Previews a sheet: `check` lists its problems, `plan` says what paying it would do, `propose` also holds the batch. */
import { basename, dirname, relative } from 'node:path';
import { PayrunError } from '../base/errors.ts';
import { isGone } from '../base/words.ts';
import type { Caps } from '../domain/amounts/cap.ts';
import { type ActionNamed, atOnce } from '../domain/next-action.ts';
import type { Note } from '../domain/note.ts';
import { batchProblem } from '../domain/problems/batch-problems.ts';
import { withEffect } from '../domain/rows/version-table.ts';
import { type Ledger, proposalWaits } from '../ledger/ledger.ts';
import { requireUnder, requireUnderCaps } from '../pipeline/controls/caps.ts';
import {
  controlTotalsOf,
  requireTotals,
  type TotalsOrder,
  totalsNotes,
  writeTotals,
} from '../pipeline/controls/control-totals.ts';
import { expiryNotes, shutNotes } from '../pipeline/controls/pay-window.ts';
import { addRailProblems, type RailPolicy } from '../pipeline/controls/rail-limits.ts';
import { splitWarnings } from '../pipeline/controls/sent-today.ts';
import { unconfirmedOf } from '../pipeline/controls/variance.ts';
import { type Deps, usualLimits } from '../pipeline/deps.ts';
import { standing, standingWithDraft } from '../pipeline/figures.ts';
import { pauseNotes } from '../pipeline/holds.ts';
import { type CheckOrder, checkSheet, type SheetCheck } from '../pipeline/intake/check-rows.ts';
import { requireSheetFile, requireWritable } from '../pipeline/intake/intake.ts';
import {
  isWorthReporting,
  noReport,
  removeProblemReport,
  withReport,
  writeProblemReport,
} from '../pipeline/intake/problem-report.ts';
import type { RunOrder } from '../pipeline/order.ts';
import { type Outcome, outcomeOf } from '../pipeline/outcome.ts';
import { readMerchants } from '../pipeline/payees/register-payees.ts';
import { approvalStanding } from '../pipeline/plans/approved.ts';
import { isRefused, type Plan } from '../pipeline/plans/plan.ts';
import { digestWords } from '../pipeline/plans/plan-file.ts';
import { writePlanPage } from '../pipeline/plans/plan-page.ts';
import { fileDigest, pageOf, placeForPlan, planEnding } from '../pipeline/plans/plan-place.ts';
import { type GroundOrder, ledgerNow, type PlanMaking, planGround, planSource } from '../pipeline/plans/plan-source.ts';
import { requirePolicy } from '../pipeline/plans/policy-in-force.ts';
import { chosenBy, retryOrder } from '../pipeline/plans/retries.ts';
import { writePlan } from '../pipeline/plans/write-plan.ts';
import { requireSeen } from '../pipeline/seen.ts';
import {
  closingProblems,
  draftOutcome,
  planNotes,
  planSheet,
  readingNotes,
  refusal,
  rowsOfBatch,
  shownRow,
} from '../pipeline/versions/plan-sheet.ts';
import { keptNotes, sheetOutput } from '../sheet/sheet.ts';
import { batchNamed } from './batch/find-batch.ts';
import { rowsNamed } from './batch/row-decisions.ts';

const lookMs = 200;

interface CheckSheetOrder extends Omit<CheckOrder, 'now'> {
  readonly controls?: TotalsOrder;
  readonly skipInvalid: boolean;
  readonly caps?: Caps;
  readonly rails?: RailPolicy;
  /** How to write the checked workbook; null to write none. `always`: even for a sheet without problems. */
  readonly handBack: {
    readonly outDir: string | null;
    readonly always: boolean;
    readonly totals: boolean;
    readonly now: number;
  } | null;
}

/** Runs `payrun check FILE`. Needs no service and no credentials. */
export async function check(ledger: Ledger, order: CheckSheetOrder, progress: Deps['progress']): Promise<Outcome> {
  const { path: file, caps = usualLimits.caps } = order;
  await requireSheetFile(file, file);
  const checked = await checkSheet(ledger.draft, { ...order, now: order.handBack?.now ?? null }, progress);
  if (order.handBack !== null)
    addRailProblems(ledger.draft, order.rails ?? usualLimits.rails, order.handBack.now, null);
  const service = 'none';
  const noSum: Note[] = order.handBack?.totals === true ? [{ note: 'totals-unwritten' }] : [];
  const outcome = isRefused(ledger, order.skipInvalid)
    ? withReport(await refusal(ledger, service, null, checked), { ...noReport, notes: [...idNotes(checked), ...noSum] })
    : await looked(ledger, service, checked, null, await standingWithDraft(ledger, null), [
        ...readingNotes(checked),
        ...idNotes(checked),
        ...totalsNotes(await requireTotals(ledger.draft, file, order.controls)),
        // Applies the caps as if the sheet were a new batch, on a day without other payments.
        ...(await requireUnder(ledger, caps, { batch: '', retried: null }, '', 0)),
        ...(await totalsWritten(ledger, order)),
      ]);
  if (order.handBack === null) return outcome;
  const { outDir, always, now } = order.handBack;
  if (!always && !isWorthReporting(ledger.draft))
    return withReport(outcome, { ...noReport, notes: await removeProblemReport(file, outDir) });
  const { totals } = outcome;
  const facts = { file, outDir, source: checked.sheet, service, totals, now };
  return withReport(outcome, await writeProblemReport(ledger.draft, facts));
}

async function totalsWritten({ draft }: Ledger, order: CheckSheetOrder): Promise<Note[]> {
  if (order.handBack?.totals !== true) return [];
  const { path, notes } = await writeTotals(draft, order.path, order.handBack.outDir);
  return [{ note: 'totals-written', path }, ...notes];
}

/** Runs `payrun plan FILE`, which holds nothing. */
export async function plan(deps: Deps, order: RunOrder, making: PlanMaking): Promise<Outcome> {
  const judged = await judge(deps, order, making);
  if ('kind' in judged) return judged;
  // The preview would overwrite the file of the plan that waits, and nobody could run it.
  deps.ledger.holds.requireNoProposal(judged.planned.batch);
  return await written(deps, judged, making);
}

type Judged = Exclude<Awaited<ReturnType<typeof judge>>, Outcome>;

/** Reads the sheet, and finds what the plan would do. Returns the outcome if the sheet has problems. */
async function judge(deps: Deps, given: RunOrder, making: PlanMaking) {
  const { ledger, service, client } = deps;
  const asked = making.retries.length === 0 ? given : retryOrder(given, making.retries, chosenBy(making.retries));
  await ledger.requireHome();
  await requireSheetFile(asked.file, asked.file);
  await requireWritable(asked.outDir, asked.file);
  await requirePolicy(deps, asked.batch);
  if (asked.seen !== undefined) {
    const known = await batchNamed(ledger, asked.batch);
    const named = making.retries === 'all' ? [] : making.retries.map((row) => ({ row }));
    await requireSeen(ledger, known, asked.seen, await rowsNamed(deps, known, { named, seen: asked.seen }));
  }
  await client.ready();
  // Reads the newest sheet first: a sheet that enters the ledger after this point was not compared with this one.
  const base = ledger.batches.newestSheet();
  const said = { ...asked, isPlan: true, isPlanned: true };
  const { order, checked, plan: planned } = await planSheet(deps, said, asked.file, null, said);
  if (planned.refused) return await refusal(ledger, service.label, planned, checked);
  const expected = await requireTotals(ledger.draft, order.file, order.controls);
  const { batch, comparison } = planned;
  const returning = comparison.returning.map(({ number: row, was }) =>
    batchProblem('TAKES_BACK', 'warning', { batch, now: isGone(was) ? was : shownRow(was, row) }, { row }),
  );
  const closing = await closingProblems(ledger, order, planned);
  ledger.draft.addProblems([...returning, ...closing]);
  const within = await requireUnderCaps(deps, { batch, retried: null });
  if (making.policy !== null) ledger.draft.addProblems(await splitWarnings(deps, batch, making.policy));
  const unconfirmed = await unconfirmedOf(ledger, batch, planned.variance, order.variance);
  const stands = await standingWithDraft(ledger, planned);
  const hasEffect = closing.length + countEffects(planned, stands) > 0;
  return { order, base, checked, planned, expected, within, unconfirmed, stands, hasEffect };
}

async function written(deps: Deps, { order, checked, planned, stands, ...judged }: Judged, making: PlanMaking) {
  const { ledger, service } = deps;
  const { batch, comparison } = planned;
  const { base, expected, within, unconfirmed, hasEffect } = judged;
  const read = { ...order, read: checked };
  const file = await writeDown(deps, read, planned, { ...making, base, needsReason: unconfirmed.length > 0 });
  const holds = await pauseNotes(ledger, batch);
  const { merchants_to_create: created, ...merchants } = file.counts;
  const known = merchants.merchants_to_reuse + merchants.merchants_to_rename + merchants.merchants_unclear;
  const payees = created + known;
  const outcome = await looked(ledger, service.label, checked, batch, stands, [
    ...planNotes(checked, planned),
    ...(comparison.known ? [] : idNotes(checked)),
    ...totalsNotes(expected),
    ...within,
    ...shutNotes(deps, 'outside-pay-window'),
    ...(payees === 0 ? [] : [{ note: 'payees', payees, known } as const]),
    rowsOfBatch(order, planned),
    { note: 'documents-to-attach', documents: stands.documents.open },
  ]);
  const notes: Note[] = [
    ...holds,
    ...outcome.notes,
    ...(unconfirmed.length === 0 ? [] : [{ note: 'plan-stops', unconfirmed } as const]),
    { note: 'plan-expires', at: file.until },
    ...expiryNotes(deps, file.until),
    ...file.notes,
  ];
  // There is no next step if a run of this plan would change nothing, or if a hold would stop the run.
  const next = holds.length === 0 && (planned.ended === null || hasEffect) ? [file.next] : [];
  const plan = { ...file.files, ...(unconfirmed.length === 0 ? {} : { unconfirmed }) };
  return { ...outcome, written: plan, next, notes };
}

const idNotes = ({ sheet: { columns, initiation, own } }: SheetCheck): Note[] =>
  own || initiation !== null || columns.includes('row_id') ? [] : [{ note: 'row-ids-missing' }];

type Stands = Awaited<ReturnType<typeof standingWithDraft>>;

function countEffects({ comparison, retried }: Plan, { rows, documents }: Stands): number {
  const { added, corrected, invalidUnsent } = comparison;
  const returning = withEffect(comparison, 'returns');
  const invalidated = invalidUnsent.filter(({ state }) => state !== 'invalid');
  return added + corrected.length + invalidated.length + retried.length + returning + documents.open + rows.not_sent;
}

/** `upload` is the sheet at the console; null for a terminal. */
type ProposeOrder = RunOrder & { readonly batch: string; readonly upload: string | null };

/** Holds the batch, and makes the plan again when nothing of it is under way. A refused plan stops no batch. */
export async function proposePlan(deps: Deps, given: ProposeOrder, making: PlanMaking): Promise<Outcome> {
  const { upload, ...order } = given;
  const { holds } = deps.ledger;
  const { batch, file } = order;
  const attempt = async () => {
    const found = await judge(deps, order, making);
    if (!('kind' in found) && !found.hasEffect) throw new PayrunError('NOTHING_TO_SEND', { batch });
    return found;
  };
  await deps.ledger.requireHome();
  const waits = holds.proposalOf(batch);
  // A console that ended left the hold of its own sheet.
  if (waits !== null && waits.upload !== (upload ?? '')) throw proposalWaits(waits);
  const first = await attempt();
  if ('kind' in first) return first;
  const id = await holds.propose(batch, { by: making.maker, file: basename(file), upload });
  let digest: string | undefined;
  try {
    await waitForCalls(deps, batch);
    const second = await attempt();
    if ('kind' in second) return second;
    const outcome = await written(deps, second, making);
    digest = outcome.written.plan_digest;
    if (!(await holds.keepPlan(id, digest, outcome.digest))) throw new PayrunError('PLAN_MOVED', {});
    return outcome;
  } finally {
    if (digest === undefined) await holds.unpropose(id);
  }
}

/** A run that sends rows of the batch meets the hold at its next row, and then waits only for its open calls. */
async function waitForCalls({ ledger, clock, stop }: Deps, name: string): Promise<void> {
  const batch = await ledger.batches.batch(name);
  while (batch !== null && !stop.aborted && (await standing(ledger, batch)).rows.being_sent > 0)
    await clock.sleep(lookMs, stop);
  if (stop.aborted) throw new PayrunError('STOPPED', { signal: null, hasEnded: false });
}

async function writeDown(
  deps: Deps,
  order: RunOrder & Pick<GroundOrder, 'read'>,
  planned: Plan,
  making: PlanMaking & { readonly needsReason: boolean; readonly base: number },
) {
  await readMerchants(deps);
  const ground = planGround(deps, order, planned);
  const now = await ledgerNow(deps);
  const place = await placeForPlan(order);
  const { path: wanted } = sheetOutput(order.file, order.outDir, planEnding);
  const sheet = relative(dirname(place.path), order.file);
  const { maker: _maker, ...options } = order.repeated;
  const run = { sheet, sheet_sha256: await fileDigest(order.file), options };
  const file = await writePlan(place, planSource(deps, { ...ground, ...run }, making, now));
  const page = await writePlanPage({ ...place, path: pageOf(file.path) }, file);
  const digest = digestWords(file.digest);
  const { policy, needsReason } = making;
  const standing = policy === null ? null : await approvalStanding(deps.ledger, file, policy.path, now);
  const lacks = standing !== null && standing.approvals.length < standing.needed;
  const next: ActionNamed = lacks
    ? { action: 'approve-plan', plan: file.path, signs: planned.signs }
    : { action: 'run-plan', plan: file.path, digest, needsReason };
  const files = { plan: file.path, plan_page: page, plan_digest: digest };
  const { counts, expires_at } = file.head;
  return { files, next: atOnce(next), until: Date.parse(expires_at), counts, notes: keptNotes(wanted, file.path) };
}

async function looked(
  ledger: Ledger,
  service: string,
  checked: SheetCheck,
  batch: string | null,
  stands: Stands,
  notes: readonly Note[],
): Promise<Outcome> {
  const shown = draftOutcome(ledger, service, checked, stands);
  return outcomeOf({
    batch,
    ...shown,
    digest: `sha256:${ledger.draft.digest()}`,
    findings: { ...shown.findings, control_totals: controlTotalsOf(ledger.draft) },
    notes,
    end: stands.rows.invalid > 0 ? 'unpaid' : 'done',
  });
}
