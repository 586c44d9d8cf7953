/** Reads a workbook in this process: what the program does in another one, without the time that a process takes to start. */
import { type FileHandle, open } from 'node:fs/promises';
import type { ReadWorkbook } from '../../src/sheet/reader.ts';
import { openWorkbook } from '../../src/sheet/workbook.ts';

/** Like the process, it has the file open too. */
export async function openReader(file: FileHandle, size: number): Promise<ReadWorkbook> {
  const own = await open(`/dev/fd/${file.fd}`);
  const close = () => void own.close();
  try {
    const workbook = await openWorkbook(own, size);
    // Styles are judged on their way out of the process; here nobody writes with them.
    return { ...workbook, look: workbook.look as ReadWorkbook['look'], close };
  } catch (error) {
    close();
    throw error;
  }
}
