/** Describes the state of a batch, for people and programs. */
import type { PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import type { Beyond, Failure, Refusal } from '../base/refusal.ts';
import type { Each } from '../base/words.ts';
import { atOnce, type NextAction } from '../domain/next-action.ts';
import type { Note } from '../domain/note.ts';
import { rowOfContent } from '../domain/rows/digest.ts';
import { type End, interruptedEnd } from '../domain/sending/end.ts';
import { isHeldForAccountChange, type StoredReasons } from '../domain/sending/reason.ts';
import { type BatchFacts, type Elsewhere, elsewhereAction, type Ledger, type RowState } from '../ledger/ledger.ts';
import type { MapAdvice } from '../sheet/sheet.ts';
import type { ControlTotals } from './controls/control-totals.ts';
import type { View } from './doubt-step.ts';
import { copyNote } from './duplicates/duplicates.ts';
import { type StatusFigures, shownKeys, standing, unpaidStates } from './figures.ts';
import { type Pause, pausesOf } from './holds.ts';
import { nextSteps } from './next-steps.ts';
import { planNotes, planOf } from './opened-with.ts';
import { refusalKind } from './refusal-kind.ts';
import { awayNotes } from './results/fallback-location.ts';
import { depositNotes, openChanges } from './settle/deposits.ts';

export interface BatchStatus extends StatusFigures {
  readonly batch: string | null;
  readonly service: string;
  readonly ledger: string;
  /** The digest of the sheet's rows, which does not depend on their order. Two people can compare their sheets by it. */
  readonly digest: string | null;
  /** The digest of the plan under which the batch runs. */
  readonly plan_digest?: string;
  /** The number of rows held because their payee's account changed; absent for none. */
  readonly withheld?: number;
  readonly unpaid_rows?: readonly UnpaidRow[];
  readonly next: readonly NextAction[];
  readonly paused?: readonly Pause[];
  readonly notes: readonly Note[];
  /** The place to which this ledger was copied. Sending continues there, and never here. */
  readonly copied_to?: string;
  /** The ledger of which this one is an unfinished copy. The copy sends nothing yet. */
  readonly unfinished_copy_of?: string;
  readonly end: End;
}

export interface SheetFindings {
  readonly control_totals?: ControlTotals;
  readonly problems: readonly Problem[];
  readonly problems_total: number;
  readonly map?: MapAdvice;
  /** The workbook. `problems`: the sheet is too long, so the workbook has only rows with problems. Nobody can submit it. */
  readonly checked?: { readonly path: string; readonly rows: 'all' | 'problems' };
}

export interface WrittenPlan extends Each<'plan plan_page plan_digest', string> {
  /** Changes that a person must confirm with --confirm-variance before the plan is run; absent for none. */
  readonly unconfirmed?: readonly Beyond[];
}

export interface RunResult {
  readonly sent: number;
  readonly result: string | null;
  readonly answer?: string;
}

interface Reached extends BatchStatus {
  readonly findings?: SheetFindings;
  readonly written?: WrittenPlan;
  readonly run?: RunResult;
  readonly interrupted?: boolean;
}

/** `finished`: no command has to follow. `refused`: the sheet has mistakes, and nothing was sent. */
export type Outcome =
  | (Reached & { readonly kind: 'finished' | 'open'; readonly stopped?: undefined })
  | (Reached & { readonly kind: 'stopped'; readonly stopped: Refusal })
  | (Reached & { readonly kind: 'refused'; readonly findings: SheetFindings; readonly stopped?: undefined });

/** The end of a use case that reads no batch's status. */
export type Done<Facts = object> = Facts & { readonly kind: 'finished' };

/** A command that threw: a refusal, a mistake in the command or a setting, or a fault of the program. */
export interface Refused {
  readonly kind: 'refused';
  readonly failure: Failure;
  readonly interrupted: boolean;
}

export type Ending = Outcome | Done<{ readonly file: string; readonly sha256: string }> | Refused;

/** Returns null if the command threw, or made a file. */
export const reachedIn = (ending: Ending): Outcome | null => ('batch' in ending ? ending : null);

/** Returns why the command threw, or why it stopped its batch; null if it did neither. */
export const whyStopped = (ending: Ending): Failure | null =>
  'failure' in ending ? ending.failure : (reachedIn(ending)?.stopped ?? null);

/** Decides the exit code. A signal changes the end, except after an alarm or a fault of the program. */
export function endOf(ending: Ending): End {
  if ('failure' in ending) {
    const { failure, interrupted } = ending;
    const end = endOfFailure(failure);
    return interrupted && failure.code !== null ? interruptedEnd(end) : end;
  }
  if (!('batch' in ending)) return 'done';
  return ending.interrupted === true ? interruptedEnd(ending.end) : ending.end;
}

/** A mistake in the command line or the settings has a code, and no facts. */
export const endOfFailure = (failure: Failure): End =>
  'facts' in failure ? refusalKind(failure.code) : failure.code === null ? 'machine' : 'usage';

export function outcomeOf(reached: Reached, stopped: Refusal | null = null): Outcome {
  if (stopped !== null) return { ...reached, kind: 'stopped', stopped };
  return { ...reached, kind: reached.end === 'done' || reached.end === 'unpaid' ? 'finished' : 'open' };
}

export function elsewhereFields(elsewhere: Elsewhere | null): Pick<BatchStatus, 'copied_to' | 'unfinished_copy_of'> {
  if (elsewhere === null) return {};
  return 'copiedTo' in elsewhere ? { copied_to: elsewhere.copiedTo } : { unfinished_copy_of: elsewhere.copyOf };
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

export async function batchStatus(ledger: Ledger, batch: BatchFacts, view: View): Promise<BatchStatus> {
  const stands = await standing(ledger, batch);
  const paused = await pausesOf(ledger, batch.name);
  const elsewhere = await ledger.elsewhere();
  const plan = planOf(batch);
  const { rows, totals } = stands;
  const unpaidLeftOut = rows.unpaid - stands.retryable;
  const { attached, due, uploading, in_doubt, missing } = await ledger.documents.documentCounts(batch.name);
  const documents = { attached, open: due + uploading + in_doubt + missing };
  const copies = await ledger.duplicates.livingCopies(batch.name);
  const changes = await openChanges(ledger, batch.name);
  const held =
    rows.held === 0
      ? []
      : await ledger.rows.list({ batch: batch.name, states: ['withheld', 'held'], limit: rows.held });
  const withheld = held.filter(isHeldForAccountChange).length;
  const steps =
    elsewhere === null
      ? await nextSteps(ledger, batch, { ...stands, documents, copies, held, view })
      : [atOnce(elsewhereAction(elsewhere, ledger.path, batch.name))];
  const ends = elsewhere === null ? paused : [];
  return {
    batch: batch.name,
    service: batch.service,
    ledger: ledger.path,
    digest: `sha256:${batch.sheet.digest}`,
    ...(plan === null ? {} : { plan_digest: `sha256:${plan.digest}` }),
    rows,
    ...(withheld > 0 ? { withheld } : {}),
    ...(rows.unpaid + rows.invalid > 0 ? { unpaid_rows: await unpaidRows(ledger, batch) } : {}),
    totals,
    documents,
    next: [...ends.map(({ id, batch: of }) => atOnce({ action: 'end-pause', batch: of, pause: id })), ...steps],
    ...(paused.length > 0 ? { paused } : {}),
    ...elsewhereFields(elsewhere),
    notes: [
      ...copies.slice(0, shownKeys).map(copyNote),
      ...depositNotes(batch.name, changes, totals),
      ...(await awayNotes(ledger, batch)),
      ...planNotes(batch),
      ...(await otherAmountNotes(ledger, batch)),
      ...(await settingNotes(ledger, batch)),
      ...(unpaidLeftOut > 0 ? [{ note: 'unpaid-left-out', rows: unpaidLeftOut } as const] : []),
    ],
    end: endOfRows({ rows, documents, hasAlarm: copies.length + changes.length > 0 }, null),
  };
}

/** The worst reason decides: an alarm, a doubt, the stop, open rows, and then rows or documents that stay unpaid or missing. */
export function endOfRows(
  { rows, documents, hasAlarm }: Omit<StatusFigures, 'totals'> & { hasAlarm: boolean },
  stopped: PayrunError | null,
): End {
  const why = stopped === null ? null : refusalKind(stopped.code);
  if (hasAlarm || rows.paid_twice > 0 || why === 'alarm') return 'alarm';
  if (rows.in_doubt + rows.held > 0) return 'doubt';
  if (why !== null) return why;
  if (rows.pending + rows.being_sent + rows.not_sent > 0) return 'later';
  return rows.unpaid + rows.invalid + documents.open > 0 ? 'unpaid' : 'done';
}

interface UnpaidRow {
  readonly row: number;
  readonly payee: string;
  readonly reason: StoredReasons | null;
  readonly state: RowState;
}

const shownRows = 5;

async function unpaidRows(ledger: Ledger, { name, listedSince: since }: BatchFacts) {
  const rows = await ledger.rows.list({ batch: name, since, states: unpaidStates, limit: shownRows });
  return rows.map(({ number, content, reason, state }) => ({
    row: number,
    payee: rowOfContent(content, number).name,
    reason,
    state,
  }));
}
