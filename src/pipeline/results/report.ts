/** Writes the result: a copy of the sheet with a status for each row. Each row of the batch appears exactly once. */

import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { NextAction } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import type { Field } from '../../domain/rows/cell.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { Row } from '../../domain/rows/row.ts';
import {
  type BatchFacts,
  type Ledger,
  type LedgerRow,
  type RowWord,
  type SheetRow,
  wordOfRow,
} from '../../ledger/ledger.ts';
import type { Audience } from '../../messages/audience.ts';
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
  keptNotes,
  type LongTable,
  maxFormattedLines,
  maxSheetRows,
  openSheet,
  type ResultRow,
  resultPathFor,
  type Sheet,
  type SheetOptions,
  stemOf,
  type Table,
  writeResult,
} from '../../sheet/sheet.ts';
import { copyWordsOf } from '../duplicates/copies.ts';
import { requireWritable, standingCopy } from '../intake/intake.ts';
import { standing } from '../outcome.ts';
import { depositFacts, openChanges } from '../settle/deposit-changes.ts';
import { fundingTable } from '../settle/funding.ts';
import { readDetails } from '../settle/payment-details.ts';
import { answerFile } from './answer-file.ts';
import { reportFacts, reportTables } from './report-facts.ts';

export { planCopyOf } from '../intake/intake.ts';
export { openChanges } from '../settle/deposit-changes.ts';
export { type Funding, type FundingGroup, fundingOf } from '../settle/funding.ts';
export { readDetails } from '../settle/payment-details.ts';
export { transactionStatus } from './transaction-status.ts';

const pageSize = 1000;
/** Between two pauses, Payrun writes this many rows. Writing them takes about a millisecond. */
const pausedPageSize = 50;
const maxTrailRows = 10_000;

export const resultColumns = [
  { header: 'payrun_status' },
  { header: 'payrun_reason', wrap: true },
  { header: 'payment_id', text: true },
  { header: 'payrun_payment_status' },
  { header: 'payrun_status_log', width: 30 },
  { header: 'payrun_amount_settled' },
  { header: 'payrun_fees' },
  { header: 'payrun_destination_currency' },
  { header: 'payrun_merchant_id', text: true },
  { header: 'payrun_documents' },
  { header: 'payrun_deposit_details', width: 40 },
  { header: 'payrun_tag', text: true },
  { header: 'payrun_batch', text: true },
  { header: 'payrun_row', text: true },
  { header: 'payrun_attempts' },
  { header: 'payrun_submitted_at', text: true },
  { header: 'payrun_settled_at', text: true },
  { header: 'payrun_evidence', width: 40 },
] as const;

const toneOf: { readonly [W in RowWord]: ResultRow['tone'] } = {
  paid: 'paid',
  pending: 'open',
  'not sent': 'none',
  unpaid: 'unpaid',
  'in doubt': 'doubt',
  held: 'doubt',
  'paid twice': 'doubt',
  invalid: 'unpaid',
  closed: 'unpaid',
};

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

/** Returns the order's folder and format, or those of the newest run. A null folder means the sheet's folder. */
export function resultPlace({ sheet }: BatchFacts, said: Pick<ReportOrder, 'outDir' | 'format'>) {
  const kept = sheet.options as Partial<Pick<ReportOrder, 'outDir' | 'format'>>;
  return { outDir: said.outDir ?? kept.outDir ?? null, format: said.format ?? kept.format ?? null };
}

export async function requireRoom(ledger: Ledger, batch: BatchFacts, said: Pick<ReportOrder, 'outDir' | 'format'>) {
  if (resultPlace(batch, said).format !== 'xlsx') return;
  const { total } = (await standing(ledger, batch)).rows;
  if (total >= maxSheetRows) throw new PayrunError('WORKBOOK_ROWS_TOO_MANY', { row: total + 1, most: maxSheetRows });
}

export async function requireResultPlace(
  batch: BatchFacts,
  said: Pick<ReportOrder, 'outDir' | 'format'>,
): Promise<void> {
  await requireWritable(resultPlace(batch, said).outDir, batch.sheet.origin);
}

export interface ResultFiles {
  readonly result: string;
  readonly answer: string | null;
  readonly notes: readonly Note[];
}

export async function report(said: ReportOrder): Promise<string> {
  return (await reportBoth(said)).result;
}

export async function reportBoth(said: ReportOrder): Promise<ResultFiles> {
  const { ledger, batch, now } = said;
  const order = { ...said, ...resultPlace(batch, said) };
  await requireRoom(ledger, batch, order);
  const copy = await standingCopy(ledger, batch);
  const source = named(await openSheet(copy, batch.sheet.options as SheetOptions), batch);
  const { rows: counts, totals } = await standing(ledger, batch);
  // A long result becomes CSV, because a workbook with so many rows cannot keep its formats.
  const format = order.format ?? (counts.total > maxFormattedLines ? 'csv' : source.format);
  // The subject stops Payrun from overwriting another batch's result.
  const output = {
    path: resultPathFor(batch.sheet.origin, order.outDir, format),
    subject: batchSubject(batch),
  };
  const written = await writeResult(output, {
    source,
    columns: resultColumns,
    rows: () => resultRows(order),
    leftOut: valuesOf({ payrun_status: 'left out', payrun_reason: unsentWords({ why: 'not-chosen' }, 'terminal') }),
    extra: () => otherRows(ledger, batch),
    summary: {
      title: `Batch ${batch.name}`,
      facts: await reportFacts({ ledger, batch, now }),
      tables: [...reportTables(counts, totals), columnsTable],
    },
    funding: format === 'xlsx' ? await fundingTable(ledger, batch) : null,
    trail: format === 'xlsx' ? trailTable(ledger, batch) : null,
  });
  const answer = await answerFile(
    { ...output, path: written.path },
    { source, now, places: answerPlaces, rows: () => resultRows(order) },
  );
  return { result: written.path, answer, notes: keptNotes(output.path, written.path) };
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

function named(sheet: Sheet, { sheet: { name } }: BatchFacts): Sheet {
  return sheet.format === 'csv' ? { ...sheet, name: stemOf(name) } : sheet;
}

/** Returns the warnings by row id: paid copies and changed deposit details. */
export async function warningsOf(ledger: Ledger, batch: string): Promise<ReadonlyMap<number, string>> {
  const warned = new Map(await copyWordsOf(ledger, batch));
  for (const change of await openChanges(ledger, batch)) {
    const words = [depositWarning(depositFacts(change)), warned.get(change.row)];
    warned.set(change.row, words.filter((one) => one !== undefined).join(' '));
  }
  return warned;
}

async function* resultRows({
  ledger,
  batch,
  pause,
  now,
  page: onPage,
}: ReportOrder): AsyncIterable<readonly ResultRow[]> {
  const to = onPage === undefined ? 'terminal' : 'page';
  // Only a run's first result sets `pause`. A crash leaves this result outdated, so each reason gives the writing time.
  const unsent = pause === undefined ? await whyNotSent(ledger, batch) : ({ why: 'run-began', at: now } as const);
  const notSentReason = unsent && unsentWords(unsent, to);
  const warned = await warningsOf(ledger, batch.name);
  const hasDocuments = await documentsExist(ledger, batch);
  const invalid = invalidRows(ledger, batch, to);
  let bad = await invalid.next();
  let after = 0;
  for (;;) {
    const limit = pause === undefined ? pageSize : pausedPageSize;
    const rows = await ledger.rowsByNumber(batch.name, batch.sheet.id, after, limit);
    const last = rows.at(-1);
    const page: ResultRow[] = [];
    for (const row of rows) {
      for (; !bad.done && bad.value.number < row.number; bad = await invalid.next()) page.push(bad.value);
      const documents = hasDocuments ? await documentWords(ledger, row) : null;
      page.push(resultRow(row, documents, notSentReason, warned.get(row.id)));
    }
    if (last === undefined) {
      for (; !bad.done; bad = await invalid.next()) page.push(bad.value);
      if (page.length > 0) yield page;
      return;
    }
    after = last.number;
    yield page;
    await pause?.();
  }
}

const valuesOf = (said: Readonly<Record<string, string>>) => resultColumns.map(({ header }) => said[header] ?? null);

async function* invalidRows(ledger: Ledger, batch: BatchFacts, to: Audience): AsyncGenerator<ResultRow, void> {
  let after = 0;
  for (;;) {
    const rows = await ledger.invalidRows(batch.sheet.id, after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const { number, payout, problems } of rows) {
      const why = mistakeWords(problems, to);
      const row = payout === null ? null : await ledger.row(payout);
      // An invalid line may belong to a row of an earlier sheet. Then Payrun shows that row with the line's mistakes.
      if (row === null) {
        const values = valuesOf({ payrun_status: 'invalid', payrun_reason: why, payrun_batch: batch.name });
        yield { number, values, tone: 'unpaid' };
      } else if (row.sheet !== batch.sheet.id) yield resultRow({ ...row, number, alike: null }, null, null, why);
    }
    after = last.number;
  }
}

async function documentsExist(ledger: Ledger, batch: BatchFacts): Promise<boolean> {
  return Object.values(await ledger.documentCounts(batch.name)).some((count) => count > 0);
}

/** Returns why the last run did not send the remaining rows: its stop, or a pause. Null if neither is known. */
async function whyNotSent(ledger: Ledger, { name }: BatchFacts): Promise<UnsentReason | null> {
  const last = await ledger.newestEntry(name, 'run', 'stop');
  if (last?.what !== 'stop') {
    // A paused worker records no stop, because another worker may continue.
    const pause = (await ledger.fleet?.pausedFor(name)) ?? null;
    return pause === null ? null : { why: 'paused', pause };
  }
  return { why: 'stopped', refusal: last.data };
}

function resultRow(row: SheetRow, documents: string | null, notSentReason: string | null, warned?: string): ResultRow {
  return {
    number: row.number,
    values: resultValues(row, documents, notSentReason, warned),
    tone: toneOf[wordOfRow(row)],
  };
}

function unsaidReason(row: Pick<LedgerRow, 'state' | 'closed'>, notSentReason: string | null): string | null {
  // A row that was being sent when the run ended counts as in doubt.
  if (row.state === 'sending') return unsentWords({ why: 'sending' }, 'terminal');
  return wordOfRow(row) === 'not sent' ? notSentReason : null;
}

function resultValues(
  row: SheetRow,
  documents: string | null,
  notSentReason: string | null,
  warned?: string,
): (string | number | null)[] {
  const told = row.serviceDetails === null ? null : readDetails(row.serviceDetails);
  return [
    wordOfRow(row),
    rowReasonWords(row.reason, row.closed) ?? unsaidReason(row, notSentReason),
    row.paymentId,
    row.paymentStatus,
    told?.statusLog ?? null,
    told?.amountSettled ?? null,
    told?.otcFees ?? null,
    told?.destinationCurrency ?? null,
    row.merchantId,
    documents,
    told?.deposit ?? null,
    row.tag,
    row.batch,
    row.key,
    row.attempts,
    row.submittedAt === null ? null : isoTime(row.submittedAt),
    row.settledAt === null ? null : isoTime(row.settledAt),
    evidenceOf(row, warned),
  ];
}

function evidenceOf({ evidence, alike }: SheetRow, warned?: string): string | null {
  const like = alike === null ? null : `R${alikeRowWords(alike).slice(1)}.`;
  return [warned, reasonWords(evidence), like].filter((words) => words != null).join(' ') || null;
}

async function documentWords(ledger: Ledger, row: Pick<LedgerRow, 'id'>): Promise<string | null> {
  const documents = await ledger.documentsOf(row.id);
  if (documents.length === 0) return null;
  const attached = documents.filter(({ state }) => state === 'attached').length;
  const reasons = documents.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reasonWords(reason)}`]));
  return [`${attached} of ${documents.length} attached`, ...reasons].join('; ');
}

async function* otherRows(ledger: Ledger, batch: BatchFacts) {
  const warned = await warningsOf(ledger, batch.name);
  const hasDocuments = await documentsExist(ledger, batch);
  let after = 0;
  for (;;) {
    const rows = await ledger.otherRows(batch.name, batch.sheet.id, after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await Promise.all(
      rows.map(async (row) => ({
        cells: cellsOf(rowOfContent(row.content, row.number)),
        values: resultValues(
          { ...row, alike: null },
          hasDocuments ? await documentWords(ledger, row) : null,
          unsentWords({ why: 'not-in-head' }, 'terminal'),
          warned.get(row.id),
        ),
        tone: toneOf[wordOfRow(row)],
      })),
    );
    after = last.id;
  }
}

function cellsOf(row: Row): Partial<Record<Field, string>> {
  const { destination } = row;
  const cells: Partial<Record<Field, string | null>> = {
    row_id: row.rowId,
    name: row.name,
    country: destination.country,
    ...(row.amount === 0 ? {} : { amount: String(row.amount), currency: row.currency }),
    amount_unit: row.unit === 'whole' ? null : row.unit,
    reference: row.reference,
    from_country: row.fromCountry,
    documents: row.documents.length === 0 ? null : row.documents.join(';'),
    ...('bankName' in destination ? { bank_name: destination.bankName } : {}),
    ...('bankCode' in destination ? { bank_code: destination.bankCode } : {}),
    ...('accountNumber' in destination ? { account_number: destination.accountNumber } : {}),
    ...('contactNumber' in destination
      ? { contact_number: destination.contactNumber, network_provider: destination.networkProvider }
      : {}),
    ...('lnurl' in destination ? { lnurl: destination.lnurl } : {}),
  };
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value != null)) as Partial<
    Record<Field, string>
  >;
}

function trailTable(ledger: Ledger, batch: BatchFacts): LongTable {
  return {
    title: 'Trail',
    note: resultTitles.trailNote,
    header: ['Time', 'Row', 'What', 'Details'],
    async *rows() {
      const entries = await ledger.trail(batch.name, maxTrailRows);
      const head = await ledger.head();
      yield [
        ...entries.map(({ at, row, what, data }) => [isoTime(at), row, what, JSON.stringify(data)]),
        ['', '', resultTitles.trailHead, `${head.seq} ${head.hash}`],
      ];
    },
  };
}
