/** Rules for comparing words, and for the plain form of names and references. */

export const nameCharacter = /[A-Za-z0-9 @/().,_-]/;
export const referenceCharacter = /[A-Za-z0-9 ]/;
export const referenceLength = 20;
export const nameLength = 254;

const foldDropped = /[^\p{L}\p{N}]/gu;
const plainWord = /^[a-z0-9]*$/;

export function fold(text: string): string {
  if (plainWord.test(text)) return text;
  return text.normalize('NFKC').toLowerCase().replace(foldDropped, '');
}

const nothing = (() => {
  const letter = 'a-z0-9\\u00c0-\\uffff';
  const between = `[^${letter}]*`;
  const words = `nan|n${between}a|none|null|nil|undefined|object|nothing|blank|empty|missing|unknown|invalid|tb[acd]|nat|inf|true|false|0`;
  const word = `(?:${words}|pd${between}na|no${between}name|not${between}(?:provided|applicable|available))(?![${letter}])`;
  return new RegExp(`^${between}(?:${word}${between})*$`, 'i');
})();

/** True if a text contains only words that mean nothing, such as `nan`, `N/A`, `undefined undefined` or `-`. */
export function isWordForNothing(text: string): boolean {
  // Most texts fail this fast check of the first letter, so the slow pattern rarely runs.
  const first = text.charCodeAt(0) | 0x20;
  return (first < 0x61 || first > 0x7a || firstLetters.includes(first)) && nothing.test(text);
}

const firstLetters = Array.from('nuobemtifp', (letter) => letter.charCodeAt(0));

// Invisible characters in pasted text: soft hyphen, zero-width space and joiners, word joiner, byte order mark.
const zeroWidth = /[\u00ad\u200b-\u200d\u2060\ufeff]/;
const everyZeroWidth = new RegExp(zeroWidth, 'g');

export const hasZeroWidth = (text: string): boolean => zeroWidth.test(text);

export const withoutZeroWidth = (text: string): string => text.replace(everyZeroWidth, '');

// Plain spellings of characters that Unicode does not split into a Latin letter and an accent.
const spelledOut: { readonly [character: string]: string } = {
  ...Object.fromEntries(
    `ß=ss ẞ=SS æ=ae Æ=AE œ=oe Œ=OE ø=o Ø=O đ=d Đ=D ð=d Ð=D ł=l Ł=L þ=th Þ=Th ı=i ŋ=ng Ŋ=Ng ɓ=b Ɓ=B ɗ=d Ɗ=D
     ƙ=k Ƙ=K ƴ=y Ƴ=Y ɛ=e Ɛ=E ɔ=o Ɔ=O ǝ=e Ǝ=E –=- —=-`
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  ),
  // The no-break hyphen, after normalisation.
  '\u2010': '-',
  '&': ' and ',
  '+': ' plus ',
};

/** Matches an HTML code without its semicolon, as in `&copy 2020`, and a letter in UTF-7, as in `Jos+AOk-`. */
const brokenCode =
  /&(?:copy|reg|trade|pound|euro|yen|cent|sect|deg|[lr][ds]?quo|apos|[nm]dash|\w(?:acute|grave|circ|tilde|uml|ring|cedil))\b|\+A[\w/]{2,}-/i;
const marks = /\p{M}/gu;
const runsOfSpace = /\s+/g;
const dropped = /^[’'‘´`"“”\p{Cc}\p{Cf}\p{Extended_Pictographic}]$/u;

/** Returns the name in allowed characters (OBrien for O'Brien), or an empty text if a character has no plain form. */
export function plainName(text: string): string {
  if (brokenCode.test(text)) return '';
  let plain = '';
  // A symbol for a letter, such as a CJK radical, has no plain form. Any other symbol becomes a space.
  const lost = (sign: string) => (/\p{L}/u.test(sign.normalize('NFKD')) ? '\ufffd' : ' ');
  for (const character of unmarked(text.replaceAll(/(?!\ufffd)\p{So}/gu, lost))) {
    const spelled = spelledOut[character] ?? character;
    for (const one of spelled) {
      if (nameCharacter.test(one)) plain += one;
      else if (one.trim() === '') plain += ' ';
      else if (!dropped.test(one)) return '';
    }
  }
  return plain.replace(runsOfSpace, ' ').trim().slice(0, nameLength).trim();
}

const inside = /[’'.`]/g;
/** Letters, digits and signs for lost characters. If Payrun dropped one, two references could become equal. */
const telling = /^[\p{L}\p{N}?\ufffd]$/u;

/** Symbols with a meaning, and marks in a number. If Payrun dropped one, two references could become equal. */
const tellingSign = /(?!\+)[\p{So}\p{Sc}\p{Sm}]|[%\\]|\d[.,]\d/u;

/** Returns INV 204 for INV-204, and an empty text if the plain form is too long or could be another reference. */
export function plainReference(text: string): string {
  if (tellingSign.test(text) || brokenCode.test(text)) return '';
  let plain = '';
  for (const character of unmarked(withoutZeroWidth(text)).replace(inside, '')) {
    const spelled = character === '&' || character === '+' ? ' ' : (spelledOut[character] ?? character);
    for (const one of spelled) {
      if (!referenceCharacter.test(one) && telling.test(one)) return '';
      plain += referenceCharacter.test(one) ? one : ' ';
    }
  }
  const fixed = plain.replace(runsOfSpace, ' ').trim();
  return fixed.length > referenceLength ? '' : fixed;
}

export function headerKey(header: string): string {
  return withoutAccents(header.slice(0, longestHeader).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const longestHeader = 200;

export function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/(?![\x00-\x7f])\p{L}/gu, (letter) => spelledOut[letter] ?? letter);
}

export const unmarked = (text: string): string => text.normalize('NFKD').replace(marks, '');

/** True if one letter was added, dropped or changed, or two neighbouring letters were swapped. */
export function isTypingSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let front = 0;
  while (front < shorter && a[front] === b[front]) front++;
  let back = 0;
  while (back < shorter - front && a.at(-1 - back) === b.at(-1 - back)) back++;
  const [mine, yours] = [a.slice(front, a.length - back), b.slice(front, b.length - back)];
  if (mine.length + yours.length === 0 || /[^\p{L}]/u.test(mine + yours)) return false;
  if (mine.length === 2 && yours.length === 2) return mine[0] === yours[1] && mine[1] === yours[0];
  return mine.length <= 1 && yours.length <= 1;
}

export function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      now.push(Math.min((before[j] ?? 0) + 1, (now[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + same));
    }
    before = now;
  }
  return before[b.length] ?? 0;
}
