/** Reads XML in chunks. Refuses XML that two programs could read differently, or that only attackers write. */
import { PayrunError } from '../../base/errors.ts';
import { attributesIn, closeOf, decodeEntities } from './xml.ts';

/** For the tag `<p:Id>`, `name` is `Id`, and `namespace` is the namespace of the prefix `p`. */
interface XmlListener {
  open(name: string, namespace: string, attributes: ReadonlyMap<string, string>): void;
  /** Receives text with decoded entities. One text can arrive in several calls. */
  text(text: string): void;
  close(): void;
}

const maxDepth = 64;
const maxPiece = 256 * 1024;

interface Element {
  readonly tag: string;
  /** Namespaces by prefix. The empty prefix is the default namespace. */
  readonly spaces: ReadonlyMap<string, string>;
}

const noAttributes: ReadonlyMap<string, string> = new Map();
const declaration = /^<\?xml\s+version\s*=\s*(["'])1\.[01]\1(?:\s+encoding\s*=\s*(["'])([A-Za-z0-9._-]+)\2)?[^<>]*\?>$/;

function refuseXmlFile(): never {
  throw new PayrunError('XML_CUT', {});
}

export function createXmlStream(listener: XmlListener) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const elements: Element[] = [];
  let rest = '';
  let started = false;
  let ended = false;

  return {
    push(chunk: Buffer): void {
      scan(decoded(chunk, true), false);
    },
    end(): void {
      scan(decoded(undefined, false), true);
      if (!ended) refuseXmlFile();
    },
  };

  function decoded(chunk: Buffer | undefined, stream: boolean): string {
    try {
      return decoder.decode(chunk, { stream });
    } catch {
      throw new PayrunError('XML_IN_OTHER_ENCODING', {});
    }
  }

  function scan(piece: string, last: boolean): void {
    const text = rest + piece;
    if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(piece)) refuseXmlFile();
    let at = 0;
    for (;;) {
      const open = text.indexOf('<', at);
      // Waits for the next tag before reading text, so that no entity is cut in two.
      if (open < 0) break;
      if (open > at) takeText(text.slice(at, open));
      const next = takeMarkup(text, open);
      if (next < 0) {
        at = open;
        break;
      }
      at = next;
    }
    rest = text.slice(at);
    if (rest.length > maxPiece) throw new PayrunError('FILE_HOSTILE', {});
    if (last && rest.trim() !== '') refuseXmlFile();
  }

  function takeText(text: string): void {
    if (elements.length > 0) {
      if (text.includes(']]>')) refuseXmlFile();
      listener.text(decodeEntities(text, refuseXmlFile));
    } else if (text.trim() !== '') refuseXmlFile();
  }

  /** Reads the markup at `open`, such as a tag or comment. Returns the index after it; -1 if the text ends first. */
  function takeMarkup(text: string, open: number): number {
    if (text.startsWith('<!--', open)) return endOf(text, '-->', open + 4);
    if (text.startsWith('<![CDATA[', open)) {
      const end = endOf(text, ']]>', open + 9);
      if (end >= 0 && elements.length === 0) refuseXmlFile();
      if (end >= 0) listener.text(text.slice(open + 9, end - 3));
      return end;
    }
    if (text[open + 1] === '!') {
      if (text.length < open + 9) return -1;
      throw new PayrunError('FILE_HOSTILE', {});
    }
    if (text[open + 1] === '?') {
      const end = endOf(text, '?>', open + 2);
      if (end >= 0) takeInstruction(text.slice(open, end));
      return end;
    }
    const close = closeOf(text, open, refuseXmlFile);
    if (close >= 0) takeTag(text, open, close);
    return close < 0 ? -1 : close + 1;
  }

  function takeInstruction(text: string): void {
    if (!/^<\?xml\s/i.test(text)) return;
    const encoding = declaration.exec(text);
    if (started || elements.length > 0 || encoding === null) refuseXmlFile();
    started = true;
    const name = encoding[3]?.toUpperCase() ?? 'UTF-8';
    if (name !== 'UTF-8' && name !== 'US-ASCII') throw new PayrunError('XML_IN_OTHER_ENCODING', {});
  }

  function takeTag(text: string, open: number, close: number): void {
    started = true;
    const closing = text[open + 1] === '/';
    const empty = text[close - 1] === '/';
    const inside = text.slice(open + (closing ? 2 : 1), empty ? close - 1 : close);
    const tag = /^[^\s/>]+/.exec(inside)?.[0] ?? refuseXmlFile();
    if (closing) {
      if (elements.pop()?.tag !== tag || inside.trim() !== tag) refuseXmlFile();
      listener.close();
      ended = elements.length === 0;
      return;
    }
    if (ended) refuseXmlFile();
    const written = inside.length === tag.length ? noAttributes : attributesIn(inside, tag.length, refuseXmlFile);
    const outer = elements.at(-1)?.spaces ?? noSpaces;
    let attributes = noAttributes;
    let spaces = outer;
    if (written.size > 0) {
      const isSpace = ([name]: readonly [string, string]) => name === 'xmlns' || name.startsWith('xmlns:');
      attributes = new Map([...written].filter((one) => !isSpace(one)));
      const own = [...written].filter(isSpace);
      if (own.length > 0) spaces = new Map([...outer, ...own.map(([name, value]) => [name.slice(6), value] as const)]);
    }
    elements.push({ tag, spaces });
    if (elements.length > maxDepth) throw new PayrunError('FILE_HOSTILE', {});
    const colon = tag.indexOf(':');
    const namespace = spaces.get(colon < 0 ? '' : tag.slice(0, colon));
    if (colon >= 0 && namespace === undefined) refuseXmlFile();
    listener.open(tag.slice(colon + 1), namespace ?? '', attributes);
    if (!empty) return;
    elements.pop();
    listener.close();
    ended = elements.length === 0;
  }
}

const noSpaces: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}
