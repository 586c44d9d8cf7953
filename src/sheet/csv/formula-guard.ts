/**
 * Puts an apostrophe before CSV cells that a spreadsheet could run as a formula, and removes it when reading. Such a cell
 * begins, after any `'` and spaces, with = + - @ TAB CR LF or a full-width sign. A negative number is no formula. Reading
 * removes one `'` before such a cell, so every text stays the same: `'=` is written as `''=`. It does so only in files with
 * payrun_ columns, because in other files the apostrophe belongs to the text.
 */

const trigger = /^'*[\s\u200b\ufeff]*[=+\-@\t\r\n＝＋－＠]/u;
const negativeNumber = /^'*-\d+(?:[.,]\d+)*$/;

export function neutralised(text: string): string {
  // Most cells begin with an ASCII letter or a digit, and cannot be formulas.
  const first = text.charCodeAt(0) | 32;
  if ((first >= 97 && first <= 122) || (first >= 48 && first <= 57)) return text;
  return isDangerous(text) ? `'${text}` : text;
}

export function restored(text: string): string {
  return text.charCodeAt(0) === 39 && isDangerous(text) ? text.slice(1) : text;
}

/** True for a cell that could run as a formula. Apostrophes before it do not count, so that reading reverses writing. */
function isDangerous(text: string): boolean {
  return trigger.test(text) && !negativeNumber.test(text);
}
