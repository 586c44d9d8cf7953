/** Masks destinations for people who may not see them in full. At most the last four characters stay visible. */
import type { Field } from '../rows/cell.ts';

const fields: readonly string[] = ['account_number', 'contact_number', 'lnurl'] satisfies Field[];

export const isMasked = (column: string | null): boolean => column !== null && fields.includes(column);

export function masked(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return trimmed.length <= 4 ? '…' : `…${trimmed.slice(-4)}`;
}

export const maskedCell = (column: string | null, text: string): string =>
  isMasked(column) ? masked(text) : column === null ? maskedWords(text) : text;

/** Separators inside one number. Commas, and points before cents, do not count, so that amounts stay visible. */
const between = String.raw`(?:[^\S\n]|[\p{Pd}/_'’·*#()]){0,2}|\.(?=\p{Nd}{3})`;
const goesOn = String.raw`(?!(?:${between})\p{Nd})`;
const apart = String.raw`(?:[^\S\n]|[\p{Pd}/_'’·*#()]){1,2}`;
const month = String.raw`(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])(?:[-/]\d\d)?`;
/** Long numbers that stay visible: digests, months, dates, and amounts of at most eight digits with a currency. */
const open = [
  String.raw`(?:sha256:|SHA-256 )(?=\d*[a-f])(?:[0-9a-f]{64}(?![0-9a-f])|[0-9a-f]{12}(?=…))`,
  // Matches months with a count or copy number, such as `2026-11 (2).csv` or `2026-11 20 rows`.
  String.raw`${month}(?:${apart}${month})*(?:${apart}\d{1,2})?${goesOn}`,
  String.raw`\p{Nd}{4}(?<dash>[-/])\p{Nd}{2}\k<dash>\p{Nd}{2}(?!\p{Nd})`,
  String.raw`(?<![\p{L}\p{Nd}])(?:ZAR|NGN|KES|BTC)[^\S\n][1-9]\d?(?:[^\S\n]\d{3}){2}${goesOn}`,
].join('|');
const openOrNumber = new RegExp(String.raw`(?<open>${open})|\+?\p{Nd}(?:(?:${between})\p{Nd}){6,}`, 'gu');

export function maskedWords(text: string): string {
  return text
    .replaceAll(/lnurl1[02-9ac-hj-np-z]{20,}|(?<![^\s'"“”@;,])[^\s'"“”@;,]+@[^\s'"“”@;,]*[^\s'"“”@;,.]/gi, (one) =>
      masked(one),
    )
    .replaceAll(openOrNumber, (one, whole?: string) => (whole === undefined ? masked(one) : one));
}
