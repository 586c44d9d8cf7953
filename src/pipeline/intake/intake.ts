/** Copies the sheet beside the ledger, so that Payrun can read it again. Only Payrun's own system user can read the copy. */
import { constants } from 'node:fs';
import { access, chmod, copyFile, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Clock, isoTime } from '../../base/clock.ts';
import { sha256OfFile } from '../../base/digest.ts';
import { fileFault, folderFault, PayrunError, refuseUnreadable } from '../../base/errors.ts';
import type { FileFault } from '../../base/faults/fault.ts';
import { makeFolder, syncFolder } from '../../base/folder.ts';
import { diskFault } from '../../base/sqlite.ts';
import type { Each } from '../../base/words.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { recordSubmitted } from '../../sheet/sheet.ts';
import { runAgain } from '../opened-with.ts';

/** The largest size of a sheet. A real sheet of a million rows has about 200 MB. */
const maxSheetBytes = 1024 ** 3;

export interface SheetCopy extends Each<'name origin path', string> {
  /** Deletes the copy and its plan. Called for a sheet that became no batch. */
  discard(): Promise<void>;
}

export async function keepCopy(
  { folder: beside }: Pick<Ledger, 'folder'>,
  file: string,
  clock: Clock,
  sha256?: string,
): Promise<SheetCopy> {
  const origin = resolve(file);
  await requireSheetFile(origin, file);
  const folder = join(beside, 'sheets');
  const stamp = isoTime(clock.now()).replaceAll(/[:.]/g, '');
  const path = join(folder, `${stamp}-${clock.randomHex(4)}-${basename(origin)}`);
  await (await open(origin, 'r').catch(refuseUnreadable(file))).close();
  try {
    makeFolder(folder);
    await copyFile(origin, path, constants.COPYFILE_EXCL);
    await chmod(path, 0o600);
    await flush(path);
    syncFolder(folder);
  } catch (error) {
    // Deletes the written part to free its space, and reports the first error.
    await rm(path, { force: true }).catch(() => undefined);
    throw copyFault(error, { path, folder, file });
  }
  const discard = async () => {
    await rm(path, { force: true });
    await rm(planCopyOf(path), { force: true });
  };
  if (sha256 !== undefined && (await sha256OfFile(path)) !== sha256) {
    await discard();
    throw new PayrunError('SHEET_CHANGED', { path: file });
  }
  return { name: basename(origin), origin, path, discard };
}

function copyFault(error: unknown, { path, folder, file }: Record<'path' | 'folder' | 'file', string>): PayrunError {
  if (nameFaults.includes((error as NodeJS.ErrnoException).code ?? ''))
    return new PayrunError('FILE_UNREADABLE', { path: file, why: fileFault(error) });
  const holes = { path: folder, why: folderFault(error) };
  return diskFault(error, path) ?? new PayrunError('COPIES_UNWRITABLE', holes, { cause: error });
}

const nameFaults = ['ENAMETOOLONG', 'EINVAL', 'EILSEQ'];

/** Returns the path of the plan that a run keeps beside the copied sheet, so that other people can see what was approved. */
export const planCopyOf = (sheetCopy: string): string => `${sheetCopy}.plan.json`;

/** Returns the place of a kept sheet or plan, also after the ledger's folder was moved. Null if the file is gone. */
export async function keptFile({ folder }: Pick<Ledger, 'folder'>, path: string): Promise<string | null> {
  for (const place of [path, join(folder, 'sheets', basename(path))])
    if ((await access(place).catch(() => null)) === undefined) return place;
  return null;
}

/** Returns the copy of a batch's sheet, also after the ledger's folder was moved. Throws if the copy is gone. */
export async function standingCopy(ledger: Pick<Ledger, 'folder'>, batch: BatchFacts): Promise<string> {
  const { copy } = batch.sheet;
  const found = await keptFile(ledger, copy);
  if (found !== null) return found;
  const folder = join(ledger.folder, 'sheets');
  const { name } = batch;
  const list: ActionNamed = { action: 'list-rows', batch: name };
  const command = runAgain(batch);
  throw new PayrunError('SHEET_COPY_GONE', { path: join(folder, basename(copy)), folder, batch: name, list, command });
}

/** Copies the sheet of the batch's newest version to `path`. */
export async function copyHead(ledger: Pick<Ledger, 'folder'>, batch: BatchFacts, path: string): Promise<void> {
  await copyFile(await standingCopy(ledger, batch), path);
  await flush(path);
}

/** Keeps the file as the copy of the batch's sheet again, if that copy is gone and the file has the same bytes. */
export async function restoreCopy(ledger: Pick<Ledger, 'folder'>, { sheet }: BatchFacts, path: string): Promise<void> {
  if ((await keptFile(ledger, sheet.copy)) !== null || (await sha256OfFile(path)) !== sheet.options.sha256) return;
  await copyFile(path, join(ledger.folder, 'sheets', basename(sheet.copy)), constants.COPYFILE_EXCL);
}

/** Throws if the path is no plain file, or the file is too large. Records that a person submitted the file, so that Payrun does not overwrite it. */
export async function requireSheetFile(path: string, shown: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  const refuse = (why: FileFault) => new PayrunError('FILE_UNREADABLE', { path: shown, why });
  if (found instanceof Error) throw refuse(fileFault(found));
  if (!found.isFile()) throw refuse({ fault: 'not-a-file' });
  if (found.size > maxSheetBytes) throw refuse({ fault: 'sheet-is-too-large' });
  await recordSubmitted(path);
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}

/** Throws if the result's folder cannot be written. Called before the first payment, so that no result is lost after it. */
export async function requireWritable(outDir: string | null, file: string): Promise<void> {
  const folder = outDir ?? dirname(resolve(file));
  // All runs use one name, so that the next run removes the file of a killed run.
  const probe = join(folder, '.payrun-probe.tmp');
  try {
    await access(folder, constants.W_OK);
    const opened = await open(probe, constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
    await opened.close();
    await rm(probe, { force: true });
  } catch (error) {
    throw new PayrunError('FOLDER_UNWRITABLE', { path: folder, why: folderFault(error) });
  }
}
