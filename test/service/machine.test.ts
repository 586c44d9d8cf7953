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
  destination_country: 'Nigeria',
  reference: 'Salary',
  slow: 0,
  needs_deposit: 0,
  created_at: 1000,
  ...over,
});

const courseIn = (given: Order, settle: Settle | null): Course => ({
  ...given,
  collect_from: null,
  ...courseOf(given, settle),
});
const made = (over: Partial<Order>, settle: Settle | null = null) => courseIn(order(over), settle);

describe('the rails', () => {
  it('draw the same times for the same payment', () => {
    expect(made({})).toEqual(made({}));
    expect(made({})).not.toEqual(made({ id: 'p2' }));
  });

  it('pay in 0.4 to 2.5 seconds, and slow ones later', () => {
    for (let count = 0; count < 500; count += 1) {
      for (const country of payoutCountries) {
        const quick = made({ destination_country: country, id: `p${count}` });
        const slow = made({ destination_country: country, id: `p${count}`, slow: 1 });
        expect(quick.ends_at - 1000).toBeGreaterThanOrEqual(400);
        expect(quick.ends_at - 1000).toBeLessThanOrEqual(2500);
        expect(slow.ends_at).toBeGreaterThan(quick.ends_at);
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
    expect(made({ reference }).ends_as).toBe(end);
  });

  it('let a payment whose deposit does not come expire after a day', () => {
    const course = made({ reference: 'NODEPOSIT', needs_deposit: 1 });
    expect(course).toMatchObject({ deposit_at: null, ends_as: 'expired', ends_at: 1000 + 86_400_000 });
    expect(momentAt(course, course.ends_at - 1, null)).toMatchObject({ status: 'pending', words: /deposit/ });
    expect(momentAt(course, course.ends_at, null).words).toMatch(/deposit did not/);
  });

  it('end every payment exactly when told to', () => {
    for (const needs_deposit of [1, 0]) {
      const course = made({ needs_deposit, slow: 1 }, { afterMs: 500 });
      expect(momentAt(course, 1499, null).status).toBe('processing');
      expect(momentAt(course, 1500, null).status).toBe('success');
    }
  });
});

describe('the machine', () => {
  const anyOrder = fc.record({
    id: fc.uuid(),
    destination_country: fc.constantFrom(...payoutCountries),
    reference: fc.constantFrom('Pay', 'EXPIRE', 'NODEPOSIT', 'NODEPOSIT EXPIRE'),
    slow: fc.constantFrom(0, 1),
    needs_deposit: fc.constantFrom(0, 1),
    created_at: fc.integer({ min: 0, max: 2e12 }),
  });

  it('makes only the moves of its table, and time only moves it forward', () => {
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 0, max: 5000 }), (one, afterMs) => {
        const settles = [null, { afterMs }];
        for (const settle of settles) {
          const course = courseIn(one, settle);
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
