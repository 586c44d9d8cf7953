/** Decides a sheet's state from the end of its run, and makes the texts of its answers ACK, NACK and DUPS. Does no I/O. */
import { isoTime } from '../base/clock.ts';
import type { Failure } from '../base/refusal.ts';
import { isRepeat } from '../domain/problems/batch-problems.ts';
import type { End } from '../domain/sending/end.ts';
import { hotFolderWords, nackAdvice } from '../messages/hot-folder.ts';
import type { ActionDocument, Place } from '../messages/next-actions.ts';
import type { ShownProblem } from '../messages/problems.ts';
import { failureWords } from '../messages/refusals.ts';
import type { BatchStatus, RunResult } from '../pipeline/outcome.ts';
import { fateOf } from '../pipeline/refusal-kind.ts';
import { type HotJob, isFinal } from './hot-folder.ts';

interface WordedOutcome extends RunResult, Pick<BatchStatus, 'batch' | 'service' | 'rows' | 'totals'> {
  readonly next: readonly ActionDocument[];
  readonly problems: readonly ShownProblem[];
  readonly problems_total: number;
  readonly checked: string | null;
}

export interface RunEnd {
  readonly end: End;
  readonly exit: number;
  readonly outcome: WordedOutcome | null;
  readonly failure: Failure | null;
  /** True if the sheet's batch was in the ledger before the run. */
  readonly began: boolean;
}

export interface FileState {
  readonly state: HotJob['state'];
  readonly code: string | null;
  readonly failure: Failure | null;
}

type WordedState = FileState & { readonly why: string | null };

/** The state is final (`ended` or `refused`) if nothing is left to pay, or if the sheet was refused before anything was sent. */
export function standingOf({ end, outcome, failure, began }: RunEnd, hasTotals: boolean): FileState {
  const code = failure && (failure.code ?? 'FAILED');
  if (end === 'done' || end === 'unpaid') return { state: 'ended', code, failure };
  if (end === 'sheet') return { state: 'refused', code: code ?? 'SHEET_HAS_PROBLEMS', failure };
  const fate = fateOf(code);
  if (fate === 'approval' || fate === 'policy' || (fate === 'totals' && !hasTotals))
    return { state: 'waits', code, failure };
  // Refuses only a sheet whose batch has not begun. Other errors may come from the machine and not from the sheet.
  return { state: !began && outcome === null && fate !== 'again' ? 'refused' : 'open', code, failure };
}

export const whyOf = ({ state, failure }: Pick<FileState, 'state' | 'failure'>, place: Place): string | null =>
  failure !== null ? failureWords(failure, place) : state === 'refused' ? hotFolderWords.refused : null;

const shortestMs = 15_000;
const longestMs = 15 * 60_000;

/** Returns when to run the sheet again; null for no set time. A sheet that waits for a file runs as soon as the file arrives. */
export function againAt({ state }: FileState, { end }: RunEnd, tries: number, now: number): string | null {
  // Null: the sheet is finished, the run was stopped, or another run holds the ledger and will soon release it.
  if (state === 'ended' || state === 'refused' || ['signal', 'busy'].includes(end)) return null;
  return isoTime(now + (state === 'waits' ? longestMs : Math.min(longestMs, shortestMs * 2 ** Math.min(tries, 10))));
}

/** A time further ahead than `longestMs` does not count, because it shows that the clock was set back. */
export function isDue({ again_at }: HotJob, now: number): boolean {
  const at = again_at === null ? now : Date.parse(again_at);
  return !(at > now && at <= now + longestMs);
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const headOf = ({ name, file, taken_at, bytes, sha256 }: HotJob) => ({ name, file, taken_at, bytes, sha256 });

export function ackOf(taken: HotJob, end: RunEnd | null, standing: WordedState | null, files: readonly string[]) {
  const { batch = null, service, rows, totals, next = [] } = end?.outcome ?? {};
  return json({
    ...headOf(taken),
    state: standing?.state ?? 'taken',
    exit: end?.exit ?? null,
    code: standing?.code ?? null,
    why: standing?.why ?? null,
    batch,
    ...(service === undefined ? {} : { service, rows, totals }),
    files,
    next: standing !== null && isFinal({ ...taken, state: standing.state }) && end?.end === 'done' ? [] : next,
  });
}

export function nackOf(
  taken: HotJob,
  { end, exit, outcome }: RunEnd,
  { code, why }: WordedState,
  files: readonly string[],
) {
  return json({
    ...headOf(taken),
    exit,
    code,
    why,
    what_to_do: nackAdvice(end, code, fateOf(code)),
    files,
    problems: outcome?.problems ?? [],
    problems_total: outcome?.problems_total ?? 0,
  });
}

/** A DUPS says what was submitted before: the sheet, its batch or some rows. Null if nothing was, or if the batch had begun before. */
export function dupsOf(
  taken: HotJob,
  { outcome, began }: RunEnd,
  { code, why }: WordedState,
  others: readonly HotJob[],
) {
  if (began || taken.batch !== null) return null;
  const same = others.filter((one) => one !== taken && one.sha256 !== null && one.sha256 === taken.sha256);
  const rows = (outcome?.problems ?? []).filter(isRepeat);
  const { paid = 0, pending = 0, in_doubt = 0, held = 0 } = outcome?.rows ?? {};
  const all = same.length > 0 || (outcome?.sent === 0 && paid + pending + in_doubt + held > 0);
  // The refusal's own text names the rows.
  const its = fateOf(code) === 'repeated';
  if (rows.length === 0 && !all && !its) return null;
  return json({
    ...headOf(taken),
    what: all ? 'sheet' : its ? 'batch' : 'rows',
    why: why ?? (all ? hotFolderWords.sentBefore : null),
    batch: outcome?.batch ?? null,
    same_file: same.map(({ name, file, taken_at }) => ({ name, file, taken_at })),
    rows: rows.map(({ row, message }) => ({ row, message })),
  });
}
