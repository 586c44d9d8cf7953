/** Pay windows by the clock and the calendar of Johannesburg. */
import { describe, expect, it } from 'vitest';
import { opensAt, readPayWindow, shutsAt } from '../../src/domain/calendar/pay-window.ts';
import { windowWords } from '../../src/messages/format/limits.ts';

const window = (text: string, closed: string[] = []) => readPayWindow(text, closed)!;
const there = (text: string) => Date.parse(`${text}:00+02:00`);

describe('opens', () => {
  it.each<[open: string, at: string, next: string | null]>([
    ['08:00-16:00', '2026-11-20T08:00', null],
    ['08:00-16:00', '2026-11-20T15:59', null],
    ['08:00-16:00', '2026-11-20T16:00', '2026-11-21T08:00'],
    ['08:00-16:00', '2026-11-20T07:59', '2026-11-20T08:00'],
    ['08:00-16:00', '2026-11-21T12:00', null],
    ['08:00-16:00,mon-fri', '2026-11-20T16:00', '2026-11-23T08:00'],
    ['08:00-16:00,mon-fri', '2026-11-22T00:30', '2026-11-23T08:00'],
    // Christmas on a Friday, the Day of Goodwill on a Saturday.
    ['08:00-16:00,business', '2026-12-24T16:00', '2026-12-28T08:00'],
    ['08:00-16:00,mon-fri', '2026-12-25T10:00', null],
    // Good Friday and Family Day.
    ['08:00-16:00,business', '2027-03-25T17:00', '2027-03-30T08:00'],
    // The Monday after Women's Day on a Sunday.
    ['08:00-16:00,business', '2026-08-10T10:00', '2026-08-11T08:00'],
    ['00:00-24:00', '2026-11-21T23:59', null],
    ['22:00-02:00,mon-fri', '2026-11-20T23:00', null],
    // Friday's night, in Saturday's first hours; Sunday's does not begin.
    ['22:00-02:00,mon-fri', '2026-11-21T01:59', null],
    ['22:00-02:00,mon-fri', '2026-11-21T02:00', '2026-11-23T22:00'],
    ['22:00-02:00,mon-fri', '2026-11-23T01:00', '2026-11-23T22:00'],
  ])('%s at %s', (open, at, next) => {
    expect(opensAt([window(open)], there(at))).toBe(next === null ? null : there(next));
  });

  it.each([
    ['08:00-16:00', '2026-11-20T15:59', '2026-11-20T16:00'],
    ['00:00-24:00', '2026-11-20T00:00', '2026-11-21T00:00'],
    ['22:00-02:00', '2026-11-20T23:00', '2026-11-21T02:00'],
    ['22:00-02:00', '2026-11-21T01:00', '2026-11-21T02:00'],
  ])('%s at %s, and shuts', (open, at, end) => {
    expect(shutsAt([window(open)], there(at))).toBe(there(end));
  });

  it('not on a day that is closed', () => {
    const closed = [window('08:00-16:00,business', ['2026-11-04'])];
    expect(opensAt(closed, there('2026-11-04T09:00'))).toBe(there('2026-11-05T08:00'));
  });

  it('where two of them meet, and never where they do not', () => {
    const both = (other: string) => opensAt([window('08:00-16:00,business'), window(other)], there('2026-11-20T15:30'));
    expect(both('12:00-20:00')).toBe(null);
    expect(both('09:00-12:00')).toBe(there('2026-11-23T09:00'));
    expect(both('17:00-20:00')).toBeUndefined();
    expect(shutsAt([window('22:00-02:00'), window('00:00-24:00')], there('2026-11-20T23:00'))).toBe(
      there('2026-11-21T00:00'),
    );
  });
});

it.each([
  '8:00-16:00',
  '08:00',
  '08:00-08:00',
  '24:00-08:00',
  '08:00-24:01',
  '08:60-09:00',
  '08:00-00:00',
  '08:00-16:00,sunday',
  '08:00-16:00,',
  '',
])("'%s' is no window", (text) => expect(readPayWindow(text)).toBeUndefined());

it('is told in words', () => {
  expect(windowWords(window('08:00-24:00,business', ['2026-11-04']))).toBe(
    '08:00-24:00 on business days but for 2026-11-04 in Johannesburg',
  );
});
