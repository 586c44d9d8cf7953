/** Rows that may have been paid before, at the command line: their evidence. test/tables/duplicates.test.ts has which are held. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  command,
  csvOf,
  type Desk,
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

  it('is refused if they are more than half of its rows, and else holds them', async () => {
    const rows = kenyanRows(5);
    const { service, desk } = await paid(rows.slice(0, 2));
    expect(await refusalOf(desk, rows.slice(0, 3), '--batch', 'three')).toEqual([26, 'SHEET_LOOKS_PAID']);
    expect(await run(desk, rows.slice(0, 4), '--batch', 'four')).toMatchObject({ sent: 2, rows: { held: 2 } });
    expect(service.payments.length).toBe(4);
  });

  it.for(['run', 'plan'])('is offered as an addition to that batch, by the same command: %s', async (shell) => {
    const rows = kenyanRows(3);
    const { desk } = await paid(rows.slice(0, 2), '--batch', 'nov');
    writeFileSync(desk.sheet, csvOf(rows));
    const { out } = await command(desk, [shell, desk.sheet, '--batch', 'dec', '--json']);
    const addition = { action: `${shell}-sheet`, batch: 'nov', add: true };
    expect(JSON.parse(out).error).toMatchObject({ code: 'SHEET_LOOKS_PAID', facts: { addition } });
  });
});

it('a row that somebody paid by hand is held with the payment, and the others are sent', async () => {
  const rows = kenyanRows(3);
  const { service } = await paid(rows.slice(1, 2), '--batch', 'elsewhere');
  const id = randomUUID();
  service.payments.splice(0, 1, { ...service.payments[0]!, id, tag: 'by hand' });
  const desk = deskFor(service, rows);
  const held = await run(desk, rows, '--batch', 'nov', '--wait', '20s');
  expect(held).toMatchObject({ exit: 22, sent: 2, rows: { paid: 2, held: 1 } });
  const reasons = ['', expect.stringContaining(id), ''];
  const reasonsOf = (path: string | null) => resultOf(path).map(({ payrun_reason }) => payrun_reason);
  expect(reasonsOf(held.document.result)).toEqual(reasons);
  await expectWhole(desk, held.document.result);
  const report = await command(desk, ['report', 'nov', '--json']);
  expect(reasonsOf(JSON.parse(report.out).result)).toEqual(reasons);
  const explained = JSON.parse((await command(desk, ['explain', 'nov', 'k2', '--json'])).out);
  expect(explained.next).toMatchObject({ action: 'allow-repeat', batch: 'nov', row: 'k2' });
  expect(service.payments.length).toBe(3);
});
