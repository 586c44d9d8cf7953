/** Limits of rails: by the clock in Johannesburg, by South Africa's holidays, by the rail in Kenya. */
import { describe, expect, it } from 'vitest';
import { fitsRailAt, railLimitAt, railSpansAt } from '../../src/domain/calendar/rail-limit.ts';

const most = (when: string) => railLimitAt('SouthAfrica', 'bank', Date.parse(when))?.most;

describe('South Africa', () => {
  it.each<[string, string, number]>([
    ['a Friday at noon', '2026-11-20T12:00:00+02:00', 5_000_000],
    ['the first moment of a Monday', '2026-11-16T00:00:00+02:00', 5_000_000],
    ['the last moment before it', '2026-11-15T23:59:59.999+02:00', 250_000],
    ['a moment before 16:00', '2026-11-20T15:59:59.999+02:00', 5_000_000],
    ['16:00', '2026-11-20T16:00:00+02:00', 250_000],
    ['02:00 on a Sunday', '2026-11-22T02:00:00+02:00', 250_000],
    ['a Saturday', '2026-11-21T10:00:00+02:00', 250_000],
    ['a Monday in London that is a Tuesday in Johannesburg', '2026-11-16T22:30:00Z', 5_000_000],
    // Dates of the year's official list.
    ['New Year', '2026-01-01T10:00:00+02:00', 250_000],
    ['Good Friday 2026', '2026-04-03T10:00:00+02:00', 250_000],
    ['Family Day 2026', '2026-04-06T10:00:00+02:00', 250_000],
    ['the Thursday before Good Friday', '2026-04-02T10:00:00+02:00', 5_000_000],
    ['Good Friday 2027', '2027-03-26T10:00:00+02:00', 250_000],
    ['Family Day 2027', '2027-03-29T10:00:00+02:00', 250_000],
    ['Good Friday 2028', '2028-04-14T10:00:00+02:00', 250_000],
    ['Family Day 2025', '2025-04-21T10:00:00+02:00', 250_000],
    ['Family Day 2024', '2024-04-01T10:00:00+02:00', 250_000],
    ["the Monday after Women's Day on a Sunday", '2026-08-10T10:00:00+02:00', 250_000],
    ['the Tuesday after it', '2026-08-11T10:00:00+02:00', 5_000_000],
    ['Day of Goodwill after Christmas on a Saturday', '2027-12-27T10:00:00+02:00', 250_000],
    ['Heritage Day', '2026-09-24T10:00:00+02:00', 250_000],
  ])('%s', (_name, when, limit) => expect(most(when)).toBe(limit));
});

it('Kenya by rail; Nigeria and Lightning have none', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  expect(railLimitAt('Kenya', 'momo', now)).toEqual({ least: 1, most: 250_000 });
  expect(railLimitAt('Kenya', 'bank', now)).toEqual({ least: 10, most: 999_999 });
  expect(railLimitAt('Nigeria', 'bank', now)).toBeNull();
  expect(railLimitAt('BTC', 'bank', now)).toBeNull();
});

it('rows are held against the limits of what their country is paid in', () => {
  expect(railSpansAt(Date.parse('2026-11-21T10:00:00+02:00'))).toEqual([
    { country: 'SouthAfrica', currency: 'ZAR', least: 1, most: 250_000 },
    { country: 'Kenya', currency: 'KES', least: 1, most: 250_000 },
  ]);
});

it.each<[amount: number, at: string, fits: string | null]>([
  [250_000, '2026-11-21T10:00:00+02:00', '2026-11-21T10:00:00+02:00'],
  [250_001, '2026-11-21T10:00:00+02:00', '2026-11-23T00:00:00+02:00'],
  [5_000_000, '2026-11-20T16:00:00+02:00', '2026-11-23T00:00:00+02:00'],
  [250_001, '2026-11-20T15:59:59+02:00', '2026-11-20T15:59:59+02:00'],
  // Over Christmas on a Friday.
  [300_000, '2026-12-24T16:30:00+02:00', '2026-12-28T00:00:00+02:00'],
  [5_000_001, '2026-11-20T10:00:00+02:00', null],
])('%i rand at %s go %s', (amount, at, fits) => {
  expect(fitsRailAt('SouthAfrica', amount, Date.parse(at))).toBe(fits === null ? null : Date.parse(fits));
});

it('what mobile money does not take, it takes at no hour', () => {
  const at = Date.parse('2026-11-20T10:00:00Z');
  expect([0, 1, 250_000].map((amount) => fitsRailAt('Kenya', amount, at))).toEqual([null, at, at]);
  expect(fitsRailAt('Kenya', 250_001, Date.parse('2026-11-20T10:00:00Z'))).toBeNull();
});
