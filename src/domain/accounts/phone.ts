/**
 * Kenyan mobile numbers, which start with +254 (interface 2.7). Payrun never infers the network from a number,
 * because people keep their number when they change networks.
 *
 * Uses no phone library, because loading one adds 30 to 50 ms to every start. The tests compare these rules with
 * libphonenumber-js.
 */
import { type Cell, calculated, unusable } from '../rows/cell.ts';
import { type Finding, finding, type Reading, read, refused } from '../rows/finding.ts';

const international = /^\+254[17]\d{8}$/;
/** Separators in phone numbers, and invisible direction marks that address books add. */
const decoration = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff()\-–‑/]/g;
/** Matches a number that a spreadsheet stored with decimals, such as `+25471234560.0`. */
const decimal = /^\d+\.\d+$|\.(?:\d|0+)\.*$/;
const anyForm = /^(?:\+254|00254|254|0)?0?([17]\d{8})$/;

export function readPhone(cell: Cell): Reading<string> {
  if (typeof cell === 'string') return international.test(cell) ? read(cell) : readForms(cell);
  const wrong = unusable('contact_number', cell);
  if (wrong !== null) return refused(wrong);
  const reading = readForms(cell.text, cell.kind === 'number' ? 'stored' : 'form');
  const note = calculated('contact_number', cell);
  return note === null ? reading : { value: reading.value, findings: [note, ...reading.findings] };
}

export function samePhone(text: string): string {
  const local = localOf(text);
  return local === undefined ? text.replace(/[\s-]/g, '') : `+254${local}`;
}

/** Returns undefined for a decimal, because its digits without the point could be another person's number. */
function localOf(text: string): string | undefined {
  const bare = text.replace(decoration, '');
  return decimal.test(bare) ? undefined : anyForm.exec(bare.replaceAll('.', ''))?.[1];
}

/** Accepts 0712345678, 254712345678, 712345678 and +254 (0)712 345 678. */
function readForms(text: string, why: 'form' | 'stored' = 'form'): Reading<string> {
  const bare = text.replace(decoration, '').replaceAll('.', '');
  if (bare === '') return refused(phoneMissing());
  const local = localOf(text);
  if (local === undefined) return refused(invalid(text, bare, why));
  const phone = `+254${local}`;
  if (phone === text) return read(phone);
  return read(phone, [finding('PHONE_REWRITTEN', 'repair', { phone: text, suggestion: phone })]);
}

export const phoneMissing = (): Finding => finding('PHONE_MISSING', 'error', {});

function invalid(phone: string, bare: string, form: 'form' | 'stored'): Finding {
  const isScientific = /^\d[\d.,]*[eE]\+?\d+$/.test(bare);
  const why = isScientific ? 'scientific' : /^\+(?!254)/.test(bare) ? 'foreign' : form;
  return finding('PHONE_INVALID', 'error', { phone, why });
}
