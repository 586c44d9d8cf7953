/** Builds the summary of a command and its progress lines. */
import { counted, grouped, moneyOf, named, stateWord } from '../../messages/format/numbers.ts';
import { typed } from '../../messages/format/program.ts';
import { timeWords } from '../../messages/format/times.ts';
import { columnHint, type ShownProblem } from '../../messages/problems.ts';
import type { Progress, Stage } from '../../pipeline/deps.ts';
import { type MoneyTotal, summedWords } from '../../pipeline/figures.ts';
import type { ShownOutcome } from './outcome-document.ts';

/** The summary's words differ after a run (`run`), before any payment (`look`) and for a batch's state (`status`). */
export type Kind = 'run' | 'look' | 'status';

export interface Streams {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  readonly color: boolean;
}

/** The most groups of equal problems in the summary. `--json` has up to 10,000 problems, the workbook has all. */
const shownProblems = 50;

const paint = (streams: Streams, code: number, text: string) => (streams.color ? `\x1b[${code}m${text}\x1b[0m` : text);

function serviceWords(label: string): string {
  if (label === 'sandbox') return 'the sandbox (embedded service, no real money)';
  return label === 'none' ? 'no service' : label;
}

export const firstLine = (service: string, ledger: string, config: string | null = null): string =>
  `payrun · ${serviceWords(service)} · ledger ${ledger}${config === null ? '' : ` · settings ${config}`}\n`;

export function summary(outcome: ShownOutcome, streams: Streams, kind: Kind): string {
  const parts = [
    heading(outcome),
    ...outcome.notes.map(({ message }) => `  ${message}`),
    '',
    ...problemLines(outcome, streams),
    ...mapLines(outcome),
    ...table(rowLines(outcome, kind, streams)),
    '',
    ...totalLines(outcome.totals),
    ...documentLines(outcome, kind),
    ...(outcome.result === null ? [] : [`Result: ${outcome.result}`]),
    ...(outcome.answer === undefined ? [] : [`Answer: ${outcome.answer}`]),
    ...checkedLines(outcome),
    ...planLines(outcome),
    ...(outcome.stopped === null ? [] : ['', paint(streams, 31, outcome.stopped.message)]),
    '',
    lastSentence(outcome, kind),
    ...columnHint(outcome.problems),
    ...unpaidLines(outcome),
    ...outcome.next.map(
      ({ command, after }) => `  next${after === null ? '' : ` (after ${timeWords(Date.parse(after))})`}: ${command}`,
    ),
  ];
  return `${squeezed(parts).join('\n')}\n`;
}

function heading(outcome: ShownOutcome): string {
  const rows = counted(outcome.rows.total, 'row');
  return outcome.batch === null ? rows : `Batch ${outcome.batch}: ${rows}`;
}

const rowColors = {
  paid: 32,
  pending: 36,
  being_sent: 36,
  not_sent: 0,
  unpaid: 33,
  in_doubt: 35,
  held: 35,
  paid_twice: 31,
  invalid: 31,
  closed: 33,
} as const;

function rowLines({ rows }: ShownOutcome, kind: Kind, streams: Streams): string[][] {
  return Object.entries(rowColors)
    .map(([name, code]) => {
      const word = kind === 'look' && name === 'not_sent' ? 'can be paid' : stateWord(name);
      return { word, code, count: rows[name as keyof typeof rowColors] };
    })
    .filter(({ count }) => count > 0)
    .map(({ word, code, count }) => [`  ${paint(streams, code, word)}`, grouped(count)]);
}

function totalLines(totals: readonly MoneyTotal[]): string[] {
  if (totals.length === 0) return [];
  const sums = summedWords.filter((column) => totals.some((total) => total[column] > 0));
  const columns = ['planned', ...sums] as const;
  const withFrom = totals.some(({ from }) => from !== null);
  const header = ['  currency', ...(withFrom ? ['from'] : []), ...columns.map(stateWord)];
  const lines = totals.map((total) => [
    `  ${total.currency}${total.unit === 'whole' ? '' : ` (${total.unit})`}`,
    ...(withFrom ? [total.from ?? ''] : []),
    ...columns.map((column) => grouped(total[column])),
  ]);
  return [...table([header, ...lines], withFrom ? 2 : 1), ''];
}

function documentLines({ documents }: ShownOutcome, kind: Kind): string[] {
  const { attached, open } = documents;
  if (kind === 'look' || attached + open === 0) return [];
  return [`Documents: ${attached} of ${attached + open} attached`];
}

function checkedLines({ checked, checked_rows }: ShownOutcome): string[] {
  if (checked === null) return [];
  const only = checked_rows === 'problems' ? ' (only the rows with problems: correct them in the sheet itself)' : '';
  return [`Checked: ${checked}${only}`];
}

function planLines({ plan, plan_page, plan_digest }: ShownOutcome): string[] {
  if (plan === null) return [];
  return [`Plan: ${plan}`, `Page: ${plan_page}`, `Plan digest: ${plan_digest}`];
}

function problemLines({ problems, problems_total, checked }: ShownOutcome, streams: Streams): string[] {
  const repairs = problems.filter(({ severity }) => severity === 'repair');
  const rest = problems.filter(({ severity }) => severity !== 'repair');
  // A missing column causes the same sentence for each row, so equal sentences are grouped.
  const groups = alike(rest, ({ code, message }) => `${code}\n${message}`);
  const shown = groups.slice(0, shownProblems);
  const more = problems_total - repairs.length - shown.reduce((sum, group) => sum + group.length, 0);
  return [
    ...shown.map((group) => groupLine(group, streams)),
    ...(more > 0 ? [`  … and ${grouped(more)} more (${moreAre(checked)})`] : []),
    // A person checks a way of normalising once and not row by row, so normalised values are grouped.
    ...alike(repairs, ({ code, column }) => `${code} ${column}`).map((group) => groupLine(group, streams)),
    '',
  ];
}

const moreAre = (checked: string | null): string =>
  checked === null ? '--json shows up to 10,000' : 'all of them stand in the list beside the checked workbook';

/** Suggests a map if the header is not understood. For an understood header, lists columns that may mean something else. */
function mapLines({ map }: ShownOutcome): string[] {
  if (map === undefined) return [];
  const { needed, shipped, guesses, suggested } = map;
  if (!needed && guesses.length === 0) return [];
  const meant = guesses.map(({ header, column }) => `'${header}' may be meant as ${column}`).join(', ');
  if (!needed) return [`  ${meant}: --map can say so (--json has one to start from).`, ''];
  if (shipped !== null)
    return [
      `  The columns are like those of: ${shipped.product}. If it is one, read it with --map ${shipped.name}.`,
      `  ${shipped.about}`,
      '',
    ];
  return [
    '  A map to start from, to be saved as a file for --map. It is guessed from the names of the columns alone: look at',
    '  each line, put null where a column is not read, and fill in what is empty.',
    ...JSON.stringify(suggested, null, 2)
      // Headers are text from strangers, and such characters could control the terminal. JSON allows the escapes too.
      .replaceAll(/[\p{Cf}\p{Co}\u007f-\u009f]/gu, escaped)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ];
}

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const severityWords = { error: ['fix', 31], warning: ['look', 33], repair: ['read', 36] } as const;

const alike = (problems: readonly ShownProblem[], keyOf: (problem: ShownProblem) => string) => [
  ...Map.groupBy(problems, keyOf).values(),
];

function groupLine([first, ...others]: readonly ShownProblem[], streams: Streams): string {
  if (first === undefined) return '';
  const line = problemLine(first, streams);
  return others.length === 0 ? line : `${line}   (and ${grouped(others.length)} more like it)`;
}

function problemLine(problem: ShownProblem, streams: Streams): string {
  const [word, code] = severityWords[problem.severity];
  const where = problem.row === null ? 'sheet' : `row ${problem.row}`;
  return `  ${paint(streams, code, word.padEnd(4))}  ${where.padEnd(8)} ${problem.message}`;
}

const alarm = 'ALARM: the service has two payments for a row. Ask it to stop or return one of each.';

function lastSentence(outcome: ShownOutcome, kind: Kind): string {
  const { rows, end, totals } = outcome;
  const waiting = rows.pending + rows.being_sent + rows.not_sent;
  const where = outcome.checked_rows === 'all' ? ', in the sheet or in the checked workbook,' : '';
  if (kind === 'look' && end === 'sheet')
    return `Nothing was sent, and \`${typed('run')}\` would refuse the sheet as it is. Correct what is marked "fix"${where} and check it again.`;
  if (end === 'sheet') {
    return `Refused: nothing ${rows.paid + rows.pending > 0 ? 'more ' : ''}was sent. Correct what is marked "fix"${where} and run it again.`;
  }
  if (kind === 'look')
    return rows.not_sent === 0
      ? `Nothing was sent, and nothing is left to send${rows.held + rows.in_doubt > 0 ? ' but what is held or in doubt, which waits for a person' : ''}.`
      : outcome.plan !== null && outcome.next.length === 0
        ? 'Nothing was sent, and a run of this plan would send nothing now: see the note.'
        : end === 'done'
          ? `Nothing was sent. The sheet can be paid${outcome.unconfirmed === undefined ? '' : ' with --confirm-variance REASON'}.`
          : `Nothing was sent. \`${typed('run')}\` with --skip-invalid would send ${counted(rows.not_sent, 'row')} and leave out ${grouped(rows.invalid)}.`;
  if (rows.paid_twice > 0) return alarm;
  if (rows.in_doubt > 0 || rows.held > 0) {
    const money = totals
      .filter((total) => total.in_doubt + total.held > 0)
      .map((total) => moneyOf({ ...total, amount: total.in_doubt + total.held }))
      .join(', ');
    const state = rows.held === 0 ? 'in doubt' : rows.in_doubt === 0 ? 'held' : 'in doubt or held';
    const rest = waiting > 0 ? ` Besides, ${openWords(outcome)}.` : '';
    const { is, they, it } = named(rows.in_doubt + rows.held);
    const all = rows.in_doubt + rows.held;
    const of = `${counted(all, 'row')} (${money}) ${is} ${state}`;
    const { withheld = 0 } = outcome;
    if (withheld === all) return `${of}, because the account of a payee changed. Payrun sent nothing for ${it}.${rest}`;
    const absent = absentRows(outcome);
    if (absent === all)
      return `${of}: the service has no payment of ${it}, and Payrun sends ${it} again only after your release. Do not pay ${it} elsewhere.${rest}`;
    const proven = absent === 0 ? '' : ` The service has no payment of ${grouped(absent)} of them.`;
    const unsent = ` Payrun sent nothing for ${grouped(withheld)} of them, because the account of a payee changed.`;
    const doubtful = withheld === 0 ? they : `${grouped(all - withheld)} of them`;
    return `${of}: ${doubtful} may have been paid. Do not pay ${it} again elsewhere.${withheld === 0 ? '' : unsent}${proven}${rest}`;
  }
  if (outcome.stopped?.code === 'PAID_TWICE' || outcome.stopped?.code === 'COPIES_PAID') return alarm;
  if (end === 'service') return 'Ended early: the payout service could not be used.';
  if (waiting > 0) return `Not finished: ${openWords(outcome)}.`;
  const notPaid = rows.unpaid + rows.invalid;
  if (notPaid > 0) return `Finished: ${grouped(rows.paid)} paid, ${grouped(notPaid)} not paid; the result says why.`;
  const finished = `Finished: every row is paid${rows.closed > 0 ? ' or closed' : ''}`;
  if (outcome.documents.open > 0) return `${finished}, but some documents are not attached.`;
  return `${finished}.${kind === 'run' && outcome.sent === 0 ? ' This run sent nothing.' : ''}`;
}

const absentRows = ({ next }: ShownOutcome): number =>
  next.reduce((sum, step) => sum + (step.action === 'release-absent' ? (step.rows?.total ?? 0) : 0), 0);

function unpaidLines({ unpaid_rows = [], rows }: ShownOutcome): string[] {
  const more = rows.unpaid + rows.invalid - unpaid_rows.length;
  return [
    ...unpaid_rows.map(({ row, payee, message }) => `  not paid: row ${row}, ${payee}: ${message}`),
    ...(unpaid_rows.length > 0 && more > 0 ? [`  … and ${grouped(more)} more; the result names them`] : []),
  ];
}

function openWords({ rows: { pending, being_sent, not_sent } }: ShownOutcome): string {
  const parts = [
    ...(pending > 0 ? [`${counted(pending, 'row')} pending (accepted by the service, not paid out yet)`] : []),
    ...(being_sent > 0 ? [`${counted(being_sent, 'row')} being sent`] : []),
    ...(not_sent > 0 ? [`${counted(not_sent, 'row')} not sent`] : []),
  ];
  return parts.join(', ');
}

/** `numbers` lists the right-aligned columns; a single number is the first of them. */
export function table(lines: readonly (readonly string[])[], numbers: number | readonly number[] = 1): string[] {
  const isNumber = (index: number) => (typeof numbers === 'number' ? index >= numbers : numbers.includes(index));
  const widths: number[] = [];
  for (const line of lines)
    line.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, width(cell));
    });
  return lines.map((line) =>
    line
      .map((cell, index) => {
        const room = ' '.repeat((widths[index] ?? 0) - width(cell));
        return isNumber(index) ? room + cell : cell + room;
      })
      .join('  ')
      .trimEnd(),
  );
}

const width = (cell: string): number => cell.replaceAll(/\x1b\[\d+m/g, '').length;

const squeezed = (lines: readonly string[]): string[] =>
  lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));

const stageWords: { readonly [S in Stage]: string } = {
  reading: 'Reading the sheet',
  enrolling: 'Payees at the service',
  reconciling: 'Looking for earlier payments',
  paying: 'Paying',
  attaching: 'Attaching documents',
  settling: 'Following the payments',
  reporting: 'Writing the result',
};

interface ProgressShown {
  show(step: Progress): void;
  end(): void;
}

/** Redraws one line on a terminal, and writes a line now and then elsewhere. `now` is in milliseconds. */
export function progressOf(streams: Streams, quiet: boolean, now = () => performance.now()): ProgressShown {
  if (quiet) return { show: () => {}, end: () => {} };
  return streams.err.isTTY === true ? redrawnLine(streams, now) : sparseLines(streams, now);
}

const redrawMs = 80;

/** The last state of each stage stays on the screen. */
function redrawnLine({ err }: Streams, now: () => number): ProgressShown {
  let stage: Stage | null = null;
  let drawn = 0;
  let last = '';
  return {
    show(step) {
      if (stage !== null && step.stage !== stage) err.write('\n');
      const fresh = step.stage !== stage;
      stage = step.stage;
      last = `${stageWords[step.stage]}${barred(step)}`;
      if (!fresh && now() - drawn < redrawMs && step.done !== step.total) return;
      drawn = now();
      err.write(`\r\x1b[K${last}`);
    },
    end() {
      if (stage !== null) err.write(`\r\x1b[K${last}\n`);
      stage = null;
    },
  };
}

/** The time after the previous line, or after the start, before a line about a new stage or about the same stage. */
const newStageMs = 10_000;
const sameStageMs = 30_000;

function sparseLines({ err }: Streams, now: () => number): ProgressShown {
  let stage: Stage | null = null;
  let said = now();
  return {
    show(step) {
      if (now() - said < (step.stage === stage ? sameStageMs : newStageMs)) return;
      stage = step.stage;
      said = now();
      err.write(`${stageWords[step.stage]}${countWords(step)}\n`);
    },
    end() {},
  };
}

function barred(step: Progress): string {
  const { done, total } = step;
  if (total === null) return countWords(step);
  const filled = total === 0 ? 20 : Math.round((20 * done) / total);
  return `  [${'#'.repeat(filled)}${'·'.repeat(20 - filled)}] ${ofTotal(done, total)}`;
}

function countWords({ done, total }: Progress): string {
  if (total === null) return done === 0 ? ' …' : `  ${grouped(done)}`;
  return `  ${ofTotal(done, total)}`;
}

const ofTotal = (done: number, total: number) => `${grouped(done)} of ${grouped(total)}`;
