/** Submits a paid sheet under another name, where only the list scan before sending shows that its rows were paid. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../src/base/clock.ts';
import type { StoredPayment } from '../independent/service.ts';
import { command, csvOf, kenyanRows, refusalOf, resultOf } from '../support.ts';
import { machine, pastTwiceMs, paymentsOf, reasonsOf, resolve, resume, run, stays, told, watched } from './desk.ts';

const rows = kenyanRows(3, 2);
const once = { 'Ref 1': 1, 'Ref 2': 1, 'Ref 3': 1 };

describe.concurrent('a sheet under another name is not paid again', () => {
  it('where its payments had expired, and came to life since', async () => {
    const expires = new Set(Object.keys(once));
    const { service } = await watched({ expires });
    const desk = machine(service, rows);
    const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    expect(first.document.rows).toMatchObject({ unpaid: 3 });
    expires.clear();
    const second = await told(desk, 'run', desk.sheet, '--batch', 'again', '--wait', '0');
    expect([second.exit, second.document.rows.held]).toEqual([22, 3]);
    expect(paymentsOf(service)).toEqual(once);
  });

  it('where another ledger paid what this one had only taken in', async () => {
    const { service, clock } = await watched();
    const late = machine(service, rows);
    // Its pass fails, so that nothing is sent.
    const blind = { ...service, fault: service.fault };
    service.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'answer', status: 404 } : undefined);
    expect((await run(late)).exit).toBe(25);
    service.fault = blind.fault;
    expect((await told(machine(service, rows), 'run', late.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    clock.moved += pastTwiceMs;
    const second = await told(late, 'run', late.sheet, '--batch', 'again', '--wait', '0');
    expect([second.exit, second.document.rows.held]).toEqual([22, 3]);
    expect(paymentsOf(service)).toEqual(once);
  });

  it('where the same service is asked under another address', async () => {
    const { service } = await watched();
    const desk = machine(service, rows);
    expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    const PAYRUN_BASE_URL = service.url.replace('127.0.0.1', 'localhost');
    const other = { ...desk, env: { ...desk.env, PAYRUN_BASE_URL } };
    const second = await told(other, 'run', desk.sheet, '--batch', 'again', '--wait', '0');
    expect([second.exit, second.document.rows.held]).toEqual([22, 3]);
    expect(paymentsOf(service)).toEqual(once);
  });

  it('and of a batch that was sent from, the row is held', async () => {
    const expires = new Set(['Ref 3']);
    const { service } = await watched({ expires });
    const desk = machine(service, rows);
    await told(desk, 'run', desk.sheet, '--batch', 'old', '--wait', '20s');
    const two = { ...desk, sheet: `${desk.sheet}.two.csv` };
    writeFileSync(two.sheet, csvOf([{ ...rows[0]!, row_id: 'n1', reference: 'Ref 9' }]));
    expect((await told(two, 'run', two.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    expires.clear();
    writeFileSync(two.sheet, csvOf([{ ...rows[0]!, row_id: 'n1', reference: 'Ref 9' }, rows[2]!]));
    const on = await told(two, 'run', two.sheet, '--batch', 'nov', '--wait', '0', '--add');
    expect([on.exit, on.document.rows]).toMatchObject([22, { paid: 1, held: 1 }]);
    expect(paymentsOf(service)).toEqual({ ...once, 'Ref 9': 1 });
    expect((await resume(two)).document.rows).toMatchObject({ held: 1 });
    expect((await command(two, ['status', 'old'])).out).toContain('paid');
  });
});

it('a row without row_id that was corrected while its payment had expired is not replaced, if that payment was made after all', async () => {
  const expires = new Set(['Ref 3']);
  const { service } = await watched({ expires });
  const unkeyed = rows.map(({ row_id: _row_id, ...row }) => row);
  const desk = machine(service, unkeyed);
  const { batch } = (await told(desk, 'run', desk.sheet, '--wait', '20s')).document;
  expires.clear();
  writeFileSync(desk.sheet, csvOf([...unkeyed.slice(0, 2), { ...unkeyed[2]!, amount: '777' }]));
  const on = await told(desk, 'run', desk.sheet, '--batch', batch ?? '', '--add', '--drop', '--wait', '20s');
  expect([on.exit, JSON.stringify(on.document)]).toEqual([26, expect.stringContaining('PAYMENT_ALIVE')]);
  expect(paymentsOf(service)).toEqual(once);
});

it.each([
  ['MPESA', 'another network'],
  ['MOMO', 'the same network'],
])('a payment by hand to a phone, under %s, is seen to pay its owner: %s', async (network) => {
  const { service } = await watched();
  const byHand = machine(
    service,
    rows.slice(1, 2).map((row) => ({ ...row, network_provider: network })),
  );
  expect((await told(byHand, 'run', byHand.sheet, '--batch', 'hand', '--wait', '20s')).exit).toBe(0);
  const [payment] = service.payments;
  service.payments.splice(0, 1, { ...payment!, id: randomUUID(), tag: 'by hand' });
  const desk = machine(service, rows);
  const first = await run(desk);
  expect([first.exit, first.document.rows.held]).toEqual([22, 1]);
  expect(paymentsOf(service)).toEqual(once);
});

it('a payment by hand of another amount is told beside its row, which is paid', async () => {
  const { service } = await watched();
  const by = (amount: string) => machine(service, [{ ...rows[1]!, amount }]);
  for (const amount of ['77', '88'])
    expect((await told(by(amount), 'run', by(amount).sheet, '--batch', `hand${amount}`, '--wait', '20s')).exit).toBe(0);
  const [now, then] = service.payments.map((payment) => ({ ...payment, id: randomUUID(), tag: 'by hand' }));
  service.payments.splice(0, 2, now!, { ...then!, createdAtMs: then!.createdAtMs - 6 * 24 * 60 * 60 * 1000 });
  const desk = machine(service, rows);
  const { exit, document } = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
  expect([exit, document.rows.paid]).toEqual([0, 3]);
  const note = document.notes.find((one) => one.note === 'near-payments-seen');
  const like = { to: { paymentId: now!.id }, differs: { what: 'amount', amount: 77, currency: 'KES' } };
  expect(note?.rows).toMatchObject({ shown: [{ row: 3, amount: 101, currency: 'KES', like }], total: 1 });
  const evidence = resultOf(document.result).map(({ payrun_evidence }) => payrun_evidence);
  expect(evidence).toEqual(['', expect.stringContaining(String(now!.id)), '']);
  expect(JSON.stringify([note, evidence])).not.toContain(String(then!.id));
  expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
});

it('a payment by hand holds the row that is the same, and is named beside one that is nearly so', async () => {
  const { service } = await watched();
  const byHand = machine(service, rows.slice(1, 2));
  expect((await told(byHand, 'run', byHand.sheet, '--batch', 'hand', '--wait', '20s')).exit).toBe(0);
  service.payments.splice(0, 1, { ...service.payments[0]!, id: randomUUID(), tag: 'by hand' });
  const desk = machine(service, [...rows, { ...rows[1]!, row_id: 'k4', amount: '9' }]);
  const { document } = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '0');
  expect([document.sent, document.rows.held]).toEqual([3, 1]);
  const note = document.notes.find((one) => one.note === 'near-payments-seen');
  expect(note?.rows).toMatchObject({ shown: [{ row: 5 }], total: 1 });
});

it('a refused row that was paid in another sheet stays unpaid, and is held only when it would be sent again', async () => {
  const { service } = await watched();
  const watch = service.fault;
  service.fault = (call) =>
    call.route === 'POST /payments' && call.body.reference === 'Ref 3'
      ? { kind: 'answer', status: 422, body: { message: 'over the limit of the day' } }
      : watch(call);
  const desk = machine(service, rows);
  const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
  expect([first.exit, first.document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
  service.fault = watch;
  const rest = { ...desk, sheet: `${desk.sheet}.rest.csv` };
  writeFileSync(rest.sheet, csvOf([rows[2]!]));
  expect((await told(rest, 'run', rest.sheet, '--batch', 'rest', '--wait', '20s')).exit).toBe(0);
  const on = await resume(desk);
  expect([on.exit, on.document.rows]).toMatchObject([21, { paid: 2, unpaid: 1, held: 0 }]);
  const again = await told(desk, 'retry', 'nov', '--wait', '0');
  expect([again.exit, again.document.rows]).toMatchObject([22, { paid: 2, held: 1 }]);
  expect(paymentsOf(service)).toEqual(once);
});

/** How the service dates a payment that it made at this moment. */
const dates: readonly (readonly [what: string, dateOf: (now: string) => string | null])[] = [
  ['where no payment has a date', () => null],
  ['where dates have the midnight of their zone', (now) => `${now.slice(0, 10)}T00:00:00+02:00`],
];

describe.concurrent('a row that a person released covers what had been paid by then', () => {
  const more = kenyanRows(5);
  const release = async (desk: ReturnType<typeof machine>, batch: string, key: string) =>
    await command(desk, ['resolve', batch, '--row', key, '--not-a-repeat', '--reason', 'owed']);
  /** Another ledger pays Ref 2 once more, and Ref 5. */
  const elsewhere = async (service: Parameters<typeof machine>[0]) => {
    const desk = machine(service, [more[1]!, more[4]!]);
    const first = await told(desk, 'run', desk.sheet, '--batch', 'dec', '--wait', '20s');
    expect([first.exit, first.document.rows]).toMatchObject([22, { paid: 1, held: 1 }]);
    await release(desk, 'dec', 'k2');
    return await told(desk, 'resume', 'dec', '--wait', '20s');
  };

  it.each(dates)('paid from another ledger since, it is held again, %s', async (_, dateOf) => {
    let now = Date.now;
    const extra = {
      get date() {
        return dateOf(isoTime(now()));
      },
    };
    const { service, clock } = await watched({ extra });
    now = clock.now;
    const nov = machine(service, rows);
    expect((await told(nov, 'run', nov.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    const la = { ...nov, sheet: `${nov.sheet}.la.csv` };
    const go = async (...lines: typeof more) => {
      writeFileSync(la.sheet, csvOf(lines));
      const flags = lines.length > 1 ? ['--add'] : [];
      return await told(la, 'run', la.sheet, '--batch', 'la', ...flags, '--wait', '20s');
    };
    await go(more[3]!);
    expect((await go(more[3]!, more[1]!)).document.rows).toMatchObject({ held: 1 });
    expect((await release(la, 'la', 'k2')).exit).toBe(23);
    expect((await elsewhere(service)).document.rows).toMatchObject({ paid: 2 });
    const on = await told(la, 'resume', 'la', '--wait', '0');
    expect([on.exit, on.document.rows]).toMatchObject([22, { paid: 1, held: 1 }]);
    expect(paymentsOf(service)).toMatchObject({ 'Ref 2': 2 });
    expect((await release(la, 'la', 'k2')).exit).toBe(23);
    expect((await told(la, 'resume', 'la', '--wait', '20s')).document.rows).toMatchObject({ paid: 2 });
  });

  it('a reason to pay a sheet again covers what this ledger paid, and a later payment holds its row', async () => {
    const { service } = await watched();
    const desk = machine(service, more.slice(0, 2));
    expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    const again = ['run', desk.sheet, '--batch', 'bonus'];
    const refused = await told(desk, ...again, '--wait', '0');
    expect([refused.exit, JSON.stringify(refused.document)]).toEqual([26, expect.stringContaining('SHEET_LOOKS_PAID')]);
    const watch = service.fault;
    service.fault = (call) => (call.route === 'POST /payments' ? { kind: 'answer', status: 401 } : watch(call));
    expect((await told(desk, ...again, '--confirm-repeat', 'a bonus', '--wait', '0')).exit).toBe(25);
    service.fault = watch;
    const other = machine(service, [{ ...more[1]!, row_id: 'n7' }]);
    await told(other, 'run', other.sheet, '--batch', 'dec', '--wait', '20s');
    await release(other, 'dec', 'n7');
    expect((await told(other, 'resume', 'dec', '--wait', '20s')).document.rows).toMatchObject({ paid: 1 });
    const on = await told(desk, 'resume', 'bonus', '--wait', '20s');
    expect([on.exit, on.document.rows]).toMatchObject([22, { paid: 1, held: 1 }]);
    expect(paymentsOf(service)).toEqual({ 'Ref 1': 2, 'Ref 2': 2 });
  });
});

describe.concurrent('a row that looks like payments of another hand', () => {
  const third = rows[2]!;
  const word = ['--row', 'k3', '--not-a-repeat', '--reason', 'owed as well'];

  /** The row's payee got these payments from another hand before the row was added: one more of each id and amount. */
  async function heldFor(...ids: readonly string[]) {
    const { service, clock } = await watched();
    const desk = machine(service, rows.slice(0, 2));
    await run(desk);
    const pays = (id: string, more = 0) => {
      const { tag: _tag, ...first } = service.payments[0]!;
      const amount = Number(third.amount) + more;
      const like = { ...first, id, amount, reference: third.reference, createdAtMs: clock.now(), ends: 'success' };
      service.payments.push(like as unknown as StoredPayment);
    };
    for (const id of ids) pays(id);
    writeFileSync(desk.sheet, csvOf(rows));
    expect((await run(desk, '--add')).document.rows).toMatchObject({ held: 1 });
    return { service, desk, pays };
  }

  const seenIn = async (desk: ReturnType<typeof machine>) =>
    new Set((await reasonsOf(desk, 'k3')).map((one) => 'to' in one && 'paymentId' in one.to && one.to.paymentId));

  function inLedger<T>({ ledger }: ReturnType<typeof machine>, sql: string): T[] {
    using db = new DatabaseSync(ledger);
    return db.prepare(sql).all() as T[];
  }

  it('names all that the scan showed, and one word covers them', async () => {
    const { service, desk } = await heldFor('h1', 'h2', 'h3');
    expect(await seenIn(desk)).toEqual(new Set(['h1', 'h2', 'h3']));
    expect((await resolve(desk, ...word)).exit).toBe(23);
    expect((await resume(desk)).document.sent).toBe(1);
    expect(paymentsOf(service)).toMatchObject({ 'Ref 3': 4 });
  });

  it('is not released if its scan shows more of them: the refusal names all, and the next word covers all', async () => {
    const { service, desk, pays } = await heldFor('h1');
    pays('h2');
    pays('h3', 1);
    // Only the release itself can find these payments, because no scan comes before the sending.
    const unscanned = { ...desk, env: { ...desk.env, PAYRUN_SCAN_PRESEND: 'suspect' } };
    // Stands for a death at any change of a state: the refused release makes none.
    const moves = 'UPDATE OF state ON payout WHEN NEW.state <> OLD.state';
    inLedger(desk, `CREATE TRIGGER cut BEFORE ${moves} BEGIN SELECT RAISE(ABORT, 'cut'); END`);
    const refused = await resolve(unscanned, ...word);
    inLedger(desk, 'DROP TRIGGER cut');
    expect([refused.exit, refusalOf(refused)]).toMatchObject([2, stays('k3', 'ROW_LOOKS_PAID')]);
    for (const id of ['h1', 'h2', 'h3']) expect(refused.err).toContain(`payment ${id} of`);
    expect(inLedger(desk, "SELECT state, allowed FROM payout WHERE key = 'k3'")).toEqual([
      { state: 'withheld', allowed: null },
    ]);
    expect((await resume(unscanned)).document).toMatchObject({ sent: 0, rows: { held: 1 } });
    expect((await resolve(unscanned, ...word)).exit).toBe(23);
    expect((await resume(unscanned)).document.sent).toBe(1);
    expect(paymentsOf(service)).toMatchObject({ 'Ref 3': 4 });
  });

  it('is held again for a payment that came after its release', async () => {
    const { service, desk, pays } = await heldFor('h1');
    expect((await resolve(desk, ...word)).exit).toBe(23);
    pays('h2');
    expect((await resume(desk)).document).toMatchObject({ sent: 0, rows: { held: 1 } });
    expect(await seenIn(desk)).toEqual(new Set(['h2']));
    expect(paymentsOf(service)).toMatchObject({ 'Ref 3': 2 });
  });
});
