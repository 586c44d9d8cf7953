/** How long ago an attempt was made at least, and what its absence proves. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DoubtView,
  type DoubtWait,
  doubtWait,
  elapsedMs,
  judgeMissing,
  type Missing,
  type Moment,
  momentText,
  readMoment,
} from '../../src/domain/sending/doubt.ts';

const minute = 60_000;
const sent: Moment = { wall: 1000 * minute, service: 1000 * minute, boot: 'one', uptime: 10 * minute };
const later = (minutes: number): Moment => ({
  wall: sent.wall + minutes * minute,
  service: (sent.service ?? 0) + minutes * minute,
  boot: 'one',
  uptime: sent.uptime + minutes * minute,
});

describe('elapsed time is the least that any clock says', () => {
  it.each<[string, Moment, Moment, number]>([
    ['all agree', sent, later(31), 31],
    ['the wall clock was set forward', sent, { ...later(5), wall: sent.wall + 600 * minute }, 5],
    ['the wall clock was set back', sent, { ...later(40), wall: sent.wall - 60 * minute }, 0],
    ['the service dates in whole seconds', sent, { ...later(0.005), service: (sent.service ?? 0) - 700 }, 0],
    ['the service lags', sent, { ...later(40), service: (sent.service ?? 0) + 2 * minute }, 2],
    ['the machine counted less than the others', sent, { ...later(40), uptime: sent.uptime + 3 * minute }, 3],
    ['the machine was started again', sent, { ...later(40), boot: 'two', uptime: minute }, 40],
    ['the service never said a date', { ...sent, service: null }, later(40), 40],
    ['it says none now', sent, { ...later(40), service: null }, 40],
    ['only the wall clock is left, and is wrong', { ...sent, service: null }, { ...later(9), boot: 'two' }, 9],
  ])('%s', (_title, from, to, minutes) => {
    expect(elapsedMs(from, to)).toBe(minutes * minute);
  });

  it('is kept as text', () => {
    const moment = fc.record({
      wall: fc.integer(),
      service: fc.option(fc.integer()),
      boot: fc.string(),
      uptime: fc.nat(),
    });
    fc.assert(
      fc.property(moment, (one) => {
        expect(readMoment(momentText(one))).toEqual(one);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a piece of one', '[1000,null,"o'],
    ['no list', '{"wall":1000}'],
    ['nothing in the list', '[]'],
    ['a clock too few', '[1000,null,"one"]'],
    ['a clock too many', '[1000,null,"one",5,6]'],
    ['a clock that is no number', '["1000",null,"one",5]'],
    ['a moment that no clock shows', '[9e15,null,"one",5]'],
    ['a part of a millisecond', '[1000,0.5,"one",5]'],
    ['a start of the machine that is no word', '[1000,null,1,5]'],
    ['other signs for the same', '[1000, null, "one", 5]'],
  ])('what is no moment is not read as one: %s', (_title, text) => {
    expect(readMoment(text)).toBeNull();
  });
});

describe('another look tells more', () => {
  const view = { now: 40 * minute, lastListed: null, appearsWithinMs: 31 * minute, confirmMs: minute, rowsLeft: false };
  const missed = momentText({ wall: 63 * minute, service: null, boot: 'one', uptime: 5 });
  const [end, twice] = [31 * minute, 62 * minute];
  it.each<[string, Partial<DoubtView> & { missed?: string }, DoubtWait['why'], at: number | null]>([
    ['not before the horizon', { now: end - 1 }, 'may-appear', twice],
    ['not before the horizon, and rows that are left go first', { now: end - 1, rowsLeft: true }, 'may-appear', null],
    ['at twice the horizon, where nothing younger was sent', { now: end }, 'list-may-be-old', twice],
    ['also where its batch sent something before the horizon', { lastListed: end }, 'list-may-be-old', twice],
    ['never while rows are left to be sent', { now: 400 * minute, rowsLeft: true }, 'list-may-be-old', null],
    ['at once where something younger was sent', { lastListed: end + 1, rowsLeft: true }, 'none', end],
    ['at once after twice the horizon', { now: twice }, 'none', twice],
    ['a while after the first that missed it', { missed }, 'second-scan', 64 * minute],
    ['at once when that has passed', { missed, now: 64 * minute }, 'none', 64 * minute],
    ['at the horizon, where no list is old', { now: 0, lastListed: Number.POSITIVE_INFINITY }, 'may-appear', end],
  ])('%s', (_title, { missed = null, ...change }, why, at) => {
    expect(doubtWait({ sentAt: 0, missed }, { ...view, ...change })).toEqual({ why, end, at });
  });
});

describe('a payment that a complete pass does not hold', () => {
  const facts: Missing = {
    elapsedMs: 40 * minute,
    appearsWithinMs: 31 * minute,
    sinceMissedMs: null,
    confirmMs: minute,
    witnessed: true,
    rowsLeft: true,
  };
  it.each<[string, Partial<Missing>, ReturnType<typeof judgeMissing>]>([
    ['at the horizon it is the first of two', { elapsedMs: 31 * minute }, 'missed'],
    ['a clock that was set back since the first', { sinceMissedMs: -minute }, 'missed'],
    ['before the horizon proves nothing', { elapsedMs: 31 * minute - 1 }, 'early'],
    ['no time proves nothing', { elapsedMs: 0 }, 'early'],
    ['but where nothing can come late', { elapsedMs: 0, appearsWithinMs: 0 }, 'missed'],
    ['after it is the first of two', {}, 'missed'],
    ['too soon after the first is still the first', { sinceMissedMs: minute - 1 }, 'missed'],
    ['is the first of two also where no time has to lie between them', { confirmMs: 0 }, 'missed'],
    ['apart from the first is the second', { sinceMissedMs: minute }, 'absent'],
    ['without a younger payment of ours the list may be old', { witnessed: false, sinceMissedMs: minute }, 'unproven'],
    ['rows that are left are sent first, however late', { witnessed: false, elapsedMs: 400 * minute }, 'unproven'],
    ['where none is left, once the horizon is not enough', { witnessed: false, rowsLeft: false }, 'unproven'],
    [
      'where none is left, twice the horizon stands in',
      { witnessed: false, rowsLeft: false, elapsedMs: 62 * minute, sinceMissedMs: minute },
      'absent',
    ],
  ])('%s', (_title, change, expected) => {
    expect(judgeMissing({ ...facts, ...change })).toBe(expected);
  });
});
