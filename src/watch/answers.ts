/** What becomes of a sheet by the way its run ended, and the answers that say so: ACK, NACK and DUPS. All of it pure. */
import { isoTime } from '../base/clock.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { isFinal, type Taken } from './hot-folder.ts';

/** How a run ended; or one that went on with the batch that this very sheet had become. */
export interface RunEnd {
  readonly exit: number;
  readonly outcome: Outcome | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Whether the sheet's batch was in the ledger before. */
  readonly began: boolean;
}

export interface Standing {
  readonly state: Taken['state'];
  readonly code: string | null;
  readonly why: string | null;
}

/** Final is what is paid as far as it can be, and what was refused before anything was sent. All else is run again. */
export function standingOf(
  { exit, outcome, error, began }: RunEnd,
  hasTotals: boolean,
  /** Where totals are required, what those of the sheet are called. */
  totals: string | null = null,
): Standing {
  const stopped = error ?? outcome?.stopped ?? null;
  const { code = null, message: why = null } = stopped ?? {};
  const be = (state: Taken['state']) => ({ state, code, why });
  if (exit === 0 || exit === 21) return be('ended');
  if (exit === 20)
    return { state: 'refused', code: code ?? 'SHEET_REFUSED', why: why ?? 'The sheet, or a payee of it, was refused.' };
  // The run asks for its approval first, and would tell of the totals when that has come.
  if (code === 'APPROVAL_MISSING' && totals !== null && !hasTotals)
    return { state: 'waits', code, why: `${why}\n  Its control totals are missing as well: ${totals}` };
  // A batch that began waits as well: nothing of it goes on without the policy.
  if (
    code === 'APPROVAL_MISSING' ||
    code === 'POLICY_NOT_FOUND' ||
    code === 'POLICY_DIFFERS' ||
    (code === 'TOTALS_DIFFER' && !hasTotals)
  )
    return be('waits');
  // What waits at the console is decided on there.
  if (code === 'CORRECTION_WAITS') return be('open');
  // What the machine lacks is no fault of the sheet; a batch that began is gone on with, whatever stands in its way.
  if (!began && outcome === null && (exit === 26 || code === 'FILE_UNREADABLE')) return be('refused');
  return be('open');
}

const shortestMs = 15_000;
const longestMs = 15 * 60_000;

/** When a sheet that is not at its end is run again; what waits for a file is run when that comes, and seldom without. */
export function againAt({ state }: Standing, { exit }: RunEnd, tries: number, now: number): string | null {
  // A ledger that another run holds is free soon, and to ask costs nothing.
  if (state === 'ended' || state === 'refused' || exit >= 128 || exit === 24) return null;
  return isoTime(now + (state === 'waits' ? longestMs : Math.min(longestMs, shortestMs * 2 ** Math.min(tries, 10))));
}

/** A clock that was set back must not put a sheet off for longer. */
export function isDue({ again_at }: Taken, now: number): boolean {
  const at = again_at === null ? now : Date.parse(again_at);
  return !(at > now && at <= now + longestMs);
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const headOf = ({ name, file, taken_at, bytes, sha256 }: Taken) => ({ name, file, taken_at, bytes, sha256 });

/** That the sheet was taken, and where it stands. */
export function ackOf(taken: Taken, end: RunEnd | null, standing: Standing | null, files: readonly string[]): string {
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
    next: standing !== null && isFinal({ ...taken, state: standing.state }) && end?.exit === 0 ? [] : next,
  });
}

const refusedTwice =
  'If it is the same sheet once more, do nothing: it is paid, or on its way. If it is another period, or its rows were changed on purpose, a person runs it from the command line, in one of the ways that are told above.';

/** By the code, for whoever handed the sheet in; what a person at the command line does stands in `why`. */
const whatToDo: Readonly<Record<string, string>> = {
  SHEET_REFUSED:
    'Mend each problem in the sheet, or in the checked workbook where there is one, and put it into the folder again.',
  FILE_UNREADABLE: 'Save it as .xlsx or .csv under a short name, look that it opens, and put it into the folder again.',
  SHEET_CHANGED:
    'Find out who changed it, and whether on purpose; then put the right sheet into the folder again, under a name that nobody writes to while it lies there.',
  TOTALS_DIFFER:
    'Find out which is wrong, the sheet or its totals, from whoever made it; then put both into the folder again.',
  PLAN_REFUSED:
    'Make a new plan of this sheet with the settings of the watcher (its payrun.config.json), and have it approved. Then put all of it into the folder again: the signatures, the plan, and last the sheet, which lies in taken by now.',
  BATCH_CHANGED: refusedTwice,
  SHEET_OVERTAKEN:
    'If its rows shall be paid as they are in it, do as `why` says. Else do nothing: the other sheet is what counts.',
  IDENTITY_CHANGED: 'Tell whoever keeps the settings: the batch was sent from with another key, user or address.',
};

const otherwise =
  'Read why; when that is dealt with, put the sheet into the folder again, or have a person run it from the command line.';

/** That the sheet was refused, why, with each problem, and what to do. */
export function nackOf(taken: Taken, { exit, outcome }: RunEnd, { code, why }: Standing, files: readonly string[]) {
  return json({
    ...headOf(taken),
    exit,
    code,
    why,
    what_to_do: whatToDo[code ?? ''] ?? otherwise,
    files,
    problems: outcome?.problems ?? [],
    problems_total: outcome?.problems_total ?? 0,
  });
}

const sentBefore = 'What was sent of it before is not sent again. The ACK says how its rows stand.';

const alike = ['LOOKS_PAID', 'BATCH_REPEATED', 'TOTALS_REPEATED'];

/** What of the sheet was there before; null where nothing is known to have been. */
export function dupsOf(taken: Taken, { outcome, began }: RunEnd, { code, why }: Standing, others: readonly Taken[]) {
  if (began || taken.batch !== null) return null;
  const same = others.filter((one) => one !== taken && one.sha256 !== null && one.sha256 === taken.sha256);
  const rows = (outcome?.problems ?? []).filter((problem) => alike.includes(problem.code));
  const { paid = 0, pending = 0, in_doubt = 0, held = 0 } = outcome?.rows ?? {};
  const all = same.length > 0 || (outcome?.sent === 0 && paid + pending + in_doubt + held > 0);
  // Which of its rows were there stands in the words of its refusal.
  const its = code === 'BATCH_CHANGED';
  if (rows.length === 0 && !all && !its) return null;
  return json({
    ...headOf(taken),
    what: all ? 'sheet' : its ? 'batch' : 'rows',
    why: why ?? (all ? sentBefore : null),
    batch: outcome?.batch ?? null,
    same_file: same.map(({ name, file, taken_at }) => ({ name, file, taken_at })),
    rows: rows.map(({ row, message }) => ({ row, message })),
  });
}
