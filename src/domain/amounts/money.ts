/** Reads amounts and sums them exactly, by string and bigint arithmetic. Only `withoutDrift` rounds. */
import { byWord } from '../../base/words.ts';
import type { Currency } from '../accounts/country.ts';
import { type Cell, calculated, type TypedCell, unusable } from '../rows/cell.ts';
import { type Finding, finding, type Reading, read, refused } from '../rows/finding.ts';
import { withoutZeroWidth } from '../rows/text.ts';
import { plainNumber } from './plain-number.ts';

/** `whole`: rand, naira or shillings. `hundredths`: hundredths of a USDT (interface 2.8). `sat`: satoshis. */
export type AmountUnit = 'whole' | 'hundredths' | 'sat';

export const moneyName = ({ currency, unit }: { readonly currency: string; readonly unit: AmountUnit }): string =>
  unit === 'whole' ? currency : `${currency}:${unit}`;

/** The number formats that a person can declare, so that `1,500` has only one meaning. */
export const numberFormats = ['1,234.56', '1.234,56'] as const;
export type NumberFormat = (typeof numberFormats)[number];

export interface AmountTerms {
  readonly currency: Currency | 'USDT';
  readonly unit: AmountUnit;
  /** How many places the decimal point moves right: 2 turns USDT into hundredths, -2 turns cents into whole units. */
  readonly decimals: 0 | 2 | -2;
  readonly numberFormat: NumberFormat | null;
}

// At most fifteen digits, so that the number is below 2^53 and exact.
const plainAmount = /^[1-9]\d{0,14}$/;

export function readAmount(cell: Cell, terms: AmountTerms): Reading<number> {
  if (typeof cell === 'string') {
    if (terms.decimals === 0 && plainAmount.test(cell)) return read(Number(cell));
    return readText(cell, terms);
  }
  const wrong = unusable('amount', cell);
  if (wrong !== null) return refused(wrong);
  const reading = cell.kind === 'number' ? readNumberCell(cell, terms) : readText(cell.text, terms);
  const note = calculated('amount', cell);
  return note === null ? reading : { value: reading.value, findings: [note, ...reading.findings] };
}

interface Decimal {
  readonly whole: string;
  readonly fraction: string;
}

interface Parts extends Decimal {
  readonly rewritten: boolean;
}

function readText(text: string, terms: AmountTerms): Reading<number> {
  const bare = withoutShillingSign(withoutZeroWidth(text).trim(), terms);
  if (bare === '') return refused(amountMissing());
  const body = withoutCurrency(bare, text.trim(), terms);
  if (typeof body !== 'string') return refused(body);
  const oddity = oddityOf(bare, text) ?? oddityOf(body, text);
  if (oddity !== null) return refused(oddity);
  const parts = partsOf(body, terms, text);
  if ('code' in parts) return refused(parts);
  if (parts.whole.length > 1 && parts.whole.startsWith('0')) {
    const stripped = parts.whole.replace(/^0+/, '');
    const suggestion = stripped + fractionText(parts.fraction);
    if (stripped !== '') return refused(finding('AMOUNT_LEADING_ZERO', 'error', { amount: text, suggestion }));
  }
  return wholeNumber(parts, terms, text, parts.rewritten || body !== text);
}

export const amountMissing = (): Finding => finding('AMOUNT_MISSING', 'error', {});

/** Turns the shilling sign of `1,500/=` or `1,500/-` into `.00`, and the sign of `1.500/=` into `,00`. */
function withoutShillingSign(text: string, { currency, decimals, numberFormat }: AmountTerms): string {
  const signed = currency === 'KES' && decimals === 0 ? /^(.*\d)\s*\/[=-]{1,2}$/s.exec(text) : null;
  if (signed === null) return text;
  const whole = signed[1]!;
  const pointed = numberFormat === null ? whole.includes('.') : numberFormat === '1.234,56';
  return `${whole}${pointed ? ',00' : '.00'}`;
}

const signs: { readonly [C in AmountTerms['currency']]: readonly string[] } = {
  ZAR: ['R', 'ZAR', 'RAND'],
  NGN: ['₦', 'N', 'NGN', 'NAIRA'],
  KES: ['KES', 'KSH', 'KSHS', 'SH', 'SHS'],
  BTC: ['SAT', 'SATS'],
  USDT: ['USDT', '₮'],
};
const otherSigns = new Set([
  ...'USD GBP EUR BTC XBT MBTC SH TZS UGX GHS BWP NAD'.split(' '),
  ...Object.values(signs).flat(),
]);

const word = String.raw`\p{L}{1,3}\p{Sc}|\p{L}+\.?|\p{Sc}`;
const dressed = new RegExp(String.raw`^(${word})?\s*(.*?)\s*(${word})?$`, 'su');

function withoutCurrency(text: string, cell: string, terms: AmountTerms): string | Finding {
  const match = dressed.exec(text);
  const body = match?.[2] ?? '';
  const words = [match?.[1], match?.[3]].filter((one) => one !== undefined);
  if (words.length === 0 || !/\d/.test(body)) return text;
  for (const one of words) {
    const wrong = currencyWord(one, cell, terms);
    if (wrong !== null) return wrong;
  }
  return body;
}

function currencyWord(text: string, amount: string, terms: AmountTerms): Finding | null {
  const sign = text.toUpperCase().replace('.', '');
  if (signs[terms.currency].includes(sign)) {
    if (terms.unit !== 'hundredths' || terms.decimals === 2) return null;
    return finding('AMOUNT_CURRENCY', 'error', { amount, sign: text, why: 'hundredths' });
  }
  if (/\p{Sc}/u.test(sign) || otherSigns.has(sign)) return otherCurrency(text, amount, terms);
  return odd('AMOUNT_NOT_A_NUMBER', amount);
}

const otherCurrency = (sign: string, amount: string, { currency }: AmountTerms): Finding =>
  finding('AMOUNT_CURRENCY', 'error', { amount, sign, why: 'other', currency });

export const isCurrencySign = (text: string): boolean =>
  /\p{Sc}/u.test(text) || otherSigns.has(text.toUpperCase().replace('.', ''));

let codes: ReadonlySet<string> | undefined;

export function isCurrencyCode(text: string): boolean {
  codes ??= new Set([...Intl.supportedValuesOf('currency'), 'BTC', 'USDT']);
  return codes.has(text);
}

interface NamedCurrency {
  readonly codes: ReadonlySet<string>;
  /** False if the word is probably no currency. For example, ALL may be a department, and Won a sale's state. */
  readonly sure: boolean;
}

/** Currencies of payouts, funding sources, neighbouring countries and trade partners. Sheets often name these. */
const nearCodes = new Set(
  'ZAR NGN KES BTC USDT USD EUR GBP BWP NAD LSL SZL MZN ZMW ZWG MWK AOA TZS UGX RWF ETB GHS XOF XAF EGP MAD CHF CNY INR JPY AED AUD CAD'.split(
    ' ',
  ),
);

let named: ReadonlyMap<string, NamedCurrency> | undefined;

export function currencyNamed(text: string): NamedCurrency | null {
  named ??= currencyNames();
  const folded = text.toLowerCase();
  return named.get(folded) ?? (folded.endsWith('s') ? named.get(folded.slice(0, -1)) : undefined) ?? null;
}

function currencyNames(): ReadonlyMap<string, NamedCurrency> {
  const names = new Map<string, NamedCurrency>();
  const add = (name: string, code: string, sure: boolean) => {
    const before = names.get(name.toLowerCase());
    names.set(name.toLowerCase(), {
      codes: new Set([...(before?.codes ?? []), code]),
      sure: sure || before?.sure === true,
    });
  };
  const english = new Intl.DisplayNames(['en'], { type: 'currency' });
  isCurrencyCode('');
  for (const code of codes!) {
    const near = nearCodes.has(code);
    add(code, code, near);
    // USDT is no ISO code, so it has no English name.
    if (code.length > 3) continue;
    const name = english.of(code)!;
    if (name.includes(' ')) add(name, code, true);
    if (/^\p{L}+$/u.test(name.split(' ').at(-1)!)) add(name.split(' ').at(-1)!, code, near);
  }
  // Skips signs of one letter: N may mean `No` in a column of answers.
  for (const [code, own] of Object.entries(signs))
    for (const sign of own) if (/^\p{L}{2,}$/u.test(sign)) add(sign, code, true);
  for (const [name, code] of byWord({ BTC: 'bitcoin satoshi', USDT: 'tether' })) add(name, code, true);
  return names;
}

type OddCode = `AMOUNT_${'NOT_A_NUMBER' | 'BRACKETS' | 'PERCENT' | 'EXPONENT' | 'DIGITS' | 'ZERO' | 'TOO_LARGE'}`;

const oddities: readonly (readonly [RegExp, (amount: string) => Finding])[] = [
  [/^\(.*\)$/s, (amount) => odd('AMOUNT_BRACKETS', amount)],
  [/%/, (amount) => odd('AMOUNT_PERCENT', amount)],
  [/^[-+−–]|[-−–]$/, (amount) => finding('AMOUNT_SIGN', 'error', { amount, why: 'sign' })],
  [/^\d[\d.,]*[eE][-+]?\d+$/, (amount) => odd('AMOUNT_EXPONENT', amount)],
  [/[^\P{Nd}0-9]/u, (amount) => odd('AMOUNT_DIGITS', amount)],
];

function oddityOf(body: string, text: string): Finding | null {
  for (const [pattern, found] of oddities) if (pattern.test(body)) return found(text);
  return null;
}

const odd = (code: OddCode, amount: string): Finding => finding(code, 'error', { amount });

const digitsOnly = /^(\d+)(?:([.,])(\d+))?$/;
// Groups of three digits. The separator is an apostrophe or a space: plain, no-break, narrow no-break or thin.
const spaced = /^(\d{1,3}([ \u00a0\u202f\u2009'])\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/;
const marked = /^(\d{1,3}([.,])\d{3}(?:\2\d{3})*)(?:(?!\2)([.,])(\d+))?$/;
const notDigits = /\D/g;

function partsOf(body: string, { numberFormat: format }: AmountTerms, text: string): Parts | Finding {
  const decimalMark = format === null ? null : format === '1,234.56' ? '.' : ',';
  return (
    digitsAlone(body, decimalMark, text) ??
    groupedBySpaces(body, decimalMark, text) ??
    groupedByMarks(body, decimalMark, text) ??
    odd('AMOUNT_NOT_A_NUMBER', text)
  );
}

function digitsAlone(body: string, decimalMark: string | null, text: string): Parts | Finding | null {
  const match = digitsOnly.exec(body);
  if (match === null) return null;
  const [, whole = '', mark, fraction = ''] = match;
  if (mark === undefined) return { whole, fraction: '', rewritten: false };
  const maybeGroup = whole.length <= 3 && fraction.length === 3 && !whole.startsWith('0');
  if (maybeGroup && decimalMark !== mark) return null;
  if (decimalMark !== null && decimalMark !== mark) return formatFinding(text, decimalMark);
  // If no format is declared, `1500,000` may be a careless form of 1,500,000.
  if (decimalMark === null && fraction === '000' && !whole.startsWith('0')) return ambiguous(text);
  return { whole, fraction, rewritten: mark === ',' };
}

function groupedBySpaces(body: string, decimalMark: string | null, text: string): Parts | Finding | null {
  const match = spaced.exec(body);
  if (match === null) return null;
  const [, groups = '', , mark, fraction = ''] = match;
  const whole = groups.replace(notDigits, '');
  if (mark !== undefined) {
    if (decimalMark !== null && decimalMark !== mark) return formatFinding(text, decimalMark);
    if (decimalMark === null && fraction.length === 3) return ambiguous(text);
  }
  return { whole, fraction, rewritten: true };
}

function groupedByMarks(body: string, decimalMark: string | null, text: string): Parts | Finding | null {
  const match = marked.exec(body);
  if (match === null) return null;
  const [, groups = '', groupMark, mark, fraction = ''] = match;
  const whole = groups.replace(notDigits, '');
  if (decimalMark !== null)
    return groupMark === decimalMark ? formatFinding(text, decimalMark) : { whole, fraction, rewritten: true };
  if (mark === undefined || fraction.length > 2) return ambiguous(text);
  return { whole, fraction, rewritten: true };
}

const ambiguous = (amount: string): Finding => finding('AMOUNT_AMBIGUOUS', 'error', { amount, why: 'marks' });

function formatFinding(amount: string, decimalMark: string): Finding {
  const format: NumberFormat = decimalMark === '.' ? '1,234.56' : '1.234,56';
  return finding('AMOUNT_FORMAT', 'error', { amount, format });
}

const significantDigits = 15;

/** Reads the stored text, such as `49999.99999999999`, because floating-point arithmetic could round the number. */
function readNumberCell(cell: TypedCell, terms: AmountTerms): Reading<number> {
  const { text, shown } = cell;
  const oddShown = shown === text ? null : (shownOddity(shown, terms) ?? scaledFinding(shown, text));
  if (oddShown !== null) return refused(oddShown);
  const number = plainNumber(text);
  if (number === null) return refused(odd('AMOUNT_NOT_A_NUMBER', text));
  if (number.startsWith('-')) return refused(finding('AMOUNT_SIGN', 'error', { amount: text, why: 'negative' }));
  const [whole = '', fraction = ''] = number.split('.');
  const exact = { whole, fraction };
  const places = Math.max(terms.decimals, 0);
  if (exact.fraction.length <= places) return wholeNumber({ ...exact, rewritten: false }, terms, text, false);
  const near = withoutDrift(exact);
  if (near === null || near.fraction.length > places) return refused(fractionFinding(text, terms));
  return wholeNumber({ ...near, rewritten: true }, terms, text, true);
}

/** Finds a format that changes the meaning of the number: `15%` for 0.15, or `$1500` for 1500. */
function shownOddity(shown: string, terms: AmountTerms): Finding | null {
  if (shown.includes('%')) return odd('AMOUNT_PERCENT', shown);
  if (/^\(.*\)$/s.test(shown)) return oddityOf(shown, shown);
  const sign = signOf(shown);
  return sign === '' ? null : currencyWord(sign, shown, terms) && otherCurrency(sign, shown, terms);
}

const signOf = (shown: string): string => /^[^\d\s.,+-]+/u.exec(shown)?.[0] ?? /[^\d\s.,'+-]+$/u.exec(shown)?.[0] ?? '';

/** Finds a format that scales the number: the cell shows `350`, and Payrun would pay 350000. */
function scaledFinding(shown: string, text: string): Finding | null {
  const digits = shown.replace(signOf(shown), '').replace(/[\s']/g, '');
  const seen = Number(digits.replace(/,(?=\d{3}(?!\d))/g, '').replace(',', '.'));
  const stored = Number(text);
  if (!Number.isFinite(stored) || Math.abs(seen - stored) <= Math.abs(stored) * 1e-12) return null;
  return finding('AMOUNT_AMBIGUOUS', 'error', { amount: text, why: 'format', shown });
}

// Removes a spreadsheet's rounding error. Null for at most 15 digits, and for a change of 0.000001 or more.
function withoutDrift(exact: Decimal): Decimal | null {
  const digits = (exact.whole + exact.fraction).replace(/^0+/, '');
  const excess = digits.length - significantDigits;
  if (excess <= 0 || excess > exact.fraction.length) return null;
  const step = 10n ** BigInt(excess);
  const before = BigInt(digits);
  const after = ((before + step / 2n) / step) * step;
  const places = exact.fraction.length;
  const difference = after > before ? after - before : before - after;
  if (difference * 1_000_000n >= 10n ** BigInt(places)) return null;
  const padded = after.toString().padStart(places + 1, '0');
  return { whole: padded.slice(0, -places), fraction: padded.slice(-places).replace(/0+$/, '') };
}

function wholeNumber(parts: Parts, terms: AmountTerms, text: string, rewritten: boolean): Reading<number> {
  if (terms.decimals === -2) return wholeOfCents(parts, terms, text);
  const fraction = terms.decimals === 0 ? parts.fraction.replace(/0+$/, '') : parts.fraction;
  if (fraction.length > terms.decimals) return refused(fractionFinding(text, terms));
  const digits = (parts.whole + fraction.padEnd(terms.decimals, '0')).replace(/^0+/, '');
  if (digits === '') return refused(odd('AMOUNT_ZERO', text));
  if (digits.length > 16 || Number(digits) > Number.MAX_SAFE_INTEGER) return refused(odd('AMOUNT_TOO_LARGE', text));
  const value = Number(digits);
  if (!rewritten && parts.fraction.length === fraction.length) return read(value);
  const suggestion = parts.whole + fractionText(fraction);
  return read(value, [finding('AMOUNT_REWRITTEN', 'repair', { amount: text, suggestion })]);
}

/** Turns cents into whole units. Reports a repair, so that a person can notice a wrong unit. */
function wholeOfCents({ whole, fraction }: Parts, terms: AmountTerms, text: string): Reading<number> {
  const amount = text;
  if (/[1-9]/.test(fraction)) return refused(finding('AMOUNT_FRACTION', 'error', { amount, why: 'part-cents' }));
  const cents = whole.replace(/^0+/, '');
  if (cents === '') return refused(odd('AMOUNT_ZERO', amount));
  const { currency } = terms;
  if (!cents.endsWith('00')) return refused(finding('AMOUNT_FRACTION', 'error', { amount, why: 'cents', currency }));
  const digits = cents.slice(0, -2);
  if (digits.length > 16 || Number(digits) > Number.MAX_SAFE_INTEGER) return refused(odd('AMOUNT_TOO_LARGE', amount));
  return read(Number(digits), [finding('AMOUNT_CENTS', 'repair', { amount, currency, suggestion: digits })]);
}

const fractionText = (fraction: string): string => (/[1-9]/.test(fraction) ? `.${fraction}` : '');

function fractionFinding(amount: string, { decimals, unit, currency }: AmountTerms): Finding {
  if (decimals === 2) return finding('AMOUNT_FRACTION', 'error', { amount, why: 'decimals' });
  if (unit === 'hundredths') return finding('AMOUNT_FRACTION', 'error', { amount, why: 'hundredths' });
  return finding('AMOUNT_FRACTION', 'error', { amount, why: 'whole', currency });
}

export type Sum = ReturnType<typeof createSum>;

export function createSum() {
  let sum = 0n;
  return {
    add(amount: number): void {
      sum += BigInt(amount);
    },
    /** Returns the sum; undefined above 2^53 - 1, where numbers are not exact. */
    value: () => (sum > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(sum)),
    exact: () => sum,
  };
}
