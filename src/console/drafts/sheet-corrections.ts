/** Makes and undoes corrections of cells. The ledger stores them, and the uploaded file stays unchanged. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../../app/batch/command.ts';
import { isoTime } from '../../base/clock.ts';
import { isMasked, masked, maskedCell } from '../../domain/accounts/masked.ts';
import { isWordForNothing } from '../../domain/rows/text.ts';
import type { CorrectionRecord, UploadRecord, Uploads } from '../../ledger/ledger.ts';
import {
  type CellCorrection,
  choiceLists,
  columnName,
  correctedCell,
  correctedCount,
  correctedRows,
  correctedRuns,
} from '../../sheet/sheet.ts';
import type { Correction, Requests } from '../api.ts';
import type { Reader } from '../batches/reading.ts';
import { Refused, refused, type Who } from '../http/route.ts';
import { type EqualCells, rowsAre } from '../inspection/check-table.ts';
import { type Choice, chosenMap, headerDigest, readMap, sheetNameOf } from './match-columns.ts';
import { doing, factsOf, isPlanned, notReadYet, replacedBy, requireShown, type SheetRecords } from './sheet-records.ts';

/** The most corrections of a sheet. A person should correct a sheet with more of them in a spreadsheet. */
const mostCorrections = 5000;
/** The most ranges of rows in all corrections of a sheet, because each command reads them all. */
const mostRuns = 100_000;
const shownRows = 12;

export const correctedCells = (uploads: Uploads, id: string) =>
  uploads
    .corrections(id)
    .map(({ was: from, becomes: to, at, account: _account, ...one }) => ({ ...one, from, to, at: isoTime(at) }));

const overtaken = new Error('overtaken');

export type Mending = ReturnType<typeof openMending>;

export function openMending(uploads: Uploads, records: SheetRecords, reader: Reader) {
  const { get, mendable, voided, folderOf, documentsOf } = records;

  function correctionsOf(id: string, person: Who): readonly Correction[] {
    const own = get(id);
    const before = replacedBy(own).flatMap((one) => uploads.everKnown(one) ?? []);
    return [...before.toReversed(), own].flatMap((record) => correctionsIn(record, record === own, person));
  }

  function correctionsIn(record: UploadRecord, isOwn: boolean, person: Who): readonly Correction[] {
    const { header = [], columns = [] } = factsOf(record).found ?? {};
    return correctedCells(uploads, record.id).map(({ row, column, from, to, ...made }) => {
      const hide = (text: string) => (person.role === 'viewer' ? maskedCell(columns[column] ?? null, text) : text);
      return {
        ...made,
        before: isOwn ? null : record.file,
        rows: firstRows(row),
        count: correctedCount(row),
        column,
        header: header[column] ?? '',
        from: hide(from),
        to: hide(to),
      };
    });
  }

  /** Masks accounts in the trail, because viewers read the trail too. */
  const hiding = (record: UploadRecord, column: number) =>
    isMasked(factsOf(record).found?.columns[column] ?? null) ? masked : (text: string) => text;

  async function correct(id: string, wanted: Requests['correct'], person: Who): Promise<void> {
    for (;;) {
      const { table } = factsOf(get(id));
      try {
        return await correctOnce(id, wanted, person);
      } catch (error) {
        // Tries again if another change or a newer check of the sheet came between.
        const isAsked = error === overtaken || (!(error instanceof Refused) && factsOf(get(id)).table !== table);
        if (!isAsked) throw error;
      }
    }
  }

  async function correctOnce(id: string, wanted: Requests['correct'], person: Who): Promise<void> {
    const { column, from, to } = wanted;
    const record = mendable(id);
    const { found, choice } = factsOf(record);
    const title = found?.header[column];
    if (found === null) throw notReadYet();
    if (title === undefined) throw refused(422, 'NOT_FOUND', { what: 'column' });
    if (title.trim().toLowerCase().startsWith('payrun_')) throw refused(422, 'COLUMN_OF_PAYRUN');
    // A word such as Null may be corrected to itself, because a payee may really have this name.
    if (from === to && !isWordForNothing(to)) throw refused(422, 'FIX_SAYS_THE_SAME');
    // Refuses while another sheet of the workbook is checked, because the findings are still those of the old sheet.
    if (choice?.sheetName !== undefined && found.sheetName != null && !isSame(choice.sheetName, found.sheetName))
      throw notReadYet();
    const made = correctedCells(uploads, id);
    const rows = await rowsToCorrect(records.tableOf(record), wanted, made);
    const row = correctedRows(rows);
    const runs = made.reduce((sum, one) => sum + correctedRuns(one.row).length, correctedRuns(row).length);
    if (made.length >= mostCorrections || runs > mostRuns) throw refused(422, 'TOO_MANY_FIXES');
    const hide = hiding(record, column);
    const beside = (corrections: readonly Pick<CorrectionRecord, 'id'>[], of: UploadRecord) =>
      JSON.stringify([corrections.map((one) => one.id), sheetNameOf(factsOf(of).choice)]);
    await uploads.correct(
      id,
      { row, column, was: from, becomes: to },
      (now) => {
        // Compares without the last correction, which this request itself made.
        if (beside(uploads.corrections(id).slice(0, -1), now) !== beside(made, record)) throw overtaken;
        return voided(person)(now);
      },
      doing(person, 'fixed', {
        upload: id,
        file: record.file,
        rows: rows.length,
        row: rows.length === 1 ? (rows[0] ?? null) : null,
        cell: correctedCell(row, column),
        header: title,
        from: hide(from),
        to: hide(to),
      }),
    );
  }

  /** Returns the row, or the rows of the mistake. Throws if one of them does not say `from`. */
  async function rowsToCorrect(
    table: string,
    wanted: Requests['correct'],
    made: readonly CellCorrection[],
  ): Promise<readonly number[]> {
    const cells = { column: wanted.column, text: wanted.from };
    const rows = 'row' in wanted ? [wanted.row] : await rowsTold(table, cells, wanted.mistake);
    const { found, other } = await reader.ask('saying', table, rows, cells, made);
    if (other !== null) throw refused(409, 'CELL_CHANGED', other);
    if ('row' in wanted && found === 0) throw refused(409, 'ROW_TO_FIX_MISSING', { row: wanted.row });
    return rows;
  }

  async function rowsTold(
    table: string,
    cells: Pick<EqualCells, 'column' | 'text'>,
    { rowsAre: told, ...equal }: Extract<Requests['correct'], { mistake: unknown }>['mistake'],
  ): Promise<readonly number[]> {
    const rows = await reader.ask('mistaken', table, { ...cells, ...equal });
    if (rows.length === 0 || rowsAre(rows.join()) !== told) throw refused(409, 'MISTAKE_MOVED');
    return rows;
  }

  async function undo(id: string, number: number, person: Who): Promise<void> {
    const record = mendable(id);
    const one = uploads.corrections(id).find((correction) => correction.id === number);
    if (one === undefined) throw refused(404, 'NOT_FOUND', { what: 'fix' });
    const { row, column, was, becomes } = one;
    const refuseUnderOthers = () => {
      const since = uploads.corrections(id).findLast((other) => isUpon(other, one));
      if (since === undefined) return;
      throw refused(409, 'FIXED_SINCE', { row: typeof since.row === 'number' ? since.row : null });
    };
    const cell = correctedCell(row, column);
    const isOne = typeof row === 'number';
    const hide = hiding(record, column);
    await uploads.undo(
      id,
      number,
      (now) => {
        refuseUnderOthers();
        return voided(person)(now);
      },
      doing(person, 'unfixed', {
        upload: id,
        file: record.file,
        cell,
        column: isOne ? null : columnName(column),
        cells: isOne ? null : correctedCount(row),
        undone: { from: hide(was), to: hide(becomes) },
      }),
    );
  }

  function sheetRead(record: UploadRecord): string | undefined {
    const { found, choice } = factsOf(record);
    return found?.sheetName ?? choice?.sheetName;
  }

  /** After a correction the workbook's sheet must stay, because corrections name cells of that sheet. */
  function sheetToKeep(record: UploadRecord): Pick<Requests['columns'], 'sheetName'> {
    const kept = sheetRead(record);
    return kept === undefined || uploads.corrections(record.id).length === 0 ? {} : { sheetName: kept };
  }

  function requireSheetFree(record: UploadRecord, sheetName: string): void {
    const choice = { kept: sheetRead(record) ?? null, wanted: sheetName };
    if (uploads.corrections(record.id).length > 0) throw refused(409, 'OTHER_SHEET_FIXED', choice);
    if (isPlanned(record)) throw refused(409, 'OTHER_SHEET_PLANNED', choice);
  }

  async function chooseSheet(id: string, sheetName: string, standing: string, person: Who): Promise<void> {
    const choice: Choice = { columns: {}, values: {}, numberFormat: null, sheetName };
    const { file } = get(id);
    const chosen = (now: UploadRecord) => {
      requireShown(now, standing);
      requireSheetFree(now, sheetName);
      return voided(person, { choice, found: null })(now);
    };
    await uploads.change(id, chosen, doing(person, 'sheet-chosen', { upload: id, file, sheetName }));
  }

  /** Remembers the columns for later sheets with the same header, but not the chosen sheet of a workbook. */
  async function chooseColumns(id: string, { standing, ...matched }: Requests['columns'], person: Who): Promise<void> {
    const record = mendable(id);
    const { found, choice: before } = factsOf(record);
    const read = sheetRead(record);
    if (matched.sheetName !== undefined && (read === undefined || !isSame(matched.sheetName, read)))
      return await chooseSheet(id, matched.sheetName, standing, person);
    const header = found?.header ?? [];
    const choice = { ...sheetNameOf(before), ...matched };
    const { sheetName: _own, ...remembered } = choice;
    const chosen = chosenMap(header, choice);
    if (chosen !== null) readMap(chosen, 'columns');
    const matching = { upload: id, file: record.file, columns: choice.columns, values: choice.values };
    await uploads.choose(
      header.length === 0 ? `upload ${id}` : headerDigest(header),
      JSON.stringify(header.length === 0 ? choice : remembered),
      id,
      (now) => {
        requireShown(now, standing);
        return voided(person, { choice: { ...choice, ...sheetToKeep(now) } })(now);
      },
      choice.map === undefined
        ? doing(person, 'columns-matched', matching)
        : doing(person, 'map-chosen', { ...matching, map: choice.map }),
    );
  }

  async function chooseRows(id: string, { standing, choices }: Requests['rows'], person: Who): Promise<void> {
    const { file } = mendable(id);
    const chosen = (now: UploadRecord) => {
      requireShown(now, standing);
      return voided(person, { rowChoices: choices })(now);
    };
    await uploads.change(id, chosen, doing(person, 'rows-chosen', { upload: id, file, choices }));
  }

  /** Writes corrections and columns into the sheet's folder, and returns the options that name these files. */
  function reading(record: UploadRecord): Options {
    const { choice, found, rowChoices } = factsOf(record);
    const folder = folderOf(record.id);
    const given: { -readonly [O in keyof Options]: Options[O] } = { documents: documentsOf(record.id) };
    const corrections = correctedCells(uploads, record.id).map(({ id: _own, ...one }) => one);
    if (corrections.length > 0) {
      const path = join(folder, 'corrections.json');
      writeFileSync(path, `${JSON.stringify({ corrections })}\n`, { mode: 0o600 });
      given.corrections = path;
    }
    const map = choice === null ? null : chosenMap(found?.header ?? [], choice);
    if (map !== null && 'shipped' in map) given.map = map.shipped;
    else if (map !== null) {
      const path = join(folder, 'columns.json');
      writeFileSync(path, `${map.text}\n`, { mode: 0o600 });
      given.map = path;
    }
    return { ...given, sheet: choice?.sheetName, ...choiceLists(rowChoices) };
  }

  return { correct, correctionsOf, undo, chooseColumns, chooseRows, reading };
}

/** Compares names of sheets without regard to case, as workbooks do. */
const isSame = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

function firstRows(rows: CorrectionRecord['row']): readonly number[] {
  const first: number[] = [];
  for (const [from, to] of correctedRuns(rows))
    for (let one = from; one <= to && first.length < shownRows; one += 1) first.push(one);
  return first;
}

const isUpon = (later: CorrectionRecord, earlier: CorrectionRecord) =>
  later.id > earlier.id &&
  later.column === earlier.column &&
  areCrossed(correctedRuns(later.row), correctedRuns(earlier.row));

type Runs = ReturnType<typeof correctedRuns>;
function areCrossed(some: Runs, others: Runs): boolean {
  for (let a = 0, b = 0; a < some.length && b < others.length; ) {
    if (some[a]![1] < others[b]![0]) a += 1;
    else if (others[b]![1] < some[a]![0]) b += 1;
    else return true;
  }
  return false;
}
