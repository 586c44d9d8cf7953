/** Describes the state of a batch, for people and programs. */
import type { Approval } from '../approval/approval.ts';
import type { TrailEntry } from '../audit/chain.ts';
import type { PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import type { Beyond, Refusal } from '../base/refusal.ts';
import {
  type ActionNamed,
  type ActionOf,
  atOnce,
  type NextAction,
  type RepeatedOptions,
  stepAt,
} from '../domain/next-action.ts';
import type { Note, NoteOf } from '../domain/note.ts';
import type { AmountUnit } from '../domain/rows/row.ts';
import { rowsWith } from '../domain/rows/version-table.ts';
import type { End } from '../domain/sending/end.ts';
import {
  type BatchFacts,
  type Comparison,
  type CountLine,
  type Elsewhere,
  elsewhereAction,
  type Ledger,
  type LedgerRow,
  type LivingCopy,
  type RowState,
  type RowWord,
  type SheetFacts,
  stepsOn,
} from '../ledger/ledger.ts';
import { choiceLists, type MapAdvice, type SheetOptions } from '../sheet/sheet.ts';
import type { ControlTotals } from './controls/control-totals.ts';
import { doubtStep, doubtViewOf, notedRows, type View, wordsNow } from './doubt-step.ts';
import { copyNote } from './duplicates/copies.ts';
import { isHeldForAccountChange, isKnownUnpaid, isLookalike } from './held-row.ts';
import { type Pause, pausesOf } from './holds.ts';
import { refusalKind } from './refusal-kind.ts';
import { awayNotes } from './results/fallback-location.ts';
import { type UnpaidRow, unpaidRows } from './results/unpaid-rows.ts';
import { depositNotes, openChanges } from './settle/deposit-changes.ts';

const summedWords = ['paid', 'pending', 'sending', 'not_sent', 'unpaid', 'in_doubt', 'held', 'paid_twice'] as const;
const countedWords = [...summedWords, 'invalid', 'closed'] as const;

export type RowCounts = Readonly<Record<'total' | (typeof countedWords)[number], number>>;

/** `paid_twice` is the sum of the second payments. `differs` is how much the payments exceed the planned amounts of their rows. */
export interface MoneyTotal extends Readonly<Record<(typeof summedWords)[number], number>> {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly from: string | null;
  readonly planned: number;
  readonly differs: number;
}

const zeros = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

export interface Outcome {
  readonly batch: string | null;
  readonly service: string;
  readonly ledger: string;
  /** The digest of the sheet's rows, which does not depend on their order. Two people can compare their sheets by it. */
  readonly digest: string | null;
  readonly control_totals?: ControlTotals;
  readonly plan_digest: string | null;
  readonly plan: string | null;
  readonly plan_page: string | null;
  readonly sent: number;
  readonly rows: RowCounts;
  readonly left_out: number;
  /** The number of rows held because their payee's account changed; absent for none. */
  readonly withheld?: number;
  /** Changes that a person must confirm with --confirm-variance before the plan is run; absent for none. */
  readonly unconfirmed?: readonly Beyond[];
  readonly unpaid_rows?: readonly UnpaidRow[];
  readonly totals: readonly MoneyTotal[];
  readonly problems: readonly Problem[];
  readonly problems_total: number;
  readonly map?: MapAdvice;
  readonly documents: { readonly attached: number; readonly open: number };
  readonly result: string | null;
  readonly answer?: string;
  readonly checked: string | null;
  /** `problems`: the sheet is too long, so the workbook has only rows with problems. Nobody can submit such a workbook. */
  readonly checked_rows: 'all' | 'problems' | null;
  readonly next: readonly NextAction[];
  readonly paused?: readonly Pause[];
  readonly notes: readonly Note[];
  /** The place to which this ledger was copied. Sending continues there, and never here. */
  readonly copied_to?: string;
  /** The ledger of which this one is an unfinished copy. The copy sends nothing yet. */
  readonly unfinished_copy_of?: string;
  readonly stopped: Refusal | null;
  readonly interrupted?: boolean;
  readonly end: End;
}

export const noPlan = { plan_digest: null, plan: null, plan_page: null } as const;

export function elsewhereFields(elsewhere: Elsewhere | null): Pick<Outcome, 'copied_to' | 'unfinished_copy_of'> {
  if (elsewhere === null) return {};
  return 'copiedTo' in elsewhere ? { copied_to: elsewhere.copiedTo } : { unfinished_copy_of: elsewhere.copyOf };
}

export interface ApprovedPlan {
  readonly digest: string;
  readonly maker: string;
  readonly made_at: string;
  readonly expires_at: string;
  /** A run that continues the batch may not use another identity, nor rename payees if the plan does not. */
  readonly identity: string;
  readonly update_names: boolean;
  /** SHA-256 of the policy whose approvals the plan had; null if none were required. */
  readonly policy: string | null;
  readonly approvals: readonly Approval[];
}

type WithOptions = { readonly sheet: Pick<SheetFacts, 'options'> };

export const planOf = ({ sheet: { options } }: WithOptions): ApprovedPlan | null =>
  (options.plan as ApprovedPlan | undefined) ?? null;

export const repeatedOf = ({ sheet: { options } }: WithOptions): RepeatedOptions =>
  (options.repeated as RepeatedOptions | undefined) ?? {};

export function planAgain(batch: BatchFacts, why: ActionOf<'plan-sheet'>['why'] = null): ActionOf<'plan-sheet'> {
  const signs = isUnderPolicy(batch);
  return { action: 'plan-sheet', ...sheetAgain(batch, batch.sheet), add: false, signs, row: null, why };
}

/** True if the batch runs under a policy, so that an approver signs what lets its rows go. */
export const isUnderPolicy = (batch: WithOptions): boolean => planOf(batch)?.policy != null;

export const sheetAgain = (
  { name }: Pick<BatchFacts, 'name'>,
  sheet: Pick<SheetFacts, 'origin' | 'options'>,
): { readonly file: string; readonly batch: string; readonly options: RepeatedOptions } => ({
  file: sheet.origin,
  batch: name,
  options: repeatedOf({ sheet }),
});

export function planNotes(batch: BatchFacts, of: NoteOf<'under-plan'>['of'] = 'batch'): NoteOf<'under-plan'>[] {
  const plan = planOf(batch);
  if (plan === null) return [];
  const { digest, maker } = plan;
  const approvals = plan.approvals.map(({ approver, fingerprint }) => ({ approver, fingerprint }));
  return [{ note: 'under-plan', of, plan: { digest, maker, approvals } }];
}

type Underscored<Word extends string> = Word extends `${infer First} ${infer Second}` ? `${First}_${Second}` : Word;
const countedAs = <Word extends RowWord | 'sending'>(word: Word) => word.replace(' ', '_') as Underscored<Word>;

export interface Figures extends Pick<Outcome, 'rows' | 'left_out' | 'totals'> {
  readonly doubtful: number;
  readonly absent: number;
  readonly retryable: number;
}

/** Returns the counts and totals of a batch. Lines with mistakes that are no rows of the batch count as invalid too. */
export async function standing(ledger: Ledger, batch: BatchFacts): Promise<Figures> {
  const counts = await ledger.rows.counts(batch.name);
  return await standingOf(ledger, counts, await ledger.batches.looseLines(batch.sheet.id));
}

export async function standingWithDraft(ledger: Ledger, comparison: Comparison | null, batch: string | null) {
  // Subtracts lines with mistakes that are rows of the batch, because those rows are counted already.
  const own = ledger.draft.counts().invalid - (comparison === null ? 0 : rowsWith(comparison, 'mistake'));
  const standing = await standingOf(ledger, await ledger.versions.countsWithDraft(batch), own);
  const documents = {
    attached: batch === null ? 0 : (await ledger.documents.documentCounts(batch)).attached,
    open: await ledger.versions.documentsToAttach(batch),
  };
  const named = batch === null ? [] : await ledger.versions.leftOutByDraft(batch, shownKeys);
  return {
    ...standing,
    documents,
    notes: leftOutNotes(standing.left_out, named),
  };
}

async function standingOf(ledger: Ledger, counts: readonly CountLine[], invalid: number): Promise<Figures> {
  const wordIn = await wordsNow(ledger, counts);
  const lines = counts.map((one) => ({ ...one, word: wordIn(one) }));
  const rows = { total: 0, ...zeros(countedWords), invalid };
  for (const { word, rows: count } of lines) rows[countedAs(word)] += count;
  rows.total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const those = (which: (line: (typeof lines)[number]) => boolean) =>
    lines.filter(which).reduce((sum, { rows: count }) => sum + count, 0);
  return {
    rows,
    left_out: those(({ word, listed }) => word === 'not sent' && !listed),
    totals: moneyTotals(lines),
    doubtful: those(({ state }) => state === 'in_doubt'),
    absent: those(({ state, closed }) => state === 'absent' && !closed),
    retryable: those(({ word, listed }) => word === 'unpaid' && listed),
  };
}

/** Returns the counts if a submitted result file shows more rows as sent than the ledger knows. Null if not, or if a person gave a reason to repeat. */
export function unknownClaims({ sheet, repeatReason }: BatchFacts, rows: RowCounts) {
  const claimed = Number(sheet.options.claimed ?? 0);
  const known = rows.total - rows.not_sent - rows.invalid - rows.closed;
  return repeatReason !== null || known >= claimed ? null : { claimed, known };
}

const shownKeys = 10;

const leftOutNotes = (total: number, shown: readonly string[]): Note[] =>
  total === 0 ? [] : [{ note: 'rows-left-out', rows: { shown, total } }];

const counting = (note: 'unpaid-left-out' | 'rows-closed', rows: number): Note[] =>
  rows === 0 ? [] : [{ note, rows }];

export const hasUnsent = ({ rows, left_out }: Pick<Figures, 'rows' | 'left_out'>): boolean => rows.not_sent > left_out;

async function hourMissedNotes(
  { fleet, trail }: Ledger,
  { name }: BatchFacts,
  stands: Pick<Figures, 'rows' | 'left_out'>,
): Promise<Note[]> {
  if (fleet === null || !hasUnsent(stands)) return [];
  const newest = await trail.newestEntry(name, 'hour missed', ...stepsOn);
  if (newest?.what !== 'hour missed') return [];
  const { hour, why } = newest.data as Pick<NoteOf<'hour-missed'>, 'hour' | 'why'>;
  return [{ note: 'hour-missed', hour, why }];
}

async function otherAmountNotes(ledger: Ledger, batch: BatchFacts): Promise<Note[]> {
  const found = await ledger.rows.paidOtherwise(batch.name, shownKeys + 1);
  if (found.length === 0) return [];
  const rows = found.slice(0, shownKeys).map(({ key: row, paidAmount, amount: planned, unit, currency }) => ({
    row,
    paid: paidAmount ?? planned,
    planned,
    unit,
    currency,
  }));
  return [{ note: 'paid-other-amount', rows, hasMore: found.length > shownKeys }];
}

/** Notes how many rows count as paid or unpaid only because the settings say what their status means. */
async function settingNotes(ledger: Ledger, { name }: BatchFacts): Promise<Note[]> {
  return (await ledger.rows.endedOtherwise(name)).map(({ status, state, rows }) => ({
    note: 'status-by-setting',
    status,
    rows,
    means: state === 'succeeded' ? 'success' : 'expired',
  }));
}

export async function batchOutcome(ledger: Ledger, batch: BatchFacts, view: View): Promise<Outcome> {
  const stands = await standing(ledger, batch);
  const paused = await pausesOf(ledger, batch.name);
  const elsewhere = await ledger.elsewhere();
  const plan = planOf(batch);
  const { rows, left_out, totals } = stands;
  const { attached, due, uploading, in_doubt, missing } = await ledger.documents.documentCounts(batch.name);
  const documents = { attached, open: due + uploading + in_doubt + missing };
  const named = left_out === 0 ? [] : await ledger.rows.leftOut(batch.name, shownKeys);
  const copies = await ledger.duplicates.livingCopies(batch.name);
  const changes = await openChanges(ledger, batch.name);
  const held = rows.held === 0 ? [] : await ledger.rows.list({ batch: batch.name, states: ['held'], limit: rows.held });
  const withheld = held.filter(isHeldForAccountChange).length;
  const steps =
    elsewhere === null
      ? await nextSteps(ledger, batch, { ...stands, documents, copies, held, view })
      : [atOnce(elsewhereAction(elsewhere, ledger.path, batch.name))];
  const ends = elsewhere === null && steps.length > 0 ? paused : [];
  return {
    batch: batch.name,
    service: batch.service,
    ledger: ledger.path,
    digest: `sha256:${batch.sheet.digest}`,
    ...noPlan,
    plan_digest: plan === null ? null : `sha256:${plan.digest}`,
    sent: 0,
    rows,
    left_out,
    ...(withheld > 0 ? { withheld } : {}),
    ...(stands.retryable > 0 ? { unpaid_rows: await unpaidRows(ledger, batch) } : {}),
    totals,
    problems: [],
    problems_total: 0,
    documents,
    result: null,
    checked: null,
    checked_rows: null,
    next: [...ends.map(({ batch: of }) => atOnce({ action: 'end-pause', batch: of })), ...steps],
    ...(paused.length > 0 ? { paused } : {}),
    ...elsewhereFields(elsewhere),
    notes: [
      ...copies.slice(0, shownKeys).map(copyNote),
      ...depositNotes(batch.name, changes, totals),
      ...(await awayNotes(ledger, batch)),
      ...planNotes(batch),
      ...(await hourMissedNotes(ledger, batch, stands)),
      ...(await otherAmountNotes(ledger, batch)),
      ...(await settingNotes(ledger, batch)),
      ...leftOutNotes(left_out, named),
      ...counting('unpaid-left-out', rows.unpaid - stands.retryable),
      ...counting('rows-closed', rows.closed),
    ],
    stopped: null,
    end: endOf({ rows, left_out, documents, hasAlarm: copies.length + changes.length > 0 }, null),
  };
}

function moneyTotals(lines: readonly (CountLine & { readonly word: RowWord | 'sending' })[]): MoneyTotal[] {
  const totals = new Map<string, { -readonly [Name in keyof MoneyTotal]: MoneyTotal[Name] }>();
  for (const line of lines) {
    const { currency, unit, from, word } = line;
    // Leaves out closed and invalid rows, which count in no sum, and rows that have no currency because of a mistake.
    if (word === 'closed' || word === 'invalid' || currency === '') continue;
    const key = JSON.stringify([currency, unit, from]);
    const total = totals.get(key) ?? { currency, unit, from, planned: 0, ...zeros(summedWords), differs: 0 };
    totals.set(key, total);
    const paid = Number(line.amount + line.differs);
    total.planned += Number(line.amount);
    total.differs += Number(line.differs);
    total[countedAs(word)] += paid;
    // Counts only one of two payments as paid, since the plan meant one.
    if (word === 'paid twice') total.paid += paid;
  }
  return [...totals.values()];
}

/** The worst reason decides: an alarm, a doubt, the stop, open rows, and then rows or documents that stay unpaid or missing. */
export function endOf(
  { rows, left_out, documents, hasAlarm }: Pick<Outcome, 'rows' | 'left_out' | 'documents'> & { hasAlarm: boolean },
  stopped: PayrunError | null,
): End {
  const why = stopped === null ? null : refusalKind(stopped.code);
  if (hasAlarm || rows.paid_twice > 0 || why === 'alarm') return 'alarm';
  if (rows.in_doubt + rows.held > 0) return 'doubt';
  if (why !== null) return why;
  if (rows.pending + rows.sending > 0 || rows.not_sent > left_out) return 'later';
  return rows.unpaid + rows.invalid + left_out + documents.open > 0 ? 'unpaid' : 'done';
}

interface StepFacts extends Figures, Pick<Outcome, 'documents'> {
  readonly copies: readonly LivingCopy[];
  readonly held: readonly LedgerRow[];
  readonly view: View;
}

async function nextSteps(ledger: Ledger, batch: BatchFacts, facts: StepFacts): Promise<NextAction[]> {
  const { rows, left_out, doubtful, absent, retryable, documents, copies, held, view } = facts;
  const steps: NextAction[] = [];
  const step = (action: ActionNamed, moment: number | null = null) => steps.push(stepAt(action, moment, view));
  const of = { batch: batch.name };
  const someIn = (state: RowState, total: number) => notedRows(ledger, batch, state, total);
  if (rows.in_doubt > absent) {
    const last = await ledger.rows.lastDoubt(batch.name);
    steps.push(doubtStep(batch.name, await someIn('in_doubt', doubtful), last, await doubtViewOf(ledger, batch, view)));
  }
  const [double] = await ledger.rows.unknownDoubles(batch.name);
  if (double !== undefined) step({ action: 'resolve-known', ...of, row: double, why: 'two-payments' });
  const [copied] = copies;
  if (copied !== undefined) {
    const { key } = copied.row.batch === batch.name ? copied.row : copied.copy;
    step({ action: 'resolve-known', ...of, row: key, why: 'two-payments' });
  }
  for (const action of heldSteps(batch, held)) step(action);
  const signs = isUnderPolicy(batch);
  if (absent > 0) step({ action: 'release-absent', ...of, signs, row: null, rows: await someIn('absent', absent) });
  const sendsAt = await sendsAfter(ledger, batch);
  // Payrun then sends no row and accepts no other sheet.
  const hasWaitingPlan = ledger.batches.proposalOf(batch.name) !== null;
  const toSend = hasWaitingPlan ? 0 : rows.not_sent - left_out;
  const newest = { action: 'run-sheet', ...sheetAgain(batch, batch.sheet) } as const;
  // The result file shows rows as sent that the ledger does not know. The next step runs the file without its status column.
  if (unknownClaims(batch, rows) !== null) step({ ...newest, add: false, why: 'column-removed' });
  else if (rows.pending + rows.sending + toSend + documents.open > 0)
    step({ action: 'resume', ...of, why: null }, toSend > 0 ? sendsAt : null);
  if (hasWaitingPlan) return steps;
  const toCorrect = retryable + rows.invalid;
  // Under a plan, a retry and corrected rows need a new plan.
  if (toCorrect > 0 && planOf(batch) !== null) {
    step(planAgain(batch, retryable > 0 ? 'unpaid' : null));
    return steps;
  }
  if (retryable > 0) step({ action: 'retry', ...of, rows: null, count: retryable }, sendsAt);
  if (toCorrect > 0) step({ ...newest, add: false, why: 'corrected', rows: toCorrect }, sendsAt);
  return steps;
}

/** Returns the steps for held rows. If a row looks paid already, the step to drop it comes first, because it is the safe one. */
function heldSteps(batch: BatchFacts, held: readonly LedgerRow[]): ActionNamed[] {
  const repeats = held.filter((row) => isLookalike(row) && isKnownUnpaid(row)).slice(0, shownKeys);
  const [repeat] = repeats;
  const other = held.find((row) => !repeats.includes(row));
  const of = { batch: batch.name };
  const steps: ActionNamed[] = [];
  if (repeat !== undefined) {
    steps.push({ action: 'drop-rows', ...of, rows: repeats.map(({ key }) => key) });
    steps.push({ action: 'allow-repeat', ...of, row: repeat.key, signs: isUnderPolicy(batch) });
  }
  if (other === undefined || isLookalike(other)) return steps;
  if (isHeldForAccountChange(other)) steps.push(releaseOf(batch, other.key, 'account-changed'));
  else steps.push({ action: 'explain-row', ...of, row: other.key, why: 'held' });
  return steps;
}

export function untilOf(entry: TrailEntry | null): number | null {
  // Only a stop has a time at which the batch may continue. A stop by a signal has none.
  if (entry?.what !== 'stop' || entry.data.signal !== undefined) return null;
  return (entry.data.facts as { readonly until?: number } | undefined)?.until ?? null;
}

/** Returns the earliest time to send again, from the last stop or because another ledger may be sending; null for none. */
async function sendsAfter(ledger: Ledger, batch: BatchFacts): Promise<number | null> {
  const last = await ledger.trail.newestEntry(batch.name, 'run', 'stop');
  const until = untilOf(last);
  return until === null ? batch.quietUntil : Math.max(until, batch.quietUntil ?? 0);
}

/** Returns the map and the choices with which a sheet was read, as options of a command that reads the sheet again. */
export function readingOptions({ map, choices }: SheetOptions): RepeatedOptions {
  const { only, ignoreColumn } = choiceLists(choices);
  return {
    ...(map === undefined ? {} : { map: map.name }),
    ...(only.length === 0 ? {} : { only }),
    ...(ignoreColumn.length === 0 ? {} : { ignoreColumn }),
  };
}

export const releaseOf = (batch: BatchFacts, row: string, why: ActionOf<'release-row'>['why'] = null): ActionNamed => ({
  action: 'release-row',
  batch: batch.name,
  row,
  signs: isUnderPolicy(batch),
  why,
});
