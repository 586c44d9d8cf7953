/** Buttons of which one is pressed while another works, and those that decide on a held row or a pause, in a real Chromium. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { quick } from '../../protocol/desk.ts';
import { csvOf, type Desk, deskFor, newService } from '../../support.ts';
import { elsewhere, handIn, type Office, openBrowser, password, type Served, seatOffice, serve } from './browser.ts';
import { plan, rowsOf } from './steps.ts';

let browser: Browser | null = null;
let desk: Desk;
let served: Served;
let office: Omit<Office, 'admin'>;

beforeAll(async () => {
  browser = await openBrowser();
  if (browser === null) return;
  desk = deskFor(await newService(), [], quick);
  const sit = await seatOffice(browser, desk.ledger);
  served = await serve(desk.folder, desk.env, '--port', '0');
  office = await sit(served.url);
});
afterAll(async () => {
  await browser?.close();
  await served?.kill('SIGKILL');
});

/** Of a sheet that the preparer has planned: its review before the approver. */
async function toReview(batch: string): Promise<void> {
  const { page } = office.preparer;
  await handIn(office.preparer, served.url, `${batch}.csv`, csvOf(rowsOf(batch, 1000 + made.push(batch) * 100, 2)));
  await plan(office.preparer, batch);
  await office.approver.page.goto(`${page.url().split('?')[0]}/review`);
}
const made: string[] = [];

async function declineIt(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Decline it' }).click();
  await page
    .getByText(/^Declined by Anton Approver/)
    .filter({ hasText: reason })
    .waitFor();
}

describe.skipIf(elsewhere)('buttons', () => {
  it('Decline that is pressed while Approve works is carried out after it', async () => {
    const { page } = office.approver;
    await toReview('both');
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Approve “both”' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('1 given').waitFor();
    await declineIt(page, 'The second row is wrong');

    // The other way round: what approving is refused for is told also where its button is gone.
    await toReview('neither');
    const { promise: declined, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/approve', async (route) => await declined.then(() => route.continue()));
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Approve “neither”' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await declineIt(page, 'Both rows are wrong');
    letGo();
    await page.getByText('This plan waits for nothing any more.').waitFor();
    await page.unroute('**/approve');
  });
});
