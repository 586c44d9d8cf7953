/** Writes the result: a copy of the sheet with a status for each row. Each row of the batch appears exactly once. */
import { trailHeadMark } from '../../audit/result.ts';
import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { capital } from '../../base/words.ts';
import type { NextAction } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import type { Field } from '../../domain/rows/cell.ts';
import { contentColumns } from '../../domain/rows/content-changes.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { Row } from '../../domain/rows/row.ts';
import {
  type BatchFacts,
  type Ledger,
  type LedgerRow,
  pagesOf,
  type SheetRow,
  wordOfRow,
} from '../../ledger/ledger.ts';
import type { Audience } from '../../messages/audience.ts';
import { copyWords } from '../../messages/duplicates.ts';
import {
  columnMeanings,
  depositWarning,
  resultTitles,
  type UnsentReason,
  unsentWords,
} from '../../messages/files/result.ts';
import { alikeRowWords } from '../../messages/problems/repeat-problems.ts';
import { mistakeWords } from '../../messages/problems.ts';
import { reasonWords } from '../../messages/reasons.ts';
import { rowReasonWords } from '../../messages/row-reasons.ts';
import {
  type FurtherTable,
  keptNotes,
  maxFormattedLines,
  maxSheetRows,
  openSheet,
  type ResultColumn,
  type ResultRow,
  resultPathFor,
  type Sheet,
  type SheetOptions,
  stemOf,
  type Table,
  type Value,
  writeResult,
} from '../../sheet/sheet.ts';
import { copiesByRow } from '../duplicates/duplicates.ts';
import { standing } from '../figures.ts';
import { requireWritable, standingCopy } from '../intake/intake.ts';
import { depositFacts, openChanges } from '../settle/deposits.ts';
import { readDetails } from '../settle/payment-details.ts';
import { answerFile } from './answer-file.ts';
import { fundingTable } from './funding-table.ts';
import { reportFacts, reportTables } from './report-facts.ts';

export { planCopyOf } from '../intake/intake.ts';
export { knowDeposit, openChanges } from '../settle/deposits.ts';
export { type Funding, type FundingGroup, fundingOf } from '../settle/funding.ts';
export { readDetails } from '../settle/payment-details.ts';
export { transactionStatus } from './answer-file.ts';

const pageSize = 1000;
/** Between two pauses, Payrun writes this many rows. Writing them takes about a millisecond. */
const pausedPageSize = 50;
const maxTrailRows = 10_000;

/** The facts from which Payrun computes the values of a row's columns. */
interface ShownRow {
  readonly row: SheetRow;
  readonly told: ReturnType<typeof readDetails> | null;
  readonly documents: string | null;
  readonly notSentReason: string | null;
  readonly warned: string | undefined;
}

const resultColumns = [
  { header: 'payrun_status', value: ({ row }) => wordOfRow(row) },
  { header: 'payrun_reason', wrap: true, value: reasonOf },
  { header: 'payment_id', text: true, value: ({ row }) => row.paymentId },
  { header: 'payrun_payment_status', value: ({ row }) => row.paymentStatus },
  { header: 'payrun_status_log', width: 30, value: ({ told }) => told?.statusLog },
  { header: 'payrun_amount_settled', value: ({ told }) => told?.amountSettled },
  { header: 'payrun_fees', value: ({ told }) => told?.otcFees },
  { header: 'payrun_destination_currency', value: ({ told }) => told?.destinationCurrency },
  { header: 'payrun_merchant_id', text: true, value: ({ row }) => row.merchantId },
  { header: 'payrun_documents', value: ({ documents }) => documents },
  { header: 'payrun_deposit_details', width: 40, value: ({ told }) => told?.deposit },
  { header: 'payrun_tag', text: true, value: ({ row }) => row.tag },
  { header: 'payrun_batch', text: true, value: ({ row }) => row.batch },
  { header: 'payrun_row', text: true, value: ({ row }) => row.key },
  { header: 'payrun_attempts', value: ({ row }) => row.attempts },
  { header: 'payrun_submitted_at', text: true, value: ({ row }) => timeOrNull(row.submittedAt) },
  { header: 'payrun_settled_at', text: true, value: ({ row }) => timeOrNull(row.settledAt) },
  { header: 'payrun_evidence', width: 40, value: evidenceOf },
] as const satisfies readonly (ResultColumn & { value(shown: ShownRow): Value | undefined })[];

export interface ReportOrder {
  readonly ledger: Ledger;
  readonly batch: BatchFacts;
  readonly outDir: string | null;
  readonly format: 'csv' | 'xlsx' | null;
  readonly now: number;
  readonly page?: {
    readonly note: (note: Note) => string;
    readonly step: (step: NextAction) => string;
  };
  /** Called after each page of rows, so that other work can run. */
  readonly pause?: () => Promise<void>;
}

export type ResultPlace = Pick<ReportOrder, 'outDir' | 'format'>;

/** Returns the order's folder and format, or those of the newest run. A null folder means the sheet's folder. */
export function resultPlace({ sheet }: BatchFacts, said: ResultPlace): ResultPlace {
  const kept = sheet.options as Partial<ResultPlace>;
  return { outDir: said.outDir ?? kept.outDir ?? null, format: said.format ?? kept.format ?? null };
}

export async function requireRoom(ledger: Ledger, batch: BatchFacts, said: ResultPlace) {
  if (resultPlace(batch, said).format !== 'xlsx') return;
  const { total } = (await standing(ledger, batch)).rows;
  if (total >= maxSheetRows) throw new PayrunError('WORKBOOK_ROWS_TOO_MANY', { row: total + 1, most: maxSheetRows });
}

export async function requireResultPlace(batch: BatchFacts, said: ResultPlace): Promise<void> {
  await requireWritable(resultPlace(batch, said).outDir, batch.sheet.origin);
}

export interface ResultFiles {
  readonly result: string;
  readonly answer: string | null;
  readonly notes: readonly Note[];
}

export async function report(said: ReportOrder): Promise<ResultFiles> {
  const { ledger, batch, now } = said;
  const order = { ...said, ...resultPlace(batch, said) };
  await requireRoom(ledger, batch, order);
  const copy = await standingCopy(ledger, batch);
  const source = named(await openSheet(copy, batch.sheet.options as SheetOptions), batch);
  const { rows: counts, totals } = await standing(ledger, batch);
  // A long result becomes CSV, because a workbook with so many rows cannot keep its formats.
  const format = order.format ?? (counts.total > maxFormattedLines ? 'csv' : source.format);
  // The subject stops Payrun from overwriting another batch's result.
  const output = { path: resultPathFor(batch.sheet.origin, order.outDir, format), subject: batchSubject(batch) };
  const result = await writeResult(output, {
    source,
    columns: resultColumns,
    rows: () => resultRows(order),
    leftOut: valuesOf({ payrun_status: 'left out', payrun_reason: unsentWords({ why: 'not-chosen' }, 'terminal') }),
    extra: () => otherRows(order),
    summary: {
      title: `Batch ${batch.name}`,
      facts: await reportFacts({ ledger, batch, now }),
      tables: [...reportTables(counts, totals), columnsTable],
    },
    tables: format === 'xlsx' ? await furtherTables(ledger, batch) : {},
  });
  const answer = await answerFile(
    { ...output, path: result },
    { source, now, places: answerPlaces, rows: () => resultRows(order) },
  );
  return { result, answer, notes: keptNotes(output.path, result) };
}

/** The creation time makes the subject unique, because two ledgers may use the same batch name. */
export const batchSubject = ({ name, createdAt }: Pick<BatchFacts, 'name' | 'createdAt'>) =>
  `batch ${name}, ${isoTime(createdAt)}`;

const placeOf = (wanted: string) => resultColumns.findIndex(({ header }) => header === wanted);
const answerPlaces = {
  word: placeOf('payrun_status'),
  reason: placeOf('payrun_reason'),
  payment: placeOf('payment_id'),
};

const columnsTable: Table = {
  title: resultTitles.columns,
  header: ['Column', 'What it says'],
  rows: resultColumns.map(({ header }) => [header, columnMeanings[header]]),
};

const named = (sheet: Sheet, { sheet: { name } }: BatchFacts): Sheet =>
  sheet.format === 'csv' ? { ...sheet, name: stemOf(name) } : sheet;

/** Returns the warnings by row id: paid copies and changed deposit details. */
export async function warningsOf(ledger: Ledger, batch: string): Promise<ReadonlyMap<number, string>> {
  const warned = new Map<number, string>();
  for (const [row, copies] of await copiesByRow(ledger, batch)) warned.set(row, copies.map(copyWords).join(' '));
  for (const change of await openChanges(ledger, batch)) {
    const words = [depositWarning(depositFacts(change)), warned.get(change.row)];
    warned.set(change.row, words.filter((one) => one !== undefined).join(' '));
  }
  return warned;
}

async function valueMaker({ ledger, batch }: ReportOrder) {
  const warnings = await warningsOf(ledger, batch.name);
  const hasDocuments = Object.values(await ledger.documents.documentCounts(batch.name)).some((count) => count > 0);
  return async (row: SheetRow, notSentReason: string | null, warned = warnings.get(row.id)): Promise<Value[]> => {
    const told = row.serviceDetails === null ? null : readDetails(row.serviceDetails);
    const documents = hasDocuments ? await documentWords(ledger, row) : null;
    return resultColumns.map(({ value }) => value({ row, told, documents, notSentReason, warned }) ?? null);
  };
}

async function* resultRows(order: ReportOrder): AsyncIterable<readonly ResultRow[]> {
  const { ledger, batch, pause, now } = order;
  const to = order.page === undefined ? 'terminal' : 'page';
  // Only a run's first result sets `pause`. A crash leaves this result outdated, so each reason gives the writing time.
  const stop = ledger.leads.of(batch.name).stop;
  const unsent: UnsentReason | null =
    pause === undefined ? stop && { why: 'stopped', refusal: stop.why } : { why: 'run-began', at: now };
  const notSentReason = unsent && unsentWords(unsent, to);
  const makeValues = await valueMaker(order);
  const invalid = invalidRows(order, makeValues, to);
  const limit = pause === undefined ? pageSize : pausedPageSize;
  const pages = pagesOf<SheetRow>((last) =>
    ledger.rows.rowsByNumber(batch.name, batch.sheet.id, last?.number ?? 0, limit),
  );
  let bad = await invalid.next();
  for await (const rows of pages) {
    const page: ResultRow[] = [];
    for (const row of rows) {
      for (; !bad.done && bad.value.number < row.number; bad = await invalid.next()) page.push(bad.value);
      page.push({ number: row.number, values: await makeValues(row, notSentReason) });
    }
    yield page;
    await pause?.();
  }
  const rest: ResultRow[] = [];
  for (; !bad.done; bad = await invalid.next()) rest.push(bad.value);
  yield rest;
}

const valuesOf = (said: Readonly<Record<string, string>>) => resultColumns.map(({ header }) => said[header] ?? null);

async function* invalidRows(
  { ledger, batch }: ReportOrder,
  makeValues: Awaited<ReturnType<typeof valueMaker>>,
  to: Audience,
): AsyncGenerator<ResultRow, void> {
  const pages = pagesOf((last?: { readonly number: number }) =>
    ledger.batches.invalidRows(batch.sheet.id, last?.number ?? 0, pageSize),
  );
  for await (const rows of pages) {
    for (const { number, payout, problems } of rows) {
      const why = mistakeWords(problems, to);
      const row = payout === null ? null : await ledger.rows.row(payout);
      // An invalid line may belong to a row of an earlier sheet. Then Payrun shows that row with the line's mistakes.
      if (row === null) {
        const values = valuesOf({ payrun_status: 'invalid', payrun_reason: why, payrun_batch: batch.name });
        yield { number, values };
      } else if (row.sheet !== batch.sheet.id)
        yield { number, values: await makeValues({ ...row, alike: null }, null, why) };
    }
  }
}

function reasonOf({ row, notSentReason }: ShownRow): string | null {
  const reason = rowReasonWords(row.reason, row.closed);
  if (reason !== null) return reason;
  // A row that was being sent when the run ended counts as in doubt.
  if (row.state === 'sending') return unsentWords({ why: 'sending' }, 'terminal');
  return wordOfRow(row) === 'not sent' ? notSentReason : null;
}

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at));

function evidenceOf({ row: { evidence, alike }, warned }: ShownRow): string | null {
  const like = alike === null ? null : `${capital(alikeRowWords(alike))}.`;
  return [warned, reasonWords(evidence), like].filter((words) => words != null).join(' ') || null;
}

async function documentWords(ledger: Ledger, row: Pick<LedgerRow, 'id'>): Promise<string | null> {
  const documents = await ledger.documents.documentsOf(row.id);
  if (documents.length === 0) return null;
  const attached = documents.filter(({ state }) => state === 'attached').length;
  const reasons = documents.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reasonWords(reason)}`]));
  return [`${attached} of ${documents.length} attached`, ...reasons].join('; ');
}

async function* otherRows(order: ReportOrder) {
  const { ledger, batch } = order;
  const makeValues = await valueMaker(order);
  const reason = unsentWords({ why: 'not-in-head' }, 'terminal');
  const pages = pagesOf<LedgerRow>((last) =>
    ledger.rows.otherRows(batch.name, batch.sheet.id, last?.id ?? 0, pageSize),
  );
  for await (const rows of pages)
    yield await Promise.all(
      rows.map(async (row) => ({
        cells: cellsOf(rowOfContent(row.content, row.number)),
        values: await makeValues({ ...row, alike: null }, reason),
      })),
    );
}

function cellsOf({ destination, ...row }: Row): Partial<Record<Field, string>> {
  const values: Readonly<Record<string, string | number | boolean | null>> = {
    ...row,
    ...destination,
    documents: row.documents.join(';'),
    unit: row.unit === 'whole' ? null : row.unit,
  };
  // A row with a mistake has neither amount nor currency.
  const cells = Object.entries(contentColumns).flatMap(([name, column]) =>
    values[name] ? [[column, String(values[name])] as const] : [],
  );
  return Object.fromEntries(cells);
}

async function furtherTables(ledger: Ledger, batch: BatchFacts): Promise<Record<string, FurtherTable>> {
  const funding = await fundingTable(ledger, batch);
  const trail: FurtherTable = {
    title: 'Trail',
    note: resultTitles.trailNote,
    header: ['Time', 'Row', 'What', 'Details'],
    async rows() {
      const entries = await ledger.trail.lines(batch.name, maxTrailRows);
      const head = await ledger.trail.head();
      return [
        ...entries.map(({ at, row, what, data }) => [isoTime(at), row, what, JSON.stringify(data)]),
        ['', '', trailHeadMark, `${head.seq} ${head.hash}`],
      ];
    },
  };
  return { ...(funding === null ? {} : { Funding: { ...funding, rows: async () => funding.rows } }), Trail: trail };
}
