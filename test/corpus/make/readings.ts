/**
 * Writes beside each workbook what LibreOffice and SheetJS read in it: `node test/corpus/make/readings.ts FOLDER [WORD …]`,
 * where FOLDER is one in which `npm install xlsx` was run and `soffice` is on the path; all, or those whose names hold a word.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Comparable, comparable } from '../readings.ts';
import { corpusFolder } from '../runner.ts';

interface SheetJs {
  readFile(
    path: string,
    options: object,
  ): {
    readonly Sheets: Readonly<
      Record<string, Record<string, { w?: string; v?: string | number | boolean; t?: string }>>
    >;
  };
  readonly utils: {
    decode_range(range: string): { readonly e: { readonly r: number; readonly c: number } };
    encode_cell(cell: { r: number; c: number }): string;
  };
}

const [home = '.', ...words] = process.argv.slice(2);
const { readFile, utils } = createRequire(join(resolve(home), 'folder.js'))('xlsx') as SheetJs;
const folder = mkdtempSync(join(tmpdir(), 'payrun-readings-'));
const books = (await comparable()).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

for (const { name } of books) copyFileSync(join(corpusFolder, name), join(folder, flat(name)));
// Every sheet (-1) as it is shown, texts in quotes and nothing else.
const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,2057,true,true,true,false,false,-1';
execFileSync(
  'soffice',
  [
    `-env:UserInstallation=file://${join(folder, 'profile')}`,
    '--headless',
    '--convert-to',
    filter,
    '--outdir',
    folder,
    ...books.map(({ name }) => join(folder, flat(name))),
  ],
  { stdio: 'ignore', timeout: 600_000 },
);
for (const book of books) {
  keep(`${book.name}.libreoffice.csv`, ofLibreOffice(book));
  keep(`${book.name}.sheetjs.csv`, ofSheetJs(book));
}
rmSync(folder, { recursive: true, force: true });

function flat(name: string): string {
  return name.replace('/', '_');
}

function keep(name: string, text: string | null): void {
  const path = join(corpusFolder, name);
  if (text === null) rmSync(path, { force: true });
  else writeFileSync(path, text);
}

function ofLibreOffice({ name, sheet }: Comparable): string | null {
  const path = join(folder, `${flat(name).replace(/\.[^.]+$/, '')}-${sheet}.csv`);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** As it shows them, in the form of LibreOffice: texts in quotes, all else bare. */
function ofSheetJs({ name, sheet }: Comparable): string | null {
  try {
    const cells = readFile(join(corpusFolder, name), { cellNF: true, cellText: true }).Sheets[sheet];
    const range = (cells as { '!ref'?: string } | undefined)?.['!ref'];
    if (cells === undefined || range === undefined) return null;
    const { r, c } = utils.decode_range(range).e;
    const lines: string[] = [];
    for (let row = 0; row <= r; row++) {
      const line: string[] = [];
      for (let column = 0; column <= c; column++) {
        const { w, v, t } = cells[utils.encode_cell({ r: row, c: column })] ?? {};
        const text = w ?? (v === undefined ? '' : String(v));
        line.push(t === 's' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      }
      lines.push(line.join(','));
    }
    return `${lines.join('\n')}\n`;
  } catch {
    return null;
  }
}
