/** Clocks that lie, machines that sleep, and waits of minutes, on a clock that the test holds. */
import { describe, expect, it } from 'vitest';
import { kenyanRows } from '../support.ts';
import {
  atPayment,
  expectNoDouble,
  handClock,
  machine,
  posts,
  reasonsOf,
  reconcile,
  resume,
  run,
  runOn,
  watched,
} from './desk.ts';

const rows = kenyanRows(6, 2);
const hourMs = 3_600_000;

describe.concurrent('F34 a doubt is as old as the clock that is furthest behind says', () => {
  it.each([
    ['an hour ahead', hourMs],
    ['an hour behind', -hourMs],
    ['a day ahead', 24 * hourMs],
    ['a leap second behind', -1000],
  ])('the wall clock is set %s', async (_name, ms) => {
    const seen = await watched();
    const desk = machine(seen.service, rows, { PAYRUN_DOUBT_HORIZON: '30m', PAYRUN_DOUBT_POLICY: 'resend' });
    const clock = handClock();
    seen.fault = atPayment(6, { kind: 'drop' });
    expect((await runOn(desk, clock)).rows.in_doubt).toBe(1);
    clock.wallMoved = ms;
    for (const _ of [1, 2, 3]) expect((await runOn(desk, clock)).rows.in_doubt).toBe(1);
    expect(posts(seen.service)).toBe(6);
    expectNoDouble(seen.service);
  });

  it('a machine that starts anew knows only the wall clock and the service’s', async () => {
    const seen = await watched();
    const desk = machine(seen.service, rows, { PAYRUN_DOUBT_HORIZON: '30m' });
    const clock = handClock();
    seen.fault = atPayment(6, { kind: 'drop' });
    await runOn(desk, clock);
    clock.wallMoved = 2 * hourMs;
    clock.uptime = () => ({ boot: 'another', ms: 1000 });
    expect((await runOn(desk, clock)).rows.in_doubt, 'the service does not say so').toBe(1);
    seen.clock.moved += 300;
    const { document } = await reconcile(desk);
    expect(document.rows.in_doubt).toBe(1);
  });
});

it.each([
  [-20, [{ note: 'clock-is-off', days: 20, is: 'behind' }]],
  [-0.5, []],
  [0, []],
  [3, [{ note: 'clock-is-off', days: 3, is: 'ahead' }]],
])('a clock that is off by %s days is told where it is a day or more', async (days, told) => {
  const seen = await watched();
  const clock = handClock();
  clock.wallMoved = days * 24 * hourMs;
  const { notes } = await runOn(machine(seen.service, rows), clock);
  expect(notes.filter(({ note }) => note === 'clock-is-off')).toEqual(told);
});

it('F24 429 that asks for 32 years: two minutes at a time, five times', async () => {
  const seen = await watched();
  seen.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 2
      ? { kind: 'answer', status: 429, headers: { 'retry-after': '1000000000' } }
      : undefined;
  const clock = handClock();
  const { exit, rows: counts } = await runOn(machine(seen.service, rows), clock);
  expect([exit, counts]).toMatchObject([25, { in_doubt: 0, pending: 2, not_sent: 4 }]);
  const long = clock.slept.filter((ms) => ms > 60_000);
  expect(Math.max(...long)).toBeLessThanOrEqual(120_000);
  const waited = clock.slept.reduce((sum, ms) => sum + ms, 0);
  // Whoever waits at the same gate waits the same two minutes; the clock of this test adds them up.
  expect(waited).toBeLessThan(5 * 120_000 * 4 + 60_000);
});

it('a row that was turned away a moment ago is looked for only when it would be listed', async () => {
  const seen = await watched();
  const desk = machine(seen.service, rows, { PAYRUN_DOUBT_VISIBLE: '30s' });
  const clock = handClock();
  let turnedAway = 0;
  seen.fault = ({ route }) => {
    if (route !== 'POST /payments') return undefined;
    turnedAway = clock.moved;
    return { kind: 'answer', status: 401 };
  };
  expect((await runOn(desk, clock)).rows.not_sent).toBe(6);
  // As if that run had ended right then.
  clock.moved = turnedAway;
  let looked = 0;
  seen.fault = ({ route }) => {
    if (route === 'GET /payments' && looked === 0) looked = clock.moved;
    return undefined;
  };
  await runOn(desk, clock);
  expect(looked - turnedAway).toBeGreaterThan(20_000);
});

it('where the service does not tell its time, what others paid since a reason to pay again holds the row', async () => {
  const seen = await watched({ timeless: true });
  expect((await fetch(`${seen.service.url}/utils/countries`)).headers.get('date')).toBeNull();
  const desk = machine(seen.service, rows.slice(0, 2));
  // Stopped by its first pass, five seconds ago.
  seen.fault = ({ route }) => (route === 'GET /payments' ? { kind: 'answer', status: 409 } : undefined);
  const before = { ...desk, clock: { ...seen.clock, now: () => seen.clock.now() - 5000 } };
  expect((await run(before, '--confirm-repeat', 'a bonus')).document).toMatchObject({ exit: 25, sent: 0 });
  seen.fault = () => undefined;
  expect((await run(machine(seen.service, [{ ...rows[0]!, row_id: 'other' }]))).document.sent).toBe(1);
  const { exit, document } = await resume(desk);
  expect([exit, document.rows.held, posts(seen.service)]).toEqual([22, 1, 2]);
  const to = { paymentId: seen.service.payments[0]!.id };
  expect(await reasonsOf(desk, 'k1')).toMatchObject([{ kind: 'looks-paid', to }]);
});
