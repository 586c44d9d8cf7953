/** A row with two payments stops the sending of all batches of its ledger, until a person knows of it. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { command, csvOf, kenyanRows } from '../support.ts';
import { machine, posts, told, watched } from './desk.ts';

it('an alarm in one batch stops the next runs of all batches, until a person knows of it', async () => {
  const { service } = await watched();
  const [first, second, third, fourth] = kenyanRows(4, 4);
  const desk = machine(service, [first!]);
  const run = async (batch: string, row: typeof first) => {
    writeFileSync(desk.sheet, csvOf([row!]));
    const { exit, document } = await told(desk, 'run', desk.sheet, '--batch', batch, '--wait', '20s');
    return [exit, document.stopped?.code, posts(service)];
  };
  const go = async (...argv: string[]) => {
    const { exit, document } = await told(desk, ...argv, '--wait', '20s');
    return [exit, document.stopped?.code, posts(service)];
  };
  expect(await run('oct', first)).toEqual([0, undefined, 1]);
  service.payments.push({ ...service.payments[0]!, id: randomUUID() });
  // The run that finds the alarm, the next run of the same batch, and the first run of another batch.
  expect(await run('nov', second)).toEqual([27, 'PAID_TWICE', 1]);
  expect(await go('resume', 'nov')).toEqual([27, 'PAID_TWICE', 1]);
  expect(await run('dec', third)).toEqual([27, 'PAID_TWICE', 1]);
  const ledger = openLedger(desk.ledger, systemClock);
  expect(['nov', 'dec'].map((name) => ledger.leads.of(name).stands)).toEqual(['stopped', 'stopped']);
  await ledger.close();
  const said = await command(desk, ['resolve', 'oct', '--row', '2', '--known', '--reason', 'it is returned']);
  expect(said.exit, 'the row of its batch stays paid twice').toBe(27);
  expect(await go('resume', 'nov')).toEqual([0, undefined, 2]);
  expect(await go('resume', 'dec')).toEqual([0, undefined, 3]);
  for (const payment of service.payments.slice(-2)) service.payments.push({ ...payment, id: randomUUID() });
  writeFileSync(desk.sheet, csvOf([fourth!]));
  await told(desk, 'run', desk.sheet, '--batch', 'dec', '--add', '--wait', '20s');
  const { document } = await told(desk, 'resume', 'dec', '--wait', '20s');
  // Both batches have an alarm now: a run names that of its own batch.
  const rows = { shown: [{ row: 'k3', batch: 'dec' }], total: 1 };
  expect([document.stopped, posts(service)]).toMatchObject([{ code: 'PAID_TWICE', facts: { rows } }, 3]);
});
