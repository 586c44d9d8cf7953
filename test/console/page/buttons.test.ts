/** Buttons of which one is pressed while another works, and those that decide on a held row or a pause, in a real Chromium. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Batch, ErrorAnswer, Review, Session } from '../../../src/console/api.ts';
import { payingWords } from '../../../src/console/page/words.ts';
import { newPlace } from '../../ledger/stores.ts';
import { atPayment, quick } from '../../protocol/desk.ts';
import { command, csvOf, type Desk, deskFor, newFolder, newService } from '../../support.ts';
import {
  answer,
  axe,
  elsewhere,
  handIn,
  hear,
  type Office,
  openBrowser,
  password,
  rowHere,
  type Served,
  seatOffice,
  serve,
  sheetHere,
  tellOfWindows,
} from './browser.ts';
import { approveHere, goOn, look, paidOf, plan, rowsOf, wholeWay } from './steps.ts';

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
afterEach((context) => tellOfWindows(context, browser));
afterAll(async () => {
  await browser?.close();
  await served?.kill('SIGKILL');
});

/** Of a sheet that the preparer has planned: its review before the approver. */
async function toReview(batch: string): Promise<void> {
  const { page } = office.preparer;
  await handIn(office.preparer, served.url, `${batch}.csv`, csvOf(rowsOf(batch, 1000 + made.push(batch) * 100, 2)));
  await plan(office.preparer, batch);
  await office.approver.page.goto(`${sheetOf(page)}/review`);
}

/** Of the page that shows it. */
const sheetOf = (page: Page) => page.url().replace(/[?#].*/, '');
const made: string[] = [];

async function declineIt(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Decline it' }).click();
  await page
    .getByText(/^Declined .*Anton Approver/)
    .filter({ hasText: reason })
    .waitFor();
}

describe.skipIf(elsewhere)('buttons', () => {
  it('Decline that is pressed while Approve works is carried out after it', { tags: ['long'] }, async () => {
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
    const refused = page.waitForResponse('**/approve');
    letGo();
    const { code, message } = (await (await refused).json()) as ErrorAnswer;
    expect(code).toBe('PLAN_MOVED');
    await page.getByText(message).waitFor();
    await page.unroute('**/approve');
  });

  it('a batch of which every row is held says who does what next, down to the last row: not paid, or released after all', {
    tags: ['long'],
  }, async () => {
    const { page } = office.preparer;
    const { page: approver } = office.approver;
    await wholeWay(office, served.url, rowsOf('Oct', 1000, 2), 'oct');
    await paidOf(page, '2 of 2 rows paid.');
    const rows = rowsOf('Nov', 2000, 2);
    const moved = rows.map((row, index) => ({ ...row, contact_number: `+25471299900${index}` }));
    await handIn(office.preparer, served.url, 'nov.csv', csvOf(moved));
    await plan(office.preparer, 'nov');
    await approver.goto(`${sheetOf(page)}/review`);
    await approveHere(approver, 'nov');
    const review = await sheetHere<Review>(page, '/plan');
    expect(review).toMatchObject({ rowsToSend: 0, heldTotals: [{ rows: 2 }] });
    await page.goto(approver.url());
    await page.getByRole('button', { name: 'Import it: every row is held' }).click();
    const { service } = await answer<Session>(page, '/api/session');
    for (const words of payingWords(review, service)) await page.getByRole('dialog').getByText(words).waitFor();
    await page.getByRole('button', { name: 'Import it', exact: true }).click();
    const held = { action: 'release', at: { status: 'held', number: 2 } };
    for (const { page: one } of [office.preparer, office.approver]) {
      if (one !== page) await one.goto(page.url());
      await one.getByRole('link', { name: 'Open row 2, Payee 1' }).waitFor();
      await expect.poll(async () => (await answer<Batch>(one, '/api/batches/nov')).next).toMatchObject([held]);
    }
    expect(await axe(approver)).toEqual([]);

    await approver.getByRole('link', { name: 'Open row 3' }).click();
    await approver.getByRole('button', { name: 'Release this row' }).click();
    await approver.getByLabel('Reason').fill('Asked her by telephone');
    await approver.getByLabel('Your password').fill(password);
    await look(approver, false);
    await page.getByRole('link', { name: 'Open row 3' }).click();
    await page.getByRole('button', { name: 'Do not pay this row' }).click();
    await page.getByLabel('Reason').fill('She has left');
    await page.getByRole('button', { name: 'It is not to be paid' }).click();
    await expect.poll(() => rowHere(page)).toMatchObject({ status: 'closed', action: 'reopen' });

    await approver.getByRole('button', { name: 'Release it' }).click();
    await approver.getByRole('dialog').getByRole('alert').waitFor();
    await look(approver, true);
    await approver.getByRole('dialog').waitFor({ state: 'detached' });
    await approver.getByRole('button', { name: 'Open this row again' }).click();
    for (const field of ['Reason', 'Your password'])
      expect(await approver.getByLabel(field).inputValue(), 'typed for another question').toBe('');
    await approver.goto(`${served.url}/batches/nov`);
    await approver.getByRole('link', { name: 'Open row 2, Payee 1' }).click();
    await approver.getByRole('button', { name: 'Release this row' }).click();
    await approver.getByLabel('Reason').fill('Asked her by telephone');
    await approver.getByLabel('Your password').fill(password);
    await look(approver, false);
    await approver.getByRole('button', { name: 'Release it' }).click();
    await expect.poll(() => rowHere(approver)).toMatchObject({ status: 'not sent', action: 'resume' });
    await page.goto(`${served.url}/batches/nov`);
    await page.getByRole('button', { name: 'Continue: send up to 1 row' }).click();
    const question = page.getByRole('dialog', { name: 'Continue “nov”?' });
    await question.getByText('1 payment: 2,000 KES').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.route('**/resume', async (route) => await route.abort(), { times: 1 });
    await goOn(page);
    await question.getByRole('alert').getByText('not known').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    // The foot of the page shows the failure of a request whose dialog was closed.
    const { promise: closed, resolve: fail } = Promise.withResolvers<void>();
    await page.route('**/resume', async (route) => await closed.then(() => route.abort()), { times: 1 });
    await goOn(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    fail();
    await hear(page, 'not known');
    const isInSight = (said: Element) => {
      scrollTo(0, 0);
      const { x, y, width, height } = said.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === said;
    };
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 600 });
      expect(await page.locator('.said').evaluate(isInSight), `at ${width} pixels`).toBe(true);
    }
    await goOn(page);
    await paidOf(page, '1 of 2 rows paid.');
    await expect.poll(async () => (await answer<Batch>(page, '/api/batches/nov')).next).toEqual([]);
  });

  it('Stop and Go on where others may send beside it; a pause of a terminal is ended by an approver', {
    tags: ['long'],
  }, async () => {
    if (browser === null) return;
    const ledger = { PAYRUN_LEDGER: await newPlace('Postgres'), PAYRUN_LEDGER_FILES: join(newFolder(), 'files') };
    const service = await newService();
    const { promise: stopped, resolve: letGo } = Promise.withResolvers<void>();
    // The first one goes alone.
    service.fault = atPayment(1, { kind: 'hold', until: stopped });
    const own = deskFor(service, [], { ...quick, PAYRUN_HTTP_TIMEOUT: '60s', ...ledger });
    const sit = await seatOffice(browser, ledger.PAYRUN_LEDGER);
    const other = await serve(own.folder, own.env, '--port', '0');
    onTestFinished(async () => await other.kill('SIGKILL'));
    const seats = await sit(other.url);
    const { page } = seats.preparer;
    const { page: approver } = seats.approver;
    await wholeWay(seats, other.url, rowsOf('Fleet', 3000, 4), 'fleet');
    await expect.poll(() => service.calls.get('POST /payments')).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.notice strong', { hasText: 'Petra Preparer' }).waitFor();
    expect((await answer<Batch>(page, '/api/batches/fleet')).job).toMatchObject({
      state: 'stopping',
      code: 'JOB_STOPPING',
    });
    letGo();
    const more = page.getByRole('button', { name: 'Continue: send up to 3 rows' });
    await more.waitFor();
    await page.getByText('stopped at the console by Petra Preparer').waitFor();
    const pause = async (...argv: string[]) => expect((await command(own, ['pause', 'fleet', ...argv])).exit).toBe(0);
    await pause('--end');
    const call = 'the bank called';
    await pause('--reason', call);
    await page.getByText(new RegExp(call, 'i')).waitFor();
    expect((await answer<Batch>(page, '/api/batches/fleet')).paused).toMatchObject([{ what: 'batch', reason: call }]);
    expect(await more.count()).toBe(0);
    await approver.goto(page.url());
    await approver.getByRole('button', { name: 'End the pause' }).click();
    await approver.getByLabel('Reason').fill('Asked the bank');
    await approver.getByRole('dialog').getByRole('button', { name: 'End the pause' }).click();
    await hear(approver, 'pause is ended');
    await goOn(page);
    await paidOf(page, '4 of 4 rows paid.');
    expect(service.payments).toHaveLength(4);
  });
});
