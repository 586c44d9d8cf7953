/**
 * Puts an apostrophe before a CSV cell that a spreadsheet could run as a formula: `=1+1` becomes `'=1+1`. These cells
 * begin with = + - @ TAB CR LF or a full-width sign, after any apostrophes and spaces. A negative number is no formula.
 * A formula with an apostrophe gets a second one. Payrun removes one apostrophe when it reads a file with payrun_
 * columns. In other files, the apostrophe belongs to the text.
 */

const trigger = /^'*[\s\u200b\ufeff]*[=+\-@\t\r\n＝＋－＠]/u;
const negativeNumber = /^'*-\d+(?:[.,]\d+)*$/;

export function neutralised(text: string): string {
  // A quick check: a cell that begins with an ASCII letter or a digit cannot be a formula.
  const first = text.charCodeAt(0) | 32;
  if ((first >= 97 && first <= 122) || (first >= 48 && first <= 57)) return text;
  return isDangerous(text) ? `'${text}` : text;
}

export const restored = (text: string): string =>
  text.charCodeAt(0) === 39 && isDangerous(text) ? text.slice(1) : text;

const isDangerous = (text: string): boolean => trigger.test(text) && !negativeNumber.test(text);
