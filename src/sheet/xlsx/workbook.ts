/** Opens an .xlsx workbook. Finds its sheets, and reads the texts and formats that the cells use. */
import { PayrunError } from '../../base/errors.ts';
import type { CellRange } from '../columns/column-name.ts';
import { type OpenFile, refuseForeign } from '../file/open-file.ts';
import type { RawRow } from '../file/raw-row.ts';
import { isTrue, refuseXml, tagsOf } from '../xml/xml.ts';
import { generalStyle, type Style, styleOf } from './number-format.ts';
import { noStrings, readStrings, type SharedStrings } from './shared-strings.ts';
import { type LookForm, readLook } from './style/read-appearance.ts';
import { readStyles } from './style/read-styles.ts';
import { createStrikingStyles } from './style/strike-rules.ts';
import { createLetters } from './visible-letters.ts';
import { createRowReader, type RowContext } from './worksheet-rows.ts';
import { type Archive, openArchive, type Part } from './zip.ts';

/** The longest code of a number format. Excel accepts 255 characters, and other programs a few more. */
const maxFormatCode = 4096;

export interface WorkbookSheet {
  readonly name: string;
  readonly hidden: boolean;
}

export interface SheetExtras {
  /** The width of each column, in characters: 0 if the column is hidden, null if it has the usual width. */
  readonly widths: readonly (number | null)[];
  readonly merges: readonly CellRange[];
  readonly maybeStruck: readonly CellRange[];
  /** Columns with outdated results of formulas. The list is complete only after the last row. */
  readonly staleColumns: readonly number[];
}

export interface Workbook {
  readonly date1904: boolean;
  readonly sheets: readonly WorkbookSheet[];
  /** Yields the rows. Calls `extras` before the first row, and may call it again with lists that are complete. */
  rows(sheet: WorkbookSheet, extras?: (extras: SheetExtras) => void): AsyncGenerator<RawRow[]>;
  /** Returns the sheet's appearance. The caller must check the values, which come from the file unchanged. */
  look(sheet: WorkbookSheet): Promise<LookForm<unknown>>;
}

/** Parts that run code or fetch data. Payrun refuses a file with any of them. */
const activeParts = [
  [/vbaProject/i, 'WORKBOOK_HAS_MACROS'],
  [/(^|\/)externalLinks\//i, 'WORKBOOK_HAS_LINKS'],
  [/(^|\/)(activeX|ctrlProps|embeddings|macrosheets)\//i, 'WORKBOOK_HAS_OBJECTS'],
] as const;

export async function openWorkbook(file: OpenFile, size: number): Promise<Workbook> {
  const archive = openArchive(file, size);
  const mainName = await findMain(archive);
  for (const [pattern, code] of activeParts) {
    for (const name of archive.parts.keys()) if (pattern.test(name)) throw new PayrunError(code, {});
  }
  await refuseMacroType(archive, mainName);
  const related = await readRelations(archive, mainName);
  const { sheets, date1904, isStale } = await readMain(archive, mainName, related);
  const stylesPart = partOf(archive, related, 'styles');
  const { styles, striking } = await readFormats(archive, stylesPart);
  const stringsPart = partOf(archive, related, 'sharedStrings');
  let strings: Promise<SharedStrings> | null = null;
  return {
    date1904,
    sheets,
    async *rows(sheet, extras) {
      strings ??=
        stringsPart === undefined
          ? Promise.resolve(noStrings)
          : readStrings(archive.read(stringsPart), stringsPart.bytes);
      const context: RowContext = { strings: await strings, styles, date1904, striking, isStale };
      const reader = createRowReader(context);
      extras?.(reader);
      const { part } = sheets.find((found) => found === sheet)!;
      for await (const chunk of archive.read(part)) yield* reader.push(chunk);
      yield* reader.end();
    },
    async look(sheet) {
      const theme = partOf(archive, related, 'theme');
      const looks =
        stylesPart === undefined
          ? []
          : readStyles(
              await archive.text(stylesPart),
              theme === undefined ? null : await archive.text(theme),
              styles.map(({ format }) => format),
            );
      return await readLook(archive.read(sheets.find((found) => found === sheet)!.part), looks);
    },
  };
}

async function findMain(archive: Archive): Promise<string> {
  const root = archive.part('_rels/.rels');
  if (root !== undefined) {
    for (const tag of tagsOf(await archive.text(root))) {
      if (tag.name === 'Relationship' && tag.attribute('Type')?.endsWith('/officeDocument') === true) {
        const name = resolve('', tag.attribute('Target') ?? '');
        if (/\.bin$/i.test(name)) break;
        if (archive.part(name) !== undefined && !name.startsWith('word/') && !name.startsWith('ppt/')) return name;
      }
    }
  }
  const has = (pattern: RegExp) => [...archive.parts.keys()].some((name) => pattern.test(name));
  if (has(/^xl\/workbook\.bin$/)) return refuseForeign('xlsb');
  if (has(/^word\//)) return refuseForeign('document');
  if (has(/^ppt\//)) return refuseForeign('presentation');
  if (has(/\.iwa$/) || has(/^Index\.zip$/)) return refuseForeign('numbers');
  return refuseForeign(has(/^content\.xml$/) ? 'ods' : 'zip');
}

/** Refuses a workbook whose main part has a macro type. Ignores other types, because some programs list unused ones. */
async function refuseMacroType(archive: Archive, mainName: string): Promise<void> {
  const types = archive.part('[Content_Types].xml');
  if (types === undefined) return;
  const ending = mainName.slice(mainName.lastIndexOf('.') + 1).toLowerCase();
  let byName: string | undefined;
  let byEnding: string | undefined;
  for (const tag of tagsOf(await archive.text(types))) {
    const type = tag.attribute('ContentType');
    if (tag.attribute('PartName')?.toLowerCase() === `/${mainName}`.toLowerCase()) byName ??= type;
    else if (tag.attribute('Extension')?.toLowerCase() === ending) byEnding ??= type;
  }
  if (/macroEnabled/i.test(byName ?? byEnding ?? '')) throw new PayrunError('WORKBOOK_HAS_MACROS', {});
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

async function readRelations(archive: Archive, mainName: string): Promise<Map<string, Relation>> {
  const folder = mainName.slice(0, mainName.lastIndexOf('/') + 1);
  const part = archive.part(`${folder}_rels/${mainName.slice(folder.length)}.rels`);
  const relations = new Map<string, Relation>();
  if (part === undefined) return relations;
  for (const tag of tagsOf(await archive.text(part))) {
    if (tag.name !== 'Relationship' || tag.closing || tag.attribute('TargetMode') === 'External') continue;
    const id = tag.attribute('Id') ?? '';
    if (relations.has(id)) refuseXml();
    relations.set(id, {
      type: (tag.attribute('Type') ?? '').replace(/^.*\//, ''),
      target: resolve(folder, tag.attribute('Target') ?? ''),
    });
  }
  return relations;
}

function resolve(folder: string, target: string): string {
  const path = target.replaceAll('\\', '/');
  const steps = (path.startsWith('/') ? path.slice(1) : folder + path).split('/');
  const out: string[] = [];
  for (const step of steps) {
    if (step === '..') out.pop();
    else if (step !== '.' && step !== '') out.push(step);
  }
  return out.join('/');
}

function partAt(archive: Archive, target: string): Part | undefined {
  const part = archive.part(target);
  if (part !== undefined || !target.includes('%')) return part;
  try {
    return archive.part(decodeURIComponent(target));
  } catch {
    return undefined;
  }
}

function partOf(archive: Archive, relations: ReadonlyMap<string, Relation>, type: string): Part | undefined {
  for (const relation of relations.values()) if (relation.type === type) return partAt(archive, relation.target);
  return undefined;
}

async function readMain(archive: Archive, mainName: string, relations: ReadonlyMap<string, Relation>) {
  const sheets: (WorkbookSheet & { readonly part: Part })[] = [];
  const names = new Set<string>();
  const used = new Set<Part>();
  let date1904 = false;
  let isStale = false;
  for (const tag of tagsOf(await archive.text(archive.part(mainName)!))) {
    if (tag.closing) continue;
    if (tag.name === 'workbookPr') date1904 = isTrue(tag.attribute('date1904'));
    // Programs that cannot calculate set the first two attributes. Excel sets the last two to 0 if results are stale.
    if (tag.name === 'calcPr')
      isStale =
        ['fullCalcOnLoad', 'forceFullCalc'].some((one) => isTrue(tag.attribute(one) ?? '0')) ||
        ['calcCompleted', 'calcOnSave'].some((one) => !isTrue(tag.attribute(one) ?? '1'));
    if (tag.name !== 'sheet') continue;
    const relation = relations.get(tag.attribute('id') ?? '');
    // Skips chart sheets and dialogs, which have no rows.
    if (relation !== undefined && relation.type !== 'worksheet') continue;
    const part = relation === undefined ? undefined : partAt(archive, relation.target);
    const name = tag.attribute('name') ?? '';
    // Payrun could pay a hidden sheet in place of a visible sheet of the same name.
    if (part === undefined || names.has(name.toLowerCase()) || used.has(part)) refuseXml();
    names.add(name.toLowerCase());
    used.add(part);
    sheets.push({ name, hidden: /hidden/i.test(tag.attribute('state') ?? ''), part });
  }
  if (sheets.length === 0) throw new PayrunError('WORKBOOK_EMPTY', {});
  return { sheets, date1904, isStale };
}

async function readFormats(archive: Archive, part: Part | undefined) {
  const rules = createStrikingStyles();
  if (part === undefined) return { styles: [], striking: rules.striking };
  const custom = new Map<number, string>();
  const styles: Style[] = [];
  const seen = new Map<number, Style>();
  const letters = createLetters();
  let group = '';
  for (const tag of tagsOf(await archive.text(part))) {
    if (/^(?:fonts|fills|cellStyleXfs|cellXfs|dxfs)$/.test(tag.name)) group = tag.closing || tag.empty ? '' : tag.name;
    if (tag.closing) continue;
    if (group === 'fonts') letters.addFont(tag);
    if (group === 'fills') letters.addFill(tag);
    if (group === 'dxfs') rules.add(tag);
    if (tag.name === 'numFmt') {
      const format = tag.attribute('formatCode') ?? '';
      if (format.length > maxFormatCode) throw new PayrunError('FILE_HOSTILE', {});
      custom.set(Number(tag.attribute('numFmtId')), format);
    }
    if (tag.name !== 'xf' || group !== 'cellXfs') continue;
    const id = Number(tag.attribute('numFmtId') ?? 0);
    const style = seen.get(id) ?? (id === 0 ? generalStyle : styleOf(id, custom));
    seen.set(id, style);
    const font = Number(tag.attribute('fontId') ?? 0);
    const faint = letters.areFaint(font, Number(tag.attribute('fillId') ?? 0));
    const struck = letters.areStruck(font);
    styles.push(faint || struck ? { ...style, faint, struck } : style);
  }
  return { styles, striking: rules.striking };
}
