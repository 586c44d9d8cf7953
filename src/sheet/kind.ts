/** Finds the format of a file and the names of its sheets, without reading its rows. */
import { type FileKind, openRegular, sniff } from './file/open-file.ts';

export async function readSheetKind(path: string): Promise<FileKind> {
  const { handle, stats } = await openRegular(path);
  try {
    return sniff(handle, stats.size);
  } finally {
    await handle.close();
  }
}

/** Returns the names of a workbook's visible sheets; none for a file without sheets. */
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
