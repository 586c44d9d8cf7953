/** A payment that had expired comes to life after the same payment was sent again in another batch, or after the newest sheet lacks its row. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { command, csvOf, type Desk, kenyanRows, refusalOf, resultOf, type SheetRow, wordsOf } from '../support.ts';
import { machine, paymentsOf, posts, type Told, told, type Watched, watched } from './desk.ts';

const rows = kenyanRows(3, 3).map(({ row_id: _row_id, ...row }) => row);
const [one, two, bad] = rows as [SheetRow, SheetRow, SheetRow];
const mended = { ...bad, amount: '303' };
const again = { ...bad, note: 'again' };

interface Late {
  readonly seen: Watched;
  readonly desk: Desk;
  readonly first: string;
  /** The batch of the corrected copy. */
  readonly second: string;
  /** What had expired is paid after all. */
  readonly revive: () => void;
  readonly ids: readonly [late: string, copy: string];
}

const on = async (desk: Desk, ...argv: string[]) => await told(desk, ...argv, '--wait', '20s');

/** Two rows are paid and the third expires; then a sheet without its old row pays it as it was corrected. */
async function late({
  copy = again,
  sheet = [copy],
  flags = ['--batch', 'again'],
  expires = ['Ref 3'],
}: {
  copy?: SheetRow;
  sheet?: readonly SheetRow[];
  flags?: readonly string[];
  expires?: readonly string[];
} = {}): Promise<Late> {
  const ending = new Set(expires);
  const seen = await watched({ expires: ending });
  const desk = machine(seen.service, rows);
  const before = await on(desk, 'run', desk.sheet);
  expect([before.exit, before.document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
  const first = before.document.batch ?? '';
  const old = seen.service.payments.find(({ reference }) => reference === 'Ref 3')!;
  Object.assign(old, { ends: 'expired' });
  if (copy === again || copy === mended) ending.clear();
  writeFileSync(desk.sheet, csvOf(sheet));
  const after = await on(desk, 'run', desk.sheet, ...flags.map((flag) => (flag === 'FIRST' ? first : flag)));
  expect(after.document.sent, after.err).toBe(1);
  return {
    seen,
    desk,
    first,
    second: after.document.batch ?? '',
    revive: () => Object.assign(old, { ends: 'success' }),
    ids: [String(old.id), String(seen.service.payments.at(-1)!.id)],
  };
}

function expectAlarm({ exit, document }: Told, { first, second, ids }: Late): void {
  expect([exit, document.exit, document.stopped?.code]).toEqual([27, 27, 'COPIES_PAID']);
  const [payment, other] = ids;
  const copy = { row: { number: 4, batch: first, payment }, copy: { batch: second, payment: other } };
  expect(document.stopped?.facts).toMatchObject({ copies: { total: 1, shown: [copy] } });
  expect(document.stopped?.message).toContain('--known');
}

describe.concurrent('a row that seemed unpaid had ended unpaid and is paid late, after the same was sent again', () => {
  it.each(['resume', 'reconcile'])('and %s of its batch tells it, until a person says to know of it', async (how) => {
    const paid = await late();
    const { desk, first, second, seen } = paid;
    expect((await on(desk, 'resume', first)).exit, 'nothing is alarmed while it is expired').toBe(21);
    paid.revive();
    const seenLate = how === 'resume' ? await on(desk, how, first) : await told(desk, how, first);
    expectAlarm(seenLate, paid);
    const evidence = resultOf(seenLate.document.result).at(-1)?.payrun_evidence;
    for (const word of [second, ...paid.ids]) expect(evidence).toContain(word);
    expect((await command(desk, ['audit', 'verify', '--result', seenLate.document.result!])).exit).toBe(0);
    expectAlarm(await on(desk, 'resume', second), paid);
    expectAlarm(await on(desk, 'run', desk.sheet, '--batch', 'again'), paid);
    const status = await command(desk, ['status', second, '--exit-code']);
    expect([status.exit, status.out]).toEqual([27, expect.stringMatching(new RegExp(`row 4 .*${first}`))]);
    const said = await command(desk, ['resolve', second, '--row', '2', '--known', '--reason', 'it comes back']);
    expect(said.exit, said.err).toBe(0);
    for (const batch of [first, second]) {
      const { exit, document } = await on(desk, 'resume', batch);
      expect([exit, document.rows.paid, document.stopped]).toEqual([0, document.rows.total, null]);
    }
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
    expect([posts(seen.service), paymentsOf(seen.service)]).toEqual([4, { 'Ref 1': 1, 'Ref 2': 1, 'Ref 3': 2 }]);
  });

  it('and the same sheet run again tells it, though nothing of it is left to send', async () => {
    const paid = await late();
    expect((await on(paid.desk, 'run', paid.desk.sheet, '--batch', 'again')).exit).toBe(0);
    paid.revive();
    expectAlarm(await on(paid.desk, 'run', paid.desk.sheet, '--batch', 'again'), paid);
  });

  it('and a retry of its row, which Payrun holds for the copy, hides no alarm', async () => {
    const paid = await late();
    const retried = await on(paid.desk, 'retry', paid.first);
    expect(retried.document.rows, retried.err).toMatchObject({ paid: 2, held: 1 });
    paid.revive();
    expectAlarm(await told(paid.desk, 'reconcile', paid.first), paid);
    const ledger = openLedger(paid.desk.ledger, systemClock);
    expect(ledger.leads.of(paid.first).stands).toBe('stopped');
    await ledger.close();
  });

  it('and a run of another batch with another API key tells it', async () => {
    const paid = await late();
    paid.revive();
    const key = paid.seen.service.addKey();
    const desk = { ...paid.desk, env: { ...paid.desk.env, PAYRUN_API_KEY: key } };
    writeFileSync(desk.sheet, csvOf(kenyanRows(5, 5).slice(3)));
    expectAlarm(await on(desk, 'run', desk.sheet, '--batch', 'third'), paid);
    expect(posts(paid.seen.service)).toBe(4);
  });

  it('in a sheet of the same batch', async () => {
    const paid = await late({
      copy: mended,
      sheet: [one, two, mended],
      flags: ['--batch', 'FIRST', '--add', '--drop'],
    });
    paid.revive();
    const { exit, document } = await told(paid.desk, 'reconcile', paid.first);
    const copies = { shown: [{ row: { number: 4, batch: paid.first }, copy: null }], total: 1 };
    expect([exit, document.stopped]).toMatchObject([27, { code: 'COPIES_PAID', facts: { copies } }]);
    // Whoever lets the alarm vanish is found out.
    for (const tampering of [`UPDATE copy SET known = 'I do'`, 'DELETE FROM copy']) {
      const ledger = new DatabaseSync(paid.desk.ledger);
      ledger.exec(tampering);
      ledger.close();
      expect((await command(paid.desk, ['audit', 'verify'])).exit).toBe(27);
    }
  });

  it.each<[string, SheetRow]>([
    ['amount', mended],
    ['account', { ...bad, contact_number: '+254712999999' }],
    ['reference', { ...bad, reference: 'Other' }],
  ])('and a copy with another %s in another batch is no alarm', async (_what, copy) => {
    const paid = await late({ copy, flags: ['--batch', 'other'] });
    Object.assign(paid.seen.service.payments.at(-1)!, { ends: 'success' });
    await on(paid.desk, 'resume', 'other');
    paid.revive();
    const { exit, document } = await on(paid.desk, 'resume', paid.first);
    expect([exit, document.rows.paid, document.stopped]).toEqual([0, 3, null]);
  });

  it('and where the copy has expired too, nothing is paid twice until that is paid as well', async () => {
    const copy = { ...bad, note: 'it expires too' };
    const paid = await late({ copy });
    paid.revive();
    const { exit, document } = await on(paid.desk, 'resume', paid.first);
    expect([exit, document.rows.paid, document.stopped]).toEqual([0, 3, null]);
    // The copy is held, and not sent again.
    const retried = await on(paid.desk, 'retry', paid.second);
    expect([retried.exit, posts(paid.seen.service)], retried.err).toEqual([22, 4]);
    Object.assign(paid.seen.service.payments.at(-1)!, { ends: 'success' });
    expectAlarm(await told(paid.desk, 'reconcile', paid.second), paid);
    const ledger = openLedger(paid.desk.ledger, systemClock);
    expect(ledger.leads.of(paid.second).stands).toBe('stopped');
    await ledger.close();
  });

  it('and a copy that is paid later needs a word of its own', async () => {
    const paid = await late({ copy: { ...bad, note: 'it expires too' } });
    const { desk, seen, first } = paid;
    writeFileSync(desk.sheet, csvOf([{ ...bad, note: 'and the third' }]));
    const third = await on(desk, 'run', desk.sheet, '--batch', 'third');
    expect([third.exit, posts(seen.service)], third.err).toEqual([21, 5]);
    const [second, last] = seen.service.payments.slice(-2);
    paid.revive();
    Object.assign(second!, { ends: 'success' });
    const { document } = await told(desk, 'reconcile', first);
    const knows = document.next.find(({ action }) => action === 'resolve-known')!;
    Object.assign(last!, { ends: 'success' });
    expect((await told(desk, 'reconcile', first)).exit).toBe(27);
    const stale = await command(desk, [...wordsOf(knows.command.replace('TEXT', 'known')).slice(1), '--json']);
    expect(refusalOf(stale)).toMatchObject({ code: 'ROW_MOVED' });
  });

  it('and a word about two payments of the row does not cover a copy that is paid later', async () => {
    const paid = await late({ copy: { ...bad, note: 'it expires too' } });
    const { desk, seen, first } = paid;
    paid.revive();
    const old = seen.service.payments.find(({ reference }) => reference === 'Ref 3')!;
    seen.service.payments.push({ ...old, id: randomUUID() });
    expect((await told(desk, 'reconcile', first)).exit).toBe(27);
    await command(desk, ['resolve', first, '--row', '4', '--known', '--reason', 'It comes back']);
    expect((await told(desk, 'reconcile', paid.second)).document.stopped).toBe(null);
    Object.assign(seen.service.payments.at(-2)!, { ends: 'success' });
    const { exit, document } = await told(desk, 'reconcile', paid.second);
    expect([exit, document.stopped?.code]).toEqual([27, 'COPIES_PAID']);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it('and a row that stands beside the old one is none either', async () => {
    const paid = await late({ copy: mended, sheet: [one, two, bad, mended], flags: ['--batch', 'FIRST', '--add'] });
    paid.revive();
    const { exit, document } = await on(paid.desk, 'resume', paid.first);
    expect([exit, document.rows.paid, document.stopped]).toEqual([0, 4, null]);
  });
});

describe.concurrent('the payment of a row that a person closed', () => {
  it('is an alarm once it is paid after all, until a person says to know of it', async () => {
    const expires = new Set(['Ref 3']);
    const { service } = await watched({ expires });
    const desk = machine(service, rows);
    const { document } = await on(desk, 'run', desk.sheet);
    expect(document.rows).toMatchObject({ paid: 2, unpaid: 1 });
    const batch = document.batch ?? '';
    const dropped = await told(desk, 'drop', batch, '--row', '4', '--reason', 'Paid by hand');
    expect([dropped.exit, dropped.document.rows]).toMatchObject([0, { paid: 2, closed: 1 }]);
    Object.assign(service.payments.find(({ reference }) => reference === 'Ref 3')!, { ends: 'success' });
    const found = await told(desk, 'reconcile', batch);
    expect([found.exit, found.document.stopped?.code, found.document.rows]).toMatchObject([
      27,
      'COPIES_PAID',
      { paid: 3, closed: 0 },
    ]);
    expect((await on(desk, 'resume', batch)).exit).toBe(27);
    const known = await told(desk, 'resolve', batch, '--row', '4', '--known', '--reason', 'It counts');
    expect([known.exit, known.document.rows]).toMatchObject([0, { paid: 3 }]);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it('keeps its row open to no drop while it lives', async () => {
    const expires = new Set(['Ref 3']);
    const { service } = await watched({ expires });
    const desk = machine(service, rows);
    const { document } = await on(desk, 'run', desk.sheet);
    Object.assign(service.payments.find(({ reference }) => reference === 'Ref 3')!, { ends: 'success' });
    const ran = await command(desk, ['drop', document.batch ?? '', '--row', '4', '--reason', 'Paid by hand', '--json']);
    const refusal = { code: 'PAYMENT_ALIVE', facts: { status: 'success' } };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([26, refusal]);
  });

  it.each([true, false])(
    'is asked again for a row that was retried and not sent: dropped by a sheet: %s',
    async (bySheet) => {
      const expires = new Set(['Ref 3']);
      const seen = await watched({ expires });
      const desk = machine(seen.service, rows);
      const { document } = await on(desk, 'run', desk.sheet);
      const batch = document.batch ?? '';
      seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
      expect((await on(desk, 'retry', batch)).document.rows).toMatchObject({ paid: 2, not_sent: 1 });
      seen.fault = () => undefined;
      const { id } = Object.assign(seen.service.payments.find(({ reference }) => reference === 'Ref 3')!, {
        ends: 'success',
      });
      writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
      const ran = await command(desk, [
        ...(bySheet
          ? ['run', desk.sheet, '--batch', batch, '--drop']
          : ['drop', batch, '--row', '4', '--reason', 'By hand']),
        '--json',
      ]);
      const refusal = { code: 'PAYMENT_ALIVE', facts: { number: 4, payment: String(id), status: 'success' } };
      expect([ran.exit, refusalOf(ran)]).toMatchObject([26, refusal]);
    },
  );
});
