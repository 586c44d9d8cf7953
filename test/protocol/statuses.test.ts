/** A service with words of its own for the ends of payments: open until the settings say what they mean, and from then on told as their word. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { command, documentOf, kenyanRows, newService, pay, resultOf } from '../support.ts';
import { machine, reasonsOf } from './desk.ts';

const rows = kenyanRows(2);
const words = { open: 'IN CLEARING', success: 'SETTLED', expired: 'Rejected' };

function trailOf(ledger: string): string[] {
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    return Array.from(db.prepare('SELECT entry FROM trail').all(), ({ entry }) => String(entry));
  } finally {
    db.close();
  }
}

it('words of the settings end payments, are told, and living payments are found again when they are taken back', async () => {
  const service = await newService({ words, settleAfterMs: 0, expires: new Set(['Ref 2']) });
  const desk = machine(service, rows);
  const config = join(desk.folder, 'payrun.config.json');
  const run = (...more: string[]) => pay(desk, '--batch', 'nov', ...more);
  expect((await run()).document.rows).toMatchObject({ pending: 2, paid: 0, unpaid: 0 });

  writeFileSync(config, '{"payments": {"statuses": {"settled": "success", "REJECTED": "expired"}}}');
  const { document, exit } = await run('--wait', '10s');
  expect([exit, document.rows]).toMatchObject([21, { paid: 1, unpaid: 1 }]);
  expect(document.notes.filter(({ note }) => note === 'status-by-setting')).toMatchObject([
    { status: 'Rejected', rows: 1, means: 'expired' },
    { status: 'SETTLED', rows: 1, means: 'success' },
  ]);
  expect(resultOf(document.result)).toMatchObject([
    { payrun_status: 'paid', payrun_payment_status: 'SETTLED' },
    {
      payrun_status: 'unpaid',
      payrun_payment_status: 'Rejected',
      payrun_reason: expect.stringMatching(/'Rejected'.*payments\.statuses/),
    },
  ]);

  // Nothing sends such a row again by itself; a person does, and only it.
  expect((await run()).document.sent).toBe(0);
  expect(service.payments).toHaveLength(2);
  const retried = documentOf(await command(desk, ['retry', 'nov', '--json', '--wait', '10s']));
  expect([retried.sent, service.payments.length, retried.rows]).toMatchObject([1, 3, { paid: 1, unpaid: 1 }]);

  const entries = trailOf(desk.ledger);
  expect(entries.filter((entry) => entry.includes('"takenAs":"expired"'))).toHaveLength(2);
  const passes = entries.filter((entry) => entry.includes('"pass"'));
  expect(passes.at(-1)).toContain('"statuses":{"settled":"success"');

  rmSync(config);
  const { document: alarmed, exit: alarm } = await run();
  expect([alarm, alarmed.sent, alarmed.stopped?.code]).toEqual([27, 0, 'PAID_TWICE']);
  expect(service.payments).toHaveLength(3);
  expect(resultOf(alarmed.result).map((row) => row.payrun_status)).toEqual(['held', 'in doubt']);
  const reasons = await Promise.all(
    resultOf(alarmed.result).map((row) => reasonsOf(desk, row.payrun_row!, row.payrun_batch)),
  );
  expect(reasons).toMatchObject([
    [{ kind: 'no-longer-paid', status: 'SETTLED', bySetting: true }],
    [{ kind: 'two-payments' }],
  ]);
});

it('a setting that would turn the known words around stops every command', async () => {
  const service = await newService();
  const desk = machine(service, rows);
  writeFileSync(join(desk.folder, 'payrun.config.json'), '{"payments": {"statuses": {"Success": "expired"}}}');
  const { exit, err } = await command(desk, ['run', desk.sheet]);
  expect([exit, err, service.payments]).toEqual([2, expect.stringContaining("'Success' means success"), []]);
});
