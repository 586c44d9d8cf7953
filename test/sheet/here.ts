/** Reads a workbook in this process: what the program does in another one, without the time that a process takes to start. */
import { type FileHandle, open } from 'node:fs/promises';
import type { ReadWorkbook } from '../../src/sheet/reader.ts';
import { openWorkbook } from '../../src/sheet/workbook.ts';

/** Like the process, it has the file open too. */
export async function openReader(file: FileHandle, size: number): Promise<ReadWorkbook> {
  const own = await open(`/dev/fd/${file.fd}`);
  const close = () => void own.close();
  try {
    return { ...(await openWorkbook(own, size)), close };
  } catch (error) {
    close();
    throw error;
  }
}
