/** Reads a file's format, and the names of a workbook's visible sheets. */
import { type FileKind, openRegular, sniff } from './file/open-file.ts';

export async function readSheetKind(path: string): Promise<FileKind> {
  await using file = await openRegular(path);
  return sniff(file.handle, file.stats.size);
}

export async function visibleSheets(path: string): Promise<readonly string[]> {
  await using file = await openRegular(path);
  if (sniff(file.handle, file.stats.size) !== 'zip') return [];
  const { openReader } = await import('./xlsx/process/reader.ts');
  using workbook = await openReader(file.handle, file.stats.size);
  return workbook.sheets.flatMap(({ name, hidden }) => (hidden ? [] : [name]));
}
