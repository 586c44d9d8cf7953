/** What people do at the page from a sheet to its paid batch, click by click: shared by the page's tests. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Review, Session } from '../../../src/console/api.ts';
import { payingWords } from '../../../src/console/page/words.ts';
import { batchMessages } from '../../../src/messages/web/batch-messages.ts';
import { csvOf, kenyanRows, type SheetRow } from '../../support.ts';
import { answer, handIn, lookNow, type Office, password, type Seat, sheetHere } from './browser.ts';

/** Rows that look like those of no other sheet: what was paid a moment ago is not paid again by another name. */
export const rowsOf = (reference: string, amount: number, count: number): SheetRow[] =>
  kenyanRows(count).map((row, index) => ({
    ...row,
    row_id: `${reference}-${index + 1}`,
    amount: String(amount + index),
    reference: `${reference} ${index + 1}`,
  }));

export async function askForPlan({ page }: Seat, batch: string): Promise<void> {
  await page.getByLabel(/^Name of (the|a new) batch/).fill(batch);
  await page.getByRole('button', { name: /^(Make the plan|Plan as a new batch)$/ }).click();
}

export async function plan(seat: Seat, batch: string): Promise<void> {
  await askForPlan(seat, batch);
  await seat.page.getByRole('link', { name: 'Review the plan' }).waitFor();
}

export async function approve({ page }: Seat, base: string, file: string, batch: string): Promise<void> {
  await page.goto(`${base}/`);
  await page.getByRole('link', { name: file }).click();
  await approveHere(page, batch);
}

/** On the page of its plan. */
export async function approveHere(page: Page, batch: string): Promise<void> {
  const field = page.getByLabel('Your password');
  await field.fill(password);
  await page.getByRole('button', { name: `Approve “${batch}”` }).click();
  await field.waitFor({ state: 'detached' });
  expect((await sheetHere(page)).state).toBe('approved');
}

/** The button that pays asks first, with what it will do. */
export async function pressPay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Pay .* now$/ }).click();
  const dialog = page.getByRole('dialog');
  const { service } = await answer<Session>(page, '/api/session');
  const told = payingWords(await sheetHere<Review>(page, '/plan'), service);
  const lines = dialog.getByRole('listitem');
  await lines.first().waitFor();
  expect(await lines.allTextContents()).toEqual(told);
  await dialog.getByRole('button', { name: /^Pay \d/ }).click();
}

export async function payIt({ page }: Seat, base: string, file: string): Promise<void> {
  await page.goto(`${base}/`);
  await page.getByRole('link', { name: file }).click();
  await pressPay(page);
  await page.getByRole('heading', { name: /^Batch/, level: 1 }).waitFor();
  const batch = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  // Nothing reads as if it were to be paid once more.
  expect(await page.getByText(batchMessages.BATCH_MISSING({ batch })).count()).toBe(0);
  await page.goBack();
  await page
    .getByRole('link', { name: new RegExp(`\\bbatch ${batch}$`, 'i') })
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: /^Pay .* now$/ }).count()).toBe(0);
  await page.goForward();
  await page.getByRole('heading', { name: /^Batch/, level: 1 }).waitFor();
}

export async function wholeWay(
  office: Omit<Office, 'admin'>,
  base: string,
  rows: readonly SheetRow[],
  batch: string,
): Promise<void> {
  await handIn(office.preparer, base, `${batch}.csv`, csvOf(rows));
  await plan(office.preparer, batch);
  await approve(office.approver, base, `${batch}.csv`, batch);
  await payIt(office.preparer, base, `${batch}.csv`);
}

/** Of the batch's page, once nothing of it moves any more. */
export async function paidOf(page: Page, paid: string): Promise<void> {
  await page.getByText(paid).first().waitFor();
}

/** Goes on, and answers the question about what is sent. */
export async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Continue: send up to/ }).click();
  await page.getByRole('button', { name: 'Send them' }).click();
}

/** Goes on, or looks at the service, as often as the page offers it, until all is paid. */
export async function finish(page: Page, paid: string): Promise<void> {
  const all = page.getByText(paid).first();
  const more = page.getByRole('button', { name: /^(Continue\b.*|Search at the service again)$/ });
  const answers = page.getByRole('dialog').getByRole('button', { name: /^(Send them|Close)$/ });
  for (let looks = 0; looks < mostLooks; looks += 1) {
    await all.or(more).first().waitFor();
    if (await all.isVisible()) return;
    const [button] = [...(await answers.elementHandles()), ...(await more.elementHandles())];
    // A button that goes before it is clicked, or that a dialog covers by then, is waited for no longer.
    await button?.click({ timeout: 10_000 }).catch(async (error: unknown) => {
      const isCovered = (await page.getByRole('dialog').count()) > 0;
      if (!isCovered && (await button.evaluate((element) => element.isConnected))) throw error;
    });
  }
  await all.waitFor();
}

/** More often no batch here needs it: one that does never ends. */
const mostLooks = 50;

/** Whether the page looks by itself for what changed; at once where it does so again. */
export async function look(page: Page, looks: boolean): Promise<void> {
  await page.evaluate(
    (hidden) => void Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true }),
    !looks,
  );
  if (looks) await lookNow(page);
}
