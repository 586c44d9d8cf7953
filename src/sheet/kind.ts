/** Reads a file's format, and the names of a workbook's visible sheets. */
import { type FileKind, openRegular, sniff } from './file/open-file.ts';

export async function readSheetKind(path: string): Promise<FileKind> {
  const { handle, stats } = await openRegular(path);
  try {
    return sniff(handle, stats.size);
  } finally {
    await handle.close();
  }
}

export async function visibleSheets(path: string): Promise<readonly string[]> {
  const { handle, stats } = await openRegular(path);
  try {
    if (sniff(handle, stats.size) !== 'zip') return [];
    const { openReader } = await import('./xlsx/process/reader.ts');
    const workbook = await openReader(handle, stats.size);
    workbook.close();
    return workbook.sheets.flatMap(({ name, hidden }) => (hidden ? [] : [name]));
  } finally {
    await handle.close();
  }
}
