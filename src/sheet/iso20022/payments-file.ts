/**
 * Reads a file of payments (ISO 20022, pain.001) as a workbook. One sheet has the transactions, and a hidden sheet has
 * the message header. Refuses a file with wrong control sums, because payments may be missing or changed.
 */
import { PayrunError } from '../../base/errors.ts';
import { wordsIn } from '../../base/words.ts';
import { bankByBranch } from '../../domain/accounts/bank.ts';
import { payoutCountryOf } from '../../domain/accounts/country.ts';
import { decimalText, exactDecimal } from '../../domain/amounts/exact-decimal.ts';
import type { Cell } from '../../domain/rows/cell.ts';
import { chunksOf, type OpenFile, refuseForeign } from '../file/open-file.ts';
import type { RawRow, StoredCell } from '../file/raw-row.ts';
import type { Workbook } from '../xlsx/workbook.ts';
import { createXmlStream } from '../xml/xml-stream.ts';

const transactionsSheet = 'transactions';
export const messageSheet = 'message';

const initiationColumns = ['PmtInfId', 'InstrId', 'EndToEndId', 'ReqdExctnDt'] as const;
const columns = [
  ...wordsIn(
    'row_id name country bank_name bank_code branch_code account_number contact_number amount currency reference',
  ),
  ...initiationColumns,
] as const;
type Column = (typeof columns)[number];

const space = 'urn:iso:std:iso:20022:tech:xsd:';
const versions = ['pain.001.001.03', 'pain.001.001.09'] as const;

const readBytes = 64 * 1024;
const rowsPerBatch = 500;
const maxText = 2000;

const wanted: { readonly [path: string]: string } = {
  'GrpHdr/MsgId': 'messageId',
  'GrpHdr/CreDtTm': 'created',
  'GrpHdr/NbOfTxs': 'count',
  'GrpHdr/CtrlSum': 'sum',
  'PmtInf/PmtInfId': 'batchId',
  'PmtInf/PmtMtd': 'method',
  'PmtInf/NbOfTxs': 'batchCount',
  'PmtInf/CtrlSum': 'batchSum',
  'PmtInf/ReqdExctnDt': 'date',
  'PmtInf/ReqdExctnDt/Dt': 'date',
  'PmtInf/ReqdExctnDt/DtTm': 'date',
  'PmtInf/CdtTrfTxInf/PmtId/InstrId': 'instructionId',
  'PmtInf/CdtTrfTxInf/PmtId/EndToEndId': 'endToEndId',
  'PmtInf/CdtTrfTxInf/Amt/InstdAmt': 'amount',
  'PmtInf/CdtTrfTxInf/CdtrAgt/FinInstnId/BIC': 'bic',
  'PmtInf/CdtTrfTxInf/CdtrAgt/FinInstnId/BICFI': 'bic',
  'PmtInf/CdtTrfTxInf/CdtrAgt/FinInstnId/ClrSysMmbId/MmbId': 'member',
  'PmtInf/CdtTrfTxInf/CdtrAgt/FinInstnId/Nm': 'bank',
  'PmtInf/CdtTrfTxInf/CdtrAgt/FinInstnId/PstlAdr/Ctry': 'bankCountry',
  'PmtInf/CdtTrfTxInf/Cdtr/Nm': 'name',
  'PmtInf/CdtTrfTxInf/Cdtr/PstlAdr/Ctry': 'country',
  'PmtInf/CdtTrfTxInf/Cdtr/CtctDtls/MobNb': 'mobile',
  'PmtInf/CdtTrfTxInf/CdtrAcct/Id/IBAN': 'account',
  'PmtInf/CdtTrfTxInf/CdtrAcct/Id/Othr/Id': 'account',
  'PmtInf/CdtTrfTxInf/CdtrAcct/Prxy/Id': 'proxy',
  'PmtInf/CdtTrfTxInf/RmtInf/Ustrd': 'remittance',
  'PmtInf/CdtTrfTxInf/RmtInf/Strd/CdtrRefInf/Ref': 'creditorReference',
};
const several: ReadonlySet<string> = new Set(['remittance', 'creditorReference']);

/** Returns the fields to read by path. The execution date is a text in version .03, but a child element in version .09. */
function fieldsOf(version: string): ReadonlyMap<string, string> {
  const isOld = version === versions[0];
  const isRead = (path: string) => !path.includes('ReqdExctnDt') || path.endsWith('ReqdExctnDt') === isOld;
  return new Map(Object.entries(wanted).filter(([path]) => isRead(path)));
}

const parents: ReadonlySet<string> = new Set(
  Object.keys(wanted).flatMap((path) => path.split('/').map((_, at, names) => names.slice(0, at).join('/'))),
);

type Values = Map<string, string>;

export async function openPayments(file: OpenFile, size: number): Promise<Workbook> {
  const sheets = [
    { name: transactionsSheet, hidden: false },
    { name: messageSheet, hidden: true },
  ];
  return {
    date1904: false,
    sheets,
    async *rows(sheet, extras) {
      extras?.({ widths: [], merges: [], maybeStruck: [], staleColumns: [] });
      const reader = createPaymentsReader();
      if (sheet.name === transactionsSheet) yield [{ number: 1, cells: columns.slice(), hidden: false }];
      for await (const chunk of chunksOf(file, 0, size, readBytes)) {
        reader.push(chunk);
        if (sheet.name === transactionsSheet) yield* reader.take(rowsPerBatch);
        else if (reader.message() !== null) break;
      }
      if (sheet.name === transactionsSheet) {
        reader.end();
        yield* reader.take(1);
      } else yield [{ number: 1, cells: reader.message() ?? refuseElement('GrpHdr'), hidden: false }];
    },
    look: async () => ({ styles: [], kinds: [], rows: [], columns: [], frozen: null }),
  };
}

interface Tally {
  count: number;
  units: bigint;
}

function createPaymentsReader() {
  let version: string | null = null;
  let fields: ReadonlyMap<string, string> = new Map();
  /** The open elements. The path is null for an element that Payrun does not read, and empty for the two outermost. */
  const open: { readonly path: string | null; readonly name: string; text: string }[] = [];
  const fieldAt = (path: string | null) => (path === null ? undefined : fields.get(path));
  const header: Values = new Map();
  let headed = false;
  let batch: Values = new Map();
  let transaction: Values | null = null;
  const all: Tally = { count: 0, units: 0n };
  let ofBatch: Tally = { count: 0, units: 0n };
  let rows: RawRow[] = [];

  const stream = createXmlStream({
    open(name, namespace, attributes) {
      const outer = open.at(-1);
      if (outer !== undefined && fieldAt(outer.path) !== undefined) refuseElement(outer.name);
      const path = pathOf(name, namespace, outer?.path ?? null);
      open.push({ path, name, text: '' });
      // Payrun has no exchange rate, and so cannot pay an equivalent amount (`EqvtAmt`).
      if (name === 'EqvtAmt' && outer?.path != null)
        throw new PayrunError('PAYMENTS_NEED_EXCHANGE', { transaction: all.count + 1, id: idOf(transaction!) });
      if (path === null) return;
      if (name === 'PmtInf') {
        if (!headed) refuseElement('GrpHdr');
        batch = new Map();
        ofBatch = { count: 0, units: 0n };
      } else if (name === 'CdtTrfTxInf') {
        const method = batch.get('method') ?? '';
        if (method !== 'TRF') throw new PayrunError('PAYMENTS_METHOD_NOT_PAID', { method });
        transaction = new Map();
      } else if (name === 'InstdAmt') take(name, 'currency', attributes.get('Ccy') ?? '');
    },
    text(text) {
      const one = open.at(-1)!;
      if (fieldAt(one.path) === undefined) {
        if (one.path !== null && text.trim() !== '') refuseElement(one.name);
        return;
      }
      one.text += text;
      if (one.text.length > maxText) refuseElement(one.name);
    },
    close() {
      const { path, name, text } = open.pop()!;
      if (path === null) return;
      const field = fieldAt(path);
      if (field !== undefined) take(name, field, text.trim());
      else if (name === 'GrpHdr') headed = true;
      else if (name === 'CdtTrfTxInf') endTransaction();
      else if (name === 'PmtInf') {
        checkSums(batch.get('batchId') ?? '', batch.get('batchCount'), batch.get('batchSum'), ofBatch);
      } else if (open.length === 1) endMessage();
    },
  });

  return {
    push: (chunk: Buffer) => stream.push(chunk),
    end: () => stream.end(),
    *take(least: number): Generator<RawRow[]> {
      if (rows.length < least) return;
      const taken = rows;
      rows = [];
      yield taken;
    },
    message: (): string[] | null =>
      headed ? [version!, ...['messageId', 'created', 'count', 'sum'].map((field) => header.get(field) ?? '')] : null,
  };

  function pathOf(name: string, namespace: string, outer: string | null): string | null {
    if (open.length === 0) {
      version = versionOf(name, namespace);
      fields = fieldsOf(version);
      return '';
    }
    if (open.length === 1 && name !== 'CstmrCdtTrfInitn') refuseElement(name);
    // Skips elements in other namespaces, which belong to other programs.
    if (outer === null || namespace !== space + version) return null;
    if (open.length === 1) return '';
    const path = outer === '' ? name : `${outer}/${name}`;
    return fields.has(path) || parents.has(path) ? path : null;
  }

  function take(name: string, field: string, text: string): void {
    const values = transaction ?? (headed ? batch : header);
    if (transaction === null && headed && ofBatch.count > 0) refuseElement('CdtTrfTxInf');
    const before = values.get(field);
    if (before !== undefined && !several.has(field)) refuseElement(name);
    values.set(field, before === undefined ? text : `${before} ${text}`);
  }

  function endTransaction(): void {
    const values = transaction!;
    transaction = null;
    all.count += 1;
    ofBatch.count += 1;
    const units = exactDecimal(values.get('amount') ?? '0');
    if (units === null || units < 0n)
      throw new PayrunError('PAYMENTS_AMOUNT_NO_DECIMAL', { transaction: all.count, id: idOf(values) });
    all.units += units;
    ofBatch.units += units;
    rows.push({ number: all.count + 1, cells: cellsOf(values, batch), hidden: false });
  }

  function endMessage(): void {
    if (!headed || all.count === 0) throw new PayrunError('PAYMENTS_NONE', {});
    checkSums(null, header.get('count') ?? '', header.get('sum'), all);
  }
}

function versionOf(name: string, namespace: string): string {
  const version = namespace.startsWith(space) ? namespace.slice(space.length) : null;
  if (name !== 'Document' || version === null) return refuseForeign('xml');
  if ((versions as readonly string[]).includes(version)) return version;
  const isPayments = version.startsWith('pain.001.');
  throw new PayrunError('PAYMENTS_VERSION_NOT_READ', { version, isPayments, read: versions });
}

function refuseElement(element: string): never {
  throw new PayrunError('PAYMENTS_MALFORMED', { element });
}

function checkSums(
  group: string | null,
  count: string | undefined,
  sum: string | undefined,
  { count: found, units }: Tally,
): void {
  const paid = decimalText(units);
  if (count !== undefined && (!/^\d{1,15}$/.test(count) || Number(count) !== found))
    throw new PayrunError('PAYMENTS_TOTAL_DIFFERS', { group, element: 'NbOfTxs', says: count, found: String(found) });
  if (sum !== undefined && exactDecimal(sum) !== units)
    throw new PayrunError('PAYMENTS_TOTAL_DIFFERS', { group, element: 'CtrlSum', says: sum, found: paid });
}

const notProvided = 'NOTPROVIDED';

function idOf(values: Values): string {
  const [id = ''] = [values.get('endToEndId'), values.get('instructionId')].filter((one) => one && one !== notProvided);
  return id;
}

/** Returns the country of the bank. The payee's own country comes last, because a payee may live elsewhere. */
function countryOf(values: Values): string {
  const bic = values.get('bic') ?? '';
  return values.get('bankCountry') ?? (bic.length >= 6 ? bic.slice(4, 6) : undefined) ?? values.get('country') ?? '';
}

/** Returns the amount as a number cell, because the text `1.500` might mean one thousand five hundred. */
function amountCell(text: string): StoredCell {
  const plain = text.replace(/^\+/, '').replace(/\.0*$/, '');
  return { kind: 'number', text: plain, shown: plain, formula: false, format: null, unseen: null, sum: null };
}

function phoneOf(values: Values, account: string): string {
  if (/^(?:\+?254|0)-?[17]\d{8}$/.test(account)) return account;
  return values.get('proxy') ?? (account === '' ? (values.get('mobile') ?? '') : '');
}

function cellsOf(values: Values, batch: Values): Cell[] {
  const country = countryOf(values);
  const where = payoutCountryOf(country);
  const member = values.get('member') ?? '';
  const branch = where === 'SouthAfrica' ? bankByBranch(member) : undefined;
  // If the file has no bank name or code, the BIC becomes the bank's name, so that a problem shows the BIC.
  const bank = values.get('bank') ?? branch?.name ?? (member === '' ? (values.get('bic') ?? '') : '');
  const account = values.get('account') ?? '';
  const phone = where === 'Kenya' ? phoneOf(values, account) : '';
  const amount = values.get('amount') ?? '';
  const cells: { readonly [C in Column]: Cell } = {
    row_id: idOf(values),
    name: values.get('name') ?? '',
    country,
    bank_name: where === 'Kenya' ? '' : bank,
    bank_code: where === 'Nigeria' ? member : '',
    branch_code: where === 'SouthAfrica' ? member : '',
    account_number: phone !== '' && phone === account ? '' : account,
    contact_number: phone.replace('-', ''),
    amount: amount === '' ? '' : amountCell(amount),
    currency: values.get('currency') ?? '',
    reference: values.get('remittance') ?? values.get('creditorReference') ?? '',
    PmtInfId: batch.get('batchId') ?? '',
    InstrId: values.get('instructionId') ?? '',
    EndToEndId: values.get('endToEndId') ?? '',
    ReqdExctnDt: (batch.get('date') ?? '').slice(0, 10),
  };
  return columns.map((column) => cells[column]);
}
