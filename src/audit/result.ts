/** Compares the facts of a result file with the ledger or the trail. Words may change between versions. Does no I/O. */
import { isoTime } from '../base/clock.ts';
import { entriesOf, type TrailEntry } from './chain.ts';
import { statusOf, type TrailLine } from './evidence.ts';
import type { FindingList, FindingPlace } from './findings.ts';
import type { Replay } from './replay.ts';
import { newStory, type Story } from './story.ts';

interface FileSheet {
  readonly name: string;
  readonly rows: readonly FileRow[];
}
interface FileRow {
  readonly number: number;
  readonly cells: readonly string[];
}

const keyColumn = 'payrun_row';
/** Only a checked workbook has this column. A checked workbook is no result file. */
const checkColumn = 'payrun_check';
export const trailHeadMark = 'head of trail';
/** These columns have only words, which follow from the facts in the trail. */
const wordColumns = new Set(['payrun_reason', 'payrun_documents', 'payrun_evidence']);
const figure = /^-?[\d.]+$/;

/** The header is the first line with at least one `payrun_` title. The other titles may be damaged. */
function rowsSheet(sheets: readonly FileSheet[]): { sheet: FileSheet; header: FileRow } | null {
  for (const sheet of sheets) {
    // The sheet Summary names Payrun's columns too, because it explains them.
    if (sheets.length > 1 && sheet.name === 'Summary') continue;
    const header = sheet.rows.find(
      ({ cells }) => cells.some((cell) => /^payrun_\w+$/.test(cell)) && !cells.includes(checkColumn),
    );
    if (header !== undefined) return { sheet, header };
  }
  return null;
}

export function batchesOfResult(sheets: readonly FileSheet[]): readonly string[] | null {
  const found = rowsSheet(sheets);
  if (found === null) return null;
  const column = found.header.cells.indexOf('payrun_batch');
  const below = found.sheet.rows.filter(({ number }) => number > found.header.number);
  const names = new Set(below.map(({ cells }) => plain(cells[column] ?? '')));
  names.delete('');
  return [...names];
}

/** Returns the trail's last entry from the result's sheet Trail; null without that sheet, as in a CSV file. */
export function headOfResult(sheets: readonly FileSheet[]): { seq: number; hash: string } | null {
  for (const { cells } of trailSheet(sheets)?.rows ?? []) {
    if (cells[2] !== trailHeadMark) continue;
    const [seq = '', hash = ''] = (cells[3] ?? '').split(' ');
    return { seq: /^\d{1,15}$/.test(seq) ? Number(seq) : -1, hash };
  }
  return null;
}

const trailSheet = (sheets: readonly FileSheet[]): FileSheet | undefined =>
  sheets.find(({ name, rows }) => name === 'Trail' && rows[0]?.cells[0] === 'Trail');

/**
 * Adds a finding if the trail lacks the result's last entry, or has another hash for this entry. Returns the time of this
 * entry if the trail has later entries about the batch, and null if not.
 */
export function checkHead(
  { file, sheets, batch }: Pick<ResultOfTrail, 'file' | 'sheets' | 'batch'>,
  lines: Iterable<TrailLine>,
  findings: FindingList,
): number | null {
  const head = headOfResult(sheets);
  if (head === null) return null;
  let time: number | null = null;
  for (const line of lines) {
    const { seq, hash } = line;
    if (seq < head.seq) continue;
    const [entry] = entriesOf([line]);
    if (seq === head.seq) {
      if (hash !== head.hash)
        findings.add({ file, sheet: 'Trail', entry: seq }, 'unlike-trail', 'last-hash', head.hash, hash);
      if (hash !== head.hash || entry === undefined) return null;
      time = entry.at;
    } else if (time === null) break;
    else if (entry?.batch === batch) return time;
  }
  if (time === null && head.seq !== 0)
    findings.add({ file, sheet: 'Trail', entry: head.seq }, 'not-in-trail', 'last-entry', head.hash, null);
  return null;
}

export function compareResult(
  file: string,
  expected: readonly FileSheet[],
  found: readonly FileSheet[],
  findings: FindingList,
): void {
  const workbook = expected.length > 1;
  const names = (sheets: readonly FileSheet[]) => sheets.map(({ name }) => name).join(', ');
  if (workbook && names(expected) !== names(found))
    findings.add({ file }, 'unlike-ledger', 'list-of-sheets', names(expected), names(found));
  const main = rowsSheet(expected);
  for (const [index, sheet] of expected.entries()) {
    const other = workbook ? found.find(({ name }) => name === sheet.name) : found[index];
    if (other === undefined) continue;
    const place = workbook ? { file, sheet: sheet.name } : { file };
    if (sheet === main?.sheet) compareRows(place, main, other, findings);
    else comparePlainly(place, sheet, other, findings);
  }
}

/** Compares rows by key, so that a missing row is one finding and does not shift the rows after it. */
function compareRows(
  place: FindingPlace,
  { sheet, header }: { sheet: FileSheet; header: FileRow },
  found: FileSheet,
  findings: FindingList,
): void {
  const keyAt = header.cells.indexOf(keyColumn);
  const keyOf = (row: FileRow) => (row.number > header.number ? plain(row.cells[keyAt] ?? '') : '');
  const nameOf = (row: FileRow) => keyOf(row) || row.number;
  const kindOf = (row: FileRow) => (keyOf(row) === '' ? 'line' : 'row');
  const others = new Map<string | number, FileRow>();
  for (const row of found.rows) {
    const name = nameOf(row);
    if (others.has(name)) findings.add({ ...place, row: keyOf(row), line: row.number }, 'twice', 'row');
    else others.set(name, row);
  }
  for (const row of sheet.rows) {
    const name = nameOf(row);
    const other = others.get(name);
    others.delete(name);
    const at = { ...place, ...(typeof name === 'number' ? {} : { row: name, number: row.number }) };
    if (other === undefined) {
      findings.add({ ...at, line: row.number }, 'missing', kindOf(row));
      continue;
    }
    if (other.number !== row.number)
      findings.add({ ...at, line: other.number }, 'moved', 'row', row.number, other.number);
    compareCells({ ...at, line: other.number }, row, other, findings, row.number > header.number ? header : null);
  }
  for (const row of others.values()) findings.add({ ...place, line: row.number }, 'unexpected', kindOf(row));
}

function comparePlainly(place: FindingPlace, sheet: FileSheet, found: FileSheet, findings: FindingList): void {
  const others = factLines(found);
  const lines = factLines(sheet);
  for (const [index, row] of lines.entries()) {
    const other = others[index] ?? { number: row.number, cells: [] };
    compareCells({ ...place, line: other.number }, row, other, findings, null);
  }
  for (const row of others.slice(lines.length)) findings.add({ ...place, line: row.number }, 'unexpected', 'line');
}

/** Returns a sheet's lines without their words. The sheet Trail has only facts below its note and header. */
function factLines({ name, rows }: FileSheet): FileRow[] {
  // The trail may be longer now, so `checkHead` checks the entry in the line with the trail's last entry.
  if (name === 'Trail')
    return rows
      .filter(({ number }) => number === 1 || number > 3)
      .map((row) => (row.cells[2] === trailHeadMark ? { ...row, cells: ['', '', trailHeadMark] } : row));
  // On the sheet Funding, a row with a key has only facts before its last column, for example the account of the deposit.
  const isFact = ({ number, cells }: FileRow, cell: string, index: number) =>
    figure.test(cell) || (name === 'Funding' && number > 3 && index < 11 && (cells[9] ?? '') !== '');
  return rows
    .map((row) => ({ ...row, cells: row.cells.map((cell, index) => (isFact(row, cell, index) ? cell : '')) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

function compareCells(
  place: FindingPlace,
  expected: FileRow,
  found: FileRow,
  findings: FindingList,
  header: FileRow | null,
): void {
  const width = Math.max(expected.cells.length, found.cells.length);
  for (let index = 0; index < width; index += 1) {
    const [wanted, is] = [expected.cells[index] ?? '', found.cells[index] ?? ''];
    const title = header?.cells[index] ?? '';
    if (wanted === is || wordColumns.has(title)) continue;
    findings.add({ ...place, column: title || letters(index) }, 'unlike-ledger', 'cell', wanted || null, is || null);
  }
}

function letters(index: number): string {
  const rest = index >= 26 ? letters(Math.floor(index / 26) - 1) : '';
  return rest + String.fromCharCode(65 + (index % 26));
}

/** Removes the apostrophe that keeps a spreadsheet from running the cell as a formula. */
const plain = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\n'\s])/, '');

interface ResultOfTrail {
  readonly file: string;
  readonly sheets: readonly FileSheet[];
  readonly batch: string;
  readonly replay: Replay;
  readonly entries: Iterable<TrailEntry>;
}

/** Compares the file with an exported trail, without a ledger. Returns the number of rows in the file. */
export function compareWithTrail(
  { file, sheets, batch, replay, entries }: ResultOfTrail,
  findings: FindingList,
): number {
  const main = rowsSheet(sheets);
  if (main === null) return 0;
  const { header } = main;
  const at = (row: FileRow, name: string) => row.cells[header.cells.indexOf(name)] ?? '';
  const seen = new Set<string>();
  const lines = main.sheet.rows.filter(({ number }) => number > header.number);
  let loose = 0;
  for (const row of lines) {
    const key = plain(at(row, keyColumn));
    if (key === '') {
      if (at(row, 'payrun_status') === 'invalid') loose += 1;
      continue;
    }
    const place = { file, row: key, line: row.number };
    if (seen.has(key)) findings.add(place, 'twice', 'row');
    seen.add(key);
    const other = plain(at(row, 'payrun_batch'));
    findings.compare({ ...place, column: 'payrun_batch' }, 'unlike-trail', 'batch', [batch], other);
    const story = replay.story(batch, key);
    const entry = story === null ? {} : { entry: story.lastEntry };
    for (const [column, expected] of expectedCells(story ?? unsentStory))
      findings.compare({ ...place, column, ...entry }, 'unlike-trail', 'cell', expected, plain(at(row, column)));
  }
  for (const { batch: of, key, lastEntry: entry } of replay.stories())
    if (of === batch && !seen.has(key)) findings.add({ file, row: key, entry }, 'missing', 'row');
  compareLines(file, sheets, entries, findings);
  const trail = replay.batch(batch)?.sheet;
  if (trail === undefined) {
    findings.add({ file }, 'not-in-trail', 'batch', undefined, batch);
    return seen.size;
  }
  const place = { file, entry: trail.entry };
  const { rows, loose: expected } = trail.data;
  if (seen.size < Number(rows)) findings.add(place, 'unlike-trail', 'row-count', rows, seen.size);
  findings.compare(place, 'unlike-trail', 'invalid-row-count', [expected], loose);
  return seen.size;
}

function compareLines(
  file: string,
  sheets: readonly FileSheet[],
  entries: Iterable<TrailEntry>,
  findings: FindingList,
): void {
  const sheet = trailSheet(sheets);
  if (sheet === undefined) return;
  const textOf = ({ at, row, what, data }: TrailEntry) =>
    JSON.stringify([isoTime(at), row ?? '', what, JSON.stringify(data)]);
  const known = new Set(Array.from(entries, textOf));
  // Skips the first three lines (title and header) and the line with the trail's last entry, which `checkHead` checks.
  for (const { number, cells } of sheet.rows.filter((row) => row.number > 3 && row.cells[2] !== trailHeadMark)) {
    const [time = '', row = '', what = '', data = ''] = cells;
    if (!known.has(JSON.stringify([time, row, what, data])))
      findings.add({ file, sheet: sheet.name, line: number }, 'not-in-trail', 'line', undefined, data);
  }
}

const unsentStory = { ...newStory(null, '', ''), states: ['ready'] };

function expectedCells(story: Story): readonly (readonly [column: string, possible: readonly string[]])[] {
  const moment = (at: number | null) => (at === null ? '' : isoTime(at));
  const { intent } = story;
  return [
    ['payrun_status', story.states.map((state) => statusOf(state, story.closed))],
    ['payment_id', [story.paymentId ?? '']],
    ['payrun_payment_status', [story.paymentStatus ?? '']],
    ['payrun_attempts', [String(story.attempts)]],
    ['payrun_submitted_at', [moment(story.submittedAt)]],
    ['payrun_settled_at', [moment(story.settledAt)]],
    ...(intent === null || story.states.includes('ready')
      ? []
      : ([
          ['payrun_tag', [intent.tag]],
          ['payrun_merchant_id', [intent.merchantId]],
        ] as const)),
  ];
}
