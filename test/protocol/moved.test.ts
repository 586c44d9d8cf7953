/** What a person does by the way: the ledger's folder is moved, or the user that the service wanted is named. */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { command, kenyanRows, noted } from '../support.ts';
import { machine, paymentsOf, posts, run, told, watched } from './desk.ts';

const rows = kenyanRows(3, 2);

it('a ledger that was moved with its folder goes on by itself: its copies of the sheets lie beside it', async () => {
  const expires = new Set(['Ref 3']);
  const { service } = await watched({ expires });
  const desk = machine(service, rows);
  const lay = { ...desk, ledger: join(desk.folder, 'lay', 'ledger.db') };
  const at = (ledger: string) => ({ ...lay, ledger, env: { ...desk.env, PAYRUN_LEDGER: ledger } });
  const first = await told(at(lay.ledger), 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
  expect(first.document.rows, first.err).toMatchObject({ paid: 2, unpaid: 1 });
  renameSync(dirname(lay.ledger), join(desk.folder, 'lies'));
  const moved = at(join(desk.folder, 'lies', 'ledger.db'));
  for (const payment of service.payments)
    if (expires.has(payment.reference)) Object.assign(payment, { ends: 'expired' });
  expires.clear();
  const again = await told(moved, 'retry', 'nov', '--wait', '20s');
  expect([again.exit, again.document.rows.paid]).toEqual([0, 3]);
  expect(again.document.notes).not.toContainEqual(noted('result-unwritten'));
  expect((await command(moved, ['report', 'nov'])).exit).toBe(0);
});

it("a service that wants a user's token is told of, and that user goes on with the batch", async () => {
  const { service, ...seen } = await watched();
  const watch = service.fault;
  let forbidden = true;
  service.fault = (call) =>
    forbidden && call.route === 'POST /payments' ? { kind: 'answer', status: 403 } : watch(call);
  const desk = machine(service, rows);
  const first = await run(desk);
  expect([first.exit, first.document.stopped?.message]).toEqual([25, expect.stringContaining('PAYRUN_USER_ID')]);
  expect(posts(service), 'it was tried').toBeGreaterThan(0);
  forbidden = false;
  const user = { ...desk, env: { ...desk.env, PAYRUN_USER_ID: service.userId } };
  const second = await run(user);
  expect([second.exit, second.document.rows.pending + second.document.rows.paid], second.err).toEqual([
    expect.any(Number),
    3,
  ]);
  expect(paymentsOf(service)).toEqual({ 'Ref 1': 1, 'Ref 2': 1, 'Ref 3': 1 });
  expect(seen.hits.size).toBe(3);
});

it('what may have arrived under one key is still looked for with no other', async () => {
  const { service } = await watched();
  const desk = machine(service, rows);
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'drop' } : undefined);
  expect((await run(desk)).exit).toBe(22);
  service.fault = () => undefined;
  const user = { ...desk, env: { ...desk.env, PAYRUN_USER_ID: service.userId } };
  const { exit, err } = await command(user, ['run', desk.sheet, '--batch', 'nov']);
  expect([exit, err]).toEqual([26, expect.stringContaining('rebind')]);
});
