import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import { makeSamples } from '../../samples/make.ts';
import { offlineBanks } from '../../src/domain/bank.ts';
import { parseRow } from '../../src/domain/row.ts';
import { openSheet, writeTemplate } from '../../src/sheet/sheet.ts';
import { codesOf, freshPath, linesOf } from './given.ts';

const root = join(import.meta.dirname, '..', '..');

async function workbookOf(path: string): Promise<Excel.Workbook> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

/** Every cell with what is seen of it, by sheet: two workbooks with the same answer look the same. */
async function contentOf(path: string): Promise<unknown> {
  const workbook = await workbookOf(path);
  return workbook.worksheets.map((sheet) => {
    const cells: unknown[] = [];
    sheet.eachRow((row, number) => {
      row.eachCell((cell) => cells.push([number, cell.address, cell.value, cell.numFmt]));
    });
    return [sheet.name, sheet.state, cells];
  });
}

describe('templates and samples are as they were made', () => {
  test('every file', async () => {
    const folder = freshPath('samples');
    const templates = freshPath('templates');
    await makeSamples(folder, templates);
    for (const [made, kept] of [
      [folder, join(root, 'samples')],
      [join(folder, 'documents'), join(root, 'samples', 'documents')],
      [templates, join(root, 'templates')],
    ] as const) {
      const files = readdirSync(made, { withFileTypes: true }).filter((entry) => entry.isFile());
      for (const { name } of files) {
        const message = `${name} is not as samples/make.ts makes it: run it again`;
        if (name.endsWith('.xlsx')) {
          expect(await contentOf(join(kept, name)), message).toEqual(await contentOf(join(made, name)));
        } else expect(readFileSync(join(kept, name)).equals(readFileSync(join(made, name))), message).toBe(true);
      }
    }
  });
});

describe('the template workbook', () => {
  test('has one sheet to fill in, whose columns are all known', async () => {
    const sheet = await openSheet(join(root, 'templates', 'payouts.xlsx'));
    expect(sheet).toMatchObject({ name: 'Payouts', unused: [], headerRow: 1 });
    expect(codesOf(sheet.problems)).toEqual(['SHEET_EMPTY']);
    expect(sheet.columns).not.toContain(null);
    expect((await openSheet(join(root, 'templates', 'payouts.csv'))).header).toEqual(sheet.header);
  });

  test('keeps text as text, helps, and guards its header', async () => {
    const workbook = await workbookOf(join(root, 'templates', 'payouts.xlsx'));
    expect(workbook.worksheets.map(({ name, state }) => [name, state])).toEqual([
      ['Payouts', 'visible'],
      ['Read me', 'visible'],
      ['Lists', 'veryHidden'],
    ]);
    const sheet = workbook.getWorksheet('Payouts')!;
    const at = (field: string) => (sheet.getRow(1).values as unknown[]).indexOf(field);
    for (const field of ['account_number', 'branch_code', 'contact_number', 'reference', 'row_id']) {
      expect(sheet.getColumn(at(field)).numFmt, field).toBe('@');
    }
    expect(sheet.rowCount).toBe(1);
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1, xSplit: 2 });
    expect(sheet.getCell(1, at('name')).font.bold).toBe(true);
    expect(sheet.getCell(1, at('name')).protection?.locked ?? true).toBe(true);
    expect(sheet.getColumn(at('name')).protection).toMatchObject({ locked: false });
    expect(sheet.getCell(2, at('country')).dataValidation).toMatchObject({
      type: 'list',
      formulae: ['payrun_countries'],
      showInputMessage: true,
    });
    expect(sheet.getCell(5001, at('bank_name')).dataValidation).toMatchObject({
      type: 'list',
      formulae: ['INDIRECT("payrun_banks_"&$C2)'],
    });
    expect(sheet.getCell(2, at('amount')).dataValidation).toMatchObject({ type: 'whole', operator: 'between' });
    expect(workbook.definedNames.getRanges('payrun_banks_Nigeria').ranges[0]).toMatch(/^Lists!\$C\$3:\$C\$\d+$/);
  });

  test('is cut to the countries that are asked for', async () => {
    const path = freshPath('kenya.xlsx');
    await writeTemplate(path, { countries: ['Kenya'] });
    expect((await openSheet(path)).header).toEqual([
      'row_id',
      'name',
      'country',
      'contact_number',
      'amount',
      'reference',
      'documents',
    ]);
    await expect(writeTemplate(freshPath('t.ods'))).rejects.toThrow('.xlsx or .csv');
  });
});

describe('the samples', () => {
  const rules = {
    banks: offlineBanks(),
    numberFormat: null,
    accountChecks: 'by-rule',
    documents: 'require',
    btcUnit: null,
    networkProvider: 'MOMO',
    defaults: {},
  } as const;
  test.each(['south-africa.csv', 'nigeria.csv', 'kenya.csv', 'bitcoin.csv', 'november.xlsx'])(
    '%s passes every check',
    async (name) => {
      const sheet = await openSheet(join(root, 'samples', name));
      const lines = await linesOf(sheet);
      const problems = lines.flatMap((line) => [
        ...line.problems,
        ...parseRow(line.cells, line.number, rules).problems,
      ]);
      expect([...sheet.problems, ...sheet.lateProblems(), ...problems]).toEqual([]);
      expect(lines.length).toBeGreaterThan(2);
    },
  );

  test.each(['mistakes.csv', 'mistakes.xlsx'])('%s: nearly every row has something', async (name) => {
    const sheet = await openSheet(join(root, 'samples', name));
    const lines = await linesOf(sheet);
    expect(sheet.problems).toEqual([]);
    const found = new Set(
      lines.flatMap((line) => codesOf([...line.problems, ...parseRow(line.cells, line.number, rules).problems])),
    );
    expect(found.size).toBeGreaterThan(name.endsWith('.xlsx') ? 38 : 30);
    expect(codesOf(sheet.lateProblems())).toEqual(name.endsWith('.xlsx') ? ['MERGED_CELLS'] : []);
  });
});
