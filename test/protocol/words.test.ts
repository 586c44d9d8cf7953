/** A person's word at its edges: what it is not believed against, what it finds already done, and what it takes when it is about many. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { deadlineMs } from '../held-clock.ts';
import type { Call, Fault, Shape, StoredPayment } from '../independent/service.ts';
import { command, csvOf, type Desk, kenyanRows, noted, refusalOf } from '../support.ts';
import {
  expectNoDouble,
  machine,
  notesOf,
  paymentsOf,
  posts,
  reasonOf,
  reasonsOf,
  reconcile,
  resolve,
  resume,
  run,
  statusOf,
  stays,
  told,
  type Watched,
  wallOnly,
  watched,
} from './desk.ts';

const rows = kenyanRows(5, 2);
const last = 'k5';
const reason = ['--reason', 'they told me'];
const notPaid = ['--row', last, '--not-paid', ...reason];

const emptyList: Fault = { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } };
const listIs =
  (fault: Fault) =>
  ({ route }: Call): Fault | undefined =>
    route === 'GET /payments' ? fault : undefined;

/** A run that lost the answers of its last rows, none of which was paid. */
async function lost(count = 1, env: Record<string, string> = {}): Promise<{ seen: Watched; desk: Desk }> {
  const seen = await watched();
  const desk = machine(seen.service, rows, env);
  const unlucky = rows.slice(-count).map(({ reference }) => reference);
  seen.fault = ({ route, body }) =>
    route === 'POST /payments' && unlucky.includes(String(body.reference)) ? { kind: 'drop' } : undefined;
  expect((await run(desk)).document.rows).toMatchObject({ in_doubt: count, pending: 5 - count });
  seen.fault = () => undefined;
  return { seen, desk };
}

/** Makes the doubts a day old by the clock on the wall alone, so that their horizon has passed. */
function longAgo({ ledger }: Desk): void {
  const db = new DatabaseSync(ledger);
  db.exec(`UPDATE payout SET submitted_at = submitted_at - 86400000, sent_moment = ${wallOnly('submitted_at - 86400000')}
    WHERE state = 'in_doubt'`);
  db.close();
}

it.concurrent('a look that proves nothing says from when on another one tells more', async () => {
  const hours = (count: number) => count * 3_600_000;
  const { desk } = await lost(1, { PAYRUN_DOUBT_HORIZON: '10h' });
  const db = new DatabaseSync(desk.ledger);
  const [{ at }] = db.prepare("SELECT submitted_at AS at FROM payout WHERE state = 'in_doubt'").all() as [
    { at: number },
  ];
  const end = hours(10) + deadlineMs;
  /** How long after the attempt it is to be looked for again, as the batch and the row say it. */
  const after = async (agoMs: number) => {
    db.exec(`UPDATE payout SET submitted_at = ${at - agoMs}, sent_moment = ${wallOnly(at - agoMs)}`);
    const { next } = (await reconcile(desk)).document;
    const { out } = await command(desk, ['explain', 'nov', last, '--json']);
    return [next[0]?.after, JSON.parse(out).next.after].map((one) => Date.parse(one ?? '') - (at - agoMs));
  };
  expect(await after(hours(1)), 'before the horizon').toEqual([end, end]);
  expect(await after(hours(12)), 'after it').toEqual([2 * end, 2 * end]);
  db.exec(`UPDATE payout SET submitted_at = submitted_at + ${hours(11)} WHERE key = 'k1'`);
  db.close();
  const { out } = await command(desk, ['status', 'nov', '--json']);
  expect(JSON.parse(out).next[0], 'with a younger payment').toMatchObject({
    command: expect.stringContaining('reconcile'),
    after: null,
  });
});

/** What a request that was under way all the while does at last. */
function commitLate(
  { service, clock }: Watched,
  { ledger }: Desk,
  changes: Partial<StoredPayment> = {},
): StoredPayment {
  const db = new DatabaseSync(ledger);
  const row = db
    .prepare(
      `SELECT tag, amount, merchant_id AS merchantId, json_extract(content, '$.reference') AS reference
       FROM payout JOIN payout_content ON payout = id WHERE key = ?`,
    )
    .get(last) as Pick<StoredPayment, 'tag' | 'amount' | 'reference'>;
  db.close();
  const id = `late-${service.payments.length}`;
  const made = { ...row, id, createdAtMs: clock.now(), madeBy: 'tenant', ...changes } as StoredPayment;
  service.payments.push(made);
  return made;
}

/** A command that is interrupted when the service is asked for something. */
async function interrupted(seen: Watched, desk: Desk, when: (call: Call) => boolean, ...argv: string[]) {
  const keyboard = new EventEmitter();
  const before = seen.fault;
  seen.fault = (call) => {
    if (when(call)) keyboard.emit('SIGINT');
    return before(call);
  };
  try {
    return await command(desk, argv, keyboard);
  } finally {
    seen.fault = before;
  }
}
const onList = ({ route }: Call) => route === 'GET /payments';

const stateOf = async (desk: Desk, row = last): Promise<string> => {
  const { out } = await command(desk, ['explain', 'nov', row, '--json']);
  return (JSON.parse(out) as { row: { state: string } }).row.state;
};

describe.concurrent('what it is about', () => {
  it('an unknown batch or row is a mistake, and moves nothing', async () => {
    const { desk } = await lost();
    for (const [argv, refusal] of [
      [['resolve', 'dec', '--release-absent'], { code: 'BATCH_UNKNOWN', facts: { batch: 'dec' } }],
      [['ledger', 'rebind', 'dec'], { code: 'BATCH_UNKNOWN', facts: { batch: 'dec' } }],
      [['resolve', 'nov', '--row', '99', '--not-paid'], { code: 'ROW_UNKNOWN', facts: { batch: 'nov', row: '99' } }],
      [['resolve', 'nov', '--payment', 'p0', '--gone'], { code: 'PAYMENT_UNKNOWN', facts: { payment: 'p0' } }],
    ] as const) {
      const ran = await command(desk, [...argv, ...reason, '--json']);
      expect([ran.exit, refusalOf(ran)]).toMatchObject([2, refusal]);
    }
    expect(await stateOf(desk)).toBe('in_doubt');
  });

  it('a row is told by its number in the sheet too', async () => {
    const { desk } = await lost();
    longAgo(desk);
    // The header is row 1.
    const ran = await resolve(desk, '--row', '6', '--not-paid', ...reason);
    expect([ran.exit, notesOf(ran)]).toEqual([22, [noted('absent', { row: last })]]);
  });
});

describe.concurrent('a row that was not paid', () => {
  it('whose attempt has only the time of the wall clock is absent after two passes; and is so already', async () => {
    const { seen, desk } = await lost();
    longAgo(desk);
    await reconcile(desk);
    expect(await stateOf(desk)).toBe('absent');
    const ran = await resolve(desk, ...notPaid);
    expect([ran.exit, notesOf(ran)]).toEqual([22, [noted('absent', { row: last })]]);
    expect(posts(seen.service)).toBe(5);
  });

  it('may be let go by the passes themselves, under `resend`', async () => {
    const { seen, desk } = await lost(1, { PAYRUN_DOUBT_POLICY: 'resend' });
    longAgo(desk);
    // The first of two passes; the others' payments are younger than its horizon, and are listed.
    await resume(desk);
    seen.clock.moved += 1300;
    const ran = await resolve(desk, ...notPaid);
    expect([ran.exit, notesOf(ran)]).toEqual([23, [noted('absent', { row: last })]]);
    expect(await stateOf(desk)).toBe('ready');
    expect([(await resume(desk)).document.rows.pending, posts(seen.service)]).toEqual([5, 6]);
    expectNoDouble(seen.service);
  });

  it('under `resend` is looked for once more by the run that lets it go, and sent', async () => {
    const { seen, desk } = await lost(1, { PAYRUN_DOUBT_POLICY: 'resend' });
    longAgo(desk);
    expect((await resume(desk)).document.rows.in_doubt).toBe(1);
    seen.clock.moved += 1300;
    const calls: string[] = [];
    seen.fault = ({ route }) => {
      if (route.endsWith(' /payments')) calls.push(route);
      return undefined;
    };
    const { exit, document } = await resume(desk);
    expect([exit, document.sent, document.rows.pending]).toEqual([23, 1, 5]);
    expect(calls.slice(0, 3)).toEqual(['GET /payments', 'GET /payments', 'POST /payments']);
    expectNoDouble(seen.service);
  });

  it('of which two payments come to light is paid twice', async () => {
    const { seen, desk } = await lost();
    longAgo(desk);
    commitLate(seen, desk);
    commitLate(seen, desk);
    expect((await resolve(desk, ...notPaid)).exit).toBe(27);
    expect(await stateOf(desk)).toBe('duplicate_paid');
  });

  it('two that are absent are let go together', async () => {
    const { seen, desk } = await lost(2);
    longAgo(desk);
    expect((await reconcile(desk)).document.rows.in_doubt).toBe(2);
    const released = notesOf(await resolve(desk, '--release-absent', ...reason));
    expect(released).toMatchObject([{ note: 'absent-released', rows: { total: 2 }, by: expect.any(String) }]);
    expect([(await resume(desk)).document.rows.pending, posts(seen.service)]).toEqual([5, 7]);
    expectNoDouble(seen.service);
  });
});

describe.concurrent('interrupted', () => {
  it.each([
    ['not paid', notPaid],
    ['gone', ['--payment', 'ID', '--gone', ...reason]],
  ])('between its two passes nothing is believed: %s', async (_title, argv) => {
    const { seen, desk } = await lost();
    longAgo(desk);
    const id = String(seen.service.payments[0]?.id);
    const said = argv.map((word) => (word === 'ID' ? id : word));
    if (argv.includes('ID')) seen.service.payments.shift();
    const { exit } = await interrupted(seen, desk, onList, 'resolve', 'nov', ...said);
    expect([exit, await stateOf(desk)]).toEqual([130, 'in_doubt']);
    // It is missed as before.
    if (argv.includes('ID')) expect(JSON.stringify(refusalOf(await resolve(desk, ...notPaid)).facts)).toContain(id);
  });

  it('reconcile tells what its first pass saw', async () => {
    const { seen, desk } = await lost(1, { PAYRUN_DOUBT_CONFIRM: '1m' });
    longAgo(desk);
    let lists = 0;
    const keyboard = new EventEmitter();
    seen.fault = (call) => {
      if (onList(call)) lists += 1;
      return undefined;
    };
    // A minute later it would look once more.
    seen.clock.onSleep = () => void keyboard.emit('SIGINT');
    const { exit, out } = await command(desk, ['reconcile', 'nov', '--json'], keyboard);
    expect([exit, lists, JSON.parse(out)]).toMatchObject([130, 1, { rows: { in_doubt: 1, pending: 4 } }]);
  });
});

describe.concurrent('which payment pays a row', () => {
  const paidBy = async (desk: Desk, { id }: Pick<StoredPayment, 'id'>) =>
    await resolve(desk, '--row', last, '--paid', String(id));

  it('not one that has expired', async () => {
    const { seen, desk } = await lost();
    const payment = commitLate(seen, desk, { ends: 'expired' });
    const ran = await paidBy(desk, payment);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays(last, 'PAYMENT_EXPIRED', { payment: String(payment.id) }),
    ]);
  });

  it('one that the service shows without a status', async () => {
    const { seen, desk } = await lost();
    const { id, tag, amount, reference } = commitLate(seen, desk);
    seen.fault = ({ route }) =>
      route === 'GET /payments/:id' ? { kind: 'answer', status: 200, body: { id, tag, amount, reference } } : undefined;
    const ran = await paidBy(desk, { id });
    expect([ran.exit, notesOf(ran)]).toEqual([23, [noted('payment-accepted', { row: last, status: null })]]);
    expect(await stateOf(desk)).toBe('accepted');
  });

  it('one that the service shows without a tag', async () => {
    const { seen, desk } = await lost();
    const { id, ...late } = commitLate(seen, desk);
    seen.service.payments.splice(-1, 1, { ...late, id, tag: '' });
    longAgo(desk);
    expect((await paidBy(desk, { id })).exit).toBe(23);
    expect(await stateOf(desk)).toBe('accepted');
  });

  it('of a row whose merchant is not known, and of a payment that names none', async () => {
    const seen = await watched();
    seen.fault = ({ route }) => (route === 'POST /merchants' ? { kind: 'drop' } : undefined);
    const desk = machine(seen.service, rows);
    await run(desk);
    expect(posts(seen.service)).toBe(0);
    // Made by whoever had this sheet before, with the same tags.
    const payment = commitLate(seen, desk);
    expect((await reconcile(desk)).document.rows).toMatchObject({ held: 1, not_sent: 4 });
    const { exit, out } = await paidBy(desk, payment);
    expect([exit, await stateOf(desk)], out).toEqual([23, 'accepted']);
  });
});

it.each<[string, string, string[], string]>([
  ['a token', 'POST /token', ['resolve', 'nov', '--release-absent', ...reason], 'in_doubt'],
  ['a payment by its id', 'GET /payments/:id', ['resolve', 'nov', '--row', last, '--paid', 'p1'], 'in_doubt'],
  ['one that is gone', 'GET /payments/:id', ['resolve', 'nov', '--payment', 'GONE', '--gone', ...reason], 'in_doubt'],
])('a service that does not give %s is no word: nothing moves', async (_title, route, argv, state) => {
  const { seen, desk } = await lost();
  const gone = seen.service.payments.shift();
  seen.fault = (call) => (call.route === route ? { kind: 'answer', status: 409 } : undefined);
  const said = argv.map((word) => (word === 'GONE' ? String(gone?.id) : word));
  const { exit, err } = await command(desk, said);
  expect([exit, err]).toEqual([25, expect.stringContaining('409')]);
  seen.fault = () => undefined;
  expect(await stateOf(desk)).toBe(state);
});

it('a payment that a person named for a row is not that of another one, whose tag it bears', async () => {
  const { seen, desk } = await lost();
  // Somebody else pays the same row under another name, of which this ledger knows nothing.
  const elsewhere = machine(seen.service, rows.slice(-1));
  await told(elsewhere, 'run', elsewhere.sheet, '--batch', 'oct', '--wait', '0');
  const id = String(seen.service.payments.at(-1)?.id);
  longAgo(desk);
  expect((await resolve(desk, '--row', last, '--paid', id)).exit).toBe(23);
  const october = { ...desk, sheet: elsewhere.sheet };
  const found = await told(october, 'run', october.sheet, '--batch', 'oct', '--confirm-repeat', 'x', '--wait', '0');
  expect(statusOf(found)).toEqual({ [last]: 'held' });
  const why = { kind: 'payment-of-other-row', paymentId: id, row: last, batch: 'nov' };
  expect(await reasonsOf(desk, last, 'oct')).toContainEqual(why);
  await reconcile(desk);
  expect([await stateOf(desk), posts(seen.service)]).toEqual(['accepted', 6]);
});

it.each([
  ['of a payment that was made elsewhere', 'in_doubt', 'accepted'],
  ['of a lost payment', 'accepted', 'held'],
])('a word %s is written with its row, or not at all', async (what, before, after) => {
  const seen = await watched();
  const desk = machine(seen.service, rows);
  seen.fault = ({ route, body }) =>
    before === 'in_doubt' && route === 'POST /payments' && body.reference === 'Ref 5' ? { kind: 'drop' } : undefined;
  await run(desk);
  seen.fault = () => undefined;
  const lostId = () => String(seen.service.payments.splice(-1)[0]?.id);
  const id = before === 'in_doubt' ? String(commitLate(seen, desk, { tag: 'by hand' }).id) : lostId();
  const word = before === 'in_doubt' ? ['--row', last, '--paid', id] : ['--payment', id, '--gone', ...reason];
  longAgo(desk);
  const change = (sql: string) => {
    using db = new DatabaseSync(desk.ledger);
    db.exec(sql);
  };
  for (const table of ['gone', 'payout']) {
    const when = table === 'gone' ? 'INSERT ON gone' : 'UPDATE OF state ON payout';
    change(`CREATE TRIGGER cut BEFORE ${when} BEGIN SELECT RAISE(ABORT, 'cut'); END`);
    await resolve(desk, ...word);
    change('DROP TRIGGER cut');
    using db = new DatabaseSync(desk.ledger, { readOnly: true });
    expect([await stateOf(desk), db.prepare('SELECT * FROM gone').all()], `${what}, ${table}`).toEqual([before, []]);
  }
  await resolve(desk, ...word);
  expect(await stateOf(desk)).toBe(after);
});

describe.concurrent('a payment that is said to be gone', () => {
  it('and that the service knows by its id, though its list lacks it, is not', async () => {
    const { seen, desk } = await lost();
    const id = String(seen.service.payments[0]?.id);
    seen.fault = listIs(emptyList);
    const ran = await resolve(desk, '--payment', id, '--gone', ...reason);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      { code: 'PAYMENT_NOT_GONE', facts: { batch: 'nov', payment: id } },
    ]);
  });
});

it('a payment of a paid row that the service forgets is no longer looked for, and the row stays paid', async () => {
  const { service } = await watched();
  const desk = machine(service, rows);
  expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
  const [gone] = service.payments.splice(0, 1);
  const payment = String(gone?.id);
  const ran = await resolve(desk, '--payment', payment, '--gone', ...reason);
  expect([ran.exit, notesOf(ran)]).toEqual([0, [noted('payment-not-looked-for', { payment, isHeld: false })]]);
  const retried = await told(desk, 'retry', 'nov', '--wait', '0');
  expect(retried.document.notes).toContainEqual(noted('retried', { rows: 0, also: false }));
});

it.concurrent('a retry beside a doubt sends no row that was never sent', async () => {
  const { desk } = await lost();
  const { document } = await told(desk, 'retry', 'nov', '--wait', '0');
  expect(document.notes).toContainEqual(noted('retried', { rows: 0, also: false }));
});

it.each([
  ["missed = NULL, reason = NULL WHERE state = 'in_doubt'", 22, 'no payment of'],
  ["submitted_at = NULL, sent_moment = NULL WHERE state = 'in_doubt'", 27, 'k5 of batch nov'],
])('a doubt of which the ledger lost something stays one: %s', async (sql, code, says) => {
  const { desk } = await lost();
  const db = new DatabaseSync(desk.ledger);
  db.exec(`UPDATE payout SET ${sql}`);
  db.close();
  if (sql.includes('reason = NULL'))
    for (const form of [[], ['--json']])
      expect((await command(desk, ['explain', 'nov', last, ...form])).out).toContain('no clear answer');
  const { exit, out, err } = await command(desk, ['reconcile', 'nov']);
  expect(exit, out + err).toBe(code);
  const story = await command(desk, ['explain', 'nov', last]);
  expect(story.out + err).toContain(says);
  expect(await stateOf(desk)).toBe('in_doubt');
});

describe.concurrent('a row that was held as a repeat', () => {
  /** One row was paid; then somebody paid the last one by hand. */
  async function held(shape: Shape = {}) {
    const seen = await watched(shape);
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await run(desk, '--concurrency', '1');
    seen.fault = () => undefined;
    commitLate(seen, desk, { tag: 'by hand' });
    const stopped = await resume(desk);
    expect(stopped.document.rows).toMatchObject({ held: 1, pending: 4 });
    return { seen, desk, reason: reasonOf(stopped, last) };
  }
  const notRepeat = ['--row', last, '--not-a-repeat', ...reason];

  it.each<[string, Shape, RegExp]>([
    ['with its date', {}, /like payment late-1 of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC:/],
    ['without one', { listLacks: ['date'] }, /like payment late-1:/],
  ])('names the payment, %s; is let go once, and is then no repeat any more', async (_title, shape, words) => {
    const { seen, desk, reason: why } = await held(shape);
    expect(why).toMatch(words);
    expect(notesOf(await resolve(desk, ...notRepeat))).toMatchObject([
      { note: 'no-repeat', row: { key: last }, by: expect.any(String) },
    ]);
    expect(notesOf(await resolve(desk, ...notRepeat))).toEqual([noted('released-already', { row: last })]);
    expect([(await resume(desk)).document.rows.pending, paymentsOf(seen.service)['Ref 5']]).toEqual([5, 2]);
  });

  it('of a row of another batch of this ledger, sent meanwhile, names that', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await run(desk, '--concurrency', '1');
    seen.fault = () => undefined;
    const other = join(desk.folder, 'one.csv');
    writeFileSync(other, csvOf([{ ...rows[4]!, row_id: 'x1' }]));
    expect((await told(desk, 'run', other, '--batch', 'extra', '--wait', '0')).document.sent).toBe(1);
    const { exit, document } = await resume(desk);
    expect([exit, document.rows]).toMatchObject([22, { held: 1, pending: 4 }]);
    const to = { row: 2, batch: 'extra' };
    expect(await reasonsOf(desk, last)).toMatchObject([{ kind: 'looks-paid', to, differs: null }]);
    expectNoDouble(seen.service);
  });

  it('covers the row with its content alone: a plan that changes the row warns again', async () => {
    const { service } = await watched();
    const desk = machine(service, rows);
    await run(desk);
    const other = join(desk.folder, 'one.csv');
    const line = { ...rows[4]!, row_id: 'x1' };
    writeFileSync(other, csvOf([line]));
    expect((await told(desk, 'run', other, '--batch', 'extra', '--wait', '0')).document.rows.held).toBe(1);
    const said = await told(desk, 'resolve', 'extra', '--row', 'x1', '--not-a-repeat', '--reason', 'it is owed twice');
    expect(said.document.rows.not_sent, said.err).toBe(1);
    const warned = async (more: object) => {
      writeFileSync(other, csvOf([{ ...line, ...more }]));
      return (await told(desk, 'plan', other, '--batch', 'extra')).document.problems.map(({ code }) => code);
    };
    expect([await warned({}), await warned({ amount: '7' })]).toEqual([[], ['LOOKS_PAID']]);
  });

  it('stays held while the list cannot be read to its end', async () => {
    const { seen, desk } = await held();
    seen.fault = listIs(emptyList);
    const ran = await resolve(desk, ...notRepeat);
    const refusal = { code: 'PASS_INCOMPLETE', facts: { why: { fault: 'list-lacks-payment' } } };
    expect([ran.exit, refusalOf(ran), await stateOf(desk)]).toMatchObject([25, refusal, 'withheld']);
  });

  it('and of which an expired payment is found under its own tag is not let go', async () => {
    const { seen, desk } = await held();
    const { id } = commitLate(seen, desk, { ends: 'expired' });
    const ran = await resolve(desk, ...notRepeat);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, stays(last, 'PAYMENT_FOUND', { payment: String(id) })]);
    const { document } = await told(desk, 'resume', 'nov', '--wait', '20s');
    expect(document.rows).toMatchObject({ unpaid: 1, paid: 4 });
  });
});

describe.concurrent('sent again', () => {
  const retry = async (desk: Desk) => await told(desk, 'retry', 'nov', '--wait', '0');
  async function expired(...references: string[]) {
    const seen = await watched({ expires: new Set(references) });
    const desk = machine(seen.service, rows);
    const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    expect(first.document.rows.unpaid).toBe(references.length);
    return { seen, desk };
  }

  it('are two that expired, each as a new revision', async () => {
    const { seen, desk } = await expired('Ref 4', 'Ref 5');
    const { document } = await retry(desk);
    expect(document.sent).toBe(2);
    expect(document.notes).toContainEqual(noted('retried', { rows: 2 }));
    expect(paymentsOf(seen.service)).toMatchObject({ 'Ref 3': 1, 'Ref 4': 2, 'Ref 5': 2 });
  });

  it('is none whose payment cannot be read now', async () => {
    const { seen, desk } = await expired('Ref 5');
    seen.fault = ({ route }) => (route === 'GET /payments/:id' ? { kind: 'answer', status: 409 } : undefined);
    const { exit } = await command(desk, ['retry', 'nov', '--wait', '0']);
    expect([exit, await stateOf(desk), posts(seen.service)]).toEqual([25, 'expired', 5]);
  });

  it('is none whose expired payment the service no longer says anything of but that it is', async () => {
    const { seen, desk } = await expired('Ref 5');
    const id = seen.service.payments.find(({ reference }) => reference === 'Ref 5')?.id;
    seen.fault = ({ route, path }) =>
      route === 'GET /payments/:id' && path.includes(String(id))
        ? { kind: 'answer', status: 200, body: { id } }
        : undefined;
    const ran = await command(desk, ['retry', 'nov', '--wait', '0', '--json']);
    expect([ran.exit, refusalOf(ran), posts(seen.service)]).toMatchObject([
      26,
      stays(last, 'PAYMENT_ALIVE', { number: 6, payment: String(id), status: null }),
      5,
    ]);
  });
});

describe.concurrent('ledger rebind', () => {
  it('to the key that it is bound to already changes nothing', async () => {
    const { desk } = await lost();
    const { exit, document } = await told(desk, 'ledger', 'rebind', 'nov', ...reason);
    expect([exit, document.notes[0]]).toEqual([0, noted('bound-already')]);
  });

  it('is not led astray by what it cannot read in the list', async () => {
    const seen = await watched({ foreign: [null, { tag: 'somebody' }] });
    const desk = machine(seen.service, rows);
    await run(desk);
    const other = { ...desk, env: { ...desk.env, PAYRUN_API_KEY: seen.service.addKey() } };
    const { exit, document } = await told(other, 'ledger', 'rebind', 'nov', ...reason);
    expect([exit, document.notes[0]]).toEqual([0, noted('bound', { payments: 3 })]);
  });
});

describe.concurrent('a word that names the wrong thing', () => {
  it('lets the one row go that it names, and no other', async () => {
    const { desk } = await lost(2, { PAYRUN_DOUBT_POLICY: 'hold' });
    longAgo(desk);
    expect((await reconcile(desk)).document.rows.in_doubt).toBe(2);
    const said = ['--release-absent', '--row', last, ...reason];
    expect(notesOf(await resolve(desk, ...said))).toMatchObject([
      { note: 'absent-released', rows: { shown: [{ key: last }], total: 1 } },
    ]);
    expect((await told(desk, 'status', 'nov')).document.rows).toMatchObject({ in_doubt: 1, not_sent: 1 });
    const ran = await resolve(desk, ...said);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays(last, 'ROW_IN_OTHER_STATE', { state: 'not sent', asked: 'release-absent' }),
    ]);
  });

  it('arms no row where another one of the same retry is refused, and a row that is named twice is one', async () => {
    const expires = new Set(['Ref 4', 'Ref 5']);
    const { service } = await watched({ expires });
    const desk = machine(service, rows);
    const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    expect(first.document.rows).toMatchObject({ paid: 3, unpaid: 2 });
    const ran = await command(desk, ['retry', 'nov', '--rows', 'k5,k1', '--wait', '0', '--json']);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays('k1', 'ROW_IN_OTHER_STATE', { state: 'paid', asked: 'retry' }),
    ]);
    expect((await told(desk, 'status', 'nov')).document.rows).toMatchObject({ paid: 3, unpaid: 2, not_sent: 0 });
    for (const payment of service.payments)
      if (expires.has(payment.reference)) Object.assign(payment, { ends: 'expired' });
    expires.clear();
    const again = await told(desk, 'retry', 'nov', '--rows', 'k5,k5,6', '--wait', '20s');
    expect(again.document.rows, again.err).toMatchObject({ paid: 4, unpaid: 1 });
    expect(service.payments.length).toBe(6);
  });
});

it('a held row of which something was sent cannot be dropped', async () => {
  const { service } = await watched();
  const desk = machine(service, kenyanRows(2));
  expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
  Object.assign(service.payments[0]!, { ends: 'expired' });
  expect((await reconcile(desk)).document.rows).toMatchObject({ paid: 1, held: 1 });
  const key = String(service.payments[0]!.reference).replace('Ref ', 'k');
  const ran = await command(desk, ['drop', 'nov', '--row', key, ...reason, '--json']);
  expect([ran.exit, refusalOf(ran)]).toMatchObject([2, stays(key, 'ROW_MAY_BE_PAID')]);
  expect((await told(desk, 'status', 'nov')).document.rows).toMatchObject({ paid: 1, held: 1 });
});
