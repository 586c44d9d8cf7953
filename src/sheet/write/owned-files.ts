/**
 * Writes files into a person's folder. Payrun replaces only its own files, if nobody changed or submitted them.
 * If any other file has the name, the new file gets the next free name. `.payrun-files.jsonl` lists Payrun's files.
 */
import { constants, createReadStream } from 'node:fs';
import { link, lstat, open, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256OfFile } from '../../base/digest.ts';
import { jsonThatFits } from '../../base/json.ts';
import type { Note } from '../../domain/note.ts';
import { codeOf, type MoveFile, unwritable, type Write, writeWhole } from './atomic-file.ts';

export interface Output {
  /** The wanted path. If a file there must stay, Payrun tries `NAME-2.ext`, `NAME-3.ext` and so on. */
  readonly path: string;
  /** Payrun replaces a file only by a file with the same subject, such as `template` or a sheet's name. */
  readonly subject: string;
  /** True for a file with a person's own work. Payrun never replaces or removes such a file. */
  readonly isPersonal?: boolean;
  /** SHA-256 digests of submitted files, which Payrun never replaces or removes. */
  readonly kept?: ReadonlySet<string>;
  readonly recordFolder?: string;
}

const recordName = '.payrun-files.jsonl';
/** Payrun deletes a larger `.payrun-files.jsonl`, and then never replaces the files that were listed there. */
const maxRecordBytes = 4 * 1024 * 1024;
const maxNames = 999;

/** Error codes for a file that another program has open, for example Excel on Windows. */
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

export const writeText = async (output: Output, parts: AsyncIterable<string>): Promise<string> =>
  await writeOutput(output, writingOf(parts));

/** Writes the parts behind a first part that is known only after the last of them, such as a head that counts them. */
export const writeTextBehind = async (output: Output, first: () => string, parts: AsyncIterable<string>) =>
  await writeWhole(output.path, writingOf(parts), async (temporary) => {
    async function* whole(): AsyncIterable<string> {
      yield first();
      yield* createReadStream(temporary, 'utf8') as AsyncIterable<string>;
    }
    const placed = await writeText(output, whole());
    await unlink(temporary);
    return placed;
  });

function writingOf(parts: AsyncIterable<string>): Write {
  return async (handle) => {
    let chunk = '';
    for await (const part of parts) {
      chunk += part;
      if (chunk.length < chunkLength) continue;
      await handle.write(chunk);
      chunk = '';
    }
    await handle.write(chunk);
  };
}

export async function writeOutput(output: Output, write: Write, replace: MoveFile = rename): Promise<string> {
  const { path, isPersonal = false } = output;
  // The file's own folder also gets an entry, because `recordSubmitted` looks there. A personal file needs no entry.
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
        // Another command took this name, or another program has the file open.
        if (number < maxNames && (codeOf(error) === 'EEXIST' || lockedCodes.has(codeOf(error)))) continue;
        throw unwritable(path, error);
      }
      for (const folder of folders) await append(folder, { ...entry, state: 'written' });
      return target;
    }
  });
}

export async function isReplaceable({ path, subject, kept, recordFolder }: Output): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return false;
    // If a reader of the file cannot write `.payrun-files.jsonl`, no entry shows that this user submitted the file.
    // Then the file stays. Answers of a hot folder (`recordFolder`) skip this check, because other users read them.
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

export const isNameFree = async (output: Output): Promise<boolean> =>
  !(await exists(output.path)) || (await isReplaceable(output));

export async function removeOutput(output: Output): Promise<boolean> {
  if (!(await isReplaceable(output))) return false;
  return (await unlink(output.path).catch(() => null)) === undefined;
}

export async function recordSubmitted(shown: string): Promise<void> {
  try {
    const path = await realpath(shown);
    const entries = await entriesOf(path);
    if (entries.length === 0) return;
    const sha256 = await sha256OfFile(path);
    if (!entries.some((entry) => entry.sha256 === sha256)) return;
    const isRecorded = await append(dirname(path), { name: basename(path), sha256, state: 'submitted' });
    // If the entry cannot be stored, deletes the whole list, because Payrun replaces only listed files.
    if (!isRecorded) await unlink(join(dirname(path), recordName));
  } catch {
    // Payrun reports an unreadable file when it reads the sheet. In a read-only folder it writes no file to record.
  }
}

/** Returns a numbered path, such as `november.result-2.csv` or `november.ACK-2`. Number 1 adds nothing. */
export const numbered = (path: string, number: number): string =>
  number === 1 ? path : path.replace(/(?:\.pain\.002|\.sig)?\.[a-z]\w*$|$/, `-${number}$&`);

export const keptNotes = (wanted: string, placed: string | null): Note[] =>
  placed === null || placed === wanted
    ? []
    : [{ note: 'file-kept', kept: basename(wanted), written: basename(placed) }];

/** Moves a file by a hard link, which fails if the target exists. A rename would replace the target. */
async function createOnly(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (await exists(to))) throw error;
    // Some file systems have no hard links. The rename may replace a file that another command writes at this moment.
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
  // `jsonThatFits` skips a line that a crashed process left incomplete.
  return lines.flatMap((line) => jsonThatFits(entrySchema, line) ?? []).filter(({ name }) => name === wanted);
}

/** Adds an entry to `.payrun-files.jsonl`. Returns true if the entry is on the disk. */
async function append(folder: string, entry: Entry): Promise<boolean> {
  const path = join(folder, recordName);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  try {
    const stats = await lstat(path).catch(() => null);
    if (stats?.isFile() === false) return false;
    if (stats !== null && stats.size > maxRecordBytes) await unlink(path);
    await using handle = await open(path, flags, 0o600);
    // Begins with a line break, which ends a line that another process left incomplete.
    await handle.appendFile(`\n${JSON.stringify(entry)}\n`);
    await handle.sync();
    return true;
  } catch {
    return false;
  }
}

const exists = async (path: string) => (await lstat(path).catch(() => null)) !== null;
