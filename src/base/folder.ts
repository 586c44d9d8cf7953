/** Folders that a power cut does not take away: a file is on the disk only when the names that lead to it are. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes what is missing of the path, for its owner only. One folder at a time: where none can be made (as under /proc), the recursive call of Node never comes back. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in between.
    if (!existsSync(path)) throw error;
  }
  syncFolder(dirname(path));
}

/** Folders that cannot be waited for: one that may not be read, and those of file systems that do not know it. */
const unwaited = ['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP'];

/** Waits until the names in a folder are on the disk. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!unwaited.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
