/** Ways in which an earlier wording of the protocol paid twice, stalled or hid something, at the command line. */
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import type { Shape, StoredPayment } from '../independent/service.ts';
import { command, csvOf, type Desk, kenyanRows, resultOf, type SheetRow } from '../support.ts';
import {
  atPayment,
  daysAgo,
  expectNoDouble,
  handClock,
  machine,
  pastHorizonMs,
  pastTwiceMs,
  patient,
  paymentsOf,
  posts,
  reconcile,
  resolve,
  resume,
  run,
  runOn,
  statusOf,
  told,
  twiceIn,
  type Watched,
  watched,
} from './desk.ts';

const rows = kenyanRows(3, 2);
const corrected = (sheet: readonly SheetRow[]) =>
  sheet.map((row) => (row.reference === 'Ref 3' ? { ...row, amount: '303' } : row));
const added: SheetRow = { ...rows[0]!, row_id: 'k9', amount: '909', reference: 'Ref 9' };

/** What the stop says and when the next step goes on are one moment. */
function expectOneMoment({ stopped, next }: ShownOutcome) {
  const after = next.find(({ command: line }) => line.includes('resume'))?.after ?? '';
  expect(stopped?.message).toContain(after.slice(0, 19).replace('T', ' '));
}

/** The id of a row's payee, who is made if the service has none. */
function knownPayee({ service }: Watched, { contact_number: phone, name }: SheetRow): string {
  const known = [...service.merchants.values()].find(({ contactNumber }) => contactNumber === phone);
  const id = typeof known?.id === 'string' ? known.id : `payee-${phone}`;
  if (known === undefined)
    service.merchants.set(id, { id, name, country: 'Kenya', networkProvider: 'MOMO', contactNumber: phone });
  return id;
}

/** What somebody paid in the dashboard: the same payee, amount and reference, and no tag of ours. */
function paidByHand(seen: Watched, row: SheetRow, days = 1): void {
  const { payments } = seen.service;
  const payment = { merchantId: knownPayee(seen, row), amount: Number(row.amount), reference: row.reference };
  const createdAtMs = seen.clock.now() - days * 86_400_000;
  const made = { ...payment, id: `hand-${payments.length}`, createdAtMs, madeBy: 'tenant' };
  payments.push(made as unknown as StoredPayment);
}

describe.concurrent('V3 a row that was paid by hand', () => {
  it('between two runs of a batch is held, and a person lets it go', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await run(desk, '--concurrency', '1');
    seen.fault = () => undefined;
    paidByHand(seen, rows[2]!);
    const second = await run(desk);
    expect([second.exit, second.document.sent, second.document.rows.held]).toEqual([22, 1, 1]);
    expect((await run(desk)).document.rows.held, 'the same command again').toBe(1);
    expectNoDouble(seen.service);
    const let_ = await resolve(desk, '--row', 'k3', '--not-a-repeat', '--reason', 'two parcels');
    expect(let_.exit, let_.err).toBe(23);
    expect((await resume(desk)).document.sent).toBe(1);
  });

  it('a word on what the row said is none on what it says after a correction', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await run(desk, '--concurrency', '1');
    paidByHand(seen, rows[2]!);
    await run(desk);
    await resolve(desk, '--row', 'k3', '--not-a-repeat', '--reason', 'two parcels');
    seen.fault = () => undefined;
    const changed = { ...rows[2]!, amount: '555' };
    paidByHand(seen, changed);
    writeFileSync(desk.sheet, csvOf([...rows.slice(0, 2), changed]));
    expect((await run(desk)).document.rows.held).toBe(1);
    expect(paymentsOf(seen.service)['Ref 3'], 'both by hand').toBe(2);
  });
});

const eight = kenyanRows(8, 2);

/** A first machine that pays two rows and then stands still. */
async function twoOfEight(shape: Shape = {}) {
  const seen = await watched(shape);
  seen.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2 ? { kind: 'answer', status: 401 } : undefined;
  const desk = machine(seen.service, eight);
  const first = await run(desk, '--concurrency', '1');
  expect([first.exit, first.document.rows.pending]).toEqual([25, 2]);
  seen.fault = () => undefined;
  return { seen, desk };
}

describe.concurrent('V4 a second ledger, one after the other', () => {
  it('waits while the first may be at work, and goes on after', async () => {
    const { seen } = await twoOfEight();
    const second = machine(seen.service, eight);
    const early = await run(patient(second));
    expect([early.exit, early.document.stopped?.code, posts(seen.service)]).toEqual([23, 'PAID_ELSEWHERE', 4]);
    const still = await run(second);
    expect([still.exit, still.document.stopped?.code], 'the same command at once').toEqual([23, 'PAID_ELSEWHERE']);
    await daysAgo(seen.service, [second], 1);
    const late = await run(second);
    expect([late.exit, late.document.rows.pending]).toEqual([23, 8]);
    expect(paymentsOf(seen.service)).toEqual(Object.fromEntries(eight.map(({ reference }) => [reference, 1])));
  });

  it('waits as well where the service dates payments by the day alone', async () => {
    const { seen } = await twoOfEight({ extra: { date: new Date().toISOString().slice(0, 10) } });
    const early = await run(patient(machine(seen.service, eight)));
    expect([early.exit, early.document.stopped?.code, posts(seen.service)]).toEqual([23, 'PAID_ELSEWHERE', 4]);
  });

  it('on the same machine begins its pass after the horizon, since the witness speaks', async () => {
    const { seen, desk } = await twoOfEight();
    const second = machine(seen.service, eight, { XDG_DATA_HOME: desk.env.XDG_DATA_HOME ?? '' });
    const early = await run(patient(second));
    expect([early.exit, early.document.stopped?.code, early.document.sent]).toEqual([23, 'SENT_ELSEWHERE', 0]);
    expectOneMoment(early.document);
    expectNoDouble(seen.service);
  });

  it('whose pass began before the wait was over, and ended after it, sends nothing', async () => {
    const { seen } = await twoOfEight();
    const second = machine(seen.service, eight, { PAYRUN_DOUBT_HORIZON: '5m' });
    expect((await run(second)).document.stopped?.code).toBe('PAID_ELSEWHERE');
    const clock = handClock();
    let slow = true;
    seen.fault = ({ route }) => {
      if (route === 'GET /payments' && slow) clock.moved += 3_600_000;
      slow &&= route !== 'GET /payments';
      return undefined;
    };
    const outcome = await runOn(second, clock);
    expect([outcome.stopped?.code, outcome.sent]).toEqual(['PAID_ELSEWHERE', 0]);
    expect((await runOn(second, clock)).sent, 'the next pass begins after it').toBe(6);
    expectNoDouble(seen.service);
  });

  it('restored from an old copy waits for what it has forgotten, and then finds it', async () => {
    const { seen, desk } = await twoOfEight();
    const copy = `${desk.ledger}.copy`;
    copyFileSync(desk.ledger, copy);
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 6 ? { kind: 'answer', status: 401 } : undefined;
    const before = (await run(desk, '--concurrency', '1')).document.rows.pending;
    seen.fault = () => undefined;
    for (const suffix of ['-wal', '-shm']) rmSync(`${desk.ledger}${suffix}`, { force: true });
    renameSync(copy, desk.ledger);
    const early = await run(patient(desk));
    expect([early.exit, early.document.stopped?.code]).toEqual([23, 'LEDGER_RESTORED']);
    await daysAgo(seen.service, [desk], 1);
    seen.clock.moved += pastTwiceMs;
    const late = await run(desk);
    expect([late.exit, late.document.rows.pending, late.document.sent]).toEqual([23, 8, 8 - before]);
    expectNoDouble(seen.service);
  });

  it('is seen by reconcile, and every later command waits', async () => {
    const { seen } = await twoOfEight();
    const second = machine(seen.service, eight, { PAYRUN_DOUBT_HORIZON: '5m' });
    // The batch is known before the other one is seen.
    seen.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [] } } : undefined;
    expect((await run(second)).exit).toBe(25);
    seen.fault = () => undefined;
    await command(second, ['reconcile', 'nov']);
    const later = await run(second);
    expect([later.exit, later.document.stopped?.code, later.document.sent]).toEqual([23, 'PAID_ELSEWHERE', 0]);
    expectOneMoment(later.document);
    expectNoDouble(seen.service);
  });

  it('that paid a row which this one had tried in vain: somebody else is at work', async () => {
    const seen = await watched();
    const desk = machine(seen.service, eight, { PAYRUN_DOUBT_HORIZON: '5m' });
    seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    expect((await run(desk)).exit).toBe(25);
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 3 ? { kind: 'answer', status: 401 } : undefined;
    await run(machine(seen.service, eight), '--concurrency', '1');
    expect(seen.service.payments).toHaveLength(1);
    seen.fault = () => undefined;
    const again = await run(desk);
    expect([again.exit, again.document.stopped?.code, again.document.sent]).toEqual([23, 'PAID_ELSEWHERE', 0]);
    expectOneMoment(again.document);
  });

  it('that works on another batch keeps that one quiet too', async () => {
    const { seen } = await twoOfEight();
    const second = machine(seen.service, eight, { PAYRUN_DOUBT_HORIZON: '5m' });
    seen.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [] } } : undefined;
    await run(second);
    seen.fault = () => undefined;
    const sheet = second.sheet.replace('november', 'other');
    writeFileSync(sheet, csvOf([added]));
    await command(second, ['run', sheet, '--batch', 'other', '--wait', '0']);
    const later = await run(second);
    expect([later.exit, later.document.stopped?.code, later.document.sent]).toEqual([23, 'PAID_ELSEWHERE', 0]);
    expectOneMoment(later.document);
  });

  it('that pays the other rows first: no row but the first ones', async () => {
    const seen = await watched();
    // Two who enroll at one moment make each payee twice, and then the other's payments seem to pay somebody else.
    for (const row of eight.slice(0, 2)) knownPayee(seen, row);
    const { promise, resolve: bothRead } = Promise.withResolvers<void>();
    seen.fault = ({ route, nth }) => {
      if (route === 'POST /payments' && nth === 2) bothRead();
      return route === 'POST /payments' && nth === 1 ? { kind: 'hold', until: promise } : undefined;
    };
    const one = patient(machine(seen.service, eight));
    const two = patient(machine(seen.service, eight.toReversed()));
    const both = await Promise.all([run(one), run(two)]);
    const counts = Object.values(paymentsOf(seen.service));
    expect(counts.filter((count) => count > 1)).toEqual([]);
    for (const { exit, document } of both)
      expect([exit, document.stopped?.code]).toEqual([document.rows.held > 0 ? 22 : 23, 'PAID_ELSEWHERE']);
  });
});

describe.concurrent('V5 a new ledger and a list that is not whole', () => {
  it('blind for ever: one payment, and 25', async () => {
    const seen = await watched();
    seen.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } } : undefined;
    const outcome = await runOn(machine(seen.service, eight), handClock());
    expect([outcome.exit, outcome.stopped?.code, posts(seen.service)]).toEqual([25, 'PASS_INCOMPLETE', 1]);
  });

  it('blind once, where another ledger has paid: the first row twice, and both are told', async () => {
    const { seen } = await twoOfEight();
    let blind = 1;
    seen.fault = ({ route }) =>
      route === 'GET /payments' && blind-- > 0
        ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } }
        : undefined;
    const second = await run(patient(machine(seen.service, eight)));
    expect([second.exit, twiceIn(second.document)]).toEqual([27, 1]);
    expect(paymentsOf(seen.service)).toEqual({ 'Ref 1': 2, 'Ref 2': 1 });
  });

  it('that lags behind, within what is said of it', async () => {
    const env = { PAYRUN_DOUBT_VISIBLE: '600ms' };
    const seen = await watched({ listedAfterMs: 400 });
    const { promise: bothHaveLooked, resolve } = Promise.withResolvers<void>();
    seen.fault = ({ route, nth }) => {
      if (route !== 'POST /payments' || nth > 2) return undefined;
      if (nth === 2) resolve();
      return { kind: 'hold', until: bothHaveLooked };
    };
    const [one, two] = await Promise.all([
      run(machine(seen.service, eight, env)),
      run(machine(seen.service, eight, env)),
    ]);
    expect([one.exit, two.exit]).toEqual([27, 27]);
    expect(paymentsOf(seen.service)).toEqual({ 'Ref 1': 2 });
  });
});

describe.concurrent('V8 revisions', () => {
  const retry = async (desk: Desk) => await told(desk, 'retry', 'nov', '--wait', '0');

  it('three that expired, then a fourth that lives: a lost ledger finds it, and takes none of the others', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows.slice(0, 1));
    await run(desk);
    for (const _ of [1, 2, 3]) {
      (seen.service.payments.at(-1) as { ends?: string }).ends = 'expired';
      await told(desk, 'resume', 'nov', '--wait', '10s');
      await retry(desk);
    }
    expect(seen.hits.size).toBe(4);
    const lost = machine(seen.service, rows.slice(0, 1));
    const { document } = await run(lost);
    expect([document.rows.pending, posts(seen.service)]).toEqual([1, 4]);
    expect(resultOf(document.result)[0]?.payment_id).toBe(String(seen.service.payments[3]?.id));
  });

  it('a row that runs again is not brought back by its expired payment', async () => {
    const seen = await watched({ expires: new Set(['Ref 1']) });
    const desk = machine(seen.service, rows.slice(0, 1));
    await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '10s');
    seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    await retry(desk);
    seen.fault = () => undefined;
    await reconcile(desk);
    expect([(await resume(desk)).document.sent, seen.hits.size]).toEqual([1, 2]);
  });
});

describe.concurrent('V9 states have a way out', () => {
  /** A row that was sent again, and whose first payment came after all; both are still open. */
  async function twoOpen() {
    const shape: { settleAfterMs: number } = { settleAfterMs: 1e9 };
    const seen = await watched(shape);
    const desk = machine(seen.service, rows);
    await run(desk);
    const [first] = seen.service.payments;
    const twin = { ...first, id: 'twin', createdAtMs: seen.clock.now() } as StoredPayment;
    seen.service.payments.push(twin);
    const alarm = await reconcile(desk);
    return { seen, desk, alarm, twin: twin as { ends?: string }, settle: () => (shape.settleAfterMs = 0) };
  }

  it('two payments of which one ends unpaid are one payment', async () => {
    const { desk, alarm, twin, settle } = await twoOpen();
    expect(alarm.exit).toBe(27);
    twin.ends = 'expired';
    settle();
    const { document } = await reconcile(desk);
    expect([statusOf({ document }).k1, document.rows.paid_twice]).toEqual(['paid', 0]);
  });

  it('two payments that are both open are a doubt, not yet paid twice', async () => {
    const { alarm } = await twoOpen();
    expect(statusOf(alarm).k1).toMatch(/in doubt/);
  });

  it('a known double stops the batch as long as it stands, or until a person says that it is known', async () => {
    const { seen, desk } = await twoOpen();
    writeFileSync(desk.sheet, csvOf([...rows, added]));
    const { exit, document } = await run(desk, '--add');
    expect([exit, document.sent, posts(seen.service)]).toEqual([27, 0, 3]);
    await resolve(desk, '--row', 'k1', '--known', '--reason', 'the service returns one');
    const after = await run(desk, '--add');
    expect([after.document.sent, statusOf(after).k1, statusOf(after).k9]).toEqual([1, 'in doubt', 'pending']);
  });

  it('and is paid twice once both were paid out', async () => {
    const { desk, settle } = await twoOpen();
    settle();
    const both = await reconcile(desk);
    expect([both.exit, statusOf(both).k1]).toEqual([27, 'paid twice']);
  });

  it('a row that was never matched to a payee, and that another ledger paid', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'answer', status: 503 } : undefined);
    const first = await run(desk);
    expect(first.document.rows.not_sent).toBe(3);
    seen.fault = () => undefined;
    await run(machine(seen.service, rows));
    await reconcile(desk);
    seen.clock.moved += pastHorizonMs;
    const { document } = await run(desk);
    expect([document.rows.pending, document.rows.held, posts(seen.service)]).toEqual([3, 0, 3]);
  });

  it('and a person may say so of each, where no run can', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'answer', status: 503 } : undefined);
    await run(desk);
    seen.fault = () => undefined;
    await run(machine(seen.service, rows));
    await reconcile(desk);
    for (const [index, { id }] of seen.service.payments.entries())
      await resolve(desk, '--row', `k${index + 1}`, '--paid', String(id));
    const { document } = await run(desk);
    expect([document.rows.pending, document.rows.held, posts(seen.service)]).toEqual([3, 0, 3]);
  });
});

describe.concurrent('V11 a new ledger', () => {
  it('eight days later, under another name: rows like payments that the ledger does not know are held', async () => {
    const seen = await watched();
    await run(machine(seen.service, rows));
    await daysAgo(seen.service, [], 8);
    const desk = machine(seen.service, rows);
    const { exit } = await command(desk, ['run', desk.sheet, '--batch', 'december', '--wait', '0']);
    expect([exit, posts(seen.service)]).toEqual([22, 3]);
  });
});

describe.concurrent('V12', () => {
  it('a run that sent anything ends with a pass: a double of somebody else’s is told now', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, nth }) => {
      const [first] = seen.service.payments;
      if (route === 'POST /payments' && nth === 3)
        seen.service.payments.push({ ...first, id: 'twin' } as StoredPayment);
      return undefined;
    };
    const { exit, document } = await run(desk, '--concurrency', '1');
    expect([exit, twiceIn(document)]).toEqual([27, 1]);
  });

  it('a run whose only answer was lost ends with that pass as well', async () => {
    const seen = await watched({ listedAfterMs: 300 });
    seen.fault = atPayment(1, { kind: 'drop', after: true });
    const { exit, document } = await run(machine(seen.service, rows.slice(0, 1), { PAYRUN_DOUBT_VISIBLE: '600ms' }));
    expect([exit, document.rows.pending]).toEqual([23, 1]);
  });

  it('a held row whose tag was seen is not let go as no repeat, though passes are restricted', async () => {
    const seen = await watched();
    await run(machine(seen.service, corrected(rows)));
    seen.clock.moved += pastHorizonMs;
    const desk = machine(seen.service, rows, { PAYRUN_SCAN_PRESEND: 'suspect' });
    const held = await run(desk);
    expect([held.exit, held.document.rows]).toMatchObject([22, { held: 1, pending: 2 }]);
    await resolve(desk, '--row', 'k3', '--not-a-repeat', '--reason', 'I think so');
    seen.clock.moved += pastTwiceMs;
    await resume(desk);
    expect(posts(seen.service)).toBe(3);
    expectNoDouble(seen.service);
  });
});

describe.concurrent('lists of every kind', () => {
  const kinds: [string, Shape][] = [
    ['in no order', { listOrder: 'scattered', pageSize: 3 }],
    ['without tags', { listLacks: ['tag'], pageSize: 3 }],
    ['with nothing but ids and tags', { listLacks: ['merchantId', 'amount', 'reference', 'status', 'date'] }],
  ];

  it.each(kinds)('%s: a lost answer is found, and another ledger pays nothing again', async (_name, shape) => {
    const seen = await watched(shape);
    seen.fault = atPayment(5, { kind: 'drop', after: true });
    const first = await run(machine(seen.service, eight));
    expect([first.exit, first.document.rows.pending]).toEqual([23, 8]);
    const second = await run(machine(seen.service, eight));
    expect([second.document.rows.pending, second.document.sent, posts(seen.service)]).toEqual([8, 0, 8]);
    expectNoDouble(seen.service);
  });

  it('that moves while it is read: nothing is sent on its word', async () => {
    const seen = await watched({ pageSize: 2, listOrder: 'oldest' });
    const desk = machine(seen.service, eight);
    await run(desk);
    // By then the service must list what it accepted.
    seen.clock.moved += 5000;
    // Between two pages the oldest payment goes, and every later one moves up: one of ours is on no page.
    let moving = true;
    seen.fault = ({ route, query }) => {
      if (route === 'GET /payments' && moving && query.has('offset')) {
        moving = false;
        seen.service.payments.unshift(...seen.service.payments.splice(1, 1));
        seen.service.payments.shift();
      }
      return undefined;
    };
    writeFileSync(desk.sheet, csvOf([...eight, added]));
    const { exit, document } = await run(desk, '--add');
    expect([exit, document.stopped?.code, document.sent]).toEqual([25, 'PASS_INCOMPLETE', 0]);
  });
});
