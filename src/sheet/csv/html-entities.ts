/** Decodes the character codes of web pages (`&amp;`, `&#39;`, `&eacute;`), which exports of web shops contain. */

const named = pairs(
  'amp=& lt=< gt=> quot=" apos=\' nbsp=\u00a0 ndash=\u2013 mdash=\u2014 lsquo=\u2018 rsquo=\u2019 ldquo=\u201c rdquo=\u201d',
  'hellip=\u2026 euro=€ pound=£ szlig=ß aelig=æ oelig=œ oslash=ø eth=ð thorn=þ',
);
const accents = pairs(
  'acute=\u0301 grave=\u0300 circ=\u0302 tilde=\u0303 uml=\u0308 ring=\u030a cedil=\u0327 caron=\u030c',
);

function pairs(...lists: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(lists.flatMap((list) => list.split(' ').map((pair) => pair.split('='))));
}

/** Matches a character code such as `&amp;`. Browsers accept some codes without a semicolon. */
const entity = /&(?:#x([0-9a-f]{1,6});?|#(\d{1,7});?|(amp|lt|gt|quot|nbsp)\b;?|([a-z]{3,8});)/gi;
/** How often to decode a text. Several programs may have encoded the text, one after the other. */
const maxRounds = 3;

export function withoutEntities(text: string): string {
  let read = text;
  for (let round = 0; round < maxRounds && read.includes('&'); round++) {
    const next = read.replace(entity, characterOf);
    if (next === read) break;
    read = next;
  }
  return read;
}

function characterOf(whole: string, hex?: string, decimal?: string, bare?: string, name?: string): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (hex !== undefined || decimal !== undefined) return isVisible(code) ? String.fromCodePoint(code) : whole;
  const word = bare ?? name ?? '';
  const lower = word.toLowerCase();
  const found = Object.hasOwn(named, lower) ? named[lower]! : null;
  // Keeps the case: `&Oslash;` is the capital of `&oslash;`. Some systems write `&AMP;` for `&amp;`.
  if (found !== null) return word[0] === lower[0] ? found : found.toUpperCase();
  const accent = lower.slice(1);
  return Object.hasOwn(accents, accent) ? (word[0]! + accents[accent]!).normalize('NFC') : whole;
}

function isVisible(code: number): boolean {
  return code >= 32 && !(code >= 127 && code < 160) && !(code >= 0xd800 && code <= 0xdfff) && code <= 0x10ffff;
}
