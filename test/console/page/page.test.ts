/** The console's page in a real Chromium, before the real server: a whole month, refusals, and who cannot see or use a mouse. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import ExcelJS from 'exceljs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FundingLine, Mistake, Person, Review, Session, UploadLine } from '../../../src/console/api.ts';
import { pageFolder } from '../../../src/console/build-page.ts';
import { closingWords, nextOf, uploadWord } from '../../../src/console/page/words.ts';
import { codeAt } from '../../../src/console/people/one-time-code.ts';
import { reportWords } from '../../../src/messages/files/report-page.ts';
import { refusalOnPage } from '../../../src/messages/refusals.ts';
import { accessMessages } from '../../../src/messages/web/access-messages.ts';
import { batchMessages } from '../../../src/messages/web/batch-messages.ts';
import { sheetMessages } from '../../../src/messages/web/sheet-messages.ts';
import { csvOf, kenyanRows, newFolder, resultOf, type SheetRow, southAfrican } from '../../support.ts';
import {
  answer,
  axe,
  elsewhere,
  fillOffice,
  handIn,
  hear,
  invite,
  joinBy,
  lookNow,
  type Office,
  openBrowser,
  password,
  type Seat,
  type Served,
  serve,
  settled,
  sheetHere,
  sit,
  tellOfWindows,
  unfold,
} from './browser.ts';
import { approve, paidOf, payIt, plan, rowsOf, wholeWay } from './steps.ts';

const root = join(import.meta.dirname, '../../..');
let browser: Browser | null = null;

/** One sandbox, and its three people, for all. */
let sandbox: Served;
let office: Office;
beforeAll(async () => {
  browser = await openBrowser();
  if (browser === null) return;
  const folder = newFolder();
  const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') };
  sandbox = await serve(folder, env, '--sandbox', '--port', '0');
  office = await fillOffice(browser, sandbox);
});
afterEach((context) => tellOfWindows(context, browser));
afterAll(async () => {
  await browser?.close();
  await sandbox?.kill('SIGKILL');
});

/** There is always one on the systems that the packages bring it for. */
function chrome(): Browser {
  if (browser === null) throw new Error('this machine has no Chromium');
  return browser;
}

/** The name of a bank misspelt twice, a name that is missing, and one that the service does not take. */
const month: readonly SheetRow[] = [
  { ...southAfrican, row_id: 'm1', bank_name: 'Standrad Bank', reference: 'SALARY 1' },
  {
    ...southAfrican,
    row_id: 'm2',
    name: 'Lindiwe Vlei',
    bank_name: 'Standrad Bank',
    amount: '5200',
    reference: 'SALARY 2',
  },
  { ...southAfrican, row_id: 'm3', name: '', amount: '6100', reference: 'SALARY 3' },
  { ...southAfrican, row_id: 'm4', name: 'José Example', amount: '7300', reference: 'SALARY 4' },
  {
    ...southAfrican,
    row_id: 'm5',
    name: 'Upper Karoo Windmill Works',
    amount: '62000',
    reference: 'INV 2041B',
    documents: 'invoice-2041.pdf',
  },
  ...kenyanRows(5),
];
const good: readonly SheetRow[] = month.map((row) => ({
  ...row,
  name: row.name === '' ? 'Pieter Vlei' : (row.name ?? '').replace('é', 'e'),
  bank_name: (row.bank_name ?? '').replace('Standrad', 'Standard'),
}));

async function download(page: Page, link: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()]);
  return file.path();
}

describe.skipIf(elsewhere)('the page', () => {
  it('loads at most 55 kB of script, compressed, and nothing from elsewhere', async () => {
    const folder = await pageFolder(join(root, 'node_modules/.cache/payrun-page'), () => {});
    const assets = readdirSync(join(folder, 'assets'));
    const script = assets
      .filter((name) => name.endsWith('.js'))
      .reduce((sum, name) => sum + statSync(join(folder, 'assets', `${name}.br`)).size, 0);
    expect(script).toBeGreaterThan(10_000);
    expect(script).toBeLessThan(55_000);
    for (const name of assets.filter((asset) => /\.(?:js|css)$/.test(asset)))
      expect(brotliDecompressSync(readFileSync(join(folder, 'assets', `${name}.br`)))).toEqual(
        readFileSync(join(folder, 'assets', name)),
      );
    const start = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(start).not.toMatch(/https?:|<style|style=|<script(?![^>]* src=)/);
  });

  it('a whole month by two people: mistakes are fixed, a colleague approves, it is paid, and the result is downloaded', async () => {
    const { preparer, approver } = office;
    const { page } = preparer;
    await handIn(preparer, sandbox.url, 'november.csv', csvOf(month));
    await page.locator('.notice', { hasText: 'To fix.' }).waitFor();

    // One fix for all equal mistakes, by the suggestion.
    await page.getByRole('button', { name: 'Use “Standard Bank” in all 2 rows' }).click();
    await page.getByRole('button', { name: 'Use “Standard Bank” in all 2 rows' }).waitFor({ state: 'detached' });
    await settled(page);
    // By suggestion, one row, as wide as a phone: the list stays as it stands, with what is typed in it.
    await page.setViewportSize({ width: 390, height: 800 });
    const list = page.getByRole('region', { name: 'Mistakes' });
    const table = (await list.getByRole('table').elementHandle())!;
    await page.getByLabel('Row 4, name: write').fill('Somebody');
    await list.getByText(/José Example, 7,300 ZAR/).waitFor();
    const use = page.getByRole('button', { name: 'Use “Jose Example”' }).first();
    expect((await use.boundingBox())?.x).toBeLessThan(200);
    await use.click();
    await use.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.fix, #to-fix') !== null)).toBe(true);
    await hear(page, 'Checked: 2 rows');
    expect((await sheetHere(page)).counts).toMatchObject({ rows: 10, toFix: 2 });
    await settled(page);
    expect(await page.getByLabel('Row 4, name: write').inputValue()).toBe('Somebody');
    expect(await table.evaluate((element) => element.isConnected)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    // One by one, in the cell.
    const cell = page
      .getByRole('row', { name: /^4: to fix/ })
      .getByRole('gridcell')
      .first();
    await cell.dblclick();
    await page.getByLabel('name of row 4').fill('Pieter Vlei');
    await page.keyboard.press('Enter');
    await hear(page, 'Row 4 is fixed.');
    await settled(page);
    // The document that a row names.
    await page.getByLabel('Add documents').setInputFiles(join(root, 'samples/documents/invoice-2041.pdf'));
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    await hear(page, 'invoice-2041.pdf was added.');
    await settled(page);
    await expect.poll(() => page.getByRole('region', { name: 'Fixed here' }).getByRole('row').count()).toBe(4);

    const sheet = new URL(page.url()).pathname;
    // A control total that disagrees is refused at the button, and what was typed outlives a reload.
    await page.getByLabel('Number of rows').fill('11');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.locator('form').getByRole('alert').waitFor();
    await page.reload();
    await page.locator('form').getByRole('alert').waitFor();
    expect(await page.getByLabel('Number of rows').inputValue()).toBe('11');
    await page.locator('form').getByRole('link', { name: 'Check the control totals' }).waitFor();
    expect(await page.getByLabel('Why rows that look paid').isVisible()).toBe(false);
    await page.getByLabel('Number of rows').fill('10');
    await plan(preparer, '2026-11');
    await approve(approver, sandbox.url, 'november.csv', '2026-11');
    await payIt(preparer, sandbox.url, 'november.csv');
    await paidOf(page, '10 of 10 rows paid.');
    const result = resultOf(await download(page, 'Result (CSV)'));
    expect(result.map((row) => [row.reference, row.payrun_status])).toEqual(good.map((row) => [row.reference, 'paid']));
    expect(result.map((row) => row.name)).toEqual(good.map((row) => row.name));
    await reportFitsPhone(page);
    // Nothing is read twice when a sheet or a batch is opened.
    const { pathname: batchPage } = new URL(page.url());
    expect(await readsOf(page, sheet, 'Rows')).toEqual(['corrections', 'mistakes', 'rows', 'warnings']);
    expect(await readsOf(page, batchPage, 'Rows')).toEqual(['rows']);
    expect(await readsOf(page, `${sheet}/review`, 'The plan', 'corrections')).toEqual(['corrections', 'plan']);
    await waitsForBatch(page);

    // What was done stands under those who did it.
    await page.goto(`${sandbox.url}/trail`);
    await page.getByText('Anton Approver').first().waitFor();
    await page.getByText('Petra Preparer').first().waitFor();
    // A row is named as people name it.
    await page
      .getByRole('link', { name: /^Row 4, Pieter Vlei$/ })
      .first()
      .waitFor();
    expect([...preparer.alarms, ...approver.alarms, ...office.admin.alarms]).toEqual([]);
  });

  it('the month of the samples: the workbook is dropped, its documents added, and its review is for everybody', {
    tags: ['long'],
  }, async () => {
    const { preparer, approver } = office;
    const { page } = preparer;
    await page.goto(`${sandbox.url}/`);
    await drop(page, 'november.xlsx', readFileSync(join(root, 'samples/november.xlsx')));
    await page.getByRole('heading', { name: 'november.xlsx', level: 1 }).waitFor();
    await page.locator('.notice', { hasText: 'To fix.' }).waitFor();
    const named = 'documents/invoice-2041.pdf';
    await page.getByRole('region', { name: 'Mistakes' }).getByText(named).first().waitFor();
    expect(await sheetHere<Mistake[]>(page, '/mistakes')).toContainEqual(
      expect.objectContaining({ code: 'DOCUMENT_MISSING', value: named }),
    );
    expect(await page.locator('main').innerText()).not.toContain('/console/');
    const documents = join(root, 'samples/documents');
    await page.getByLabel('Add documents').setInputFiles(readdirSync(documents).map((name) => join(documents, name)));
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    await settled(page);
    await plan(preparer, 'samples');
    await approver.page.goto(`${sandbox.url}/`);
    await approver.page.getByRole('link', { name: 'november.xlsx' }).click();
    await approver.page.getByText(/^4 documents .*\b3 rows\b/).waitFor();
    await approver.page.getByRole('button', { name: 'Approve “samples”' }).waitFor();
    expect(await axeInAllLooks(approver.page)).toEqual([]);
    await approve(approver, sandbox.url, 'november.xlsx', 'samples');
    await payIt(preparer, sandbox.url, 'november.xlsx');
    await paidOf(page, '24 of 24 rows paid.');
    // The workbook's lines above its header stand in the result too.
    const result = readFileSync(await download(page, 'Result (CSV)'), 'utf8');
    expect(result.match(/,paid,/g)?.length).toBe(24);
  });

  it('columns are matched once for all sheets with that header', async () => {
    const { page } = office.preparer;
    const strange = (first: number) =>
      csvOf(rowsOf(`Column ${first}`, 1000 + 100 * first, 3))
        .replace('contact_number', 'Handy')
        .replace('amount', 'Betrag');
    await handIn(office.preparer, sandbox.url, 'strange.csv', strange(1));
    await page.locator('.notice', { hasText: 'Columns to match.' }).waitFor();
    await page.getByLabel('Column Handy is').selectOption('contact_number');
    await page.getByLabel('Column Betrag is').selectOption('amount');
    await page.getByRole('button', { name: 'Use these columns' }).click();
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    await goesElsewhereMeanwhile(page, 'strange again.csv', strange(4));
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'strange again.csv' }).click();
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Which column is which?' }).count()).toBe(0);
    await handIn(
      office.preparer,
      sandbox.url,
      'wise.csv',
      readFileSync(join(root, 'samples/other/wise-with-accounts.csv')),
    );
    await page.getByRole('button', { name: 'Read it as this product’s file' }).click();
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
  });

  it('of a workbook with several sheets it is asked which one is to be paid, and nothing else', {
    tags: ['long'],
  }, async () => {
    const { page } = office.preparer;
    const [row] = rowsOf('Sheets', 1200, 1);
    const book = new ExcelJS.Workbook();
    for (const name of ['October', 'November'])
      book.addWorksheet(name).addRows([Object.keys(row!), Object.values({ ...row, reference: name })]);
    await handIn(office.preparer, sandbox.url, 'months.xlsx', Buffer.from(await book.xlsx.writeBuffer()));
    await page.getByRole('form', { name: 'Which sheet is to be paid' }).waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('combobox').count()).toBe(1);
    const waiting = await sheetHere(page);
    expect(waiting).toMatchObject({ state: 'columns', asksForSheet: true });
    const here = page.url();
    await page.getByRole('link', { name: 'Home' }).click();
    await page
      .getByRole('row', { name: /^months\.xlsx/ })
      .getByText(uploadWord(waiting))
      .waitFor();
    await page.goto(here);
    await page.getByRole('form', { name: 'Which sheet is to be paid' }).getByRole('combobox').selectOption('November');
    await page.getByRole('button', { name: 'Use this sheet' }).click();
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    // Until it is planned, it can be the other one.
    const other = 'Sheet of the workbook';
    await unfold(page, other);
    await page.getByRole('button', { name: 'Read this sheet' }).click();
    await page
      .getByRole('main')
      .getByText(/workbook, sheet .October./)
      .waitFor();
    await plan(office.preparer, 'october-of-two');
    expect(await page.getByLabel(other).count()).toBe(0);
  });

  it('what many rows have alike is said once, and a part of a list says that it is one', async () => {
    const { preparer } = office;
    const [same = southAfrican] = kenyanRows(1);
    const rows = Array.from({ length: 14 }, (_, index) => ({
      ...same,
      row_id: `alike-${index}`,
      // Names of people are no words of ours.
      name: 'Alike Policy Merchant',
      amount: '2100',
      reference: 'Alike',
    }));
    await handIn(preparer, sandbox.url, 'alike.csv', csvOf(rows));
    const checked = await sheetHere(preparer.page);
    expect(checked).toMatchObject({ state: 'ready', counts: { rows: 14, toFix: 0 } });
    expect(checked.counts.warnings).toBeGreaterThanOrEqual(13);
    const next = nextOf(checked, { isPreparer: true });
    await preparer.page.locator('.notice', { hasText: next }).waitFor();
    await preparer.page.getByRole('button', { name: '13 rows' }).click();
    await preparer.page.getByText('13 rows.').waitFor();
    await plan(preparer, 'alike');
    await preparer.page.getByRole('link', { name: 'Review the plan' }).click();
    await preparer.page.getByText('13 rows (3 to 15)').waitFor();
    await preparer.page.getByRole('button', { name: 'ledger?' }).waitFor();
    expect(await preparer.page.getByRole('button', { name: /^(?:policy|merchant)\?$/ }).count()).toBe(0);
    expect(await preparer.page.locator('main > section > ul > li.warn').count()).toBe(2);
    const largest = preparer.page.locator('section', {
      has: preparer.page.getByRole('heading', { name: 'Largest payments' }),
    });
    await largest.getByRole('link', { name: 'all rows' }).waitFor();
    expect(await largest.locator('tbody').getByRole('row').count()).toBe(10);
    expect((await sheetHere<Review>(preparer.page, '/plan')).rowsToSend).toBe(14);
  });

  describe('refuses', () => {
    it('shows a hostile name, in a cell and of a file, as text', async () => {
      const hostile = '<img src=x onerror=alert(1)>';
      const { preparer, approver } = office;
      const rows = rowsOf('Hostile', 3000, 3).map((row) => ({ ...row, name: hostile, note: hostile }));
      const file = `${hostile}.csv`;
      await preparer.page.goto(`${sandbox.url}/`);
      await preparer.page
        .getByLabel('Drop a CSV or XLSX file here')
        .setInputFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from(csvOf(rows)) });
      await preparer.page.locator('.notice', { hasText: 'To fix.' }).waitFor();
      await preparer.page.getByRole('gridcell', { name: hostile }).first().waitFor();
      await approver.page.goto(preparer.page.url());
      await approver.page.getByRole('gridcell').first().waitFor();
      for (const { page } of [preparer, approver]) expect(await page.locator('img').count()).toBe(0);
      expect([...preparer.alarms, ...approver.alarms]).toEqual([]);
    });

    it('who made a plan is offered no approval of it; a threshold asks for two; what was corrected since is not approved', {
      tags: ['long'],
    }, async () => {
      const { preparer, approver } = office;
      await handIn(preparer, sandbox.url, 'stale.csv', csvOf(rowsOf('Void', 4000, 3)));
      await plan(preparer, 'stale');
      await preparer.page.getByRole('link', { name: 'Review the plan' }).click();
      await preparer.page.getByRole('heading', { name: 'Approvals' }).waitFor();
      expect(await preparer.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
      await approver.page.goto(preparer.page.url());
      await approver.page.getByText('1 approval needed, 0 given.').waitFor();
      const second = await sit(chrome());
      await joinBy(second, await invite(office.admin, sandbox.url, 'Bea Second', 'approver'));
      await setThreshold(office.admin.page, '200');
      await approver.page.reload();
      await approver.page.getByText('2 approvals needed, 0 given.').waitFor();
      await approver.page.getByLabel('Your password').fill(password);
      await approver.page.getByRole('button', { name: 'Approve “stale”' }).click();
      await approver.page.getByText('2 approvals needed, 1 given.').waitFor();
      // Whoever waits for it hears of it.
      await preparer.page.getByText('2 approvals needed, 1 given.').waitFor();
      await second.page.goto(approver.page.url());
      await second.page.getByText('2 approvals needed, 1 given.').waitFor();
      // A page in the background does not look for what changed.
      await second.page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
      await second.page.getByLabel('Your password').fill(password);
      await preparer.page.goto(preparer.page.url().replace('/review', '?rows=all'));
      await preparer.page.getByRole('gridcell', { name: /^4,000 KES$/ }).dblclick();
      expect(await preparer.page.getByLabel('amount of row 2').inputValue()).toBe('4000');
      await preparer.page.getByLabel('amount of row 2').fill('900');
      await preparer.page.keyboard.press('Enter');
      await hear(preparer.page, 'Row 2 is fixed.');
      const review = second.page.url();
      await second.page.getByRole('button', { name: 'Approve “stale”' }).click();
      await second.page
        .getByRole('alert')
        .filter({ hasText: /no valid plan|changed since/ })
        .waitFor();
      await second.page.goto(`${sandbox.url}/trail?batch=stale`);
      const approvals = second.page.getByRole('row').filter({ hasText: /approved .*stale\.csv/ });
      await approvals.first().waitFor();
      expect(await approvals.count()).toBe(1);
      await approvals.getByRole('cell', { name: 'Anton Approver', exact: true }).waitFor();
      // The old address leads on to the sheet.
      await second.page.goto(review);
      await second.page.getByRole('link', { name: 'Go to the sheet' }).waitFor();
      await setThreshold(office.admin.page, null);
      await preparer.page.reload();
      await preparer.page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    });

    it('a request that another site forges', async () => {
      const { page } = office.preparer;
      const cookies = await page.context().cookies(sandbox.url);
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const answer = await fetch(`${sandbox.url}/api/logout`, {
          method: 'POST',
          headers: {
            ...headers,
            'content-type': 'application/json',
            cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
          },
          body: '{}',
        });
        expect(answer.status).toBe(403);
      }
      await page.goto(`${sandbox.url}/`);
      await page.getByRole('link', { name: 'Petra Preparer' }).waitFor();
    });

    it('a file that is too large, in words, and goes on', async () => {
      const { page } = office.preparer;
      await page.goto(`${sandbox.url}/`);
      await page.locator('#sheet-file').waitFor({ state: 'attached' });
      const line = `${'x'.repeat(1023)}\n`;
      await page.evaluate((text) => {
        const input = document.querySelector<HTMLInputElement>('#sheet-file')!;
        const files = new DataTransfer();
        files.items.add(
          new File(
            Array.from({ length: 64 * 1024 + 1 }, () => text),
            'large.csv',
          ),
        );
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      }, line);
      await page
        .getByRole('alert')
        .filter({ hasText: /64 MiB|larger/ })
        .waitFor();
      await handIn(office.preparer, sandbox.url, 'after.csv', csvOf(rowsOf('After', 5000, 2)));
      await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    });
  });

  describe('for everybody', () => {
    let sheet: string;
    beforeAll(async () => {
      await wholeWay(office, sandbox.url, rowsOf('October', 7000, 5), 'october');
      await paidOf(office.preparer.page, '5 of 5 rows paid.');
      await wholeWay(
        office,
        sandbox.url,
        rowsOf('Fee', 8000, 2).map((row) => ({ ...row, from_country: 'UnitedKingdom' })),
        'funded',
      );
      const december = month.map((row, index) => ({
        ...row,
        row_id: `d${index + 1}`,
        amount: `${9000 + index}`,
        reference: `December ${index + 1}`,
      }));
      await handIn(office.preparer, sandbox.url, 'december.csv', csvOf(december));
      sheet = new URL(office.preparer.page.url()).pathname;
      await handIn(
        office.preparer,
        sandbox.url,
        'columns.csv',
        csvOf(rowsOf('Kontakt', 10_000, 3))
          .replace('contact_number', 'kontakt')
          .replace('amount', 'Betrag'),
      );
    });

    it('axe finds nothing on any page: light, dark, and as wide as a phone', async () => {
      const paths = async () => {
        const { page } = office.preparer;
        await page.goto(`${sandbox.url}/batches/october`);
        const row = await page
          .getByRole('region', { name: 'Rows', exact: true })
          .getByRole('link')
          .first()
          .getAttribute('href');
        await page.goto(`${sandbox.url}/payees`);
        const payee = await page.getByRole('region', { name: 'Payees' }).getByRole('link').first().getAttribute('href');
        const review = new URL(
          (await hrefOf(page, `${sandbox.url}/batches/october`, 'The sheet as it was uploaded')) ?? '',
          sandbox.url,
        ).pathname;
        return [
          '/',
          sheet,
          `${review}/review`,
          '/batches',
          '/batches?q=Ref',
          '/batches/october',
          row ?? '',
          '/batches/october/funding',
          '/batches/funded/funding',
          '/payees',
          payee ?? '',
          '/trail',
          '/settings',
          '/health',
          '/account',
          '/nowhere',
          '/people',
          '/batches/nope',
        ];
      };
      const found: string[] = [];
      const look = async ({ page }: Seat, path: string) => {
        await page.goto(`${sandbox.url}${path}`);
        await page.waitForLoadState('networkidle').catch(() => null);
        await page.locator('h1').waitFor();
        found.push(...(await axeInAllLooks(page)));
      };
      for (const path of await paths()) await look(office.preparer, path);
      const { page } = office.preparer;
      const main = page.getByRole('main');
      await main.getByText(batchMessages.BATCH_MISSING({ batch: 'nope' })).waitFor();
      await main.getByRole('link', { name: 'Batches' }).waitFor();
      for (const [path, words] of [
        ['batches/nope/funding', batchMessages.NOT_FOUND({ what: 'batch' })],
        ['sheets/nope/review', sheetMessages.SHEET_UNKNOWN()],
      ] as const) {
        await page.goto(`${sandbox.url}/${path}`);
        await main.getByText(words).waitFor();
        await main.getByRole('link', { name: 'Batches' }).waitFor();
      }
      await page.goto(`${sandbox.url}/people`);
      await main.getByRole('link', { name: 'your name' }).waitFor();
      expect(await answer(page, '/api/people')).toMatchObject({ code: 'NOT_ALLOWED' });
      expect(await main.getByRole('textbox').count()).toBe(0);
      await look(office.admin, '/people');
      await look(office.admin, '/settings');
      const guest = await sit(chrome());
      for (const path of ['/login', '/join#none']) await look(guest, path);
      expect(found).toEqual([]);
    });

    it('of what is paid nothing is to be deposited, and no account is shown; in the sandbox deposits are practice', async () => {
      const { page } = office.preparer;
      await page.goto(`${sandbox.url}/batches/funded`);
      await page.getByText('2 of 2 rows paid.').waitFor();
      await page.getByRole('link', { name: 'Funding: what to deposit where' }).click();
      await page.locator('.notice', { hasText: /^Nothing / }).waitFor();
      await page.locator('.notice', { hasText: 'practice' }).waitFor();
      const states = (await answer<FundingLine[]>(page, '/api/batches/funded/funding')).map(({ state }) => state);
      expect(states).not.toContain('waiting');
      expect(await page.getByRole('button', { name: /^Copy / }).count()).toBe(0);
    });

    it('the main path by the keyboard alone: to the sheet, in its table, a fix, the plan', async () => {
      const { page } = office.preparer;
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${sandbox.url}/`);
      await page.getByRole('link', { name: 'december.csv' }).waitFor();
      await tabTo(page, 'december.csv');
      await page.keyboard.press('Enter');
      await page.getByRole('grid').getByRole('gridcell').first().waitFor();
      await expect.poll(() => focused(page)).toBe('december.csv');
      expect(await page.title()).toContain('december.csv');
      await tabTo(page, /^\d+: to fix/);
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const editor = page.getByLabel('name of row 4');
      await expect.poll(() => editor.evaluate((field) => field === document.activeElement)).toBe(true);
      await page.keyboard.type('Nobody');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Pieter Vlei');
      await page.keyboard.press('Enter');
      await hear(page, 'Row 4 is fixed.');
      await settled(page);
      await tabTo(page, /^Use “Standard Bank”/);
      await page.keyboard.press('Enter');
      await hear(page, 'Fixed in all');
      await page.goBack();
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await expect.poll(() => focused(page)).toBe('Home');
    });
  });

  it('says that somebody is there when a key is pressed, and not by itself', async () => {
    const { page } = office.preparer;
    const said: string[] = [];
    const onRequest = (request: { url(): string; method(): string }) => {
      if (request.method() === 'POST') said.push(new URL(request.url()).pathname);
    };
    page.on('request', onRequest);
    await page.goto(sandbox.url);
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    // What it sent until then was told before the answer to this.
    const read = async () => await page.evaluate(async () => (await fetch('/api/session')).status);
    expect([await read(), said]).toEqual([200, []]);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/session/seen')),
      page.keyboard.press('Tab'),
    ]);
    expect(answer.status()).toBe(204);
    await page.keyboard.press('Tab');
    expect([await read(), said]).toEqual([200, ['/api/session/seen']]);
    page.off('request', onRequest);
  });

  it('whose role is changed does not approve a sheet of the own, and whose account is shut is out at once; both are told so', {
    tags: ['long'],
  }, async () => {
    const { admin, preparer } = office;
    const vera = await sit(chrome());
    const { page } = vera;
    await joinBy(vera, await invite(admin, sandbox.url, 'Vera Changing', 'preparer'));
    await handIn(vera, sandbox.url, 'own.csv', csvOf(rowsOf('Own', 6000, 2)));
    await preparer.page.goto(page.url());
    await plan(preparer, 'own');
    const review = `${new URL(page.url()).pathname}/review`;
    await admin.page.goto(`${sandbox.url}/people`);
    const line = admin.page.getByRole('row', { name: /^Vera Changing/ });
    await line.getByRole('button', { name: 'Change role' }).click();
    await admin.page.getByRole('dialog').getByLabel('Role').selectOption('approver');
    await admin.page.getByRole('button', { name: 'Change the role' }).click();
    await hear(admin.page, 'is now approver');
    const login = async () => {
      await page.getByRole('main').getByRole('status').waitFor();
      await page.getByLabel('Name').fill('Vera Changing');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
    };
    await page.getByRole('link', { name: 'Trail' }).click();
    await login();
    await page.getByRole('heading', { name: 'Trail', level: 1 }).waitFor();
    await page.goto(`${sandbox.url}${review}`);
    const why = refusalOnPage({ code: 'OWN_SHEET', facts: {} });
    await page.getByText(why).waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    // A page that offers it all the same is told by the server.
    await page.route('**/plan', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), whyNot: null } });
    });
    await page.reload();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Approve “own”' }).click();
    await page.getByRole('alert').filter({ hasText: why }).waitFor();
    await page.unroute('**/plan');

    await admin.page.getByRole('button', { name: 'Close the account of Vera Changing' }).click();
    const people = await answer<Person[]>(admin.page, '/api/people');
    const leaving = people.find(({ name }) => name === 'Vera Changing')!;
    for (const words of closingWords(leaving, people)) await admin.page.getByRole('dialog').getByText(words).waitFor();
    await admin.page.getByRole('button', { name: 'Close it' }).click();
    await hear(admin.page, 'is closed');
    await page.getByRole('link', { name: 'Trail' }).click();
    await login();
    await page.getByRole('alert').waitFor();
  });

  it('the trail is read as wide as a desk, where a long name has two lines, and as wide as a phone, where nothing is cut off', {
    tags: ['long'],
  }, async () => {
    const batch = '2026-11-suppliers-of-the-eastern-cape-second-run';
    await wholeWay(office, sandbox.url, rowsOf('Trail', 1700, 1), batch);
    const { page } = office.preparer;
    await paidOf(page, '1 of 1 row paid.');
    await page.goto(`${sandbox.url}/trail`);
    const name = page.getByRole('link', { name: batch }).first();
    await name.waitFor();
    expect((await name.boundingBox())?.height).toBeLessThan(60);
    await page.setViewportSize({ width: 390, height: 900 });
    const goesOn = () =>
      page.getByRole('region', { name: 'Trail' }).evaluate((box) => box.scrollWidth - box.clientWidth);
    await expect.poll(goesOn).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('an invitation that was used says so at once, asks for no password, and leads to logging in', {
    tags: ['long'],
  }, async () => {
    const link = await invite(office.admin, sandbox.url, 'Uma Used', 'viewer');
    const [uma, late] = [await sit(chrome()), await sit(chrome())];
    await joinBy(uma, link);
    await late.page.goto(link);
    await late.page.getByRole('alert').filter({ hasText: accessMessages.LINK_USED() }).waitFor();
    expect(await late.page.getByLabel('Password', { exact: true }).count()).toBe(0);
    expect(await axeInAllLooks(late.page)).toEqual([]);
    await late.page.getByRole('link', { name: 'log in' }).click();
    await late.page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
    for (const { page } of [uma, late]) await page.context().close();
  });

  it('a one-time code is set up, and asked for from then on', { tags: ['long'] }, async () => {
    const { page } = office.admin;
    await page.goto(`${sandbox.url}/account`);
    await page.getByRole('button', { name: 'Set up a one-time code' }).click();
    const secret = (await page.locator('code.long').textContent()) ?? '';
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'One-time code' }) });
    await section.getByLabel('Your password').fill(password);
    expect(await axeInAllLooks(page)).toEqual([]);
    // As the app shows it: what is looked at meanwhile takes longer than a code is good.
    const stepNow = () => Math.floor(Date.now() / 30_000);
    const step = stepNow();
    await section.getByLabel('The six digits that it shows now').fill(codeAt(secret, step));
    await section.getByRole('button', { name: 'Ask for it from now on' }).click();
    await section.getByLabel('The six digits that it shows now').waitFor({ state: 'detached' });
    expect((await answer<Session>(page, '/api/session')).person).toMatchObject({ code: true });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Name').waitFor();
    // A page that is opened anew: nobody has gone anywhere on it yet.
    await page.goto(sandbox.url);
    await page.getByLabel('Name').fill('Ada Admin');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('One-time code').waitFor();
    expect(await axeInAllLooks(page)).toEqual([]);
    // Each code is good once: the app shows the next one.
    await page.getByLabel('One-time code').fill(codeAt(secret, Math.max(step + 1, stepNow())));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('h1:focus', { hasText: 'Home' }).waitFor();
  });
});

/** The report that is downloaded there names the reader's time zone, and is read on a phone without scrolling sideways. */
async function reportFitsPhone(page: Page): Promise<void> {
  const report = readFileSync(await download(page, 'Report'), 'utf8');
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(report).toContain(`<th scope="row">${reportWords.zone}</th><td>${zone}</td>`);
  const phone = await page.context().newPage();
  await phone.setViewportSize({ width: 390, height: 800 });
  await phone.setContent(report);
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  await phone.close();
  expect(width).toBe(390);
}

/** What lists a page reads when it is opened, and in the seconds after that: the last part of each path, as often as it was read. */
async function readsOf(page: Page, path: string, heading: string, last = 'rows'): Promise<readonly string[]> {
  const other = await page.context().newPage();
  const reads: string[] = [];
  other.on('request', (request) => {
    const [, what] =
      /^\/api\/.*\/(rows|mistakes|warnings|corrections|plan)$/.exec(new URL(request.url()).pathname) ?? [];
    if (what !== undefined) reads.push(what);
  });
  await other.clock.install();
  await other.goto(`${sandbox.url}${path}`);
  await other.getByRole('heading', { name: heading, exact: true }).waitFor();
  await expect.poll(() => reads).toContain(last);
  await other.clock.runFor(2000);
  await other.evaluate(async () => await fetch('/healthz'));
  await other.close();
  return reads.toSorted();
}

/** Between Pay and the batch's first row its sheet is asked, and the batch no more until it is there. */
async function waitsForBatch(page: Page): Promise<void> {
  const [line] = await page.evaluate(async () => (await (await fetch('/api/uploads')).json()) as UploadLine[]);
  let state: UploadLine['state'] = 'approved';
  let asked = 0;
  const job = { kind: 'pay', state: 'running', by: 'Petra Preparer' };
  await page.route('**/api/uploads', (route) => route.fulfill({ json: [{ ...line, batch: 'coming', state, job }] }));
  await page.route('**/api/batches/coming', (route) => {
    asked += 1;
    return route.fulfill({ status: 404, json: { message: batchMessages.BATCH_MISSING({ batch: 'coming' }) } });
  });
  await page.goto(`${sandbox.url}/batches/coming`);
  await page.getByRole('main').getByRole('status').filter({ hasText: job.by }).waitFor();
  // Each frame lets the page set up what it does every second.
  for (let looks = 0; looks < 12; looks += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await lookNow(page);
  }
  await page.evaluate(async () => await fetch('/healthz'));
  expect(asked).toBe(1);
  state = 'batch';
  await lookNow(page);
  await expect.poll(() => asked).toBe(2);
  await page.unroute('**/api/uploads');
  await page.unroute('**/api/batches/coming');
}

/** While a sheet is sent its person opens another page, and drops a file there: the sheet leads nobody away. */
async function goesElsewhereMeanwhile(page: Page, name: string, content: string): Promise<void> {
  const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
  await page.goto(`${sandbox.url}/`);
  await page.route('**/api/uploads', async (route) => {
    if (route.request().method() === 'POST') await isSeen;
    await route.continue();
  });
  try {
    await page
      .getByLabel('Drop a CSV or XLSX file here')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
    await page.getByText(`Sending ${name}`).waitFor();
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.getByRole('heading', { name: 'Batches', level: 1 }).waitFor();
    const isLeft = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'stray.csv'));
      const event = { bubbles: true, cancelable: true, dataTransfer };
      return ['dragover', 'drop'].map((type) => document.body.dispatchEvent(new DragEvent(type, event)));
    });
    expect(isLeft).toEqual([false, false]);
    await hear(page, 'nothing was uploaded');
  } finally {
    goOn();
  }
  await hear(page, `${name} was uploaded`);
  expect(new URL(page.url()).pathname).toBe('/batches');
  await page.unroute('**/api/uploads');
}

/** As from the desktop: the file comes with the drop alone. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const files = await page.evaluateHandle(
    ([file, text]) => {
      const held = new DataTransfer();
      held.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], file));
      return held;
    },
    [name, content.toString('base64')] as const,
  );
  const place = page.getByRole('region', { name: 'Upload a sheet' });
  await place.dispatchEvent('dragover', { dataTransfer: files });
  await place.dispatchEvent('drop', { dataTransfer: files });
}

/** Two approvals for each batch above so many shillings, or no such line. */
async function setThreshold(page: Page, above: string | null): Promise<void> {
  await page.goto(`${sandbox.url}/settings`);
  await unfold(page, 'Approvals for every other batch');
  if (above === null) await page.getByRole('button', { name: 'Remove threshold 1' }).click();
  else {
    await page.getByRole('button', { name: 'Add a threshold' }).click();
    await page.getByLabel('Of each').selectOption('batch');
    await page.getByLabel('Currency').selectOption('KES');
    await page.getByLabel('Above').fill(above);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await hear(page, 'are saved');
}

/** What axe finds on the page as it stands, in light, in dark and as wide as a phone; the page is as it was afterwards. */
async function axeInAllLooks(page: Page): Promise<string[]> {
  const path = new URL(page.url()).pathname;
  const found: string[] = [];
  const look = async (how: string, ...rules: readonly string[]) =>
    found.push(...(await axe(page, ...rules)).map((line) => `${path} (${how}): ${line}`));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await look('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  // The same page in other colours.
  await look('dark', 'color-contrast', 'link-in-text-block');
  await page.setViewportSize({ width: 380, height: 800 });
  await look('narrow');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  if (wide) found.push(`${path} (narrow): the page scrolls sideways`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

async function hrefOf(page: Page, address: string, name: string): Promise<string | null> {
  await page.goto(address);
  return page.getByRole('link', { name }).getAttribute('href');
}

async function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}

/** Tab, until what has the focus says so. */
async function tabTo(page: Page, words: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (typeof words === 'string' ? now === words : words.test(now)) return;
    seen.push(now.slice(0, 30));
  }
  throw new Error(`Tab did not come to ${words}: ${seen.join(' | ')}`);
}
