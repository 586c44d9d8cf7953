/** What is wrong goes back to the person: the checked workbook and the list of problems, and the way from them to a paid sheet. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Excel from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import { markMeanings, verdictWords } from '../../src/messages/files/checked-sheet.ts';
import { problemMeaning } from '../../src/messages/problems.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  newFolder,
  nigerian,
  noted,
  pay,
  refusalOf,
  resultOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const good = kenyanRows(2);
const bad: readonly SheetRow[] = [good[0]!, { ...southAfrican, amount: '12.50', reference: 'INV-204' }, good[1]!];

async function check(desk: Desk, file = desk.sheet, ...more: string[]): Promise<Outcome> {
  return documentOf(await command(desk, ['check', file, '--json', ...more]));
}

const ours = (desk: Desk) =>
  readdirSync(desk.folder)
    .filter((name) => /checked|problems/.test(name))
    .toSorted();

async function opened(path: string | null): Promise<{ workbook: Excel.Workbook; sheet: Excel.Worksheet }> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path!);
  return { workbook, sheet: workbook.worksheets[1]! };
}

function textsOf(sheet: Excel.Worksheet): string[] {
  const lines: string[] = [];
  sheet.eachRow((row) => {
    const texts: string[] = [];
    row.eachCell((cell) => texts.push(cell.text));
    lines.push(texts.join(' '));
  });
  return lines;
}

/** What a person does in Excel: cells by their column's name, and their own name on the file. */
async function mend(path: string | null, changes: readonly (readonly [row: number, column: string, to: string])[]) {
  const { workbook, sheet } = await opened(path);
  const header = sheet.getRow(1).values as string[];
  for (const [row, column, to] of changes) sheet.getRow(row).getCell(header.indexOf(column)).value = to;
  workbook.lastModifiedBy = 'Thandi Mokoena';
  await workbook.xlsx.writeFile(path!);
}

describe.concurrent('check of a sheet with problems', () => {
  it('writes the workbook and the list beside the sheet, for their owner only, and says where', async () => {
    const desk = deskFor(null, bad);
    const { exit, out } = await command(desk, ['check', desk.sheet]);
    expect(exit).toBe(20);
    expect(out).toContain(`Checked: ${join(desk.folder, 'november.checked.xlsx')}\n`);
    expect(ours(desk)).toEqual(['november.checked.xlsx', 'november.problems.csv', 'november.problems.json']);
    for (const name of ours(desk)) expect(statSync(join(desk.folder, name)).mode & 0o777, name).toBe(0o600);
    const document = await check(desk);
    expect(document).toMatchObject({ checked: join(desk.folder, 'november.checked.xlsx'), checked_rows: 'all' });
    const list = JSON.parse(readFileSync(join(desk.folder, 'november.problems.json'), 'utf8'));
    expect(list).toMatchObject({ payrun: 'problems', sheet: 'november.csv', checked: 'november.checked.xlsx' });
    expect(list.problems).toEqual(document.problems);
  });

  it('has a summary that says what the file is, counts, totals and the top problems', async () => {
    const desk = deskFor(null, bad);
    const { checked } = await check(desk);
    const { workbook } = await opened(checked);
    const summary = workbook.getWorksheet('Summary')!;
    expect(summary.getCell('A1').value).toBe(
      `november.csv: ${verdictWords({ marks: { FIX: 1, LOOK: 0, OK: 0 }, isToFix: true, partOf: null })}`,
    );
    const texts = textsOf(summary).join('\n');
    const kinds = ['AMOUNT_FRACTION', 'REFERENCE_CHARACTERS'].map((code) => `FIX 1 3 ${problemMeaning(code)}`);
    for (const words of [`FIX 1 ${markMeanings.FIX}`, `OK 2 ${markMeanings.OK}`, 'KES 201', ...kinds])
      expect(texts).toContain(words);
  });

  it('is mended there and handed in: the same rows, batch and names as those of the sheet', async () => {
    const service = await newService();
    const desk = deskFor(service, bad);
    const refused = await pay(desk);
    expect([refused.exit, basename(refused.document.checked!)]).toEqual([20, 'november.checked.xlsx']);
    await mend(refused.document.checked, [
      [3, 'amount', '12'],
      [3, 'reference', 'INV 204'],
    ]);
    const again = { ...desk, sheet: refused.document.checked! };
    const ran = await pay(again, '--wait', '20s');
    expect([ran.exit, service.payments.length, basename(ran.document.result!)]).toEqual([0, 3, 'november.result.xlsx']);
    expect(ours(desk), 'the list goes, the sheet that came in stays').toEqual(['november.checked.xlsx']);
    writeFileSync(desk.sheet, csvOf(bad.with(1, { ...southAfrican, amount: '12' })));
    writeFileSync(desk.sheet, readFileSync(desk.sheet, 'utf8').replace('Salary Nov', 'INV 204'));
    const csv = await pay(desk);
    expect([csv.exit, csv.document.batch, csv.document.sent]).toEqual([0, ran.document.batch, 0]);
    const header = (await opened(ran.document.result)).sheet.getRow(1).values as string[];
    expect(header.filter((name) => name === 'payrun_status')).toHaveLength(1);
    expect(header).not.toContain('payrun_check');
  });

  it('submitted with a problem left, stays, and a new one has what the person had fixed', async () => {
    const desk = deskFor(null, bad);
    const { checked } = await check(desk);
    await mend(checked, [[3, 'amount', '12']]);
    const before = readFileSync(checked!);
    const { problems, checked: again, notes } = await check(desk, checked!);
    expect(basename(again!)).toBe('november.checked-2.xlsx');
    expect(notes).toContainEqual(noted('file-kept', { kept: 'november.checked.xlsx' }));
    expect(readFileSync(checked!).equals(before)).toBe(true);
    expect(problems.map(({ row, column }) => [row, column])).toEqual([[3, 'reference']]);
    const { sheet } = await opened(again);
    const header = sheet.getRow(1).values as string[];
    expect(header.filter((name) => name === 'payrun_check')).toHaveLength(1);
    expect(sheet.getRow(3).getCell(header.indexOf('amount')).value).toBe('12');
    expect(ours(desk)).toHaveLength(4);
  });

  it('that became the batch stays when the result is run', async () => {
    const service = await newService();
    const invoices = newFolder();
    const desk = deskFor(service, [...good, { ...southAfrican, documents: 'invoice.pdf' }]);
    const checked = (await check(desk, desk.sheet, '--documents', invoices)).checked!;
    // The last fix needs no edit: the invoice is put into its folder.
    writeFileSync(join(invoices, 'invoice.pdf'), '%PDF-1.7\n%%EOF\n');
    const flags = ['--documents', invoices, '--wait', '20s'];
    const ran = await pay({ ...desk, sheet: checked }, ...flags);
    expect([ran.exit, ran.document.rows.paid]).toEqual([0, 3]);
    const before = [checked, ran.document.result!].map((path) => readFileSync(path));
    const again = await pay({ ...desk, sheet: ran.document.result! }, ...flags);
    expect([again.exit, again.document.sent, basename(again.document.result!)]).toEqual([
      0,
      0,
      'november.result-2.xlsx',
    ]);
    expect([checked, ran.document.result!].map((path) => readFileSync(path))).toEqual(before);
    expect(service.payments).toHaveLength(3);
  });

  it('finds in the untouched workbook what it found in the sheet', async () => {
    const desk = deskFor(null, []);
    for (const [sample, name] of [
      ['mistakes.csv', 'mistakes'],
      ['mistakes.xlsx', 'Mistakes'],
    ] as const) {
      const sheet = join(desk.folder, sample);
      writeFileSync(sheet, readFileSync(join('samples', sample)));
      const errors = ({ problems }: Outcome) =>
        problems.filter(({ severity }) => severity === 'error').map(({ row, column }) => `${row} ${column}`);
      const first = await check(desk, sheet);
      expect(errors(first).length).toBeGreaterThan(35);
      const again = await check(desk, first.checked!);
      expect(errors(again)).toEqual(errors(first));
      const form = { format: 'workbook', sheet: name, others: 0, alike: [], hidden: 0, isHidden: false } as const;
      expect(again.notes, 'Payrun’s own sheets are not counted').toContainEqual(noted('sheet-read', { form }));
    }
  });

  it('keeps what a map reads: two columns of one name, and the words of another product', async () => {
    const desk = deskFor(null, []);
    const header = 'Ref,Name,Amount,Account No.,Branch Code,Ref,Bank Name';
    writeFileSync(desk.sheet, `${header}\nA1,Acme,87x0,10004291601,051001,INV 1,Standard Bank\n`);
    const first = await check(desk, desk.sheet, '--map', 'za-acb');
    expect(first.problems.map(({ row, column }) => [row, column])).toEqual([[2, 'amount']]);
    await mend(first.checked, [[2, 'Amount', '8700']]);
    const mended = await check(desk, first.checked!, '--map', 'za-acb');
    expect(mended).toMatchObject({ exit: 0, rows: { not_sent: 1 }, totals: [{ currency: 'ZAR', planned: 8700 }] });
  });

  it('takes hostile text as text', async () => {
    const hostile = ['=cmd()', '+1', '@x', '_x000D_', 'a\u0001b', '<b>&"'];
    const long = { ...nigerian, row_id: 'long', note: 'x'.repeat(32_767) };
    const rows = [...hostile.map((name, index) => ({ ...nigerian, row_id: `h${index}`, name, note: name })), long];
    const desk = deskFor(null, rows);
    const { checked, problems } = await check(desk);
    const { sheet } = await opened(checked);
    const notes = rows.map((_, index) => sheet.getRow(index + 2).getCell(8).value);
    expect(notes).toEqual(rows.map(({ note }) => note));
    expect((await check(desk, checked!)).problems).toEqual(problems);
  });
});

describe.concurrent('check of a sheet without problems', () => {
  it('writes nothing, unless asked', async () => {
    const desk = deskFor(null, good);
    expect(await check(desk)).toMatchObject({ exit: 0, checked: null, checked_rows: null });
    expect(ours(desk)).toEqual([]);
    expect(await check(desk, desk.sheet, '--write')).toMatchObject({ exit: 0, checked_rows: 'all' });
    const { workbook } = await opened(join(desk.folder, 'november.checked.xlsx'));
    expect(textsOf(workbook.getWorksheet('Summary')!)).toContainEqual(expect.stringMatching(/^OK 2 /));
  });

  it('with something to look at, shows it', async () => {
    const rows = good.map((row) => ({ ...row, bank_name: 'Standard Bank' }));
    const desk = deskFor(null, [...rows, { ...southAfrican, amount: '60000' }]);
    const outcome = await check(desk, desk.sheet, '--documents-policy', 'warn');
    expect([outcome.exit, outcome.checked_rows]).toEqual([0, 'all']);
    const { workbook, sheet } = await opened(outcome.checked);
    expect(outcome.problems).toMatchObject([{ row: 4, code: 'DOCUMENT_MISSING_FOR_AMOUNT' }]);
    const marks = textsOf(workbook.getWorksheet('Summary')!).filter((line) => /^(LOOK|OK|FIX) \d/.test(line));
    expect(marks).toEqual([
      expect.stringMatching(/^LOOK 1 /),
      expect.stringMatching(/^OK 2 /),
      `LOOK 1 4 ${problemMeaning(outcome.problems[0]!.code)}`,
    ]);
    expect(textsOf(sheet).join('\n')).toContain('LOOK');
  });

  it('takes away what an earlier check of it left, and says so', async () => {
    const desk = deskFor(null, bad);
    await check(desk);
    writeFileSync(desk.sheet, csvOf(good));
    const { notes } = await check(desk);
    const files = ['november.checked.xlsx', 'november.problems.csv', 'november.problems.json'];
    expect(notes.at(-1)).toEqual(noted('files-removed', { files }));
    expect(ours(desk)).toEqual([]);
  });
});

describe.concurrent('where it goes', () => {
  it('--out', async () => {
    const desk = deskFor(null, bad);
    const out = newFolder();
    expect((await check(desk, desk.sheet, '--out', out)).checked).toBe(join(out, 'november.checked.xlsx'));
    expect(ours(desk)).toEqual([]);
  });

  it.each([
    ['is missing', () => join(newFolder(), 'none')],
    // Not even root may write there.
    ['cannot be written to', () => '/proc'],
  ])('a folder that %s: the problems are shown, with a note', async (_title, folder) => {
    const desk = deskFor(null, bad);
    const path = folder();
    const { exit, checked, problems, notes } = await check(desk, desk.sheet, '--out', path);
    expect([exit, checked]).toEqual([20, null]);
    expect(problems).toContainEqual(expect.objectContaining({ row: 3, code: 'AMOUNT_FRACTION', value: '12.50' }));
    const why = { code: 'FOLDER_UNWRITABLE', facts: expect.objectContaining({ path }) };
    const unwritten = { files: ['checked-workbook', 'problem-list'], why: expect.objectContaining(why) } as const;
    expect(notes.filter(({ note }) => note === 'files-unwritten')).toEqual([noted('files-unwritten', unwritten)]);
    writeFileSync(desk.sheet, csvOf(good));
    expect((await check(desk, desk.sheet, '--out', folder())).exit).toBe(0);
  });

  it('a link or a folder of its name is left alone', async () => {
    const desk = deskFor(null, bad);
    mkdirSync(join(desk.folder, 'november.checked.xlsx'));
    expect(basename((await check(desk)).checked!)).toBe('november.checked-2.xlsx');
  });

  it('a sheet without a header is told, and nothing is written', async () => {
    const desk = deskFor(null, []);
    writeFileSync(desk.sheet, 'a,b,c\n1,2,3\n');
    expect(await check(desk)).toMatchObject({ exit: 20, checked: null });
    expect(ours(desk)).toEqual([]);
  });

  it('plan writes nothing', async () => {
    const service = await newService();
    const desk = deskFor(service, bad);
    expect(documentOf(await command(desk, ['plan', desk.sheet, '--json']))).toMatchObject({ exit: 20, checked: null });
    expect(ours(desk)).toEqual([]);
  });

  it('rehearse writes nothing', async () => {
    const desk = deskFor(null, bad);
    expect((await command(desk, ['rehearse', desk.sheet, '--kills', '0'])).exit).toBe(20);
    expect(ours(desk)).toEqual([]);
  });
});

describe.concurrent('a long sheet', () => {
  it('comes back as its rows with problems, which are mended in the sheet itself', async () => {
    const rows = kenyanRows(20_010).map((row, index) => (index % 5000 === 7 ? { ...row, amount: '0' } : row));
    const desk = deskFor(null, rows);
    const path = join(desk.folder, 'november.checked.xlsx');
    const { exit, out } = await command(desk, ['check', desk.sheet]);
    expect([exit, out]).toEqual([20, expect.stringContaining(`Checked: ${path} (only `)]);
    const { sheet, workbook } = await opened(path);
    expect(sheet.getColumn(1).values.slice(1)).toEqual(['payrun_sheet_row', 9, 5009, 10_009, 15_009, 20_009]);
    expect(textsOf(workbook.getWorksheet('Summary')!).join('\n')).toMatch(/\bonly .*\b5 rows\b/);
    const before = readFileSync(path);
    const handedIn = await check(desk, path);
    expect([handedIn.exit, handedIn.checked, handedIn.problems.map(({ code }) => code)]).toEqual([
      20,
      null,
      ['SHEET_OF_PROBLEMS'],
    ]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(ours(desk)).toHaveLength(3);
  });
});

describe.concurrent('a run', () => {
  it('takes away what a check left, once the sheet goes on', async () => {
    const service = await newService();
    const desk = deskFor(service, bad);
    expect((await pay(desk)).exit).toBe(20);
    expect(ours(desk)).toHaveLength(3);
    writeFileSync(desk.sheet, csvOf(good));
    expect((await pay(desk)).document.sent).toBe(2);
    expect(ours(desk)).toEqual([]);
  });

  it('shows the service’s words for a payee that it refuses, in each of its rows; so does resume', async () => {
    const service = await newService({ refuses: { status: 422, which: ({ country }) => country === 'SouthAfrica' } });
    const rows = [...good, southAfrican, { ...southAfrican, row_id: 'za2', amount: '7', reference: 'Bonus' }];
    const desk = deskFor(service, rows);
    const { exit, document } = await pay(desk);
    expect([exit, document.checked_rows, service.payments.length]).toEqual([20, 'all', 0]);
    expect(document.problems.map(({ row, code }) => [row, code])).toEqual([
      [4, 'MERCHANT_REFUSED'],
      [5, 'MERCHANT_REFUSED'],
    ]);
    const marks = async (path: string | null) => {
      const { sheet } = await opened(path);
      const header = sheet.getRow(1).values as string[];
      const at = (row: number, name: string) => sheet.getRow(row).getCell(header.indexOf(name)).text;
      return [2, 3, 4, 5].map((row) => [at(row, 'payrun_check'), at(row, 'payrun_what_to_do')]);
    };
    const refused = ['FIX', expect.stringContaining('account check')];
    const expected = [['OK', ''], ['OK', ''], refused, refused];
    expect(await marks(document.checked)).toEqual(expected);
    expect(existsSync(document.result!), 'the batch exists, and so does its result').toBe(true);
    const resumed = documentOf(await command(desk, ['resume', document.batch!, '--json']));
    expect([resumed.exit, resumed.checked]).toEqual([20, document.checked]);
    expect(await marks(resumed.checked)).toEqual(expected);
    const other = { ...nigerian, row_id: 'za1', amount: '4500' };
    await mend(resumed.checked, [
      ...Object.entries(other).map(([column, to]) => [4, column, to] as const),
      ...Object.entries({ ...other, row_id: 'za2', amount: '7' }).map(([column, to]) => [5, column, to] as const),
    ]);
    const mended = await pay({ ...desk, sheet: resumed.checked! }, '--batch', resumed.batch!, '--wait', '20s');
    expect([mended.exit, mended.document.sent]).toEqual([0, 4]);
  });

  it('goes on with a batch whose result was handed in with a mistake, and mended where that was shown', async () => {
    const service = await newService();
    const [one, two] = kenyanRows(2);
    const wrong = { ...southAfrican, amount: '12.50' };
    const unnamed = [one!, two!, wrong].map((row) => ({ ...row, row_id: '' }));
    const first = deskFor(service, unnamed);
    const paid = await pay(first, '--batch', 'nov', '--skip-invalid', '--wait', '20s');
    expect([paid.exit, paid.document.rows.paid]).toEqual([21, 2]);
    const result = { ...first, sheet: paid.document.result! };
    const refused = await pay(result);
    expect([refused.exit, basename(refused.document.checked!)]).toEqual([20, 'november.checked.xlsx']);
    const audit = await command(first, ['audit', 'verify', '--json', '--result', refused.document.checked!]);
    expect([audit.exit, refusalOf(audit)]).toMatchObject([
      2,
      { code: 'USAGE', message: expect.stringMatching(/november\.checked\.xlsx .*--result/) },
    ]);
    await mend(refused.document.checked, [[4, 'amount', '12']]);
    const ran = await pay({ ...first, sheet: refused.document.checked! }, '--add', '--drop', '--wait', '20s');
    expect(ran.document).toMatchObject({ batch: 'nov', sent: 1, exit: 0, rows: { total: 3, paid: 3 } });
    expect(service.payments).toHaveLength(3);
    expect(basename(ran.document.result!)).toBe('november.result.xlsx');
    expect(resultOf(paid.document.result).map((row) => row.payrun_status)).toEqual(['paid', 'paid', 'invalid']);
  });
});
