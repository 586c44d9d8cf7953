/** The facts of a refused version, and of the plan that takes a row back. test/tables/versions.test.ts has every refusal. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { command, csvOf, type Desk, documentOf, kenyanRows, refusalOf, type SheetRow } from '../support.ts';
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
    facts: { batch: 'nov', rows: { total: 1, shown: [{ row: 4, now: null }] } },
  });

  const plan = ['plan', desk.sheet, '--batch', 'nov', '--add', '--json'];
  const { plan_digest, problems } = documentOf(await command(desk, plan));
  expect(problems.map(({ code, row }) => [code, row])).toContainEqual(['TAKES_BACK', 4]);
  expect((await give(three, '--add', '--approve', plan_digest ?? '')).exit).toBe(0);
  expect(paid()).toEqual(['Ref 1 100', 'Ref 2 101', 'Ref 3 102']);
});
