/** Reports missing columns, and suggests a map by similar names. Payrun never applies a suggestion by itself. */
import type { Problem } from '../../base/problem.ts';
import { byWord, wordsIn } from '../../base/words.ts';
import { currencyOf, type PayoutCountry } from '../../domain/accounts/country.ts';
import { type ShippedMapName, sheetProblem } from '../../domain/problems/sheet-problems.ts';
import type { Cells, Field } from '../../domain/rows/cell.ts';
import { editDistance, fold } from '../../domain/rows/text.ts';
import { type ColumnUse, headerKey, mappedColumns, type PerField, type SheetMap } from './column-map.ts';
import {
  currencyOfHeader,
  type Header,
  halvesOfName,
  isLineNumber,
  known,
  knownField,
  meantField,
  otherWords,
} from './header.ts';
import { countryOfCurrency, type ShippedMap, shippedMaps } from './shipped-maps.ts';

export interface HeaderFacts extends Pick<Header, 'unused' | 'problems' | 'amountCurrency' | 'ours'> {
  readonly header: readonly string[];
  /** The texts of the row that looks most like a header; empty if a header was found. */
  readonly likelyHeader: readonly string[];
  /** The field of each column; null if ignored. Columns of first and last names both have the field `name`. */
  readonly columns: readonly (Field | null)[];
}

/** A sheet needs a column or a default value for each of these fields. `instead` has other fields that are enough. */
const needs = wordsIn('name country account_number amount reference');
const instead: { readonly [F in Field]?: readonly Field[] } = { account_number: ['contact_number', 'lnurl'] };

export function missingColumns(
  { header, columns }: HeaderFacts,
  defaults: Cells,
  map: SheetMap | undefined,
): readonly Problem[] {
  if (header.length === 0) return [];
  const { name = null, lacks = [] } = map?.shipped ?? {};
  const fields: Field[] = missing(columns, defaults);
  const hasBank = columns.includes('bank_name') || defaults.bank_name !== undefined;
  if (!hasBank && lacks.includes('bank_name')) fields.push('bank_name');
  return fields.map((column) => {
    const facts = { field: column, map: lacks.includes(column) ? name : null };
    return sheetProblem('COLUMN_MISSING', 'error', facts, { column });
  });
}

function missing(columns: readonly (Field | null)[], defaults: Cells) {
  const has = (field: Field) => columns.includes(field) || defaults[field] !== undefined;
  return needs.filter((field) => !has(field) && instead[field]?.some(has) !== true);
}

export interface SuggestedMap {
  readonly columns: SheetMap['columns'];
  /** Values for fields without a column. Payrun refuses empty values, so a person must fill them in. */
  readonly values: PerField<string>;
  readonly words?: SheetMap['words'];
}

export interface MapAdvice {
  /** True if Payrun cannot pay the sheet without a map. False if Payrun only ignores some columns. */
  readonly needed: boolean;
  readonly shipped: ShippedMapName | null;
  readonly guesses: readonly { readonly header: string; readonly column: ColumnUse }[];
  readonly suggested: SuggestedMap;
}

const destinationFields: readonly Field[] = ['bank_name', 'bank_code', 'branch_code', 'contact_number', 'lnurl'];

const headerCodes = ['HEADER_MISSING', 'HEADER_CHARACTERS', 'HEADER_MISSPELT', 'HEADER_UNIT', 'COLUMN_TWICE'];

/** `currencies` lists the headers of ignored columns that hold currency codes. */
export function adviseMap(
  sheet: HeaderFacts,
  defaults: Cells,
  map: SheetMap | undefined,
  currencies: readonly string[] = [],
): MapAdvice | null {
  const header = sheet.header.length === 0 ? sheet.likelyHeader : sheet.header;
  if (map?.shipped !== undefined || header.length === 0) return null;
  const needed =
    sheet.problems.some(({ code }) => headerCodes.includes(code)) || missing(sheet.columns, defaults).length > 0;
  if (!needed && sheet.unused.length === 0) return null;
  const theirs = header.map((text, index) => (sheet.ours[index] === true ? '' : text));
  const likely = suggestMap(theirs, sheet.columns, sheet.amountCurrency, defaults, map);
  const [mapped] = Object.entries(likely.columns).find(([, use]) => use === 'currency') ?? [];
  const currency = mapped ?? currencies.find((text) => !isOfSender(wordsOf(text)));
  const suggested = currency === undefined ? likely : withCurrency(likely, currency);
  const shipped = needed ? shippedFor(header) : null;
  const guesses = sheet.unused.flatMap((text) => {
    const column = suggested.columns[text];
    return typeof column === 'string' ? [{ header: text, column }] : [];
  });
  return { needed, shipped, guesses, suggested };
}

/** Adds a column of currency codes. If the country is missing, the codes also show the country: ZAR is South Africa. */
function withCurrency({ columns, values }: SuggestedMap, header: string): SuggestedMap {
  const { country, ...others } = values;
  if (country !== '') return { columns: { ...columns, [header]: 'currency' }, values };
  return { columns: { ...columns, [header]: 'country' }, values: others, words: { country: countryOfCurrency } };
}

export const shippedFor = (header: readonly string[]): MapAdvice['shipped'] =>
  shippedMaps.find((one) => fitsHeader(one, header))?.name ?? null;

/** True if the header has all required columns of the map. Any other known field must be in `lacks`. */
function fitsHeader(map: ShippedMap, header: readonly string[]): boolean {
  const keys = header.map(headerKey);
  const mapped = mappedColumns(map);
  const complete = [...mapped].every(([key, { uses, optional }]) => {
    const count = keys.filter((one) => one === key).length;
    return count === uses.length || (count === 0 && optional);
  });
  const addable = new Set<string>(map.shipped.lacks);
  if (addable.has('account_number')) for (const field of destinationFields) addable.add(field);
  return (
    complete &&
    header.every((text) => {
      const field = knownField(text);
      return mapped.has(headerKey(text)) || field === undefined || addable.has(field);
    })
  );
}

function suggestMap(
  header: readonly string[],
  columns: readonly (Field | null)[],
  amountCurrency: string | null,
  defaults: Cells,
  map: SheetMap | undefined,
): SuggestedMap {
  const mapped = mappedColumns(map);
  const taken = new Set<ColumnUse>(columns.filter((field) => field !== null));
  const parts = halvesOfName(header.map((text) => (mapped.has(headerKey(text)) ? '' : text)));
  const uses: ColumnUse[] = header.map((_, index) => parts[index] ?? columns[index] ?? null);
  const free = header.flatMap((text, index) =>
    uses[index] !== null || isNothing(text) || mapped.has(headerKey(text))
      ? []
      : fieldScores(text).map((one) => ({ ...one, index })),
  );
  // Each field goes to the most similar header, because Payrun refuses a map with two columns for one field.
  for (const { index, field } of free.sort((a, b) => b.score - a.score)) {
    if (uses[index] !== null || taken.has(field)) continue;
    uses[index] = field;
    taken.add(field);
  }
  const named = header.flatMap((text, index) => (text.trim() === '' ? [] : [{ text, use: onlyOnce(uses, index) }]));
  const byHeader = Map.groupBy(named, ({ text }) => headerKey(text));
  return {
    columns: Object.fromEntries(
      Array.from(byHeader.values(), ([first, ...more]) => [
        first!.text,
        more.length === 0 ? first!.use : [first!, ...more].map(({ use }) => use),
      ]),
    ),
    values: suggestValues(header, uses, amountCurrency, defaults, map),
  };
}

function onlyOnce(uses: readonly ColumnUse[], index: number): ColumnUse {
  const use = uses[index] ?? null;
  return use !== null && uses.indexOf(use) < index ? null : use;
}

const isNothing = (text: string) => text.trim() === '' || isLineNumber(text);

function suggestValues(
  header: readonly string[],
  uses: readonly ColumnUse[],
  amountCurrency: string | null,
  defaults: Cells,
  map: SheetMap | undefined,
): PerField<string> {
  const fixed = map?.values ?? {};
  const has = (field: Field) => uses.includes(field) || defaults[field] !== undefined || fixed[field] !== undefined;
  const currency = amountCurrency ?? header.map(currencyOfHeader).find((one) => one !== null) ?? null;
  const country = (Object.keys(currencyOf) as PayoutCountry[]).find((one) => currencyOf[one] === currency);
  const amount = header[uses.indexOf('amount')] ?? '';
  return {
    ...fixed,
    ...(has('country') ? {} : { country: country ?? '' }),
    ...(has('reference') ? {} : { reference: '' }),
    ...(countsCents(amount) && !has('amount_unit') ? { amount_unit: 'cents' } : {}),
  };
}

const countsCents = (header: string) => /\b(?:cents?|kobo)\b/i.test(header);

const leastAlike = 0.75;

/** Words that change a header's meaning: a `vendor id` is an id, and a `payment date` is a date. */
const otherThings: readonly string[] = wordsIn('id key number code date type status email address city fee balance');

/** True for a header about the sender, such as `source account`, which is not the payee's account. */
const isOfSender = (parts: readonly string[]) =>
  parts.some((word) => /^(?:source|from|debit|sell|funding|sender|payer)$/.test(word));

function fieldScores(text: string): readonly { readonly field: Field; readonly score: number }[] {
  const folded = fold(text);
  const parts = wordsOf(text);
  if (isOfSender(parts)) return [];
  const others = parts.filter((word) => otherThings.includes(word));
  const best = new Map<Field, number>();
  const consider = (field: Field, score: number) => {
    if (score > (best.get(field) ?? 0)) best.set(field, score);
  };
  const meant = meantField(text);
  if (meant !== null) consider(meant, 1);
  // A unit, such as `Cent` in `Wieviel (Cent)`, shows that the column holds amounts.
  if (currencyOfHeader(text) !== null || countsCents(text)) consider('amount', 0.9);
  for (const [alias, { field, alias: written }] of known) {
    // Skips the payee id, because similar words mislead: `payee acc nr` looks like a payee id, but is an account.
    if (field === 'payee_id') continue;
    const names = wordsOf(written);
    if (!others.every((word) => names.includes(word))) continue;
    const alike = 1 - editDistance(folded, alias) / Math.max(folded.length, alias.length, 1);
    if (alias.length >= 5 && alike >= leastAlike && !otherWords.has(folded)) consider(field, alike);
    const telling = names.length === parts.length || names.some((name) => !otherThings.includes(name));
    if (telling && names.every((name) => parts.includes(name))) {
      // The main word is last in `payee bank`, but first in `bank of payee`. A known name near that word scores higher.
      const place = parts.indexOf(names.at(-1) ?? '');
      const nearHead = parts.includes('of') ? parts.length - 1 - place : place;
      consider(field, 0.7 + 0.2 * (names.length / parts.length) + 0.01 * nearHead);
    }
  }
  for (const [hint, field] of others.length > 0 ? [] : hints)
    if (parts.some((word) => word === hint || (hint.length >= 5 && word.startsWith(hint)))) consider(field, 0.6);
  return Array.from(best, ([field, score]) => ({ field, score }));
}

const wholeWords = byWord({
  account: 'acc acct accno',
  amount: 'amt',
  beneficiary: 'ben bene benef',
  branch: 'br',
  phone: 'cell cellphone mobile tel telephone',
  currency: 'ccy curr',
  number: 'num no nr',
  reference: 'ref',
  name: 'nm',
});

const hints = byWord({
  name: 'naam nom nome person staff worker contractor creditor empfanger beneficiaire beneficiario',
  country: 'land pays pais nation',
  bank_name: 'banque banco',
  branch_code: 'takkode',
  account_number: 'konto rekening compte conta nuban',
  contact_number: 'phone mpesa wallet telef selfoon',
  lnurl: 'lightning',
  amount: 'salary wage wages pay sum payable bedrag betrag montant valor',
  reference:
    'reason description details memo purpose particulars remark remarks note verwysing verwendung motif referencia',
  documents: 'attachment proof',
});

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => wholeWords.get(word) ?? word);
}
