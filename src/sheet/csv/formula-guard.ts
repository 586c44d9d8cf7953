/**
 * The mark that keeps a spreadsheet from running a CSV cell as a formula.
 *
 * A cell is marked with one `'` in front when what follows any number of leading `'` could begin a formula: spaces, then
 * one of = + - @ TAB CR LF or a full-width form of the signs. A plain negative number is none. Reading takes one `'` away
 * exactly where writing would have put it, so that every text comes back as it was: a text that itself begins `'=` is
 * written `''=`. The mark is taken away only in files of ours (with payrun_ columns); a foreign file means its apostrophes.
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

/** The same for a text with and without marks in front, which is what makes the round trip exact. */
function isDangerous(text: string): boolean {
  return trigger.test(text) && !negativeNumber.test(text);
}
