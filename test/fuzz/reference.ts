/** Readers by the letter of the standards, slow and plain, against which the real one is held where a file was damaged and still read. */
import { SaxesParser } from 'saxes';
import { plainNumber } from '../../src/domain/amounts/plain-number.ts';

/** A cell as it is stored: text, or its kind and what stands in it. */
export type Stored = string | { readonly kind: string; readonly text: string; readonly formula: boolean };

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Half an entity in a text that nobody reads: the parser then loses its way, and we do not. */
class LostItsWay extends Error {}

/** The tree of a part; other faults are passed over, as far as the parser can. */
function parseXml(bytes: Buffer): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open: Element[] = [root];
  const parser = new SaxesParser({});
  parser.on('error', ({ message }) => {
    // Without its semicolon an entity goes on to the end.
    if (/entity|unclosed tag/.test(message)) throw new LostItsWay(message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const add = (more: string) => {
    open.at(-1)!.text += more;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    if (open.length > 1) open.pop();
  });
  parser.write(bytes.toString('utf8')).close();
  return root;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);
const named = (element: Element, name: string) => element.children.filter((child) => local(child.name) === name);

function* everyNamed(element: Element, name: string): Generator<Element> {
  if (local(element.name) === name) yield element;
  for (const child of element.children) yield* everyNamed(child, name);
}

/** The cells of a worksheet by row number, as its XML has them; formats are not looked at. Null where that cannot be said. */
export function sheetCells(sheet: Buffer, strings: Buffer | null): Map<number, Stored[]> | null {
  try {
    return cellsIn(sheet, strings);
  } catch (error) {
    if (error instanceof LostItsWay) return null;
    throw error;
  }
}

function cellsIn(sheet: Buffer, strings: Buffer | null): Map<number, Stored[]> {
  const texts = strings === null ? [] : [...everyNamed(parseXml(strings), 'si')].map(textOf);
  const rows = new Map<number, Stored[]>();
  let number = 0;
  const [data] = everyNamed(parseXml(sheet), 'sheetData');
  const own = (name: string) => data!.name.replace('sheetData', name);
  for (const row of data?.children ?? []) {
    if (row.name !== own('row')) continue;
    number = row.attributes.r === undefined ? number + 1 : Number(row.attributes.r);
    const cells: Stored[] = [];
    let column = -1;
    for (const cell of row.children) {
      if (cell.name !== own('c')) continue;
      column = cell.attributes.r === undefined ? column + 1 : columnOf(cell.attributes.r);
      const stored = storedIn(cell, texts);
      if (stored === '') continue;
      while (cells.length < column) cells.push('');
      cells.push(stored);
    }
    if (cells.length > 0) rows.set(number, cells);
  }
  return rows;
}

function storedIn(cell: Element, texts: readonly string[]): Stored {
  const formula = named(cell, 'f').length > 0;
  const inline = named(cell, 'is')[0];
  const text = inline === undefined ? unescaped(named(cell, 'v')[0]?.text ?? '') : textOf(inline);
  if (text === '' && !formula) return '';
  const kind =
    { s: 'shared', str: 'text', inlineStr: 'text', b: 'boolean', e: 'error', d: 'date' }[cell.attributes.t ?? ''] ??
    'number';
  if (kind === 'shared' || kind === 'text') {
    const shown = kind === 'shared' ? (texts[Number(text)] ?? '') : text;
    return formula ? { kind: 'text', text: shown, formula } : shown;
  }
  if (text === '') return { kind: 'uncached', text, formula };
  if (kind === 'boolean') return { kind, text: /^\s*(1|true)\s*$/i.test(text) ? 'TRUE' : 'FALSE', formula };
  // That its digits are the right ones is for its own test to say.
  const number = plainNumber(text.trim());
  if (kind === 'number') return number === null ? { kind: 'error', text, formula } : { kind, text: number, formula };
  return { kind, text, formula };
}

/** Every text of an `<si>` or `<is>`, without its phonetic reading. */
function textOf(element: Element): string {
  return element.children
    .map((child) => {
      const name = local(child.name);
      return name === 't' ? unescaped(child.text) : name === 'rPh' ? '' : textOf(child);
    })
    .join('');
}

function unescaped(text: string): string {
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/\d+$/, '').toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The records of a CSV; null where a quote stands where none may. */
export function csvRecords(text: string, delimiter: string): string[][] | null {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const ends = (character: string | undefined) =>
    character === undefined || character === delimiter || character === '\r' || character === '\n';
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) return null;
        field += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
      // A NUL behind the quote stays in the value, where it is told.
      if (!ends(text[at]) && text[at] !== '\0') return null;
    } else if (text.startsWith('="', at)) {
      // `="0123"`, as spreadsheets read it: the one value that may have quotes inside.
      const behind = text.indexOf('"', at + 2) + 1;
      const whole = text.slice(at, behind);
      if (behind > 0 && ends(text[behind]) && ![delimiter, '\r', '\n'].some((end) => whole.includes(end))) {
        field = whole;
        at = behind;
      }
    }
    for (; !ends(text[at]); at++) {
      if (text[at] === '"') return null;
      field += text[at];
    }
    record.push(field);
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      record.push('');
    } else at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    records.push(record);
    record = [];
  }
  return records;
}
