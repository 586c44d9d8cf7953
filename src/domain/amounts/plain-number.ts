/** Writes numbers in plain digits, without rounding. */

const maxExponent = 400;
const maxCharacters = 1000;

const plain = /^(?:-(?!0+$))?\d+(?:\.\d*[1-9])?$/;
const stored = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,9}))?$/;

/** Returns `62001234567` for `6.2001234567E10`, and `1` for `1.0`; null for other texts and long numbers. */
export function plainNumber(text: string): string | null {
  if (plain.test(text)) return text;
  const match = text.length > maxCharacters ? null : stored.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', power] = match;
  const exponent = Number(power ?? 0);
  if (Math.abs(exponent) > maxExponent) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  // Keeps leading zeros if there is no exponent, because the zeros may belong to an account number.
  const before = power === undefined ? padded.slice(0, at) : padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const behind = padded.slice(at).replace(/0+$/, '');
  const number = behind === '' ? before : `${before}.${behind}`;
  return sign === '-' && /[1-9]/.test(number) ? `-${number}` : number;
}

/** Returns `1001` for `1001.0` or `1001,00`; null for other texts, and for `1.000`, which may be a thousand. */
export const wholeOfFloat = (text: string): string | null =>
  text.endsWith('0') ? (/^(\+?\d+)[.,](?!000$)0+$/.exec(text)?.[1] ?? null) : null;
