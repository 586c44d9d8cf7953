/** The pages on doubts, and on ledgers that are lost, damaged, restored or moved, walked as they stand there: each row is paid once. */
import { EventEmitter } from 'node:events';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machine } from '../protocol/desk.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  newService,
  refusalOf,
} from '../support.ts';
import { walkPage } from '../walk.ts';
import { ownTime } from './own-time.ts';

const november = kenyanRows(3);
const december = kenyanRows(60).map((row) => ({ ...row, row_id: `d${row.row_id}`, reference: `Dec ${row.row_id}` }));

/** By its own time; no machine is too slow for such a deadline. */
const deadlineMs = 60_000;
const horizonMs = 3_600_000;
const settings = { PAYRUN_HTTP_TIMEOUT: `${deadlineMs}ms`, PAYRUN_DOUBT_HORIZON: `${horizonMs}ms` };
/** All clocks have passed twice the horizon; the service tells its time in full seconds. */
const pastTwiceMs = 2 * (deadlineMs + horizonMs) + 1100;

it.concurrent('a ledger is lost during a batch, restored from an old copy, damaged, and moved', async () => {
  const page = walkPage('how-to/recover-a-ledger.md');
  const clock = ownTime();
  const service = await newService(clock);
  const desk = { ...machine(service, november, settings), clock };
  const at = (name: string) => join(desk.folder, name);
  writeFileSync(at('december.csv'), csvOf(december));
  const paidOnce = async () => {
    await page.next(desk, 'run december', 'audit verify');
    expectOnePaymentEach(service, [...november, ...december]);
  };

  await page.next(desk, 'run november', 'audit export');
  cpSync(at('state'), at('kept'), { recursive: true });

  const keyboard = new EventEmitter();
  service.fault = ({ route, nth }) => {
    if (route === 'POST /payments' && nth === november.length + 20) keyboard.emit('SIGINT');
    return undefined;
  };
  const stopped = await command(desk, ['run', 'december.csv', '--batch', '2026-12'], keyboard);
  expect([stopped.exit, service.payments.length < november.length + december.length]).toEqual([130, true]);
  rmSync(at('state'), { recursive: true });
  await page.next(desk, 'run december');
  const waiting = await command(desk, ['run', 'december.csv', '--batch', '2026-12', '--wait', '0', '--json']);
  expect(documentOf(waiting)).toMatchObject({ exit: 23, sent: 0, stopped: { code: 'SENT_ELSEWHERE' } });
  clock.pass(pastTwiceMs);
  await paidOnce();

  rmSync(at('state'), { recursive: true });
  renameSync(at('kept'), at('state'));
  clock.pass(pastTwiceMs);
  await paidOnce();

  cpSync(desk.ledger, at('kept.db'));
  const pages = readFileSync(desk.ledger);
  writeFileSync(desk.ledger, pages.fill(0xa5, 4096));
  await page.next(desk, 'status');
  const damaged = await command(desk, ['status', '2026-12', '--json']);
  expect([damaged.exit, refusalOf(damaged)]).toMatchObject([27, { code: 'LEDGER_DAMAGED' }]);
  cpSync(at('kept.db'), desk.ledger);

  const folder = newFolder();
  for (const name of ['state', 'data', 'december.csv']) renameSync(at(name), join(folder, name));
  const env = Object.entries(desk.env).map(([name, value]) => [name, value.replace(desk.folder, folder)]);
  const moved: Pick<Desk, 'env' | 'folder' | 'clock'> = {
    folder,
    clock,
    env: Object.fromEntries(env) as Record<string, string>,
  };
  await page.next(moved, 'resume', 'audit verify');
  expectOnePaymentEach(service, [...november, ...december]);
  page.end();
});

it.concurrent('the list of payments ends one doubt; a proof and a person’s decision end the other', async () => {
  const page = walkPage('how-to/settle-a-doubt.md');
  const clock = ownTime();
  const service = await newService(clock);
  const rows = kenyanRows(6);
  const desk = { ...machine(service, rows, { ...settings, PAYRUN_CONCURRENCY: '1' }), clock };
  service.fault = ({ route, nth, body: { reference } }) => {
    if (route !== 'POST /payments' || nth > rows.length) return undefined;
    return reference === 'Ref 2' || reference === 'Ref 5' ? { kind: 'drop', after: reference === 'Ref 2' } : undefined;
  };
  const quoted = [...page.page.matchAll(/^> (.+)$/gm)].map(([, line]) => line);
  const out = [await page.next(desk, 'run')];
  await page.next(desk, 'explain');
  const explained = JSON.parse((await command(desk, ['explain', '2026-11', 'k5', '--json'])).out);
  expect(explained.row).toMatchObject({ word: 'in doubt', reasons: [{ kind: 'answer-lost' }, { kind: 'not-listed' }] });
  await page.next(desk, 'resolve.*--not-paid');
  const early = await command(desk, ['resolve', '2026-11', '--row', 'k5', '--not-paid', '--reason', 'x', '--json']);
  expect([early.exit, refusalOf(early)]).toMatchObject([2, { code: 'PAYMENT_MAY_APPEAR', facts: { row: 'k5' } }]);
  clock.pass(pastTwiceMs);
  out.push(await page.next(desk, 'reconcile'));
  for (const line of quoted) expect(out.join('')).toContain(line);
  await page.next(desk, 'resolve.*--release-absent', 'resume');
  const ended = documentOf(await command(desk, ['status', '2026-11', '--json']));
  expect(ended).toMatchObject({ rows: { total: 6, paid: 6 }, next: [] });
  expectOnePaymentEach(service, rows);
  page.end();
});
