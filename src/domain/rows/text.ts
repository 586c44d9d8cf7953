/** Rules for names and references (interface 2.7, 2.8), and for comparing words. */
import { codePointName, quoted } from '../../base/words.ts';
import { type Finding, finding, type Reading, read, refused } from './finding.ts';

/** The interface allows an empty name, but a sheet must name its payee. */
const namePattern = /^[A-Za-z0-9 @/().,_-]{1,254}$/;
const nameCharacter = /[A-Za-z0-9 @/().,_-]/;
const referencePattern = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
const referenceCharacter = /[A-Za-z0-9 ]/;
const referenceLength = 20;
const nameLength = 254;

const foldDropped = /[^\p{L}\p{N}]/gu;
const plainWord = /^[a-z0-9]*$/;

/** Returns the form in which words are compared: normalised (NFKC), lower case, letters and digits only. */
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

/** True for `nan`, `N/A`, `undefined undefined` or `-`: texts that hold only such words, or no word. */
export function isWordForNothing(text: string): boolean {
  // The pattern is slow, and most texts begin with a letter that starts none of its words.
  const first = text.charCodeAt(0) | 0x20;
  return (first < 0x61 || first > 0x7a || firstLetters.includes(first)) && nothing.test(text);
}

const firstLetters = Array.from('nuobemtifp', (letter) => letter.charCodeAt(0));

// Invisible characters that people paste unknowingly: soft hyphen, zero-width space and joiners, word joiner, byte order mark.
const zeroWidth = /[\u00ad\u200b-\u200d\u2060\ufeff]/;
const everyZeroWidth = new RegExp(zeroWidth, 'g');

export function hasZeroWidth(text: string): boolean {
  return zeroWidth.test(text);
}

export function withoutZeroWidth(text: string): string {
  return text.replace(everyZeroWidth, '');
}

/** A letter of a guessed encoding may be wrong, so it gets no suggestion. */
export type Letters = 'certain' | 'guessed';

/** Outer spaces and zero-width characters must already be removed. */
export function readName(text: string, letters: Letters = 'certain'): Reading<string> {
  if (namePattern.test(text) && text.trim() !== '') return read(text);
  if (text.trim() === '') {
    return refused(finding('NAME_MISSING', 'error', 'name is empty; write who is paid'));
  }
  const { whole, doubt } = lettersOf(text, letters);
  const plain = doubt === guessedWords ? '' : plainName(whole);
  const findings: Finding[] = [];
  const wrong = strangers(text, nameCharacter);
  if (wrong !== '') {
    findings.push(
      finding(
        'NAME_CHARACTERS',
        'error',
        `name ${quoted(text)} has ${wrong}, which the service refuses; ${doubt ?? 'letters A to Z, digits, spaces and @ / ( ) . , _ - are allowed'}${
          plain === '' ? '' : `; write ${quoted(plain)}`
        }`,
        plain === '' ? null : plain,
      ),
    );
  }
  if (text.length > nameLength) {
    findings.push(
      finding('NAME_TOO_LONG', 'error', `name has ${text.length} characters; at most ${nameLength} are allowed`),
    );
  }
  return refused(...findings);
}

/** Reads a reference without changing it, because the payee sees it and banks match payments by it. */
export function readReference(text: string, letters: Letters = 'certain'): Reading<string> {
  if (text.length <= referenceLength && referencePattern.test(text)) return read(text);
  if (text.trim() === '') {
    return refused(
      finding('REFERENCE_MISSING', 'error', 'reference is empty; write 1 to 20 letters, digits and spaces'),
    );
  }
  return refused(referenceFinding(text, letters));
}

/** Matches `1.23E+08`, which is how a spreadsheet writes a long number. */
const scientific = /^\d[\d.,]*[eE]\+?\d+$/;

function referenceFinding(text: string, letters: Letters): Finding {
  if (scientific.test(text)) {
    const message = `reference ${quoted(text)} was turned into a number in scientific notation and has lost digits; type it again in a text cell`;
    return finding('CELL_NUMBER', 'error', message);
  }
  const { whole, doubt } = lettersOf(text, letters);
  const fixed = doubt === guessedWords ? '' : plainReference(whole);
  const suggestion = fixed === '' ? null : fixed;
  const advice = fixed === '' ? 'write 1 to 20 letters, digits and spaces' : `write ${quoted(fixed)}`;
  const wrong = strangers(text, referenceCharacter);
  if (wrong !== '') {
    const message = `reference ${quoted(text)} has ${wrong}; ${doubt ?? 'only letters A to Z, digits and spaces are allowed'}; ${advice}`;
    return finding('REFERENCE_CHARACTERS', 'error', message, suggestion);
  }
  if (text.length > referenceLength) {
    const message = `reference ${quoted(text)} has ${text.length} characters; at most ${referenceLength} are allowed; ${fixed === '' ? 'shorten it' : advice}`;
    return finding('REFERENCE_TOO_LONG', 'error', message, suggestion);
  }
  const message = `reference ${quoted(text)} has outer or doubled spaces, which banks drop; ${advice}`;
  return finding('REFERENCE_SPACES', 'error', message, suggestion);
}

const brokenWords =
  'the encoding of the file is broken (UTF-8 that some program read as Windows-1252): save it as UTF-8 again';

const guessedWords =
  'the file does not say its encoding, so this letter is a guess: save it as UTF-8 ("CSV UTF-8" in Excel)';

function lettersOf(text: string, letters: Letters): { readonly whole: string; readonly doubt: string | null } {
  if (letters === 'guessed' && Array.from(text).some((one) => one > '\x7f' && !isAgreed(one)))
    return { whole: text, doubt: guessedWords };
  const whole = unbroken(text);
  return { whole, doubt: whole === text ? null : brokenWords };
}

/** True if Windows-1250 has the same letter at this byte, apart from accents. `é` stays `é`, but `è` becomes `č`. */
function isAgreed(letter: string): boolean {
  agreed ??= agreedLetters();
  return agreed.has(letter);
}
let agreed: ReadonlySet<string> | undefined;

function agreedLetters(): ReadonlySet<string> {
  const bytes = Uint8Array.from({ length: 64 }, (_, at) => 0xc0 + at);
  const [western, central] = ['windows-1252', 'windows-1250'].map((name) =>
    Array.from(new TextDecoder(name).decode(bytes)),
  );
  // Õ is left out: at its byte, Mac Roman has the apostrophe.
  return new Set(western!.filter((one, at) => one !== 'Õ' && unmarked(one) === unmarked(central![at]!)));
}

/** Maps characters of bytes 80 to 9F to their bytes. The five undefined bytes map to themselves. */
const windowsLetters = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 128 + at)),
    (one, at) => [one, 128 + at],
  ),
);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Repairs a text such as `ZoÃ«`, whose bytes were read in the wrong encoding. Returns other texts unchanged. */
function unbroken(text: string): string {
  return text.replace(/[^\0-\x7f]{2,}/g, (run) => {
    const bytes = Array.from(run, (one) => windowsLetters.get(one) ?? one.codePointAt(0)!);
    if (bytes.some((byte) => byte > 255)) return run;
    try {
      const decoded = utf8.decode(Uint8Array.from(bytes));
      return /^[\p{Script=Latin}\p{M}\p{P}]+$/u.test(decoded) ? decoded : run;
    } catch {
      return run;
    }
  });
}

/** Names the characters that are not allowed, with their positions from 1; at most five. */
function strangers(text: string, allowed: RegExp): string {
  const found: string[] = [];
  let place = 0;
  for (const character of text) {
    place++;
    if (!allowed.test(character)) found.push(`${characterName(character)} at position ${place}`);
  }
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  return found.slice(0, 5).join(', ') + more;
}

const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const mark = /^\p{M}$/u;

function characterName(character: string): string {
  if (character === '\u00a0') return 'a no-break space';
  if (character === '\t') return 'a tab';
  if (character === '\n' || character === '\r') return 'a line break';
  if (visible.test(character)) return `"${character}"`;
  if (mark.test(character)) return `the accent ${codePointName(character)}`;
  return `the invisible ${codePointName(character)}`;
}

// Spellings of characters that Unicode does not split into a Latin letter and an accent.
const spelledOut: { readonly [character: string]: string } = {
  ...Object.fromEntries(
    `ß=ss ẞ=SS æ=ae Æ=AE œ=oe Œ=OE ø=o Ø=O đ=d Đ=D ð=d Ð=D ł=l Ł=L þ=th Þ=Th ı=i ŋ=ng Ŋ=Ng ɓ=b Ɓ=B ɗ=d Ɗ=D
     ƙ=k Ƙ=K ƴ=y Ƴ=Y ɛ=e Ɛ=E ɔ=o Ɔ=O ǝ=e Ǝ=E –=- —=-`
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  ),
  // Normalisation turns the no-break hyphen into the hyphen U+2010.
  '\u2010': '-',
  '&': ' and ',
  '+': ' plus ',
};

/** A character's code without its semicolon, as in `&copy 2020`, may also be a word after `&`. */
const brokenCode =
  /&(?:copy|reg|trade|pound|euro|yen|cent|sect|deg|[lr][ds]?quo|apos|[nm]dash|\w(?:acute|grave|circ|tilde|uml|ring|cedil))\b/i;
const marks = /\p{M}/gu;
const runsOfSpace = /\s+/g;
const dropped = /^[’'‘´`"“”\p{Cc}\p{Cf}\p{Extended_Pictographic}]$/u;

/** O'Brien → OBrien, M&S → M and S. Returns an empty text if a character has no plain spelling. */
export function plainName(text: string): string {
  if (brokenCode.test(text)) return '';
  let plain = '';
  // A symbol may be a form of a letter, such as a CJK radical.
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
/** The reference would change without them: letters and digits without a plain form, and signs for lost characters. */
const telling = /^[\p{L}\p{N}?\ufffd]$/u;

/** Symbols with a meaning, and points or commas inside a number. The reference could change without them. */
const tellingSign = /(?!\+)[\p{So}\p{Sc}\p{Sm}]|[%\\]|\d[.,]\d/u;

/** Returns the plain form of a reference: INV-204 → INV 204. Returns an empty text if the plain form could be another reference. */
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

/** Returns the words of a header in lower case without accents, separated by single spaces: `PaymentDate` gives `payment date`. */
export function headerWords(header: string): string {
  return withoutAccents(header.slice(0, longestHeader).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const longestHeader = 200;

/** Returns the text in lower case without accents: `Payé` becomes `paye`, and `Opłacone` becomes `oplacone`. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/(?![\x00-\x7f])\p{L}/gu, (letter) => spelledOut[letter] ?? letter);
}

function unmarked(text: string): string {
  return text.normalize('NFKD').replace(marks, '');
}

/** True if one letter was added, dropped or changed, or two neighbours were swapped. */
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

/** Returns the Levenshtein distance: how many letters must be added, dropped or changed. */
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
