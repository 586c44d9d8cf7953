/** The files that Payrun puts beside a sheet: their names, and which of them a check removes. */
import { type FileHandle, readdir } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { openRegular } from '../file/open-file.ts';
import { openArchive } from '../xlsx/zip.ts';
import { type Output, removeOutput } from './owned-files.ts';

/** What a sheet is called without its ending, and without what we had added: `november` for `november.checked-2.xlsx`. */
export function stemOf(sheetPath: string): string {
  return basename(sheetPath, extname(sheetPath)).replace(/(?<=.)(?:\.(?:result|checked)(?:-\d+)?)+$/, '');
}

/** `november.xlsx` gives `november.result.xlsx`; so does `november.result.xlsx`, which its caller keeps where it is the sheet. */
export function resultPathFor(sheetPath: string, outDir: string | null, format: 'csv' | 'xlsx'): string {
  return join(outDir ?? dirname(sheetPath), `${stemOf(sheetPath)}.result.${format}`);
}

export type CheckFile = 'checked.xlsx' | 'problems.csv' | 'problems.json';

/** Where a file that a check writes about a sheet goes. */
export function checkOutput(sheetPath: string, outDir: string | null, file: CheckFile): Output {
  return sheetOutput(sheetPath, outDir, `.${file}`);
}

/** Where a file about a sheet goes: `november` with the given ending, beside the sheet or in `outDir`. */
export function sheetOutput(sheetPath: string, outDir: string | null, ending: string): Output {
  const folder = resolve(outDir ?? dirname(sheetPath));
  const stem = stemOf(sheetPath);
  // Two sheets of one name in two folders are two sheets, also in the folder of `--out`.
  const subject = join(relative(folder, resolve(dirname(sheetPath))), stem);
  return { path: join(outDir ?? dirname(sheetPath), `${stem}${ending}`), subject };
}

/** Removes what an earlier check of this sheet wrote, if it is ours to remove, but not `paths`; returns what it removed. */
export async function removeEarlier(
  sheetPath: string,
  outDir: string | null,
  { paths, kept }: { readonly paths: readonly (string | null)[]; readonly kept?: Output['kept'] },
): Promise<string[]> {
  const folder = outDir ?? dirname(sheetPath);
  const start = `${stemOf(sheetPath)}.`;
  const { subject } = sheetOutput(sheetPath, outDir, '');
  const removed: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!name.startsWith(start) || paths.includes(path)) continue;
    if (!/^(?:checked(?:-\d+)?\.xlsx|problems(?:-\d+)?\.(?:csv|json))$/.test(name.slice(start.length))) continue;
    if (await removeOutput({ path, subject, ...(kept === undefined ? {} : { kept }) })) removed.push(path);
  }
  return removed;
}

/** In a workbook's properties, as its title. */
export const checkedTitle = 'Checked by Payrun';
export const problemHeader = ['row', 'column', 'code', 'severity', 'message', 'value', 'suggestion'] as const;
export const problemJsonStart = '{"payrun":"problems",';

/** Before what says of which sheet it was made. */
export const originWord = 'payrun-sheet:';

const maxPropertyBytes = 64 * 1024;
/** Of a checked workbook, whoever saved it since: of which sheet a console made it; null where it does not say so. */
export async function originOf(path: string): Promise<string | null> {
  try {
    const { handle, stats } = await openRegular(path);
    try {
      const text = await propertiesIn(handle, stats.size);
      return new RegExp(`<cp:keywords>${originWord}([0-9a-f]{32})</cp:keywords>`).exec(text)?.[1] ?? null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

async function propertiesIn(handle: FileHandle, bytes: number): Promise<string> {
  const archive = openArchive(handle, bytes);
  const part = archive.parts.get('docProps/core.xml');
  return part === undefined ? '' : await archive.text(part, maxPropertyBytes);
}
