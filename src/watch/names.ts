/** Decides by a file's name if it is a sheet, belongs to a sheet, or is something else. */
import { stemOf } from '../sheet/sheet.ts';

/** `with`: the file belongs to a sheet. `mark`: the file says that a sheet is complete. `copying`: a program is still writing the file. */
type NameKind = 'sheet' | 'with' | 'mark' | 'document' | 'copying' | 'strange';

/** Includes formats that Payrun cannot read, because their refusal says how to save them in a format that it can. */
const sheet = /\.(?:csv|tsv|xlsx|xlsm|xls|ods|xml)$/i;
const document = /\.(?:pdf|png|jpe?g|tiff?)$/i;
const mark = /\.(?:done|ready)$/i;
/** Temporary files of browsers, sync programs, editors, office programs and rsync. */
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

export function goesWith(name: string, sheetName: string): boolean {
  const stem = stemOf(sheetName);
  return name.startsWith(`${stem}.`) && withSheet.exec(name)?.index === stem.length;
}

export function marks(name: string, sheetName: string): boolean {
  const marked = name.replace(mark, '');
  return marked !== name && (marked === sheetName || marked === stemOf(sheetName));
}

/** The longest part of an answer's name that comes from the sheet's name, in bytes. File systems limit the whole name. */
const longestBytes = 120;

/** True if the name of a result, which is longer than the name of its sheet, would be too long for a file system. */
export const isTooLong = (sheetName: string): boolean => Buffer.byteLength(sheetName) > longestBytes + 40;

export function answerName(sheetName: string, number: number): string {
  let name = stemOf(sheetName).replace(/(?<=.)\.(?:RESULT|CHECKED)$/, '');
  while (Buffer.byteLength(name) > longestBytes) name = Array.from(name).slice(0, -1).join('');
  return number === 1 ? name : `${name}-${number}`;
}

const answer = /\.(?:(?:ACK|NACK|DUPS)(?:-\d+)?|(?:RESULT|CHECKED|ANSWER)(?:-\d+)?\.\w+)$/;

export const answers = (file: string, name: string): boolean =>
  file.startsWith(name) && answer.exec(file)?.index === name.length;
