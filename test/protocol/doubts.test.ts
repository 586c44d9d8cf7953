/** Doubts to their end: what settles them, whose word counts when, and what a late payment does to each of it. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { deadlineMs } from '../held-clock.ts';
import type { StoredPayment } from '../independent/service.ts';
import { command, csvOf, type Desk, kenyanRows, noted, refusalOf, resultOf } from '../support.ts';
import {
  expectNoDouble,
  horizonMs,
  machine,
  notesOf,
  pastHorizonMs,
  pastTwiceMs,
  patient,
  paymentsOf,
  posts,
  reasonOf,
  reasonsOf,
  reconcile,
  resolve,
  resume,
  run,
  stays,
  told,
  twiceIn,
  type Watched,
  watched,
} from './desk.ts';

const rows = kenyanRows(4, 2);
const last = 'k4';
const tooEarly = { code: 'PAYMENT_MAY_APPEAR', facts: { batch: 'nov', row: last } };

/** A run whose last row lost its answer, and was not paid. */
async function lostOne(env: Record<string, string> = {}): Promise<{ seen: Watched; desk: Desk }> {
  const seen = await watched();
  const desk = machine(seen.service, rows, env);
  seen.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'Ref 4' ? { kind: 'drop' } : undefined;
  const first = await run(desk);
  expect([first.exit, first.document.rows]).toMatchObject([22, { in_doubt: 1, pending: 3 }]);
  seen.fault = () => undefined;
  return { seen, desk };
}

/** What a request that was under way all the while does at last. */
function commitLate(seen: Watched, desk: Desk, key = last, changes: Partial<StoredPayment> = {}): StoredPayment {
  const { service, clock } = seen;
  const db = new DatabaseSync(desk.ledger);
  const row = db
    .prepare(
      `SELECT tag, amount, merchant_id AS merchantId, json_extract(content, '$.reference') AS reference
       FROM payout JOIN payout_content ON payout = id WHERE key = ?`,
    )
    .get(key) as { tag: string; amount: number; merchantId: string; reference: string };
  db.close();
  const made = {
    ...row,
    id: `late-${service.payments.length}`,
    createdAtMs: clock.now(),
    madeBy: 'tenant',
    ...changes,
  };
  service.payments.push(made as StoredPayment);
  return made as StoredPayment;
}

/** Two complete passes after the horizon. */
async function untilAbsent(seen: Watched, desk: Desk): Promise<void> {
  seen.clock.moved += pastTwiceMs;
  const { exit, document } = await reconcile(desk);
  expect([exit, document.rows.in_doubt, document.next.map(({ command: one }) => one)]).toEqual([
    22,
    1,
    [expect.stringContaining('--release-absent'), expect.stringContaining('resume')],
  ]);
}

const release = async (desk: Desk) => await resolve(desk, '--release-absent', '--reason', 'the service says no');

describe.concurrent('a payment that never arrived', () => {
  it('is one of ten that the next step names of twelve, and the last sent says when', async () => {
    const seen = await watched();
    const desk = machine(seen.service, kenyanRows(23, 2));
    seen.fault = ({ route, nth }) => {
      if (route !== 'POST /payments') return undefined;
      seen.clock.moved += 1000;
      return nth % 2 === 1 ? { kind: 'drop' } : undefined;
    };
    const { document } = await run(desk);
    const db = new DatabaseSync(desk.ledger, { readOnly: true });
    const doubts = db.prepare("SELECT key, submitted_at AS at FROM payout WHERE state = 'in_doubt' ORDER BY id").all();
    db.close();
    expect(doubts).toHaveLength(12);
    const [step] = document.next;
    expect(step).toMatchObject({
      action: 'reconcile',
      doubt: { rows: { shown: doubts.slice(0, 10).map(({ key }) => ({ key })), total: 12 } },
    });
    expect(step).toHaveProperty(
      'doubt.wait.end',
      Math.max(...doubts.map(({ at }) => Number(at))) + deadlineMs + horizonMs,
    );
  });

  it('is in doubt, then absent after two passes, then let go by a person, and paid once', async () => {
    const { seen, desk } = await lostOne();
    const early = await reconcile(patient(desk));
    expect([early.exit, await reasonsOf(desk, last)]).toMatchObject([
      22,
      [{ kind: 'answer-lost' }, { kind: 'not-listed' }],
    ]);
    expect(notesOf(await release(desk))).toEqual([noted('nothing-absent')]);
    await untilAbsent(seen, desk);
    expect((await resume(desk)).exit, 'absent is not sent').toBe(22);
    expect(posts(seen.service)).toBe(4);
    expect(notesOf(await release(desk))).toMatchObject([{ note: 'absent-released', batch: 'nov', rows: { total: 1 } }]);
    const paid = await resume(desk);
    expect([paid.exit, paid.document.sent, paid.document.rows.pending]).toEqual([23, 1, 4]);
    expect(
      [...seen.hits.values()].toSorted((a, b) => a - b),
      'under the same tag',
    ).toEqual([1, 1, 1, 2]);
    expectNoDouble(seen.service);
  });

  it('is found by the pass before sending when it came after the release', async () => {
    const { seen, desk } = await lostOne();
    await untilAbsent(seen, desk);
    await release(desk);
    commitLate(seen, desk);
    const { exit, document } = await resume(desk);
    expect([exit, document.sent, document.rows.pending, posts(seen.service)]).toEqual([23, 0, 4, 4]);
    expectNoDouble(seen.service);
  });

  it('is found by the pass before sending, whether or not passes are restricted', async () => {
    const { seen, desk } = await lostOne({ PAYRUN_SCAN_PRESEND: 'suspect' });
    await untilAbsent(seen, desk);
    await release(desk);
    commitLate(seen, desk);
    const { exit, document } = await resume(desk);
    expect([exit, document.sent, document.rows.pending, posts(seen.service)]).toEqual([23, 0, 4, 4]);
    expectNoDouble(seen.service);
  });

  it('under `resend` waits for a person where no younger payment proves its absence', async () => {
    const { seen, desk } = await lostOne({ PAYRUN_DOUBT_POLICY: 'resend' });
    await untilAbsent(seen, desk);
    expect((await run(desk)).exit).toBe(22);
    expect(posts(seen.service)).toBe(4);
    await release(desk);
    expect([(await resume(desk)).exit, posts(seen.service)]).toEqual([23, 5]);
    expectNoDouble(seen.service);
  });

  it('under `resend` is sent again where a younger payment of ours is listed', async () => {
    const { seen, desk } = await lostOne({ PAYRUN_DOUBT_POLICY: 'resend' });
    seen.clock.moved += pastHorizonMs;
    writeFileSync(desk.sheet, csvOf([...rows, { ...rows[0]!, row_id: 'k5', amount: '900', reference: 'Ref 5' }]));
    const added = await run(desk, '--add');
    expect([added.document.sent, added.document.rows.pending]).toEqual([1, 4]);
    seen.clock.moved += 1300;
    const settled = await reconcile(desk);
    const paid = settled.document.rows.in_doubt === 0 ? await resume(desk) : settled;
    expect([paid.exit, paid.document.rows.pending, posts(seen.service)]).toEqual([23, 5, 6]);
    expectNoDouble(seen.service);
  });

  it('under `resend` is looked for again after it was let go, also while rows are paid', async () => {
    const { seen, desk } = await lostOne({ PAYRUN_DOUBT_POLICY: 'resend' });
    seen.clock.moved += pastHorizonMs;
    const more = Array.from({ length: 8 }, (_, at) => ({ ...kenyanRows(14, 2)[at + 5]!, row_id: `m${at}` }));
    writeFileSync(desk.sheet, csvOf([...rows, ...more]));
    const calls: string[] = [];
    const began = posts(seen.service);
    const unheard: Promise<void>[] = [];
    seen.fault = ({ route, nth, body }) => {
      if (route === 'GET /payments') calls.push('list');
      if (route !== 'POST /payments') return undefined;
      calls.push(String(body.reference));
      const at = nth - began;
      // Three doubts open the breaker, and the row that goes alone is the next opening, a moment later.
      if (at === 5) {
        unheard.push(seen.clock.expire(() => true));
        return { kind: 'hold', until: new Promise(() => {}) };
      }
      return at >= 2 && at <= 4 ? { kind: 'answer', status: 500 + at } : undefined;
    };
    const hasty = { ...desk, env: { ...desk.env, PAYRUN_DOUBT_CONFIRM: '1ms' } };
    await run(hasty, '--add', '--concurrency', '1');
    await Promise.all(unheard);
    const again = calls.indexOf('Ref 4');
    if (again >= 0) expect(calls.slice(again - 2, again), calls.join(' ')).toEqual(['list', 'list']);
    expectNoDouble(seen.service);
  });

  it('that the newest sheet lacks is settled, and one that was never sent does not keep it from that', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, nth }) =>
      route !== 'POST /payments' || nth < 3
        ? undefined
        : nth === 3
          ? { kind: 'drop' }
          : { kind: 'answer', status: 401 };
    const first = await run(desk, '--concurrency', '1');
    expect(first.document.rows).toMatchObject({ pending: 2, in_doubt: 1, not_sent: 1 });
    seen.fault = () => undefined;
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 2)));
    await run(desk, '--drop');
    seen.clock.moved += pastTwiceMs;
    await reconcile(desk);
    const { document } = await reconcile(desk);
    expect(document.next.map(({ command: one }) => one).join('\n')).toContain('payrun drop nov');
    expectNoDouble(seen.service);
  });
});

describe.concurrent('a payment that arrived late', () => {
  it('before the horizon is found by the next run', async () => {
    const { seen, desk } = await lostOne();
    commitLate(seen, desk);
    const { exit, document } = await run(desk);
    expect([exit, document.rows.pending, posts(seen.service)]).toEqual([23, 4, 4]);
    expectNoDouble(seen.service);
  });

  it('after it was proven absent, and before anybody let it go, is found', async () => {
    const { seen, desk } = await lostOne();
    await untilAbsent(seen, desk);
    commitLate(seen, desk);
    const { exit, document } = await resume(desk);
    expect([exit, document.rows.pending, posts(seen.service)]).toEqual([23, 4, 4]);
  });

  it('after it was sent again is a double, and reported', async () => {
    const { seen, desk } = await lostOne();
    await untilAbsent(seen, desk);
    await release(desk);
    expect((await resume(desk)).exit).toBe(23);
    const late = commitLate(seen, desk);
    const { exit, document } = await reconcile(desk);
    expect([exit, twiceIn(document)]).toEqual([27, 1]);
    expect(reasonOf({ document }, last)).toContain(String(late.id));
  });

  it('with other content is held', async () => {
    const { seen, desk } = await lostOne();
    commitLate(seen, desk, last, { amount: 5 });
    const { exit, document } = await run(desk);
    expect([exit, document.rows.held, posts(seen.service)]).toEqual([22, 1, 4]);
  });
});

describe.concurrent('a ledger whose clocks of a doubt were damaged', () => {
  it.each(['sent_moment', 'missed'])('is an alarm that names the row: %s', async (column) => {
    const { seen, desk } = await lostOne();
    seen.clock.moved += pastHorizonMs;
    const db = new DatabaseSync(desk.ledger);
    db.exec(`UPDATE payout SET ${column} = '[1,' WHERE key = '${last}'`);
    db.close();
    const why = { fault: 'row-was-changed', row: last, batch: 'nov' };
    const damaged = { code: 'LEDGER_DAMAGED', facts: { why } };
    const { exit, document } = await resume(desk);
    expect([exit, document.stopped]).toMatchObject([27, damaged]);
    expect(await reconcile(desk)).toMatchObject({ exit: 27, document: { error: damaged } });
    expect(posts(seen.service)).toBe(4);
  });
});

describe.concurrent('a person says that a row was not paid', () => {
  const notPaid = async (desk: Desk) => await resolve(desk, '--row', last, '--not-paid', '--reason', 'they told me');

  it('which is refused before the horizon, and taken after it', async () => {
    const { seen, desk } = await lostOne();
    const early = await notPaid(patient(desk));
    expect([early.exit, refusalOf(early)]).toMatchObject([2, tooEarly]);
    seen.clock.moved += pastHorizonMs;
    const taken = await notPaid(desk);
    expect([taken.exit, notesOf(taken)]).toEqual([22, [noted('absent', { row: last })]]);
    await release(desk);
    expect([(await resume(desk)).exit, posts(seen.service)]).toEqual([23, 5]);
    expectNoDouble(seen.service);
  });

  it('which is refused when the payment is there with other content, and finds it otherwise', async () => {
    const { seen, desk } = await lostOne();
    const late = commitLate(seen, desk, last, { amount: 5 });
    seen.clock.moved += pastHorizonMs;
    const held = await notPaid(desk);
    expect([held.exit, refusalOf(held)]).toMatchObject([2, stays(last, 'PAYMENT_FOUND', { payment: String(late.id) })]);
    seen.service.payments.pop();
    commitLate(seen, desk);
    await notPaid(desk);
    expect((await told(desk, 'status', 'nov')).document.rows).toMatchObject({ pending: 4, in_doubt: 0, held: 0 });
  });

  it('which is refused while the list cannot be read', async () => {
    const { seen, desk } = await lostOne();
    seen.clock.moved += pastHorizonMs;
    seen.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } } : undefined;
    const ran = await notPaid(desk);
    const refusal = { code: 'PASS_INCOMPLETE', facts: { why: { fault: 'list-lacks-payment' } } };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([25, refusal]);
  });

  it('of a row that is held because another ledger paid other content under its tag, which is refused', async () => {
    const { seen, desk } = await lostOne();
    commitLate(seen, desk, last, { merchantId: 'somebody' });
    expect((await run(desk)).document.rows.held).toBe(1);
    seen.clock.moved += pastHorizonMs;
    expect((await notPaid(desk)).exit).toBe(2);
    expect(refusalOf(await resolve(desk, '--row', last, '--not-a-repeat', '--reason', 'x'))).toMatchObject(
      stays(last, 'ROW_IN_OTHER_STATE', { state: 'held', asked: 'release-repeat' }),
    );
    expect(posts(seen.service)).toBe(4);
  });
});

describe.concurrent('a person says which payment pays a row', () => {
  const paidBy = async (desk: Desk, id: string | number | undefined, row = last) =>
    await resolve(desk, '--row', row, '--paid', String(id));

  it('its own, and says it twice', async () => {
    const { seen, desk } = await lostOne();
    const { id } = commitLate(seen, desk);
    expect([(await paidBy(desk, id)).exit, (await paidBy(desk, id)).exit]).toEqual([23, 23]);
    expect((await run(desk)).document.rows.pending).toBe(4);
  });

  it('one made by hand: only after the horizon, and no later pass stumbles over it', async () => {
    const { seen, desk } = await lostOne();
    const { id } = commitLate(seen, desk, last, { tag: 'by hand' });
    expect(refusalOf(await paidBy(patient(desk), id))).toMatchObject(tooEarly);
    seen.clock.moved += pastHorizonMs;
    expect((await paidBy(desk, id)).exit).toBe(23);
    writeFileSync(desk.sheet, csvOf([...rows, { ...rows[0]!, row_id: 'k5', amount: '900', reference: 'Ref 5' }]));
    const added = await run(desk, '--add');
    expect([added.exit, added.document.sent, added.document.rows.pending], added.err).toEqual([23, 1, 5]);
    expectNoDouble(seen.service);
  });

  it('another row’s that the ledger has not found yet, which is refused', async () => {
    const seen = await watched();
    const alike = { ...rows[3]!, row_id: 'k5' };
    const desk = machine(seen.service, [...rows, alike]);
    seen.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 4' ? { kind: 'drop' } : undefined;
    expect((await run(desk)).document.rows.in_doubt).toBe(2);
    seen.fault = () => undefined;
    const { id } = commitLate(seen, desk, 'k5');
    seen.clock.moved += pastHorizonMs;
    const ran = await paidBy(desk, id);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays(last, 'PAYMENT_OF_OTHER_ROW', { payment: String(id), other: { row: 'k5', batch: 'nov' } }),
    ]);
    const { document } = await reconcile(desk);
    expect(document.rows).toMatchObject({ pending: 4, in_doubt: 1 });
  });

  it('one made by hand, and then its own comes to light: paid twice', async () => {
    const { seen, desk } = await lostOne();
    const { id } = commitLate(seen, desk, last, { tag: 'by hand' });
    seen.clock.moved += pastHorizonMs;
    await paidBy(desk, id);
    commitLate(seen, desk);
    expect((await reconcile(desk)).exit).toBe(27);
  });

  it('and is refused: another content, another row’s, an unknown id, a row that is pending', async () => {
    const { seen, desk } = await lostOne();
    seen.clock.moved += pastHorizonMs;
    const other = commitLate(seen, desk, last, { tag: 'x', amount: 7 });
    const [theirs, own] = [String(other.id), String(seen.service.payments[0]?.id)];
    const expects = [
      [theirs, last, stays(last, 'PAYMENT_DIFFERS', { payment: theirs })],
      [own, last, stays(last, 'PAYMENT_OF_OTHER_ROW', { payment: own, other: { row: 'k1', batch: 'nov' } })],
      ['nobody-knows', last, stays(last, 'PAYMENT_NOT_AT_SERVICE', { payment: 'nobody-knows' })],
      [theirs, 'k1', stays('k1', 'ROW_IN_OTHER_STATE', { state: 'pending', asked: 'paid' })],
    ] as const;
    for (const [id, row, refusal] of expects) {
      const ran = await paidBy(desk, id, row);
      expect([ran.exit, refusalOf(ran)]).toMatchObject([2, refusal]);
    }
    expect((await told(desk, 'status', 'nov')).document.rows).toMatchObject({ in_doubt: 1, pending: 3 });
  });
});

describe.concurrent('a payment of ours that the service has forgotten', () => {
  it('stops every run, until a person says that it is gone; and not while the service still has it', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    await run(desk);
    const [first] = seen.service.payments;
    const gone = async () =>
      await resolve(desk, '--payment', String(first?.id), '--gone', '--reason', 'they wiped the tenant');
    const payment = String(first?.id);
    const early = await gone();
    expect([early.exit, refusalOf(early)]).toMatchObject([2, stays('k1', 'PAYMENT_NOT_GONE', { payment })]);
    seen.service.payments.shift();
    seen.clock.moved += 1000;
    writeFileSync(desk.sheet, csvOf([...rows, { ...rows[0]!, row_id: 'k5', amount: '900', reference: 'Ref 5' }]));
    const stopped = await run(desk, '--add');
    expect([stopped.exit, stopped.document.stopped?.message]).toEqual([25, expect.stringContaining(String(first?.id))]);
    // The row may have been paid all the same: only a person lets it go.
    expect((await gone()).exit).toBe(22);
    expect([(await resume(desk)).exit, posts(seen.service)]).toEqual([22, 5]);
    seen.clock.moved += pastHorizonMs;
    const way = ['--row', 'k1', '--reason', 'it was never paid out'];
    expect(refusalOf(await resolve(desk, ...way, '--not-a-repeat'))).toMatchObject(
      stays('k1', 'ROW_IN_OTHER_STATE', { state: 'held', asked: 'release-repeat' }),
    );
    await resolve(desk, ...way, '--not-paid');
    await resolve(desk, '--release-absent', '--reason', 'it was never paid out');
    const home = await resume(desk);
    expect([home.exit, home.document.rows.pending, posts(seen.service)]).toEqual([23, 5, 6]);
  });

  it('holds back what would be sent, and nothing of what is followed', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    await run(desk);
    const [first] = seen.service.payments.splice(0, 1);
    // A list may lack a payment of the moment at which the scan begins.
    seen.clock.moved += 1000;
    writeFileSync(desk.sheet, csvOf([...rows, { ...rows[0]!, row_id: 'k5', amount: '900', reference: 'Ref 5' }]));
    const stopped = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--add', '--wait', '5s');
    expect([stopped.exit, stopped.document.stopped?.message]).toEqual([25, expect.stringContaining(String(first?.id))]);
    expect(stopped.document.rows).toMatchObject({ paid: 3, pending: 1, not_sent: 1 });
  });

  it('says so in its row as soon as it is not known by its id, and no more once it is', async () => {
    const seen = await watched({ settleAfterMs: 600_000 });
    const desk = machine(seen.service, rows);
    await run(desk);
    const [first] = seen.service.payments.splice(0, 1);
    const follow = async () => {
      await told(desk, 'resume', 'nov', '--wait', '100ms');
      return await reasonsOf(desk, 'k1');
    };
    expect(await follow()).toEqual([{ kind: 'forgotten', paymentId: first?.id }]);
    seen.service.payments.unshift(first!);
    expect(await follow()).toEqual([]);
  });
});

describe.concurrent('a payment that was paid out, and of which the service then says something else', () => {
  it.each([
    ['expired', 'expired'],
    ['pending', 'never'],
  ])('is an alarm, and its row is held until it is paid again (%s)', async (word, ends) => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    const first = Object.assign(seen.service.payments[0]!, { ends });
    const alarm = await reconcile(desk);
    const undone = { rows: { shown: [{ row: 'k1', batch: 'nov' }], total: 1 } };
    expect([alarm.exit, alarm.document.stopped]).toMatchObject([27, { code: 'PAYMENT_UNDONE', facts: undone }]);
    expect(await reasonsOf(desk, 'k1')).toMatchObject([{ kind: 'no-longer-paid', status: word, bySetting: false }]);
    // Neither is it sent again, nor called unpaid.
    const after = await resume(desk);
    expect([after.exit, after.document.rows.held, posts(seen.service)]).toEqual([22, 1, 4]);
    Object.assign(first, { ends: 'success' });
    const again = await told(desk, 'resume', 'nov', '--wait', '20s');
    expect([again.exit, again.document.rows.paid]).toEqual([0, 4]);
  });
});

describe.concurrent('unpaid rows are sent again', () => {
  const retry = async (desk: Desk, ...more: string[]) => await told(desk, 'retry', 'nov', '--wait', '0', ...more);

  it('a refused one under the same tag', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 4' ? { kind: 'answer', status: 422 } : undefined;
    expect((await run(desk)).document.rows).toMatchObject({ unpaid: 1, pending: 3 });
    seen.fault = () => undefined;
    const again = await retry(desk);
    expect([again.exit, again.document.sent, again.document.rows.pending]).toEqual([23, 1, 4]);
    expect([...seen.hits.values()].toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2]);
    expectNoDouble(seen.service);
  });

  it('a refused one that exists all the same is found, and not sent', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows);
    seen.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 4'
        ? { kind: 'answer', status: 422, after: true }
        : undefined;
    const first = await run(desk);
    seen.fault = () => undefined;
    const found = first.document.rows.unpaid === 0 ? first : await retry(desk);
    expect([found.document.rows.pending, posts(seen.service)]).toEqual([4, 4]);
    expectNoDouble(seen.service);
  });

  /** A batch whose last row has expired; `turn` pays it late after all. */
  async function expired() {
    const expires = new Set(['Ref 4']);
    const seen = await watched({ expires });
    const desk = machine(seen.service, rows);
    const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    expect([first.exit, first.document.rows.unpaid]).toEqual([21, 1]);
    return { seen, desk, turn: () => expires.clear() };
  }

  it('an expired one as a new revision, with a tag of its own', async () => {
    const { seen, desk } = await expired();
    const again = await retry(desk, '--rows', last);
    expect([again.document.sent, posts(seen.service)]).toEqual([1, 5]);
    expect([...seen.hits.values()]).toEqual([1, 1, 1, 1, 1]);
    expect(paymentsOf(seen.service)['Ref 4']).toBe(2);
  });

  it('not when the expired one was paid late meanwhile', async () => {
    const { seen, desk, turn } = await expired();
    turn();
    const ran = await command(desk, ['retry', 'nov', '--wait', '0', '--json']);
    const refusal = { code: 'PAYMENT_ALIVE', facts: { row: last, status: 'success' } };
    expect([ran.exit, refusalOf(ran), posts(seen.service)]).toMatchObject([26, refusal, 4]);
  });

  it('and an expired one that is paid late after its retry is a double: an alarm', async () => {
    const { seen, desk, turn } = await expired();
    await retry(desk);
    turn();
    const { exit, document } = await reconcile(desk);
    expect([exit, twiceIn(document), posts(seen.service)]).toEqual([27, 1, 5]);
  });

  it('and one of them that was paid late between the retry and the sending is not sent', async () => {
    const { seen, desk, turn } = await expired();
    seen.fault = ({ route }) => {
      // The word on the single payment is given; the pass before sending sees another world.
      if (route === 'GET /payments') turn();
      return undefined;
    };
    const again = await retry(desk);
    expect([again.document.sent, posts(seen.service)]).toEqual([0, 4]);
    expect(again.document.rows).toMatchObject({ paid_twice: 0, unpaid: 0 });
  });

  it('but not those that the newest sheet lacks', async () => {
    const { seen, desk } = await expired();
    writeFileSync(desk.sheet, csvOf(rows.slice(0, 3)));
    await command(desk, ['run', desk.sheet, '--batch', 'nov', '--drop', '--wait', '0']);
    const again = await retry(desk);
    expect(posts(seen.service)).toBe(4);
    expect(again.document.rows.closed).toBe(1);
  });
});

it('explain tells a row’s story in its order', async () => {
  const { desk } = await lostOne();
  const { exit, out } = await command(desk, ['explain', 'nov', last]);
  expect(exit).toBe(0);
  expect(refusalOf(await command(desk, ['retry', 'nov', '--rows', last, '--json']))).toMatchObject(
    stays(last, 'ROW_IN_OTHER_STATE', { state: 'in doubt', asked: 'retry' }),
  );
  const json = JSON.parse((await command(desk, ['explain', 'nov', '5', '--json'])).out);
  expect(json).toMatchObject({ batch: 'nov', sheet: 'november.csv', row: { key: last, word: 'in doubt' } });
  const moves = json.trail.flatMap(({ data }: { data: { to?: string } }) => data.to ?? []);
  expect(moves.slice(-2)).toEqual(['sending', 'in_doubt']);
  for (const fact of [...Object.values<string>(json.payee), json.why, json.next.what]) expect(out).toContain(fact);
  expect((await command(desk, ['explain', 'nov', 'nobody'])).exit).toBe(2);
});

describe.concurrent('ledger rebind', () => {
  const rebind = async (desk: Desk) => await told(desk, 'ledger', 'rebind', 'nov', '--reason', 'the key was rotated');

  /** A batch of so many rows, and the same desk with another key; the service may know it, or show it nothing. */
  async function rotated(count: number) {
    const seen = await watched();
    const desk = machine(seen.service, kenyanRows(4, 2));
    seen.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > count ? { kind: 'answer', status: 401 } : undefined;
    if (count === 0) seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'drop' } : undefined);
    await run(desk, '--concurrency', '1');
    seen.fault = () => undefined;
    const key = seen.service.addKey();
    return { seen, desk, other: { ...desk, env: { ...desk.env, PAYRUN_API_KEY: key } } };
  }

  it.each([1, 3])('with the right key shows %i payments, and goes on', async (count) => {
    const { seen, other } = await rotated(count);
    expect((await command(other, ['resume', 'nov'])).exit, 'another key by itself is refused').toBe(26);
    const bound = await rebind(other);
    expect([bound.exit, bound.document.notes[0]]).toEqual([0, noted('bound', { payments: count })]);
    const on = await resume(other);
    expect([on.exit, on.document.rows.pending]).toEqual([23, 4]);
    expectNoDouble(seen.service);
  });

  it('where nothing was paid takes a person’s word', async () => {
    const { other } = await rotated(0);
    const bound = await rebind(other);
    expect([bound.exit, bound.document.notes[0]]).toEqual([0, noted('bound', { payments: 0 })]);
  });

  it('with a key that sees nothing is refused', async () => {
    const { seen, other } = await rotated(3);
    seen.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } } : undefined;
    const ran = await command(other, ['ledger', 'rebind', 'nov', '--reason', 'x', '--json']);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([26, { code: 'IDENTITY_UNPROVEN', facts: { batch: 'nov' } }]);
    seen.fault = () => undefined;
    expect((await command(other, ['resume', 'nov'])).exit).toBe(26);
  });
});

it('a payment that two tries of one row made is found whichever the list shows first', async () => {
  const { seen, desk } = await lostOne();
  const [first, second] = [commitLate(seen, desk).id, commitLate(seen, desk).id];
  const { exit, document } = await reconcile(desk);
  expect([exit, twiceIn(document)]).toEqual([27, 1]);
  expect(await reasonsOf(desk, last)).toMatchObject([{ kind: 'two-payments', payments: [first, second] }]);
});

describe.concurrent('a payment under the tag that is older than the row’s own attempt', () => {
  const anHourOlder = ({ clock }: Watched) => ({ createdAtMs: clock.now() - 3600_000 });

  it('does not end the doubt before that attempt can no longer become another one', async () => {
    const { seen, desk } = await lostOne();
    const { id } = commitLate(seen, desk, last, anHourOlder(seen));
    const early = await reconcile(patient(desk));
    expect([early.exit, early.document.rows.in_doubt]).toEqual([22, 1]);
    const older = await reasonsOf(desk, last);
    expect(older).toMatchObject([{ kind: 'older-payment', payments: [id] }]);
    await reconcile(patient(desk));
    expect(await reasonsOf(desk, last), 'and says so once').toEqual(older);
    seen.clock.moved += pastHorizonMs + 1000;
    const { document } = await reconcile(desk);
    expect([document.rows.pending, document.rows.in_doubt, posts(seen.service)]).toEqual([4, 0, 4]);
  });

  it('ends it at once where the service tells no time of the day, only a date', async () => {
    const { seen, desk } = await lostOne();
    const dayMs = 24 * 3600_000;
    commitLate(seen, desk, last, { createdAtMs: Math.floor(seen.clock.now() / dayMs) * dayMs });
    const { document } = await reconcile(patient(desk));
    expect([document.rows.pending, document.rows.in_doubt]).toEqual([4, 0]);
  });

  it('and where it does, both are told', async () => {
    const { seen, desk } = await lostOne();
    const first = commitLate(seen, desk, last, anHourOlder(seen)).id;
    await reconcile(patient(desk));
    const second = commitLate(seen, desk).id;
    const { exit, document } = await reconcile(desk);
    expect([exit, twiceIn(document)]).toEqual([27, 1]);
    expect(await reasonsOf(desk, last)).toMatchObject([{ kind: 'two-payments', payments: [first, second] }]);
  });
});

it('a refusal that no complete pass has looked behind is looked behind by the next run, though nothing is to be sent', async () => {
  const seen = await watched();
  const desk = machine(seen.service, rows);
  let sent = 0;
  seen.fault = ({ route, body }) => {
    if (route === 'POST /payments') sent += 1;
    if (route === 'POST /payments' && body.reference === 'Ref 4') return { kind: 'answer', status: 422 };
    return route === 'GET /payments' && sent === 4 ? { kind: 'answer', status: 500 } : undefined;
  };
  const first = await run(desk);
  expect(first.document.rows).toMatchObject({ unpaid: 1, pending: 3 });
  seen.fault = () => undefined;
  commitLate(seen, desk);
  const { document } = await run(desk);
  expect([document.rows.unpaid, document.rows.pending, posts(seen.service)]).toEqual([0, 4, 4]);
});

describe.concurrent('the result is where it was asked for, and as the ledger', () => {
  it('also after a word that is refused, whose passes found something', async () => {
    const { seen, desk } = await lostOne();
    const folder = join(desk.folder, 'results');
    mkdirSync(folder);
    await run(desk, '--out', folder);
    commitLate(seen, desk);
    seen.clock.moved += pastHorizonMs;
    const { exit } = await resolve(desk, '--row', last, '--not-paid', '--reason', 'the payee says so');
    expect(exit).toBe(2);
    const [result] = readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .map((name) => resultOf(join(folder, name)));
    expect(result?.find(({ row_id: id }) => id === last)?.payrun_status).toBe('pending');
  });
});
