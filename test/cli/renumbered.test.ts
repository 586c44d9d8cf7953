/** Rows that were sent, and come again under another row_id: what is said of them, and what `--add` does with them. */
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { command, csvOf, type Desk, kenyanRows, pay, type SheetRow } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const numbered = (...ids: readonly (string | null)[]): SheetRow[] =>
  kenyanRows(ids.length).map(({ row_id: _id, ...row }, index) => {
    const id = ids[index];
    return id == null ? row : { row_id: id, ...row };
  });

async function sent(...ids: readonly (string | null)[]) {
  const service = await newService({ settleAfterMs: 0 });
  const desk = deskFor(service, numbered(...ids));
  await pay(desk, '--batch', 'nov');
  return { service, desk };
}

async function again(desk: Desk, rows: readonly SheetRow[], verb: string, ...more: string[]) {
  writeFileSync(desk.sheet, csvOf(rows));
  return await command(desk, [verb, desk.sheet, '--batch', 'nov', ...more]);
}

const moments = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g;
const holds = /\(pays none of them: it holds them until somebody says that they repeat nothing\)/;
const cases: [title: string, before: (string | null)[], now: (string | null)[], words: string][] = [
  [
    'without its zeros',
    ['0041', '042'],
    ['41', '42'],
    `2 of the new rows look like ones that this batch has sent with other zeros before the row_id (same payee, amount and reference): row 2 ('41') like row 2 ('0041'), sent MOMENT; row 3 ('42') like row 3 ('042'), sent MOMENT. If they are the same, write the row_id with the zeros of then, in cells whose format is text.`,
  ],
  [
    'that came later',
    [null, null],
    ['a', 'b'],
    `2 of the new rows look like ones that this batch has sent without a row_id (same payee, amount and reference): row 2 ('a') like row 2 (no row_id), sent MOMENT; row 3 ('b') like row 3 (no row_id), sent MOMENT. If they are the same, leave the row_id out.`,
  ],
  [
    'that is another one',
    ['a', 'b'],
    ['a', 'c'],
    `1 of the new rows looks like one that this batch has sent under another row_id (same payee, amount and reference): row 3 ('c') like row 3 ('b'), sent MOMENT. If they are the same, write the row_id of then.`,
  ],
];

describe.concurrent('rows that were sent, with a row_id', () => {
  it.each(cases)('%s, are told, and held by --add', async (_title, before, now, words) => {
    const { service, desk } = await sent(...before);
    for (const verb of ['run', 'plan']) {
      const { exit, err } = await again(desk, numbered(...now), verb);
      const said = err.replaceAll(moments, 'MOMENT');
      expect([exit, said, said]).toEqual([26, expect.stringContaining(words), expect.stringMatching(holds)]);
    }
    // The way that is named leads on.
    expect((await again(desk, numbered(...before), 'run')).exit).toBe(0);
    const { exit, out } = await again(desk, numbered(...now), 'run', '--add');
    expect([exit, service.payments.length, out]).toEqual([22, 2, expect.stringMatching(/the same .*, and is held$/m)]);
  });

  it('and beside them a new one: that alone is paid', async () => {
    const { service, desk } = await sent('01', '02');
    const now = numbered('1', '2', '3');
    const { err } = await again(desk, now, 'run');
    expect(err).toMatch(/\(holds 2 of them until somebody says that they repeat nothing, and pays the others\)/);
    expect([(await again(desk, now, 'run', '--add')).exit, service.payments.length]).toEqual([22, 3]);
  });

  it.each([
    ['without its zeros', ['041', '042'], ['41', '42'], 2],
    ['that came later', [null, null], ['a', 'b'], 2],
    ['that is not there any more', ['a', 'b'], [null, null], 2],
    ['that is another one', ['a', 'b'], ['c', 'd'], 4],
    // What the sheet still has was paid for itself.
    ['that is there beside a new one', ['a', 'b'], ['a', 'b', '0a'], 3],
  ])('%s, are held by --add however long ago, but for ones that may be others', async (_title, before, now, paid) => {
    const { service, desk } = await sent(...before);
    const ledger = new DatabaseSync(desk.ledger);
    ledger.exec('UPDATE payout SET submitted_at = submitted_at - 864000000');
    ledger.close();
    const sheet = numbered(...now).map((row, index) => ({
      ...row,
      ...(index < 2 ? {} : { ...numbered('x')[0], row_id: now[index]! }),
    }));
    const { exit, err } = await again(desk, sheet, 'run');
    const says = paid === 2 ? holds : /\(pays only those\)/;
    expect([exit, err, err]).toEqual([
      26,
      expect.stringMatching(/of the new rows looks? like/),
      expect.stringMatching(says),
    ]);
    const added = await again(desk, sheet, 'run', '--add');
    expect([added.exit, service.payments.length], added.err).toEqual([paid === 2 ? 22 : 0, paid]);
  });
});
