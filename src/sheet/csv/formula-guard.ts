/**
 * The mark that keeps a spreadsheet from running a CSV cell as a formula.
 *
 * A cell could begin a formula if = + - @ TAB CR LF or a full-width sign follows any leading `'` and spaces. Writing
 * puts one `'` before such a cell, but not before a plain negative number. Reading removes one `'` exactly where
 * writing puts it, so every text survives the round trip: `'=` is written `''=`. Reading removes marks only in files of
 * ours (with payrun_ columns); a foreign file means its apostrophes.
 */

const trigger = /^'*[\s\u200b\ufeff]*[=+\-@\t\r\n＝＋－＠]/u;
const negativeNumber = /^'*-\d+(?:[.,]\d+)*$/;

export function neutralised(text: string): string {
  // Nearly every cell begins with a letter or a digit.
  const first = text.charCodeAt(0) | 32;
  if ((first >= 97 && first <= 122) || (first >= 48 && first <= 57)) return text;
  return isDangerous(text) ? `'${text}` : text;
}

export function restored(text: string): string {
  return text.charCodeAt(0) === 39 && isDangerous(text) ? text.slice(1) : text;
}

/** Gives the same answer with and without leading marks, which makes the round trip exact. */
function isDangerous(text: string): boolean {
  return trigger.test(text) && !negativeNumber.test(text);
}
