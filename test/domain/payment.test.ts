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
    [{ success: 'expired' }, 'status-has-own-meaning'],
    [{ ' SUCCESS': 'expired' }, 'status-has-own-meaning'],
    [{ Expired: 'success' }, 'status-has-own-meaning'],
    [{ Done: 'success', done: 'expired' }, 'status-is-twice'],
    [{ ' ': 'expired' }, 'status-is-empty'],
    [{ PENDING: 'expired' }, 'status-is-under-way'],
    [{ 'On Hold': 'expired' }, 'status-is-under-way'],
    [{ onhold: 'expired' }, 'status-is-under-way'],
    [{ IN_PROGRESS: 'expired' }, 'status-is-under-way'],
    [{ processing: 'success' }, 'status-is-under-way'],
    [{ SETTLED: 'expired' }, 'status-is-opposite'],
    [{ 'Paid-out': 'expired' }, 'status-is-opposite'],
    [{ paidout: 'expired' }, 'status-is-opposite'],
    [{ in_transit: 'expired' }, 'status-is-opposite'],
    [{ intransit: 'expired' }, 'status-is-opposite'],
    [{ authorised: 'expired' }, 'status-is-opposite'],
    [{ authorized: 'expired' }, 'status-is-opposite'],
    [{ complete: 'expired' }, 'status-is-opposite'],
    [{ completed: 'expired' }, 'status-is-opposite'],
    [{ canceled: 'success' }, 'status-is-opposite'],
    [{ rejected: 'success' }, 'status-is-opposite'],
    [{ Cancelled: 'success' }, 'status-is-opposite'],
  ] as const)('may not: %j', (said, fault) => expect(statusWordsFault(said)).toMatchObject({ fault }));
});
