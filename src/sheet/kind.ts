/** What a file is before it is read: the kind of its content, and the names of its sheets. */
import { type FileKind, openRegular, sniff } from './file/open-file.ts';

/** By the content alone; refuses what is no sheet, with a name for it. */
export async function readSheetKind(path: string): Promise<FileKind> {
  const { handle, stats } = await openRegular(path);
  try {
    return sniff(handle, stats.size);
  } finally {
    await handle.close();
  }
}

/** Of a workbook, those that a person sees; of any other file none. */
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
