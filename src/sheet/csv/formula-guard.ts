/**
 * Puts an apostrophe before CSV cells that a spreadsheet could run as a formula. These cells begin, after any `'` and
 * spaces, with = + - @ TAB CR LF or a full-width sign. A negative number is no formula. A cell of this kind that has an
 * apostrophe already gets another: `'=` becomes `''=`. Reading removes one apostrophe from such a cell, but only in files
 * with payrun_ columns: in other files the apostrophe belongs to the text.
 */

const trigger = /^'*[\s\u200b\ufeff]*[=+\-@\t\r\n＝＋－＠]/u;
const negativeNumber = /^'*-\d+(?:[.,]\d+)*$/;

export function neutralised(text: string): string {
  // A quick check: a cell that begins with an ASCII letter or a digit cannot be a formula.
  const first = text.charCodeAt(0) | 32;
  if ((first >= 97 && first <= 122) || (first >= 48 && first <= 57)) return text;
  return isDangerous(text) ? `'${text}` : text;
}

export function restored(text: string): string {
  return text.charCodeAt(0) === 39 && isDangerous(text) ? text.slice(1) : text;
}

function isDangerous(text: string): boolean {
  return trigger.test(text) && !negativeNumber.test(text);
}
