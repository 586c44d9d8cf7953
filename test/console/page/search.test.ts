/** The search field in a browser whose clock the test moves: each letter counts, however late the page is. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../support.ts';
import { becomeFirst, elsewhere, openBrowser, type Served, serve, sit, tellOfWindows } from './browser.ts';

let browser: Browser | null = null;
let served: Served;
let page: Page;
let searches: (string | null)[];
beforeAll(async () => {
  browser = await openBrowser();
  if (browser === null) return;
  served = await serve(newFolder(), {}, '--sandbox', '--port', '0');
  const seat = await sit(browser);
  if (served.link === null) throw new Error('somebody has an account already');
  await becomeFirst(seat, served.link, 'Ada Admin');
  page = seat.page;
  await page.clock.install({ time: 0 });
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/search') searches.push(searchParams.get('q'));
  });
});
beforeEach(async () => {
  await page.goto(`${served.url}/batches`);
  await field().waitFor();
  const now = await page.evaluate(() => Date.now());
  // The page draws at each 16th millisecond, and its effects follow.
  await page.clock.pauseAt(Math.ceil(now / 16) * 16 + 1600);
  searches = [];
});
afterEach(async (context) => {
  await tellOfWindows(context, browser);
  await page.clock.resume();
});
afterAll(async () => {
  await browser?.close();
  await served?.kill('SIGKILL');
});

const field = () => page.getByLabel('Search', { exact: true });
const passes = (ms: number) => page.clock.runFor(ms);

describe.skipIf(elsewhere)('the search field', () => {
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

  it.each([292, 300, 308, 316, 324])('keeps a letter that is typed %i ms after the first', async (ms) => {
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
