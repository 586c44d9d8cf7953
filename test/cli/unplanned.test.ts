/** What a file without a plan leaves as it was approved at a terminal. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { machine } from '../protocol/desk.ts';
import {
  command,
  csvOf,
  type Desk,
  deskFor,
  documentOf,
  kenyanRows,
  newService,
  noted,
  type SheetRow,
} from '../support.ts';
import { ownTime } from './own-time.ts';

const rows = kenyanRows(5);
const three = rows.slice(0, 3);
const hourMs = 3_600_000;
const said = async (desk: Desk, ...argv: string[]) => await command(desk, [...argv, '--json']);

/** The desk's file as each of these sheets in turn. */
const at = (desk: Desk, wait = '20s') => {
  const run = async (sheet: readonly SheetRow[], ...flags: string[]) => {
    writeFileSync(desk.sheet, csvOf(sheet));
    return await said(desk, 'run', desk.sheet, '--batch', 'nov', '--concurrency', '1', '--wait', wait, ...flags);
  };
  const approved = async (sheet: readonly SheetRow[], ...flags: string[]) => {
    writeFileSync(desk.sheet, csvOf(sheet));
    const { plan_digest: digest } = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov', ...flags));
    return await run(sheet, '--approve', digest ?? '', ...flags);
  };
  return { run, approved };
};

it('a row that an approved sheet takes out while its payment is pending is not paid anew by a retry without a plan', async () => {
  const clock = ownTime();
  const service = await newService({ expires: new Set(['Ref 3']), settleAfterMs: hourMs, now: () => clock.now() });
  const desk = { ...deskFor(service, three), clock };
  const { run, approved } = at(desk, '0');
  expect(documentOf(await run(three)).rows).toMatchObject({ pending: 3 });
  expect((await approved(three.slice(0, 2))).exit).toBe(23);
  // As cron runs it, while the row is pending.
  expect((await run(three)).exit).toBe(26);
  clock.pass(hourMs);
  await said(desk, 'resume', 'nov', '--wait', '20s');
  await said(desk, 'retry', 'nov', '--wait', '0');
  expect(service.payments, 'no new payment of what was taken out').toHaveLength(3);
});

it('a row that an approved sheet takes out while it is in doubt is not sent by release-absent and resume, without a plan', async () => {
  const clock = ownTime();
  const service = await newService(clock);
  const settings = { PAYRUN_HTTP_TIMEOUT: '60s', PAYRUN_DOUBT_HORIZON: '1h', PAYRUN_DOUBT_POLICY: 'hold' };
  const desk = { ...machine(service, rows, settings), clock };
  const { run, approved } = at(desk);
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'Ref 3' ? { kind: 'drop' } : undefined;
  const four = rows.slice(0, 4);
  expect(documentOf(await run(four)).rows).toMatchObject({ in_doubt: 1 });
  service.fault = () => undefined;
  expect((await approved([rows[0]!, rows[1]!, rows[3]!])).exit).toBe(22);
  // As cron runs it, while the row is in doubt.
  await run(four);
  clock.pass(1.1 * hourMs);
  await run(rows, '--add');
  // Without a younger payment of ours, two passes after twice the horizon prove that there is none of the row's.
  clock.pass(1.1 * hourMs);
  await said(desk, 'reconcile', 'nov');
  clock.pass(2000);
  await said(desk, 'resume', 'nov', '--wait', '20s');
  const released = await said(desk, 'resolve', 'nov', '--release-absent', '--reason', 'as it says');
  expect(documentOf(released).notes).toContainEqual(noted('absent-released', { batch: 'nov', rows: 1 }));
  await said(desk, 'resume', 'nov', '--wait', '20s');
  expect(service.payments.map(({ reference }) => reference)).not.toContain('Ref 3');
});

it('a batch that runs under a plan with a canary is not gone on with without it, since a file without a plan repeated it', async () => {
  const clock = ownTime();
  const service = await newService(clock);
  const desk = { ...deskFor(service, three), clock };
  const { run, approved } = at(desk);
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
  await approved(three, '--canary', '1');
  expect((await said(desk, 'resume', 'nov', '--canary', '0')).exit).toBe(26);
  await run(three, '--canary', '0');
  expect((await said(desk, 'resume', 'nov', '--canary', '0')).exit).toBe(26);
});
