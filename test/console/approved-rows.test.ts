/** What was approved is changed only by what is approved, however a row is known: by its row_id, by its content, or by its payee where one thing of it is otherwise. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Batch, Refusal, Review } from '../../src/console/api.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { quick } from '../protocol/desk.ts';
import { command, csvOf, documentOf, kenyanRows, newFolder, newService, type Ran, type SheetRow } from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

const rows: readonly SheetRow[] = kenyanRows(8, 8);
const four = rows.slice(0, 4);
const three = rows.slice(0, 3);
const other = '+254799000111';
const to = (row: SheetRow, contact_number: string): SheetRow => ({ ...row, contact_number });
const mended = [...three.slice(0, 2), to(three[2]!, other)];
const without = (sheet: readonly SheetRow[]): SheetRow[] => sheet.map((row) => ({ ...row, row_id: '' }));
const oldAccount = `Ref 3 to ${three[2]!.contact_number}`;
const notPaid = expect.not.arrayContaining([oldAccount]);

async function open() {
  const service = await newService();
  const office = await openOffice(newFolder(), { ...quick, PAYRUN_HTTP_TIMEOUT: '60s', ...payingAt(service) });
  /** So many more payments are taken; null: all. */
  const pays = (count: number | null) => {
    let taken = 0;
    service.fault = ({ route }) => {
      if (route !== 'POST /payments' || count === null) return undefined;
      taken += 1;
      return taken > count ? { kind: 'answer', status: 401 } : undefined;
    };
  };
  const paid = () =>
    service.payments
      .map(({ reference, merchantId }) => {
        const [phone] = JSON.stringify(service.merchants.get(String(merchantId))).match(/\+254\d+/) ?? [];
        return `${reference} to ${phone}`;
      })
      .sort();
  const sheet = join(office.folder, 'cron.csv');
  const terminal = async (...argv: string[]) => await command(office, [...argv, '--json']);
  /** As cron runs what was exported anew. */
  const cron = async (exported: readonly SheetRow[], ...flags: string[]) => {
    writeFileSync(sheet, csvOf(exported));
    return await terminal('run', sheet, '--batch', 'nov', '--concurrency', '1', '--wait', '20s', ...flags);
  };
  const resume = async () => await terminal('resume', 'nov', '--wait', '20s');
  return { office, sheet, pays, paid, terminal, cron, resume };
}

async function planned(office: Office, id: string, more: object = {}) {
  await office.post('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [], ...more });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  const { digest, warnings } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  const takesBack = warnings
    .filter(({ code }) => code === 'TAKES_BACK')
    .map(({ row, message }) => `${row}: ${message}`);
  return { id, digest, takesBack };
}
async function approved(office: Office, file: string, sheet: readonly SheetRow[], more: object = {}) {
  const { id } = await office.upload('Nomsa', file, csvOf(sheet));
  return await planned(office, id, more);
}
const added = async (office: Office, file: string, sheet: readonly SheetRow[]) =>
  await approved(office, file, sheet, { add: true });

/** The terminal finds the console's policy beside the ledger, and no plan that is signed. */
async function expectUnapproved(running: Promise<Ran>): Promise<void> {
  const { exit, err } = await running;
  expect([exit, err]).toEqual([26, expect.stringContaining('The policy asks for approvals, and no signed plan')]);
}

/** What stood against it; null: nothing did. */
async function pay(office: Office, { id, digest }: { readonly id: string; readonly digest: string }) {
  const { body } = await office.post<Refusal>('Nomsa', `/api/uploads/${id}/pay`, { digest });
  const { state, message } = await office.settled(id);
  return state === 'batch' ? null : (body.message ?? message);
}
const batchOf = async (office: Office) => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;

it.each([
  ['without row_ids', without(four), without(mended.slice(2))],
  ['without its row_id', four, without(mended.slice(2))],
  ['with a row_id, of a batch without', without(four), mended.slice(2)],
])(
  'a correction that is the mended row alone, %s, holds the row back while it waits, and is not taken back',
  async (_, sheet, fix) => {
    const { office, pays, paid, cron, resume } = await open();
    pays(1);
    await cron(sheet.slice(0, 3));
    const correction = await added(office, 'fix.csv', fix);
    expect(correction.takesBack).toEqual([expect.stringMatching(/^2: batch nov has it otherwise by now/)]);
    pays(null);
    expect((await resume()).exit).toBe(26);
    expect((await cron(sheet, '--add')).exit).toBe(26);
    pays(0);
    expect(await pay(office, correction)).toBeNull();
    pays(null);
    await expectUnapproved(cron(sheet, '--add'));
    expect(paid()).toEqual(notPaid);
    await office.close();
  },
);

const renamed = three.map((row) => ({ ...row, row_id: `export-2-${row.row_id}` }));
it.each([
  ['row_ids, where none had one', without(three), without(mended), three],
  ['other row_ids', three, mended, renamed],
])(
  'a file that comes anew with %s is refused, and a plan of it names what it takes back',
  { tags: ['long'] },
  async (_, first, second, anew) => {
    const { office, pays, paid, cron } = await open();
    pays(0);
    expect(await pay(office, await approved(office, 'nov.csv', first))).toBeNull();
    const correction = await approved(office, 'mended.csv', second);
    pays(null);
    expect((await cron(anew)).exit).toBe(26);
    pays(0);
    expect(await pay(office, correction)).toBeNull();
    pays(null);
    await expectUnapproved(cron(anew));
    expect(paid()).toEqual([]);
    const same = /: batch nov has the same payment by now under another row.id, or none, as mended\.csv has it$/;
    expect((await approved(office, 'export.csv', anew)).takesBack).toEqual([
      expect.stringMatching(same),
      expect.stringMatching(same),
      expect.stringMatching(/^4: batch nov has it otherwise by now, .*000111.* mended\.csv/),
    ]);
    await office.close();
  },
);

it('a held row is not let go while a correction of it waits that has no row_id', { tags: ['long'] }, async () => {
  const { office, sheet, paid, cron, terminal } = await open();
  const payee: SheetRow = { ...three[2]!, name: 'Wanjiru Kamau' };
  writeFileSync(sheet, csvOf([{ ...to(payee, '+254711222333'), row_id: 'o1', reference: 'Oct' }]));
  expect((await terminal('run', sheet, '--batch', 'oct', '--wait', '20s')).exit).toBe(0);
  expect(documentOf(await cron([three[0]!, payee])).rows).toMatchObject({ paid: 1, held: 1 });
  await added(office, 'fix.csv', without([to(payee, other)]));
  const ask = ['--row', 'k3', '--reason', 'Called', '--by', 'Kofi', '--out', office.folder];
  const { exit, err } = await terminal('release', 'nov', ...ask);
  expect([exit, err]).toEqual([2, expect.stringContaining('an approver of it signs')]);
  expect(paid()).toHaveLength(2);
  await office.close();
});

it('a row that an approved sheet takes out does not come back with another amount, while that waits or once it was paid', async () => {
  const { office, pays, paid, cron } = await open();
  const sheet = without(three);
  const raised = [...sheet.slice(0, 2), { ...sheet[2]!, amount: '999' }];
  pays(0);
  await cron(sheet);
  const less = await approved(office, 'less.csv', sheet.slice(0, 2));
  await expectUnapproved(cron(raised));
  expect(await pay(office, less)).toBeNull();
  pays(null);
  await expectUnapproved(cron(raised));
  expect(paid()).toEqual([]);
  await office.close();
});

it.each([
  ['another document', 'b.pdf'],
  ['no document', undefined],
])('a file without a plan does not send an approved row with %s', async (_, documents) => {
  const { office, sheet, pays, cron, terminal } = await open();
  writeFileSync(join(office.folder, 'a.pdf'), '%PDF-1.7\n%%EOF\n');
  writeFileSync(join(office.folder, 'b.pdf'), '%PDF-1.7\nanother\n%%EOF\n');
  pays(0);
  const row = three[0]!;
  const asApproved = [{ ...row, documents: 'a.pdf' }];
  await cron(asApproved);
  const { plan_digest: digest } = documentOf(await terminal('plan', sheet, '--batch', 'nov'));
  expect((await cron(asApproved, '--approve', digest ?? '')).exit).toBe(25);
  pays(null);
  const { exit, err } = await cron([documents === undefined ? row : { ...row, documents }]);
  expect([exit, err]).toEqual([26, expect.stringContaining('which was approved and has other documents with row 2')]);
  const ledger = openLedger(office.ledger, systemClock);
  const kept = await ledger.documentsOf((await ledger.rowByKey('nov', 'k1'))!.id);
  await ledger.close();
  expect(kept).toMatchObject([{ name: 'a.pdf', state: 'due' }]);
  expect((await cron(asApproved)).exit).toBe(0);
  await office.close();
});

it('an approved addition is paid, and a later export without an approval is refused', {
  tags: ['long'],
}, async () => {
  const { office, cron } = await open();
  expect((await cron(rows.slice(0, 2))).exit).toBe(0);
  const addition = await added(office, 'added.csv', rows.slice(7));
  expect((await cron(three, '--add')).exit).toBe(26);
  expect(await pay(office, addition)).toBeNull();
  await eventually('all is paid', async () => ((await batchOf(office)).rows.paid === 3 ? true : null));
  await office.close();
});

it('an addition that is refused since another one is not sent yet names the way that leaves no row out', {
  tags: ['long'],
}, async () => {
  const { office, pays, paid } = await open();
  expect(await pay(office, await approved(office, 'nov.csv', rows.slice(0, 2)))).toBeNull();
  const a = await added(office, 'a.csv', rows.slice(2, 3));
  const b = await added(office, 'b.csv', rows.slice(3, 4));
  pays(0);
  expect(await pay(office, b)).toBeNull();
  pays(null);
  expect(await pay(office, a)).toContain(
    'Have that row sent first: go on with batch nov, or hand its sheet in once more',
  );
  expect((await office.post('Nomsa', '/api/batches/nov/resume')).status).toBe(200);
  await eventually('it has ended', async () => {
    const { rows: counts, job } = await batchOf(office);
    return counts.paid === 3 && job?.state === 'done' ? true : null;
  });
  expect(await pay(office, a)).toBeNull();
  expect(paid()).toHaveLength(4);
  await office.close();
});

it.each([
  ['with row_ids', (sheet: readonly SheetRow[]) => [...sheet]],
  ['without', without],
])(
  'two payments of an approved sheet to one payee, %s, are two: it comes again with a third one, which waits for its approval, and is paid',
  { tags: ['long'] },
  async (_, as) => {
    const { office, pays, paid, cron } = await open();
    const twice = as([three[0]!, three[1]!, { ...three[1]!, row_id: 'k9', reference: 'Ref 2b' }]);
    const thrice = [...twice, ...as([{ ...three[1]!, row_id: 'k10', reference: 'Ref 2c' }])];
    pays(1);
    expect(await pay(office, await approved(office, 'nov.csv', twice))).toBeNull();
    await cron(twice);
    pays(null);
    await expectUnapproved(cron(thrice, '--add'));
    expect(await pay(office, await approved(office, 'more.csv', thrice, { add: true }))).toBeNull();
    expect(paid()).toHaveLength(4);
    await office.close();
  },
);

it('nothing that was approved here is sent again, released or changed at a terminal that has no policy', async () => {
  const { office, paid, pays, cron, terminal } = await open();
  pays(1);
  expect(await pay(office, await approved(office, 'nov.csv', three))).toBeNull();
  await eventually('it ends', async () => ((await batchOf(office)).running ? null : true));
  pays(null);
  await expectUnapproved(cron(three.slice(0, 2)));
  await expectUnapproved(terminal('retry', 'nov'));
  const released = await terminal('release', 'nov', '--row', 'k2', '--by', 'Kofi', '--reason', 'Called');
  expect([released.exit, released.err]).toEqual([2, expect.stringContaining('an approver of it signs')]);
  expect(paid()).toHaveLength(1);
  await office.close();
});
