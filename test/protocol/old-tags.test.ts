/** A new ledger at a service that knows the batch's name from an earlier year: what was paid then does not pay this year's rows. */
import { expect, it } from 'vitest';
import type { RefusalFacts } from '../../src/base/refusal.ts';
import { kenyanRows } from '../support.ts';
import { daysAgo, machine, posts, run, statusOf, told, watched } from './desk.ts';

const rows = kenyanRows(5, 5);

it('with a row more than then, stops before anything is sent, and says when the others were paid', async () => {
  const { service, clock } = await watched();
  await run(machine(service, rows.slice(0, 4)));
  await daysAgo(service, [], 365);
  const desk = machine(service, rows);
  const { exit, document } = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '0');
  expect([exit, posts(service), document.stopped?.code]).toEqual([26, 4, 'BATCH_PAID_IN_PART']);
  const { lastPaidAt, unpaid } = document.stopped!.facts as RefusalFacts['BATCH_PAID_IN_PART'];
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  expect([day(lastPaidAt), unpaid]).toEqual([day(clock.now() - 365 * 24 * 3600 * 1000), 1]);
  const again = await run(desk);
  expect([again.exit, posts(service)]).toEqual([26, 4]);
  const resumed = await told(desk, 'resume', 'nov', '--wait', '0');
  expect([resumed.exit, posts(service)]).toEqual([26, 4]);
  const added = await run(desk, '--add');
  expect([posts(service), statusOf(added).k5]).toEqual([5, 'pending']);
});

it('and under a name of its own all rows are paid', async () => {
  const { service } = await watched();
  await run(machine(service, rows.slice(0, 4)));
  await daysAgo(service, [], 365);
  const desk = machine(service, rows);
  await run(desk);
  // The old payments are pending for this ledger, as nobody followed them.
  const other = ['run', desk.sheet, '--batch', '2026-11', '--confirm-repeat', 'another year', '--wait', '0'];
  const { document } = await told(desk, ...other);
  expect([document.rows.pending, posts(service)]).toEqual([5, 9]);
});

it('of a batch that began lately, goes on', async () => {
  const { service } = await watched();
  await run(machine(service, rows.slice(0, 4)));
  await daysAgo(service, [], 2);
  const desk = machine(service, rows);
  await run(desk);
  expect(posts(service)).toBe(5);
});
