/** Rows that a person closes and opens again at the command line. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/base/refusal.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, refusalOf, resultOf, type SheetRow } from '../support.ts';
import { deskFor, newService } from './own-time.ts';
import { expectWhole } from './whole-result.ts';

const rows = kenyanRows(3);
const copies = rows.map((row, nth) => ({ ...row, row_id: `L${nth + 1}` }));

const said = async (desk: Desk, ...argv: string[]) => await command(desk, [...argv, '--json']);
const run = async (desk: Desk, sheet: readonly SheetRow[], ...more: string[]) => {
  writeFileSync(desk.sheet, csvOf(sheet));
  return await said(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s', ...more);
};
const drop = async (desk: Desk, keys: string) =>
  await said(desk, 'drop', 'nov', '--row', keys, '--reason', 'Paid by hand');
const codeOf = ({ exit, out }: { readonly exit: number; readonly out: string }) => [exit, JSON.parse(out).error?.code];
const ambiguous = (ran: Parameters<typeof refusalOf>[0]) => {
  const { facts } = refusalOf(ran) as Refusal<'ROWS_AMBIGUOUS'>;
  return facts.readings;
};
const audited = async (desk: Desk) => (await command(desk, ['audit', 'verify'])).exit;

/** Three rows are paid, and the same payments came again under other row ids: they are held. */
async function heldTwins() {
  const service = await newService();
  const desk = deskFor(service, rows);
  expect(documentOf(await run(desk, rows)).exit).toBe(0);
  const held = documentOf(await run(desk, [...rows, ...copies], '--add'));
  expect(held).toMatchObject({ exit: 22, rows: { paid: 3, held: 3 } });
  return { service, desk, held };
}

describe.concurrent('drop', () => {
  it('closes several repeats at once, which then are in no sum, warning or exit code', async () => {
    const { service, desk, held } = await heldTwins();
    expect(held.next).toMatchObject([
      { action: 'drop-rows', batch: 'nov', rows: ['L1', 'L2', 'L3'] },
      { action: 'allow-repeat', batch: 'nov', row: 'L1', named: { to: { row: 2, batch: 'nov' } } },
    ]);
    const explained = JSON.parse((await said(desk, 'explain', 'nov', 'L1')).out);
    expect(explained.next).toMatchObject({
      action: 'allow-repeat',
      row: 'L1',
      closes: { action: 'drop-rows', rows: ['L1'] },
    });
    const paid = held.totals.reduce((sum, total) => sum + total.paid, 0);

    const dropped = documentOf(await drop(desk, 'L1,L2, L3'));
    expect(dropped).toMatchObject({ exit: 0, rows: { total: 6, paid: 3, closed: 3, held: 0 }, next: [] });
    expect(dropped.totals.map(({ planned }) => planned)).toEqual([paid]);
    const { row, why } = JSON.parse((await said(desk, 'explain', 'nov', 'L3')).out);
    expect([row.word, JSON.parse(row.closed)]).toMatchObject([
      'closed',
      { by: expect.stringMatching(/\w/), at: expect.any(Number), why: 'Paid by hand' },
    ]);
    expect(resultOf(dropped.result).at(-1)).toMatchObject({
      payrun_row: 'L3',
      payrun_status: 'closed',
      payrun_reason: why,
    });
    await expectWhole(desk, dropped.result);
    expect(documentOf(await said(desk, 'resume', 'nov'))).toMatchObject({ exit: 0, sent: 0 });
    expect((await command(desk, ['status', 'nov'])).out).toContain('closed');
    expect([await audited(desk), service.payments.length]).toEqual([0, 3]);
  });

  it('names the repeats of the newest addition, and not those that were held before it', async () => {
    const { desk } = await heldTwins();
    const wrong = rows.map((row, nth) => ({ ...row, row_id: `M${nth + 1}` }));
    const steps = [{ action: 'drop-rows', rows: ['M1', 'M2', 'M3'] }, { row: 'M1' }];
    expect(documentOf(await run(desk, wrong, '--add')).next).toMatchObject(steps);
    const dropped = documentOf(await drop(desk, 'M1,M2,M3'));
    expect(dropped.next).toMatchObject([{ rows: ['L1', 'L2', 'L3'] }, { row: 'L1' }]);
  });

  it('changes no row if one of them may be paid', async () => {
    const { desk } = await heldTwins();
    expect(codeOf(await drop(desk, 'L1,k1'))).toEqual([2, 'ROW_IN_OTHER_STATE']);
    expect(codeOf(await drop(desk, 'L1,none'))).toEqual([2, 'ROW_UNKNOWN']);
    const status = await command(desk, ['status', 'nov', '--json']);
    expect(JSON.parse(status.out).rows).toMatchObject({ held: 3, closed: 0 });
    expect((await command(desk, ['drop', 'nov', '--row', 'L1', '--reason', ' '])).exit).toBe(2);
  });
});

describe.concurrent('a row that a retry names', () => {
  const unpaid = async (keys: readonly string[]) => {
    const service = await newService();
    const desk = deskFor(service, rows);
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 400 } : undefined);
    await run(
      desk,
      keys.map((row_id, index) => ({ ...rows[index]!, row_id })),
    );
    service.fault = () => undefined;
    return { service, desk };
  };

  it('is sent again once, however often it is named', async () => {
    const { service, desk } = await unpaid(['k1', 'k2']);
    const named = ['--rows', 'k1,k1', '--retry-row', 'k1', '--retry-row', 'k1'];
    const { sent, notes } = documentOf(await said(desk, 'retry', 'nov', ...named));
    expect([sent, notes[0]]).toMatchObject([1, { note: 'retried', rows: 1 }]);
    expect(service.payments).toHaveLength(1);
  });

  it('is refused if its number is the key of another row, until the state says which it is', async () => {
    const { service, desk } = await unpaid(['3', 'k2']);
    const refused = await said(desk, 'retry', 'nov', '--rows', '3');
    expect([codeOf(refused), service.payments]).toEqual([[2, 'ROWS_AMBIGUOUS'], []]);
    const shown = ambiguous(refused);
    expect(shown.map(({ row }) => row.key)).toEqual(['3', 'k2']);
    const chosen = ['retry', 'nov', '--rows', '3', '--seen', shown[0]!.seen];
    expect(documentOf(await said(desk, ...chosen)).sent).toBe(1);
    expect(service.payments).toMatchObject([{ amount: 100 }]);
    expect(codeOf(await said(desk, ...chosen))).toEqual([24, 'ROW_MOVED']);
  });

  it.each([
    [['2,3', 'k2'], '2,3'],
    [['3', 'k2'], '3,k2'],
  ])('of the keys %j in the list %s is refused without a choice', async (keys, list) => {
    const { service, desk } = await unpaid(keys);
    const refused = await said(desk, 'retry', 'nov', '--rows', list);
    expect([codeOf(refused), ambiguous(refused), service.payments]).toEqual([[2, 'ROWS_AMBIGUOUS'], [], []]);
  });

  it('is not named by a state alone', async () => {
    const { desk } = await unpaid(['k1', 'k2']);
    expect((await said(desk, 'retry', 'nov', '--seen', 'abc')).exit).toBe(2);
  });
});

describe.concurrent('a number that is the key of one row and the line of another', () => {
  const numbered = async () => {
    const service = await newService();
    const desk = deskFor(service, rows);
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 429 } : undefined);
    await run(
      desk,
      rows.map((row, index) => ({ ...row, row_id: String(index + 1) })),
    );
    service.fault = () => undefined;
    return { service, desk };
  };

  it.each([
    [0, '2'],
    [1, '1'],
  ])('closes none, and with the state of reading %i only row %s', async (index, key) => {
    const { desk } = await numbered();
    const refused = await drop(desk, '2');
    expect(codeOf(refused)).toEqual([2, 'ROWS_AMBIGUOUS']);
    const { seen } = ambiguous(refused)[index]!;
    const dropped = documentOf(await said(desk, 'drop', 'nov', '--row', '2', '--seen', seen, '--reason', 'Left'));
    expect(dropped.rows).toMatchObject({ closed: 1, not_sent: 2 });
    expect(dropped.notes).toContainEqual(
      expect.objectContaining({ rows: { shown: [expect.objectContaining({ key })], total: 1 } }),
    );
    expect(codeOf(await said(desk, 'reopen', 'nov', '--row', '2', '--reason', 'Owed'))).toEqual([2, 'ROWS_AMBIGUOUS']);
    expect((await drop(desk, '4')).exit, 'only a line').toBe(23);
  });

  it('is refused by release and resolve, and explained with both rows', async () => {
    const { desk } = await numbered();
    const reason = ['--reason', 'Asked'];
    for (const words of [
      ['release', 'nov', '--row', '2', '--by', 'Esi', ...reason],
      ['resolve', 'nov', '--row', '2', '--not-paid', ...reason],
      ['resolve', 'nov', '--row', '2', '--release-absent', ...reason],
    ])
      expect(codeOf(await said(desk, ...words))).toEqual([2, 'ROWS_AMBIGUOUS']);
    const explained = JSON.parse((await said(desk, 'explain', 'nov', '2')).out);
    expect(explained).toMatchObject({ row: { key: '2' }, others: [{ key: '1', number: 2 }] });
    const { out } = await command(desk, ['explain', 'nov', '2']);
    expect([out.includes('Payee 2'), out.includes('Payee 1')]).toEqual([true, true]);
    expect(JSON.parse((await said(desk, 'explain', 'nov', '4')).out).others).toEqual([]);
  });
});

it('a sheet with a closed row is refused, and a plan that shows the row opens it', async () => {
  const service = await newService();
  const desk = deskFor(service, rows);
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 429 } : undefined);
  await run(desk, rows);
  service.fault = () => undefined;
  expect((await drop(desk, 'k3')).exit).toBe(23);
  const sheet = rows.map((row) => (row.row_id === 'k3' ? { ...row, amount: '77' } : row));
  const refused = await run(desk, sheet);
  const facts = {
    rows: { shown: [{ row: 4, why: 'Paid by hand' }], total: 1 },
    reopen: { action: 'reopen-rows', batch: 'nov', rows: ['k3'] },
  };
  expect([refused.exit, refusalOf(refused)]).toMatchObject([26, { code: 'ROWS_CLOSED', facts }]);
  const without = documentOf(await run(desk, rows.slice(0, 2)));
  expect(without).toMatchObject({ exit: 0, rows: { paid: 2, closed: 1 } });
  const none = await run(desk, rows);
  expect(refusalOf(none)).toMatchObject({ code: 'ROWS_CLOSED', facts: { others: null, added: [] } });
  const late = { ...rows[0]!, row_id: 'k9', reference: 'Ref 9' };
  const accepting = { batch: 'nov', add: true, drop: true };
  expect(refusalOf(await run(desk, [...rows, late]))).toMatchObject({
    code: 'ROWS_CLOSED',
    facts: { others: { action: 'run-sheet', ...accepting }, added: [{}] },
  });

  writeFileSync(desk.sheet, csvOf(sheet));
  const plan = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov'));
  expect(plan.problems[0]).toMatchObject({ row: 4, code: 'ROW_CLOSED', severity: 'warning' });
  expect(plan.rows).toMatchObject({ not_sent: 1, closed: 0 });
  const ran = documentOf(await run(desk, sheet, '--approve', plan.plan_digest ?? ''));
  expect(ran).toMatchObject({ exit: 0, rows: { paid: 3, closed: 0 } });
  expect([await audited(desk), service.payments.length]).toEqual([0, 3]);
});
