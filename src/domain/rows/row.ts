/** A row, and the rules for reading it from a line. */
import { byWord } from '../../base/words.ts';
import {
  type Currency,
  currencyOf,
  type PayoutCountry,
  payoutCountries,
  payoutCountryOf,
  type SourceCountry,
  sourceCountryOf,
} from '../accounts/country.ts';
import { destinationOf } from '../accounts/destination.ts';
import type { Destination } from '../accounts/merchant.ts';
import { type AmountTerms, type AmountUnit, amountMissing, readAmount } from '../amounts/money.ts';
import { type Cells, calculated, unusable } from './cell.ts';
import { type Finding, finding } from './finding.ts';
import {
  cellOf,
  type DocumentsPolicy,
  hasProblem,
  type RowCheck,
  type RowRules,
  report,
  textOf,
  typedText,
  valueFrom,
} from './line.ts';
import { readName, readReference } from './name-and-reference.ts';
import { fold, isTypingSlip } from './text.ts';

export type { AmountUnit } from '../amounts/money.ts';
export { problemAt } from './finding.ts';
export type { DocumentsPolicy, RowRules } from './line.ts';

export interface Row {
  readonly number: number;
  readonly rowId: string | null;
  /** Payrun uses this id only to recognise the payee. The payment does not contain the id. */
  readonly payeeId: string | null;
  readonly name: string;
  readonly destination: Destination;
  /** A whole number of `unit`s, from 1 to 2^53 - 1. */
  readonly amount: number;
  readonly unit: AmountUnit;
  /** The destination's currency, or USDT if USDT funds the row. */
  readonly currency: Currency | 'USDT';
  readonly reference: string;
  readonly fromCountry: SourceCountry | null;
  readonly collectionMethod: 'MOMO' | 'BANK_TRANSFER' | null;
  readonly type: string | null;
  readonly slow: boolean;
  /** The sheet's own tag, sent in the payment's `meta`. The payment's `tag` is always Payrun's. */
  readonly ownTag: string | null;
  readonly merchantId: string | null;
  readonly documents: readonly string[];
}

export type { Cells };

/**
 * Reads every field even after an error, so that a person gets all problems at once. `large` is true if the line pays over
 * 50,000 ZAR to South Africa, even if it has errors. Such a line needs documents.
 */
export function parseRow(cells: Cells, number: number, rules: RowRules) {
  const line: RowCheck = { number, cells, rules, problems: [], failed: false };
  const rowId = idOf(line, 'row_id');
  const payeeId = idOf(line, 'payee_id');
  const name = nameOf(line);
  const country = countryOf(line);
  const destination = country === undefined ? undefined : destinationOf(line, country);
  const merchantId = merchantIdOf(line);
  const fromCountry = fromCountryOf(line);
  const counted = countedOf(line, country, fromCountry);
  const reference = referenceOf(line);
  const collectionMethod = collectionMethodOf(line, fromCountry);
  const type = typeOf(line);
  const slow = slowOf(line);
  const ownTag = textOf(line, 'tag') ?? null;
  const documents = documentsOf(line);
  if (counted !== undefined && country !== undefined && !(rowId !== null && line.rules.filed?.(rowId) === true))
    checkDocuments(line, country, counted, documents);
  const large = country === 'SouthAfrica' && counted?.currency === 'ZAR' && counted.amount > documentsAboveZar;
  if (
    line.failed ||
    name === undefined ||
    destination === undefined ||
    counted === undefined ||
    reference === undefined
  ) {
    return { row: null, problems: line.problems, large };
  }
  const row: Row = {
    number,
    rowId,
    payeeId,
    name,
    destination,
    ...counted,
    reference,
    fromCountry,
    collectionMethod,
    type,
    slow,
    ownTag,
    merchantId,
    documents,
  };
  return { row, problems: line.problems, large };
}

const idPattern = /^[^\p{Cc}]{1,200}$/u;
/** Matches `1.0E5` and `1E+05`, forms in which several ids look the same. `12E5` may be a real id. */
const scientific = /^\d+(?:[.,]\d*[eE]\+?|[eE]\+)\d+$/;
const invalid = { row_id: 'ROW_ID_INVALID', payee_id: 'PAYEE_ID_INVALID' } as const;

/** Accepts nearly every text, because Payrun only compares an id with other ids. */
function idOf(line: RowCheck, field: 'row_id' | 'payee_id'): string | null {
  const text = textOf(line, field) ?? null;
  if (text === null || (idPattern.test(text) && !scientific.test(text))) return text;
  const lost = scientific.test(text) && finding('CELL_NUMBER', 'error', { field, text, why: 'scientific' });
  report(line, field, lost || finding(invalid[field], 'error', { id: text }));
  return null;
}

function nameOf(line: RowCheck): string | undefined {
  const text = textOf(line, 'name');
  if (text !== undefined) return valueFrom(line, 'name', readName(text, line.rules.letters));
  if (!hasProblem(line, 'name')) valueFrom(line, 'name', readName(''));
  return undefined;
}

// Only the service knows the form of its ids. The pattern refuses characters that could change the path of a URL.
const merchantIdPattern = /^[A-Za-z0-9_-]{1,100}$/;

function merchantIdOf(line: RowCheck): string | null {
  const text = textOf(line, 'merchant_id');
  if (text === undefined) return null;
  if (merchantIdPattern.test(text)) return text;
  report(line, 'merchant_id', finding('MERCHANT_ID_INVALID', 'error', { id: text }));
  return null;
}

function countryOf(line: RowCheck): PayoutCountry | undefined {
  const text = textOf(line, 'country', true);
  if (text === undefined) {
    if (!hasProblem(line, 'country')) report(line, 'country', finding('COUNTRY_MISSING', 'error', {}));
    return undefined;
  }
  const country = payoutCountryOf(text);
  if (country !== undefined) return country;
  const source = sourceCountryOf(text);
  if (source !== undefined && !Object.hasOwn(currencyOf, source))
    return report(line, 'country', finding('COUNTRY_SOURCE_ONLY', 'error', { country: text }));
  const near = nearestCountry(text);
  report(line, 'country', finding('COUNTRY_UNKNOWN', 'error', { country: text, suggestion: near }));
  // Payrun refuses the line, but uses the likely country to find mistakes in the other fields.
  return near ?? undefined;
}

/** Unclear short forms, and names in other languages. Payrun refuses the word, but suggests the country. */
const otherForms = byWord<PayoutCountry>({
  SouthAfrica:
    'sa saf safrica südafrika suedafrika sudafrika suidafrika zuidafrika afriquedusud sudafrica sudáfrica áfricadosul africadosul afrikakusini iningizimuafrika',
  Nigeria: 'nig',
});

/** Payrun recognises no typing mistake in a shorter word, because one changed letter could make another word. */
const leastSlipped = 5;

function nearestCountry(text: string): PayoutCountry | null {
  const word = fold(text);
  const meant = otherForms.get(word);
  if (meant !== undefined) return meant;
  for (const country of payoutCountries) {
    const slip = word.length >= leastSlipped && isTypingSlip(word, country.toLowerCase());
    if (slip || word === currencyOf[country].toLowerCase()) return country;
  }
  return null;
}

function fromCountryOf(line: RowCheck): SourceCountry | null {
  const text = textOf(line, 'from_country', true);
  if (text === undefined) return null;
  const source = sourceCountryOf(text);
  if (source !== undefined) return source;
  report(line, 'from_country', finding('FROM_COUNTRY_UNKNOWN', 'error', { country: text }));
  return null;
}

function collectionMethodOf(line: RowCheck, from: SourceCountry | null): 'MOMO' | 'BANK_TRANSFER' | null {
  const text = textOf(line, 'collection_method', true);
  if (text === undefined) return null;
  const word = fold(text);
  const method = word === 'momo' || word === 'mobilemoney' ? 'MOMO' : word === 'banktransfer' ? 'BANK_TRANSFER' : null;
  if (method === null) {
    report(line, 'collection_method', finding('COLLECTION_METHOD_UNKNOWN', 'error', { method: text }));
    return null;
  }
  if (from === 'Kenya') return method;
  // A value for the whole batch gets no warning, because it may be meant for rows with funding from Kenya.
  if (line.cells.collection_method !== undefined) {
    const facts = { field: 'collection_method', country: null };
    report(line, 'collection_method', finding('FIELD_UNUSED', 'warning', facts));
  }
  return null;
}

type Counted = Pick<Row, 'amount' | 'unit' | 'currency'>;

function countedOf(
  line: RowCheck,
  country: PayoutCountry | undefined,
  from: SourceCountry | null,
): Counted | undefined {
  const cell = cellOf(line, 'amount');
  if (cell === undefined) report(line, 'amount', amountMissing());
  if (country === undefined) return undefined;
  const currency = from === 'USDT' ? 'USDT' : currencyOf[country];
  checkCurrency(line, currency, country);
  const terms = termsOf(line, currency);
  if (cell === undefined || terms === undefined) return undefined;
  const amount = valueFrom(line, 'amount', readAmount(cell, terms));
  return amount === undefined ? undefined : { amount, unit: terms.unit, currency };
}

function checkCurrency(line: RowCheck, currency: Currency | 'USDT', country: PayoutCountry): void {
  const text = textOf(line, 'currency', true);
  if (text === undefined || text === currency) return;
  const word = fold(text).toUpperCase();
  const satoshis = currency === 'BTC' && (word === 'SAT' || word === 'SATS');
  if (word === currency || satoshis || (currency === 'USDT' && word === 'TETHER')) return;
  const header = line.cells.currency === undefined ? (line.rules.currencyHeader ?? null) : null;
  // Gives no suggestion: the same number in another currency would be another amount of money.
  const facts = { currency: text, header, expected: currency, country };
  report(line, 'currency', finding('CURRENCY_MISMATCH', 'error', facts));
}

type UnitTerms = Pick<AmountTerms, 'unit' | 'decimals'>;

const wholeUnits: UnitTerms = { unit: 'whole', decimals: 0 };
const satoshis: UnitTerms = { unit: 'sat', decimals: 0 };
const cents: UnitTerms = { unit: 'whole', decimals: -2 };
const hundredths: UnitTerms = { unit: 'hundredths', decimals: 0 };
const decimalUsdt: UnitTerms = { unit: 'hundredths', decimals: 2 };

function termsOf(line: RowCheck, currency: Currency | 'USDT'): AmountTerms | undefined {
  const unit = unitOf(line, currency);
  return unit === undefined ? undefined : { ...unit, currency, numberFormat: line.rules.numberFormat };
}

/** The sheet or a setting must name the unit of USDT and BTC: a wrong unit could pay a hundred times too much. */
function unitOf(line: RowCheck, currency: Currency | 'USDT'): UnitTerms | undefined {
  const text = textOf(line, 'amount_unit', true);
  if (text === undefined) return unnamedUnit(line, currency);
  const word = fold(text);
  const unit = centsOfSheet(line, word, currency) ?? namedUnit(word, currency);
  if (unit === undefined)
    report(line, 'amount_unit', finding('AMOUNT_UNIT_INVALID', 'error', { unit: text, currency }));
  return unit;
}

/** Accepts `cents` only from the sheet's map. In a cell of one line, the word is probably a mistake. */
function centsOfSheet(line: RowCheck, word: string, currency: Currency | 'USDT'): UnitTerms | undefined {
  if (word !== 'cents' || currency === 'USDT' || currency === 'BTC') return undefined;
  return line.cells.amount_unit === undefined ? cents : undefined;
}

const usdtUnits: ReadonlyMap<string, UnitTerms> = new Map([
  ['hundredths', hundredths],
  ['usdt', decimalUsdt],
]);
const btcUnits: ReadonlySet<string> = new Set(['sat', 'sats', 'satoshi', 'satoshis']);

export function namedUnit(word: string, currency: Currency | 'USDT'): UnitTerms | undefined {
  if (currency === 'USDT') return usdtUnits.get(word);
  if (currency === 'BTC') return btcUnits.has(word) ? satoshis : undefined;
  return word === 'whole' || word === currency.toLowerCase() ? wholeUnits : undefined;
}

function unnamedUnit(line: RowCheck, currency: Currency | 'USDT'): UnitTerms | undefined {
  if (currency !== 'USDT' && currency !== 'BTC') return wholeUnits;
  if (currency === 'BTC' && line.rules.btcUnit === 'sat') return satoshis;
  return report(line, 'amount_unit', finding('AMOUNT_UNIT_MISSING', 'error', { currency }));
}

function referenceOf(line: RowCheck): string | undefined {
  const cell = cellOf(line, 'reference');
  if (cell === undefined) return valueFrom(line, 'reference', readReference(''));
  if (typeof cell === 'string') return valueFrom(line, 'reference', readReference(cell, line.rules.letters));
  const text = typedText(line, 'reference', cell);
  if (text === undefined) return undefined;
  if (cell.kind === 'number') {
    const facts = { reference: text, date: dateOfSerial(text) };
    report(line, 'reference', finding('REFERENCE_FROM_NUMBER', 'warning', facts));
  }
  return valueFrom(line, 'reference', readReference(text));
}

/** Reads a number as a spreadsheet's date, in days since 1900. Returns null outside the years 2000 to 2050. */
function dateOfSerial(text: string): string | null {
  const day = Number(text);
  if (day < 36_526 || day > 55_153) return null;
  return new Date(Date.UTC(1899, 11, 30 + day)).toISOString().slice(0, 10);
}

const knownType = 'PURCHASE';

/** Refuses an unknown type, because the column may describe the account, as in `savings`. */
function typeOf(line: RowCheck): string | null {
  const text = textOf(line, 'type');
  if (text === undefined) return null;
  const known = [knownType, ...(line.rules.paymentTypes ?? [])];
  const type = known.find((one) => one.toUpperCase() === text.toUpperCase());
  if (type !== undefined) return type;
  report(line, 'type', finding('TYPE_INVALID', 'error', { type: text, known }));
  return null;
}

const slowWords: ReadonlySet<string> = new Set(['yes', 'y', 'true', '1', 'x']);
const notSlowWords: ReadonlySet<string> = new Set(['', 'no', 'n', 'false', '0']);

function slowOf(line: RowCheck): boolean {
  const cell = cellOf(line, 'slow');
  if (cell === undefined) return false;
  // Accepts boolean cells, which are mistakes in every other column.
  const wrong = typeof cell === 'string' || cell.kind === 'boolean' ? null : unusable('slow', cell);
  if (wrong !== null) {
    report(line, 'slow', wrong);
    return false;
  }
  const note = typeof cell === 'string' ? null : calculated('slow', cell);
  if (note !== null) report(line, 'slow', note);
  const text = typeof cell === 'string' ? cell : cell.text;
  const word = fold(text);
  if (slowWords.has(word)) return true;
  if (notSlowWords.has(word)) return false;
  report(line, 'slow', finding('SLOW_INVALID', 'error', { slow: text }));
  return false;
}

const noDocuments: readonly string[] = [];
/** A payment of more whole ZAR than this number should have supporting documents (interface 4.23). */
export const documentsAboveZar = 50_000;

function documentsOf(line: RowCheck): readonly string[] {
  const text = textOf(line, 'documents', true);
  if (text === undefined) return noDocuments;
  const names = text.split(';').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

function checkDocuments(line: RowCheck, country: PayoutCountry, counted: Counted, documents: readonly string[]): void {
  const policy = line.rules.documents;
  if (country !== 'SouthAfrica' || documents.length > 0 || policy === 'off') return;
  if (counted.currency === 'USDT') {
    report(line, 'documents', finding('DOCUMENT_AMOUNT_UNKNOWN', 'warning', { above: documentsAboveZar }));
  } else if (counted.amount > documentsAboveZar) {
    report(line, 'documents', lacksDocuments(policy, counted.amount));
  }
}

/** `together` is about all rows to one account. If their total is above the limit, each row needs documents. */
export function lacksDocuments(
  policy: Exclude<DocumentsPolicy, 'off'>,
  amount: number,
  together: { readonly total: number; readonly rows: number } | null = null,
): Finding {
  const severity = policy === 'require' ? 'error' : 'warning';
  const above = documentsAboveZar;
  return together === null || amount > above
    ? finding('DOCUMENT_MISSING_FOR_AMOUNT', severity, { amount, above })
    : finding('DOCUMENT_MISSING_TOGETHER', severity, { ...together, above });
}
