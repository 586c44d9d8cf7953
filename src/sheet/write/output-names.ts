/** Names the files that Payrun writes beside a sheet, and removes the files of an earlier check. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { openRegular } from '../file/open-file.ts';
import { openArchive } from '../xlsx/zip.ts';
import { type Output, removeOutput } from './owned-files.ts';

/** Returns the name of the original sheet: `november` for `november.checked-2.xlsx`. */
export const stemOf = (sheetPath: string): string =>
  basename(sheetPath, extname(sheetPath)).replace(/(?<=.)(?:\.(?:result|checked)(?:-\d+)?)+$/, '');

/** Returns the result's path. The caller must not overwrite an existing file, which may be a submitted sheet. */
export const resultPathFor = (sheetPath: string, outDir: string | null, format: 'csv' | 'xlsx'): string =>
  join(outDir ?? dirname(sheetPath), `${stemOf(sheetPath)}.result.${format}`);

export function sheetOutput(sheetPath: string, outDir: string | null, ending: string): Output {
  const folder = resolve(outDir ?? dirname(sheetPath));
  const stem = stemOf(sheetPath);
  // The subject includes the sheet's folder: `a/november.csv` and `b/november.csv` may have the same `--out`.
  const subject = join(relative(folder, resolve(dirname(sheetPath))), stem);
  return { path: join(outDir ?? dirname(sheetPath), `${stem}${ending}`), subject };
}

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

export const checkedTitle = 'Checked by Payrun';
export const problemHeader = ['row', 'column', 'code', 'severity', 'message', 'value', 'suggestion'] as const;
export const problemJsonStart = '{"payrun":"problems",';

export const originWord = 'payrun-sheet:';

const maxPropertyBytes = 64 * 1024;
export async function originOf(path: string): Promise<string | null> {
  try {
    await using file = await openRegular(path);
    const archive = openArchive(file.handle, file.stats.size);
    const part = archive.parts.get('docProps/core.xml');
    const text = part === undefined ? '' : await archive.text(part, maxPropertyBytes);
    return new RegExp(`<cp:keywords>${originWord}([0-9a-f]{32})</cp:keywords>`).exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}
