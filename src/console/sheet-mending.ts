/** What people mend of a sheet on the page: cells and columns, kept beside the file, which itself stays as it came. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { counted } from '../base/words.ts';
import { isMasked, masked, maskedCell } from '../domain/masked.ts';
import type { UploadRecord, Uploads } from '../ledger/ledger.ts';
import { columnName, parseMap } from '../sheet/sheet.ts';
import type { Correction, FixedBefore, Requests } from './api.ts';
import { headerDigest, mapText, sheetNameOf } from './columns.ts';
import type { Reader } from './reading.ts';
import { Refused, type Who } from './route.ts';
import { doing, factsOf, type Replaced, type SheetRecords } from './sheet-records.ts';

/** A sheet of one more correction is mended better in a spreadsheet. */
const mostCorrections = 5000;
/** More of them nobody reads on a page; the trail has them all. */
const shownFixes = 500;

/** Those that stand, as a corrections file has them. */
export const correctedCells = (uploads: Uploads, id: string) =>
  uploads.corrections(id).map(({ id: number, row, column, was, becomes, by, at }) => ({
    id: number,
    row,
    column,
    from: was,
    to: becomes,
    by,
    at: isoTime(at),
  }));

export type Mending = ReturnType<typeof openMending>;

export function openMending(uploads: Uploads, records: SheetRecords, reader: Reader) {
  const { get, mendable, voided, folderOf, documentsOf } = records;

  /** What one click made stands as one. */
  async function correctionsOf(id: string, person: Who): Promise<readonly Correction[]> {
    const record = get(id);
    const { found, table } = factsOf(record);
    const { header = [], columns = [] } = found ?? {};
    const cells = correctedCells(uploads, id);
    const everywhere = cells.some(({ row }) => row === null) && table !== null;
    // A newer look takes the table's place at any moment, and is asked then.
    const counts = everywhere ? await reader.ask('corrected', records.tableOf(record)).catch(() => null) : null;
    return [...Map.groupBy(cells, madeAtOnce).values()].map((made) => {
      const { id: own, row, column, from, to, by, at } = made[0]!;
      const hide = (text: string) => (person.role === 'viewer' ? maskedCell(columns[column] ?? null, text) : text);
      return {
        id: own,
        rows: row === null ? null : made.flatMap((one) => one.row ?? []),
        count: row === null ? (counts?.get(own) ?? null) : made.length,
        column,
        header: header[column] ?? '',
        from: hide(from),
        to: hide(to),
        by,
        at,
      };
    });
  }

  function fixedBefore(id: string, person: Who): readonly FixedBefore[] {
    const fixed = factsOf(get(id)).replaces?.fixed.slice(0, shownFixes) ?? [];
    const hide = (column: string | null, text: string) => (person.role === 'viewer' ? maskedCell(column, text) : text);
    return fixed.map((one) => ({ ...one, from: hide(one.column, one.from), to: hide(one.column, one.to) }));
  }

  /** For the trail, which viewers read too. */
  const hiding = (record: UploadRecord, column: number) =>
    isMasked(factsOf(record).found?.columns[column] ?? null) ? masked : (text: string) => text;

  /** What was fixed in it, and in what it replaced itself, for the file that comes in its place. */
  function replacedBy(record: UploadRecord): Replaced {
    const { found, replaces } = factsOf(record);
    const fixed = correctedCells(uploads, record.id).map(
      ({ id: _own, row, column, ...said }): FixedBefore => ({
        ...said,
        file: record.file,
        cell: cellName({ row, column }),
        header: found?.header[column] ?? '',
        column: found?.columns[column] ?? null,
      }),
    );
    return {
      file: record.file,
      uploads: [record.id, ...(replaces?.uploads ?? [])],
      fixed: [...(replaces?.fixed ?? []), ...fixed],
    };
  }

  async function correct(id: string, wanted: Requests['correct'], person: Who): Promise<void> {
    const { column, from, to } = wanted;
    const record = mendable(id);
    const { found } = factsOf(record);
    const title = found?.header[column];
    if (found === null || found === undefined || title === undefined)
      throw new Refused(422, 'The sheet has no such column.');
    if (title.trim().toLowerCase().startsWith('payrun_'))
      throw new Refused(422, 'This column was written by Payrun and is not corrected.');
    if (from === to) throw new Refused(422, 'The correction says what the cell says already.');
    const rows = await rowsToCorrect(record, wanted);
    if (uploads.corrections(id).length + rows.length > mostCorrections)
      throw new Refused(
        422,
        'So many corrections are made better in the spreadsheet: mend the file, and hand it in again.',
      );
    if (rows.length === 0)
      throw new Refused(409, 'The cell says something else by now. Look at it again.', 'CELL_CHANGED');
    const hide = hiding(record, column);
    const [first = null, ...others] = rows;
    const where = others.length > 0 ? `${counted(rows.length, 'row')},` : first === null ? 'every' : `row ${first},`;
    const cells = rows.map((one) => cellName({ row: one, column }));
    await uploads.correct(
      id,
      { rows, column, was: from, becomes: to },
      voided(person),
      doing(person, `corrected ${where} ${title.trim()} from '${hide(from)}' to '${hide(to)}' in ${record.file}`, {
        upload: id,
        file: record.file,
        ...(others.length > 0 ? { cells } : { cell: cells[0] }),
        header: title,
        from: hide(from),
        to: hide(to),
      }),
    );
  }

  /** Those that say it still, of a mistake those that have it: one correction for every cell that says it where no other one says it too. */
  async function rowsToCorrect(
    record: UploadRecord,
    { row, column, from, mistake }: Requests['correct'],
  ): Promise<readonly (number | null)[]> {
    const table = records.tableOf(record);
    const saying = async (number: number | null) => await reader.ask('saying', table, number, column, from);
    // The newest word on a cell, of which the table of rows may not tell yet.
    const made = uploads.corrections(record.id).filter((one) => one.column === column);
    const newest = (number: number | null) => made.findLast((one) => one.row === null || one.row === number);
    if (row !== null || mistake === undefined)
      return newest(row)?.was === from || (await saying(row)) === 0 ? [] : [row];
    const having = await reader.ask('mistaken', table, { column, text: from, ...mistake });
    const rows = having.filter((number) => newest(number)?.was !== from);
    const others = made.some(({ was, becomes }) => was === from || becomes === from);
    return rows.length > 1 && !others && (await saying(null)) === rows.length ? [null] : rows;
  }

  /** With whatever was made by the same click. */
  async function undo(id: string, number: number, person: Who): Promise<void> {
    const record = mendable(id);
    const cells = correctedCells(uploads, id);
    const one = cells.find((correction) => correction.id === number);
    if (one === undefined) throw new Refused(404, 'There is no such correction, or it was taken back already.');
    const together = cells.filter((other) => madeAtOnce(other) === madeAtOnce(one));
    const cell = cellName(one);
    const hide = hiding(record, one.column);
    await uploads.undo(
      id,
      together.map(({ id: own }) => own),
      voided(person),
      doing(
        person,
        `took back the correction of ${one.row === null ? 'column ' : ''}${cell}${together.length > 1 ? ` and ${counted(together.length - 1, 'other cell')}` : ''} in ${record.file}`,
        {
          upload: id,
          file: record.file,
          cell,
          ...(together.length > 1 ? { cells: together.map(cellName) } : {}),
          undone: { from: hide(one.from), to: hide(one.to) },
        },
      ),
    );
  }

  /** The columns are remembered for the next sheet that has them; which sheet of a workbook it was is this one's alone. */
  async function chooseColumns(id: string, matched: Requests['columns'], person: Who): Promise<void> {
    const record = mendable(id);
    const { found, choice: before } = factsOf(record);
    const header = found?.header ?? [];
    const choice = { ...sheetNameOf(before), ...matched };
    const { sheetName: _own, ...remembered } = choice;
    const text = mapText(header, choice);
    // A slip of it is told now, in the words of the map.
    if (text !== null) {
      try {
        parseMap('columns', text);
      } catch (error) {
        if (error instanceof PayrunError)
          throw new Refused(422, error.message.replace(/^The map columns cannot be used: /, ''), error.code);
        throw error;
      }
    }
    await uploads.choose(
      header.length === 0 ? `upload ${id}` : headerDigest(header),
      JSON.stringify(header.length === 0 ? choice : remembered),
      id,
      voided(person, { choice }),
      doing(person, `matched the columns of ${record.file}`, {
        upload: id,
        file: record.file,
        columns: choice.columns,
        values: choice.values,
      }),
    );
  }

  /** What a command takes beside the sheet, written anew for each. */
  function flags(record: UploadRecord): string[] {
    const { choice, found } = factsOf(record);
    const folder = folderOf(record.id);
    const given = ['--documents', documentsOf(record.id)];
    const corrections = correctedCells(uploads, record.id).map(({ row, column, from, to, by, at }) => ({
      row,
      column,
      from,
      to,
      by,
      at,
    }));
    if (corrections.length > 0) {
      const path = join(folder, 'corrections.json');
      writeFileSync(path, `${JSON.stringify({ corrections }, null, 2)}\n`, { mode: 0o600 });
      given.push('--corrections', path);
    }
    const map = choice === null ? null : mapText(found?.header ?? [], choice);
    if (map !== null) {
      const path = join(folder, 'columns.json');
      writeFileSync(path, `${map}\n`, { mode: 0o600 });
      given.push('--map', path);
    }
    if (choice?.sheetName !== undefined) given.push(`--sheet=${choice.sheetName}`);
    return given;
  }

  return { correct, correctionsOf, fixedBefore, replacedBy, undo, chooseColumns, flags };
}

type CorrectedCell = ReturnType<typeof correctedCells>[number];
/** Rows of one click are written in one moment. */
const madeAtOnce = ({ row, id, column, from, to, by, at }: CorrectedCell) =>
  JSON.stringify(row === null ? id : [column, from, to, by, at]);

const cellName = ({ row, column }: { readonly row: number | null; readonly column: number }) =>
  `${columnName(column)}${row ?? ''}`;
