/** Finds and accepts complete files in a hot folder. This file knows nothing about payments. */
import { createReadStream, existsSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Clock, isoTime } from '../base/clock.ts';
import { sha256OfFile } from '../base/digest.ts';
import { FaultError, fileFault, folderFault, PayrunError, systemFault } from '../base/errors.ts';
import type { FileFault } from '../base/faults/fault.ts';
import { syncFolder } from '../base/folder.ts';
import { strictJson } from '../base/json.ts';
import { holdFile, type Lock } from '../base/lock.ts';
import type { Failure } from '../base/refusal.ts';
import { diskFault, primaryCode } from '../base/sqlite.ts';
import { eachOf, visible } from '../base/words.ts';
import type { End } from '../domain/sending/end.ts';
import { hotFolderWords } from '../messages/hot-folder.ts';
import { noteWords } from '../messages/notes.ts';
import { keptNotes, placeFile, writeOutput } from '../sheet/sheet.ts';
import { answerName, answers, goesWith, isTooLong, kindOfName, marks } from './names.ts';

const isReport = (value: unknown) => typeof value === 'object' && value !== null && 'failure' in value;
const isFault = (value: unknown) => typeof value === 'object' && value !== null && 'fault' in value;

/** The record of an accepted sheet. The watcher writes it before it moves the sheet, and again when the state changes. */
const takenSchema = z.object({
  /** The name of the sheet's folder below `taken`. The names of the sheet's answers begin with it. */
  name: z.string(),
  file: z.string(),
  taken_at: z.string(),
  /** The file's inode, size and modification time when it was last checked. */
  seen: z.string(),
  bytes: z.number().nullable(),
  /** Why the sheet cannot be read; null if it can be read, or was not read yet. */
  fault: z.custom<FileFault>(isFault).nullable(),
  sha256: z.string().nullable(),
  /** The id of the ledger's newest sheet when this sheet was accepted. If the batch gets a newer sheet after that, the run is refused. */
  base: z.int(),
  /** The batch of the sheet's first run, which later runs continue. Null before the first run, and for a refused sheet. */
  batch: z.string().nullable(),
  state: z.enum(['taken', 'waits', 'open', 'ended', 'refused']),
  /** The last report about the sheet. An equal report is not made again, so a report that cannot be read is made again. */
  report: z.custom<{ readonly end: End; readonly failure: Failure | null }>(isReport).nullable().catch(null),
  /** When the sheet runs again, unless a file for it arrives earlier; null for no set time. */
  again_at: z.string().nullable(),
  tries: z.number(),
});

export type HotJob = z.infer<typeof takenSchema>;

export const isFinal = ({ state }: HotJob): boolean => state === 'ended' || state === 'refused';

export type HotFolder = Awaited<ReturnType<typeof openHotFolder>>;

const recordName = 'taken.json';
const lockName = '.watch.db';

const identityOf = ({ ino, size, mtimeMs }: Stats) => `${ino}:${size}:${mtimeMs}`;
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

interface OpenOrder {
  readonly out: string | null;
  readonly stillMs: number;
  readonly clock: Clock;
  say(words: string): void;
  /** False if this watch had the folder open before. If its subfolder `taken` is then missing, the disk is not mounted. */
  readonly isNew: boolean;
}

export async function openHotFolder(given: string, { out, stillMs, clock, say, isNew }: OpenOrder) {
  const path = await realpath(given).catch((error: unknown) => {
    throw new PayrunError('FOLDER_UNUSABLE', { path: given, why: folderFault(error) });
  });
  const { mode } = await lstat(path);
  const takenFolder = join(path, 'taken');
  const outFolder = out ?? join(path, 'out');
  if (!isNew && !existsSync(takenFolder)) throw new PayrunError('HOT_FOLDER_REPLACED', { path });
  ownFolder(takenFolder, 0o700);
  ownFolder(outFolder, mode);
  // Everyone who may read the hot folder may also read the answers.
  const answerMode = 0o600 | (mode & 0o044);
  const lockPath = join(takenFolder, lockName);
  const lock = lockOf(path, lockPath, clock.now());
  try {
    const held = await lstat(lockPath);
    const taken = await recordsIn(takenFolder);
    const still = new Map<string, { readonly identity: string; readonly since: number }>();

    const look = async () => {
      const sheets: { readonly name: string; readonly at: number }[] = [];
      const left: { readonly name: string; readonly why: FileFault }[] = [];
      const files = new Map<string, Stats>();
      for (const entry of await readdir(path, { withFileTypes: true })) {
        const { name } = entry;
        const kind = kindOfName(name);
        if (kind === 'copying' || kind === 'document' || (entry.isDirectory() && kind === 'strange')) continue;
        if (/^payrun\.\w+\.json$/.test(name)) continue;
        const stats = await lstat(join(path, name)).catch(() => null);
        if (stats === null) continue;
        const fault = stats.isSymbolicLink()
          ? 'is-link'
          : !stats.isFile()
            ? 'not-a-file'
            : kind === 'strange'
              ? 'hot-file-is-strange'
              : null;
        if (fault === null) files.set(name, stats);
        else left.push({ name, why: { fault } });
      }
      for (const name of still.keys()) if (!files.has(name)) still.delete(name);
      for (const [name, stats] of files) {
        const identity = identityOf(stats);
        if (kindOfName(name) !== 'mark' && !(await mayRead(join(path, name)))) {
          still.delete(name);
          left.push({ name, why: unreadable });
          continue;
        }
        if (still.get(name)?.identity !== identity) still.set(name, { identity, since: clock.monotonic() });
      }
      const rested = (name: string) => clock.monotonic() - (still.get(name)?.since ?? Infinity) >= stillMs;
      // An older mark belongs to an earlier file with the same name.
      const marked = (name: string) =>
        [...files].some(([other, { ctimeMs }]) => marks(other, name) && ctimeMs >= (files.get(name)?.ctimeMs ?? 0));
      let unsettled = false;
      for (const [name, stats] of files) {
        const kind = kindOfName(name);
        if (kind === 'with' && still.has(name) && !rested(name)) unsettled = true;
        if (kind !== 'sheet') continue;
        const company = [name, ...[...files.keys()].filter((other) => goesWith(other, name))];
        if (!company.every((one) => still.has(one))) continue;
        // An empty file is never complete, because a copying program creates the file before it writes its content.
        const complete = marked(name) || (stats.size > 0 && company.every(rested));
        if (complete) sheets.push({ name, at: stats.mtimeMs });
        else unsettled = true;
        if (!complete && stats.size === 0 && rested(name)) left.push({ name, why: { fault: 'hot-file-is-empty' } });
      }
      sheets.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
      /** `sheets`: complete sheets, oldest first. `unsettled`: a file still arrives that may be complete at the next scan. */
      return { sheets: sheets.map(({ name }) => name), unsettled, left };
    };

    const keep = async (record: HotJob) => {
      const text = `${JSON.stringify(record, null, 2)}\n`;
      const write = async (handle: FileHandle) => await handle.appendFile(text);
      await placeFile(join(takenFolder, record.name, recordName), write, renameOnly);
    };

    const move = async (file: string, { name }: HotJob) => {
      await rename(join(path, file), join(takenFolder, name, file));
      syncFolder(join(takenFolder, name));
      syncFolder(path);
    };

    const put = async (record: HotJob, name: string, write: (handle: FileHandle) => Promise<void>) => {
      const marked = async (handle: FileHandle) => {
        await handle.chmod(answerMode);
        await write(handle);
      };
      // `kept` has the hashes of submitted sheets: an answer that somebody submitted as a sheet is never replaced.
      // The record of answers is in the sheet's folder, because other programs may change the folder of answers.
      const kept = new Set(taken.flatMap(({ sha256 }) => sha256 ?? []));
      const recordFolder = join(takenFolder, record.name);
      const output = { path: join(outFolder, name), subject: 'answer', recordFolder, kept };
      const placed = await writeOutput(output, marked, renameOnly);
      for (const note of keptNotes(output.path, placed)) say(noteWords(note));
      return basename(placed);
    };

    const place = (record: HotJob) => join(takenFolder, record.name, record.file);

    return {
      path,
      taken,
      /** False if the hot folder was removed or replaced after it was opened. */
      isThere: async () => (await lstat(lockPath).catch(() => null))?.ino === held.ino,
      /** Creates the folder for answers again if somebody deleted it. Returns a note if it did; null if the folder was there. */
      mendOut: () => (ownFolder(outFolder, mode) ? hotFolderWords.outMade(visible(outFolder)) : null),
      look,
      /** Accepts the sheet. Returns null if another program removed the file first. */
      async take(file: string, base: number): Promise<HotJob | null> {
        const seen = still.get(file)?.identity;
        if (seen === undefined) return null;
        const name = await freeName(file);
        const unknown = eachOf(null, 'bytes fault sha256 batch report again_at');
        const taken_at = isoTime(clock.now());
        const record: HotJob = { name, file, taken_at, seen, base, state: 'taken', tries: 0, ...unknown };
        try {
          await keep(record);
          await move(file, record);
        } catch (error) {
          const moved = await lstat(place(record)).catch(() => null);
          if (moved !== null) throw error;
          await emptied(join(takenFolder, name));
          if (codeOf(error) === 'ENOENT') return null;
          throw error;
        }
        const names = await readdir(path);
        // The marks must not count for the next file with this name.
        for (const other of names.filter((one) => marks(one, file))) await unlink(join(path, other));
        taken.push(record);
        return record;
      },
      /** Moves complete files that belong to an accepted sheet into its folder. Returns true if any file was moved. */
      async fetch(record: HotJob): Promise<boolean> {
        const newest = taken.findLast((one) => !isFinal(one) && answerName(one.file, 1) === answerName(record.file, 1));
        if (newest !== record) return false;
        let found = false;
        for (const name of await readdir(path)) {
          if (!goesWith(name, record.file)) continue;
          const stats = await lstat(join(path, name)).catch(() => null);
          const rested = still.get(name);
          if (stats === null || !stats.isFile() || rested?.identity !== identityOf(stats)) continue;
          if (record.tries > 0 && clock.monotonic() - rested.since < stillMs) continue;
          await move(name, record);
          found = true;
        }
        return found;
      },
      /** Hashes the sheet, or stores why the sheet cannot be read. Returns false if the file is still changing. */
      async identify(record: HotJob): Promise<boolean> {
        const before = await lstat(place(record));
        const wasStill = identityOf(before) === record.seen;
        record.seen = identityOf(before);
        if (!before.isFile()) record.fault = { fault: 'not-a-file' };
        else if (isTooLong(record.file)) record.fault = { fault: 'hot-file-has-long-name' };
        if (record.fault !== null) return true;
        let sha256: string;
        try {
          sha256 = await sha256OfFile(place(record));
        } catch (error) {
          if (codeOf(error) !== 'EACCES') throw error;
          record.fault = unreadable;
          return true;
        }
        if (!wasStill || identityOf(await lstat(place(record))) !== record.seen) return false;
        record.bytes = before.size;
        record.sha256 = sha256;
        return true;
      },
      placeOf: place,
      async has(record: HotJob, suffix: string): Promise<boolean> {
        return (await readdir(join(takenFolder, record.name))).some((name) => name.endsWith(suffix));
      },
      keep,
      answer: async (record: HotJob, ending: string, text: string) =>
        await put(record, ending, async (handle) => await handle.appendFile(text)),
      copy: async (record: HotJob, ending: string, from: string) =>
        await put(record, ending, async (handle) => await handle.appendFile(createReadStream(from))),
      close: () => lock.release(),
    };

    async function freeName(file: string): Promise<string> {
      const out = await readdir(outFolder);
      for (let number = 1; ; number += 1) {
        const name = answerName(file, number);
        if (out.some((one) => answers(one, name))) continue;
        try {
          await mkdir(join(takenFolder, name), { mode: 0o700 });
          syncFolder(takenFolder);
          return name;
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error;
        }
      }
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function lockOf(path: string, lockPath: string, now: number): Lock {
  try {
    return holdFile(lockPath, now, (holder, cause) => new PayrunError('FOLDER_BUSY', { path, holder }, { cause }));
  } catch (error) {
    if (error instanceof PayrunError) throw error;
    const damaged = [11, 26].includes(primaryCode(error));
    throw damaged
      ? new PayrunError('HOT_FOLDER_LOCK_DAMAGED', { path, lock: lockPath, why: systemFault(error) })
      : unmade(lockPath, error);
  }
}

/** A full disk has its own error, because it may have room again later. */
const unmade = (path: string, error: unknown) =>
  diskFault(error, path) ?? new PayrunError('FOLDER_UNUSABLE', { path, why: folderFault(error) });

/** Tries no other name if the rename fails, because other programs would not look for another name. */
async function renameOnly(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    throw new FaultError(systemFault(error));
  });
}

const unreadable = { fault: 'hot-file-is-unreadable' } as const;

const mayRead = async (path: string): Promise<boolean> =>
  (await access(path, constants.R_OK).catch(codeOf)) !== 'EACCES';

/** Returns true for a new folder. Sets its permissions while it creates it, because systemd may forbid a later change. */
function ownFolder(path: string, mode: number): boolean {
  const umask = process.umask(0);
  try {
    mkdirSync(path, mode & 0o777);
    return true;
  } catch (error) {
    const found = codeOf(error) === 'EEXIST' ? lstatSync(path) : null;
    if (found?.isDirectory() !== true) throw unmade(path, error);
    return false;
  } finally {
    process.umask(umask);
  }
}

/** Removes the folder that was prepared for a sheet, if the sheet was never moved into it. */
async function emptied(folder: string): Promise<void> {
  await unlink(join(folder, recordName)).catch(() => {});
  await rmdir(folder).catch(() => {});
}

async function recordsIn(folder: string): Promise<HotJob[]> {
  const found: HotJob[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const within = join(folder, entry.name);
    const names = await readdir(within);
    const whole = names.filter((name) => kindOfName(name) !== 'copying');
    if (whole.every((name) => name === recordName)) {
      for (const name of names) await unlink(join(within, name));
      await emptied(within);
      continue;
    }
    try {
      found.push(strictJson(takenSchema, await readFile(join(within, recordName), 'utf8')));
    } catch (error) {
      const facts = { path: within, record: recordName, why: fileFault(error) };
      throw new PayrunError('HOT_FOLDER_RECORD_UNREADABLE', facts);
    }
  }
  return found.sort((a, b) => (a.taken_at < b.taken_at ? -1 : a.taken_at > b.taken_at ? 1 : 0));
}
