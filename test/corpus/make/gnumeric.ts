/** Has Gnumeric write workbooks and CSV: `node test/corpus/make/gnumeric.ts`, where `ssconvert` is on the path. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ada, ade, thandi, words } from './payouts.ts';
import { place } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'payrun-gnumeric-'));

function convert(source: string, target: string, ...options: string[]): Buffer {
  execFileSync('ssconvert', [...options, source, join(folder, target)], { stdio: 'ignore', timeout: 60_000 });
  return readFileSync(join(folder, target));
}

function given(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

// --- From a CSV that it opened

const list = `${[words, ada, ade, thandi].map((cells) => cells.join(',')).join('\n')}\nWanjiru Example,Kenya,,0712345678,2500,12-3\nTokyo Example,Nigeria,Guaranty Trust Bank,0123456785,"1,500",1E5\n`;
const opened = given('opened.csv', list);
place(
  {
    name: 'gnumeric/csv-opened-and-saved.xlsx',
    about: 'A CSV opened and saved by Gnumeric: accounts became numbers, 12-3 a date, 1E5 a number.',
  },
  convert(opened, 'opened.xlsx'),
);
place(
  { name: 'gnumeric/old.xls', about: 'An old Excel workbook by Gnumeric: refused.' },
  convert(opened, 'old.xls', '-T', 'Gnumeric_Excel:excel_biff8'),
);

// --- From its own format: kinds of values (30 whole numbers, 40 numbers, 60 texts, 20 booleans, 50 errors), formats, hidden rows

type Value = readonly [kind: number, text: string, format?: string];
const value = (cell: string | number | Value): Value =>
  typeof cell === 'string' ? [60, cell] : typeof cell === 'number' ? [40, String(cell)] : cell;
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function book(
  rows: readonly (readonly (string | number | Value)[])[],
  { hidden = [] as number[], merges = [] as string[], name = 'Payouts' } = {},
): string {
  const cells = rows.flatMap((row, r) =>
    row.flatMap((cell, c) => {
      const [kind, text, format] = value(cell);
      if (text === '') return [];
      const about = format === undefined ? '' : ` ValueFormat="${escaped(format)}"`;
      const content = text.startsWith('=')
        ? `<gnm:Cell Row="${r}" Col="${c}">${escaped(text)}</gnm:Cell>`
        : `<gnm:Cell Row="${r}" Col="${c}" ValueType="${kind}"${about}>${escaped(text)}</gnm:Cell>`;
      return [content];
    }),
  );
  const shape = hidden.map((row) => `<gnm:RowInfo No="${row}" Unit="12.75" Hidden="1"/>`).join('');
  const index = `<gnm:SheetNameIndex><gnm:SheetName gnm:Cols="256" gnm:Rows="65536">${escaped(name)}</gnm:SheetName></gnm:SheetNameIndex>`;
  const merged = merges.map((range) => `<gnm:Merge>${range}</gnm:Merge>`).join('');
  const sheet = `<gnm:Name>${escaped(name)}</gnm:Name><gnm:Cols DefaultSizePts="48"/><gnm:Rows DefaultSizePts="12.75">${shape}</gnm:Rows>${merged === '' ? '' : `<gnm:MergedRegions>${merged}</gnm:MergedRegions>`}<gnm:Cells>${cells.join('')}</gnm:Cells>`;
  return `<?xml version="1.0" encoding="UTF-8"?><gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Version Epoch="1" Major="12" Minor="55" Full="1.12.55"/>${index}<gnm:Sheets><gnm:Sheet>${sheet}</gnm:Sheet></gnm:Sheets></gnm:Workbook>`;
}

function put(name: string, about: string, content: string, ...flags: string[]): void {
  const source = given(`${name}.gnumeric`, content);
  place(
    { name: `gnumeric/${name}.xlsx`, about, ...(flags.length === 0 ? {} : { flags }) },
    convert(source, `${name}.xlsx`),
  );
}

const changed = (index: number, content: string | number | Value) =>
  ada.with(index, content as never) as (string | number)[];

put('plain', 'Three payouts.', book([words, ada, ade, thandi]));
put(
  'formulas',
  'Calculated cells with the results that Gnumeric stored.',
  book([
    words,
    changed(4, '=100000*3.5'),
    changed(5, '="PO "&7782'),
    changed(4, '=1/0'),
    changed(4, '=SUM(E2:E2)/3'),
    changed(3, '=TEXT(14579,"0000000000")'),
  ]),
);
put(
  'formats-and-dates',
  'Formats that show zeros and currencies, a date, TRUE, an error.',
  book([
    words,
    changed(3, [40, '14579', '0000000000']),
    changed(4, [40, '350000', '[$R-1C09]#,##0.00']),
    changed(5, [40, '46093', 'yyyy-mm-dd']),
    changed(2, [20, 'TRUE']),
    changed(4, [50, '#N/A']),
    changed(4, [40, '0.15', '0%']),
  ]),
);
put('hidden-rows', 'A hidden row.', book([words, ada, ade, thandi], { hidden: [2] }));
put('merged', 'Merged references.', book([words, ada, [...ade.slice(0, 5), '']], { merges: ['F2:F3'] }));
put(
  'odd-texts',
  'A line break, outer spaces, signs of XML, other scripts.',
  book([words, changed(0, 'Ada\nObi'), changed(5, ' PO 7781 '), changed(0, 'M&S <Ltd>'), changed(0, 'Ọládélé Àjàyí')], {
    name: 'M&S "Nov"',
  }),
);

// --- As text

const plain = given('payouts.gnumeric', book([words, ada, [...ade.slice(0, 5), 'INV, "204"']]));
place({ name: 'gnumeric/export.csv', about: 'A CSV as Gnumeric writes it.' }, convert(plain, 'export.csv'));
place(
  {
    name: 'gnumeric/export-semicolons.csv',
    about: 'Its text export with semicolons, everything in quotes, and the line ends of Windows.',
  },
  convert(plain, 'export.txt', '-O', 'separator=; format=preserve quoting-mode=always eol=windows'),
);
place({ name: 'gnumeric/export.html', about: 'A web page by Gnumeric: refused.' }, convert(plain, 'export.html'));
place({ name: 'gnumeric/own.gnumeric', about: "Gnumeric's own file, as XML: refused." }, readFileSync(plain));

rmSync(folder, { recursive: true, force: true });
