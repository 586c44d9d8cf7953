/** Each everyday change of a batch, by the page's buttons: how many clicks it takes, and what it is refused for. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { quickPasswords, stretchCheaply } from '../../stretched-once.ts';
import { csvOf, deskFor, kenyanRows, newService, type SheetRow } from '../../support.ts';
import {
  elsewhere,
  handIn,
  type Office,
  openBrowser,
  type Served,
  seatOffice,
  serve,
  sheetHere,
  tellOfWindows,
} from './browser.ts';
import { approve, paidOf, payIt, plan } from './steps.ts';

stretchCheaply();

let browser: Browser | null = null;
let served: Served;
let office: Omit<Office, 'admin'>;
/** The service refuses this row as long as it goes to the first account. */
const refused = '+254712345611';
beforeAll(async () => {
  browser = await openBrowser();
  if (browser === null) return;
  const service = await newService();
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && JSON.stringify(service.merchants.get(String(body.merchantId))).includes(refused)
      ? { kind: 'answer', status: 422 }
      : undefined;
  const desk = deskFor(service, [], { ...quickPasswords, PAYRUN_CONCURRENCY: '1' });
  const seats = await seatOffice(browser, desk.ledger);
  served = await serve(desk.folder, desk.env, '--port', '0');
  office = await seats(served.url);
});
afterEach((context) => tellOfWindows(context, browser));
afterAll(async () => {
  await browser?.close();
  await served?.kill('SIGKILL');
});

/** Sheets as offices keep them, without ids. */
const rows: readonly SheetRow[] = kenyanRows(3).map(({ row_id: _id, ...row }) => row);
const [first, second, third] = rows as [SheetRow, SheetRow, SheetRow];
const corrected = { ...second, contact_number: '+254712345699' };
const late = { ...third, contact_number: '+254712345677', reference: 'Ref 4' };

const click = async (page: Page, button: string) =>
  await page.getByRole('button', { name: button, exact: true }).click();
const isPlanned = async (page: Page) => await page.getByRole('link', { name: 'Review the plan' }).waitFor();

async function paid(file: string): Promise<void> {
  await approve(office.approver, served.url, file, 'nov');
  await payIt(office.preparer, served.url, file);
}

describe.skipIf(elsewhere)('the next version of a batch', () => {
  it('takes at most two clicks to a made plan, and one refusal', async () => {
    const { preparer } = office;
    const { page } = preparer;
    await handIn(preparer, served.url, 'nov.csv', csvOf(rows));
    await plan(preparer, 'nov');
    await paid('nov.csv');
    await paidOf(page, '2 of 3 rows paid.');

    // A second person uploads a list of their own, and waits.
    const other = await page.context().newPage();
    await handIn({ ...preparer, page: other }, served.url, 'other.csv', csvOf([first, second, late]));

    await handIn(preparer, served.url, 'corrected.csv', csvOf([first, corrected, third]));
    await click(page, 'Plan as the next version of nov');
    await page.locator('form').getByRole('alert').waitFor();
    expect((await sheetHere(page)).job?.confirms).toEqual({ batch: 'nov', add: 1, change: 0, close: 1, mayKeep: true });
    await page.getByRole('button', { name: 'Make the plan: only add 1 row', exact: true }).waitFor();
    await click(page, 'Make the plan: add 1 row, close 1 row');
    await isPlanned(page);
    await paid('corrected.csv');
    await paidOf(page, '3 of 4 rows paid.');

    await handIn(preparer, served.url, 'late.csv', csvOf([first, corrected, third, late]));
    await click(page, 'Plan as the next version of nov: add 1 row');
    await isPlanned(page);

    // While a plan of the batch waits, the page of another sheet offers none, and links that plan.
    await other.getByRole('link', { name: 'review the plan that waits' }).waitFor();
    expect(await other.getByRole('button', { name: /^Plan as the next version/ }).count()).toBe(0);
    await paid('late.csv');
    await paidOf(page, '4 of 5 rows paid.');

    // The other list was compared with the first version. One refusal names what it would undo.
    await other.getByText('2 rows are').waitFor();
    await click(other, 'Plan as the next version of nov');
    const alert = other.locator('form').getByRole('alert');
    await alert.getByText('(Payee 2): ').waitFor();
    const newest = other.getByText('late.csv (by Petra Preparer, ');
    expect(await newest.count(), 'the page shows the refusal once').toBe(1);
    await click(other, 'Make the plan: change 1 row');
    await isPlanned(other);
    await other.close();
  });
});
