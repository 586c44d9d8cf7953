/**
 * Decides which files Payrun may replace in a person's folder: only files that Payrun wrote, and that nobody changed or
 * submitted. If another file has the wanted name, the new file gets the next free name. The file `.payrun-files.jsonl`
 * in the folder is the record of Payrun's files.
 */
import { constants } from 'node:fs';
import { link, lstat, open, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256OfFile } from '../../base/digest.ts';
import { jsonThatFits } from '../../base/json.ts';
import type { Note } from '../../domain/note.ts';
import { codeOf, type Move, unwritable, type Write, writeWhole } from './atomic-file.ts';

export interface Output {
  /** The wanted path. If a file there must stay, Payrun tries `NAME-2.ext`, `NAME-3.ext` and so on. */
  readonly path: string;
  /** The subject of the file, such as a batch. Payrun does not replace a file about another subject. */
  readonly subject: string;
  /** True for a file with a person's work, which may be the only copy. Payrun never replaces or removes it. */
  readonly isPersonal?: boolean;
  /** SHA-256 digests of submitted files, which Payrun never replaces or removes. */
  readonly kept?: ReadonlySet<string>;
  readonly recordFolder?: string;
}

const recordName = '.payrun-files.jsonl';
/** The largest `.payrun-files.jsonl`. Payrun deletes a larger file, and then replaces none of the files that it listed. */
const maxRecordBytes = 4 * 1024 * 1024;
const maxNames = 999;

/** Error codes for a file that another program has open, such as Excel on Windows. */
const lockedCodes = new Set(['EBUSY', 'EPERM', 'EACCES', 'ETXTBSY']);

/** Payrun adds an entry `writing` before it places the file, so that a crash never leaves a file without an entry. */
const entrySchema = z.object({
  name: z.string(),
  sha256: z.string(),
  subject: z.string().optional(),
  state: z.enum(['writing', 'written', 'submitted']),
});
type Entry = z.infer<typeof entrySchema>;

const chunkLength = 65_536;

/** Like `writeOutput`, for a text that comes in many small parts. Joins the parts to chunks of some 64 KB. */
export const writeText = async (output: Output, parts: AsyncIterable<string>): Promise<string> =>
  await writeOutput(output, async (handle) => {
    let chunk = '';
    for await (const part of parts) {
      chunk += part;
      if (chunk.length < chunkLength) continue;
      await handle.write(chunk);
      chunk = '';
    }
    await handle.write(chunk);
  });

export async function writeOutput(output: Output, write: Write, replace: Move = rename): Promise<string> {
  const { path, isPersonal = false } = output;
  // Lists the file in `recordFolder`, and also in the file's own folder, from which people submit it. A personal file needs no entry.
  const folders = isPersonal ? [] : new Set([output.recordFolder ?? dirname(path), dirname(path)]);
  return await writeWhole(path, write, async (temporary) => {
    const sha256 = await sha256OfFile(temporary);
    for (let number = 1; ; number += 1) {
      const target = numbered(path, number);
      const isTaken = await exists(target);
      if (isTaken && !(await isReplaceable({ ...output, path: target }))) {
        if (number === maxNames) throw unwritable(path, new Error(`${maxNames} files of this name lie there already`));
        continue;
      }
      const entry = { name: basename(target), sha256, subject: output.subject };
      for (const folder of folders) await append(folder, { ...entry, state: 'writing' });
      try {
        await (isTaken ? replace : createOnly)(temporary, target);
      } catch (error) {
        // Tries the next name if another command took this name, or if another program has the file with this name open.
        if (number < maxNames && (codeOf(error) === 'EEXIST' || lockedCodes.has(codeOf(error)))) continue;
        throw unwritable(path, error);
      }
      for (const folder of folders) await append(folder, { ...entry, state: 'written' });
      return target;
    }
  });
}

/** True if `.payrun-files.jsonl` proves that Payrun wrote the file last and about this subject, and that nobody changed or submitted it. */
export async function isReplaceable({ path, subject, kept, recordFolder }: Output): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return false;
    // If other users may read the file but not write the record, they may have submitted the file without an entry. So the
    // file stays. A hot folder's answers are exempt: the answers are meant for other users, and the record is in another folder.
    const record = recordFolder === undefined ? await lstat(join(dirname(path), recordName)) : null;
    if (record !== null && ((stats.mode & 0o044) >> 1) & ~record.mode) return false;
    const entries = await entriesOf(path, recordFolder);
    if (entries.length === 0) return false;
    const sha256 = await sha256OfFile(path);
    const here = recordFolder === undefined ? [] : await entriesOf(path);
    if (kept?.has(sha256) || here.some((one) => one.state === 'submitted' && one.sha256 === sha256)) return false;
    const last = entries.findLastIndex(({ state }) => state === 'written');
    const recent = entries.slice(Math.max(last, 0)).filter((entry) => entry.sha256 === sha256);
    return recent.some((entry) => entry.subject === subject) && recent.every(({ state }) => state !== 'submitted');
  } catch {
    return false;
  }
}

export async function isNameFree(output: Output): Promise<boolean> {
  return !(await exists(output.path)) || (await isReplaceable(output));
}

export async function removeOutput(output: Output): Promise<boolean> {
  if (!(await isReplaceable(output))) return false;
  return (await unlink(output.path).catch(() => null)) === undefined;
}

/** Records that a file was submitted, so that Payrun never replaces or removes it. */
export async function recordSubmitted(shown: string): Promise<void> {
  try {
    const path = await realpath(shown);
    const entries = await entriesOf(path);
    if (entries.length === 0) return;
    const sha256 = await sha256OfFile(path);
    if (!entries.some((entry) => entry.sha256 === sha256)) return;
    const isRecorded = await append(dirname(path), { name: basename(path), sha256, state: 'submitted' });
    // Deletes `.payrun-files.jsonl` if the entry cannot be added. Payrun then replaces no file in the folder.
    if (!isRecorded) await unlink(join(dirname(path), recordName));
  } catch {
    // Ignores the error. Reading the sheet reports an unreadable file. In a folder that is not writable, Payrun replaces nothing.
  }
}

/** Returns a numbered path, such as `november.result-2.csv` or `november.ACK-2`. Number 1 adds nothing. */
export function numbered(path: string, number: number): string {
  return number === 1 ? path : path.replace(/(?:\.pain\.002|\.sig)?\.[a-z]\w*$|$/, `-${number}$&`);
}

export const keptNotes = (wanted: string, placed: string | null): Note[] =>
  placed === null || placed === wanted
    ? []
    : [{ note: 'file-kept', kept: basename(wanted), written: basename(placed) }];

/** Moves a file by a hard link, which fails if another command wrote a file to the target. */
async function createOnly(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (await exists(to))) throw error;
    // Renames if the file system has no hard links. The rename replaces a file that another command writes to the target at the same time.
    return await rename(from, to);
  }
  // If the temporary file stays, a later command removes it.
  await unlink(from).catch(() => {});
}

async function entriesOf(path: string, folder = dirname(path)): Promise<Entry[]> {
  const record = join(folder, recordName);
  const stats = await lstat(record).catch(() => null);
  if (stats?.isFile() !== true || stats.size > maxRecordBytes) return [];
  const wanted = basename(path);
  const lines = (await readFile(record, 'utf8')).split('\n').filter((line) => line.includes(JSON.stringify(wanted)));
  // A line does not fit if a process died while it wrote the line.
  return lines.flatMap((line) => jsonThatFits(entrySchema, line) ?? []).filter(({ name }) => name === wanted);
}

/** Adds an entry to `.payrun-files.jsonl`. Returns true if the entry is on the disk. Payrun never replaces a file that has no entry there. */
async function append(folder: string, entry: Entry): Promise<boolean> {
  const path = join(folder, recordName);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  try {
    const stats = await lstat(path).catch(() => null);
    if (stats?.isFile() === false) return false;
    if (stats !== null && stats.size > maxRecordBytes) await unlink(path);
    const handle = await open(path, flags, 0o600);
    try {
      // Begins with a line break, which ends a line that another process left incomplete.
      await handle.appendFile(`\n${JSON.stringify(entry)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    return false;
  }
}

const exists = async (path: string) => (await lstat(path).catch(() => null)) !== null;
