/** Writes a workbook without formats row by row, so that even the longest sheet needs little memory. */
import type { FileHandle } from 'node:fs/promises';
import { PayrunError } from '../../base/errors.ts';
import type { Cell } from '../../domain/rows/cell.ts';
import { columnName } from '../columns/column-name.ts';
import { fittingText, isErrorWord, maxSheetRows, noValue } from '../file/limits.ts';
import { escapedXml } from '../xml/xml.ts';
import { createZipWriter } from './zip-writer.ts';

/** Null and '' write no cell. */
export type PlainCell = Cell | number | null;

export interface PlainRow {
  /** Row numbers ascend. A missing number leaves a blank row. */
  readonly number: number;
  readonly cells: readonly PlainCell[];
}

export interface PlainSheet {
  readonly name: string;
  /** In characters. */
  readonly widths: readonly number[];
  /** The number of the header row; 0 for no header. */
  readonly headerRow: number;
  rows(): AsyncIterable<readonly PlainRow[]> | Iterable<readonly PlainRow[]>;
}

const textSize = 256 * 1024;

/** Writes the lists of the archive's parts first, because some programs read the file from its start. */
export async function writePlainWorkbook(handle: FileHandle, sheets: readonly PlainSheet[]): Promise<void> {
  const zip = createZipWriter(handle);
  await zip.part('[Content_Types].xml', [contentTypes(sheets.length)]);
  await zip.part('_rels/.rels', [rootRelations]);
  await zip.part('xl/workbook.xml', [workbookText(sheets)]);
  await zip.part('xl/_rels/workbook.xml.rels', [workbookRelations(sheets.length)]);
  await zip.part('xl/styles.xml', [styles]);
  const shared = createShared();
  for (const [index, sheet] of sheets.entries()) {
    await zip.part(`xl/worksheets/sheet${index + 1}.xml`, sheetTexts(sheet, shared));
  }
  await zip.part('xl/sharedStrings.xml', shared.texts());
  await zip.end();
}

/** Collects texts with escapes such as `_x0001_`, because some programs decode them only in shared strings. */
function createShared() {
  const items: string[] = [];
  return {
    add: (escaped: string): number => items.push(escaped) - 1,
    *texts(): Generator<string> {
      yield `${xmlStart}<sst xmlns="${mainSpace}" count="${items.length}" uniqueCount="${items.length}">`;
      for (const item of items) yield `<si><t xml:space="preserve">${item}</t></si>`;
      yield '</sst>';
    },
  };
}

type Shared = ReturnType<typeof createShared>;

async function* sheetTexts(sheet: PlainSheet, shared: Shared): AsyncGenerator<string> {
  const { headerRow } = sheet;
  const pane = `<pane ySplit="${headerRow}" topLeftCell="A${headerRow + 1}" activePane="bottomLeft" state="frozen"/>`;
  const widths = sheet.widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${xmlStart}<worksheet xmlns="${mainSpace}"><sheetViews><sheetView workbookViewId="0">${headerRow > 0 ? pane : ''}` +
    `</sheetView></sheetViews>${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData>`;
  const opening = sheet.widths.map((_, index) => `<c r="${columnName(index)}`);
  let text = '';
  let last = 0;
  let width = 0;
  for await (const batch of sheet.rows()) {
    for (const { number, cells } of batch) {
      if (number > maxSheetRows) throw new PayrunError('WORKBOOK_ROWS_TOO_MANY', { row: number, most: maxSheetRows });
      const style = number === headerRow ? '" s="1' : '';
      if (number === headerRow) width = cells.length;
      text += `<row r="${number}">`;
      for (let index = 0; index < cells.length; index++) {
        const cell = cells[index]!;
        if (cell === '' || cell === null) continue;
        opening[index] ??= `<c r="${columnName(index)}`;
        text += `${opening[index]}${number}${style}${cellText(cell, shared)}`;
      }
      text += '</row>';
      last = number;
      if (text.length >= textSize) {
        yield text;
        text = '';
      }
    }
  }
  const filter = width > 0 ? `<autoFilter ref="A${headerRow}:${columnName(width - 1)}${last}"/>` : '';
  yield `${text}</sheetData>${filter}</worksheet>`;
}

/** Returns the rest of a cell's XML after the reference, such as `"><v>5</v></c>`. A formula becomes its result. */
function cellText(cell: Exclude<PlainCell, null>, shared: Shared): string {
  if (typeof cell === 'string') return textCell(cell, shared);
  if (typeof cell === 'number') return `"><v>${cell}</v></c>`;
  const { kind, text, shown } = cell;
  if (kind === 'boolean') return `" t="b"><v>${text === 'TRUE' ? 1 : 0}</v></c>`;
  // An unreadable value becomes an error. Payrun would skip an empty cell when a person uploads this file.
  if (kind === 'error' || kind === 'uncached') return `" t="e"><v>${isErrorWord(text) ? text : noValue}</v></c>`;
  // Writes the stored digits, because a conversion could change them. A number shown with leading zeros becomes text.
  const isNumber = kind === 'number' && text !== '' && Number.isFinite(Number(text)) && !/^0\d/.test(shown);
  return isNumber ? `"><v>${text}</v></c>` : textCell(shown, shared);
}

function textCell(text: string, shared: Shared): string {
  if (text === '') return '"/>';
  const { xml, hasEscapes } = escapedXml(fittingText(text));
  if (hasEscapes) return `" t="s"><v>${shared.add(xml)}</v></c>`;
  // Programs drop white space at the start and end of a text that has no `xml:space`.
  const space = xml.charCodeAt(0) <= 32 || xml.charCodeAt(xml.length - 1) <= 32 ? ' xml:space="preserve"' : '';
  return `" t="inlineStr"><is><t${space}>${xml}</t></is></c>`;
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const mainSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageSpace = 'http://schemas.openxmlformats.org/package/2006';
const typeStart = 'application/vnd.openxmlformats-officedocument.spreadsheetml.';

const styles =
  `${xmlStart}<styleSheet xmlns="${mainSpace}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>';

function workbookText(sheets: readonly PlainSheet[]): string {
  const items = sheets.map(({ name }, index) => {
    const { xml } = escapedXml(name);
    return `<sheet name="${xml.replaceAll('"', '&quot;')}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`;
  });
  return `${xmlStart}<workbook xmlns="${mainSpace}" xmlns:r="${relationSpace}"><sheets>${items.join('')}</sheets></workbook>`;
}

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relationSpace}/${type}" Target="${target}"/>`;

const rootRelations = `${xmlStart}<Relationships xmlns="${packageSpace}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`;

function workbookRelations(count: number): string {
  const sheets = Array.from({ length: count }, (_, index) =>
    relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
  );
  const others =
    relation('rIdStyles', 'styles', 'styles.xml') + relation('rIdTexts', 'sharedStrings', 'sharedStrings.xml');
  return `${xmlStart}<Relationships xmlns="${packageSpace}/relationships">${sheets.join('')}${others}</Relationships>`;
}

function contentTypes(count: number): string {
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${typeStart}${type}+xml"/>`;
  const sheets = Array.from({ length: count }, (_, index) => part(`worksheets/sheet${index + 1}`, 'worksheet'));
  return (
    `${xmlStart}<Types xmlns="${packageSpace}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `${part('workbook', 'sheet.main')}${sheets.join('')}${part('styles', 'styles')}${part('sharedStrings', 'sharedStrings')}</Types>`
  );
}
