/** A batch is a line of whole lists: what each next sheet of it does, and what has to be said for that. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { daysAgo } from '../protocol/desk.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, refusalOf, type SheetRow } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(4);
const three = rows.slice(0, 3);
const other = (row: SheetRow): SheetRow => ({ ...row, amount: '999' });

const olderVersion = (row: object) => ({
  code: 'OLDER_VERSION',
  facts: { batch: 'nov', rows: { total: 1, shown: [row] } },
});

/** A batch of which the first row was sent, and the others were not. */
async function begun(sheet: readonly SheetRow[] = three) {
  const service = await newService();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  const desk = deskFor(service, sheet);
  const give = async (next: readonly SheetRow[], ...flags: string[]) => await run(desk, next, ...flags);
  expect((await give(sheet)).exit).toBe(sheet.length > 1 ? 25 : 0);
  service.fault = () => undefined;
  const paid = () => service.payments.map(({ reference, amount }) => `${reference} ${amount}`).sort();
  return { service, desk, give, paid };
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

describe.concurrent('a sheet of a batch that was sent from', () => {
  it('adds rows with --add, which keeps the rows that it lacks', async () => {
    const { give, paid } = await begun();
    const refused = await give(rows.slice(3));
    expect(refusalOf(refused)).toMatchObject({ code: 'ROWS_ADDED', facts: { batch: 'nov', added: 1, missing: 3 } });
    expect(refusalOf(await give([other(rows[1]!), rows[3]!], '--add'))).toMatchObject({
      code: 'ADDITION_CHANGES_ROWS',
      facts: { rows: { total: 1, shown: [{ row: 2, changes: [{ column: 'amount', was: 101, now: 999 }] }] } },
    });
    expect(paid()).toEqual(['Ref 1 100']);
    expect((await give(rows.slice(3), '--add')).exit).toBe(0);
    expect(paid()).toEqual(['Ref 1 100', 'Ref 2 101', 'Ref 3 102', 'Ref 4 103']);
  });

  it('ends the rows that it lacks with --drop, and no older sheet brings them back', async () => {
    const { desk, give, paid } = await begun();
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
    const older = await give(three, '--add');
    expect(refusalOf(older)).toMatchObject(olderVersion({ row: 4, now: null }));

    const plan = ['plan', desk.sheet, '--batch', 'nov', '--add', '--json'];
    const { plan_digest, problems } = documentOf(await command(desk, plan));
    expect(problems.map(({ code, row }) => [code, row])).toContainEqual(['TAKES_BACK', 4]);
    expect((await give(three, '--add', '--approve', plan_digest ?? '')).exit).toBe(0);
    expect(paid()).toEqual(['Ref 1 100', 'Ref 2 101', 'Ref 3 102']);
  });

  it('gives no row back what a newer sheet changed, by hand or before anything was sent', async () => {
    const { give, paid } = await begun();
    expect((await give([three[0]!, three[1]!, other(three[2]!)])).exit).toBe(0);
    expect((await give(three)).exit).toBe(26);
    expect(paid()).toContain('Ref 3 999');

    const service = await newService();
    const desk = deskFor(service, three);
    service.fault = ({ route }) => (route === 'GET /merchants' ? { kind: 'answer', status: 500 } : undefined);
    for (const sheet of [three, [three[0]!, three[1]!, other(three[2]!)]])
      expect((await run(desk, sheet)).exit).toBe(25);
    expect(refusalOf(await run(desk, three))).toMatchObject(
      olderVersion({ row: 4, now: { amount: '999', currency: 'KES' } }),
    );
    expect(service.payments).toEqual([]);
  });
});

it('a paid sheet closes the unsent rows of a later addition with --add --drop, however late', async () => {
  const { service, desk, give } = await begun(rows.slice(0, 1));
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
  expect((await give(rows.slice(1, 2), '--add')).exit).toBe(25);
  service.fault = () => undefined;
  await daysAgo(service, [desk], 3);
  const closing = documentOf(await give(rows.slice(0, 1), '--add', '--drop'));
  expect([closing.exit, closing.rows]).toMatchObject([0, { paid: 1, closed: 1 }]);
});

it('--add needs a batch to add to', async () => {
  const desk = deskFor(await newService(), three);
  expect((await command(desk, ['run', desk.sheet, '--batch', 'new', '--add'])).exit).toBe(2);
});

it('a plan pays nothing once another sheet of its batch came in', async () => {
  const { desk, give, paid } = await begun();
  const later = join(desk.folder, 'later.csv');
  writeFileSync(later, csvOf([three[0]!, other(three[1]!), three[2]!]));
  const planOf = ['plan', later, '--batch', 'nov', '--json'];
  const { plan_digest } = documentOf(await command(desk, planOf));
  expect((await give([three[0]!, three[1]!, other(three[2]!)])).exit).toBe(0);
  const paying = ['run', later, '--batch', 'nov', '--approve', plan_digest ?? '', '--wait', '20s'];
  expect((await command(desk, paying)).exit).toBe(26);
  expect(paid()).toEqual(['Ref 1 100', 'Ref 2 101', 'Ref 3 999']);
});
