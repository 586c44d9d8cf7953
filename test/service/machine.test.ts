/** A payment's life: the machine and the rails, without a service. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payoutCountries } from '../../src/domain/accounts/country.ts';
import {
  type Course,
  historyOf,
  isEnd,
  momentAt,
  moves,
  type Status,
} from '../../src/service/resources/payment-life.ts';
import { courseOf, type Order, type Settle } from '../../src/service/resources/rails.ts';

const order = (over: Partial<Order> = {}): Order => ({
  id: 'p1',
  country: 'Nigeria',
  reference: 'Salary',
  slow: false,
  needsDeposit: false,
  collectFrom: null,
  createdAt: 1000,
  ...over,
});

const made = (over: Partial<Order>, settle: Settle | null = null): Course => courseOf(order(over), settle);

describe('the rails', () => {
  it('draw the same times for the same payment', () => {
    expect(made({})).toEqual(made({}));
    expect(made({})).not.toEqual(made({ id: 'p2' }));
  });

  it('pay in 0.4 to 2.5 seconds, and slow ones later', () => {
    for (let count = 0; count < 500; count += 1) {
      for (const country of payoutCountries) {
        const quick = made({ country, id: `p${count}` });
        const slow = made({ country, id: `p${count}`, slow: true });
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
    expect(made({ reference }).endsAs).toBe(end);
  });

  it('let a payment whose deposit does not come expire after a day', () => {
    const course = made({ reference: 'NODEPOSIT', needsDeposit: true });
    expect(course).toMatchObject({ depositAt: null, endsAs: 'expired', endsAt: 1000 + 86_400_000 });
    expect(momentAt(course, course.endsAt - 1, null)).toMatchObject({ status: 'pending', words: /deposit/ });
    expect(momentAt(course, course.endsAt, null).words).toMatch(/deposit did not arrive/);
  });

  it('end every payment exactly when told to', () => {
    for (const needsDeposit of [true, false]) {
      const course = made({ needsDeposit, slow: true }, { afterMs: 500 });
      expect(momentAt(course, 1499, null).status).toBe('processing');
      expect(momentAt(course, 1500, null).status).toBe('success');
    }
  });
});

describe('the machine', () => {
  const anyOrder = fc.record({
    id: fc.uuid(),
    country: fc.constantFrom(...payoutCountries),
    reference: fc.constantFrom('Pay', 'EXPIRE', 'NODEPOSIT', 'NODEPOSIT EXPIRE'),
    slow: fc.boolean(),
    needsDeposit: fc.boolean(),
    collectFrom: fc.constantFrom(null, '+254712345678'),
    createdAt: fc.integer({ min: 0, max: 2e12 }),
  });

  it('makes only the moves of its table, and time only moves it forward', () => {
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 0, max: 5000 }), (one, afterMs) => {
        const settles = [null, { afterMs }];
        for (const settle of settles) {
          const course = courseOf(one, settle);
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
    const course = made({});
    expect(momentAt(course, 0, 'success').status).toBe('success');
    expect(momentAt(course, 0, null).status).toBe('pending');
  });
});
