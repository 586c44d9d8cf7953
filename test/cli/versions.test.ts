/** The facts of a refused version, and of the plan that takes a row back. test/tables/versions.test.ts has every refusal. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  noted,
  refusalOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(4);
const three = rows.slice(0, 3);
const other = (row: SheetRow): SheetRow => ({ ...row, amount: '999' });

/** A batch of which the first row was sent, and the others were not. */
async function begun() {
  const service = await newService();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  const desk = deskFor(service, three);
  const give = async (next: readonly SheetRow[], ...flags: string[]) => await run(desk, next, ...flags);
  expect((await give(three)).exit).toBe(25);
  service.fault = () => undefined;
  const paid = () => service.payments.map(({ reference, amount }) => `${reference} ${amount}`).sort();
  return { desk, give, paid };
}

async function run(desk: Desk, sheet: readonly SheetRow[], ...flags: string[]) {
  writeFileSync(desk.sheet, csvOf(sheet));
  return await command(desk, [
    'run',
    desk.sheet,
    '--json',
    '--batch',
    'nov',
    '--wait',
    '20s',
    '--concurrency',
    '1',
    ...flags,
  ]);
}

it('a dropped row comes back by no older sheet, and by a plan that shows it', async () => {
  const { desk, give, paid } = await begun();
  expect(refusalOf(await give([other(rows[1]!), rows[3]!], '--add'))).toMatchObject({
    code: 'ADDITION_CHANGES_ROWS',
    facts: { rows: { total: 1, shown: [{ row: 2, changes: [{ column: 'amount', was: 101, now: 999 }] }] } },
  });
  const refused = await give(three.slice(0, 2));
  const money = [{ amount: '102', currency: 'KES' }];
  expect(refusalOf(refused)).toMatchObject({
    code: 'ROWS_DROPPED',
    facts: { batch: 'nov', rows: { total: 1 }, money },
  });
  const dropped = await give(three.slice(0, 2), '--drop');
  expect([dropped.exit, documentOf(dropped).notes]).toEqual([
    0,
    expect.arrayContaining([
      expect.objectContaining({
        note: 'rows-dropped',
        rows: { shown: [expect.objectContaining({ key: 'k3' })], total: 1 },
      }),
    ]),
  ]);
  expect(paid()).toEqual(['Ref 1 100', 'Ref 2 101']);
  const explained = JSON.parse((await command(desk, ['explain', 'nov', 'k3', '--json'])).out);
  expect(JSON.parse(explained.row.closed)).toEqual({
    by: expect.stringMatching(/\w/),
    at: expect.any(Number),
    why: { sheet: expect.stringMatching(/csv$/) },
  });
  const older = await give(three, '--add');
  expect(refusalOf(older)).toMatchObject({
    code: 'OLDER_VERSION',
    facts: { batch: 'nov', rows: { total: 1, shown: [{ row: 4, gone: 'removed' }] } },
  });

  for (const shell of ['run', 'plan']) {
    const elsewhere = await command(desk, [shell, desk.sheet, '--batch', 'dec', '--json']);
    expect(refusalOf(elsewhere)).toMatchObject({ code: 'SHEET_LOOKS_PAID', facts: { batch: 'nov', addition: null } });
  }

  const plan = ['plan', desk.sheet, '--batch', 'nov', '--add', '--json'];
  const { plan_digest, problems } = documentOf(await command(desk, plan));
  expect(problems.map(({ code, row }) => [code, row])).toContainEqual(['TAKES_BACK', 4]);
  expect((await give(three, '--add', '--approve', plan_digest ?? '')).exit).toBe(0);
  expect(paid()).toEqual(['Ref 1 100', 'Ref 2 101', 'Ref 3 102']);
});

/** The service refuses the payments with these references, until a test removes the fault. */
async function refusing(sheet: readonly SheetRow[], reference: string, ...flags: string[]) {
  const service = await newService();
  const desk = deskFor(service, sheet, { PAYRUN_USER_ID: service.userId });
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === reference
      ? { kind: 'answer', status: 422, body: { message: 'no' } }
      : undefined;
  const give = async (next: readonly SheetRow[], ...more: string[]) =>
    documentOf(await run(desk, next, ...flags, ...more));
  return { service, desk, give };
}

describe.concurrent('an unpaid row goes again if its sheet corrects', () => {
  const [first, second] = rows as [SheetRow, SheetRow];

  it.each([
    ['the payee', { name: 'Payee Two' }],
    ['the collection method', { collection_method: 'BANK_TRANSFER' }],
  ])('%s', async (_, corrected) => {
    const collected = { ...second, from_country: 'Kenya', collection_method: 'MOMO' };
    const { service, give } = await refusing([first, collected], 'Ref 2', '--allow-momo-push');
    expect((await give([first, collected])).rows).toMatchObject({ paid: 1, unpaid: 1 });
    service.fault = () => undefined;
    expect((await give([first, collected])).rows).toMatchObject({ paid: 1, unpaid: 1 });
    expect((await give([first, { ...collected, ...corrected }])).sent).toBe(1);
  });

  it('the amount, in a sheet without row ids, by the command that the run prints', async () => {
    const [whole, wrong] = [first, second].map((row) => ({ ...row, row_id: '' })) as SheetRow[] as [SheetRow, SheetRow];
    const { service, desk, give } = await refusing([whole, wrong], 'Ref 2');
    const { next } = await give([whole, wrong]);
    expect(next[0]).toMatchObject({ action: 'run-sheet', why: 'corrected', add: true, drop: true });
    service.fault = () => undefined;
    const corrected = await run(desk, [whole, other(wrong)], '--add', '--drop');
    expect(documentOf(corrected)).toMatchObject({ exit: 0, rows: { paid: 2, closed: 1 } });
  });

  it('the merchant', async () => {
    const { service, give } = await refusing([first, second], 'Ref 2');
    await give([first, second]);
    service.fault = () => undefined;
    const merchant = [...service.merchants.values()].find(
      ({ contactNumber }) => contactNumber === second.contact_number,
    );
    expect((await give([first, { ...second, merchant_id: String(merchant!.id) }])).rows).toMatchObject({ paid: 2 });
  });

  it('a document', async () => {
    const large = { ...southAfrican, amount: '50001', documents: 'a.pdf' };
    const { service, desk, give } = await refusing([first, large], 'Salary Nov', '--account-checks', 'off');
    const file = (text: string) => writeFileSync(join(desk.folder, 'a.pdf'), `%PDF-1.4\n${text}\n%%EOF\n`);
    file('old');
    expect((await give([first, large])).rows).toMatchObject({ paid: 1, unpaid: 1 });
    service.fault = () => undefined;
    rmSync(join(desk.folder, 'a.pdf'));
    expect((await give([first, large])).rows, 'an absent file changes nothing').toMatchObject({ paid: 1, unpaid: 1 });
    file('new');
    const { rows: after, documents } = await give([first, large]);
    expect([after, documents]).toMatchObject([{ paid: 2 }, { attached: 1, open: 0 }]);
  });
});

it('a row that may be paid keeps its content, and a note names what its sheet has otherwise', async () => {
  const [first, second] = rows as [SheetRow, SheetRow];
  const large = { ...southAfrican, amount: '50001', documents: 'a.pdf' };
  const { desk, give } = await refusing([first, large, second], 'None', '--account-checks', 'off');
  const file = (text: string) => writeFileSync(join(desk.folder, 'a.pdf'), `%PDF-1.4\n${text}\n%%EOF\n`);
  file('old');
  expect((await give([first, large, second])).rows).toMatchObject({ paid: 3 });
  file('new');
  const attached = { documents: 'a.pdf' };
  const { sent, documents, notes } = await give([
    { ...first, name: 'Payee One', ...attached },
    large,
    { ...second, ...attached },
  ]);
  // A document that a row lacked is attached, so neither row keeps its documents.
  expect([sent, documents]).toEqual([0, { attached: 3, open: 0 }]);
  const changes = [
    { row: 2, payee: 'Payee One', changes: [{ column: 'name', was: 'Payee 1', now: 'Payee One' }] },
    { row: 3, payee: String(southAfrican.name), changes: [{ column: 'documents', was: 'a.pdf', now: 'a.pdf' }] },
  ];
  expect(notes).toContainEqual(noted('rows-kept', { batch: 'nov', rows: { total: 2, shown: changes } }));
});

it('explain gives a row no number in a later sheet that lacks it', async () => {
  const [first, late] = rows as [SheetRow, SheetRow];
  const { desk, give } = await refusing([first], 'None');
  for (const sheet of [first, late]) await give([sheet], '--add', '--drop');
  await give([rows[2]!], '--add');
  expect((await command(desk, ['explain', 'nov', late.row_id!])).out).toContain('(not in ');
});
