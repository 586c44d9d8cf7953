/** The files that Payrun puts beside a sheet: what they are called, which of those that lie there are ours, and which may go. */
import { type FileHandle, lstat, readdir, readFile, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { openRegular, readAt } from './file.ts';
import { openArchive } from './zip.ts';

/** What a sheet is called without its ending, and without what we had added: `november` for `november.checked-2.xlsx`. */
export function stemOf(sheetPath: string): string {
  return basename(sheetPath, extname(sheetPath)).replace(/(?<=.)(?:\.(?:result|checked)(?:-\d+)?)+$/, '');
}

/** `november.xlsx` gives `november.result.xlsx`; so does `november.result.xlsx`, which its caller keeps where it is the sheet. */
export function resultPathFor(sheetPath: string, outDir: string | null, format: 'csv' | 'xlsx'): string {
  return join(outDir ?? dirname(sheetPath), `${stemOf(sheetPath)}.result.${format}`);
}

export type CheckFile = 'checked.xlsx' | 'problems.csv' | 'problems.json';

/** Where one of our files about a sheet goes: the first name that is free, or whose file `mayReplace` gives up. */
export async function placeFor(
  sheetPath: string,
  outDir: string | null,
  file: CheckFile,
  mayReplace: (path: string) => Promise<boolean>,
): Promise<string> {
  const [kind, ending] = file.split('.');
  for (let number = 1; ; number++) {
    const name = `${stemOf(sheetPath)}.${kind}${number === 1 ? '' : `-${number}`}.${ending}`;
    const path = join(outDir ?? dirname(sheetPath), name);
    if (!(await exists(path)) || (await mayReplace(path))) return path;
  }
}

/** Takes away what an earlier check of this sheet left and nobody has touched since, but for `kept`; answers what went. */
export async function removeEarlier(
  sheetPath: string,
  outDir: string | null,
  kept: readonly (string | null)[],
): Promise<string[]> {
  const folder = outDir ?? dirname(sheetPath);
  const start = `${stemOf(sheetPath)}.`;
  const removed: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!name.startsWith(start) || kept.includes(path)) continue;
    if (!/^(?:checked(?:-\d+)?\.xlsx|problems(?:-\d+)?\.(?:csv|json))$/.test(name.slice(start.length))) continue;
    if (!(await isUntouched(path))) continue;
    const gone = await unlink(path).then(
      () => true,
      () => false,
    );
    if (gone) removed.push(path);
  }
  return removed;
}

/** In a workbook's properties, as its title. */
export const checkedTitle = 'Checked by Payrun';
export const problemHeader = ['row', 'column', 'code', 'severity', 'message', 'value', 'suggestion'] as const;
export const problemJsonStart = '{"payrun":"problems",';

/** Before what says of which sheet it was made. */
export const originWord = 'payrun-sheet:';

/** exceljs writes a workbook's properties in this order; whoever saves it after us puts a name, or another order, in. */
const ourProperties = new RegExp(
  `<dc:creator>Payrun</dc:creator><dc:title>${checkedTitle}</dc:title>(?:<cp:keywords>[^<]*</cp:keywords>)?<cp:lastModifiedBy>Payrun</cp:lastModifiedBy><dcterms:created `,
);
const maxPropertyBytes = 64 * 1024;
/** The coarsest time that a file system keeps of a file, and the properties' second. */
const timeStepMs = 3000;
const [firstHeader, ...otherHeaders] = problemHeader;
const problemCsvStart = new RegExp(`^\ufeff${firstHeader}([,;\t|])${otherHeaders.join('\\1')}\r\n`);

/** Whether a file is one of ours, as we wrote it: what can be made again may be replaced, a person's work may not. */
export async function isUntouched(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isFile()) return false;
    const { handle, stats } = await openRegular(path);
    try {
      if (path.endsWith('.xlsx')) {
        const text = await propertiesIn(handle, stats.size);
        // A program that keeps all properties gives the file another time than the one that stands there.
        const created = Date.parse(/<dcterms:created [^>]*>([^<]*)</.exec(text)?.[1] ?? '');
        return ourProperties.test(text) && Math.abs(stats.mtimeMs - created) <= timeStepMs;
      }
      const start = readAt(handle, 0, 200).toString('utf8');
      return path.endsWith('.json') ? start.startsWith(problemJsonStart) : problemCsvStart.test(start);
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

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

/** Whether two files hold the same bytes. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [a, b] = await Promise.all([one, other].map((path) => readFile(path).catch(() => null)));
  return a != null && b != null && a.equals(b);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
