import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Excel from 'exceljs';
import { describe, expect, test } from 'vitest';
import { makeSamples } from '../../samples/make.ts';
import { runCommand } from '../../src/cli/args/command-line.ts';
import { bankNames, offlineBanks } from '../../src/domain/accounts/bank.ts';
import { sourceCountries, sourceCountryOf } from '../../src/domain/accounts/country.ts';
import { shownText } from '../../src/domain/rows/cell.ts';
import { parseRow } from '../../src/domain/rows/row.ts';
import { openSheet, writeTemplate } from '../../src/sheet/sheet.ts';
import { openArchive } from '../../src/sheet/xlsx/zip.ts';
import { messageOf } from '../problem-words.ts';
import { codesOf, freshPath, given, linesOf } from './given.ts';
import { converted, hasOffice } from './office.ts';

const root = join(import.meta.dirname, '..', '..');

async function workbookOf(path: string): Promise<Excel.Workbook> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

/** Every part but its own time of writing: two workbooks with the same answer are the same, rules and looks included. */
async function partsOf(path: string): Promise<Map<string, string>> {
  const handle = await open(path);
  try {
    const archive = openArchive(handle, (await handle.stat()).size);
    const parts = new Map<string, string>();
    for (const [name, part] of archive.parts) parts.set(name, await archive.text(part));
    return parts;
  } finally {
    await handle.close();
  }
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
          expect(await partsOf(join(kept, name)), message).toEqual(await partsOf(join(made, name)));
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
    for (const field of ['account_number', 'branch_code', 'contact_number', 'reference', 'row_id', 'payee_id']) {
      expect(sheet.getColumn(at(field)).numFmt, field).toBe('@');
    }
    expect(sheet.rowCount).toBe(1);
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1, xSplit: 3 });
    expect(sheet.getCell(1, at('name')).font.bold).toBe(true);
    expect(sheet.autoFilter).toBe('A1:N1');
    // The header is kept by a rule: in a protected sheet every cell that is pasted into it would be locked.
    expect(sheet.getCell(1, at('name')).dataValidation).toMatchObject({
      type: 'custom',
      formulae: ['EXACT(C1,"name")'],
      errorStyle: 'stop',
      promptTitle: 'name',
    });
    expect((await partsOf(join(root, 'templates', 'payouts.xlsx'))).get('xl/worksheets/sheet1.xml')).not.toContain(
      'sheetProtection',
    );
    expect(sheet.getCell(2, at('country')).dataValidation).toMatchObject({
      type: 'list',
      formulae: ['payrun_countries'],
      showInputMessage: true,
    });
    expect(sheet.getCell(5001, at('bank_name')).dataValidation).toMatchObject({
      type: 'list',
      formulae: ['INDIRECT("payrun_banks_"&SUBSTITUTE($D2," ",""))'],
    });
    const sources = sheet.getCell(2, at('from_country')).dataValidation.formulae[0].slice(1, -1).split(',');
    expect(sources.map(sourceCountryOf)).toEqual(sourceCountries);
    expect(sheet.getCell(2, at('amount')).dataValidation).toMatchObject({ type: 'whole', operator: 'between' });
    expect(sheet.getCell(5001, at('reference')).dataValidation).toMatchObject({
      prompt: expect.stringContaining('20'),
    });
    expect(workbook.getWorksheet('Read me')!.getCell('A2').text).toMatch(/whole .* no cents/);
    const lists = workbook.getWorksheet('Lists')!;
    expect(lists.getCell('A1').value).toMatch(/^Payrun template, version \d+$/);
    for (const [name, values] of [
      ['payrun_countries', ['South Africa', 'Nigeria', 'Kenya', 'BTC']],
      ['payrun_banks_SouthAfrica', bankNames('SouthAfrica')],
      ['payrun_banks_Nigeria', bankNames('Nigeria')],
    ] as const) {
      const [range] = workbook.definedNames.getRanges(name).ranges;
      const [, column, last] = /^Lists!\$([A-Z])\$3:\$[A-Z]\$(\d+)$/.exec(range!)!;
      expect(Number(last) - 2).toBe(values.length);
      expect(values.map((_, index) => lists.getCell(`${column}${index + 3}`).value)).toEqual(values);
    }
  });

  test('is cut to the countries that are asked for', async () => {
    const path = freshPath('kenya.xlsx');
    await writeTemplate(path, ['Kenya']);
    expect((await openSheet(path)).header).toEqual([
      'row_id',
      'payee_id',
      'name',
      'country',
      'contact_number',
      'amount',
      'reference',
      'from_country',
      'documents',
    ]);
    await expect(writeTemplate(freshPath('t.ods'))).rejects.toThrow(
      expect.objectContaining({ code: 'TEMPLATE_FORMAT_UNKNOWN' }),
    );
  });
});

type Filling = Readonly<Record<string, string | number>>;

/** What a person does in the spreadsheet program: rows below the header, in its columns. */
async function filled(template: string, rows: readonly Filling[]): Promise<string> {
  const workbook = await workbookOf(template);
  const sheet = workbook.getWorksheet('Payouts')!;
  const header = (sheet.getRow(1).values as string[]).slice(1);
  rows.forEach((row, index) => {
    for (const [field, value] of Object.entries(row)) {
      expect(header).toContain(field);
      sheet.getCell(index + 2, header.indexOf(field) + 1).value = value;
    }
  });
  const path = freshPath('filled.xlsx');
  await workbook.xlsx.writeFile(path);
  return path;
}

/** The examples of *Read me*, as rows of the sheet. */
async function examples(template: string): Promise<Filling[]> {
  const rows: Record<string, string | number>[] = [];
  (await workbookOf(template)).getWorksheet('Read me')!.eachRow((row) => {
    const [field, ...values] = [1, 2, 3].map((column) => row.getCell(column).text);
    if (field === 'Column') rows.push({}, {});
    else if (rows.length > 0 && values[0] !== '')
      values.forEach((value, index) => {
        if (value !== '') rows.at(index - 2)![field!] = field === 'amount' ? Number(value) : value;
      });
  });
  return rows;
}

/** `payrun check FILE`, as a person sees it. */
async function check(file: string, ...options: readonly string[]): Promise<{ exit: number; screen: string }> {
  let screen = '';
  const write = (text: string) => {
    screen += text;
  };
  const exit = await runCommand(['check', file, ...options], {
    env: { HOME: freshPath('home'), XDG_STATE_HOME: freshPath('state') },
    cwd: root,
    streams: { out: { write }, err: { write }, color: false },
    signals: { on: () => {}, off: () => {}, exit: () => expect.unreachable() },
  });
  return { exit, screen };
}

describe('a template, filled in', () => {
  const template = join(root, 'templates', 'payouts.xlsx');
  const documents = freshPath('documents');
  mkdirSync(documents);
  writeFileSync(join(documents, 'invoice-2041.pdf'), '%PDF-1.7\n');

  test('reads right: the examples of its Read me pass every check once they are rows', async () => {
    const rows = await examples(template);
    const countries = 'South Africa, South Africa, Nigeria, Nigeria, Kenya, Kenya, BTC, BTC';
    expect(rows.map(({ country }) => country).join(', ')).toBe(countries);
    const path = await filled(template, rows);
    const lines = await linesOf(await openSheet(path));
    expect(lines.map(({ number, cells }) => [number, cells.name, cells.account_number])).toEqual(
      rows.map(({ name, account_number }, index) => [index + 2, name, account_number]),
    );
    const { exit, screen } = await check(path, '--documents', documents);
    expect(screen).toContain('8 rows');
    expect(screen).not.toContain('fix');
    expect(exit).toBe(0);
  });

  test.each(['SouthAfrica', 'Nigeria', 'Kenya', 'BTC'] as const)('so does the one for %s alone', async (country) => {
    const path = freshPath(`${country}.xlsx`);
    await writeTemplate(path, [country]);
    const rows = await examples(path);
    expect(rows).toHaveLength(2);
    expect(await check(await filled(path, rows), '--documents', documents)).toMatchObject({ exit: 0 });
  });

  test.skipIf(!hasOffice)('LibreOffice saves it as the same rows', async () => {
    const rows = await examples(template);
    const path = await filled(template, rows);
    const cells = async (file: string, options = {}) =>
      (await linesOf(await openSheet(file, options))).map((line) =>
        Object.fromEntries(Object.entries(line.cells).map(([field, cell]) => [field, shownText(cell)])),
      );
    const expected = rows.map((row) => ({ ...row, amount: String(row.amount) }));
    const saved = converted(path, 'xlsx:Calc MS Excel 2007 XML');
    expect(await cells(saved)).toEqual(expected);
    expect(await check(saved, '--documents', documents)).toMatchObject({ exit: 0 });
    // Its drop-downs, checks and prompts are still there, and so are the lists behind them.
    const sheet = (await workbookOf(saved)).getWorksheet('Payouts')!;
    expect(sheet.getCell('D2').dataValidation).toMatchObject({ type: 'list', promptTitle: 'country' });
    expect(sheet.getCell('D2').dataValidation.formulae[0]).toBe('payrun_countries');
    expect(sheet.getCell('J9').dataValidation).toMatchObject({ type: 'whole' });
  });

  test('the examples are no payments: as it is, it is refused with words on what to do', async () => {
    const csv = freshPath('payouts.csv');
    await writeTemplate(csv);
    // What is wrong with it is written beside it.
    for (const path of [given('payouts.xlsx', readFileSync(template)), csv]) {
      const { exit, screen } = await check(path);
      expect(screen).toContain('0 rows');
      expect(screen).toContain(messageOf({ code: 'SHEET_EMPTY', facts: { headerRow: 1 } }));
      expect(exit).toBe(20);
    }
  });

  test('what its colours and rules warn of is what the check refuses', async () => {
    const path = await filled(template, [
      {
        name: 'A',
        country: 'Nigeria',
        bank_name: 'First Bank of Nigeria',
        account_number: 14579,
        amount: 1,
        reference: 'R',
      },
      { name: 'B', country: 'Kenya', contact_number: '+254110123456', amount: 2500.5, reference: 'R 2' },
      {
        name: 'C',
        country: 'South Africa',
        bank_name: 'Capitec Bank',
        account_number: '1001274162',
        amount: 62_000,
        reference: 'R 3',
      },
      { name: 'D', country: 'BTC', amount: 4, amount_unit: 'sat', reference: 'R 4' },
      { name: 'E', country: 'Kenya', contact_number: '+254110123456', amount: 1, reference: 'much more than twenty' },
      { row_id: '5' },
    ]);
    const { exit, screen } = await check(path);
    expect(exit).toBe(20);
    for (const row of [2, 3, 4, 5, 6, 7]) expect(screen).toMatch(new RegExp(`fix +row ${row} `));
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
