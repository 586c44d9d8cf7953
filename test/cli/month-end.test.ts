/** The page on a month end, walked as it stands there: by a clerk, two approvers, cron, and an auditor on another machine. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Excel from 'exceljs';
import { expect, it } from 'vitest';
import { stretchCheaply } from '../stretched-once.ts';
import { kenyanRows, newFolder, nigerian, type SheetRow, southAfrican } from '../support.ts';
import { walkPage } from '../walk.ts';
import { ownTime } from './own-time.ts';

stretchCheaply();

const page = walkPage('tutorials/month-end.md');
const [policy, config] = [...page.page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json!);

const rows: readonly SheetRow[] = [
  { ...southAfrican, row_id: 'za1', amount: '60000', reference: 'INV 201' },
  { ...nigerian, row_id: 'ng1' },
  { ...kenyanRows(1)[0]!, row_id: 'ke1', from_country: 'UnitedKingdom' },
];

/** Cells by the name of their column; a column that the template lacks follows on the right, as its *Read me* says. */
async function fill(path: string, changes: readonly SheetRow[], sheetNumber: number): Promise<void> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.worksheets[sheetNumber]!;
  changes.forEach((cells, index) => {
    for (const [name, value] of Object.entries(cells)) {
      const header = (sheet.getRow(1).values as (string | undefined)[]).map((one) => one?.replace(/ .*/, ''));
      const column = header.includes(name) ? header.indexOf(name) : header.length;
      sheet.getRow(1).getCell(column).value ??= name;
      sheet.getRow(index + 2).getCell(column).value = value;
    }
  });
  workbook.lastModifiedBy = 'Ama Mensah';
  await workbook.xlsx.writeFile(path);
}

it('a month end is walked as its page says, by a clerk, two approvers, cron and an auditor', async () => {
  const folder = newFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at('state'));
  const env = {
    XDG_STATE_HOME: at('state'),
    XDG_DATA_HOME: at('data'),
    PAYRUN_PASSPHRASE: 'correct horse battery',
  };
  const desk = { folder, env, clock: ownTime() };
  const walk = async (...beginnings: string[]) => await page.next(desk, ...beginnings);

  await walk('keys new', 'keys new');
  const keys = ['Kofi Boateng', 'Thandi Mokoena'].map((name) => ({
    name,
    keys: [readFileSync(at(`${name}.pub`), 'utf8').trim()],
  }));
  writeFileSync(at('payrun.policy.json'), JSON.stringify({ ...JSON.parse(policy!), approvers: keys }));
  writeFileSync(at('payrun.config.json'), config!);

  await walk('template');
  const mistakes = [{ ...rows[0], amount: '60000.50' }, { ...rows[1], account_number: '12345' }, rows[2]!];
  await fill(at('november.xlsx'), mistakes, 0);
  const problems = await walk('check november.xlsx');
  for (const words of ['whole number', 'account_number']) expect(problems).toContain(words);
  mkdirSync(at('documents'));
  writeFileSync(at('documents/za1 invoice.pdf'), '%PDF-1.7\n%%EOF\n');
  await fill(at('november.checked.xlsx'), rows, 1);
  await walk('check november.checked');
  const totals = { ZAR: '60000', NGN: nigerian.amount, KES: '100' };
  writeFileSync(at('november.totals.json'), JSON.stringify({ rows: 3, totals }));
  expect(await walk('plan')).toContain('to be created: 3');
  expect(await walk('run')).toContain('has 0 of 2 approvals');

  const signed = await walk('approve', 'approve');
  expect(signed.match(/maker Ama Mensah/g)).toHaveLength(2);
  const ran = await walk('run');
  for (const name of ['maker Ama Mensah', 'Kofi Boateng', 'Thandi Mokoena']) expect(ran).toContain(name);
  expect(await walk('funding')).toContain('UnitedKingdom');
  expect(await walk('resume')).toMatch(/paid +3\n/);
  await walk('report');
  expect(readFileSync(at('november.result.html'), 'utf8')).toContain('Thandi Mokoena');
  expect(await walk('run')).toContain('none was sent');

  await walk('audit export');
  const elsewhere = newFolder();
  for (const name of ['2026-11.evidence.zip', 'payrun.policy.json']) copyFileSync(at(name), join(elsewhere, name));
  const auditor = { folder: elsewhere, env: { XDG_STATE_HOME: elsewhere } };
  expect(await page.next(auditor, 'audit verify 2026')).toContain("'Kofi Boateng' and 'Thandi Mokoena'");
  await walk('audit verify --sandbox');
  page.end();
});
