/** Reads each page of the console as a person reads it: what test/golden/pages holds. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { knownWords, wordedPage } from '../../golden/words.ts';
import { type Independent, startIndependent } from '../../independent/service.ts';
import { quickPasswords } from '../../stretched-once.ts';
import { csvOf, kenyanRows, type SheetRow, southAfrican } from '../../support.ts';
import { temporary } from '../../temporary.ts';
import {
  axe,
  becomeFirst,
  handIn,
  invite,
  joinBy,
  lookNow,
  openBrowser,
  password,
  rowHere,
  type Seat,
  type Served,
  serve,
  sit,
} from './browser.ts';
import { approve, askForPlan, paidOf, payIt, plan } from './steps.ts';

export const pagesFolder = join(import.meta.dirname, '../../golden/pages');
const samples = join(import.meta.dirname, '../../../samples');

export interface ReadPages {
  /** The text of each page by its name. Its first line is the page's address. */
  readonly pages: ReadonlyMap<string, string>;
  readonly alarms: readonly string[];
  /** What axe finds on the pages, in light, and in dark as wide as a phone. */
  readonly barriers: readonly string[];
}

/** One office works for two months at a service and a console of its own. Returns null on a machine without a Chromium. */
export async function readPages(): Promise<ReadPages | null> {
  const browser = await openBrowser();
  if (browser === null) return null;
  const folder = realpathSync(mkdtempSync(join(temporary, 'payrun-pages-')));
  const service = await startIndependent({});
  const state = join(folder, 'state');
  const ledger = join(state, 'ledger.db');
  const env = {
    ...quickPasswords,
    XDG_STATE_HOME: state,
    XDG_DATA_HOME: join(folder, 'data'),
    PAYRUN_LEDGER: ledger,
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: service.apiKey,
    PAYRUN_API_SECRET: service.apiSecret,
    PAYRUN_DOUBT_VISIBLE: '0',
    PAYRUN_CONCURRENCY: '1',
  };
  const served = await serve(folder, env, '--port', '0');
  try {
    const { pages, ...found } = await workTwoMonths(browser, service, served);
    const words = await knownWords({ here: folder, state, ledger, serviceUrl: service.url, plans: [], clocked: false });
    return { ...found, pages: new Map(Array.from(pages, ([name, text]) => [name, wordedPage(text, words)])) };
  } finally {
    await browser.close();
    await served.kill('SIGKILL');
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const october: readonly SheetRow[] = [southAfrican, ...kenyanRows(2)].map((row, nth) => ({
  ...row,
  row_id: `oct-${nth + 1}`,
  reference: `SALARY OCT ${nth + 1}`,
}));
/** The name of a bank misspelt twice, a name that is missing, and an amount with cents. */
const mistaken: readonly SheetRow[] = [
  { bank_name: 'Standrad Bank' },
  { bank_name: 'Standrad Bank', name: 'Lindiwe Vlei', amount: '5200' },
  { name: '' },
  { name: 'Pieter Vlei', amount: '6100.50' },
].map((row, nth) => ({ ...southAfrican, ...row, row_id: `m-${nth + 1}`, reference: `BONUS ${nth + 1}` }));

/** The first payee has another account, and the answer about the second payment is lost. */
const november: readonly SheetRow[] = october.map((row, nth) => ({
  ...row,
  row_id: `nov-${nth + 1}`,
  reference: `SALARY NOV ${nth + 1}`,
  ...(nth === 0 ? { account_number: '10004291602' } : {}),
}));

/** Everywhere in the same time zone, whatever the machine's is. */
const zoned = async (browser: Browser) => await sit(browser, { timezoneId: 'Africa/Johannesburg' });

/** The name of a row or cell repeats what stands in it. A list of choices stands once on a page; its chosen one always. */
function briefly(snapshot: string): string {
  const seen = new Set<string>();
  const isNew = (line: string) => {
    const choice = line.trim();
    if (!/^- '?option /.test(choice) || choice.includes('[selected]')) return true;
    const isFirst = !seen.has(choice);
    seen.add(choice);
    return isFirst;
  };
  return snapshot
    .split('\n')
    .filter(isNew)
    .map((line) =>
      line.replace(/^( *- )(?:(row) ".*"|'(row) ".*"'|(cell|rowheader) ".*"|'(cell|rowheader) ".*"'):$/, '$1$2$3$4$5:'),
    )
    .join('\n');
}

/** All that these pages have is on a fuller page too, which is searched for barriers. */
const inFuller: ReadonlySet<string> = new Set([
  'home-empty',
  'home-of-an-approver',
  'sheet-ready',
  'sheet-planned',
  'review-of-its-maker',
  'review-approved',
  'batch-paid',
  'row-paid',
]);

async function barriersOf(page: Page): Promise<readonly string[]> {
  const size = page.viewportSize()!;
  const found = [...(await axe(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 380, height: 800 });
  found.push(...(await axe(page, 'color-contrast', 'link-in-text-block', 'target-size')));
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  if (isWide) found.push('a phone scrolls the page sideways');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(size);
  return found;
}

async function workTwoMonths(browser: Browser, service: Independent, served: Served): Promise<ReadPages> {
  const pages = new Map<string, string>();
  const barriers: string[] = [];
  const { url, link } = served;
  const path = (address: string) => new URL(address, url).pathname;

  /** Keeps what the page shows, once `there` is on it and nothing of it changes any more. */
  async function show(name: string, { page }: Seat, there: string | RegExp, address: string | null = null) {
    if (address !== null) await page.goto(new URL(address, url).href);
    const main = page.getByRole('main');
    await main.getByText(there).first().waitFor();
    await main.getByText(/ …$/).first().waitFor({ state: 'detached' });
    let before = '';
    for (let text = await main.ariaSnapshot(); text !== before; text = await main.ariaSnapshot()) {
      before = text;
      await lookNow(page);
      await page.waitForLoadState('load');
    }
    pages.set(name, `${path(page.url())}\n\n${briefly(before)}\n`);
    if (!inFuller.has(name)) barriers.push(...(await barriersOf(page)).map((line) => `${name}: ${line}`));
  }

  const [admin, preparer, approver] = await Promise.all([zoned(browser), zoned(browser), zoned(browser)]);
  await show('sign-in', preparer, 'Password', '/login');
  await show('join', admin, 'Password', link);
  await becomeFirst(admin, link ?? '', 'Ada Admin');
  await joinBy(preparer, await invite(admin, url, 'Petra Preparer', 'preparer'));
  const invitation = await invite(admin, url, 'Anton Approver', 'approver');
  await show('people', admin, 'Anton Approver');
  await joinBy(approver, invitation);
  await show('home-empty', preparer, /^Nothing waits/, '/');

  await handIn(preparer, url, 'wise.csv', readFileSync(join(samples, 'other/wise.csv')));
  await show('sheet-columns', preparer, 'Which column is which?');
  await handIn(preparer, url, 'november-salaries.csv', csvOf(mistaken));
  await show('sheet-to-fix', preparer, 'To fix.');
  await handIn(preparer, url, 'october.csv', csvOf(october));
  await show('sheet-ready', preparer, 'Ready to plan.');
  await plan(preparer, 'october');
  await show('sheet-planned', preparer, 'Review the plan');
  await preparer.page.getByRole('link', { name: 'Review the plan' }).click();
  await show('review-of-its-maker', preparer, 'Approvals');
  await show('home-of-an-approver', approver, 'october.csv', '/');
  await show('review-of-an-approver', approver, 'Approve “october”', path(preparer.page.url()));
  await approve(approver, url, 'october.csv', 'october');
  await show('review-approved', preparer, /^Pay .* now$/, path(preparer.page.url()));
  await payIt(preparer, url, 'october.csv');
  await paidOf(preparer.page, '3 of 3 rows paid.');
  await show('batch-paid', preparer, '3 of 3 rows paid.', '/batches/october');
  await show('row-paid', preparer, 'SALARY OCT 1', '/batches/october/rows/oct-1');
  await show('funding', preparer, 'october', '/batches/october/funding');
  await show('trail', preparer, 'Petra Preparer', '/trail?batch=october');

  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'SALARY NOV 2' ? { kind: 'drop' } : undefined;
  await handIn(preparer, url, 'november.csv', csvOf(november));
  await askForPlan(preparer, 'november');
  await preparer.page.getByRole('link', { name: 'Review the plan' }).click();
  await show('review-with-warnings', preparer, 'Approvals');
  await approve(approver, url, 'november.csv', 'november');
  await payIt(preparer, url, 'november.csv');
  await preparer.page.getByRole('button', { name: 'Search at the service again' }).waitFor();
  await show('batch-in-doubt-and-held', preparer, 'in doubt', '/batches/november');
  await show('row-held', approver, 'SALARY NOV 1', '/batches/november/rows/nov-1');
  await show('row-in-doubt', approver, 'SALARY NOV 2', '/batches/november/rows/nov-2');

  const more = [...november, { ...kenyanRows(1)[0], row_id: 'nov-4', reference: 'SALARY NOV 4' }];
  await handIn(preparer, url, 'november-2.csv', csvOf(more));
  await show('sheet-of-a-known-batch', preparer, 'Plan as a new batch');
  await show('home', preparer, 'november-2.csv', '/');
  await show('batches', preparer, 'november', '/batches');
  await show('payees', preparer, 'Thandi Mokoena', '/payees');
  await preparer.page.getByRole('main').getByRole('link', { name: 'Thandi Mokoena' }).first().click();
  await show('payee', preparer, 'SALARY OCT 1');
  await show('settings', admin, 'Settings', '/settings');
  await show('health', admin, 'Health', '/health');
  await show('account', approver, 'Anton Approver', '/account');
  await show('words', preparer, 'What the words mean', '/words');
  await show('no-such-page', preparer, 'No such page', '/nowhere');
  await show('no-such-batch', preparer, 'Batches', '/batches/nope');
  await show('people-of-a-preparer', preparer, 'your name', '/people');
  await releaseHeldRow(approver, url);

  return { pages, barriers, alarms: [admin, preparer, approver].flatMap(({ alarms }) => alarms) };
}

async function releaseHeldRow({ page }: Seat, url: string): Promise<void> {
  await page.goto(`${url}/batches/november/rows/nov-1`);
  await page.getByRole('button', { name: 'Release this row' }).click();
  await page.getByLabel('Reason').fill('Asked her by telephone');
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Release it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await rowHere(page)).toMatchObject({ status: 'not sent', action: 'resume' });
}
