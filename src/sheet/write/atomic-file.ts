/** Writes a file atomically: readers see the complete old file or the complete new file, even after a crash. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderFault, PayrunError } from '../../base/errors.ts';
import { syncFolder } from '../../base/folder.ts';
import { forOthers } from '../../messages/format/program.ts';

export type Write = (handle: FileHandle) => Promise<void>;
export type MoveFile = (from: string, to: string) => Promise<void>;

/** Writes or replaces a file that only Payrun uses. For a file in a person's folder, use `writeOutput`. */
export async function placeFile(path: string, write: Write, replace: MoveFile = rename): Promise<string> {
  await refuseStrange(path);
  return await writeWhole(path, write, async (temporary) => {
    await replace(temporary, path).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    return path;
  });
}

/** Writes a temporary file. `place` then moves it to its final path, and returns that path. */
export async function writeWhole(path: string, write: Write, place: (temporary: string) => Promise<string>) {
  const folder = dirname(path);
  await removeLeftovers(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  // O_EXCL refuses an existing file or link with this name, which another program may have made.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, 0o600).catch((error: unknown) => {
    throw unwritable(folder, error);
  });
  let placed: string;
  try {
    try {
      await forOthers(async () => await write(handle));
      await handle.sync();
    } finally {
      await handle.close();
    }
    placed = await place(temporary);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  try {
    syncFolder(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
  return placed;
}

async function refuseStrange(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw unwritable(dirname(path), error);
  });
  if (stats === null || stats.isFile()) return;
  const fault = stats.isSymbolicLink() ? 'is-link' : stats.isDirectory() ? 'is-folder' : 'not-a-file';
  throw new PayrunError('FOLDER_UNWRITABLE', { path, why: { fault } });
}

async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `.${basename(path)}.`;
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    const pid = /^(\d+)-[0-9a-f]{8}\.tmp$/.exec(name.slice(start.length))?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await unlink(join(folder, name)).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

export const unwritable = (path: string, error: unknown): PayrunError =>
  new PayrunError('FOLDER_UNWRITABLE', { path, why: folderFault(error) }, { cause: error });
