/** Creates and syncs folders. A power cut can lose a new file if its folder was not synced. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder and its missing parents, without Node's `recursive` option, which hangs under /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  syncFolder(dirname(path));
}

/** These errors mean that the folder is not readable, or that its file system cannot sync folders. */
const ignoredCodes = ['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP'];

export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!ignoredCodes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
