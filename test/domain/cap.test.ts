/** Caps: what a flag may do to them, and what is said of what is over. */
import { describe, expect, it } from 'vitest';
import {
  type CapFigures,
  type Caps,
  cappedMoneys,
  hasCaps,
  loweredCaps,
  lowestCaps,
  overCaps,
} from '../../src/domain/amounts/cap.ts';
import { capsWords } from '../../src/messages/format/limits.ts';

const caps: Caps = { ZAR: { row: '100000', batch: '2000000' }, 'BTC:sat': { day: '0' } };

describe('a flag', () => {
  it.each<[said: string[], words: string]>([
    [[], 'ZAR row 100,000, batch 2,000,000; BTC:sat day 0'],
    [['ZAR:batch=500'], 'ZAR row 100,000, batch 500; BTC:sat day 0'],
    [['ZAR:batch=2000000'], 'ZAR row 100,000, batch 2,000,000; BTC:sat day 0'],
    [['KES:payee=0', 'ZAR:row=0'], 'ZAR row 0, batch 2,000,000; KES payee 0; BTC:sat day 0'],
    [['USDT:hundredths:day=150'], 'ZAR row 100,000, batch 2,000,000; BTC:sat day 0; USDT:hundredths day 150'],
  ])('%j lowers', (said, words) => {
    expect(capsWords(loweredCaps(caps, said))).toBe(words);
    expect(capsWords(caps), 'the configured ones stay').toBe('ZAR row 100,000, batch 2,000,000; BTC:sat day 0');
  });

  const noForm = { fault: 'cap-has-no-form', moneys: cappedMoneys, kinds: ['row', 'payee', 'batch', 'day'] };
  it.each<[said: string[], why: object]>([
    [['ZAR:batch=2000001'], { fault: 'cap-is-raised', configured: '2000000' }],
    [['BTC:sat:day=1'], { fault: 'cap-is-raised', configured: '0' }],
    [['ZAR:batch=1', 'ZAR:batch=2'], { fault: 'option-is-twice', name: 'ZAR:batch' }],
    [['ZAR:batch=5\n'], noForm],
    [['ZAR:month=5'], noForm],
    [['BTC:day=5'], noForm],
    [['zar:day=5'], noForm],
    [['ZAR=5'], noForm],
    [['constructor:row=5'], noForm],
    [['ZAR:row='], noForm],
    [['ZAR:row=5.0'], noForm],
    [['ZAR:row=-5'], noForm],
    [['ZAR:row=1,000'], noForm],
    [['ZAR:row=1e3'], noForm],
    [['ZAR:row=1234567890123456789'], noForm],
  ])('%j is a slip', (said, why) => {
    const facts = { cap: said.at(-1), why };
    expect(() => loweredCaps(caps, said)).toThrow(expect.objectContaining({ code: 'CAP_UNUSABLE', facts }));
  });
});

it.each<[one: Caps, other: Caps, words: string]>([
  [{}, {}, ''],
  [caps, {}, 'ZAR row 100,000, batch 2,000,000; BTC:sat day 0'],
  [
    caps,
    { ZAR: { row: '99999', batch: '2000001', day: '7' } },
    'ZAR row 99,999, batch 2,000,000, day 7; BTC:sat day 0',
  ],
  [{ ZAR: { row: '9' } }, { ZAR: { row: '10' }, KES: { payee: '3' } }, 'ZAR row 9; KES payee 3'],
])('of %j and %j the lower of each holds', (one, other, words) => {
  expect(capsWords(lowestCaps(one, other))).toBe(words);
  expect(capsWords(lowestCaps(other, one))).toBe(words);
});

it('a currency without a limit has no caps', () =>
  expect([{}, { ZAR: {} }, { ZAR: {}, KES: { day: '0' } }].map(hasCaps)).toEqual([false, false, true]));

describe('over the caps', () => {
  const cap = { row: '100', payee: '150', batch: '1000', day: '9007199254740992' };
  const none: CapFigures = { rows: [], payees: [], now: 1000n, before: 0n, today: 0n };
  const payee = { name: 'Thandi', number: 4, rows: 1, accounts: 1, amount: 151n, over: 1 };
  const [row, ofPayee] = [
    { money: 'ZAR', cap: '100' },
    { money: 'ZAR', cap: '150' },
  ];
  const thandi = { ...ofPayee, of: 'payee', name: 'Thandi', row: 4, rows: 1, accounts: 1, amount: '151' };
  const batch = { money: 'ZAR', cap: '1000', of: 'batch' };
  it.each<[what: string, figures: Partial<CapFigures>, over: object[]]>([
    ['all of them met exactly', {}, []],
    ['one too much in the batch', { now: 1001n }, [{ ...batch, before: '0', now: '1001' }]],
    ['what was sent of it before counts', { now: 1n, before: 1000n }, [{ ...batch, before: '1000', now: '1' }]],
    ['nothing is left to send', { now: 0n, before: 5000n, today: 2n ** 60n }, []],
    [
      'by one, where a floating-point number is rounded',
      { now: 1n, today: 9007199254740992n },
      [
        {
          money: 'ZAR',
          cap: '9007199254740992',
          of: 'day',
          day: '2026-11-21',
          before: '9007199254740992',
          now: '1',
        },
      ],
    ],
    ['the day met exactly', { now: 1n, today: 9007199254740991n }, []],
    [
      'rows',
      {
        rows: [
          { number: 7, amount: 120n, over: 3 },
          { number: 3, amount: 101n, over: 3 },
        ],
      },
      [
        { ...row, of: 'row', row: 7, amount: '120' },
        { ...row, of: 'row', row: 3, amount: '101' },
        { ...row, of: 'rows', more: 1 },
      ],
    ],
    ['a payee', { payees: [payee] }, [thandi]],
    [
      'more payees than are named',
      { payees: [{ ...payee, over: 3 }] },
      [thandi, { ...ofPayee, of: 'payees', more: 2 }],
    ],
    ['a payee over accounts', { payees: [{ ...payee, rows: 3, accounts: 2 }] }, [{ ...thandi, rows: 3, accounts: 2 }]],
  ])('%s', (_, figures, over) => {
    expect(overCaps('ZAR', cap, { ...none, ...figures }, '2026-11-21')).toEqual(over);
  });

  it('caps that are not set hold nothing', () => {
    expect(overCaps('ZAR', {}, { ...none, now: 2n ** 60n, before: 2n ** 60n, today: 1n }, '2026-11-21')).toEqual([]);
  });
});
