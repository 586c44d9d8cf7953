/**
 * `npm run bench:page`: how long the page's own tasks hold it while a sheet of 100,000 rows is open, in seconds on the clock and
 * in the processor's, which other programs on the machine do not lengthen; and how soon the first page is there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { becomeFirst, handIn, invite, joinBy, openBrowser, serve, sit } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
const browser = await openBrowser();
if (browser === null) throw new Error('this machine has no Chromium');
const served = await serve(folder, { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder }, '--sandbox', '--port', '0');
try {
  const [admin, preparer] = await Promise.all([sit(browser), sit(browser)]);
  await becomeFirst(admin, served.link ?? '', 'Ada Admin');
  await joinBy(preparer, await invite(admin, served.url, 'Petra Preparer', 'preparer'));
  const rows = Array.from(
    { length: 100_000 },
    (_, index) =>
      `k${index + 1},Payee ${index + 1},${index % 50 === 7 ? 'Keyna' : 'Kenya'},+2547${12_000_000 + index},${450 + (index % 90)},Ref ${index + 1}\n`,
  );
  const header = 'row_id,name,country,contact_number,amount,reference\n';
  await handIn(preparer, served.url, 'large.csv', `${header}${rows.join('')}`);
  const sheet = preparer.page.url();
  // A window that never held the file itself.
  const page = await preparer.page.context().newPage();
  await preparer.page.close();
  for (const [name, address, there] of [
    ['first page', `${served.url}/`, page.getByRole('heading', { name: 'Upload a sheet' })],
    ['first page again', `${served.url}/`, page.getByRole('heading', { name: 'Upload a sheet' })],
    ['sheet with its rows', sheet, page.getByRole('gridcell').first()],
  ] as const) {
    const begin = performance.now();
    await page.goto(address);
    await there.waitFor();
    console.log(`${name}: ${Math.round(performance.now() - begin)} ms`);
  }
  const session = await page.context().newCDPSession(page);
  const grid = page.getByRole('grid');
  const rest = () => page.waitForTimeout(400);
  await measured(session, 'all rows', async () => {
    await page.getByLabel('Show', { exact: true }).selectOption('all');
    await page.getByText(/^100.000 rows\.$/).waitFor();
  });
  await measured(session, 'scrolled to its end in 40 steps', async () => {
    for (let step = 1; step <= 40; step += 1) {
      await grid.evaluate((element, part) => {
        element.scrollTop = (element.scrollHeight * part) / 40;
      }, step);
      await page.waitForTimeout(40);
    }
    await rest();
  });
  await measured(session, 'a row, and twenty pages up by the keyboard', async () => {
    await grid.getByRole('rowheader').last().click();
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('PageUp');
    await rest();
  });
  await measured(session, 'filtered', async () => {
    await page.getByLabel('Show', { exact: true }).selectOption('to_fix');
    await page.getByText(/^2.000 rows\.$/).waitFor();
  });
  await measured(session, 'searched', async () => {
    await page.getByLabel('Search in the rows').fill('Ref 99958');
    await page.getByText(/^1 row\.$/).waitFor();
  });
  await measured(session, 'a fix opened', async () => {
    await grid.getByRole('gridcell').first().dblclick();
    await rest();
  });
} finally {
  await browser.close();
  await served.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, of the clock and of the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: unknown };
}

async function measured(session: CDPSession, what: string, act: () => Promise<void>): Promise<void> {
  const events: TraceEvent[] = [];
  const keep = ({ value }: { readonly value: readonly object[] }) => events.push(...(value as readonly TraceEvent[]));
  session.on('Tracing.dataCollected', keep);
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } });
  await act();
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', keep);
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && pages.has(threadOf(event)));
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    Math.round(tasks.reduce((most, event) => Math.max(most, of(event) ?? 0), 0) / 1000);
  console.log(
    `${what}: ${tasks.length} tasks, the longest ${longest(({ dur }) => dur)} ms on the clock, ${longest(({ tdur }) => tdur)} ms of processor time`,
  );
}
