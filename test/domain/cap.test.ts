/** Caps: what a flag may do to them, and what is said of what is over. */
import { describe, expect, it } from 'vitest';
import {
  type CapFigures,
  type Caps,
  capsWords,
  loweredCaps,
  lowestCaps,
  overCaps,
} from '../../src/domain/amounts/cap.ts';

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

  it.each<[said: string[], words: string]>([
    [['ZAR:batch=2000001'], 'payrun.config.json has 2,000,000; a flag may lower a cap, and never raises one'],
    [['BTC:sat:day=1'], 'payrun.config.json has 0'],
    [['ZAR:batch=1', 'ZAR:batch=2'], "--cap 'ZAR:batch=2': ZAR:batch is said twice"],
    [['ZAR:batch=5\n'], 'write it as ZAR:batch=2000000'],
    [['ZAR:month=5'], 'there are ZAR, NGN, KES, BTC:sat, USDT:hundredths, and of each row, payee, batch, day'],
    [['BTC:day=5'], 'write it as ZAR:batch=2000000'],
    [['zar:day=5'], 'write it as ZAR:batch=2000000'],
    [['ZAR=5'], 'write it as ZAR:batch=2000000'],
    [['constructor:row=5'], 'write it as ZAR:batch=2000000'],
    [['ZAR:row='], 'write a whole number'],
    [['ZAR:row=5.0'], 'write a whole number'],
    [['ZAR:row=-5'], 'write a whole number'],
    [['ZAR:row=1,000'], 'write a whole number'],
    [['ZAR:row=1e3'], 'write a whole number'],
    [['ZAR:row=1234567890123456789'], 'write a whole number'],
  ])('%j is a slip', (said, words) => {
    expect(() => loweredCaps(caps, said)).toThrow(words);
  });
});

it.each<[one: Caps, other: Caps, words: string | null]>([
  [{}, {}, null],
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

it('no caps have no words', () => expect([capsWords({}), capsWords({ ZAR: {} })]).toEqual([null, null]));

describe('over the caps', () => {
  const cap = { row: '100', payee: '150', batch: '1000', day: '9007199254740992' };
  const none: CapFigures = { rows: [], payees: [], now: 1000n, before: 0n, today: 0n };
  const payee = { name: 'Thandi', number: 4, rows: 1, accounts: 1, amount: 151n, over: 1 };
  it.each<[what: string, figures: Partial<CapFigures>, words: string[]]>([
    ['all of them met exactly', {}, []],
    ['one too much in the batch', { now: 1001n }, ['ZAR batch (cap 1,000): 1,001 would be sent']],
    [
      'what was sent of it before counts',
      { now: 1n, before: 1000n },
      ['ZAR batch (cap 1,000): 1,000 was sent of it before, and 1 would be sent now'],
    ],
    ['nothing is left to send', { now: 0n, before: 5000n, today: 2n ** 60n }, []],
    [
      'by one, where a floating-point number is rounded',
      { now: 1n, today: 9007199254740992n },
      [
        'ZAR day (cap 9,007,199,254,740,992): on 2026-11-21, 9,007,199,254,740,992 was sent already, and 1 would be sent now',
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
      ['ZAR row (cap 100): row 7 pays 120', 'ZAR row (cap 100): row 3 pays 101', 'and 1 more row'],
    ],
    ['a payee', { payees: [payee] }, ["ZAR payee (cap 150): 'Thandi' (row 4) gets 151 to one account"]],
    [
      'more payees than are named',
      { payees: [{ ...payee, over: 3 }] },
      ["ZAR payee (cap 150): 'Thandi' (row 4) gets 151 to one account", 'and 2 more payees'],
    ],
    [
      'a payee over accounts',
      { payees: [{ ...payee, rows: 3, accounts: 2 }] },
      ["ZAR payee (cap 150): 'Thandi' (row 4 and 2 more) gets 151 to 2 accounts under this name"],
    ],
  ])('%s', (_, figures, words) => {
    expect(overCaps('ZAR', cap, { ...none, ...figures }, '2026-11-21')).toEqual(words);
  });

  it('caps that are not set hold nothing', () => {
    expect(overCaps('ZAR', {}, { ...none, now: 2n ** 60n, before: 2n ** 60n, today: 1n }, '2026-11-21')).toEqual([]);
  });
});
