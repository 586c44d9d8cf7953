/** Where a batch stands, as one document for people and programs (design 5). */

import type { TrailEntry } from '../audit/chain.ts';
import { type ToldPlan, toldRetry } from '../audit/plans.ts';
import { type Clock, isoTime, timeWords } from '../base/clock.ts';
import type { ErrorCode, PayrunError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import { counted, moneyOf, shellWord, visible } from '../base/words.ts';
import type { AmountUnit } from '../domain/rows/row.ts';
import { tellsMoreFrom } from '../domain/sending/doubt.ts';
import {
  accountChanged,
  type BatchFacts,
  type Comparison,
  type CountLine,
  type Elsewhere,
  elsewhereCommand,
  type Ledger,
  type LedgerRow,
  type LivingCopy,
  type RowWord,
  type SheetFacts,
  type SkippedRow,
  stepsOn,
  wordOf,
} from '../ledger/ledger.ts';
import { choiceFlags, type MapAdvice, type SheetOptions } from '../sheet/sheet.ts';
import { flagsOf, planOf } from './batch-options.ts';
import type { ControlTotals } from './controls/control-totals.ts';
import type { DoubtSettings } from './deps.ts';
import { copyWords } from './duplicates/copies.ts';
import { stopsAsRepeat } from './duplicates/repeats.ts';
import { awayNote } from './results/fallback-location.ts';
import { lostOf, skippedCount, skippedWords } from './results/skipped.ts';
import { type UnpaidRow, unpaidRows } from './results/unpaid-rows.ts';
import { changeWords, openChanges, shownChanges } from './settle/deposit-changes.ts';

export type { ApprovedPlan } from './batch-options.ts';
export { isLookalike } from './duplicates/repeats.ts';
export { givenUpSince, lostOf, lostReason, ownOf, skippedName, withGivenUp } from './results/skipped.ts';
export { flagsOf, planOf, shellWord };

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
  /** By how much more, or less, than planned the payments are of that persons took for rows whose sheet says another amount. */
  readonly differs: number;
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
  /** Of a sheet that was looked at: what it comes to, to be held against what a second channel says. */
  readonly control_totals?: ControlTotals;
  /** Of the plan that was just made, or that the batch runs under. */
  readonly plan_digest: string | null;
  /** The plan that was just made, as a file and as a page. */
  readonly plan: string | null;
  readonly plan_page: string | null;
  /** Payments created by this run. */
  readonly sent: number;
  readonly rows: RowCounts;
  /** Of the rows that are not sent, the ones that the newest sheet lacks: nothing will be sent for them. */
  readonly left_out: number;
  /** Where there are any: of the unpaid rows and those that are not sent or were left out, the ones for which a person said that nothing is owed any more. */
  readonly given_up?: number;
  /** Where there are any: of the held rows, the ones of which a person said that they are not to be paid. */
  readonly held_given_up?: number;
  /** Where there are any: of the held rows, the ones whose payee's account changed. Nothing of them was sent. */
  readonly withheld?: number;
  /** Where there is any, of a plan: what stops a run of it until --confirm-variance. */
  readonly unconfirmed?: readonly string[];
  /** Where there are any: the first of the unpaid rows. */
  readonly unpaid_rows?: readonly UnpaidRow[];
  readonly totals: readonly MoneyTotal[];
  readonly problems: readonly Problem[];
  readonly problems_total: number;
  /** Where columns of the sheet are not read: a map to start from, for `--map`. */
  readonly map?: MapAdvice;
  readonly documents: { readonly attached: number; readonly open: number };
  readonly result: string | null;
  /** Where the sheet was a file of payments: the answer to it, beside the result. */
  readonly answer?: string;
  /** The checked workbook, where something was to be mended or looked at. */
  readonly checked: string | null;
  /** `problems`: the sheet is too long for all of its rows, and the checked workbook cannot be handed in. */
  readonly checked_rows: 'all' | 'problems' | null;
  readonly next: readonly NextStep[];
  /** Where a status is asked for, and there are any: what pauses it. */
  readonly paused?: readonly PauseTold[];
  /** Sentences that a person should read. */
  readonly notes: readonly string[];
  /** Of a ledger that was copied: where it goes on; this one never sends again. */
  readonly copied_to?: string;
  /** Of a ledger that sends nothing yet: what it is an unfinished copy of. */
  readonly unfinished_copy_of?: string;
  /** Why the run ended early, or null. */
  readonly stopped: { readonly code: string; readonly message: string } | null;
  readonly exit: number;
}

/** A kill switch that stands; without a batch it is that of all. */
export interface PauseTold {
  readonly batch: string | null;
  readonly reason: string;
  readonly by: string | null;
  readonly since: string | null;
}

export const noPlan = { plan_digest: null, plan: null, plan_page: null } as const;

export function elsewhereFields(elsewhere: Elsewhere | null): Pick<Outcome, 'copied_to' | 'unfinished_copy_of'> {
  if (elsewhere === null) return {};
  return 'copiedTo' in elsewhere ? { copied_to: elsewhere.copiedTo } : { unfinished_copy_of: elsewhere.copyOf };
}

/** The sheet under whose plan the batch goes on: a file that has the very same rows without a plan takes nothing of it away. */
export function sheetUnderPlan({ sheetsOf }: Pick<Ledger, 'sheetsOf'>, { name, sheet }: BatchFacts): SheetFacts | null {
  const isUnder = (one: SheetFacts) => one.digest === sheet.digest && planOf({ sheet: one }) !== null;
  return sheetsOf(name).findLast(isUnder) ?? null;
}

/** Options that a plan does not take. */
const ofRunsAlone = / --(?:concurrency|format|listen|webhook-url) (?:'[^']*'|\S+)/g;
export const withoutRunFlags = (flags: string): string => flags.replaceAll(ofRunsAlone, '');

/** How a plan is made of the batch as it stands: of the sheet, as that was read. */
export function planAnew(ledger: Pick<Ledger, 'sheetsOf'>, batch: BatchFacts, again: string): string {
  const sheet = sheetUnderPlan(ledger, batch) ?? batch.sheet;
  const flags = withoutRunFlags(flagsOf({ ...batch, sheet }));
  return `payrun plan ${shellWord(sheet.origin)} --batch ${shellWord(batch.name)}${flags}${again}`;
}

/** For a person; nothing for a batch without a plan. */
export function planNote(batch: BatchFacts, begin = 'Runs under'): string[] {
  const plan = planOf(batch);
  return plan === null ? [] : [`${begin} ${planWords(plan)}.`];
}

/** A plan of its own, under which unpaid rows were sent again, and who let them be. */
export interface RetryPlan {
  readonly plan_digest: string;
  readonly at: string;
  readonly maker: string | null;
  readonly approved: readonly { readonly name: string | null; readonly at: string | null }[];
}

export async function retryPlans(ledger: Ledger, batch: string): Promise<readonly RetryPlan[]> {
  return (await ledger.told(batch, 'retry')).map(({ at, data }) => {
    const { digest, approvals } = toldRetry(data);
    return {
      plan_digest: `sha256:${digest}`,
      at: isoTime(at),
      maker: typeof data.maker === 'string' ? data.maker : null,
      approved: approvals.map(({ approver: name, at: when }) => ({ name, at: when })),
    };
  });
}

export function retryNote({ plan_digest: digest, at, maker, approved }: RetryPlan, begin: string): string {
  const who = approved.map(({ name, at: when }) => `${name} (${when ?? 'no time told'})`).join(' and ');
  return `${begin} at ${at} under plan ${digest}, made by ${maker}${who === '' ? '' : `, approved by ${who}`}.`;
}

export function planWords({ digest, maker, approvals }: ToldPlan & { readonly maker: string }): string {
  const by = approvals.map(({ approver, fingerprint }) => `${approver} (key ${fingerprint})`).join(' and ');
  return `plan sha256:${digest}, made by ${maker}${by === '' ? '' : `, approved by ${by}`}`;
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

/** `24 rows: 23 paid, 1 in doubt`. */
export function rowWords({ total, ...counts }: RowCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  const words = some.map(([word, count]) => `${count} ${word.replace('_', ' ')}`).join(', ');
  return `${counted(total, 'row')}${words && ': '}${words}`;
}

const noRows: RowCounts = {
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

export interface Standing extends Pick<Outcome, 'rows' | 'left_out' | 'totals'> {
  /** Of what is in doubt, the rows whose answer a run that lives is waiting for; of a run that died they are as doubtful as the others. */
  readonly sending: readonly CountLine[];
  readonly absent: number;
  /** Unpaid rows that the newest sheet has. */
  readonly retryable: number;
}

/** Counts and totals of a batch as the ledger has it; `skipped` are the bad rows that were left out on purpose. */
export async function standing(ledger: Ledger, batch: BatchFacts): Promise<Standing> {
  return standingOf(await ledger.counts(batch.name), { skipped: skippedCount(batch) });
}

/** The same as it would be with the sheet that was just read, of which nothing was sent yet: what stands, and what is new beside it. */
export async function standingWithDraft(ledger: Ledger, comparison: Comparison | null, batch: string | null) {
  const { invalid } = ledger.draft.counts();
  // A line with a mistake whose row was sent is that row, and no other one.
  const own = invalid - (comparison?.invalidSent.length ?? 0);
  const standing = standingOf(await ledger.countsWithDraft(batch), { invalid: own });
  const documents = {
    attached: batch === null ? 0 : (await ledger.documentCounts(batch)).attached,
    open: await ledger.documentsToAttach(batch),
  };
  const named = batch === null ? [] : await ledger.leftOutByDraft(batch, shownKeys + 1);
  const { lost } = batch === null ? { lost: [] } : await ledger.skippedBesideDraft(batch);
  return {
    ...standing,
    documents,
    notes: [...leftOutNote(standing.left_out, named), ...lostNote(lost, 'this sheet')],
  };
}

function standingOf(lines: readonly CountLine[], bad: { skipped?: number; invalid?: number }): Standing {
  const rows: Record<keyof RowCounts, number> = { ...noRows, ...bad };
  for (const line of lines) rows[countNames[wordOf[line.state]]] += line.rows;
  rows.total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const those = (which: (line: CountLine) => boolean) =>
    lines.filter(which).reduce((sum, { rows: count }) => sum + count, 0);
  return {
    rows,
    left_out: those(({ state, listed }) => wordOf[state] === 'not sent' && !listed),
    totals: moneyTotals(lines),
    sending: lines.filter(({ state }) => state === 'sending'),
    absent: those(({ state }) => state === 'absent'),
    retryable: those(({ state, listed }) => wordOf[state] === 'unpaid' && listed),
  };
}

/** Our own result file may say of more rows that something was sent for them than are known here; null where it does not. */
export function unknownClaims({ sheet, repeatReason }: BatchFacts, rows: RowCounts) {
  const claimed = Number(sheet.options.claimed ?? 0);
  const known = rows.total - rows.not_sent - rows.skipped;
  return repeatReason !== null || known >= claimed ? null : { claimed, known };
}

const shownKeys = 10;

/** Whoever reads where the batch stands should know which rows nothing will be sent for. */
function leftOutNote(count: number, keys: readonly string[]): string[] {
  if (count === 0) return [];
  const shown = `${keys.slice(0, shownKeys).join(', ')}${count > shownKeys ? ', …' : ''}`;
  return [
    count === 1
      ? `1 row that is not sent is not in the newest sheet (${shown}): nothing is sent for it.`
      : `${counted(count, 'row')} that are not sent are not in the newest sheet (${shown}): nothing is sent for them.`,
  ];
}

/** Such a row is in no count of the ledger's, and once a later sheet lacks it, in no table either. */
function lostNote(lost: readonly SkippedRow[], newest: string): string[] {
  if (lost.length === 0) return [];
  const shown = lost.slice(0, shownKeys).map(skippedWords).join('; ');
  const what =
    lost.length === 1
      ? '1 row that was left out for its mistake is'
      : `${counted(lost.length, 'row')} that were left out for their mistakes are`;
  return [`${what} not in ${newest} (${shown}${lost.length > shownKeys ? '; …' : ''}): not paid.`];
}

/** Unpaid, and no command sends it: `retry` leaves out what the newest sheet lacks. */
function unpaidLeftOutNote(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? '1 unpaid row is not in the newest sheet: it is not sent again until a sheet has it.'
      : `${counted(count, 'unpaid row')} are not in the newest sheet: they are not sent again until a sheet has them.`,
  ];
}

function givenUpNote(count: number): string[] {
  if (count === 0) return [];
  return [
    `${counted(count, 'row')} ${count === 1 ? 'was' : 'were'} given up: a person said that ${count === 1 ? 'it is' : 'they are'} not to be paid.`,
  ];
}

/** Whether rows are left that can be sent: of others no hour is missed. */
export const hasUnsent = ({ rows, left_out }: Pick<Standing, 'rows' | 'left_out'>): boolean => rows.not_sent > left_out;

/** Whoever goes on with it, stops it or gives it a schedule knows how it stands. */
async function hourMissedNote(
  { fleet, newestEntry }: Ledger,
  { name }: BatchFacts,
  stands: Pick<Standing, 'rows' | 'left_out'>,
): Promise<string[]> {
  if (fleet === null || !hasUnsent(stands)) return [];
  const newest = await newestEntry(name, 'hour missed', ...stepsOn);
  return newest?.what === 'hour missed' ? [`Its ${hourMissedWords(newest.data)}`] : [];
}

/** Of an hour of the batch's schedule, as the trail tells it. */
export function hourMissedWords({ hour, why, paused }: Readonly<Record<string, unknown>>): string {
  const at = timeWords(Date.parse(hour as string));
  if (paused === true) return `hour of ${at} came while it was paused: not all of it was sent.`;
  const more = typeof why === 'string' ? `: ${why}` : '';
  return `hour of ${at} is over, and nobody went on with it then${more}.`;
}

/** The totals count what was paid, and whoever compares them with the sheet has to know why they are not its sums. */
async function otherwiseNote(ledger: Ledger, batch: BatchFacts): Promise<string[]> {
  const rows = await ledger.paidOtherwise(batch.name, shownKeys + 1);
  const paid = (row: LedgerRow) => moneyOf({ ...row, amount: row.paidAmount ?? row.amount });
  const [only, ...others] = rows;
  if (only === undefined) return [];
  if (others.length === 0)
    return [
      `Row ${only.key} has a payment of ${paid(only)}, where the sheet says ${moneyOf(only)}: the totals count the payment.`,
    ];
  const shown = rows.slice(0, shownKeys).map((row) => `${row.key}: ${paid(row)} instead of ${moneyOf(row)}`);
  return [
    `Rows whose payment is of another amount than the sheet says (${shown.join('; ')}${rows.length > shownKeys ? '; …' : ''}): the totals count the payments.`,
  ];
}

/** An end that the service's own words do not say is the word of whoever wrote the settings: an auditor has to see which rows rest on it. */
async function takenNotes(ledger: Ledger, { name }: BatchFacts): Promise<string[]> {
  return (await ledger.endedOtherwise(name)).map(({ status, state, rows }) => {
    const told = `${counted(rows, 'row')}: the service says '${status}', which the setting payments.statuses takes for`;
    return state === 'succeeded'
      ? `${told} success. They count as paid.`
      : `${told} expired. They count as unpaid; make sure that no such payment is paid out later before they are sent again.`;
  });
}

/** What the next steps depend on beside the ledger. */
export interface View {
  readonly now: number;
  /** The flags that lead back to the same ledger and service. */
  readonly again: string;
  /** How long after an attempt its payment may still come to light, the call's deadline included. */
  readonly horizonMs: number;
  /** How far apart the two passes are that show an absence. */
  readonly confirmMs: number;
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
  const { deadlineMs, horizonMs, confirmMs } = limits.doubt;
  return { now: clock.now(), again, horizonMs: deadlineMs + horizonMs, confirmMs };
}

/** A batch as its ledger has it, for commands that only read. */
export async function batchOutcome(ledger: Ledger, batch: BatchFacts, view: View): Promise<Outcome> {
  const stands = await standing(ledger, batch);
  const elsewhere = await ledger.elsewhere();
  const plan = planOf(batch);
  const { rows, left_out, totals } = stands;
  const counts = await ledger.documentCounts(batch.name);
  const open = counts.due + counts.uploading + counts.in_doubt + counts.missing;
  const documents = { attached: counts.attached, open };
  const named = left_out === 0 ? [] : await ledger.leftOut(batch.name, shownKeys);
  const copies = await ledger.livingCopies(batch.name);
  const changes = await openChanges(ledger, batch.name);
  const skipped = rows.skipped === 0 ? [] : await ledger.skipped(batch);
  const skippedGivenUp = skipped.filter(({ givenUp }) => givenUp !== undefined).length;
  const leftOutGivenUp = await ledger.givenUp(batch.name);
  const given_up = skippedGivenUp + leftOutGivenUp;
  const heldGivenUp = rows.held === 0 ? [] : await ledger.givenUpRows(batch.name, ['held']);
  const held_given_up = heldGivenUp.length;
  const held = rows.held === 0 ? [] : await ledger.rows({ batch: batch.name, states: ['held'], limit: rows.held });
  const withheld = held.filter(isWithheld).length;
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
    ...(given_up > 0 ? { given_up } : {}),
    ...(held_given_up > 0 ? { held_given_up } : {}),
    ...(withheld > 0 ? { withheld } : {}),
    ...(stands.retryable > 0 ? { unpaid_rows: await unpaidRows(ledger, batch) } : {}),
    totals,
    problems: [],
    problems_total: 0,
    documents,
    result: null,
    checked: null,
    checked_rows: null,
    next:
      elsewhere === null
        ? await nextSteps(ledger, batch, {
            ...stands,
            documents,
            copies,
            heldGivenUp,
            skippedGivenUp,
            isOwed: left_out > leftOutGivenUp,
            view,
          })
        : [{ command: elsewhereCommand(elsewhere, ledger.path, batch.name), after: null }],
    ...elsewhereFields(elsewhere),
    notes: [
      ...copies.slice(0, shownKeys).map(copyWords),
      ...changes.slice(0, shownChanges).map((change) => `Changed deposit details. ${changeWords(change)}`),
      ...(await awayNote(ledger, batch)),
      ...planNote(batch),
      ...(await hourMissedNote(ledger, batch, stands)),
      ...(await otherwiseNote(ledger, batch)),
      ...(await takenNotes(ledger, batch)),
      ...leftOutNote(left_out, named),
      ...lostNote(lostOf(skipped), 'the newest sheet'),
      ...unpaidLeftOutNote(rows.unpaid - stands.retryable),
      ...givenUpNote(given_up + held_given_up),
    ],
    stopped: null,
    exit:
      copies.length + changes.length > 0 ? 27 : exitOf({ rows, left_out, given_up, held_given_up, documents }, null),
  };
}

function moneyTotals(lines: readonly CountLine[]): MoneyTotal[] {
  const totals = new Map<string, Record<keyof MoneyTotal, number | string | null>>();
  for (const { currency, unit, from, state, amount, differs } of lines) {
    const key = JSON.stringify([currency, unit, from]);
    let total = totals.get(key);
    if (total === undefined) {
      total = { ...emptyTotal({ currency, unit, from }) };
      totals.set(key, total);
    }
    const name = countNames[wordOf[state]];
    const add = (field: keyof MoneyTotal, money: bigint) => {
      total[field] = Number(total[field]) + Number(money);
    };
    add('planned', amount);
    add('differs', differs);
    if (name in total) add(name as keyof MoneyTotal, amount + differs);
    // As far as the plan goes it is paid once.
    if (name === 'paid_twice') add('paid', amount + differs);
  }
  return [...totals.values()] as unknown as MoneyTotal[];
}

function emptyTotal(key: { currency: string; unit: AmountUnit; from: string | null }): MoneyTotal {
  return {
    ...key,
    planned: 0,
    paid: 0,
    pending: 0,
    not_sent: 0,
    unpaid: 0,
    in_doubt: 0,
    held: 0,
    paid_twice: 0,
    differs: 0,
  };
}

/** One total map from an expected failure to the exit code (design 5): add a code, and the compiler asks for its exit. */
export const exitOfCode: { readonly [C in ErrorCode]: number } = {
  USAGE: 2,
  CONFIG: 2,
  CREDENTIALS_MISSING: 2,
  FILE_UNREADABLE: 2,
  MAP_UNUSABLE: 2,
  CORRECTIONS_UNUSABLE: 2,
  FOLDER_UNWRITABLE: 2,
  FOLDER_UNUSABLE: 2,
  DISK_UNWRITABLE: 1,
  COPIES_UNWRITABLE: 2,
  FOLDER_BUSY: 24,
  SHEET_REFUSED: 20,
  SHEET_CHANGED: 26,
  TOTALS_DIFFER: 26,
  OVER_CAP: 26,
  VARIANCE: 26,
  LEDGER_BUSY: 24,
  LEDGER_NEWER: 2,
  LEDGER_UNUSABLE: 2,
  LEDGER_UNWRITABLE: 1,
  LEDGER_DAMAGED: 27,
  BATCH_UNKNOWN: 2,
  BATCH_CHANGED: 26,
  CORRECTION_WAITS: 26,
  SHEET_OVERTAKEN: 26,
  IDENTITY_CHANGED: 26,
  IDENTITY_UNPROVEN: 26,
  PLAN_REFUSED: 26,
  APPROVAL_MISSING: 26,
  POLICY_NOT_FOUND: 26,
  POLICY_DIFFERS: 26,
  POLICY_UNUSABLE: 2,
  KEY_UNUSABLE: 2,
  SERVICE_UNREACHABLE: 25,
  SERVICE_ANSWER: 25,
  SERVICE_UNREADABLE: 25,
  REFUSED_IN_A_ROW: 25,
  SERVICE_REFUSED: 25,
  CREDENTIALS_REFUSED: 25,
  SERVICE_BUSY: 25,
  TAG_LOST: 25,
  PASS_INCOMPLETE: 25,
  OTHER_LEDGER: 23,
  CANARY_OPEN: 23,
  CANARY_UNPAID: 22,
  RAIL_SHUT: 23,
  OUTSIDE_PAY_WINDOW: 23,
  PAID_TWICE: 27,
  PAYMENT_UNDONE: 27,
  DEPOSIT_CHANGED: 27,
  PAUSED: 23,
  PLANNED_SINCE: 23,
  STOPPED_BEFORE: 23,
  STOPPED: 130,
};

/** Several can hold; the order is that of the harm: paid twice, doubt, no service, not finished, not all paid (design 5). */
export function exitOf(
  {
    rows,
    left_out,
    given_up = 0,
    held_given_up = 0,
    documents,
  }: Pick<Outcome, 'rows' | 'left_out' | 'given_up' | 'held_given_up' | 'documents'>,
  stopped: PayrunError | null,
): number {
  const stopExit = stopped === null ? null : exitOfCode[stopped.code];
  if (rows.paid_twice > 0 || stopExit === 27) return 27;
  if (rows.in_doubt + rows.held - held_given_up > 0) return 22;
  if (stopExit !== null) return stopExit;
  if (rows.pending > 0 || rows.not_sent > left_out) return 23;
  if (rows.unpaid + rows.skipped + rows.invalid + left_out - given_up + held_given_up + documents.open > 0) return 21;
  return 0;
}

interface StepFacts extends Standing, Pick<Outcome, 'documents'> {
  readonly copies: readonly LivingCopy[];
  readonly heldGivenUp: readonly number[];
  readonly skippedGivenUp: number;
  /** Rows that the newest sheet lacks are neither sent nor given up. */
  readonly isOwed: boolean;
  readonly view: View;
}

/** What came since may have added rows alone, and says nothing of what an earlier sheet has that is not sent. */
async function strandedSheet(ledger: Ledger, { name }: BatchFacts): Promise<SheetFacts | null> {
  const added = (await ledger.told(name, 'sheet')).filter(({ data }) => Number(data.rows) === Number(data.added));
  const isAddition = ({ id, options }: SheetFacts) =>
    options.add === true && added.some(({ data }) => data.sheet === id);
  const sheets = ledger.sheetsOf(name);
  const whole = sheets.findLast((sheet) => !isAddition(sheet));
  if (whole === undefined || whole === sheets.at(-1)) return null;
  const left = await ledger.rows({ batch: name, states: ['planned', 'ready'], sheet: whole.id, limit: 1 });
  return left.length === 0 ? null : whole;
}

/** The commands that a person or cron may run next, and from when on. */
async function nextSteps(ledger: Ledger, batch: BatchFacts, facts: StepFacts): Promise<NextStep[]> {
  const { rows, left_out, absent, retryable, documents, copies, heldGivenUp, skippedGivenUp, isOwed, view } = facts;
  const mendable = retryable + rows.skipped - skippedGivenUp;
  const { now, again } = view;
  const name = shellWord(batch.name);
  const steps: NextStep[] = [];
  const after = (moment: number | null) => (moment !== null && moment > now ? isoTime(moment) : null);
  const step = (command: string, moment: number | null = null) => steps.push({ command, after: after(moment) });
  if (rows.in_doubt > absent) {
    const doubt = await ledger.lastDoubt(batch.name);
    const lastListed = await ledger.lastListed(batch.name);
    step(`payrun reconcile ${name}${again}`, doubt === null ? null : tellsMoreFrom(doubt, { ...view, lastListed }));
  }
  const [double] = await ledger.unknownDoubles(batch.name);
  if (double !== undefined)
    step(
      `payrun resolve ${name} --row ${shellWord(double)} --known --reason TEXT${again}   # once one of its two payments is dealt with`,
    );
  const [copied] = copies;
  if (copied !== undefined) {
    const { key } = copied.row.batch === batch.name ? copied.row : copied.copy;
    step(
      `payrun resolve ${name} --row ${shellWord(key)} --known --reason TEXT${again}   # once one of the two payments is dealt with, or if both are meant`,
    );
  }
  const ofHeld = await ledger.rows({ batch: batch.name, states: ['held'], limit: heldGivenUp.length + 1 });
  const held = ofHeld.find(({ id }) => !heldGivenUp.includes(id));
  if (held !== undefined && isWithheld(held))
    step(
      `${releaseCommand(batch, held.key, again)}   # by a second person, who has asked the payee: its account changed`,
    );
  else if (held !== undefined)
    step(`payrun explain ${name} ${shellWord(held.key)}${again}   # why it is held, and what lets it go on`);
  if (absent > 0)
    step(
      `payrun resolve ${name} --release-absent --reason TEXT${again}   # ${counted(absent, 'row')}: no payment bears ${absent === 1 ? 'its tag' : 'their tags'}`,
    );
  const sendsAt = await sendsAfter(ledger, batch);
  const toSend = rows.not_sent - left_out;
  // What was not sent for its file's claims is not sent by the same file's batch either: only without them.
  if (unknownClaims(batch, rows) !== null)
    step(
      `payrun run ${shellWord(batch.sheet.origin)} --batch ${name}${flagsOf(batch)}${again}   # pays the rows all the same, once the column payrun_status is taken out of the file`,
    );
  else if (toSend > 0 && (await stopsAsRepeat(ledger, batch, now))) {
    step(
      `payrun run ${shellWord(batch.sheet.origin)} --batch ${name}${flagsOf(batch)}${again}   # pays what does not look paid, once the rows that do are taken out of the sheet`,
    );
    step(
      `payrun resolve ${name} --row ROW --given-up --reason TEXT${again}   # the same by a word on each of them: nothing is owed for it. Then resume sends the others`,
    );
  } else if (rows.pending + toSend + documents.open > 0)
    step(`payrun resume ${name}${again}`, toSend > 0 ? sendsAt : null);
  const stranded = isOwed && toSend === 0 ? await strandedSheet(ledger, batch) : null;
  if (stranded !== null)
    step(
      `payrun run ${shellWord(stranded.origin)} --batch ${name}${flagsOf({ ...batch, sheet: stranded })}${again}   # pays what is not sent of ${visible(stranded.name)}, since what came after it added rows alone`,
    );
  // Under a plan each payment stands in one: those of a retry, or of mended rows, in a new one.
  if (sheetUnderPlan(ledger, batch) !== null && mendable > 0) {
    step(
      `${planAnew(ledger, batch, again)}   # then payrun retry ${name} --approve DIGEST, or with the sheet mended payrun run FILE --approve DIGEST`,
    );
    return steps;
  }
  if (retryable > 0)
    step(
      `payrun retry ${name}${again}   # ${counted(retryable, 'row')} as ${retryable === 1 ? 'it is' : 'they are'}`,
      sendsAt,
    );
  if (mendable > 0)
    step(
      `payrun run ${shellWord(batch.sheet.origin)} --batch ${name} --add${flagsOf(batch)}${again}   # with ${mendable === 1 ? 'this row' : 'these rows'} mended`,
      sendsAt,
    );
  return steps;
}

/** When a batch that stopped is to be gone on with, where that was told. */
export const untilOf = (entry: TrailEntry | null): number | null =>
  entry?.what === 'stop' && typeof entry.data.until === 'string' ? Date.parse(entry.data.until) : null;

/** Until then another ledger may be at work on the batch, or on others with the same credentials; null where nothing is waited for. */
async function sendsAfter(ledger: Ledger, batch: BatchFacts): Promise<number | null> {
  const last = await ledger.newestEntry(batch.name, 'run', 'stop');
  const told = untilOf(last);
  return told === null ? batch.quietUntil : Math.max(told, batch.quietUntil ?? 0);
}

/** How a sheet was read, for a command that reads it again: the person may not have said it, where its batch or the settings did. */
export function readingFlags({ map, choices }: SheetOptions): string {
  return (map === undefined ? '' : ` --map ${shellWord(map.name)}`) + choiceFlags(choices);
}

/** Held for its payee's account alone. */
export const isWithheld = ({ state, reason }: Pick<LedgerRow, 'state' | 'reason'>) =>
  state === 'held' && reason?.startsWith(`${accountChanged}:`) === true;

/** Nothing of it ever left, under any of its tags. */
export const wasNeverSent = ({
  attempts,
  revision,
  paymentId,
}: Pick<LedgerRow, 'attempts' | 'revision' | 'paymentId'>) => attempts === 0 && revision === 0 && paymentId === null;

/** Where a held row goes on of which nothing was sent: one that was held before its merchant was known has none yet. */
export const unheld = ({ merchantId }: Pick<LedgerRow, 'merchantId'>) => (merchantId === null ? 'planned' : 'ready');

/** Under a policy an approver signs; else a second person is named, since who is logged in may be who ran it. */
export function releaseCommand(batch: BatchFacts, key: string, again: string): string {
  const who = planOf(batch)?.policy == null ? '--by NAME' : '--key FILE';
  return `payrun release ${shellWord(batch.name)} --row ${shellWord(key)} ${who} --reason TEXT${again}`;
}
