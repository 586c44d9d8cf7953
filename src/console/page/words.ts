/** Writes dates and states for people. Times are in the browser's zone. */
import { capital, ended, fileName } from '../../messages/audience.ts';
import { countryName as nameOfCountry, fieldName as nameOfField } from '../../messages/field-words.ts';
import { counted, grouped, joined, moneyOf, named, oneOrMany, stateWord } from '../../messages/format/numbers.ts';
import { minuteOf, timesIn } from '../../messages/format/zoned-times.ts';
import type {
  Batch,
  CellMoney,
  Job,
  Mistake,
  Person,
  Problem,
  Review,
  Role,
  RowFilter,
  Upload,
  UploadLine,
  UploadState,
} from '../api.ts';

export { counted, ended, fileName, grouped as count, joined, named, oneOrMany };

export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const written = timesIn(timeZone);

/** Keeps all digits, even of an amount that a number cannot hold. */
export function money(amount: string | number, unit: string, currency: string): string {
  return /^-?\d+$/.test(String(amount))
    ? moneyOf({ amount, unit, currency })
    : `${amountOf(String(amount))} ${currency}`;
}

export function amountOf(amount: string): string {
  const [, whole, rest = ''] = /^(\d+)(\.\d+)?$/.exec(amount) ?? [];
  return whole === undefined ? amount : `${grouped(whole)}${rest}`;
}

export const cellAmount = (amount: string, { currency, unit }: CellMoney) =>
  currency === '' || !(unit === 'whole' ? /^\d[\d\s.,']*$/ : /^\d+$/).test(amount)
    ? amountOf(amount)
    : money(amount, unit, currency);

export function wholeSentence(text: string): string {
  const begun = /^[a-z]+_/.test(text) ? text : capital(text);
  return text.endsWith(':') ? begun : ended(begun);
}

/** Returns rows as text, such as `Row 4` or `5 rows (2, 4 to 6, 9)`. */
export function rowsWords(rows: readonly number[]): string {
  const different = [...new Set(rows)];
  const [only] = different;
  if (different.length === 1) return `Row ${only}`;
  const runs: { from: number; to: number }[] = [];
  for (const row of different.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && row <= last.to + 1) last.to = row;
    else runs.push({ from: row, to: row });
  }
  const told = runs.map(({ from, to }) => (from === to ? `${from}` : `${from}${to === from + 1 ? ',' : ' to'} ${to}`));
  return `${counted(different.length, 'row')} (${told.join(', ')})`;
}

export const countryName = (country: string): string =>
  country === 'BTC' ? 'Bitcoin (Lightning)' : nameOfCountry(country, 'page');

export const moment = (iso: string): string => minuteOf(exactMoment(iso));

export const exactMoment = (iso: string): string => written(Date.parse(iso));

export function size(bytes: number): string {
  const tenths = (value: number) => amountOf(String(Math.round(value * 10) / 10));
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${tenths(bytes / 1000)} KB` : `${tenths(bytes / 1_000_000)} MB`;
}

export const roleWords: { readonly [R in Role]: string } = {
  viewer: 'Viewer: sees everything, account numbers by their last four digits',
  preparer: 'Preparer: uploads sheets, fixes and plans them, and pays what was approved',
  approver: 'Approver: approves or declines plans, and decides on rows that are held or in doubt',
  administrator: 'Administrator: invites people and sets how many approvals are needed',
};

export const isPaying = ({ state, job }: UploadLine): boolean =>
  state === 'approved' && job !== null && job.kind === 'pay' && job.state !== 'failed' && job.state !== 'done';

export const isUnplanned = ({ state, job }: UploadLine) =>
  (state === 'ready' || state === 'to_fix') && job?.kind === 'plan' && job.state === 'failed';

export const isUnpaid = ({ state, job }: Pick<UploadLine, 'state' | 'job'>) =>
  state === 'approved' && job?.kind === 'pay' && job.state === 'failed';

export const alikeWords = (rows: number) =>
  counted(rows, 'row looks like an earlier payment', 'rows look like earlier payments');

/** Rows that may have been paid come before rows that certainly were not sent. */
export function paidOf(
  rows: Pick<Batch['rows'], 'total' | 'paid' | 'in_doubt' | 'pending' | 'not_sent' | 'held'>,
): string {
  const others = [
    [rows.in_doubt, 'is in doubt', 'are in doubt'],
    [rows.pending, 'is pending', 'are pending'],
    [rows.not_sent, 'was not sent', 'were not sent'],
    [rows.held, 'is held', 'are held'],
  ] as const;
  const open = others.flatMap(([of, one, several]) => (of === 0 ? [] : [counted(of, one, several)]));
  const rest = open.length === 0 ? '' : ` Of the others, ${joined(open)}.`;
  return `${grouped(rows.paid)} of ${counted(rows.total, 'row')} paid.${rest}`;
}

/** True if nobody has anything left to do for the batch. */
export const isFinished = ({ next, paused, proposal, rows }: Pick<Batch, 'next' | 'paused' | 'proposal' | 'rows'>) =>
  next.length + paused.length === 0 &&
  proposal === null &&
  rows.not_sent + rows.being_sent + rows.pending + rows.in_doubt + rows.held + rows.invalid === 0;

export function pausedWords({ batch, reason, by }: Batch['paused'][number]): string {
  const why = wholeSentence(by === null ? reason : `${by}: ${reason}`);
  return batch === null
    ? `${why} No batch sends anything until a person ends this pause at a terminal.`
    : `${why} It was paused at a terminal. Nothing of it is sent until the pause ends. An approver or an administrator can end it here.`;
}

export function stateOf(line: UploadLine): string {
  const { state, lapsed, declined, counts, job, looksPaid } = line;
  if (isPaying(line)) return `paying begins, as ${job?.by} asked`;
  if (lapsed) return 'to plan again: its plan is too old';
  const word = uploadWord(line);
  if (declined !== null) return `${endedBy(declined)}: ${wholeSentence(declined.reason)}`;
  if (isUnpaid(line)) return `${word}: the last try to pay it failed`;
  if (state === 'to_fix') return `${word}: ${counted(counts.toFix, 'row')}${refusedPlan(line)}`;
  return `${word}${state !== 'batch' && state !== 'ready' && looksPaid > 0 ? `: ${alikeWords(looksPaid)}` : ''}${refusedPlan(line)}`;
}

const refusedPlan = (line: UploadLine) => (isUnplanned(line) ? '; the plan was refused' : '');

const uploadWords: { readonly [S in UploadState]: { readonly word: string; readonly next: string } } = {
  reading: { word: 'being read', next: 'The sheet is being read and checked. This page shows the outcome by itself.' },
  columns: {
    word: 'columns to match',
    next: 'Payrun does not know some columns by their names. Say below which is which. Payrun remembers it for sheets like this one.',
  },
  to_fix: {
    word: 'to fix',
    next: 'Some rows cannot be paid as they are. Fix them below. Your file stays as it is, and Payrun keeps the fixes beside it.',
  },
  ready: { word: 'ready to plan', next: 'Make the plan next. Then somebody else approves it.' },
  planned: {
    word: 'waits for approval',
    next: 'An approver who did not prepare it reads it, and approves or declines it.',
  },
  approved: { word: 'approved, not paid yet', next: 'All approvals are there. The preparer can pay it now.' },
  batch: { word: 'imported', next: 'Its batch shows the state of each row.' },
  unreadable: { word: 'cannot be used', next: 'Fix the file as the message says, then upload it again.' },
};

export const filterWords: { readonly [F in RowFilter]: string } = {
  all: 'All rows',
  to_fix: 'To fix',
  warnings: 'Warnings',
  new_payees: 'New payees',
  over_50000: 'Over 50,000 ZAR',
  corrected: 'Fixed here',
};

const nextOfOthers: { readonly [S in UploadState]?: string } = {
  columns: 'Payrun does not know some columns by their names. A preparer says which is which.',
  to_fix: 'Some rows cannot be paid as they are. A preparer fixes them.',
  ready: 'A preparer makes the plan next.',
  unreadable: 'A preparer fixes the file as the message says, and uploads it again.',
};

const endingWords: { readonly [E in NonNullable<UploadLine['declined']>['did']]: string } = {
  'plan-declined': 'declined',
  'plan-withdrawn': 'withdrawn',
};

export const endedBy = ({ did, by }: NonNullable<UploadLine['declined']>) => `${endingWords[did]} by ${by}`;

export function uploadWord(line: UploadLine): string {
  const { state, asksForSheet, looksPaid, declined, counts } = line;
  if (asksForSheet) return 'sheet to choose';
  if (declined !== null) return endingWords[declined.did];
  if (state === 'ready' && counts.rows > 0 && counts.paid === counts.rows) return 'paid already: every row of it';
  return state === 'ready' && looksPaid > 0 ? alikeWords(looksPaid) : uploadWords[state].word;
}

export function nextOf(upload: Upload, { isPreparer }: { readonly isPreparer: boolean }): string {
  const { state, counts, problems, seen, job, declined, sharedWith } = upload;
  if (upload.asksForSheet)
    return isPreparer
      ? 'The workbook has several sheets. Say below which of them is to be paid.'
      : 'The workbook has several sheets. A preparer says which of them is to be paid.';
  if (declined !== null)
    return isPreparer
      ? 'Read the reason, fix the sheet, and make a new plan.'
      : 'A preparer reads the reason, fixes the sheet, and makes a new plan.';
  const next = (isPreparer ? undefined : nextOfOthers[state]) ?? uploadWords[state].next;
  if (isUnpaid({ state, job }))
    return `All approvals are there, but the last try to pay it failed. ${isPreparer ? 'Read why, then pay it again or make a new plan.' : 'The preparer pays it again, or makes a new plan.'}`;
  if (state === 'approved' && isPreparer) return 'All approvals are there. You can pay it now.';
  if (state !== 'ready') return next;
  if (sharedWith.length > 0)
    return `It has rows of ${joined(sharedWith.map(({ batch }) => `batch ${batch}`))}. ${isPreparer ? 'Say below whether it is the next version, which sends no row twice, or a new batch. If it is the wrong sheet, discard it.' : 'A preparer says whether it is the next version or a new batch.'}`;
  if (counts.warnings > 0)
    return `No row needs fixing, but ${counted(counts.warnings, 'row has a warning', 'rows have warnings')} to look at first. ${next}`;
  return `${problems.length + seen.length > 0 ? 'No row needs fixing. Read the findings below.' : 'It has no mistakes and no warnings.'} ${next}`;
}

/** The sums do not include rows with mistakes. */
export const moneyOfSome = ({ counts: { rows, toFix } }: UploadLine) =>
  `for ${counted(rows - toFix, 'row')} without a mistake, of ${counted(rows, 'row')} in the sheet:`;

export function sumsOf(totals: Review['totals'], show = money): string {
  const byCurrency = Map.groupBy(totals, ({ unit, currency }) => JSON.stringify([unit, currency]));
  const sums = [...byCurrency.values()].map((same) => {
    const [{ unit, currency }] = same as [Review['totals'][number]];
    if (!same.every(({ amount }) => /^-?\d+$/.test(amount)))
      return same.map((one) => show(one.amount, unit, currency)).join(', ');
    return show(String(same.reduce((sum, { amount }) => sum + BigInt(amount), 0n)), unit, currency);
  });
  return sums.join(', ') || 'nothing';
}

export const rowsOf = (totals: Review['totals']) => totals.reduce((sum, { rows }) => sum + rows, 0);

export function payingWords(review: Review, service: string): readonly string[] {
  const { rowsToSend, totals, heldTotals } = review;
  const held = rowsOf(heldTotals);
  const { is, it } = named(held);
  return [
    rowsToSend === 0
      ? 'No payment is sent now.'
      : `${counted(rowsToSend, 'payment is', 'payments are')} sent: ${sumsOf(totals)}.`,
    ...(held === 0
      ? []
      : [
          `${counted(held, 'row is', 'rows are')} held, and ${is} not sent before a second person releases ${it}: ${sumsOf(heldTotals)}.`,
        ]),
    service === 'sandbox'
      ? 'Service: the sandbox. No real money moves.'
      : `Service: ${review.service.address} (${review.service.account}). It is live: real money moves.`,
  ];
}

export function closingWords({ id, name, role }: Person, people: readonly Person[]): readonly string[] {
  const others = people.filter((one) => one.id !== id && one.role === 'approver' && one.active && !one.invited);
  return [
    `${name} is logged out now, and cannot log in until an administrator opens the account again.`,
    ...(role === 'approver'
      ? [
          `Approvals of ${name} no longer count: each plan that is not paid yet needs another approval.`,
          others.length === 0
            ? 'No other account can approve plans: invite an approver first.'
            : `Other accounts that can approve plans: ${joined(others.map((one) => one.name))}.`,
        ]
      : []),
  ];
}

const sumsInRows = ({ totals, rowsToSend }: Review) => `${sumsOf(totals)} in ${counted(rowsToSend, 'row')}`;
const plainSums = ({ totals, rowsToSend }: Review) => sumsOf(totals, (...sum) => JSON.stringify([rowsToSend, ...sum]));

export function differenceOf(before: Review, now: Review): string {
  const named = before.batch === now.batch ? '' : ` Its batch is “${now.batch}”, and was “${before.batch}”.`;
  if (plainSums(before) !== plainSums(now))
    return `It would send ${sumsInRows(now)}. The one that you opened would have sent ${sumsInRows(before)}.${named}`;
  return before.rowsAre === now.rowsAre
    ? `Its rows and totals are the same: ${sumsInRows(now)}.${named}`
    : `Its totals are the same, ${sumsInRows(now)}, but its rows differ.${named}`;
}

const inFileAlone = new Set(
  `COLUMN_HIDDEN MERGED_CELLS CELLS_MAYBE_STRUCK TITLE_UNIT TITLE_STOP ROW_ABOVE_HEADER HEADER_SECOND
   AMOUNT_SPLIT SHEET_EMPTY SHEET_OF_PROBLEMS ROW_HIDDEN ROW_HEADER ROW_FAR_BELOW CELL_BEYOND_HEADER ROW_TOO_LONG
   CELL_STRUCK CELL_UNSEEN CELL_MERGED`.split(/\s+/),
);

export function waysOf(
  { column }: Pick<Mistake, 'column'>,
  { columns, whyNotSkip }: Pick<Upload, 'columns' | 'whyNotSkip'>,
): { readonly addColumn: string | null; readonly leaveOut: boolean } {
  const isInTable = column === null || columns.includes(column);
  return { addColumn: isInTable ? null : column, leaveOut: whyNotSkip === null };
}

export const isInFileAlone = ({ code, severity }: Pick<Problem, 'code' | 'severity'>): boolean =>
  severity === 'error' && inFileAlone.has(code);

/** A merged cell is left out, because the page already shows the merge. */
export const isPlaceInFile = (one: Pick<Problem, 'code' | 'severity'>) =>
  isInFileAlone(one) && one.code !== 'CELL_MERGED';

export function filterCount(filter: RowFilter, { counts }: UploadLine): number | null {
  if (filter === 'all') return counts.rows;
  if (filter === 'to_fix') return counts.toFix;
  if (filter === 'warnings') return counts.warnings;
  if (filter === 'new_payees') return counts.newPayees;
  return filter === 'over_50000' ? counts.over50000 : null;
}

/** The words of a row (docs/reference/glossary.md), in the order in which a person wants to see them. */
const rowMeanings = {
  paid_twice: 'Two payments of the row were paid out: an alarm. Nothing more is sent until a person decides.',
  in_doubt:
    'Sent, but without a clear answer. Payrun searches for it at the service. It is sent again only if no payment of it exists.',
  being_sent: 'On its way to the service. The answer comes in a moment.',
  held: 'Not paid until a person decides. The row shows why.',
  unpaid: 'The payment expired, or the service refused it. The reason says which. It can be tried again.',
  invalid: 'The row has a mistake. The others are paid without it.',
  closed: 'A person decided not to pay it. The row shows who, and why.',
  not_sent: 'Nothing of it was sent yet.',
  pending: 'The service has the payment, and has not finished it yet.',
  paid: 'The service says that it was paid out.',
} as const;
export const rowWords = Object.entries(rowMeanings).map(([key, means]) => ({
  key: key as keyof typeof rowMeanings,
  word: stateWord(key),
  means,
}));

export const meaningOf = (status: string): string | null => rowWords.find(({ word }) => word === status)?.means ?? null;

export function detailName(name: string): string {
  const plain = name
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
}

export const warningWords: Readonly<Record<string, string>> = {
  LOOKS_PAID: 'looks like an earlier payment',
  LOOKS_WAITING: 'also waits elsewhere',
  ROW_CLOSED: 'closed in the batch',
  TAKES_BACK: 'changed in the batch',
  PAYEE_TWICE: 'account changed',
  PAYEE_CHANGED: 'account changed',
  PAYEE_KNOWN_OTHERWISE: 'account of another name',
  PAYEE_ELSEWHERE: 'name of another country',
  DOCUMENT_AGAIN: 'document used before',
  DOCUMENT_MISSING_FOR_AMOUNT: 'no document',
  DOCUMENT_MISSING_TOGETHER: 'no document',
  ROW_MARKED: 'marked not to be paid',
  EXECUTION_DATE: 'asked for another day',
  ROW_ALIKE: 'like another row',
  PAYEE_SHARES: 'account of another payee',
  RAIL_LIMIT: 'too large for now',
};
export const otherWarning = 'to look at';

export function warningOf(problems: readonly Problem[]): string {
  const codes = new Set(problems.flatMap(({ severity, code }) => (severity === 'warning' ? [code] : [])));
  const code = Object.keys(warningWords).find((one) => codes.has(one));
  return warningWords[code ?? ''] ?? otherWarning;
}

export const fieldName = (field: string): string => nameOfField(field, 'page');

/** A header of the form of Payrun's columns is read as one of them. */
export const headerName = (header: string) => (/^\s*[a-z_]+\s*$/.test(header) ? fieldName(header.trim()) : header);

export const isSettling = (kind: Job['kind'] | null) =>
  kind === 'release' || kind === 'resolve' || kind === 'reconcile';
