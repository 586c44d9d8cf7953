/** Reads CSV files in four encodings and with various separators. Changes no value. */
import type { Stats } from 'node:fs';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { PayrunError } from '../../base/errors.ts';
import type { SheetForm } from '../../domain/note.ts';
import type { SheetMap } from '../columns/column-map.ts';
import { countKnown } from '../columns/header.ts';
import { chunksOf, type OpenFile, openUnchanged, readAt } from '../file/open-file.ts';
import type { RawRow } from '../file/raw-row.ts';
import { withForcedQuoted } from './forced-text.ts';
import { createMacSearch } from './mac-roman.ts';

const endMark = /\x1a[\x1a\r\n\t ]*$/;
const encodings = {
  'utf-8': { shown: 'UTF-8', end: endMark },
  'windows-1252': { shown: 'Windows-1252', end: endMark },
  'utf-16le': { shown: 'UTF-16 LE', end: /\x1a\0(?:[\x1a\r\n\t ]\0)*$/ },
  'utf-16be': { shown: 'UTF-16 BE', end: /\0\x1a(?:\0[\x1a\r\n\t ])*$/ },
} as const;
type Encoding = keyof typeof encodings;

export interface CsvForm {
  readonly path: string;
  readonly encoding: Encoding;
  readonly bomBytes: number;
  /** The length of a first line such as `sep=;`, in bytes of UTF-8. Excel does not count this line as a row. */
  readonly sepBytes: number;
  /** The length of the end mark (0x1A) of old DOS programs, with the line ends and spaces behind it. */
  readonly endBytes: number;
  readonly delimiter: string;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly stats: Stats;
}

const maxRecordCharacters = 65_536;
const maxColumns = 256;
const chunkBytes = 64 * 1024;
const sampleBytes = 256 * 1024;
const sampleRecords = 200;

export const delimiters = [',', ';', '\t', '|'] as const;

const format = {
  record_delimiter: ['\r\n', '\n', '\r'],
  // Records may have different lengths. A surplus value becomes a problem of its row, so no value is lost.
  relax_column_count: true,
} as const satisfies Options;

/** In the sample, a quotation mark inside a value is text. Skips a record without an end. */
const roughly = { ...format, relax_quotes: true, skip_records_with_error: true, to: sampleRecords } as const;

export async function inspectCsv(path: string, handle: OpenFile, stats: Stats, map?: SheetMap): Promise<CsvForm> {
  const { encoding, bomBytes } = await findEncoding(handle, stats.size);
  const head = readAt(handle, bomBytes, Math.min(sampleBytes, stats.size));
  const whole = bomBytes + head.length >= stats.size;
  const text = new TextDecoder(encoding).decode(head, { stream: !whole });
  const sep = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  return {
    path,
    encoding,
    bomBytes,
    sepBytes: sep === null ? 0 : Buffer.byteLength(sep[0]),
    endBytes: dosEnd(handle, stats.size, encoding),
    delimiter: sep?.[1] ?? findDelimiter(text, map),
    lineEnd: (/\r\n|\n|\r/.exec(text)?.[0] ?? '\n') as CsvForm['lineEnd'],
    stats,
  };
}

export const csvForm = ({ delimiter, encoding }: CsvForm): SheetForm => ({
  format: 'csv',
  delimiter: delimiter === '\t' ? 'tab' : delimiter,
  encoding: encodings[encoding].shown,
  isGuessed: encoding === 'windows-1252',
});

/** Finds the encoding. Reads the whole file, because a single byte near the end can show that the file is not UTF-8. */
async function findEncoding(handle: OpenFile, size: number): Promise<{ encoding: Encoding; bomBytes: number }> {
  const head = readAt(handle, 0, 4096);
  refuseZeros(handle, size, head);
  const utf16 = (['utf-16le', 'utf-16be'] as const).find((one) => markBytes(head, marks[one]) > 0);
  if (utf16 === undefined) refuseBinary(head);
  const unicode = utf16 ?? 'utf-8';
  const bomBytes = markBytes(head, marks[unicode]);
  if (await isTextIn(unicode, handle, size)) return { encoding: unicode, bomBytes };
  let defined = bomBytes === 0;
  const mac = createMacSearch();
  for await (const chunk of chunksOf(handle, 0, size, chunkBytes)) {
    defined &&= !undefinedIn1252.some((byte) => chunk.includes(byte));
    mac.push(chunk);
  }
  if (!defined || (bomBytes === 0 && mac.found())) throw new PayrunError('CSV_IN_UNKNOWN_ENCODING', {});
  return { encoding: 'windows-1252', bomBytes };
}

async function isTextIn(encoding: Encoding, handle: OpenFile, size: number): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of chunksOf(handle, 0, size, chunkBytes)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const marks = { 'utf-8': [0xef, 0xbb, 0xbf], 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] };

/** Returns the length of all byte order marks at the start. A program may have added a second mark. */
function markBytes(head: Buffer, mark: readonly number[]): number {
  let at = 0;
  while (mark.every((byte, place) => head[at + place] === byte)) at += mark.length;
  return at;
}

const tailBytes = 64 * 1024;

const tailOf = (file: OpenFile, size: number) => readAt(file, Math.max(0, size - tailBytes), Math.min(size, tailBytes));

const dosEnd = (handle: OpenFile, size: number, encoding: Encoding): number =>
  encodings[encoding].end.exec(tailOf(handle, size).toString('latin1'))?.[0].length ?? 0;

/** Rows may be missing before zero bytes at the end. `refuseBinary` handles a file that has only zeros. */
function refuseZeros(handle: OpenFile, size: number, head: Buffer): void {
  const tail = tailOf(handle, size);
  let zeros = 0;
  while (zeros < tail.length && tail[tail.length - 1 - zeros] === 0) zeros++;
  if (zeros === 0 || zeros === size || (zeros === 1 && head.subarray(0, size - 1).includes(0))) return;
  throw new PayrunError('CSV_HAS_ZEROS', {});
}

const undefinedIn1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

function refuseBinary(head: Buffer): void {
  let nul = 0;
  let control = 0;
  for (const byte of head) {
    if (byte === 0) nul++;
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) control++;
  }
  // UTF-16 text has at most two zero bytes in a row, so three show a damaged file.
  if (control === 0 && nul <= head.length / 2 && head.includes('\0\0\0')) throw new PayrunError('CSV_HAS_ZEROS', {});
  // A fifth to a half of zero bytes means UTF-16, but this file has no byte order mark.
  if (nul > head.length / 5 && nul <= head.length / 2 + 1 && control === 0)
    throw new PayrunError('CSV_IN_UNKNOWN_ENCODING', {});
  if (nul + control > head.length / 20 + 2) throw new PayrunError('CSV_IS_BINARY', {});
}

/** Prefers a separator that gives three known column names, then one that gives most lines equally many values. */
export function findDelimiter(sample: string, map: SheetMap | undefined): string {
  let best: { delimiter: string; score: readonly number[] } | null = null;
  for (const delimiter of delimiters) {
    const records = parseText(sample, { ...roughly, delimiter }).filter((record) =>
      record.some((field) => field.trim() !== ''),
    );
    const tally = new Map<number, number>();
    for (const record of records) tally.set(record.length, (tally.get(record.length) ?? 0) + 1);
    tally.delete(1);
    if (tally.size === 0) continue;
    const [columns, times] = [...tally].reduce((most, one) => (one[1] > most[1] ? one : most));
    const known = Math.max(...records.slice(0, 50).map((record) => countKnown(record, map, false)));
    const score = [known >= 3 ? 1 : 0, times / records.length, columns];
    if (best === null || isGreater(score, best.score)) best = { delimiter, score };
  }
  return best?.delimiter ?? ',';
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const different = a.findIndex((value, index) => value !== b[index]);
  return different >= 0 && a[different]! > b[different]!;
}

async function* utf8Chunks(form: CsvForm): AsyncGenerator<Buffer> {
  await using file = await openUnchanged(form.path, form.stats);
  const decoder = form.encoding === 'utf-8' ? null : new TextDecoder(form.encoding, { ignoreBOM: true });
  let skip = form.sepBytes;
  for await (const bytes of chunksOf(file.handle, form.bomBytes, file.stats.size - form.endBytes, chunkBytes)) {
    const text = decoder === null ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
    if (text.length > skip) yield text.subarray(skip);
    skip = Math.max(0, skip - text.length);
  }
  const last = decoder === null ? '' : decoder.decode();
  if (last !== '') yield Buffer.from(last);
}

export async function* readCsv(form: CsvForm): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = [];
  let number = 0;
  let line = 1;
  let tooWide = 0;
  const parser = parse({
    delimiter: form.delimiter,
    ...format,
    max_record_size: maxRecordCharacters,
    // `empty_lines` counts the skipped lines, so that row numbers stay correct.
    skip_empty_lines: true,
    // Collects records in this callback, which takes a fifth less time than reading records from the stream.
    on_record: (record: string[], { records, empty_lines, lines }) => {
      number = records + empty_lines;
      line = lines + 1;
      // Sets the expected length, because csv-parse slowly makes an unused error for each record of another length.
      expected.expectedRecordLength = record.length;
      if (record.length > maxColumns && tooWide === 0) tooWide = number;
      batch.push({ number, cells: record, hidden: false });
      return null;
    },
  });
  const expected = (parser as unknown as { state?: { expectedRecordLength?: number } }).state ?? {};
  // An `error` event without a listener would end the process. The failed write reports the same error.
  parser.on('error', () => {});
  try {
    for await (const chunk of withForcedQuoted(utf8Chunks(form), form.delimiter)) {
      await settled((done) => parser.write(chunk, done));
      if (tooWide > 0) throw new PayrunError('CSV_ROW_TOO_WIDE', { row: tooWide, most: maxColumns });
      if (batch.length > 0) yield batch;
      batch = [];
    }
    await settled((done) => parser.end(done));
  } catch (error) {
    if (error instanceof CsvError) refuseRecord(error, number + 1, form.sepBytes > 0 ? line + 1 : line);
    throw error;
  } finally {
    parser.destroy();
  }
  if (tooWide > 0) throw new PayrunError('CSV_ROW_TOO_WIDE', { row: tooWide, most: maxColumns });
  if (batch.length > 0) yield batch;
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

function refuseRecord(error: CsvError, row: number, line: number): never {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE')
    throw new PayrunError('CSV_ROW_DOES_NOT_END', { row, line });
  if (error.code === 'INVALID_OPENING_QUOTE' || error.code === 'CSV_INVALID_CLOSING_QUOTE')
    throw new PayrunError('CSV_QUOTE_WITHIN_VALUE', { row, line });
  throw new PayrunError('CSV_UNREADABLE', { row, line, detail: error.message });
}
