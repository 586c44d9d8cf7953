/** A payment's life: the machine and the rails, without a service. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Course,
  historyOf,
  isEnd,
  momentAt,
  moves,
  type Status,
} from '../../src/service/resources/payment-life.ts';
import { type Order, type Settle, sandboxRails } from '../../src/service/resources/rails.ts';

const order = (over: Partial<Order> = {}): Order => ({
  id: 'p1',
  reference: 'Salary',
  slow: false,
  needsDeposit: false,
  collectFrom: null,
  createdAt: 1000,
  ...over,
});

const courseOf = (over: Partial<Order>, settle = {}): Course => sandboxRails(settle).Nigeria.decide(order(over));

describe('the rails', () => {
  it('draw the same times for the same seed and payment', () => {
    expect(courseOf({}, { seed: 1 })).toEqual(courseOf({}, { seed: 1 }));
    expect(courseOf({}, { seed: 1 })).not.toEqual(courseOf({}, { seed: 2 }));
  });

  it('pay in 0.4 to 2.5 seconds, and slow ones later', () => {
    for (let count = 0; count < 500; count += 1) {
      for (const rail of Object.values(sandboxRails())) {
        const quick = rail.decide(order({ id: `p${count}` }));
        const slow = rail.decide(order({ id: `p${count}`, slow: true }));
        expect(quick.endsAt - 1000).toBeGreaterThanOrEqual(400);
        expect(quick.endsAt - 1000).toBeLessThanOrEqual(2500);
        expect(slow.endsAt).toBeGreaterThan(quick.endsAt);
      }
    }
  });

  it.each([
    ['EXPIRE', 'expired'],
    ['Pay EXPIRE 1', 'expired'],
    ['Pay expire', 'success'],
    ['EXPIRED', 'success'],
    ['NODEPOSIT', 'success'],
  ])('end a payment with the reference %s as %s', (reference, end) => {
    expect(courseOf({ reference }).endsAs).toBe(end);
  });

  it('let a payment whose deposit does not come expire after a day', () => {
    const course = courseOf({ reference: 'NODEPOSIT', needsDeposit: true });
    expect(course).toMatchObject({ depositAt: null, endsAs: 'expired', endsAt: 1000 + 86_400_000 });
    expect(momentAt(course, course.endsAt - 1, null)).toMatchObject({ status: 'pending', words: /deposit/ });
    expect(momentAt(course, course.endsAt, null).words).toMatch(/deposit did not arrive/);
  });

  it('end every payment exactly when told to', () => {
    for (const needsDeposit of [true, false]) {
      const course = courseOf({ needsDeposit, slow: true }, { afterMs: 500 });
      expect(momentAt(course, 1499, null).status).toBe('processing');
      expect(momentAt(course, 1500, null).status).toBe('success');
    }
  });
});

describe('the machine', () => {
  const anyOrder = fc.record({
    id: fc.uuid(),
    reference: fc.constantFrom('Pay', 'EXPIRE', 'NODEPOSIT', 'NODEPOSIT EXPIRE'),
    slow: fc.boolean(),
    needsDeposit: fc.boolean(),
    collectFrom: fc.constantFrom(null, '+254712345678'),
    createdAt: fc.integer({ min: 0, max: 2e12 }),
  });

  it('makes only the moves of its table, and time only moves it forward', () => {
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 0, max: 5000 }), (made, afterMs) => {
        const settles: Settle[] = [{}, { afterMs }];
        for (const settle of settles) {
          const course = sandboxRails(settle).Kenya.decide(made);
          const history = historyOf(course);
          expect(isEnd(history.at(-1)!.status)).toBe(true);
          for (const [at, moment] of history.entries()) {
            const before = history[at - 1];
            if (before === undefined) continue;
            const allowed: readonly Status[] = moves[before.status];
            expect(allowed).toContain(moment.status);
            expect(moment.since).toBeGreaterThanOrEqual(before.since);
          }
        }
      }),
    );
  });

  it('keeps an end that was seen, wherever the clock goes', () => {
    const course = courseOf({});
    expect(momentAt(course, 0, 'success').status).toBe('success');
    expect(momentAt(course, 0, null).status).toBe('pending');
  });
});
