/** One trial from its seed alone: a file is made or damaged, read, and what was read is judged. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plainNumber } from '../../src/domain/amounts/plain-number.ts';
import { type Entry, zip } from '../sheet/zip-builder.ts';
import { unpacked } from './archive.ts';
import { type Chance, chanceOf } from './chance.ts';
import { makeCsv } from './csv.ts';
import { damaged } from './damage.ts';
import type { Model, Value } from './model.ts';
import { noOps, packedAgain } from './noops.ts';
import { commandFault, isUsed, type Reading, type ReadRow, readingOf } from './reading.ts';
import { csvRecords, type Stored, sheetCells } from './reference.ts';
import { makeWorkbook, packed } from './workbook.ts';

export interface Verdict {
  readonly kind: string;
  readonly refused: boolean;
  /** What is wrong, or null. */
  readonly fault: string | null;
}

interface Bench {
  readonly chance: Chance;
  readonly folder: string;
  /** Reads bytes under a name. */
  read(bytes: Buffer, ending: '.xlsx' | '.csv'): Promise<Reading | null>;
}

const kinds: Readonly<Record<string, (bench: Bench) => Promise<{ refused: boolean; fault: string | null }>>> = {
  'made workbook': madeWorkbook,
  'made CSV': madeCsv,
  'workbook with a change that is none': unchangedWorkbook,
  'CSV with a change that is none': unchangedCsv,
  'workbook with damaged bytes': damagedWorkbook,
  'CSV with damaged bytes': damagedCsv,
  'workbook with a damaged part': damagedPart,
  'workbook of another program with a damaged part': damagedForeignPart,
};

export const kindNames: readonly string[] = Object.keys(kinds);

/** `counted` runs what the product does; the making and the judging, which hold the sheet as well, are not in it. */
export async function runTrial(
  seed: number,
  folder: string,
  counted: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<Verdict> {
  const kind = kindNames[seed % kindNames.length]!;
  const chance = chanceOf(seed);
  let last = '';
  const bench: Bench = {
    chance,
    folder,
    read(bytes, ending) {
      last = join(folder, `sheet${ending}`);
      writeFileSync(last, bytes);
      return counted(() => readingOf(last));
    },
  };
  try {
    const { refused, fault } = await kinds[kind]!(bench);
    return {
      kind,
      refused,
      fault: fault ?? (chance.once(16) ? await counted(() => commandFault(last, folder)) : null),
    };
  } catch (error) {
    return { kind, refused: false, fault: `thrown: ${error instanceof Error ? error.stack : String(error)}` };
  }
}

// --- Made files say what their model says

async function madeWorkbook({ chance, read }: Bench) {
  const { model, entries } = makeWorkbook(chance);
  return against(model, await read(packed(chance, entries), '.xlsx'));
}

async function madeCsv({ chance, read }: Bench) {
  const { model, bytes } = makeCsv(chance);
  return against(model, await read(bytes, '.csv'));
}

function against(model: Model, reading: Reading | null): { refused: boolean; fault: string | null } {
  if (reading === null) return { refused: true, fault: 'a legal file is refused' };
  if (reading.headerRow !== model.headerRow)
    return { refused: false, fault: `the header is row ${model.headerRow}, read as row ${reading.headerRow}` };
  const expected = model.rows.map(({ number, cells }) => ({ number, cells: trimmed(cells) }));
  return { refused: false, fault: difference(expected, reading.rows) };
}

function trimmed(cells: readonly Value[]): Stored[] {
  const out: Stored[] = cells.map((value) =>
    typeof value === 'string' ? value : { kind: value.kind, text: textRead(value), formula: value.formula },
  );
  while (out.at(-1) === '') out.pop();
  return out;
}

interface Row {
  readonly number: number;
  readonly cells: readonly Stored[];
}

/** The first row that is lost, added or other, in words. */
function difference(expected: readonly Row[], found: readonly Row[]): string | null {
  for (let index = 0; index < Math.max(expected.length, found.length); index++) {
    const [one, other] = [expected[index], found[index]];
    if (one?.number === other?.number && isDeepStrictEqual(one?.cells, other?.cells)) continue;
    return `expected row ${JSON.stringify(one)}, read ${JSON.stringify(other)}`.slice(0, 2000);
  }
  return null;
}

// --- A change that is none

async function unchangedWorkbook({ chance, read }: Bench) {
  const original = chance.once(2) ? zip(makeWorkbook(chance).entries) : chance.one(corpusBooks());
  const before = await read(original, '.xlsx');
  if (before === null) return { refused: true, fault: null };
  let entries: readonly Entry[] = unpacked(original);
  const done: string[] = [];
  for (let left = 1 + chance.below(3); left > 0; left--) {
    const noOp = chance.one(noOps);
    const changed = noOp.change(entries, chance);
    if (changed === null) continue;
    entries = changed;
    done.push(noOp.name);
  }
  const after = await read(packedAgain(entries, chance), '.xlsx');
  return same(before, after, done.join(', '));
}

function same(before: Reading | null, after: Reading | null, change: string) {
  const plain = (reading: Reading | null) =>
    reading === null ? null : { ...reading, form: null, format: '', delimiter: null };
  if (isDeepStrictEqual(plain(before), plain(after))) return { refused: after === null, fault: null };
  const what =
    before === null || after === null
      ? `${before === null ? 'refused' : 'read'} before and ${after === null ? 'refused' : 'read'} after`
      : (difference(before.rows, after.rows) ?? 'read otherwise');
  return { refused: after === null, fault: `${change}: ${what}` };
}

async function unchangedCsv({ chance, read }: Bench) {
  const original = chance.once(2) ? makeCsv(chance).bytes : chance.one(corpusLists());
  const before = await read(original, '.csv');
  const records = before === null ? null : recordsOf(original, before);
  if (!isUsed(before) || records === null) return { refused: true, fault: null };
  const delimiter = before.delimiter!;
  const end = chance.one(['\n', '\r\n', '\r']);
  const all = chance.once(2);
  const quoted = (cell: string) =>
    all || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const text = records.map((record) => record.map(quoted).join(delimiter) + end).join('') + end.repeat(chance.below(3));
  const encoded = chance.one([
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
  ]);
  return same(before, await read(encoded, '.csv'), 'written again');
}

/** By the standard, from the encoding that the product says; null where the standard has no reading. */
function recordsOf(bytes: Buffer, { form, delimiter }: Reading): string[][] | null {
  const names = [
    ['UTF-16 LE', 'utf-16le'],
    ['UTF-16 BE', 'utf-16be'],
    ['Windows-1252', 'windows-1252'],
  ] as const;
  const encoding = names.find(([name]) => form.format === 'csv' && form.encoding === name)?.[1] ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  return csvRecords(text.replace(/^"?sep=(.)"?(?:\r\n|\n|\r|$)/i, ''), delimiter!);
}

// --- Damage

/** Behind checksums: what is still read is what was there before. */
async function damagedWorkbook({ chance, read }: Bench) {
  const original = chance.once(3) ? packed(chance, makeWorkbook(chance).entries) : chance.one(corpusBooks());
  const before = await read(original, '.xlsx');
  const after = await read(damaged(chance, original), '.xlsx');
  if (!isUsed(after)) return { refused: true, fault: null };
  return same(before, after, 'damage behind a checksum');
}

async function damagedCsv({ chance, read }: Bench) {
  const bytes = damaged(chance, chance.once(2) ? makeCsv(chance).bytes : chance.one(corpusLists()));
  const reading = await read(bytes, '.csv');
  if (!isUsed(reading) || reading.format !== 'csv' || reading.own) return { refused: reading === null, fault: null };
  const records = recordsOf(bytes, reading);
  if (records === null) return { refused: false, fault: 'a quote where none may stand was read' };
  return {
    refused: false,
    fault: difference(filled(records.map((cells, index) => ({ number: index + 1, cells }))), reading.rows),
  };
}

/** With right checksums: what is still read is what the XML says. */
async function damagedPart({ chance, read }: Bench) {
  const { entries, sheetPart, stringsPart } = makeWorkbook(chance);
  const chosen =
    chance.once(4) && stringsPart !== null ? stringsPart : chance.once(8) ? chance.one(entries).name : sheetPart;
  const changed = entries.map((entry) =>
    entry.name === chosen ? { ...entry, content: damaged(chance, Buffer.from(entry.content)) } : entry,
  );
  const reading = await read(zip(changed), '.xlsx');
  if (!isUsed(reading) || (chosen !== sheetPart && chosen !== stringsPart))
    return { refused: reading === null, fault: null };
  const part = (name: string) => Buffer.from(changed.find((entry) => entry.name === name)!.content);
  const cells = sheetCells(part(sheetPart), stringsPart === null ? null : part(stringsPart));
  if (cells === null) return { refused: false, fault: null };
  return {
    refused: false,
    fault: difference(filled([...cells].map(([number, row]) => ({ number, cells: row }))), reading.rows),
  };
}

async function damagedForeignPart({ chance, read }: Bench) {
  const entries = unpacked(chance.one(corpusBooks()));
  const chosen = chance.one(entries).name;
  const changed = entries.map((entry) =>
    entry.name === chosen ? { ...entry, content: damaged(chance, Buffer.from(entry.content)) } : entry,
  );
  const reading = await read(zip(changed), '.xlsx');
  const numbers = reading?.rows.map(({ number }: ReadRow) => number) ?? [];
  const ordered = numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
  return { refused: reading === null, fault: ordered ? null : `rows out of order: ${numbers.join(', ')}` };
}

/** Without rows that hold only spaces, which are no rows. */
function filled(rows: readonly Row[]): Row[] {
  return rows
    .map(({ number, cells }) => {
      const out = [...cells];
      while (out.at(-1) === '') out.pop();
      return { number, cells: out };
    })
    .filter(({ cells }) =>
      cells.some((cell) => (typeof cell === 'string' ? cell : cell.kind === 'text' ? cell.text : 'x').trim() !== ''),
    );
}

// --- Files of other programs

let books: Buffer[] | undefined;
let lists: Buffer[] | undefined;

function corpusBooks(): Buffer[] {
  books ??= corpusFiles(
    ['hand', 'libreoffice', 'gnumeric', 'exceljs', 'sheetjs', 'openpyxl', 'xlsxwriter'],
    '.xlsx',
  ).filter(isArchive);
  return books;
}

function corpusLists(): Buffer[] {
  lists ??= corpusFiles(['csv', 'libreoffice', 'gnumeric', 'sheetjs'], '.csv');
  return lists;
}

function corpusFiles(folders: readonly string[], ending: string): Buffer[] {
  return folders.flatMap((folder) => {
    const path = join(import.meta.dirname, '../corpus', folder);
    const names = readdirSync(path).filter(
      (name) => name.endsWith(ending) && !/\.(libreoffice|sheetjs)\.csv$/.test(name),
    );
    return names.sort().map((name) => readFileSync(join(path, name)));
  });
}

/** Those that can be taken apart and packed again. */
function isArchive(bytes: Buffer): boolean {
  try {
    return unpacked(bytes).length > 0 && !bytes.includes('PK\x06\x06');
  } catch {
    return false;
  }
}

/** As our reader has it: a number in plain digits. */
function textRead({ kind, text }: Exclude<Value, string>): string {
  return kind === 'number' ? plainNumber(text)! : text;
}
