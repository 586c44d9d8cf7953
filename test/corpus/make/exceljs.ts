/** Writes workbooks with exceljs, whole and streamed, and with our own writers: `node test/corpus/make/exceljs.ts`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Excel from 'exceljs';
import { openSheet, writeResult, writeTemplate } from '../../../src/sheet/sheet.ts';
import { ada, ade, thandi, words } from './payouts.ts';
import { place } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'payrun-exceljs-'));
/** A workbook bears the time of its making: the day of the examples, not of the last rewriting. */
const made = new Date(Date.UTC(2026, 10, 20));

async function put(
  name: string,
  about: string,
  fill: (sheet: Excel.Worksheet, workbook: Excel.Workbook) => void,
  ...flags: string[]
) {
  const workbook = new Excel.Workbook();
  Object.assign(workbook, { creator: 'Payrun', created: made, modified: made });
  const sheet = workbook.addWorksheet('Payouts');
  fill(sheet, workbook);
  const bytes = Buffer.from(await workbook.xlsx.writeBuffer());
  place({ name: `exceljs/${name}.xlsx`, about, ...(flags.length === 0 ? {} : { flags }) }, bytes);
}

const all = [words, ada, ade, thandi].map((cells) => [...cells]);

await put('plain', 'Three payouts, written whole.', (sheet) => sheet.addRows(all));
await put('columns-with-keys', 'Columns with keys and widths, a frozen header, a filter, bold letters.', (sheet) => {
  sheet.columns = words.map((word) => ({ header: word, key: word, width: 24 }));
  sheet.addRows([ada, ade].map((cells) => [...cells]));
  sheet.getRow(1).font = { bold: true };
  sheet.views = [{ state: 'frozen', ySplit: 1 }];
  sheet.autoFilter = 'A1:F1';
});
await put('rich-text-and-links', 'Rich text, a link on a Lightning address, a note on a cell.', (sheet) => {
  sheet.addRow(['name', 'country', 'lightning address', 'amount', 'amount_unit', 'reference']);
  sheet.addRow([
    { richText: [{ text: 'Amara ' }, { font: { bold: true }, text: 'Example' }] },
    'BTC',
    { text: 'amara@pay.example.com', hyperlink: 'mailto:amara@pay.example.com' },
    40_000,
    'sat',
    'DESIGN 2',
  ]);
  sheet.getCell('D2').note = 'approved by N. Dlamini';
});
await put('formulas', 'Formulas with and without their results, a shared one, dates.', (sheet) => {
  sheet.addRow(words);
  const payout = (amount: Excel.CellValue, reference: Excel.CellValue) =>
    sheet.addRow([...ada.slice(0, 4), amount, reference]);
  payout({ formula: '100000*3.5', result: 350_000 }, 'PO 7781');
  payout({ formula: '100000*3.5' } as Excel.CellFormulaValue, 'PO 7782');
  payout(350_000, { formula: '"PO "&7783', result: 'PO 7783' });
  payout({ formula: 'E2', result: { error: '#REF!' } as Excel.CellErrorValue }, 'PO 7784');
  payout({ error: '#N/A' }, 'PO 7785');
  payout(350_000, new Date(Date.UTC(2026, 2, 12)));
  sheet.fillFormula('E8:E9', 'E2+1', [350_001, 350_002]);
});
await put(
  'hidden-and-merged',
  'A hidden row, a merged pair of references, a hidden column.',
  (sheet) => {
    sheet.addRows(all);
    sheet.getRow(3).hidden = true;
    sheet.mergeCells('F3:F4');
    sheet.getColumn(2).hidden = true;
  },
  '',
  '--include-hidden',
);
await put('table', "Payouts in one of Excel's own tables, with a totals row.", (sheet) => {
  sheet.addTable({
    name: 'Payouts',
    ref: 'A1',
    headerRow: true,
    totalsRow: true,
    columns: words.map((name) => ({
      name,
      totalsRowFunction: name === 'amount' ? ('sum' as const) : ('none' as const),
      totalsRowLabel: name === 'name' ? 'Total' : '',
    })),
    rows: [ada, ade].map((cells) => [...cells]),
  });
});
await put(
  'validation-and-formats',
  'Validation of every cell of a column, conditional formats, number formats, protection.',
  (sheet) => {
    sheet.addRows(all.map((cells) => [...cells]));
    sheet.getColumn(4).numFmt = '@';
    sheet.getColumn(5).numFmt = '#,##0.00';
    for (let row = 2; row < 50; row++)
      sheet.getCell(row, 2).dataValidation = { type: 'list', formulae: ['"Nigeria,Kenya"'] };
    sheet.addConditionalFormatting({
      ref: 'E2:E50',
      rules: [
        { type: 'cellIs', operator: 'greaterThan', priority: 1, formulae: ['50000'], style: { font: { bold: true } } },
      ],
    });
  },
);
await put('several-sheets', 'Notes, payouts, and a very hidden list.', (sheet, workbook) => {
  sheet.addRows(all);
  workbook.addWorksheet('Notes').addRow(['Please pay by Friday.']);
  workbook.addWorksheet('Lists', { state: 'veryHidden' }).addRow(['Nigeria']);
});
await put('dates-since-1904', 'A workbook that counts its days from 1904.', (sheet, workbook) => {
  workbook.properties.date1904 = true;
  sheet.addRow(words);
  sheet.addRow([...ada.slice(0, 5), new Date(Date.UTC(2026, 2, 12))]);
});
await put(
  'odd-values',
  'Empty texts, empty objects, a text that looks like an escape, a number with drift, other scripts.',
  (sheet) => {
    sheet.addRow(words);
    sheet.addRow(['Ada_x000D_Obi', 'Nigeria', 'First Bank of Nigeria', '0000014579', 349_999.99999999994, '']);
    sheet.addRow(['Ọládélé\nÀjàyí', 'Nigeria', '', null, 1e21, ' PO 7781 ']);
    sheet.addRow([{ richText: [] }, undefined, '李小龍', true, -0, 'PO\t7781']);
  },
);

// --- Streamed

for (const [name, about, options] of [
  ['streamed', 'Written row by row, texts within the cells.', { useSharedStrings: false, useStyles: false }],
  [
    'streamed-shared-strings',
    'Written row by row, texts shared and styles kept.',
    { useSharedStrings: true, useStyles: true },
  ],
] as const) {
  const path = join(folder, `${name}.xlsx`);
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ filename: path, ...options });
  Object.assign(workbook, { creator: 'Payrun', created: made, modified: made });
  const sheet = workbook.addWorksheet('Payouts');
  for (const cells of all) sheet.addRow(cells).commit();
  sheet.addRow([]).commit();
  const last = sheet.addRow([{ richText: [{ text: 'Ada' }, { text: ' Obi' }] }, ...ada.slice(1, 5), 'PO 7782']);
  last.getCell(4).numFmt = '@';
  last.commit();
  sheet.commit();
  await workbook.commit();
  place({ name: `exceljs/${name}.xlsx`, about }, readFileSync(path));
}

// --- Ours

const template = join(folder, 'template.xlsx');
await writeTemplate(template);
place(
  { name: 'exceljs/our-template.xlsx', about: 'Our own template as it is handed out: a header, and no payouts yet.' },
  readFileSync(template),
);

const filled = new Excel.Workbook();
await filled.xlsx.readFile(template);
const payouts = filled.getWorksheet('Payouts')!;
const header = Array.from(payouts.getRow(1).values as string[], (text) => String(text ?? '').toLowerCase());
for (const [index, cells] of [ada, ade].entries())
  words.forEach((word, k) => {
    const column = header.findIndex((text) => text.replace(/\W/g, '') === word.replace(/\W/g, ''));
    if (column > 0) payouts.getCell(index + 2, column).value = cells[k]!;
  });
place(
  {
    name: 'exceljs/our-template-filled.xlsx',
    about: 'Our own template, filled in: drop-downs, hidden lists, a page of rules; only the payouts are read.',
  },
  Buffer.from(await filled.xlsx.writeBuffer()),
);

const source = join(folder, 'november.xlsx');
const sheet = new Excel.Workbook();
sheet.addWorksheet('Payouts').addRows(all);
await sheet.xlsx.writeFile(source);
const result = join(folder, 'november.result.xlsx');
const read = await openSheet(source);
await writeResult(
  { path: result, subject: 'batch' },
  {
    source: read,
    columns: ['payrun_status', 'payrun_reason', 'payment_id', 'payrun_batch', 'payrun_row'].map((text) => ({
      header: text,
    })),
    async *rows() {
      for await (const lines of read.lines())
        yield lines.map(({ number }) => ({
          number,
          values: [number === 3 ? 'unpaid' : 'paid', null, `p-${number}`, 'b-example', `k${number}`],
        }));
    },
    async *extra() {},
    summary: { title: 'Batch b-example', facts: [['Sheet', 'november.xlsx']], tables: [] },
    tables: {},
  },
);
place(
  {
    name: 'exceljs/our-result.xlsx',
    about:
      'A result workbook of ours, handed in again: its payouts are found beside its summary, and our columns are known.',
  },
  readFileSync(result),
);

rmSync(folder, { recursive: true, force: true });
