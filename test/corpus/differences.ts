/** Where other programs may read a workbook otherwise than we do: every kind of difference, with its reason, and no other. */
import { type Cell, shownText } from '../../src/domain/rows/cell.ts';
import type { StoredCell } from '../../src/sheet/file/raw-row.ts';
import type { OtherCell } from './readings.ts';

export type Program = 'libreoffice' | 'sheetjs' | 'exceljs';
export const programs: readonly Program[] = ['libreoffice', 'sheetjs', 'exceljs'];

export interface Difference {
  readonly why: string;
  readonly of: readonly Program[];
  allows(ours: Cell, theirs: OtherCell, program: Program): boolean;
}

export const differences: readonly Difference[] = [
  {
    why: 'a number stands there as its format shows it, in fifteen digits (LibreOffice) or in those of a narrow cell (SheetJS)',
    of: ['libreoffice', 'sheetjs'],
    allows: (ours, theirs, program) => isNumber(ours) && sameShown(ours.shown, theirs.text, program),
  },
  {
    why: 'nothing is shown there, and we say so',
    of: ['libreoffice', 'sheetjs'],
    allows: (ours, theirs) => isNumber(ours) && (ours as StoredCell).unseen === 'format' && theirs.text === '',
  },
  {
    why: 'exceljs hands out the stored number as JavaScript holds it, in seventeen digits, and none of its format',
    of: ['exceljs'],
    allows: (ours, theirs) => isNumber(ours) && theirs.text !== '' && Number(ours.text) === Number(theirs.text),
  },
  {
    why: 'a day or an hour stands there in the form of the workbook, as far as it shows it; ours is always ISO',
    of: ['libreoffice', 'sheetjs'],
    allows: (ours, theirs) => isDate(ours) && partsAmong(theirs.text, ours.shown),
  },
  {
    why: 'exceljs hands out a moment in UTC, counted from 1899-12-30',
    of: ['exceljs'],
    allows: (ours, theirs) => isDate(ours) && momentOf(ours.shown) === Date.parse(theirs.text),
  },
  {
    why: 'a day that is stored as ISO text is shown as a number of days, or its year alone is read',
    of: programs,
    allows: (ours, theirs) =>
      isDate(ours) &&
      ours.text.includes('-') &&
      [String(serialOf(ours.shown)), '2026', yearAsDays].includes(theirs.text),
  },
  {
    why: '29 February 1900 stands in workbooks and never was; they show the day before',
    of: ['libreoffice', 'exceljs'],
    allows: (ours, theirs) => isDate(ours) && ours.text === '60' && theirs.text.startsWith('1900-02-28'),
  },
  {
    why: 'what the workbook calls stale is no result here, and they hand it out as it is stored',
    of: programs,
    allows: (ours, theirs) => typeof ours !== 'string' && ours.kind === 'uncached' && ours.shown === theirs.text,
  },
  {
    why: 'LibreOffice calculates anew what our reader takes as it was stored, or says to be missing',
    of: ['libreoffice'],
    allows: (ours) => typeof ours !== 'string' && ours.formula,
  },
  {
    why: 'exceljs takes a result of zero for none, and the number of a shared text for a result',
    of: ['exceljs'],
    allows: (ours, theirs) =>
      typeof ours !== 'string' &&
      ours.formula &&
      ((ours.text === '0' && theirs.text === '') || (ours.kind === 'text' && /^\d$/.test(theirs.text))),
  },
  {
    why: 'they leave escapes such as _x000D_ as they are, or drop what they stand for',
    of: ['libreoffice', 'exceljs'],
    allows: (ours, theirs) => typeof ours === 'string' && withoutEscapes(ours) === withoutEscapes(theirs.text),
  },
  {
    why: 'what is no number at all has no one spelling',
    of: ['sheetjs', 'exceljs'],
    allows: (ours, theirs) => shownText(ours).match(/^(NaN|INF)$/) !== null && /^NaN$/i.test(theirs.text),
  },
  {
    why: 'exceljs has one value for all cells of a merge, whatever the others hold',
    of: ['exceljs'],
    allows: (ours, theirs) => ours !== '' && theirs.merged === true,
  },
];

/** Workbooks of which a program reads too little to be compared, and why. The test sees to it that each still differs. */
export const unread: { readonly [P in Program]: Readonly<Record<string, string>> } = {
  libreoffice: {
    'hand/named.csv': 'goes by the name of the file',
    'hand/no-content-types.xlsx': 'asks for the list of content types',
    'hand/paths-in-other-case.xlsx': 'compares the names of parts with their case',
    'hand/paths-with-dots.xlsx': 'does not follow ./ and ../',
    'hand/paths-with-percent-signs.xlsx': 'does not decode the names of parts',
  },
  sheetjs: {
    'hand/comment-inside-a-text.xlsx': 'takes a comment inside a text for text',
    'hand/comments-and-instructions.xlsx': 'loses the rows behind a comment that looks like one',
    'hand/letters-in-small.xlsx': 'knows no small letters in references',
    'hand/no-content-types.xlsx': 'asks for the list of content types',
    'hand/paths-with-dots.xlsx': 'does not follow ./ and ../',
    'hand/paths-with-percent-signs.xlsx': 'does not decode the names of parts',
  },
  exceljs: {
    'hand/cdata.xlsx': 'drops text behind a CDATA section',
    'hand/cells-without-references.xlsx': 'asks for references',
    'hand/colours-for-everything.xlsx': 'fails on a conditional format without its style',
    'hand/extensions.xlsx': 'loses every row of a sheet with extensions inside rows',
    'hand/letters-in-small.xlsx': 'knows no small letters in references',
    'hand/parts-elsewhere.xlsx': 'looks for the workbook under its usual name only',
    'hand/paths-in-other-case.xlsx': 'looks for sheets under their usual names only',
    'hand/paths-with-dots.xlsx': 'does not follow ./ and ../',
    'hand/paths-with-percent-signs.xlsx': 'looks for sheets under their usual names only',
    'hand/phonetic-runs.xlsx': 'loses the row behind a phonetic reading',
    'hand/prefixed-namespaces.xlsx': 'finds no rows under prefixes',
    'hand/rows-without-references.xlsx': 'asks for references',
    'libreoffice/dates-since-1904.xlsx': 'counts from 1900 where the workbook says date1904="true"',
    'openpyxl/rich-text-links-comments.xlsx': "fails on openpyxl's comments",
    'openpyxl/table-rules-protection.xlsx': "fails on openpyxl's tables",
  },
};

/** These end the process that reads them with exceljs: a merge or a rule over a whole sheet. */
export const deadly: readonly string[] = ['hand/merged-everything.xlsx', 'hand/rules-for-everything.xlsx'];

type Typed = Exclude<Cell, string>;

function isNumber(cell: Cell): cell is Typed {
  return typeof cell !== 'string' && cell.kind === 'number';
}

function isDate(cell: Cell): cell is Typed {
  return typeof cell !== 'string' && cell.kind === 'date';
}

/** `R 350000` and `R350,000.00`; `116666.666666667` and `116666.6667`. */
function sameShown(ours: string, theirs: string, program: Program): boolean {
  const bare = (text: string) => text.replaceAll(/[,\s]/g, '');
  const [sign, number] = parted(bare(ours));
  const [theirSign, theirNumber] = parted(bare(theirs));
  const digits = program === 'libreoffice' ? 15 : /E/i.test(theirs) ? 5 : 10;
  const rounded = (text: string) => Number(text).toPrecision(digits);
  return sign === theirSign && number !== '' && rounded(number) === rounded(theirNumber);
}

function parted(text: string): [sign: string, number: string] {
  const [, before = '', number = '', behind = ''] = /^([^\d.-]*)(-?[\d.]+(?:E[+-]?\d+)?)(.*)$/i.exec(text) ?? [];
  return [before + behind, number];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether every part that is shown is one of the day or hour: `Mar-26`, `12/03/2026`, `18:00`. */
function partsAmong(shown: string, iso: string): boolean {
  const parts = (iso.match(/\d+/g) ?? []).map(Number);
  const known = new Set([0, ...parts, ...parts.map((part) => part % 100)]);
  const named = shown.toLowerCase().replaceAll(/[a-z]+/g, (word) => String(months.indexOf(word.slice(0, 3)) + 1));
  const theirs = (named.match(/\d+/g) ?? []).map(Number);
  return theirs.length > 1 && theirs.every((part) => known.has(part));
}

const epoch = Date.UTC(1899, 11, 30);

function momentOf(iso: string): number {
  const hours = /^(\d+):(\d\d):(\d\d)$/.exec(iso);
  if (hours === null) return Date.parse(`${iso.replace(' ', 'T')}${iso.includes(' ') ? '' : 'T00:00:00'}Z`);
  return epoch + ((Number(hours[1]) * 60 + Number(hours[2])) * 60 + Number(hours[3])) * 1000;
}

function serialOf(iso: string): number {
  return (Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) - epoch) / 86_400_000;
}

/** 2026 taken for a number of days. */
const yearAsDays = new Date(epoch + 2026 * 86_400_000).toISOString();

function withoutEscapes(text: string): string {
  return text.replaceAll(/_x005F_(?=x)/g, '_').replaceAll(/_x[0-9A-F]{4}_|[\0-\x1f]/g, '');
}
