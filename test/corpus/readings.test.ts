/** The same workbooks read by us, by exceljs, by SheetJS and by LibreOffice: every cell of every row agrees, or differs as told. */
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/domain/rows/cell.ts';
import { shownText } from '../../src/domain/rows/cell.ts';
import { deadly, differences, type Program, programs, unread } from './differences.ts';
import {
  type Comparable,
  comparable,
  excelJsReading,
  keptReading,
  type OtherCell,
  type OtherRows,
} from './readings.ts';

const books = await comparable();
const used = new Set<string>();
const nothing: OtherCell = { text: '', isText: false };

describe.each(programs)('%s', (program) => {
  test('reads what we read', async () => {
    const found: string[] = [];
    let cells = 0;
    for (const book of books) {
      if (isLeftOut(program, book.name)) continue;
      const theirs = await readingOf(program, book);
      if (theirs === null) found.push(`${book.name}: it reads nothing of it`);
      else cells += compare(program, book, theirs, found);
    }
    expect(found.slice(0, 20)).toEqual([]);
    expect(cells).toBeGreaterThan(2000);
  });

  test('still does not read what the table says that it does not', async () => {
    for (const name of Object.keys(unread[program])) {
      const book = books.find((one) => one.name === name);
      expect(book, `${name} is in the corpus`).toBeDefined();
      const theirs = await readingOf(program, book!);
      const found: string[] = [];
      if (theirs !== null) compare(program, book!, theirs, found);
      expect(theirs === null || found.length > 0, `${program} reads ${name} now: take it out of the table`).toBe(true);
    }
  });
});

test('every kind of difference that is told occurs', () => {
  expect(differences.filter(({ why }) => !used.has(why)).map(({ why }) => why)).toEqual([]);
});

function isLeftOut(program: Program, name: string): boolean {
  return unread[program][name] !== undefined || (program === 'exceljs' && deadly.includes(name));
}

function readingOf(program: Program, { name, sheet }: Comparable): Promise<OtherRows | null> {
  return program === 'exceljs' ? excelJsReading(name, sheet) : keptReading(name, program);
}

/** Tells what differs without a reason; answers how many cells were compared. */
function compare(program: Program, { name, rows }: Comparable, others: OtherRows, found: string[]): number {
  let cells = 0;
  for (const number of new Set([...rows.keys(), ...others.keys()])) {
    const ours = rows.get(number) ?? [];
    const theirs = others.get(number) ?? [];
    for (let column = 0; column < Math.max(ours.length, theirs.length); column++) {
      cells++;
      const [one, other] = [ours[column] ?? '', theirs[column] ?? nothing];
      const why = differing(program, one, other);
      if (why !== null) found.push(`${name} row ${number} column ${column + 1}: ${why}`);
    }
  }
  return cells;
}

/** Text is text there too; only exceljs tells all else apart, since a comma puts a number into quotes in the others' CSV. */
function sameKind(program: Program, ours: Cell, { text, isText }: OtherCell): boolean {
  const oursIsText = typeof ours === 'string' || ours.kind === 'text';
  return text === '' || oursIsText === isText || (!oursIsText && program !== 'exceljs');
}

function differing(program: Program, ours: Cell, theirs: OtherCell): string | null {
  if (shownText(ours) === theirs.text && sameKind(program, ours, theirs)) return null;
  const reason = differences.find((one) => one.of.includes(program) && one.allows(ours, theirs, program));
  if (reason === undefined) return `${JSON.stringify(ours)} here, ${JSON.stringify(theirs.text)} there`;
  used.add(reason.why);
  return null;
}
