/** Reads a sheet's styles and row heights. Payrun needs them only to write a workbook that looks like the sheet. */
import { columnIndex } from '../../columns/column-name.ts';
import { isTrue } from '../../xml/xml.ts';
import type { RawStyle } from './read-styles.ts';

/** The appearance of a sheet. A style is an index in the list `styles`. */
export interface LookForm<Style> {
  readonly styles: readonly Style[];
  /** The styles of a row's cells, by column; null where there is no cell. Rows with equal styles share an entry. */
  readonly kinds: readonly (readonly (number | null)[])[];
  readonly rows: readonly (readonly [
    number: number,
    kind: number | null,
    style: number | null,
    height: number | null,
  ])[];
  /** Ranges of columns: first and last index, counted from 0, and the style. */
  readonly columns: readonly (readonly [from: number, to: number, style: number])[];
  readonly frozen: { readonly rows: number; readonly columns: number } | null;
}

// These limits keep the answer small. The main program writes at most 20,000 lines with formats.
const maxRows = 50_000;
const maxColumns = 256;
const maxStyles = 5000;
/** The most cells in `kinds`. Even thousands of rows usually share a few entries. */
const maxKindCells = 500_000;
const maxTag = 64 * 1024;

// A `>` inside an attribute ends the match early. Then only the copied styles can be wrong.
const tags = /<(?:[A-Za-z]\w*:)?(row|c|col|pane)(?=[\s/>])([^>]*)>/g;

export async function readLook(
  chunks: AsyncIterable<Buffer>,
  styles: readonly RawStyle[],
): Promise<LookForm<RawStyle>> {
  const used = createNumbering<RawStyle>(maxStyles);
  used.numberOf('0', () => styles[0] ?? {});
  const styleOf = (text: string | undefined): number | null => {
    const style = text === undefined ? undefined : styles[Number(text)];
    return style === undefined ? null : used.numberOf(String(Number(text)), () => style);
  };

  const kinds = createNumbering<readonly (number | null)[]>(Number.POSITIVE_INFINITY);
  let kindCells = 0;
  const kindOf = (cells: readonly (number | null)[]): number | null =>
    kinds.numberOf(cells.join(), () => {
      kindCells += cells.length + 1;
      return kindCells > maxKindCells ? null : cells;
    });

  const rows: [number, number | null, number | null, number | null][] = [];
  const columns: [number, number, number][] = [];
  let frozen = null as LookForm<RawStyle>['frozen'];
  let row: { readonly number: number; readonly style: number | null; readonly height: number | null } | null = null;
  let cells: (number | null)[] = [];
  let number = 0;
  let column = -1;

  const endRow = () => {
    if (row === null || rows.length >= maxRows) return;
    rows.push([row.number, kindOf(cells), row.style, row.height]);
    row = null;
  };
  const take = (name: string, attribute: (name: string) => string | undefined) => {
    if (name === 'c') {
      column = columnOf(attribute('r')) ?? column + 1;
      if (column >= maxColumns) return;
      while (cells.length < column) cells.push(null);
      // A cell that names no style has style 0, even if its row or column has another style.
      cells[column] = styleOf(attribute('s') ?? '0');
    } else if (name === 'row') {
      endRow();
      number = Number(attribute('r') ?? number + 1);
      const own = isTrue(attribute('customFormat'));
      row = { number, style: own ? styleOf(attribute('s')) : null, height: Number(attribute('ht') ?? 0) || null };
      cells = [];
      column = -1;
    } else if (name === 'col') {
      const style = attribute('style') === undefined ? null : styleOf(attribute('style'));
      const to = Math.min(Number(attribute('max')), maxColumns);
      if (style !== null && columns.length < maxColumns) columns.push([Number(attribute('min')) - 1, to - 1, style]);
    } else if (attribute('state')?.startsWith('frozen') === true) {
      frozen = { rows: Number(attribute('ySplit') ?? 0), columns: Number(attribute('xSplit') ?? 0) };
    }
  };

  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk.toString('latin1');
    for (const [, name, inside] of text.matchAll(tags)) take(name!, (wanted) => attributeOf(inside!, wanted));
    const open = text.lastIndexOf('<');
    rest = open < 0 || text.includes('>', open) || text.length - open > maxTag ? '' : text.slice(open);
    if (rows.length >= maxRows) break;
  }
  endRow();
  return { styles: used.list(), kinds: kinds.list(), rows, columns, frozen };
}

function createNumbering<T>(most: number) {
  const numbers = new Map<string, number>();
  const list: T[] = [];
  return {
    numberOf(key: string, thing: () => T | null): number | null {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const made = list.length < most ? thing() : null;
      if (made === null) return null;
      numbers.set(key, list.length);
      return list.push(made) - 1;
    },
    list: (): readonly T[] => list,
  };
}

const attributes = new Map(
  ['r', 's', 'ht', 'customFormat', 'style', 'min', 'max', 'state', 'xSplit', 'ySplit'].map((name) => [
    name,
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`),
  ]),
);

/** Returns an attribute undecoded, because these attributes need no entities such as `&amp;`. */
function attributeOf(inside: string, wanted: string): string | undefined {
  const found = attributes.get(wanted)!.exec(inside);
  return found?.[1] ?? found?.[2];
}

function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0];
  return letters === undefined ? null : columnIndex(letters);
}
