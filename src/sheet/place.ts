/** Writes a file so that it is either the old one or the whole new one, whatever happens in between. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { folderWords, PayrunError } from '../base/errors.ts';

/** What a file that another program holds open answers to being replaced (Excel on Windows, a busy mount). */
const lockedCodes = new Set(['EBUSY', 'EPERM', 'EACCES', 'ETXTBSY']);
const maxNames = 99;

/** Writes through `write`, then puts the file in its place; answers where it came to stand. */
export async function placeFile(
  path: string,
  write: (handle: FileHandle) => Promise<void>,
  replace: (from: string, to: string) => Promise<void> = rename,
): Promise<string> {
  const folder = dirname(path);
  await refuseStrange(path);
  await removeLeftovers(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  // O_EXCL: never through something that another program put under this name.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, 0o600).catch((error: unknown) => {
    throw unwritable(folder, error);
  });
  let placed: string;
  try {
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    placed = await moveTo(temporary, path, replace);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
  return placed;
}

/** The name asked for; where that file is locked, `name-2`, `name-3` and so on. */
async function moveTo(
  temporary: string,
  path: string,
  replace: (from: string, to: string) => Promise<void>,
): Promise<string> {
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let number = 1; ; number++) {
    const target = number === 1 ? path : `${stem}-${number}${ending}`;
    if (number > 1 && (await exists(target))) continue;
    try {
      await replace(temporary, target);
      return target;
    } catch (error) {
      if (!lockedCodes.has(codeOf(error)) || number === maxNames) throw unwritable(path, error);
    }
  }
}

async function refuseStrange(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw unwritable(dirname(path), error);
  });
  if (stats === null || stats.isFile()) return;
  const what = stats.isSymbolicLink() ? 'a symbolic link' : stats.isDirectory() ? 'a folder' : 'not a regular file';
  throw new PayrunError('FOLDER_UNWRITABLE', { path, detail: `it is ${what}` });
}

/** Temporary files of this name whose writer no longer runs. */
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

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** A rename lasts only when its folder is on the disk; some systems cannot sync a folder, and need not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  if (handle === null) return;
  try {
    await handle.sync().catch(() => {});
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function unwritable(path: string, error: unknown): PayrunError {
  return new PayrunError('FOLDER_UNWRITABLE', { path, detail: folderWords(error) }, { cause: error });
}
