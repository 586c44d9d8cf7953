/**
 * Puts an apostrophe before a CSV cell that a spreadsheet could run as a formula.
 *
 * A cell could run as a formula if it begins, after any `'` and spaces, with = + - @ TAB CR LF or a full-width sign. Writing puts
 * one `'` before such a cell, but not before a negative number. Reading removes one `'` in the same cases, so every text
 * survives: `'=` is written as `''=`. Reading does this only in files with payrun_ columns. In other files, apostrophes belong to
 * the text.
 */

const trigger = /^'*[\s\u200b\ufeff]*[=+\-@\t\r\n＝＋－＠]/u;
const negativeNumber = /^'*-\d+(?:[.,]\d+)*$/;

export function neutralised(text: string): string {
  // A cell that begins with an ASCII letter or a digit, as most cells do, is never a formula.
  const first = text.charCodeAt(0) | 32;
  if ((first >= 97 && first <= 122) || (first >= 48 && first <= 57)) return text;
  return isDangerous(text) ? `'${text}` : text;
}

export function restored(text: string): string {
  return text.charCodeAt(0) === 39 && isDangerous(text) ? text.slice(1) : text;
}

/** True for a cell that could run as a formula. Apostrophes before it change nothing, so that reading reverses writing. */
function isDangerous(text: string): boolean {
  return trigger.test(text) && !negativeNumber.test(text);
}
