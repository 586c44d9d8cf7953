/** Writes the result as one HTML file without scripts, to read, print or archive. */
import { rowOfContent } from '../../domain/rows/digest.ts';
import { type LedgerRow, type RowQuery, rowPages } from '../../ledger/ledger.ts';
import { reportWords } from '../../messages/files/report-page.ts';
import { grouped, moneyOf, rowCountWords } from '../../messages/format/numbers.ts';
import { readerZone, timeWords } from '../../messages/format/times.ts';
import { mistakeWords } from '../../messages/problems.ts';
import { rowReasonWords } from '../../messages/row-reasons.ts';
import { keptNotes, sheetOutput, type Table, writeText } from '../../sheet/sheet.ts';
import { type View, wordsNow } from '../doubt-step.ts';
import { type BatchStatus, batchStatus } from '../outcome.ts';
import { factsTable, list, pageStart, safe, table, tableEnd, tableRow, tableStart } from '../plans/page.ts';
import { payeeDestination } from '../plans/plan-page.ts';
import { batchSubject, type ReportOrder, type ResultFiles, resultPlace, warningsOf } from './report.ts';
import { reportFacts, reportTables } from './report-facts.ts';
import { statusChart } from './status-chart.ts';

const shownRows = 20_000;
const shownInvalid = 1000;
const pageSize = 1000;
const chartSteps = 120;

/** The sections of the page. Rows that need a person come first. */
const sections: readonly ({ readonly title: keyof typeof reportWords.sections } & Pick<
  RowQuery,
  'states' | 'closed'
>)[] = [
  { title: 'held', states: ['withheld', 'held', 'duplicate', 'duplicate_paid'] },
  { title: 'doubt', states: ['in_doubt', 'absent', 'sending'] },
  { title: 'unpaid', states: ['expired', 'refused'] },
  { title: 'unsent', states: ['planned', 'ready'] },
  { title: 'pending', states: ['accepted'] },
  { title: 'paid', states: ['succeeded'] },
  { title: 'invalid', states: ['invalid'] },
  { title: 'closed', closed: true },
];

export interface PageOrder extends Omit<ReportOrder, 'format' | 'pause'> {
  readonly view: View;
  readonly words: NonNullable<ReportOrder['page']>;
}

export async function writeReportPage(order: PageOrder): Promise<Pick<ResultFiles, 'result' | 'notes'>> {
  const { batch, outDir } = order;
  const { outDir: folder } = resultPlace(batch, { outDir, format: null });
  const { path } = sheetOutput(batch.sheet.origin, folder, '.result.html');
  const result = await writeText({ path, subject: batchSubject(batch) }, pageText(order));
  return { result, notes: keptNotes(path, result) };
}

async function* pageText(order: PageOrder): AsyncIterable<string> {
  const { ledger, batch, view, page, words } = order;
  const outcome = await batchStatus(ledger, batch, view);
  const title = `Batch ${batch.name}`;
  yield pageStart(title, { style });
  yield `<h1>${safe(title)}</h1>\n<p class="standing">${safe(rowCountWords(outcome.rows))}</p>\n`;
  yield list([...alarmWords(outcome), ...outcome.notes.map(words.note)]);
  // A page without scripts cannot find out the reader's zone, so the caller sets it.
  yield factsTable([...(await reportFacts(order)), [reportWords.zone, readerZone()]]);
  const { rows, totals } = outcome;
  const sum = ({ unit, currency }: (typeof totals)[number], amount: number) => moneyOf({ amount, unit, currency });
  for (const one of reportTables(rows, totals, sum)) yield `<h2>${one.title}</h2>\n${tableOf(one)}`;
  const timeline = await ledger.batches.timeline(batch.name, chartSteps);
  if (timeline !== null) yield `<h2>${reportWords.overTime}</h2>\n${statusChart(timeline)}`;
  if (outcome.next.length > 0)
    yield `<h2>${reportWords.next}</h2>\n${table(
      [reportWords.nextHeader[page === undefined ? 'terminal' : 'page'], 'Not before'],
      outcome.next.map((one) => [words.step(one), one.notBefore === null ? '' : timeWords(one.notBefore)]),
      [],
    )}`;
  yield* invalidRows(order);
  const warned = await warningsOf(ledger, batch.name);
  const wordIn = await wordsNow(ledger, [{ state: 'sending' }]);
  let room = shownRows;
  for (const { title: heading, ...which } of sections) {
    let shown = 0;
    for await (const rowsHere of rowPages(ledger, { batch: batch.name, ...which }, pageSize)) {
      if (shown === 0) yield `<h2>${reportWords.sections[heading]}</h2>\n${tableStart(rowHeader, rowNumbers)}`;
      for (const row of rowsHere.slice(0, room))
        yield tableRow(rowCells(row, wordIn(row), warned.get(row.id)), rowNumbers);
      shown += rowsHere.length;
      room -= Math.min(room, rowsHere.length);
      if (room === 0) break;
    }
    if (shown > 0) yield tableEnd;
    if (room === 0) break;
  }
  const listed = shownRows - room;
  const left = rows.total - (await ledger.batches.looseLines(batch.sheet.id)) - listed;
  if (left > 0) yield `<p>${safe(reportWords.more(left))}</p>\n`;
  const { seq, hash } = await ledger.trail.head();
  yield `<p class="digest">${reportWords.trailEntry} ${grouped(seq)}: <code>${safe(hash)}</code></p>\n</body>\n</html>\n`;
}

const style = `.standing { font-size: 1.1rem; font-weight: 600; } figure { margin: 0; } figure svg { max-width: 100%; }
.key { margin-right: 1rem; white-space: nowrap; } figure { break-inside: avoid; }
@media print { body { font-size: 8pt; } polygon, rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;

function alarmWords({ end, rows }: BatchStatus): string[] {
  if (end === 'alarm') return [reportWords.alarm];
  return rows.in_doubt + rows.held === 0 ? [] : [reportWords.doubt];
}

function tableOf({ header, rows }: Table): string {
  const cells = rows.map((row) =>
    row.map((value) => {
      if (value === null) return '';
      if (typeof value === 'object') return `${Math.floor(value.share * 100)} %`;
      return typeof value === 'number' ? grouped(value) : value;
    }),
  );
  const numbers = header.flatMap((_, at) => (cells.some((row) => /^\d/.test(row[at] ?? '')) ? [at] : []));
  return table(header, cells, numbers);
}

async function* invalidRows({ ledger, batch, page }: PageOrder): AsyncIterable<string> {
  const to = page === undefined ? 'terminal' : 'page';
  const all = await ledger.batches.invalidRows(batch.sheet.id, 0, batch.sheet.invalid);
  const loose = all.filter(({ payout }) => payout === null);
  const rows = loose.slice(0, shownInvalid);
  if (rows.length === 0) return;
  yield `<h2>${reportWords.mistakes}</h2>\n`;
  yield table(
    reportWords.mistakesHeader,
    rows.map(({ number, problems }) => [String(number), mistakeWords(problems, to)]),
    [0],
  );
  const left = loose.length - rows.length;
  if (left > 0) yield `<p>${safe(reportWords.more(left))}</p>\n`;
}

const rowHeader = ['Row', 'Name', 'Account', 'Amount', 'Reference', 'Status', 'Why', 'Payment'];
const rowNumbers = [0, 3];

function rowCells(row: LedgerRow, word: string, warned: string | undefined): string[] {
  const { name, destination, reference } = rowOfContent(row.content, row.number);
  return [
    String(row.number),
    name,
    row.currency === '' ? '' : payeeDestination({ destination }),
    row.currency === '' ? '' : moneyOf({ ...row, amount: row.paidAmount ?? row.amount }),
    reference,
    row.paymentStatus === null ? word : `${word} (${row.paymentStatus})`,
    [warned, rowReasonWords(row.reason, row.closed)].filter((one) => one != null).join(' '),
    row.paymentId ?? '',
  ];
}
