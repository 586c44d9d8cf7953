/** What a payment's status means, and which further words a setting may give a meaning. */
import { describe, expect, it } from 'vitest';
import { isForeignWord, statusesOf, statusWordsFault } from '../../src/domain/sending/payment.ts';

describe('the end of a payment', () => {
  it.each([
    ['success', 'success'],
    [' SUCCESS ', 'success'],
    ['Expired', 'expired'],
    ['failed', 'open'],
    ['cancelled', 'open'],
    ['completed', 'open'],
    ['', 'open'],
    [null, 'open'],
    [undefined, 'open'],
    ['toString', 'open'],
  ] as const)('status %j is %j', (status, end) => expect(statusesOf().endOf(status)).toBe(end));

  it.each([
    ['Settled', 'success'],
    [' REJECTED ', 'expired'],
    ['success', 'success'],
    ['expired', 'expired'],
    ['returned', 'open'],
    ['', 'open'],
  ] as const)('with words of the settings %j is %j', (status, end) =>
    expect(statusesOf({ SETTLED: 'success', rejected: 'expired' }).endOf(status)).toBe(end),
  );

  it('is told apart where it rests on such a word', () =>
    expect(['success', 'Expired ', 'SETTLED', null].map(isForeignWord)).toEqual([false, false, true, true]));
});

describe('a word', () => {
  it.each([
    { SETTLED: 'success', REJECTED: 'expired' },
    { success: 'success', ' Expired': 'expired' },
    { Done: 'success', done: 'success' },
    { Unpaid: 'expired', 'Not accepted': 'expired', Accepted: 'success' },
    // A word counts as a whole: one that is a part of another says nothing of it.
    { reopen: 'success', opened: 'expired', withheld: 'expired', newly: 'success' },
    { unaccepted: 'expired', 'paid late': 'expired', incomplete: 'expired', senttoo: 'expired' },
    { undeclined: 'success', 'refused not': 'success' },
  ] as const)('may be said: %j', (said) => expect(statusWordsFault(said)).toBe(null));

  it.each([
    [{ success: 'expired' }, 'means success'],
    [{ ' SUCCESS': 'expired' }, 'means success'],
    [{ Expired: 'success' }, 'means expired'],
    [{ Done: 'success', done: 'expired' }, 'two meanings'],
    [{ ' ': 'expired' }, 'empty'],
    [{ PENDING: 'expired' }, 'paid twice'],
    [{ 'On Hold': 'expired' }, 'paid twice'],
    [{ onhold: 'expired' }, 'paid twice'],
    [{ IN_PROGRESS: 'expired' }, 'paid twice'],
    [{ processing: 'success' }, 'follow'],
    [{ SETTLED: 'expired' }, 'paid twice'],
    [{ 'Paid-out': 'expired' }, 'paid twice'],
    [{ paidout: 'expired' }, 'paid twice'],
    [{ in_transit: 'expired' }, 'paid twice'],
    [{ intransit: 'expired' }, 'paid twice'],
    [{ authorised: 'expired' }, 'paid twice'],
    [{ authorized: 'expired' }, 'paid twice'],
    [{ complete: 'expired' }, 'paid twice'],
    [{ completed: 'expired' }, 'paid twice'],
    [{ canceled: 'success' }, 'not paid out'],
    [{ rejected: 'success' }, 'not paid out'],
    [{ Cancelled: 'success' }, 'not paid out'],
  ] as const)('may not: %j', (said, words) => expect(statusWordsFault(said)).toContain(words));
});
