/** Where money goes, for eyes that need not see it whole: the last four letters or digits. */
import type { Field } from './cell.ts';

const fields: readonly string[] = ['account_number', 'contact_number', 'lnurl'] satisfies Field[];

/** Whether a column says where money goes. */
export const isMasked = (column: string | null): boolean => column !== null && fields.includes(column);

/** `…1601`; of a text of four or fewer nothing. */
export function masked(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return trimmed.length <= 4 ? '…' : `…${trimmed.slice(-4)}`;
}

/** A cell: whole where everybody may read it; of a column that is not matched nobody knows. */
export function maskedCell(column: string | null, text: string): string {
  return isMasked(column) ? masked(text) : column === null ? maskedWords(text) : text;
}

/** A sentence in which numbers as long as an account are masked, and where bitcoin goes; days are none. */
export function maskedWords(text: string): string {
  return text
    .replaceAll(/lnurl1[02-9ac-hj-np-z]{20,}|[^\s'"“”@;,]+@[^\s'"“”@;,]+\.[a-z]{2,}/gi, (one) => masked(one))
    .replaceAll(/(?<!\d[ -]?)(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ -]?\d){6,}/g, (digits) => masked(digits));
}
