/** Reads the small XML parts of a workbook. Refuses DTDs and unknown entities, which only attackers write. */
import { PayrunError } from '../../base/errors.ts';

export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly empty: boolean;
  attribute(name: string): string | undefined;
}

export function refuseDtd(): never {
  throw new PayrunError('FILE_HOSTILE', {});
}

export function refuseXml(): never {
  throw new PayrunError('WORKBOOK_DAMAGED', { row: null });
}

/** The deepest allowed nesting of elements. Files of spreadsheet programs need about twelve levels. */
const maxDepth = 256;

const declaration = /\sxmlns:([^\s=]+)\s*=/g;

/** Checks closing tags and prefixes. A wrong closing tag can lose a row. An undeclared prefix can hide a formula. */
export function createNesting(prefixes = new Set(['xml', 'xmlns'])) {
  const names: string[] = [];
  return {
    /** Returns a new nesting for one element. Both nestings share the declared prefixes. */
    inner: () => createNesting(prefixes),
    declare(tag: string): void {
      if (tag.includes('xmlns:')) for (const [, prefix] of tag.matchAll(declaration)) prefixes.add(prefix!);
    },
    /** Refuses undeclared prefixes. Call `declare` for the tag first. */
    check(name: string): void {
      const colon = name.indexOf(':');
      if (colon >= 0 && !prefixes.has(name.slice(0, colon))) refuseXml();
    },
    open(name: string): void {
      if (names.push(name) > maxDepth) throw new PayrunError('FILE_HOSTILE', {});
    },
    close(name: string): void {
      if (names.pop() !== name) refuseXml();
    },
    innermost: (): string | undefined => names.at(-1),
  };
}

export function* tagsOf(text: string): Generator<Tag> {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffd]/.test(text)) refuseXml();
  const nesting = createNesting();
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) {
      if (nesting.innermost() !== undefined) refuseXml();
      return;
    }
    if (text.startsWith('<!--', open)) at = endOf(text, '-->', open);
    else if (text.startsWith('<![CDATA[', open)) at = endOf(text, ']]>', open);
    else if (text[open + 1] === '!') refuseDtd();
    else if (text[open + 1] === '?') at = endOf(text, '?>', open);
    else {
      const close = closeOf(text, open, refuseXml);
      if (close < 0) refuseXml();
      at = close + 1;
      const closing = text[open + 1] === '/';
      const empty = text[close - 1] === '/';
      const inside = text.slice(open + (closing ? 2 : 1), empty ? close - 1 : close);
      const name = /^[^\s/>]+/.exec(inside)?.[0] ?? refuseXml();
      const attributes = attributesIn(inside, name.length);
      nesting.declare(inside);
      for (const one of attributes.keys()) nesting.check(one);
      if (closing) nesting.close(name);
      else {
        nesting.check(name);
        if (!empty) nesting.open(name);
      }
      yield { name: localName(name), closing, empty, attribute: (wanted) => attributeOf(attributes, wanted) };
    }
  }
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? refuseXml() : at + mark.length;
}

/** Returns the index of the `>` that ends a tag; -1 if the tag is incomplete. Skips each `>` inside a value. */
export function closeOf(text: string, open: number, refuseIt: () => never): number {
  const first = text.indexOf('>', open);
  // In most tags, no quotation mark or `<` comes before the first `>`, which then ends the tag.
  if (first < 0 || !/["'<]/.test(text.slice(open + 1, first))) return first;
  let quote = '';
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at]!;
    if (character === '<') refuseIt();
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export function attributesIn(inside: string, from: number, refuseIt: () => never = refuseXml): Map<string, string> {
  const found = new Map<string, string>();
  const attribute = /\s+([A-Za-z_:\x80-\uffff][\w:.\-\x80-\uffff]*)\s*=\s*(?:"([^"]*)"|'([^']*)')|\s*$/y;
  for (let at = from; at < inside.length; at = attribute.lastIndex) {
    attribute.lastIndex = at;
    const match = attribute.exec(inside);
    if (match === null || found.has(match[1] ?? '')) refuseIt();
    if (match[1] !== undefined) found.set(match[1], decodeEntities(match[2] ?? match[3]!, refuseIt));
  }
  return found;
}

/** Returns an attribute. The name `id` also finds `r:id` if no attribute is called `id`. */
function attributeOf(attributes: ReadonlyMap<string, string>, wanted: string): string | undefined {
  const name = attributes.has(wanted) ? wanted : [...attributes.keys()].find((one) => localName(one) === wanted);
  return name === undefined ? undefined : attributes.get(name);
}

/** True unless the file turns the attribute off. In `<strike/>`, the missing `val` means on. */
export const isOn = (value: string | undefined): boolean => value !== '0' && value !== 'false';

export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

const named: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes XML's five entities, and codes such as `&#39;`. Refuses other entities: only a DTD could define them. */
export function decodeEntities(text: string, refuseIt: () => never = refuseXml): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;\s&]{0,12});?/g, (whole, name: string) => {
    if (!whole.endsWith(';')) refuseIt();
    if (Object.hasOwn(named, name)) return named[name]!;
    const reference = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
    const code =
      reference === null ? -1 : Number.parseInt(reference[1] ?? reference[2]!, reference[1] === undefined ? 10 : 16);
    if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) refuseIt();
    return String.fromCodePoint(code);
  });
}

/** Decodes escapes such as `_x000D_`, which stand for characters that XML cannot hold. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export function encodeEscapes(text: string): string {
  return text
    .replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    .replace(
      /[\0-\x08\x0b-\x1f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}

const special = /[\0-\x1f&<>_\ufffe\uffff]/;
const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function escapedXml(text: string): { readonly xml: string; readonly hasEscapes: boolean } {
  if (!special.test(text)) return { xml: text, hasEscapes: false };
  const escaped = encodeEscapes(text);
  return { xml: escaped.replace(/[&<>]/g, (character) => entities[character]!), hasEscapes: escaped !== text };
}
