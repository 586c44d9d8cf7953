/** Where a batch stands, as one document for people and programs (design 5). */

import { type Clock, isoTime } from '../base/clock.ts';
import type { ErrorCode, PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import { counted } from '../base/words.ts';
import type { AmountUnit } from '../domain/row.ts';
import {
  type BatchFacts,
  type CountLine,
  type DraftTotal,
  type Ledger,
  type RowWord,
  wordOf,
} from '../ledger/ledger.ts';
import type { MapAdvice, SheetOptions } from '../sheet/sheet.ts';
import type { DoubtSettings } from './deps.ts';

export interface RowCounts {
  readonly total: number;
  readonly paid: number;
  readonly pending: number;
  readonly not_sent: number;
  readonly unpaid: number;
  readonly in_doubt: number;
  readonly held: number;
  readonly paid_twice: number;
  readonly invalid: number;
  readonly skipped: number;
}

export interface MoneyTotal {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly from: string | null;
  readonly planned: number;
  readonly paid: number;
  readonly pending: number;
  readonly not_sent: number;
  readonly unpaid: number;
  readonly in_doubt: number;
  readonly held: number;
  /** Of rows that were paid twice: once more what is counted as paid. */
  readonly paid_twice: number;
}

export interface NextStep {
  readonly command: string;
  /** Not before; null for any time. */
  readonly after: string | null;
}

export interface Outcome {
  readonly batch: string | null;
  readonly service: string;
  readonly ledger: string;
  /** Of the sheet's rows (sorted), so that two people can see that they speak of the same sheet. */
  readonly digest: string | null;
  /** Payments created by this run. */
  readonly sent: number;
  readonly rows: RowCounts;
  readonly totals: readonly MoneyTotal[];
  readonly problems: readonly Problem[];
  readonly problems_total: number;
  /** Where columns of the sheet are not read: a map to start from, for `--map`. */
  readonly map?: MapAdvice;
  readonly documents: { readonly attached: number; readonly open: number };
  readonly result: string | null;
  readonly next: readonly NextStep[];
  /** Sentences that a person should read. */
  readonly notes: readonly string[];
  /** Why the run ended early, or null. */
  readonly stopped: { readonly code: string; readonly message: string } | null;
  readonly exit: number;
}

const countNames = {
  paid: 'paid',
  pending: 'pending',
  'not sent': 'not_sent',
  unpaid: 'unpaid',
  'in doubt': 'in_doubt',
  held: 'held',
  'paid twice': 'paid_twice',
  invalid: 'invalid',
  skipped: 'skipped',
} as const satisfies { readonly [W in RowWord]: keyof RowCounts };

export const noRows: RowCounts = {
  total: 0,
  paid: 0,
  pending: 0,
  not_sent: 0,
  unpaid: 0,
  in_doubt: 0,
  held: 0,
  paid_twice: 0,
  invalid: 0,
  skipped: 0,
};

/** Counts and totals of a batch as the ledger has it; `skipped` are the bad rows that were left out on purpose. */
export async function standing(
  ledger: Ledger,
  batch: BatchFacts,
): Promise<{ rows: RowCounts; totals: MoneyTotal[]; absent: number }> {
  const lines = await ledger.counts(batch.name);
  const rows: Record<keyof RowCounts, number> = { ...noRows, skipped: batch.sheet.invalid, total: batch.sheet.invalid };
  for (const line of lines) {
    rows[countNames[wordOf[line.state]]] += line.rows;
    rows.total += line.rows;
  }
  const absent = lines.filter(({ state }) => state === 'absent').reduce((sum, line) => sum + line.rows, 0);
  return { rows, totals: moneyTotals(lines), absent };
}

/** What the next steps depend on beside the ledger. */
export interface View {
  readonly now: number;
  /** The flags that lead back to the same ledger and service. */
  readonly again: string;
  /** How long after an attempt its payment may still come to light, the call's deadline included. */
  readonly horizonMs: number;
}

export function viewOf({
  clock,
  again,
  limits,
}: {
  readonly clock: Clock;
  readonly again: string;
  readonly limits: { readonly doubt: DoubtSettings };
}): View {
  return { now: clock.now(), again, horizonMs: limits.doubt.deadlineMs + limits.doubt.horizonMs };
}

/** A batch as its ledger has it, for commands that only read. */
export async function batchOutcome(ledger: Ledger, batch: BatchFacts, view: View): Promise<Outcome> {
  const { rows, totals, absent } = await standing(ledger, batch);
  const documents = await ledger.documentCounts(batch.name);
  const open = documents.due + documents.uploading + documents.in_doubt + documents.missing;
  return {
    batch: batch.name,
    service: batch.service,
    ledger: ledger.path,
    digest: `sha256:${batch.sheet.digest}`,
    sent: 0,
    rows,
    totals,
    problems: [],
    problems_total: 0,
    documents: { attached: documents.attached, open },
    result: null,
    next: await nextSteps(ledger, batch, { rows, absent, documentsOpen: open, view }),
    notes: [],
    stopped: null,
    exit: exitOf(rows, open, null),
  };
}

function moneyTotals(lines: readonly CountLine[]): MoneyTotal[] {
  const totals = new Map<string, Record<keyof MoneyTotal, number | string | null>>();
  for (const { currency, unit, from, state, amount } of lines) {
    const key = JSON.stringify([currency, unit, from]);
    let total = totals.get(key);
    if (total === undefined) {
      total = { ...emptyTotal({ currency, unit, from }) };
      totals.set(key, total);
    }
    const name = countNames[wordOf[state]];
    const add = (field: keyof MoneyTotal) => {
      total[field] = Number(total[field]) + Number(amount);
    };
    add('planned');
    if (name in total) add(name as keyof MoneyTotal);
    // As far as the plan goes it is paid once.
    if (name === 'paid_twice') add('paid');
  }
  return [...totals.values()] as unknown as MoneyTotal[];
}

function emptyTotal(key: { currency: string; unit: AmountUnit; from: string | null }): MoneyTotal {
  return { ...key, planned: 0, paid: 0, pending: 0, not_sent: 0, unpaid: 0, in_doubt: 0, held: 0, paid_twice: 0 };
}

/** The totals of a sheet that has not become a batch. */
export function plannedTotals(totals: readonly DraftTotal[]): MoneyTotal[] {
  return totals.map(({ currency, unit, from, amount }) => ({
    ...emptyTotal({ currency, unit, from }),
    planned: Number(amount),
    not_sent: Number(amount),
  }));
}

/** One total map from an expected failure to the exit code (design 5): add a code, and the compiler asks for its exit. */
export const exitOfCode: { readonly [C in ErrorCode]: number } = {
  USAGE: 2,
  CONFIG: 2,
  CREDENTIALS_MISSING: 2,
  FILE_UNREADABLE: 2,
  MAP_UNUSABLE: 2,
  FOLDER_UNWRITABLE: 2,
  SHEET_REFUSED: 20,
  LEDGER_BUSY: 24,
  LEDGER_NEWER: 2,
  LEDGER_UNUSABLE: 2,
  LEDGER_UNWRITABLE: 1,
  LEDGER_DAMAGED: 27,
  BATCH_UNKNOWN: 2,
  BATCH_CHANGED: 26,
  IDENTITY_CHANGED: 26,
  SERVICE_UNREACHABLE: 25,
  SERVICE_ANSWER: 25,
  SERVICE_UNREADABLE: 25,
  CREDENTIALS_REFUSED: 25,
  SERVICE_BUSY: 25,
  TAG_LOST: 25,
  PASS_INCOMPLETE: 25,
  OTHER_LEDGER: 23,
  PAID_TWICE: 27,
  PAYMENT_UNDONE: 27,
  STOPPED: 130,
};

/** Several can hold; the order is that of the harm: paid twice, doubt, no service, not finished, not all paid (design 5). */
export function exitOf(rows: RowCounts, documentsOpen: number, stopped: PayrunError | null): number {
  const stopExit = stopped === null ? null : exitOfCode[stopped.code];
  if (rows.paid_twice > 0 || stopExit === 27) return 27;
  if (rows.in_doubt > 0 || rows.held > 0) return 22;
  if (stopExit !== null) return stopExit;
  if (rows.pending > 0 || rows.not_sent > 0) return 23;
  if (rows.unpaid > 0 || rows.skipped > 0 || rows.invalid > 0 || documentsOpen > 0) return 21;
  return 0;
}

interface StepFacts {
  readonly rows: RowCounts;
  readonly absent: number;
  readonly documentsOpen: number;
  readonly view: View;
}

/** The commands that a person or cron may run next, and from when on. */
async function nextSteps(ledger: Ledger, batch: BatchFacts, facts: StepFacts): Promise<NextStep[]> {
  const { rows, absent, documentsOpen, view } = facts;
  const { now, again } = view;
  const name = shellWord(batch.name);
  const steps: NextStep[] = [];
  const after = (moment: number | null) => (moment !== null && moment > now ? isoTime(moment) : null);
  const step = (command: string, moment: number | null = null) => steps.push({ command, after: after(moment) });
  if (rows.in_doubt > absent) {
    const last = await ledger.lastDoubt(batch.name);
    step(`payrun reconcile ${name}${again}`, last === null ? null : last + view.horizonMs);
  }
  const [double] = await ledger.unknownDoubles(batch.name);
  if (double !== undefined)
    step(
      `payrun resolve ${name} --row ${shellWord(double)} --known --reason TEXT${again}   # once one of its two payments is dealt with`,
    );
  const [held] = await ledger.rows({ batch: batch.name, states: ['held'], limit: 1 });
  if (held !== undefined)
    step(`payrun explain ${name} ${shellWord(held.key)}${again}   # why it is held, and what lets it go on`);
  if (absent > 0)
    step(
      `payrun resolve ${name} --release-absent --reason TEXT${again}   # ${counted(absent, 'row')}: no payment exists`,
    );
  if (rows.pending + rows.not_sent + documentsOpen > 0) step(`payrun resume ${name}${again}`, batch.quietUntil);
  if (rows.unpaid > 0) step(`payrun retry ${name}${again}   # ${counted(rows.unpaid, 'row')} as they are`);
  if (rows.unpaid + rows.skipped > 0)
    step(
      `payrun run ${shellWord(batch.sheet.origin)} --batch ${name} --add${readingFlags(batch.sheet.options)}${again}   # with these rows mended`,
    );
  return steps;
}

/** The flags with which a later command reads a sheet as it was read before. */
export function readingFlags({ sheetName, includeHidden, map }: SheetOptions): string {
  return [
    ...(sheetName === undefined ? [] : [` --sheet ${shellWord(sheetName)}`]),
    ...(includeHidden === true ? [' --include-hidden'] : []),
    ...(map === undefined ? [] : [` --map ${shellWord(map.name)}`]),
  ].join('');
}

/** As a shell takes it literally: printed commands are pasted. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9._/:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
