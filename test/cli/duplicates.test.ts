/** Rows that may have been paid before, at the command line: which of them are sent, held or refused. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { daysAgo } from '../protocol/desk.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  pay,
  resultOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';
import { expectWhole } from './whole-result.ts';

const { row_id: _, ...invoice } = southAfrican;
const others = ['10004291628', '10004291636'].map((account_number, index) => ({
  ...invoice,
  account_number,
  name: `Payee ${index}`,
  reference: `Other ${index}`,
}));
const corrections = {
  amount: { ...invoice, amount: '2600' },
  account: { ...invoice, account_number: '10004291644' },
  reference: { ...invoice, reference: 'INV 999' },
};
const differences = ['amount', 'account', 'reference'] as const;

const rejecting = (desk: Desk): Desk => ({ ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } });

async function paid(rows: readonly SheetRow[], ...more: string[]) {
  const service = await newService();
  const desk = deskFor(service, rows);
  const { document } = await pay(desk, '--wait', '20s', ...more);
  expect(document.rows.paid).toBe(rows.length);
  return { service, desk, batch: document.batch ?? '' };
}

async function run(desk: Desk, rows: readonly SheetRow[], ...more: string[]) {
  writeFileSync(desk.sheet, csvOf(rows));
  const { exit, document } = await pay(desk, ...more);
  const warned = document.problems.filter(({ code }) => code === 'LOOKS_PAID').map(({ row }) => row);
  return { exit, document, rows: document.rows, sent: document.sent, warned };
}

async function refusalOf(desk: Desk, rows: readonly SheetRow[], ...more: string[]) {
  writeFileSync(desk.sheet, csvOf(rows));
  const { exit, out } = await command(desk, ['run', desk.sheet, '--json', ...more]);
  return [exit, JSON.parse(out).error?.code];
}

const drop = async (desk: Desk, batch: string, row: string) =>
  await command(desk, ['drop', batch, '--row', row, '--reason', 'asked the payee']);

const resolve = async (desk: Desk, batch: string, row: string, ...word: string[]) =>
  await command(desk, ['resolve', batch, '--row', row, ...word, '--reason', 'asked the payee']);

describe.concurrent('a sheet with rows that another batch paid', () => {
  it('holds the row that is the same, and sends one that is nearly the same with a warning', async () => {
    const { service, desk, batch } = await paid([invoice]);
    const rows = [invoice, { ...invoice, amount: '100' }];
    const second = await run(desk, rows);
    expect(second).toMatchObject({ exit: 22, sent: 1, rows: { held: 1, pending: 1 }, warned: [2, 3] });
    const evidence = () => resultOf(second.document.result).map(({ payrun_evidence }) => payrun_evidence !== '');
    expect(evidence()).toEqual([true, true]);
    await command(desk, ['resume', second.document.batch ?? '', '--wait', '20s']);
    expect(evidence(), 'the result keeps the warnings').toEqual([true, true]);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
    const added = await run(desk, rows, '--batch', batch, '--add');
    expect(added).toMatchObject({ exit: 22, sent: 0, rows: { paid: 1, held: 1 } });
    expect(service.payments.length).toBe(2);
  });

  it('stops if most of its rows were paid, with or without a name', async () => {
    const { service, desk, batch } = await paid([...others, invoice]);
    const rows = [...others, corrections.amount];
    for (const named of [[], ['--batch', 'dec']])
      expect(await refusalOf(desk, rows, ...named)).toEqual([26, 'SHEET_LOOKS_PAID']);
    expect(await refusalOf(desk, rows, '--batch', batch)).toEqual([26, 'ROWS_ADDED']);
    expect(service.payments.length).toBe(3);
  });

  it('stops under a new name though its payments were adopted from a lost ledger', async () => {
    const rows = kenyanRows(2);
    const { service, desk } = await paid(rows);
    rmSync(join(desk.folder, 'state'), { recursive: true });
    mkdirSync(join(desk.folder, 'state'));
    for (const time of ['first', 'second'])
      expect(await run(desk, rows, '--wait', '20s'), time).toMatchObject({ exit: 0, sent: 0, rows: { paid: 2 } });
    expect(await refusalOf(desk, rows, '--batch', 'new')).toEqual([26, 'SHEET_LOOKS_PAID']);
    expectOnePaymentEach(service, rows);
  });
});

describe.concurrent('a batch that sent rows', () => {
  it.each([
    [
      ['041', '042'],
      ['41', '42'],
    ],
    [
      [null, null],
      ['a', 'b'],
    ],
    [
      ['a', 'b'],
      [null, null],
    ],
  ])('holds its rows if they come again with other ids, and pays a new one: %j, then %j', async (before, now) => {
    const numbered = (ids: readonly (string | null)[]) =>
      kenyanRows(ids.length).map(({ row_id: _row_id, ...row }, at) =>
        ids[at] == null ? row : { row_id: ids[at], ...row },
      );
    const { service, desk } = await paid(numbered(before), '--batch', 'nov');
    await daysAgo(service, [desk], 40);
    const rows = numbered([...now, now[0] === null ? null : '7']);
    expect(await refusalOf(desk, rows, '--batch', 'nov')).toEqual([26, 'ROWS_ADDED']);
    const added = await run(desk, rows, '--batch', 'nov', '--add');
    expect(added).toMatchObject({ exit: 22, sent: 1, rows: { paid: 2, held: 2 }, warned: [2, 3] });
    expect(service.payments.length).toBe(3);
  });

  it.each(['refuses', 'expires'])(
    'holds a row to be sent again that the service %s, if its correction was paid',
    async (ends) => {
      const bad = { ...invoice, reference: 'Bad one' };
      const service = await newService(ends === 'expires' ? { expires: new Set(['Bad one']) } : {});
      if (ends === 'refuses')
        service.fault = ({ route, body }) =>
          route === 'POST /payments' && JSON.stringify(body).includes('Bad one')
            ? { kind: 'answer', status: 422, body: { message: 'no' } }
            : undefined;
      const desk = deskFor(service, [...others, bad]);
      expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).document.rows).toMatchObject({ paid: 2, unpaid: 1 });
      const corrected = deskFor(service, [{ ...bad, reference: 'Good one' }], { PAYRUN_LEDGER: desk.ledger });
      expect((await pay(corrected, '--wait', '20s')).document.rows.paid).toBe(1);
      service.fault = () => undefined;
      const made = service.payments.length;
      const again = documentOf(await command(desk, ['retry', 'nov', '--wait', '0', '--json']));
      expect([again.exit, again.rows.held, service.payments.length]).toEqual([22, 1, made]);
    },
  );
});

describe.concurrent('a batch that waited while another batch paid its rows', () => {
  const likes: readonly (readonly [what: string, row: SheetRow])[] = [
    ['the same row', { ...invoice, row_id: 'x1' }],
    ...differences.map((what) => [`a row that differs in its ${what}`, corrections[what]] as const),
  ];

  it.each(likes)('holds its row after %s was paid', async (_what, other) => {
    const service = await newService();
    const desk = deskFor(service, [invoice]);
    expect((await pay(rejecting(desk), '--batch', 'nov')).document.rows.not_sent).toBe(1);
    expect(await run(desk, [other])).toMatchObject({ exit: 23, sent: 1 });
    await daysAgo(service, [desk], 25);
    const resumed = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '0']));
    expect([resumed.exit, resumed.rows.held]).toEqual([22, 1]);
    expect(await run(desk, [invoice], '--batch', 'nov')).toMatchObject({ exit: 22, sent: 0 });
    expect(service.payments.length).toBe(1);
  });

  it('holds rows that the service had told to wait, and ends once a person drops them', async () => {
    const service = await newService();
    const rows = kenyanRows(2);
    const desk = deskFor(service, rows);
    service.fault = ({ route }) =>
      route === 'POST /payments' ? { kind: 'answer', status: 429, headers: { 'retry-after': '0' } } : undefined;
    expect((await pay(desk, '--batch', 'a')).exit).toBe(25);
    service.fault = () => undefined;
    expect((await pay(desk, '--batch', 'b', '--wait', '20s')).exit).toBe(0);
    expect(await run(desk, rows, '--batch', 'a')).toMatchObject({ exit: 22, sent: 0, rows: { held: 2 } });
    expect((await drop(desk, 'a', 'k1')).exit).toBe(22);
    expect((await drop(desk, 'a', 'k2')).exit).toBe(0);
    const ended = documentOf(await command(desk, ['resume', 'a', '--json']));
    expect([ended.exit, ended.next]).toEqual([0, []]);
    await expectWhole(desk, ended.result);
    expectOnePaymentEach(service, rows);
  });
});

describe.concurrent('a sheet of which somebody paid a row by hand', () => {
  const rows = kenyanRows(3);
  const [first, second, third] = rows as [SheetRow, SheetRow, SheetRow];

  async function paidByHand() {
    const { service } = await paid([second], '--batch', 'elsewhere');
    const id = randomUUID();
    service.payments.splice(0, 1, { ...service.payments[0]!, id, tag: 'by hand' });
    const desk = deskFor(service, rows);
    const held = await run(desk, rows, '--batch', 'nov', '--wait', '20s');
    expect(held).toMatchObject({ exit: 22, sent: 2, rows: { paid: 2, held: 1 } });
    return { service, desk, id, held: held.document };
  }

  it('holds that row, names the payment, and sends the others', async () => {
    const { service, desk, id, held } = await paidByHand();
    const reasons = ['', expect.stringContaining(id), ''];
    const reasonsOf = (path: string | null) => resultOf(path).map(({ payrun_reason }) => payrun_reason);
    expect(reasonsOf(held.result)).toEqual(reasons);
    await expectWhole(desk, held.result);
    const report = await command(desk, ['report', 'nov', '--json']);
    expect(reasonsOf(JSON.parse(report.out).result)).toEqual(reasons);
    const explained = JSON.parse((await command(desk, ['explain', 'nov', 'k2', '--json'])).out);
    expect(explained.next).toMatchObject({ action: 'allow-repeat', batch: 'nov', row: 'k2' });
    expect(service.payments.length).toBe(3);
  });

  it('judges the held row anew if a sheet changes it, since it was never sent', async () => {
    const { service, desk } = await paidByHand();
    const changed = [first, { ...second, reference: 'Another invoice' }, third];
    expect(await run(desk, changed, '--batch', 'nov')).toMatchObject({ sent: 1, rows: { held: 0 } });
    expect(service.payments.length).toBe(4);
  });

  it('sends nothing for a row that a person dropped, until it is opened again and no repeat', async () => {
    const { service, desk } = await paidByHand();
    expect((await drop(desk, 'nov', 'k1')).exit, 'k1 is paid').toBe(2);
    expect((await drop(desk, 'nov', 'k2')).exit).toBe(0);
    expect(await refusalOf(desk, rows, '--batch', 'nov')).toEqual([26, 'ROWS_CLOSED']);
    const renumbered = [first, { ...second, row_id: 'k9' }, third];
    const added = await run(desk, renumbered, '--batch', 'nov', '--add');
    expect(added).toMatchObject({ exit: 22, sent: 0, rows: { held: 1, closed: 1 } });
    expect((await drop(desk, 'nov', 'k9')).exit).toBe(0);
    expect((await command(desk, ['reopen', 'nov', '--row', 'k2', '--reason', 'Owed'])).exit).toBe(22);
    await resolve(desk, 'nov', 'k2', '--not-a-repeat');
    expect((await command(desk, ['explain', 'nov', 'k2'])).out).not.toContain('allowed');
    const owed = await run(desk, rows, '--batch', 'nov', '--wait', '20s');
    expect([owed.sent, owed.rows.paid, owed.rows.closed, service.payments.length]).toEqual([1, 3, 1, 4]);
  });
});
