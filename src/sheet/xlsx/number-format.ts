/** Reads number formats. A format can show a number as a date, with a currency, or with leading zeros. */
import { eachOf } from '../../base/words.ts';
import { isCurrencySign } from '../../domain/amounts/money.ts';
import type { Unseen } from '../file/raw-row.ts';

export interface Style {
  readonly kind: 'plain' | 'date' | 'time' | 'zeros' | 'text';
  /** The number of digits in the format: 5 for `00000`. 0 if the format adds no leading zeros. */
  readonly digits: number;
  readonly sign: string;
  /** How often the format divides the number by 1000: once for `#,##0,`. */
  readonly thousands: number;
  /** The number of digits after a quoted decimal point: 2 for `0"."00`, which shows 1500 as 15.00. */
  readonly point: number;
  /** Text that the format adds before and after the number, such as `cents` or `k`. Currencies do not count. */
  readonly before: string;
  readonly behind: string;
  /** The format's code, which Payrun copies into the result. Null for the format General. */
  readonly format: string | null;
  /** Returns true if the format hides the number. Pass null for a text. `hides` is null if the format hides nothing. */
  readonly hides: ((value: number | null) => boolean) | null;
  /** True if the font has the background's colour, or is too small to read. */
  readonly faint: boolean;
  readonly struck: boolean;
}

export function unseenIn({ hides, faint, struck }: Style, value: number | null): Unseen | null {
  if (struck) return 'strike';
  if (hides?.(value) === true) return 'format';
  return faint ? 'letters' : null;
}

export const generalStyle: Style = {
  kind: 'plain',
  ...eachOf(0, 'digits thousands point'),
  ...eachOf('', 'sign before behind'),
  ...eachOf(null, 'format hides'),
  ...eachOf(false, 'faint struck'),
};

/** The built-in formats. A workbook stores only their numbers (ECMA-376 18.8.30). */
const builtIn: { readonly [id: number]: string } = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0 ;(#,##0)',
  38: '#,##0 ;[Red](#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;[Red](#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
  48: '##0.0E+0',
  49: '@',
};

export function styleOf(id: number, custom: ReadonlyMap<number, string>): Style {
  const format = custom.get(id) ?? builtIn[id];
  if (format === undefined) {
    const eastAsianDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
    return eastAsianDate ? { ...generalStyle, kind: 'date', format: 'yyyy-mm-dd' } : generalStyle;
  }
  return classify(format);
}

function classify(format: string): Style {
  // The first section, for positive numbers, decides the kind. Quoted text, colours and conditions do not count.
  const bare = format
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]!
    .trim();
  const written = writtenBy(format);
  const hides = hidingOf(format);
  const style = (kind: Style['kind']): Style => ({ ...generalStyle, ...written, kind, format, hides });
  if (/^general$/i.test(bare) || bare === '')
    return hides === null && written.before === '' && written.behind === '' ? generalStyle : style('plain');
  if (bare === '@') return style('text');
  const point = writtenPoint.exec(format.split(';')[0]!)?.[1]?.length ?? 0;
  if (point > 0) return { ...style('plain'), point, sign: currencyOf(format) };
  const digits = bare.replace(/[^0]/g, '').length;
  if (digits > 1 && /^0+(?:[\s-]0+)*$/.test(bare)) return { ...style('zeros'), digits };
  if (/[#0?]/.test(bare.replace(/s\.0+/gi, 's'))) {
    const thousands = /[#0?](,+)(?![#0?,])/.exec(bare)?.[1]?.length ?? 0;
    return { ...style('plain'), sign: bare.includes('%') ? '%' : currencyOf(format), thousands };
  }
  if (/[yd]|mmm/i.test(bare)) return style('date');
  if (/[hs]/i.test(bare)) return style('time');
  return style(/m/i.test(bare) ? 'date' : 'plain');
}

/** Matches a quoted decimal point before one or two digits: `0"."00`. Three digits, as in `#"."##0`, mean thousands. */
const writtenPoint = /[#0?](?:"[.,]"|\\[.,])([#0?]{1,2})(?![#0?.,])/;

const condition = /\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]/;

const comparisons: { readonly [sign: string]: (value: number, limit: number) => boolean } = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
  '>=': (value, limit) => value >= limit,
  '>': (value, limit) => value > limit,
};

/** Returns a test for hidden values; null if there are none. The format `0;;` hides negative numbers and zero. */
function hidingOf(format: string): Style['hides'] {
  // A format with only a colour or a condition hides nothing.
  if (format.replace(/\[[^\]]*\]/g, '').trim() === '') return null;
  const sections = format.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  const shown = sections.map((section) => /[#0?@\p{L}]/u.test(section.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')));
  if (!shown.includes(false)) return null;
  const forText = sections.length === 4 ? 3 : sections.findLastIndex((section) => section.includes('@'));
  const limits = sections.slice(0, forText < 1 ? 3 : forText).map((section) => condition.exec(section));
  const holdsOf = (value: number) => (limit: RegExpExecArray | null, index: number) => {
    if (limit !== null) return comparisons[limit[1]!]!(value, Number(limit[2]));
    // In order, sections without a condition are for positive numbers, for negative numbers, and for all others.
    if (index === limits.length - 1) return true;
    return index === 0 ? value > 0 || (value === 0 && limits.length === 2) : value < 0;
  };
  return (value) => {
    const section = value === null ? forText : limits.findIndex(holdsOf(value));
    return section >= 0 && !shown[section]!;
  };
}

const parts = /"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]|(general|[#0?][#0?.,\s]*(?:E[+-]0+)?|%)|(;)|([^"])/gisu;

function writtenBy(format: string): { before: string; behind: string } {
  let before = '';
  let behind = '';
  let digits = false;
  for (const [, quoted, escaped, number, end, bare] of format.matchAll(parts)) {
    if (end !== undefined) break;
    if (number !== undefined && number !== '%') digits = true;
    const text = quoted ?? escaped ?? bare ?? '';
    if (digits) behind += text;
    else before += text;
  }
  const said = (text: string, says: RegExp) => (says.test(text) && !isCurrencySign(text.trim()) ? text : '');
  return { before: said(before, /[\p{L}\p{N}%(-]/u), behind: said(behind, /[\p{L}\p{N}%)]/u) };
}

function currencyOf(format: string): string {
  for (const [, bracket, quoted, bare] of format.matchAll(/\[\$([^\]-]*)[^\]]*\]|"([^"]*)"|\\?(\p{Sc})|;/gu)) {
    if (bracket === undefined && quoted === undefined && bare === undefined) break;
    const text = (bracket ?? quoted ?? bare ?? '').trim();
    if (text !== '' && (bracket !== undefined || isCurrencySign(text))) return text;
  }
  return '';
}

export const shownNumber = (text: string, style: Style): string =>
  `${style.before}${shownDigits(text, style)}${style.behind}`;

function shownDigits(text: string, style: Style): string {
  if (style.kind === 'zeros' && /^\d+$/.test(text)) return text.padStart(style.digits, '0');
  const plain = style.thousands === 0 && style.sign !== '%' ? text : scaled(text, style);
  const shown = /^-?\d+$/.test(plain) ? withPoint(plain, style.point) : rounded(plain);
  if (style.sign === '') return shown;
  if (style.sign === '%') return `${shown}%`;
  return /\p{L}$/u.test(style.sign) ? `${style.sign} ${shown}` : `${style.sign}${shown}`;
}

function withPoint(text: string, digits: number): string {
  if (digits === 0) return text;
  const all = text.padStart(digits + 1, '0');
  return `${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** Rounds to 15 significant digits, as spreadsheets do. Later digits are errors of floating-point arithmetic. */
function rounded(text: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  const shown = String(Number(value.toPrecision(15)));
  return shown.includes('e') ? text : shown;
}

function scaled(text: string, style: Style): string {
  const value = (Number(text) / 1000 ** style.thousands) * (style.sign === '%' ? 100 : 1);
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : text;
}

const dayMs = 86_400_000;

/** Converts a number of days since 1900 or 1904 to a date, a time or both. Returns any other text unchanged. */
export function shownDate(text: string, style: Style, date1904: boolean): string {
  const serial = Number(text);
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return text;
  const isDay = serial % 1 === 0;
  const seconds = isDay ? 0 : Math.round((serial % 1) * 86_400);
  const time = isDay ? '00:00:00' : new Date(seconds * 1000).toISOString().slice(11, 19);
  if (style.kind === 'time' && serial < 1) return time;
  // A format such as `[h]:mm` shows a duration: 1.25 days are 30:00:00.
  if (style.kind === 'time' && style.format?.includes('[') === true)
    return `${Math.floor(serial) * 24 + Math.floor(seconds / 3600)}${time.slice(2)}`;
  const day = Math.floor(serial);
  // Excel counts 29 February 1900 as day 60, although that day never existed.
  if (!date1904 && day === 60) return '1900-02-29';
  const days = day + (date1904 ? day1904 : day < 60 ? day1900 + 1 : day1900);
  const date = new Date(days * dayMs).toISOString().slice(0, 10);
  return isDay ? date : `${date} ${time}`;
}

/** Day 0 of each calendar, in days since 1970. Up to 28 February 1900, add one day to `day1900`. */
const day1900 = Date.UTC(1899, 11, 30) / dayMs;
const day1904 = Date.UTC(1904, 0, 1) / dayMs;
