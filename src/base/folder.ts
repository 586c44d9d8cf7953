/** Creates folders and syncs them. A new file survives a power cut only if its folder and all parent folders are on the disk. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the missing folders of a path, for their owner only. Node's recursive call would hang under /proc. */
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

/** Errors that `syncFolder` ignores: the folder is not readable, or its file system does not support syncing. */
const unwaited = ['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP'];

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
