/** How moments are written: for people to the second and with their zone, for programs in ISO 8601. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { command, documentOf, kenyanRows, resultOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const forPeople = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

it('a doubt names moments to the second with their zone; its document is ISO', async () => {
  const service = await newService();
  service.fault = ({ route, nth }) => (route === 'POST /payments' && nth === 1 ? { kind: 'drop' } : undefined);
  const desk = deskFor(service, kenyanRows(2), { PAYRUN_DOUBT_HORIZON: '1h' });
  const ran = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  const screens = [
    ran,
    ...(await Promise.all([['status'], ['explain', 'nov', 'k1'], ['list']].map((argv) => command(desk, argv)))),
  ];
  for (const { out } of screens) {
    expect(out).toMatch(new RegExp(forPeople));
    expect(out).not.toMatch(/\dT\d\d:|\d\.\d{3}Z/);
  }
  expect(ran.out).toMatch(new RegExp(`\\(after ${forPeople}\\): payrun reconcile`));
  const document = documentOf(await command(desk, ['status', '--json', '--exit-code']));
  expect(document.next[0]?.after).toMatch(iso);
  const [first] = resultOf(join(desk.folder, 'november.result.csv'));
  expect(first).toMatchObject({ payrun_status: 'in doubt', payrun_submitted_at: expect.stringMatching(iso) });
  expect(first?.payrun_reason).not.toMatch(/\dT\d\d:/);
});

it('no sentence cuts a moment to the date that it has in UTC', () => {
  const source = join(import.meta.dirname, '../../src');
  const cut = /isoTime\([^\n]*\)\.slice\(0, 10\)/;
  const files = globSync('**/*.ts', { cwd: source }).filter((file) =>
    cut.test(readFileSync(join(source, file), 'utf8')),
  );
  // They compare days, and write none.
  expect(files.sort()).toEqual(['domain/calendar/day.ts', 'pipeline/intake/transactions.ts']);
});

it('a ledger that is held names its holder since a moment to the second', async () => {
  const desk = deskFor(await newService(), kenyanRows(1));
  const ledger = openLedger(desk.ledger, systemClock);
  await ledger.hold();
  const { exit, err } = await command(desk, ['run', desk.sheet]);
  await ledger.close();
  expect(exit).toBe(24);
  expect(err).toMatch(new RegExp(`process ${process.pid}, since ${forPeople}`));
});
