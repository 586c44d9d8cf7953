/** The console's page in a real Chromium, before the real server: a whole month, refusals, and who cannot see or use a mouse. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Upload, UploadLine } from '../../../src/console/api.ts';
import { pageFolder } from '../../../src/console/build-page.ts';
import { codeAt } from '../../../src/console/people/one-time-code.ts';
import { reportWords } from '../../../src/messages/files/report-page.ts';
import { batchMessages } from '../../../src/messages/web/batch-messages.ts';
import { quickPasswords } from '../../stretched-once.ts';
import { csvOf, kenyanRows, newFolder, resultOf, type SheetRow, southAfrican } from '../../support.ts';
import {
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
  type Served,
  serve,
  settled,
  sheetHere,
  sit,
  tellOfWindows,
  unfold,
} from './browser.ts';
import { approve, approveHere, look, paidOf, payIt, plan, rowsOf } from './steps.ts';

const root = join(import.meta.dirname, '../../..');
let browser: Browser | null = null;

/** One sandbox, and its three people, for all. */
let sandbox: Served;
let office: Office;
beforeAll(async () => {
  browser = await openBrowser();
  if (browser === null) return;
  const folder = newFolder();
  const env = { ...quickPasswords, XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') };
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
    await hear(page, 'Row 4 is fixed');
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
    // Nothing is read twice when a sheet is opened.
    expect(await readsOf(page, sheet)).toEqual(['corrections', 'mistakes', 'rows', 'warnings']);
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

  it('the main path by the keyboard alone: to the sheet, in its table, a fix, the plan', async () => {
    const { page } = office.preparer;
    const rows = month.slice(0, 3).map((row, nth) => ({ ...row, row_id: `d${nth}`, reference: `December ${nth}` }));
    await handIn(office.preparer, sandbox.url, 'december.csv', csvOf(rows));
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
    await hear(page, 'Row 4 is fixed');
    await settled(page);
    await tabTo(page, /^Use “Standard Bank”/);
    await page.keyboard.press('Enter');
    await hear(page, 'Fixed in all');
    await page.goBack();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await expect.poll(() => focused(page)).toBe('Home');
  });

  it('what was asked before a fix, and is answered after it, takes nothing of it back', async () => {
    const { page } = office.preparer;
    const rows = rowsOf('Late', 1900, 3).map((row, index) => ({ ...row, amount: index < 2 ? '12.50' : '99.50' }));
    await handIn(office.preparer, sandbox.url, 'late.csv', csvOf(rows));
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: fixed, resolve: isFixed } = Promise.withResolvers<void>();
    const { promise: seen, resolve: isSeen } = Promise.withResolvers<void>();
    let reads = 0;
    const address = `**/api/uploads/${new URL(page.url()).pathname.split('/').at(-1)}`;
    await page.route(address, async (route) => {
      reads += 1;
      // The first one is of the sheet as it was checked before the fix; the others wait until that was seen.
      const isFirst = reads === 1;
      if (!isFirst) await seen;
      let response = await route.fetch();
      while (isFirst && ((await response.json()) as Upload).state === 'reading') response = await route.fetch();
      if (isFirst) {
        isAsked();
        await fixed;
      }
      await route.fulfill({ response });
    });
    const fix = async (name: string, button: string) => {
      await page.getByLabel(`${name}: write`).fill('500');
      await page.getByRole('button', { name: button, exact: true }).click();
    };
    await fix('Row 4, amount', 'Fix Row 4, amount');
    await asked;
    await fix('2 rows, amount', 'Fix all 2 rows 2 rows, amount');
    await hear(page, 'Fixed in all');
    const late = page.waitForResponse(address);
    isFixed();
    await (await late).finished();
    // What comes after it in the page has come after it there.
    await page.evaluate(async () => await fetch('/api/session'));
    await page.locator('.notice', { hasText: 'Being checked again.' }).waitFor();
    isSeen();
    await hear(page, 'Nothing is left');
    const said = await page.evaluate(() => (globalThis as unknown as { heard: readonly string[] }).heard);
    expect(said.filter((words) => words.startsWith('Checked: '))).toEqual([]);
    await page.unroute(address);
  });

  it('a plan that takes the place of the one that was read is not approved and not paid', async () => {
    const { page } = office.preparer;
    const { page: approver } = office.approver;
    await handIn(office.preparer, sandbox.url, 'swap.csv', csvOf(rowsOf('Swap', 1300, 3)));
    await plan(office.preparer, 'swap');
    const sheet = page.url();
    await approver.goto(`${sheet}/review`);
    await approver.getByLabel('Your password').fill(password);
    const planElsewhere = async (from: string, to: string) => {
      await fixElsewhere(page, 2, from, to);
      const { standing } = await ask<Upload>(page, '');
      await ask(page, '/plan', { standing, batch: 'swap', skipInvalid: false, expect: [] });
      await expect.poll(async () => (await ask<Upload>(page, '')).state).toBe('planned');
    };
    await look(approver, false);
    await planElsewhere('1300', '99000');
    // Before the page knows of it the server does.
    await approver.getByRole('button', { name: 'Approve “swap”' }).click();
    await approver.getByRole('alert').filter({ hasText: 'changed after you' }).waitFor();
    await look(approver, true);
    const told = approver.getByRole('alert').filter({ hasText: 'The plan changed' });
    await told.filter({ hasText: /101,603 KES in 3 rows.* 3,903 KES in 3 rows/ }).waitFor();
    expect(await approver.getByRole('button', { name: /^(Approve|Decline) / }).count()).toBe(0);
    await approver.getByRole('button', { name: 'Read the new plan' }).click();
    expect(await approver.getByLabel('Your password').inputValue()).toBe('');
    await approveHere(approver, 'swap');
    // On second thoughts, until it is paid.
    await approver.getByRole('button', { name: 'Decline' }).waitFor();

    // The person who pays sees the same notice.
    await page.goto(`${sheet}/review`);
    await page.getByRole('button', { name: 'Pay 3 rows now' }).waitFor();
    await look(page, false);
    await planElsewhere('99000', '88000');
    await approver.reload();
    await approveHere(approver, 'swap');
    await look(page, true);
    await page.getByRole('button', { name: 'Read the new plan' }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0);
    await page.getByRole('button', { name: 'Read the new plan' }).click();
    await page.getByRole('button', { name: 'Pay 3 rows now' }).waitFor();
  });

  describe('the search field', () => {
    let page: Page;
    let searches: (string | null)[];
    beforeAll(async () => {
      // A clock is one for all windows of a context.
      const storageState = await office.preparer.page.context().storageState();
      ({ page } = await sit(chrome(), { storageState }));
      await page.clock.install({ time: 0 });
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/api/search') searches.push(searchParams.get('q'));
      });
    });
    beforeEach(async () => {
      await page.goto(`${sandbox.url}/batches`);
      await field().waitFor();
      const now = await page.evaluate(() => Date.now());
      // The page draws at each 16th millisecond, and its effects follow.
      await page.clock.pauseAt(Math.ceil(now / 16) * 16 + 1600);
      searches = [];
    });
    afterEach(() => page.clock.resume());

    const field = () => page.getByLabel('Search', { exact: true });
    const passes = (ms: number) => page.clock.runFor(ms);

    it('searches once for letters that are typed one after another', async () => {
      await field().fill('n');
      await passes(250);
      await field().fill('no');
      await passes(250);
      await field().fill('nob');
      await passes(400);
      expect(await field().inputValue()).toBe('nob');
      expect(searches).toEqual(['nob']);
    });

    it.each([292, 308, 324])('keeps a letter that is typed %i ms after the first', async (ms) => {
      await field().fill('n');
      await passes(ms);
      await field().fill('no');
      await passes(400);
      expect(await field().inputValue()).toBe('no');
      expect(searches.at(-1)).toBe('no');
    });

    it('searches for nothing more once its page is left', async () => {
      await field().fill('n');
      await passes(100);
      await page.getByRole('link', { name: 'Payees' }).click();
      await page.getByRole('heading', { name: 'Payees', level: 1 }).waitFor();
      await passes(400);
      expect(new URL(page.url()).search).toBe('');
      expect(searches).toEqual([]);
    });
  });

  it('an administrator asks for a second approval of large batches, and for a one-time code at the own login', async () => {
    const { page } = office.admin;
    await joinBy(await sit(chrome()), await invite(office.admin, sandbox.url, 'Bea Second', 'approver'));
    await page.goto(`${sandbox.url}/settings`);
    await unfold(page, 'Approvals for every other batch');
    await page.getByRole('button', { name: 'Add a threshold' }).click();
    await page.getByLabel('Of each').selectOption('batch');
    await page.getByLabel('Currency').selectOption('KES');
    await page.getByLabel('Above').fill('9000000');
    await page.getByRole('button', { name: 'Save' }).click();
    await hear(page, 'are saved');

    await page.goto(`${sandbox.url}/account`);
    await page.getByRole('button', { name: 'Set up a one-time code' }).click();
    const secret = (await page.locator('code.long').textContent()) ?? '';
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'One-time code' }) });
    await section.getByLabel('Your password').fill(password);
    const stepNow = () => Math.floor(Date.now() / 30_000);
    const step = stepNow();
    await section.getByLabel('The six digits that it shows now').fill(codeAt(secret, step));
    await section.getByRole('button', { name: 'Ask for it from now on' }).click();
    await section.getByLabel('The six digits that it shows now').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Name').fill('Ada Admin');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    // Each code is good once, and the next one is good already.
    await page.getByLabel('One-time code').fill(codeAt(secret, Math.max(step + 1, stepNow())));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('h1', { hasText: 'Home' }).waitFor();
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
});

/** An amount of the sheet that is open, as a colleague writes it somewhere else; until it is checked. */
async function fixElsewhere(page: Page, row: number, from: string, to: string): Promise<void> {
  const { header } = await ask<Upload>(page, '');
  await ask(page, '/corrections', { row, column: header.indexOf('amount'), from, to });
  await expect.poll(async () => (await ask<Upload>(page, '')).state).not.toBe('reading');
}

/** Of the server, beside what the page does itself: about the sheet that is open. */
const ask = async <T>(page: Page, what: string, body?: object): Promise<T> =>
  (await page.evaluate(
    async ([path = '', text]) => {
      const [, , id] = location.pathname.split('/');
      const { csrf } = (await (await fetch('/api/session')).json()) as { csrf: string };
      const headers = { 'content-type': 'application/json', 'x-payrun-csrf': csrf };
      const given = text === undefined ? {} : { method: 'POST', headers, body: text };
      const answer = await fetch(`/api/uploads/${id}${path}`, given);
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as unknown;
    },
    [what, ...(body === undefined ? [] : [JSON.stringify(body)])],
  )) as T;

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
async function readsOf(page: Page, path: string): Promise<readonly string[]> {
  const other = await page.context().newPage();
  const reads: string[] = [];
  other.on('request', (request) => {
    const [, what] = /^\/api\/.*\/(rows|mistakes|warnings|corrections)$/.exec(new URL(request.url()).pathname) ?? [];
    if (what !== undefined) reads.push(what);
  });
  await other.clock.install();
  await other.goto(`${sandbox.url}${path}`);
  await other.getByRole('heading', { name: 'Rows', exact: true }).waitFor();
  await expect.poll(() => reads).toContain('rows');
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
