/** What a file without a plan leaves as it was approved at the console, and what people are told to do then. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Batch, Refusal, Review } from '../../src/console/api.ts';
import { quick } from '../protocol/desk.ts';
import { command, csvOf, documentOf, kenyanRows, newFolder, newService, type SheetRow } from '../support.ts';
import { eventually, type Office, openOffice, password, payingAt } from './office.ts';

const rows: readonly SheetRow[] = kenyanRows(8, 8);
const three = rows.slice(0, 3);
const other = '+254799000111';
const to = (row: SheetRow, contact_number: string): SheetRow => ({ ...row, contact_number });
const mended = [...three.slice(0, 2), to(three[2]!, other)];
const without = (sheet: readonly SheetRow[]): SheetRow[] => sheet.map((row) => ({ ...row, row_id: '' }));
const old = three[2]!.contact_number;

async function open(env: Record<string, string> = {}) {
  const service = await newService();
  const office = await openOffice(newFolder(), { ...quick, PAYRUN_HTTP_TIMEOUT: '60s', ...payingAt(service), ...env });
  /** So many more payments are taken; null: all. */
  const pays = (count: number | null, status = 401) => {
    let taken = 0;
    service.fault = ({ route }) => {
      if (route !== 'POST /payments' || count === null) return undefined;
      taken += 1;
      return taken > count ? { kind: 'answer', status } : undefined;
    };
  };
  const paid = () =>
    service.payments
      .map(({ reference, amount, merchantId }) => {
        const [phone] = JSON.stringify(service.merchants.get(String(merchantId))).match(/\+254\d+/) ?? [];
        return `${reference}, ${amount} to ${phone}`;
      })
      .sort();
  const sheet = join(office.folder, 'cron.csv');
  const terminal = async (...argv: string[]) => await command(office, [...argv, '--json']);
  const cron = async (exported: readonly SheetRow[], ...flags: string[]) => {
    writeFileSync(sheet, csvOf(exported));
    const name = flags.includes('--batch') ? [] : ['--batch', 'nov'];
    return await terminal('run', sheet, ...name, '--concurrency', '1', '--wait', '20s', ...flags);
  };
  return { service, office, sheet, pays, paid, terminal, cron };
}

async function planned(office: Office, id: string, more: object = {}) {
  await office.post('Nomsa', `/api/uploads/${id}/plan`, { batch: 'nov', skipInvalid: false, expect: [], ...more });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  return { id, digest };
}
async function approved(office: Office, file: string, sheet: readonly SheetRow[], more: object = {}) {
  const { id } = await office.upload('Nomsa', file, csvOf(sheet));
  return await planned(office, id, more);
}

/** What stood against it; null: nothing did. */
async function pay(office: Office, { id, digest }: { readonly id: string; readonly digest: string }) {
  const { body } = await office.post<Refusal>('Nomsa', `/api/uploads/${id}/pay`, { digest });
  const { state, message } = await office.settled(id);
  return state === 'batch' ? null : (body.message ?? message);
}
const batchOf = async (office: Office) => (await office.get<Batch>('Nomsa', '/api/batches/nov')).body;
async function goOn(office: Office) {
  await office.post('Nomsa', '/api/batches/nov/resume');
  return await eventually('it has ended', async () => {
    const { job } = await batchOf(office);
    return job === null || ['done', 'failed'].includes(job.state) ? (job ?? null) : null;
  });
}

it.each([
  ['run', (sheet: string) => ['run', sheet, '--wait', '20s']],
  ['watch', (_: string, hot: string) => ['watch', hot, '--once']],
])('a sheet that waits is not paid to the old account by %s of its file without a batch name', async (_, argv) => {
  const { office, sheet, paid, terminal } = await open();
  const hot = join(office.folder, 'hot');
  mkdirSync(hot);
  await approved(office, 'nov.csv', mended);
  for (const file of [sheet, join(hot, 'nov.csv')]) writeFileSync(file, csvOf(three));
  writeFileSync(join(hot, 'nov.csv.done'), '');
  await terminal(...argv(sheet, hot));
  expect(paid()).not.toContain(`Ref 3, 102 to ${old}`);
  await office.close();
});

it.each([
  ['with row_ids', false],
  ['without', true],
])(
  'a row that an approved sheet takes out stays out where the other rows of that are new to the batch, %s',
  { tags: ['long'] },
  async (_, bare) => {
    const { office, pays, paid, cron } = await open();
    const as = (sheet: readonly SheetRow[]) => (bare ? without(sheet) : [...sheet]);
    const four = as(rows.slice(0, 4));
    pays(0);
    await cron(four);
    // As it is exported in November: other references, other row_ids, and one payee less.
    const less = as(three.map((row) => ({ ...row, row_id: `nov-${row.row_id}`, reference: `${row.reference} Nov` })));
    pays(null);
    expect(await pay(office, await approved(office, 'less.csv', less))).toBeNull();
    const { exit } = await cron([...less, four[3]!], '--add');
    expect([exit, paid()]).toEqual([26, expect.not.arrayContaining([expect.stringContaining('Ref 4')])]);
    await office.close();
  },
);

it('a plan that brings such a row back says so', { tags: ['long'] }, async () => {
  const { office, sheet, pays, cron, terminal } = await open();
  const four = rows.slice(0, 4);
  pays(0);
  await cron(four);
  const less = three.map((row) => ({ ...row, row_id: `nov-${row.row_id}`, reference: `${row.reference} Nov` }));
  pays(null);
  expect(await pay(office, await approved(office, 'less.csv', less))).toBeNull();
  writeFileSync(sheet, csvOf([...less, four[3]!]));
  const { problems } = documentOf(await terminal('plan', sheet, '--batch', 'nov', '--add'));
  expect(problems).toMatchObject([{ row: 5, code: 'TAKES_BACK' }]);
  await office.close();
});

it('a row that is held for its account stays so where a file spells its payee otherwise', {
  tags: ['long'],
}, async () => {
  const { office, sheet, paid, cron, terminal } = await open();
  const payee: SheetRow = { ...three[2]!, name: 'Wanjiru Kamau' };
  writeFileSync(sheet, csvOf([{ ...to(payee, '+254711222333'), row_id: 'o1', reference: 'Oct' }]));
  expect((await terminal('run', sheet, '--batch', 'oct', '--wait', '20s')).exit).toBe(0);
  expect(await pay(office, await approved(office, 'nov.csv', [three[0]!, payee]))).toBeNull();
  expect((await batchOf(office)).rows).toMatchObject({ paid: 1, held: 1 });
  await cron([three[0]!, { ...payee, name: 'Wanjiru N Kamau' }]);
  expect(paid()).not.toContain(`Ref 3, 102 to ${old}`);
  await office.close();
});

it('an unpaid row is sent again by a plan alone', async () => {
  const { office, pays, paid, cron, terminal } = await open();
  pays(2, 422);
  expect(await pay(office, await approved(office, 'nov.csv', three))).toBeNull();
  pays(null);
  expect((await terminal('retry', 'nov', '--wait', '20s')).exit).toBe(26);
  expect((await cron(three)).exit).toBe(26);
  expect(paid()).toHaveLength(2);
  await office.close();
});

it('a payee that is not made yet keeps the name that was approved', async () => {
  const { service, office, pays, cron } = await open();
  service.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'answer', status: 401 } : undefined);
  expect(await pay(office, await approved(office, 'nov.csv', three))).toBeNull();
  pays(null);
  await cron([three[0]!, three[1]!, { ...three[2]!, name: 'Somebody Else' }]);
  expect([...service.merchants.values()].map((one) => JSON.parse(JSON.stringify(one)).name)).not.toContain(
    'Somebody Else',
  );
  await office.close();
});

it('how money is collected stays as it was approved', async () => {
  const { service, office, pays, cron } = await open();
  Object.assign(office.env, { PAYRUN_USER_ID: service.userId });
  const by = (collection_method: string) =>
    three.slice(0, 1).map((row) => ({ ...row, from_country: 'Kenya', collection_method }));
  pays(0);
  await cron(by('BANK_TRANSFER'));
  const made = documentOf(await terminalPlan(office));
  await cron(by('BANK_TRANSFER'), '--approve', made.plan_digest ?? '');
  pays(null);
  await cron(by('MOMO'));
  expect(service.payments.map(({ meta }) => JSON.parse(String(meta)).collectionMethod)).not.toContain('MOMO');
  await office.close();
});

it('the plan that retry asks for is made with the options of the sheet', { tags: ['long'] }, async () => {
  const { office, sheet, pays, cron, terminal } = await open();
  const wrong = [...three, { ...rows[3]!, amount: '12.50' }];
  writeFileSync(sheet, csvOf(wrong));
  const { plan_digest: digest } = documentOf(await terminal('plan', sheet, '--batch', 'nov', '--skip-invalid'));
  pays(2, 422);
  expect(documentOf(await cron(wrong, '--skip-invalid', '--approve', digest ?? '')).rows).toMatchObject({
    unpaid: 1,
  });
  pays(null);
  const told = await command(office, ['retry', 'nov']);
  const [, advised = ''] = /payrun (plan .*)$/m.exec(told.err) ?? [];
  const made = documentOf(await terminal(...advised.trim().split(' ')));
  expect([made.exit, made.plan_digest]).toEqual([21, expect.any(String)]);
  await office.close();
});

it('Go on goes on with what was approved, also after its file was run without a plan', { tags: ['long'] }, async () => {
  const { office, pays, cron } = await open();
  pays(1);
  expect(await pay(office, await approved(office, 'nov.csv', three))).toBeNull();
  await cron(three);
  pays(null);
  const { message } = await goOn(office);
  expect(message ?? '').not.toContain('was begun without a plan');
  expect((await batchOf(office)).rows).toMatchObject({ not_sent: 0 });
  await office.close();
});

it('an approved plan that sends an unpaid row again is paid, also after the file was run without one', {
  tags: ['long'],
}, async () => {
  const { office, pays, paid, cron } = await open();
  pays(2, 422);
  const first = await approved(office, 'nov.csv', three);
  expect(await pay(office, first)).toBeNull();
  pays(null);
  await cron(three);
  const { rows: counts, next } = await batchOf(office);
  expect(next.map(({ action }) => action)).toContain('retry');
  const ask = { rows: null, reason: 'The account is open again', unpaid: counts.unpaid };
  expect((await office.post('Nomsa', '/api/batches/nov/retry', ask)).status).toBe(200);
  expect(await office.settled(first.id)).toMatchObject({ state: 'planned' });
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${first.id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${first.id}/approve`, { digest, password })).status).toBe(200);
  expect(await pay(office, { id: first.id, digest })).toBeNull();
  expect(paid()).toHaveLength(3);
  await office.close();
});

it('rows of a month that an addition leaves out, and that are not sent, have a step that sends them', {
  tags: ['long'],
}, async () => {
  const { office, pays } = await open();
  pays(1);
  expect(await pay(office, await approved(office, 'nov.csv', three))).toBeNull();
  pays(null);
  expect(await pay(office, await approved(office, 'add.csv', rows.slice(4, 6), { add: true }))).toBeNull();
  const { rows: counts, next } = await batchOf(office);
  expect(counts).toMatchObject({ paid: 3, not_sent: 2 });
  expect(next.map(({ words }) => words)).toEqual([
    'Hand that sheet in again: it pays what is not sent of nov.csv, since what came after it added rows alone.',
  ]);
  await office.close();
});

async function terminalPlan(office: Office) {
  return await command(office, ['plan', join(office.folder, 'cron.csv'), '--batch', 'nov', '--json']);
}
