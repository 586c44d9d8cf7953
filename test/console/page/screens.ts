/** Pictures of every page, in light, in dark and as wide as a phone, for docs/console: `npm run gen:screens`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fillOffice, handIn, openBrowser, type Seat, serve, settled, sit } from './browser.ts';
import { approveHere, pressPay } from './steps.ts';

const root = join(import.meta.dirname, '../../..');
const out = join(root, 'docs/console');
const looks = [
  { name: 'light', scheme: 'light', width: 1120, height: 760 },
  { name: 'dark', scheme: 'dark', width: 1120, height: 760 },
  { name: 'narrow', scheme: 'light', width: 400, height: 760 },
] as const;
const sample = (name: string) => readFileSync(join(root, 'samples', name), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'payrun-screens-'));
const browser = await openBrowser();
if (browser === null) throw new Error('this machine has no Chromium');
const served = await serve(folder, { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder }, '--sandbox', '--port', '0');
const { url } = served;
try {
  mkdirSync(out, { recursive: true });
  const guest = await sit(browser);
  await picture(guest, 'join', served.link ?? '');
  const office = await fillOffice(browser, served);
  const { admin, preparer, approver } = office;
  await picture(guest, 'login', `${url}/login`);
  await picture(preparer, 'home-empty', `${url}/`);

  await handIn(preparer, url, 'kenya.csv', sample('kenya.csv'));
  await planned(preparer, '2026-10');
  const review = `${preparer.page.url().split('?')[0]}/review`;
  await picture(approver, 'review', review);
  await approver.page.goto(review);
  await approveHere(approver.page, '2026-10');
  await picture(preparer, 'pay', review);
  await preparer.page.goto(review);
  await pressPay(preparer.page);
  await preparer.page.getByText('5 of 5 rows paid.').first().waitFor();
  await picture(preparer, 'batch', `${url}/batches/2026-10`);
  await preparer.page.goto(`${url}/batches/2026-10`);
  await picture(preparer, 'row', await hrefOf(preparer.page, 'Rows'));
  await picture(preparer, 'funding', `${url}/batches/2026-10/funding`);

  await handIn(preparer, url, 'mistakes.csv', sample('mistakes.csv'));
  await picture(preparer, 'sheet', preparer.page.url());
  await handIn(preparer, url, 'wise.csv', sample('other/wise.csv'));
  await picture(preparer, 'columns', preparer.page.url());
  await handIn(preparer, url, 'bitcoin.csv', sample('bitcoin.csv'));
  await planned(preparer, '2026-11');
  await picture(approver, 'home', `${url}/`);

  await picture(preparer, 'batches', `${url}/batches`);
  await picture(preparer, 'search', `${url}/batches?q=SALARY`);
  await picture(preparer, 'payees', `${url}/payees`);
  await preparer.page.goto(`${url}/payees`);
  await picture(preparer, 'payee', await hrefOf(preparer.page, 'Payees'));
  await picture(preparer, 'trail', `${url}/trail`);
  await picture(admin, 'people', `${url}/people`);
  await picture(admin, 'settings', `${url}/settings`);
  await picture(admin, 'health', `${url}/health`);
  await picture(preparer, 'account', `${url}/account`);
} finally {
  await browser.close();
  await served.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function planned({ page }: Seat, batch: string): Promise<void> {
  await page.getByLabel('Name of the batch').fill(batch);
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('link', { name: 'Review the plan' }).waitFor();
  await settled(page);
}

/** The first link in a table. */
async function hrefOf(page: Page, region: string): Promise<string> {
  const path = await page
    .getByRole('region', { name: region, exact: true })
    .getByRole('link')
    .first()
    .getAttribute('href');
  return new URL(path ?? '/', url).href;
}

async function picture({ page }: Seat, name: string, address: string): Promise<void> {
  for (const { name: look, scheme, width, height } of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    await page.goto('about:blank');
    await page.goto(address);
    await page.locator('h1').waitFor();
    // What is read after the page itself.
    await page.waitForTimeout(700);
    // The ledger stands where this machine happens to have room: in the pictures, where it stands for people.
    await page.evaluate(
      ([here, there]) => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
          node.nodeValue = node.nodeValue?.replaceAll(here, there) ?? null;
      },
      [folder, '/home/ada/.local/state'] as const,
    );
    const session = await page.context().newCDPSession(page);
    // A page with much text is larger, so its picture has a lower quality.
    let bytes = Buffer.alloc(0);
    for (let quality = 55; quality > 0 && (bytes.length === 0 || bytes.length > 50_000); quality -= 10) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
      bytes = Buffer.from(data, 'base64');
    }
    if (bytes.length > 50_000) throw new Error(`the picture of ${name} in ${look} has ${bytes.length} bytes`);
    writeFileSync(join(out, `${name}-${look}.webp`), bytes);
  }
}
