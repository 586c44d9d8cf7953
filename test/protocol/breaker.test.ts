/** The breaker: a service that is ill is asked for little, and what is in doubt stays little money. */
import { describe, expect, it } from 'vitest';
import type { Call, Fault } from '../independent/service.ts';
import { kenyanRows, southAfrican } from '../support.ts';
import { expectNoDouble, machine, paymentsOf, posts, resume, run, type Watched, watched, widths } from './desk.ts';

const rows = kenyanRows(14, 2);
/** Each for a reason of its own, so that they are not one cause that many share. */
const statuses = [500, 502, 503, 504, 520, 521, 522, 523, 524, 525];
const one = ['--concurrency', '1'];

/** These payments lose their answer; `made`: they exist all the same. */
const losing =
  (which: (nth: number) => boolean, made = false) =>
  ({ route, nth }: Call): Fault | undefined =>
    route === 'POST /payments' && which(nth)
      ? { kind: 'answer', status: statuses[nth % statuses.length]!, after: made }
      : undefined;

/** The routes that matter, in the order in which they were called. */
function recorded(seen: Watched, fault: Watched['fault']): string[] {
  const calls: string[] = [];
  seen.fault = (call) => {
    if (call.route === 'POST /payments') calls.push(`pay ${call.nth}`);
    if (call.route === 'GET /payments') calls.push('list');
    return fault(call);
  };
  return calls;
}

describe.concurrent('three doubts one after another', () => {
  it('open it: one pass, one row alone, and it closes', async () => {
    const seen = await watched();
    const calls = recorded(
      seen,
      losing((nth) => nth >= 3 && nth <= 5),
    );
    const { exit, document } = await run(machine(seen.service, rows), ...one);
    expect([exit, document.rows]).toMatchObject([22, { in_doubt: 3, pending: 11, not_sent: 0 }]);
    const at = calls.indexOf('pay 5');
    expect(calls.slice(at, at + 4)).toEqual(['pay 5', 'list', 'pay 6', 'pay 7']);
    expectNoDouble(seen.service);
  });

  it('that the pass finds count no more, and the money in doubt is said', async () => {
    const seen = await watched();
    seen.fault = losing((nth) => nth >= 3 && nth <= 5, true);
    const { exit, document, err } = await run(machine(seen.service, rows), ...one);
    expect([exit, document.rows.pending, posts(seen.service)]).toEqual([23, 14, 14]);
    expect(err).toContain('in doubt');
    expectNoDouble(seen.service);
  });

  it.each(widths)('and no end of them: the third opening ends the run, at concurrency %i', async (width) => {
    const seen = await watched();
    seen.fault = losing((nth) => nth >= 3);
    const desk = machine(seen.service, kenyanRows(40, 2));
    const { exit, document } = await run(desk, '--concurrency', String(width));
    expect([exit, document.stopped?.code]).toEqual([22, 'SERVICE_UNREADABLE']);
    // What was under way when it opened, and the two that went alone.
    expect(document.rows.in_doubt).toBeLessThanOrEqual(Math.max(3, 2 * width) + 2);
    expect(document.rows.not_sent).toBeGreaterThan(0);
    expect(document.totals[0]?.in_doubt, 'the money in doubt').toBeGreaterThan(0);
    seen.fault = () => undefined;
    const after = await resume(desk);
    expect([after.exit, after.document.rows.not_sent]).toEqual([22, 0]);
    expect(after.document.rows.in_doubt).toBe(document.rows.in_doubt);
    expectNoDouble(seen.service);
  });

  it('of the first payments of a run, which go alone, open it as well', async () => {
    const seen = await watched();
    seen.fault = losing(() => true);
    const { exit, document } = await run(machine(seen.service, rows), ...one);
    expect([exit, document.stopped?.code]).toEqual([22, 'SERVICE_UNREADABLE']);
    expect(document.rows.in_doubt, 'three, and two that went alone').toBeLessThanOrEqual(5);
  });
});

/** Of the event loop: what others would send at the same moment has come by then. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((done) => setImmediate(done));
}

describe.concurrent('the row that goes alone', () => {
  it('and is refused hands the role on', async () => {
    const seen = await watched();
    const calls = recorded(seen, (call) =>
      call.route === 'POST /payments' && call.nth === 6
        ? { kind: 'answer', status: 422 }
        : losing((nth) => nth >= 3 && nth <= 5)(call),
    );
    const { document } = await run(machine(seen.service, rows), ...one);
    expect(document.rows).toMatchObject({ in_doubt: 3, unpaid: 1, pending: 10 });
    expect(calls.slice(calls.indexOf('pay 5'))).toEqual(expect.arrayContaining(['list', 'pay 6', 'pay 7']));
  });

  it('and is in doubt is the next opening; the one after it may close', async () => {
    const seen = await watched();
    const calls = recorded(
      seen,
      losing((nth) => nth >= 3 && nth <= 6),
    );
    const { exit, document } = await run(machine(seen.service, rows), ...one);
    expect([exit, document.rows]).toMatchObject([22, { in_doubt: 4, pending: 10 }]);
    const at = calls.indexOf('pay 5');
    expect(calls.slice(at, at + 5)).toEqual(['pay 5', 'list', 'pay 6', 'list', 'pay 7']);
  });

  it.each(widths)('goes alone, however many were under way before: concurrency %i', async (width) => {
    const seen = await watched();
    let tripped = false;
    let lone: number | null = null;
    let beside = 0;
    seen.fault = (call) => {
      if (call.route === 'GET /payments' && posts(seen.service) > 4) tripped = true;
      if (call.route !== 'POST /payments' || !tripped) return losing((nth) => nth > 2)(call);
      if (lone !== null) return undefined;
      lone = call.nth;
      return { kind: 'hold', until: turns(100).then(() => (beside = posts(seen.service) - call.nth)) };
    };
    // The first after the opening is answered late: whoever else were sent meanwhile would be seen beside it.
    const { document } = await run(machine(seen.service, kenyanRows(4 + 2 * width, 2)), '--concurrency', String(width));
    expect(document.rows.in_doubt).toBeGreaterThan(2);
    expect([lone, beside]).toEqual([expect.any(Number), 0]);
    expectNoDouble(seen.service);
  });
});

it('a cause that many share counts once', async () => {
  const seen = await watched();
  const calls = recorded(seen, ({ route, nth }) =>
    route === 'POST /payments' && nth >= 5 && nth <= 8 ? { kind: 'drop' } : undefined,
  );
  const { exit, document } = await run(machine(seen.service, rows), '--concurrency', '4');
  expect([exit, document.rows]).toMatchObject([22, { in_doubt: 4, pending: 10 }]);
  const paying = calls.slice(calls.indexOf('pay 2'), calls.indexOf('pay 14'));
  expect(paying, 'no pass while paying').not.toContain('list');
});

describe.concurrent('an opening among the first payments', () => {
  it.each([3, 4])('does not take away the check of the first tag: %i doubts', async (doubts) => {
    await firstTag(doubts);
  });

  it('does not take away the check of the first tag: many doubts', async () => {
    await firstTag(6);
  });

  async function firstTag(doubts: number): Promise<void> {
    const seen = await watched({ foldTag: () => 'yours' });
    seen.fault = losing((nth) => nth <= doubts);
    const { exit } = await run(machine(seen.service, rows), ...one);
    expect(exit).toBe(22);
    // One that closes the breaker, and the first after it, whose tag is read.
    expect(seen.service.payments.length, 'payments without their tags').toBeLessThanOrEqual(2);
  }

  it.each([3, 4])('does not take away the first payment of another country: %i doubts', async (doubts) => {
    await firstOfAnother(doubts);
  });

  it('does not take away the first payment of another country: many doubts', async () => {
    await firstOfAnother(6);
  });

  async function firstOfAnother(doubts: number): Promise<void> {
    const others = [southAfrican, { ...southAfrican, row_id: 'za2', reference: 'Second' }];
    const seen = await watched();
    const calls = recorded(
      seen,
      losing((nth) => nth <= doubts),
    );
    await run(machine(seen.service, [...rows, ...others]), ...one);
    if (seen.service.payments.length === 0) return;
    const southAfricans = seen.service.payments.filter(
      ({ destinationCountry }) => destinationCountry === 'SouthAfrica',
    );
    expect(southAfricans).toHaveLength(2);
    expect(seen.service.calls.get('GET /payments/:id'), 'a first payment of each country is read').toBeGreaterThan(1);
    expect(calls.at(-1)).toBe('list');
    expect(Object.values(paymentsOf(seen.service)).every((count) => count === 1)).toBe(true);
  }
});
