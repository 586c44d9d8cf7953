/** Builds the lines and tables at the top of a batch's result and report page. */
import type { LikeBatch } from '../../domain/problems/batch-problems.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { reportWords } from '../../messages/files/report-page.ts';
import { rowStateCounts } from '../../messages/format/numbers.ts';
import { timeWords } from '../../messages/format/times.ts';
import { correctionWords, totalsWords } from '../../messages/notes/sheet-notes.ts';
import { noteWords } from '../../messages/notes.ts';
import { likeBatchWords } from '../../messages/problems/repeat-problems.ts';
import { choiceNotes, correctionNotes, type SheetOptions, type Table } from '../../sheet/sheet.ts';
import type { Expected } from '../controls/control-totals.ts';
import type { VarianceData } from '../controls/variance.ts';
import type { MoneyTotal, RowCounts } from '../figures.ts';
import { planOf } from '../opened-with.ts';

type Said = { readonly ledger: Ledger; readonly batch: BatchFacts; readonly now: number };

export async function reportFacts({ ledger, batch, now }: Said): Promise<[string, string][]> {
  return [
    ['Batch', batch.name],
    ['Sheet', batch.sheet.name],
    ['Service', batch.service],
    ['Ledger', ledger.path],
    ['Written', timeWords(now)],
    ...(await agreedTotals(ledger, batch)),
    ...(await earlierBatches(ledger, batch)),
    ...(await againstSeries(ledger, batch)),
    [reportWords.digest, `sha256:${batch.sheet.digest}`],
    ...correctedFact(batch),
    ...choiceFact(batch),
    ...planFacts(batch),
  ];
}

async function agreedTotals(ledger: Ledger, { name }: BatchFacts): Promise<[string, string][]> {
  const entry = await ledger.trail.newestEntry(name, 'totals');
  const agreed = (entry?.data.agreed ?? []) as readonly Expected[];
  return agreed.map((one) => [reportWords.totalsFrom(one.source), totalsWords(one)]);
}

async function earlierBatches(ledger: Ledger, { name }: BatchFacts): Promise<[string, string][]> {
  const entry = await ledger.trail.newestEntry(name, 'history');
  const alike = entry?.data.alike as LikeBatch | undefined;
  return alike === undefined ? [] : [['Looks like', likeBatchWords(alike)]];
}

async function againstSeries(ledger: Ledger, { name }: BatchFacts): Promise<[string, string][]> {
  const data = (await ledger.trail.newestEntry(name, 'variance'))?.data;
  const { summary = null, confirmed } = (data ?? {}) as Partial<VarianceData>;
  return [
    ...(summary === null ? [] : [[reportWords.series, noteWords(summary)] satisfies [string, string]]),
    ...(confirmed == null ? [] : [['Why it differs', confirmed] satisfies [string, string]]),
  ];
}

/** Lists the corrections, because the result shows the corrected cells instead of the file's cells. */
function correctedFact({ sheet: { options } }: BatchFacts): [string, string][] {
  return correctionNotes((options as SheetOptions).corrections).map((note) => [
    'Cells corrected',
    reportWords.corrected(correctionWords(note)),
  ]);
}

const choiceFact = ({ sheet: { options } }: BatchFacts): [string, string][] =>
  choiceNotes((options as SheetOptions).choices, Number(options.leftOut ?? 0)).map((note) => ['Rows', noteWords(note)]);

function planFacts(batch: BatchFacts): [string, string][] {
  const plan = planOf(batch);
  if (plan === null) return [];
  const { digest, maker, made_at, approvals } = plan;
  return [
    ['Plan', `sha256:${digest}`],
    ['Plan made', `${timeWords(Date.parse(made_at))} by ${maker}`],
    ...approvals.map(({ approver, fingerprint, at }): [string, string] => [
      'Approved',
      `${timeWords(Date.parse(at))} by ${approver} (key ${fingerprint})`,
    ]),
  ];
}

/** Returns the text of an amount for a page. A workbook has numbers instead. */
type SumWords = (total: MoneyTotal, amount: number) => string;

export const reportTables = (counts: RowCounts, totals: readonly MoneyTotal[], sum?: SumWords): Table[] => [
  rowsTable(counts),
  totalsTable(totals, sum),
];

function rowsTable({ total, ...counts }: RowCounts): Table {
  const rows = rowStateCounts(counts).map(([word, count]) => [word, count, { share: count / total }]);
  return { title: 'Rows', header: ['Status', 'Rows', 'Share'], rows: [...rows, ['total', total, null]] };
}

const unpaidParts = [
  ['Pending', 'pending'],
  ['Being sent', 'being_sent'],
  ['Not sent', 'not_sent'],
  ['Unpaid', 'unpaid'],
  ['In doubt', 'in_doubt'],
  ['Held', 'held'],
  ['Paid twice', 'paid_twice'],
  ['Other than planned', 'differs'],
] as const;

function totalsTable(totals: readonly MoneyTotal[], sum?: SumWords): Table {
  const parts = unpaidParts.filter(([, part]) => totals.some((total) => total[part] !== 0));
  const amount = sum ?? ((_: MoneyTotal, one: number) => one);
  const funded = totals.some(({ from }) => from !== null);
  return {
    title: 'Totals',
    header: ['Currency', 'Planned', 'Share paid', 'Paid', ...parts.map(([word]) => word), ...(funded ? ['From'] : [])],
    rows: totals.map((total) => [
      sum !== undefined || total.unit === 'whole' ? total.currency : `${total.currency} (${total.unit})`,
      amount(total, total.planned),
      { share: total.planned === 0 ? 0 : total.paid / total.planned },
      amount(total, total.paid),
      ...parts.map(([, part]) => amount(total, total[part])),
      ...(funded ? [total.from] : []),
    ]),
  };
}
