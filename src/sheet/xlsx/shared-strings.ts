/** Keeps a workbook's shared strings in one buffer. A million texts then need only their bytes and a small index. */
import { isAscii } from 'node:buffer';
import { wordsIn } from '../../base/words.ts';
import { createUtf8Check } from '../csv/utf8.ts';
import { createNesting, decodeEntities, decodeEscapes, refuseDtd, refuseXml } from '../xml/xml.ts';

export interface SharedStrings {
  get(index: number): string | undefined;
  /** The indices of texts that are struck out, in full or in part. */
  readonly struck: ReadonlySet<number>;
}

export const noStrings: SharedStrings = { get: () => undefined, struck: new Set() };

/** The longest shared string (`<si>`), including the XML that formats its parts. */
const maxItemBytes = 4 * 1024 * 1024;
/** The longest text, in bytes. Excel allows 32,767 characters, and each needs at most three bytes. */
const maxTextBytes = 3 * 32_767;
/** How many texts stay decoded. The first ones are enough: texts that repeat, such as countries, occur early. */
const remembered = 4096;
const rememberedBytes = 256;

/** Reads the shared strings. `maxBytes` is the unpacked size of their XML. All texts together are smaller. */
export async function readStrings(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<SharedStrings> {
  const arena = createArena(maxBytes);
  const check = createUtf8Check();
  const nesting = createNesting();
  const readItems = createItemReader(arena, nesting);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    check.push(chunk);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const done = readItems(bytes);
    rest = Buffer.from(bytes.subarray(done));
    if (rest.length > maxItemBytes) refuseXml();
  }
  if (!check.end() || nesting.innermost() !== undefined || rest.toString('latin1').trim() !== '') refuseXml();
  return arena.strings();
}

function createArena(maxBytes: number) {
  // The buffer has room for all texts. Unused room costs nothing: the system provides memory only for written pages.
  const bytes = Buffer.allocUnsafeSlow(maxBytes);
  let used = 0;
  let ends = new Uint32Array(4096);
  let count = 0;
  const struck = new Set<number>();
  return {
    strike(): void {
      struck.add(count - 1);
    },
    /** Adds a text that needs no decoding. Returns the index after `closing`; -1 for any other text. */
    addPlain(source: Uint8Array, from: number, closing: Uint8Array): number {
      let to = used;
      let at = from;
      for (; at < source.length; at++) {
        const byte = source[at]!;
        if (byte === lessThan) break;
        if (isSpecial(byte)) return -1;
        bytes[to++] = byte;
      }
      if (!isAt(source, at, closing)) return -1;
      used = to;
      close();
      return at + closing.length;
    },
    add(source: Buffer, from: number, to: number): void {
      used += source.copy(bytes, used, from, to);
      close();
    },
    addText(text: string): void {
      used += bytes.write(text, used, 'utf8');
      close();
    },
    strings(): SharedStrings {
      const first: (string | undefined)[] = [];
      const encoding = isAscii(bytes.subarray(0, used)) ? 'latin1' : 'utf8';
      return {
        struck,
        get(index) {
          if (!(index >= 0 && index < count)) return undefined;
          const known = index < remembered ? first[index] : undefined;
          if (known !== undefined) return known;
          const from = index === 0 ? 0 : ends[index - 1]!;
          const to = ends[index]!;
          const text = bytes.toString(encoding, from, to);
          if (index < remembered && to - from <= rememberedBytes) first[index] = text;
          return text;
        },
      };
    },
  };

  function close(): void {
    if (used - (count === 0 ? 0 : ends[count - 1]!) > maxTextBytes) refuseXml();
    if (count === ends.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(ends);
      ends = larger;
    }
    ends[count++] = used;
  }
}

type Arena = ReturnType<typeof createArena>;
type Nesting = ReturnType<typeof createNesting>;

/** Returns a function that puts a workbook's prefix before element names: `x:si`. Other prefixes belong to other programs. */
export const namesOf =
  <T extends string>(words: readonly T[]) =>
  (prefix: string) =>
    Object.fromEntries(words.map((word) => [word, Buffer.from(prefix + word)])) as Readonly<Record<T, Buffer>>;

const textNames = namesOf(wordsIn('si t rPh strike'));
type TextNames = ReturnType<typeof textNames>;

const lessThan = 0x3c;
const greaterThan = 0x3e;
const slash = 0x2f;
const equals = 0x3d;
const exclamation = 0x21;
const question = 0x3f;
const hyphen = 0x2d;

/** True for bytes that need decoding: `&` (entities), `_` (escapes) and control characters. */
const isSpecial = (byte: number): boolean => byte < 0x20 || byte === 0x26 || byte === 0x5f;

export function isAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
  return true;
}

const plainOpening = Buffer.from('<si><t>');
const plainClosing = Buffer.from('</t></si>');

/** Returns a function that reads a chunk's items. The function returns the index of the first incomplete item. */
function createItemReader(arena: Arena, nesting: Nesting): (bytes: Buffer) => number {
  let names: TextNames | null = null;
  let isPlain = false;
  return (bytes) => {
    let at = 0;
    for (;;) {
      if (isPlain && isAt(bytes, at, plainOpening)) {
        const next = arena.addPlain(bytes, at + plainOpening.length, plainClosing);
        if (next >= 0) {
          at = next;
          continue;
        }
      }
      const open = bytes.indexOf(lessThan, at);
      if (open < 0) return bytes.length;
      const close = tagEnd(bytes, open);
      if (close < 0) return open;
      at = close + 1;
      const first = bytes[open + 1];
      if (first === exclamation || first === question) continue;
      if (names === null) {
        const prefix = prefixOf(nameOf(bytes, open + 1));
        names = textNames(prefix);
        isPlain = prefix === '';
      }
      if (!isNamed(bytes, open + 1, names.si)) nest(nesting, bytes, open, close);
      else if (bytes[close - 1] === slash) arena.addText('');
      else {
        declare(nesting, bytes, open, close);
        const collected = collectText(bytes, at, names.si, names, nesting);
        if (collected === null) return open;
        if (collected.text === null) arena.add(bytes, collected.from, collected.to);
        else arena.addText(collected.text);
        if (collected.struck) arena.strike();
        at = collected.next;
      }
    }
  };
}

export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

interface Collected {
  /** The decoded text; null if the bytes from `from` to `to` need no decoding. */
  readonly text: string | null;
  readonly from: number;
  readonly to: number;
  readonly struck: boolean;
  readonly next: number;
}

/** Joins the texts of an item, but skips phonetic texts. Returns null if the chunk ends first. */
export function collectText(
  bytes: Buffer,
  start: number,
  element: Buffer,
  names: TextNames,
  around: Nesting,
): Collected | null {
  let runs = 0;
  let from = start;
  let to = start;
  let plain = true;
  let text = '';
  let inPhonetic = false;
  let struck = false;
  let nesting: Nesting | null = null;
  for (let at = start; ; ) {
    const open = nextTag(bytes, at);
    const close = tagEnd(bytes, open);
    if (close < 0) return null;
    at = close + 1;
    const closing = bytes[open + 1] === slash;
    const nameAt = closing ? open + 2 : open + 1;
    if (closing && (nesting === null || nesting.innermost() === undefined)) {
      if (!isNamed(bytes, nameAt, element)) refuseXml();
      return { text: runs <= 1 && plain ? null : text, from, to, struck, next: at };
    }
    if (isNamed(bytes, nameAt, names.rPh)) inPhonetic = !closing && bytes[close - 1] !== slash;
    if (closing || inPhonetic || !isNamed(bytes, nameAt, names.t)) {
      if (!closing && isNamed(bytes, nameAt, names.strike)) struck ||= !isOff(bytes.toString('latin1', open, close));
      nesting ??= around.inner();
      nest(nesting, bytes, open, close);
      continue;
    }
    if (bytes[close - 1] === slash) continue;
    const run = readRun(bytes, at, names.t);
    if (run === null) return null;
    if (runs === 0) {
      from = at;
      to = run.to;
      plain = run.text === null;
    }
    runs++;
    text += run.text ?? bytes.toString('utf8', at, run.to);
    at = run.next;
  }
}

const isOff = (tag: string): boolean => /\sval\s*=\s*["'](?:0|false|off)["']/.test(tag);

export function nest(nesting: Nesting, bytes: Buffer, open: number, close: number): void {
  if (bytes[open + 1] === slash) {
    nesting.close(nameOf(bytes, open + 2));
    return;
  }
  const name = nameOf(bytes, open + 1);
  declare(nesting, bytes, open, close);
  nesting.check(name);
  if (bytes[close - 1] !== slash) nesting.open(name);
}

const shortestDeclaring = '<t xmlns:a="a"'.length;

export function declare(nesting: Nesting, bytes: Buffer, open: number, close: number): void {
  if (close - open >= shortestDeclaring) nesting.declare(bytes.toString('latin1', open, close));
}

export function nameOf(bytes: Buffer, at: number): string {
  let end = at;
  while (end < bytes.length && bytes[end]! > 0x20 && bytes[end] !== greaterThan && bytes[end] !== slash) end++;
  if (end === at) refuseXml();
  return bytes.toString('latin1', at, end);
}

/** Reads a text up to its closing tag; null if the bytes end first. `text` is null if the bytes need no decoding. */
export function readRun(
  bytes: Buffer,
  from: number,
  element: Buffer,
): { text: string | null; to: number; next: number } | null {
  let special = false;
  let at = from;
  const end = bytes.length;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === lessThan) break;
    if (isSpecial(byte)) special = true;
  }
  if (at + 1 >= end) return null;
  if (bytes[at + 1] !== slash) return readMixedRun(bytes, from, element);
  const close = tagEnd(bytes, at);
  if (close < 0) return null;
  if (!isNamed(bytes, at + 2, element)) refuseXml();
  return { text: special ? plainText(bytes.toString('utf8', from, at)) : null, to: at, next: close + 1 };
}

/** Reads a text with CDATA or comments. XML allows them, but no spreadsheet program writes them. */
function readMixedRun(bytes: Buffer, from: number, element: Buffer): { text: string; to: number; next: number } | null {
  let text = '';
  for (let at = from; ; ) {
    const open = bytes.indexOf(lessThan, at);
    if (open < 0 || open + 9 > bytes.length) return null;
    text += decodeEntities(xmlCharacters(bytes.toString('utf8', at, open)));
    if (bytes[open + 1] === slash) {
      const close = tagEnd(bytes, open);
      if (close >= 0 && !isNamed(bytes, open + 2, element)) refuseXml();
      return close < 0 ? null : { text: decodeEscapes(text), to: open, next: close + 1 };
    }
    const opening = bytes.toString('latin1', open, open + 9);
    const mark = opening === '<![CDATA[' ? ']]>' : opening.startsWith('<!--') ? '-->' : null;
    if (mark === null) return opening.startsWith('<!') ? refuseDtd() : refuseXml();
    const close = bytes.indexOf(mark, open + (mark === ']]>' ? 9 : 4));
    if (close < 0) return null;
    if (mark === ']]>') text += xmlCharacters(bytes.toString('utf8', open + 9, close));
    at = close + 3;
  }
}

const plainText = (raw: string): string => decodeEscapes(decodeEntities(xmlCharacters(raw)));

function xmlCharacters(raw: string): string {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(raw)) refuseXml();
  return raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
}

/** Returns the index of the next tag's `<`, after comments and instructions; -1 if the chunk ends first. */
export function nextTag(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== lessThan) continue;
    const first = bytes[at + 1];
    if (first !== exclamation && first !== question) return at;
    at = tagEnd(bytes, at);
    if (at < 0) return -1;
  }
  return -1;
}

/** Returns the index of the `>` that ends a tag, comment or instruction; -1 if it does not end, or if `open` is -1. */
export function tagEnd(bytes: Buffer, open: number): number {
  if (open < 0) return -1;
  if (bytes[open + 1] === exclamation) {
    if (open + 3 >= bytes.length) return -1;
    if (bytes[open + 2] !== hyphen || bytes[open + 3] !== hyphen) refuseDtd();
    const at = bytes.indexOf('-->', open + 4);
    return at < 0 ? -1 : at + 2;
  }
  if (bytes[open + 1] === question) {
    const at = bytes.indexOf('?>', open + 2);
    return at < 0 ? -1 : at + 1;
  }
  // A closing tag has only a name, so `/` and `=` in the tag are errors.
  const closing = bytes[open + 1] === slash;
  let quote = 0;
  for (let at = closing ? open + 2 : open + 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === lessThan || (closing && (byte === slash || byte === equals))) refuseXml();
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === greaterThan) return at;
    else if (byte === 0x22 || byte === 0x27) quote = byte;
  }
  return -1;
}

export function isNamed(bytes: Buffer, at: number, name: Buffer): boolean {
  const length = name.length;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== name[index]) return false;
  const byte = bytes[at + length];
  return byte === undefined || byte <= 0x20 || byte === greaterThan || byte === slash;
}
