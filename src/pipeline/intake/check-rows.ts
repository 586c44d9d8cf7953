/** Reads a sheet and checks its lines. Each line becomes a row of the draft or an invalid line. */
import type { Problem } from '../../base/problem.ts';
import { type PayoutCountry, payoutCountryOf } from '../../domain/accounts/country.ts';
import { payeeOf } from '../../domain/accounts/payee.ts';
import { type AmountTerms, createSum, readAmount, type Sum } from '../../domain/amounts/money.ts';
import type { Note, TotalCheck } from '../../domain/note.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { type Cell, type Cells, type Field, shownText } from '../../domain/rows/cell.ts';
import { columnsOf, contentOf, contentOfMistake, rowDigest } from '../../domain/rows/digest.ts';
import type { DocumentLimits } from '../../domain/rows/document.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import { parseRow, type Row } from '../../domain/rows/row.ts';
import { crockford } from '../../domain/rows/tag.ts';
import type { Claim, Draft, DraftDocument, DraftRow, InvalidLine, RowWord } from '../../ledger/ledger.ts';
import {
  adviseMap,
  type Line,
  type MapAdvice,
  mergedChoices,
  missingColumns,
  openSheet,
  rulesOfSheet,
  type Sheet,
  type SheetOptions,
} from '../../sheet/sheet.ts';
import type { Deps } from '../deps.ts';
import { documentFinder, documentProblem } from '../documents/document-files.ts';
import { openFiled, type RowDocuments } from '../documents/documents-by-row.ts';
import { missingDocument, missingForAmount, settleDocuments } from '../documents/documents-due.ts';
import { type ColumnQuestion, watchUnread } from './suspicious-columns.ts';
import { watchTransactions } from './transactions.ts';

export interface CheckOrder {
  /** The file to read: the private copy, or the person's own file if nothing will be paid. */
  readonly path: string;
  readonly options: SheetOptions;
  readonly rules: RowRules;
  readonly documentsFolder: string;
  readonly documentLimits: DocumentLimits;
  readonly batch?: string | null;
  readonly now: number | null;
  /** Returns the map and the choices with which a batch was read. Null stands for the batch that was read from the same file. */
  readonly keptBy?: (batch: string | null) => Promise<Pick<SheetOptions, 'map' | 'choices'>>;
}

/** Adds the open sheet. `CheckOrder` lacks it, because the package's types must not need the types of exceljs. */
interface OpenedCheck extends CheckOrder {
  readonly opened?: Promise<Sheet>;
}

export interface SheetCheck {
  readonly sheet: Sheet;
  /** The batch that a result file names; null if the sheet names none or several. */
  readonly ownBatch: string | null;
  readonly options: SheetOptions;
  readonly questions: readonly ColumnQuestion[];
  readonly advice: MapAdvice | null;
  readonly notes: readonly Note[];
  /** Numbers of rows whose amount needs a document, including rows with mistakes. */
  readonly large: ReadonlySet<number>;
}

const nothingRead = { questions: [], ownBatch: null, notes: [], large: new Set<number>() } as const;

const paidWords: readonly string[] = ['paid', 'pending', 'paid twice'] satisfies RowWord[];
const sentWords: readonly string[] = [...paidWords, 'in doubt', 'held'];

/** Returns what a result's row says about a payment or an attempt. */
function claimOf({ batch, status, attempts, payment }: Line['own'], key: string): Claim[] {
  // A person may have typed the word.
  const word = (status ?? '').trim().toLowerCase();
  const count = paidWords.includes(word) ? Number.NaN : Number(attempts ?? 1);
  return sentWords.includes(word) ? [[key, batch, payment, Number.isInteger(count) ? count : null]] : [];
}

export async function checkSheet(draft: Draft, order: OpenedCheck, progress: Deps['progress']): Promise<SheetCheck> {
  draft.clear();
  const { sheet, options } = await openKept(order);
  draft.addProblems(sheet.problems);
  const { map } = options;
  const filed = await openFiled(order.documentsFolder);
  const rules = {
    ...rulesOfSheet(order.rules, sheet, map),
    letters: sheet.letters,
    ...(filed === null ? {} : { filed: filed.mayHave }),
  };
  const advise = (currencies: readonly string[]) => adviseMap(sheet, rules.defaults, map, currencies);
  if (sheet.problems.some(({ severity }) => severity === 'error'))
    return { ...nothingRead, sheet, options, advice: advise([]) };
  draft.addProblems(missingColumns(sheet, rules.defaults, map));
  const find = documentFinder(order.documentsFolder, order.documentLimits);
  const sums: Sums = new Map();
  const batches = new Set<string>();
  const above = new Set<number>();
  const unread = watchUnread(sheet, options);
  const transactions = watchTransactions(sheet, options, order.now);
  let done = 0;
  let usesBanks = false;

  for await (const lines of sheet.lines()) {
    const rows: DraftRow[] = [];
    const claims: Claim[] = [];
    const problems: Problem[] = [];
    for (const line of lines) {
      if (line.own.batch !== null) batches.add(line.own.batch);
      const { row, found, large } = readLine(line, rules);
      if (large) above.add(line.number);
      problems.push(...found);
      usesBanks ||= row === null ? line.cells.bank_name !== undefined : 'bank' in row.destination;
      const marks = isNoPayee(line) ? [] : [...unread.see(line, row), ...transactions.see(line)];
      problems.push(...marks);
      if (filed !== null) claimFiled(filed, line, row);
      const decimals = found.some(({ code }) => code === 'AMOUNT_CENTS') ? -2 : 0;
      if (row === null) {
        draft.addInvalid(invalidLine(line, rules, found));
        continue;
      }
      const documents = row.documents.length === 0 ? [] : await findDocuments(row, find, problems);
      if (documents === null || marks.some(({ severity }) => severity === 'error')) {
        draft.addInvalid({ ...row, key: keyOf(row, line), id: idOf(row, line), content: contentOf(row) });
        continue;
      }
      claims.push(...claimOf(line.own, keyOf(row, line)));
      rows.push(draftRow(row, line, documents));
      addUp(sums, row, decimals);
    }
    if (claims.length > 0) draft.claim(claims);
    for (const { row, first } of draft.add(rows)) problems.push(repeated(row, first, sheet));
    draft.addProblems(transactions.named(lines, problems));
    done += lines.length;
    progress({ stage: 'reading', done, total: null });
  }
  // Reports problems found at the sheet's end, such as merged cells, for the whole sheet. They may concern any row, so
  // skipping one row does not help.
  draft.addProblems(sheet.lateProblems().map((problem) => ({ ...problem, row: null })));
  draft.addProblems([...unread.problems(), ...transactions.problems()]);
  draft.addProblems(tooLargeSums(sums));
  const [ownBatch = null, ...others] = batches;
  const own = others.length === 0 ? ownBatch : null;
  await settleDocuments(draft, filed, find, rules.documents, order.batch ?? own);
  for (const problem of alikeProblems(draft, sheet)) draft.judge([problem]);
  const total = controlTotal(sheet, sums, draft.counts().invalid, rules.numberFormat);
  if (total !== null && !('note' in total)) draft.addProblems([total]);
  return {
    sheet,
    options,
    questions: unread.questions(),
    advice: advise(unread.currencies()),
    ownBatch: own,
    notes: [
      ...unread.notes(),
      ...belowTotal(sheet),
      ...(usesBanks && rules.banks.isBuiltIn ? [{ note: 'banks-built-in' } as const] : []),
      ...(total !== null && 'note' in total ? [total] : []),
    ],
    large: above,
  };
}

async function openKept({
  path,
  options,
  opened,
  batch = null,
  keptBy,
}: OpenedCheck): Promise<{ sheet: Sheet; options: SheetOptions }> {
  const sheet = await (opened ?? openSheet(path, options));
  if (keptBy === undefined) return { sheet, options };
  const own = sheet.own ? await ownBatchOf(sheet) : null;
  const kept = await keptBy(own ?? batch);
  const map = options.map ?? (own === null ? undefined : kept.map);
  if (map === options.map && kept.choices === undefined) return { sheet, options };
  const all = { ...options, map, choices: mergedChoices(options.choices, kept.choices) };
  return { sheet: await openSheet(path, all), options: all };
}

async function ownBatchOf(sheet: Sheet): Promise<string | null> {
  for await (const lines of sheet.lines()) return lines.find(({ own }) => own.batch !== null)?.own.batch ?? null;
  return null;
}

const noPayees: readonly string[] = ['ROW_SUBTOTAL', 'ROW_HEADER', 'ROW_NOTE'];

const isNoPayee = ({ problems }: Line) => problems.some(({ code }) => noPayees.includes(code));

function readLine(line: Line, rules: RowRules): { row: Row | null; found: readonly Problem[]; large: boolean } {
  if (isNoPayee(line)) return { row: null, found: line.problems, large: false };
  const { row: parsed, problems, large } = parseRow(line.cells, line.number, rules);
  // A row that lacks only its document is read all the same, because it may have been sent already. After the last row,
  // Payrun looks it up in the ledger.
  const row =
    parsed ?? (lacksDocumentAlone(problems) ? parseRow(line.cells, line.number, anyDocuments(rules)).row : null);
  if (line.problems.length === 0) return { row, found: problems, large };
  const fatal = line.problems.some(({ severity }) => severity === 'error');
  return { row: fatal ? null : row, found: [...line.problems, ...problems], large };
}

const lacksDocumentAlone = (problems: readonly Problem[]) =>
  problems.every(({ severity, code }) => severity !== 'error' || code === missingForAmount);
const anyDocuments = (rules: RowRules): RowRules => ({ ...rules, documents: 'off' });

const saidIn = (cells: Cells, field: Field) =>
  (cells[field] === undefined ? '' : shownText(cells[field]).trim()) || null;

const accountFields = {
  SouthAfrica: 'account_number',
  Nigeria: 'account_number',
  Kenya: 'contact_number',
  BTC: 'lnurl',
} as const satisfies Record<PayoutCountry, Field>;

function invalidLine({ cells, number, own }: Line, { defaults }: RowRules, found: readonly Problem[]): InvalidLine {
  const rowId = saidIn(cells, 'row_id');
  const country = payoutCountryOf(saidIn({ ...defaults, ...cells }, 'country') ?? '');
  const field =
    country === undefined
      ? Object.values(accountFields).find((one) => saidIn(cells, one) !== null)
      : accountFields[country];
  const isWrong = found.some(({ column, severity }) => column === field && severity === 'error');
  const account = field === undefined || isWrong ? null : saidIn(cells, field);
  const name = saidIn(cells, 'name') ?? '';
  const reference = saidIn(cells, 'reference');
  const content = contentOfMistake({ rowId, name, country, account, reference });
  const id = own.row ?? rowId;
  return { number, key: id, id, name, content };
}

function claimFiled(filed: RowDocuments, { cells, number }: Line, row: Row | null): void {
  const id = row?.rowId ?? saidIn(cells, 'row_id');
  if (id !== null) filed.claim(id, number);
}

async function findDocuments(row: Row, find: ReturnType<typeof documentFinder>, problems: Problem[]) {
  const documents: DraftDocument[] = [];
  let isUsable = true;
  for (const name of new Set(row.documents)) {
    const found = await find(name);
    if ('document' in found) documents.push(found.document);
    else {
      problems.push(documentProblem(row.number, name, found.fault));
      isUsable &&= found.fault.code === missingDocument;
    }
  }
  return isUsable ? documents : null;
}

/** A short digest has 16 digits of 5 bits, because a person cannot read more aloud. */
const shortDigits = 16;

export const shortDigest = (hex: string): string => crockford(Buffer.from(hex, 'hex'), shortDigits);

function draftRow(row: Row, line: Line, documents: readonly DraftDocument[]): DraftRow {
  const key = keyOf(row, line);
  // In a result, `payrun_row` names the row. Another row_id beside it changes nothing.
  const rowId = line.own.row === null ? row.rowId : key === shortDigest(rowDigest(row)) ? null : key;
  return {
    number: row.number,
    key,
    rowId: idOf(row, line),
    ...columnsOf(row),
    content: contentOf({ ...row, rowId }),
    payee: payeeOf(row),
    documents,
  };
}

/** Refuses a row without an id that repeats another row. Warns of other like rows and of shared accounts, since only a person knows if they are intended. */
function* alikeProblems(draft: Draft, sheet: Sheet): Iterable<Problem> {
  for (const { number, other: row, reference: here, otherReference: reference, lacksId } of draft.alike())
    yield lacksId === 1
      ? untold(number, row, sheet)
      : batchProblem(
          'ROW_ALIKE',
          'warning',
          { row, reference, here },
          { row: number, column: 'reference', value: here },
        );
  const shared = draft.sharedAccounts(mostShared + 1);
  for (const { number, above: row } of shared.slice(0, mostShared))
    yield batchProblem('PAYEE_SHARES', 'warning', { row }, { row: number });
  if (shared.length > mostShared) yield batchProblem('PAYEE_SHARES', 'warning', { moreThan: mostShared });
}

const mostShared = 1000;

const idOf = ({ rowId }: Row, { own }: Line) => own.row ?? rowId;

const keyOf = (row: Row, line: Line): string => idOf(row, line) ?? shortDigest(rowDigest(row));

function repeated(row: DraftRow, first: number, sheet: Sheet): Problem {
  if (row.key === shortDigest(row.digest)) return untold(row.number, first, sheet);
  const place = { row: row.number, column: 'row_id', value: row.key };
  const id = sheet.initiation === null ? 'row_id' : 'EndToEndId';
  return batchProblem('ROW_ID_REPEATED', 'error', { row: first, id }, place);
}

function untold(number: number, row: number, { initiation, columns }: Sheet): Problem {
  const hasIds = columns.includes('row_id');
  const fix = initiation !== null ? 'end-to-end-ids' : hasIds ? 'other-ids' : 'id-column';
  return batchProblem('ROW_REPEATED', 'error', { row, fix }, { row: number, column: hasIds ? 'row_id' : null });
}

type Sums = Map<string, { readonly sum: Sum; readonly terms: AmountTerms }>;

function addUp(sums: Sums, row: Row, decimals: AmountTerms['decimals']): void {
  // Sums amounts in cents and in whole units separately, because they have no common total.
  const key = `${row.currency} ${decimals}`;
  const terms = { currency: row.currency, unit: row.unit, decimals, numberFormat: null };
  const one = sums.get(key) ?? { sum: createSum(), terms };
  one.sum.add(row.amount);
  sums.set(key, one);
}

const tooLargeSums = (sums: Sums): Problem[] =>
  [...sums.values()]
    .filter(({ sum }) => sum.value() === undefined)
    .map(({ terms: { currency } }) => batchProblem('SUM_TOO_LARGE', 'error', { currency }));

const isUncached = (cell: Cell) => typeof cell !== 'string' && cell.kind === 'uncached';

function belowTotal(sheet: Sheet): Note[] {
  const rows = sheet.belowTotal();
  return rows.length === 0 ? [] : [{ note: 'rows-below-total', rows }];
}

function controlTotal(
  sheet: Sheet,
  sums: Sums,
  invalid: number,
  numberFormat: RowRules['numberFormat'],
): Problem | Note | null {
  const total = sheet.controlTotal();
  if (total === null) return null;
  const compared = (check: TotalCheck): Note => ({ note: 'total-compared', row: total.row, check });
  const cell = total.cells.amount;
  if (cell === undefined) return compared({ is: 'no-amount' });
  if (sheet.leftOut() > 0) return compared({ is: 'rows-left-out', rows: sheet.leftOut() });
  if (invalid > 0) return compared({ is: 'rows-to-correct', rows: invalid });
  const [only, ...others] = [...sums.values()];
  if (only === undefined) return compared({ is: 'no-rows' });
  if (others.length > 0) {
    const currencies = new Set([only, ...others].map(({ terms }) => terms.currency));
    return compared({ is: 'no-common-sum', currencies: [...currencies] });
  }
  const said = readAmount(cell, { ...only.terms, numberFormat }).value;
  const summed = only.sum.exact();
  const { unit, currency } = only.terms;
  if (said !== undefined && BigInt(said) === summed) return compared({ is: 'equal', amount: said, unit, currency });
  const shown = shownText(cell);
  const sum = { amount: String(summed), unit, currency };
  const facts = { row: total.row, says: isUncached(cell) ? null : shown, sum };
  // The problem names no row, so that --skip-invalid cannot leave it out.
  return batchProblem('TOTAL_DIFFERS', 'error', facts, { column: 'amount', value: shown });
}
