/** What a file in a hot folder is, by its name alone: a sheet, what goes with one, or something that is none of ours. */
import { stemOf } from '../sheet/sheet.ts';

/** `copying`: of a program that has not finished; `with`: of a sheet; `mark`: says that a file is complete. */
export type NameKind = 'sheet' | 'with' | 'mark' | 'document' | 'copying' | 'strange';

/** Also those that a run refuses, with words on how to save them. */
const sheet = /\.(?:csv|tsv|xlsx|xlsm|xls|ods|xml)$/i;
const document = /\.(?:pdf|png|jpe?g|tiff?)$/i;
const mark = /\.(?:done|ready)$/i;
/** Browsers, sync programs, editors and office programs; a leading dot is rsync's, and anybody's. */
const copying =
  /^[.~]|(?:~|#|\.(?:tmp|temp|part|partial|filepart|crdownload|download|upload|uploading|writing|swp|lock|bak))$/i;
const withSheet = /\.(?:totals\.json|plan(?:-\d+)?\.(?:json|html|.+\.sig\.json))$/;

export function kindOfName(name: string): NameKind {
  if (copying.test(name)) return 'copying';
  if (mark.test(name)) return 'mark';
  if (withSheet.test(name)) return 'with';
  if (sheet.test(name)) return 'sheet';
  return document.test(name) ? 'document' : 'strange';
}

/** Whether a file goes with the sheet: its totals, its plan, the plan's page and signatures. */
export function goesWith(name: string, sheetName: string): boolean {
  const stem = stemOf(sheetName);
  return name.startsWith(`${stem}.`) && withSheet.exec(name)?.index === stem.length;
}

/** `november.csv.done`, `november.done`, `november.ready`. */
export function marks(name: string, sheetName: string): boolean {
  const marked = name.replace(mark, '');
  return marked !== name && (marked === sheetName || marked === stemOf(sheetName));
}

/** What its answers begin with is at most so long, so that each of them has a name that a file system takes. */
const longestBytes = 120;

/** Of a longer name no result could be written beside the sheet. */
export const isTooLong = (sheetName: string): boolean => Buffer.byteLength(sheetName) > longestBytes + 40;

/** What a sheet is called in the answers: its name without the ending, and without what an answer had added. */
export function answerName(sheetName: string, number: number): string {
  let name = stemOf(sheetName).replace(/(?<=.)\.(?:RESULT|CHECKED)$/, '');
  while (Buffer.byteLength(name) > longestBytes) name = Array.from(name).slice(0, -1).join('');
  return number === 1 ? name : `${name}-${number}`;
}

const answer = /\.(?:(?:ACK|NACK|DUPS)(?:-\d+)?|(?:RESULT|CHECKED|ANSWER)(?:-\d+)?\.\w+)$/;

/** Whether a file is an answer under the name. */
export function answers(file: string, name: string): boolean {
  return file.startsWith(name) && answer.exec(file)?.index === name.length;
}
