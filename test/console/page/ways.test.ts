/** Ways that are not straight, in a real Chromium: what only the file can mend, what looks paid, wrong documents, a job that could not begin, rows that the service refused, and doubts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { holdFile } from '../../../src/base/lock.ts';
import type { FundingLine, Mistake, Review, Upload } from '../../../src/console/api.ts';
import { alikeWords } from '../../../src/console/page/words.ts';
import type { Independent } from '../../independent/service.ts';
import { atPayment, quick } from '../../protocol/desk.ts';
import { csvOf, type Desk, deskFor, newService, type SheetRow } from '../../support.ts';
import {
  answer,
  axe,
  elsewhere,
  handIn,
  hear,
  lookNow,
  type Office,
  openBrowser,
  password,
  type Served,
  seatOffice,
  serve,
  settled,
  tellOfWindows,
  unfold,
} from './browser.ts';
import { approveHere, askForPlan, look, paidOf, plan, pressPay, rowsOf } from './steps.ts';

let browser: Browser | null = null;
let service: Independent;
let desk: Desk;
let served: Served;
let office: Omit<Office, 'admin'>;
/** References of payments that expire. */
const expires = new Set<string>();

beforeAll(async () => {
  browser = await openBrowser();
  if (browser === null) return;
  service = await newService({ expires });
  desk = deskFor(service, [], { ...quick, PAYRUN_CONCURRENCY: '1' });
  const sit = await seatOffice(browser, desk.ledger);
  served = await serve(desk.folder, desk.env, '--port', '0');
  office = await sit(served.url);
});
afterEach((context) => tellOfWindows(context, browser));
afterAll(async () => {
  await browser?.close();
  await served?.kill('SIGKILL');
});

const documents = join(import.meta.dirname, '../../../samples/documents');

/** From the plan that stands to the click on Pay, by way of the approver. */
async function approveAndPay(batch: string): Promise<void> {
  const { page } = office.preparer;
  await page.getByRole('link', { name: 'Review the plan' }).click();
  await approve(batch);
  await pressPay(page);
  await page.getByRole('heading', { name: `Batch ${batch}`, level: 1 }).waitFor();
}

async function approve(batch: string): Promise<void> {
  const { page } = office.approver;
  await page.goto(office.preparer.page.url());
  await approveHere(page, batch);
}

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

async function pay(file: string, batch: string, rows: readonly SheetRow[]): Promise<void> {
  await handIn(office.preparer, served.url, file, csvOf(rows));
  await askForPlan(office.preparer, batch);
  await approveAndPay(batch);
}

describe.skipIf(elsewhere)('off the straight way', () => {
  it('which rows are meant is asked once, and a button pays those that are ticked, or all', async () => {
    const { page } = office.preparer;
    const ticks = ['Include', 'no', 'yes', 'yes'];
    const lines = csvOf(rowsOf('Ticked', 900, 3))
      .trimEnd()
      .split('\n');
    const sheet = lines.map((line, nth) => `${line},${ticks[nth]}\n`).join('');
    await handIn(office.preparer, served.url, 'ticked.csv', sheet);
    await settled(page);
    const question = page.locator('section', {
      has: page.getByRole('heading', { name: 'Which rows are to be paid?' }),
    });
    await question.getByText('no: 1 row', { exact: true }).waitFor();
    expect(await question.getByRole('button', { name: 'Pay only the rows that are ticked' }).isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await question.getByRole('checkbox', { name: 'yes: 2 rows' }).check();
    await question.getByRole('button', { name: 'Pay only the rows that are ticked' }).click();
    await page.getByRole('button', { name: 'Decide again which rows are paid' }).click();
    await question.getByRole('button', { name: 'Pay all rows' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(async () => (await ask<Upload>(page, '')).counts.rows).toBe(3);
    expect(await ask<Upload>(page, '')).toMatchObject({ rowChoices: [{ column: 'Include', only: null }] });
  });

  it('what only the file can mend is named by its cells, and the mended file takes the place of the other', async () => {
    const { page } = office.preparer;
    const workbook = async (isMended: boolean) => {
      const book = new ExcelJS.Workbook();
      const sheet = book.addWorksheet('Payouts');
      const rows = rowsOf('Cells', 1000, 4);
      const header = Object.keys(rows[0] ?? {});
      sheet.addRows([header, ...rows.map((row) => header.map((name) => row[name]))]);
      if (!isMended) {
        const column = sheet.getColumn(header.indexOf('reference') + 1).letter;
        sheet.mergeCells(`${column}2:${column}3`);
        sheet.getRow(5).hidden = true;
      }
      return Buffer.from(await book.xlsx.writeBuffer());
    };
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await page.goto(`${served.url}/`);
    await page
      .getByLabel('Drop a CSV or XLSX file here')
      .setInputFiles({ name: 'cells.xlsx', mimeType, buffer: await workbook(false) });
    await page.getByRole('heading', { name: 'cells.xlsx', level: 1 }).waitFor();
    await settled(page);
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'To fix in the file' }) });
    await section.getByText(/^Cells [A-Z]2:[A-Z]3 are merged/).waitFor();
    await section.getByText(/^Row 5:/).waitFor();
    expect(await ask<Mistake[]>(page, '/mistakes')).toContainEqual(
      expect.objectContaining({ code: 'ROW_HIDDEN', firstRow: 5, rows: 1 }),
    );
    await section.getByRole('link', { name: 'Download the checked workbook' }).waitFor();
    const list = page.getByRole('region', { name: 'Mistakes' }).getByRole('row');
    const inFile = { hasText: 'Only in the' };
    await list
      .filter({ hasText: /Cells [A-Z]2:[A-Z]3 are merged/ })
      .filter(inFile)
      .waitFor();
    await list.filter({ hasText: 'cell is merged' }).filter(inFile).waitFor();
    expect(await axe(page)).toEqual([]);
    const old = page.url();
    await fixElsewhere(page, 4, '1002', '1500');
    await page.reload();
    await page.getByRole('region', { name: 'Fixed here' }).waitFor();
    await settled(page);
    await section.getByRole('button', { name: 'Upload the fixed file' }).click();
    await page
      .getByLabel('The fixed file:')
      .setInputFiles({ name: 'cells mended.xlsx', mimeType, buffer: await workbook(true) });
    await page.getByRole('button', { name: 'Upload it' }).click();
    await page.getByRole('heading', { name: 'cells mended.xlsx', level: 1 }).waitFor();
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    expect(await page.getByRole('heading', { name: /^To fix/ }).count()).toBe(0);
    await page.getByText(/cells\.xlsx, .*\b1 fix\b/).waitFor();
    await page.getByRole('row', { name: /^Cell [A-Z]4, .*cells\.xlsx 1002 1500 Petra Preparer/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await plan(office.preparer, 'cells');
    await page.getByRole('link', { name: 'Review the plan' }).click();
    await page.getByRole('row', { name: /^Cell [A-Z]4, amount, of cells\.xlsx/ }).waitFor();
    await page.goto(old);
    await page.getByRole('alert').waitFor();
    await expect(ask(page, '')).rejects.toThrow('SHEET_UNKNOWN');
  });

  it('what was typed for one row is not there for another, whose mistake is equal', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    const rows = rowsOf('Typed', 1300, 2).map((row) => ({ ...row, amount: '12.50' }));
    await handIn(office.preparer, served.url, 'typed.csv', csvOf(rows));
    await page.getByLabel('2 rows, amount: write').fill('98765');
    await page.getByRole('gridcell', { name: '12.50' }).first().dblclick();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: 'Fixed here' })
      .getByRole('row', { name: /^Row 2, amount/ })
      .waitFor();
    const other = page.getByLabel('Row 3, amount: write');
    await other.waitFor();
    expect(await other.inputValue()).toBe('12.50');
  });

  it('what was asked before a fix, and is answered after it, takes nothing of it back', async () => {
    const { page } = office.preparer;
    const rows = rowsOf('Late', 1900, 3).map((row, index) => ({ ...row, amount: index < 2 ? '12.50' : '99.50' }));
    await handIn(office.preparer, served.url, 'late.csv', csvOf(rows));
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

  it('what is typed in the table stays with its row, whatever is checked or mended meanwhile', {
    tags: ['long'],
  }, async () => {
    const { page } = office.preparer;
    const rows = rowsOf('Grid', 1600, 4).map((row, index) => ({ ...row, amount: `${12 + index}.50` }));
    await handIn(office.preparer, served.url, 'grid.csv', csvOf(rows));
    const fixed = page.getByRole('region', { name: 'Fixed here' }).getByRole('row', { name: /^Row/ });
    const open = async (row: number, amount: string, text: string) => {
      await page.getByRole('gridcell', { name: amount }).first().dblclick();
      const editor = page.getByLabel(`amount of row ${row}`);
      await editor.fill(text);
      return editor;
    };
    const editor = await open(3, '13.50', '98765');
    await fixElsewhere(page, 2, '12.50', '500');
    await lookNow(page);
    await page.getByRole('heading', { name: 'To fix: 3 rows' }).waitFor();
    expect(await editor.inputValue()).toBe('98765');
    // Another window, or the page itself, takes the focus: nothing was said yet.
    await page.evaluate(() => document.querySelector('h1')?.focus());
    await editor.press('Enter');
    await page.getByRole('heading', { name: 'To fix: 2 rows' }).waitFor();
    const told = [/^Row 2, amount\t12.50\t500/, /^Row 3, amount\t13.50\t98765/];
    await expect.poll(() => fixed.allInnerTexts()).toEqual(told.map((said) => expect.stringMatching(said)));

    // A colleague mends the very cell, and the check of it is over before this page looks again.
    const late = await open(4, '14.50', '77');
    await look(page, false);
    await fixElsewhere(page, 4, '14.50', '1700');
    await look(page, true);
    await page.getByRole('heading', { name: 'To fix: 1 row' }).waitFor();
    await expect.poll(() => fixed.count()).toBe(3);
    await late.press('Enter');
    await page.getByRole('alert').filter({ hasText: '“77” into row 4, amount' }).waitFor();
    await page.getByRole('rowheader', { name: /^4: / }).waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: /^5: to fix/ }).waitFor();
    expect(await fixed.count()).toBe(3);
  });

  it('a plan that takes the place of the one that was read is not approved and not paid', async () => {
    const { page } = office.preparer;
    const { page: approver } = office.approver;
    await handIn(office.preparer, served.url, 'swap.csv', csvOf(rowsOf('Swap', 1300, 3)));
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

    // Whoever is about to pay is told in the same way.
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

  it('a column that was matched wrongly is matched otherwise', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    const [row] = rowsOf('Match', 1100, 1);
    await handIn(office.preparer, served.url, 'match.csv', csvOf([{ ...row, payee_id: 'Anna', note: 'Anna Example' }]));
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    await unfold(page, 'Column name is');
    await page.getByLabel('Column name is').selectOption('');
    await page.getByLabel('Column note is').selectOption('name');
    await page.getByRole('button', { name: 'Use these columns' }).click();
    await settled(page);
    await page.getByRole('columnheader', { name: 'note' }).getByText('name').waitFor();
    await page.getByRole('columnheader', { name: 'name' }).getByText('not read').waitFor();
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
  });

  it('a wrong document is removed, and the one that its rows name is added', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    const rows = rowsOf('Docs', 1200, 2).map((row) => ({ ...row, documents: 'invoice-2041.pdf' }));
    await handIn(office.preparer, served.url, 'docs.csv', csvOf(rows));
    await page.getByRole('link', { name: 'Add the document' }).click();
    const add = async (name: string) => {
      await page.getByLabel('Add documents').setInputFiles(join(documents, name));
      await hear(page, `${name} was added.`);
    };
    await add('contract-overberg.pdf');
    await add('invoice-2041.pdf');
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    await page.getByRole('button', { name: 'Remove contract-overberg.pdf' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await hear(page, 'contract-overberg.pdf was removed.');
    await page.locator('.notice', { hasText: 'Ready to plan.' }).waitFor();
    expect(await page.getByRole('link', { name: 'contract-overberg.pdf', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'rows that name invoice-2041.pdf' }).click();
    await page.getByText('2 rows.').waitFor();
  });

  it('a job that could not begin says why, and a button tries it again', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    // The same twice, and both are approved.
    await handIn(office.preparer, served.url, 'twice.csv', csvOf(rowsOf('Once', 1300, 3)));
    await askForPlan(office.preparer, 'twice');
    await page.getByRole('link', { name: 'Review the plan' }).click();
    await approve('twice');
    const twice = page.url();
    await handIn(office.preparer, served.url, 'once.csv', csvOf(rowsOf('Once', 1300, 3)));
    await askForPlan(office.preparer, 'once');
    await page.getByRole('link', { name: 'Review the plan' }).click();
    await page.getByRole('heading', { name: 'Review of “once”' }).waitFor();
    await approve('once');
    // Its page may have looked, and shown the approval, before the answer to the click came.
    await expect.poll(() => office.approver.page.evaluate(() => document.activeElement?.textContent)).toBe('Approvals');
    await page.goto(`${served.url}/batches/once`);
    await page.getByRole('link', { name: 'Its review' }).click();
    // As a run at a terminal holds it.
    const lock = holdFile(`${desk.ledger}.lock`, Date.now(), () => new Error('it is held already'));
    await pressPay(page);
    await page
      .getByRole('alert')
      .filter({ hasText: /[Aa]nother run/ })
      .waitFor();
    lock.release();
    await page.goto(`${served.url}/`);
    await page.getByRole('link', { name: 'once.csv' }).click();
    await pressPay(page);
    await paidOf(page, '3 of 3 rows paid.');
    // The rows that were sent in one batch look like earlier payments in the other.
    await page.goto(`${served.url}/`);
    await page.getByRole('row', { name: new RegExp(`^twice\\.csv .*${alikeWords(3)}`) }).waitFor();
    await page.goto(twice);
    await page.getByText(alikeWords(3)).waitFor();
  });

  it('rows that look paid are listed before a reason is asked for, and the approver sees both', {
    tags: ['long'],
  }, async () => {
    const { page } = office.preparer;
    const again = rowsOf('Once', 1300, 3).map((row, index) => ({ ...row, row_id: `again-${index}` }));
    await handIn(office.preparer, served.url, 'again.csv', csvOf(again));
    await page.getByRole('listitem').filter({ hasText: 'looks like an' }).getByRole('button').click();
    await page.getByRole('rowheader', { name: /^4: looks like/ }).waitFor();
    // They have ids of their own, so no question is asked.
    expect(await ask<Upload>(page, '')).toMatchObject({ looksPaid: 3, sharedWith: [] });
    await page.getByLabel('Name of the batch').fill('again');
    const reason = 'A second delivery of the same';
    await page.getByLabel('Why rows that look paid').fill(reason);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByRole('link', { name: 'Review the plan' }).click();
    const { page: approver } = office.approver;
    await approver.goto(page.url());
    await approver.getByRole('alert').filter({ hasText: reason }).getByText(alikeWords(3)).waitFor();
    await approver.getByRole('button', { name: `Approve “again”, although ${alikeWords(3)}` }).waitFor();
    expect(await ask<Review>(approver, '/plan')).toMatchObject({ repeatsTotal: 3, repeatReason: reason });
    expect(await axe(approver)).toEqual([]);
    // Under a name of its own a sheet of the next numbers needs no reason, and the approver reads what it is like.
    const next = rowsOf('Once', 1300, 3).map((row, index) => ({
      ...row,
      row_id: `next-${index}`,
      reference: `${row.reference} b`,
    }));
    await handIn(office.preparer, served.url, 'next.csv', csvOf(next));
    await page.getByLabel('Name of the batch').fill('another');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByRole('link', { name: 'Review the plan' }).click();
    await page.getByRole('heading', { name: 'Review of “another”' }).waitFor();
    await approver.goto(page.url());
    await approver.getByText(alikeWords(3)).waitFor();
    await approver
      .getByRole('listitem')
      .filter({ hasText: /Row 4, Payee 3, 1,302 KES: .*\bonce\b/ })
      .waitFor();
    await approver.getByRole('button', { name: 'Approve “another”', exact: true }).waitFor();
    expect(await axe(approver)).toEqual([]);
  });

  it('a sheet of which nothing, or a part, is left to send says so', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    const rows = rowsOf('Once', 1300, 3);
    await handIn(office.preparer, served.url, 'once.csv', csvOf(rows));
    const sent = { batch: 'once', rows: 3, sent: 3, lacks: 0 };
    await page.getByRole('radio', { name: /^The next version of once, .* 3 of them/ }).waitFor();
    expect(await ask<Upload>(page, '')).toMatchObject({ sharedWith: [sent], counts: { rows: 3 } });
    // A plan of it that is refused says why, at the top too, and its form stays open.
    await page.getByRole('radio', { name: /^A new batch/ }).check();
    await page.getByLabel('Name of the batch').fill('second');
    await unfold(page, 'Why rows that look paid');
    await page.getByLabel('Why rows that look paid').fill('A bonus');
    await page.getByLabel('Number of rows').fill('99');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    const refused = page.getByRole('status').filter({ hasText: /was refused[\s\S]*Control/ });
    await refused.waitFor();
    await page.reload();
    await refused.waitFor();
    await page.getByRole('button', { name: 'Make the plan' }).waitFor();
    await page.getByRole('button', { name: 'Discard this sheet' }).click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    // With a row more it goes on as the same batch, and that row alone is sent.
    await handIn(office.preparer, served.url, 'more.csv', csvOf([...rows, ...rowsOf('Other', 1400, 1)]));
    const more = await ask<Upload>(page, '');
    expect(more).toMatchObject({ sharedWith: [sent], counts: { rows: 4 } });
    await page.getByRole('radio', { name: /^The next version of once, which has 3 rows of this sheet/ }).check();
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByRole('link', { name: 'Review the plan' }).click();
    await page.getByText(/^4 rows\b.*: 1\b/).waitFor();
    expect(await ask<Review>(page, '/plan')).toMatchObject({ rows: 4, rowsToSend: 1 });
  });

  it('a deposit that is waited for is copied to the letter', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    const ofIt = () => service.payments.filter(({ reference }) => reference.startsWith('Fund'));
    service.fault = () => {
      for (const one of ofIt()) Object.assign(one, { ends: 'never' });
      return undefined;
    };
    const [row] = rowsOf('Fund', 1450, 1);
    await pay('fund.csv', 'fund', [{ ...row, from_country: 'Nigeria' }]);
    await expect.poll(() => ofIt().length).toBe(1);
    const due = async () =>
      (await answer<FundingLine[]>(page, '/api/batches/fund/funding')).flatMap(({ details }) => details);
    await expect.poll(due).toContainEqual({ label: 'account', value: 'DE00 1234' });
    await page.getByRole('link', { name: 'Funding: what to deposit where' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [what, text] of [
      ['Account', 'DE00 1234'],
      ['Reference', 'Fund 1'],
    ] as const) {
      await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
      await hear(page, `${what} copied.`);
      expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(text);
    }
    service.fault = () => undefined;
    for (const one of ofIt()) Object.assign(one, { ends: 'success' });
    await page.goto(`${served.url}/batches/fund`);
    await paidOf(page, 'it is finished');
  });

  it('a doubt is settled by an approver, and rows that expired are sent again', { tags: ['long'] }, async () => {
    const { page } = office.preparer;
    const { page: approver } = office.approver;
    const before = service.calls.get('POST /payments') ?? 0;
    let isListBroken = false;
    expires.add('Doubt 2');
    // Its answer is lost, and the list does not tell what became of it.
    service.fault = (call) => {
      if (call.route === 'GET /payments' && isListBroken) return { kind: 'answer', status: 500 };
      const fault = atPayment(before + 3, { kind: 'drop', after: true })(call);
      if (fault !== undefined) isListBroken = true;
      return fault;
    };
    await pay('doubt.csv', 'doubt', rowsOf('Doubt', 1500, 3));
    await page.getByRole('button', { name: 'Search at the service again' }).waitFor();
    isListBroken = false;
    await page.getByRole('button', { name: 'in doubt: show these rows' }).click();
    const row = page.getByRole('region', { name: 'Rows', exact: true }).getByRole('link');
    await expect.poll(() => row.count()).toBe(1);
    await approver.goto(new URL((await row.getAttribute('href')) ?? '', served.url).href);
    await approver.getByRole('button', { name: 'It was paid' }).click();
    const payment = service.payments.find(({ reference }) => reference === 'Doubt 3');
    await approver.getByLabel('Payment').fill(String(payment?.id));
    await approver.getByLabel('Reason').fill('Seen on the statement');
    await approver.getByLabel('Your password').fill(password);
    await approver.getByRole('button', { name: 'Say that it was paid' }).click();
    await approver.getByRole('dialog').waitFor({ state: 'detached' });
    await approver.locator('.notice', { hasText: /^(Pending|Paid)\./ }).waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'unpaid: show these rows' }).click();
    await expect.poll(() => row.count()).toBe(1);
    await row.click();
    Object.assign(service.payments.find(({ reference }) => reference === 'Doubt 2') ?? {}, { ends: 'expired' });
    expires.clear();
    await approver.goto(page.url());
    for (const one of [approver, page]) await one.getByRole('button', { name: 'Do not pay this row' }).waitFor();
    expect(await axe(approver)).toEqual([]);
    await page.getByRole('button', { name: 'Try this row again' }).click();
    const reason = 'The account is open again';
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: 'Try it again' }).click();
    await page.getByText(/^3 rows\b.*: 1\b/).waitFor();
    await page.getByRole('status').filter({ hasText: reason }).waitFor();
    expect(await ask<Review>(page, '/plan')).toMatchObject({ rows: 3, rowsToSend: 1, again: { reason } });
    await approve('doubt');
    await pressPay(page);
    await page.getByRole('heading', { name: 'Batch doubt', level: 1 }).waitFor();
    await paidOf(page, '3 of 3 rows paid.');
    await page.getByRole('link', { name: 'Download the result' }).click();
    const [pack] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Evidence pack' }).click(),
    ]);
    const digest = createHash('sha256')
      .update(readFileSync(await pack.path()))
      .digest('hex');
    await page.getByText(digest).waitFor();
    await page.getByRole('link', { name: 'What the words mean' }).click();
    await page.getByRole('heading', { name: 'What the words mean', level: 1 }).waitFor();
    expect(await axe(page)).toEqual([]);
    expect([...office.preparer.alarms, ...office.approver.alarms]).toEqual([]);
  });
});
