/** Deposit details: what counts as a change between two readings, and what one deposit has in common with others. */
import { describe, expect, it } from 'vitest';
import {
  accountOf,
  amountOf,
  changedDetails,
  currencyIn,
  depositIn,
  isCompletion,
  referenceOf,
  sumOf,
} from '../../src/domain/amounts/deposit.ts';

const bank = { bankName: 'A Bank', accountNumber: '0012', currency: 'GBP', amount: '193.36', reference: 'SALARY Nov' };
const told = (change: object = {}) => depositIn({ id: 'p', depositBankDetails: { ...bank, ...change } });
const address = (text: string) => depositIn({ depositAddress: text });

describe('two readings of deposit details', () => {
  const hex = `0x${'aB'.repeat(20)}`;
  it.each([
    ['the same', told(), told(), []],
    ['another account', told(), told({ accountNumber: '6666' }), ['accountNumber']],
    ['an account without its zeros', told(), told({ accountNumber: '12' }), ['accountNumber']],
    ['letters of another case in the reference', told(), told({ reference: 'Salary Nov' }), ['reference']],
    ['one more space', told(), told({ reference: 'SALARY  Nov' }), ['reference']],
    ['a letter that looks alike', told(), told({ bankName: 'А Bank' }), ['bankName']],
    ['another currency', told(), told({ currency: 'USD' }), ['currency']],
    ['another amount', told(), told({ amount: '193.37' }), ['amount']],
    ['one detail gone', told(), told({ reference: null }), ['reference']],
    ['one detail more', told(), told({ iban: 'GB00' }), ['iban']],
    ['all gone, as a list and an ended payment have it', told(), [], []],
    ['told for the first time', [], told(), []],
    ['a time that runs', told({ expiresAt: '10:00' }), told({ expiresAt: '10:05' }), []],
    [
      'how the deposit itself goes',
      told({ status: 'AWAITING' }),
      told({ status: 'RECEIVED', amountReceived: 193.36 }),
      [],
    ],
    [
      'when it came, and in what',
      told(),
      told({ at: '2026-11-21T08:00:00.000Z', txHash: '0x5e', confirmations: 3 }),
      [],
    ],
    ['an account in place of a time', told({ to: '2026-11-21T08:00:00Z' }), told({ to: '6666' }), ['to']],
    ['one amount as number and as text', told({ amount: 193.4 }), told({ amount: '193.40' }), []],
    ['a whole one', told({ amount: 193 }), told({ amount: '193.00' }), []],
    ['ten times the amount', told({ amount: '190' }), told({ amount: '1900' }), ['amount']],
    [
      'an account that ends in zeros',
      told({ accountNumber: '12.0' }),
      told({ accountNumber: '12.00' }),
      ['accountNumber'],
    ],
    [
      'fields of one name in another order',
      depositIn({ depositBank: { name: 'A' }, depositVia: { name: 'B' } }),
      depositIn({ depositVia: { name: 'B' }, depositBank: { name: 'A' } }),
      [],
    ],
    ['an address in the other case', address(hex), address(hex.toUpperCase().replace('X', 'x')), []],
    ['another address', address(hex), address(`0x${'ab'.repeat(19)}ac`), ['depositAddress']],
    ['an address whose case counts', address('TXyzA1'), address('TXYZA1'), ['depositAddress']],
    [
      'an address under another name',
      address(hex),
      depositIn({ walletAddress: hex }),
      ['depositAddress', 'walletAddress'],
    ],
  ] as const)('%s', (_title, before, after, names) => expect(changedDetails(before, after)).toEqual(names));

  it('are a completion only where all that was told stands', () => {
    const completes = (after: ReturnType<typeof told>) => isCompletion(told(), after, changedDetails(told(), after));
    expect(
      [told({ iban: 'GB00' }), told({ iban: 'GB00', currency: 'USD' }), told({ reference: '' })].map(completes),
    ).toEqual([true, false, false]);
  });
});

it('details are found wherever an answer has them, each under its own name', () => {
  expect(depositIn({ payment: { id: 'p', deposit: { to: { iban: 'GB00' }, amount: 5 } }, amount: 4500 })).toEqual([
    { name: 'iban', value: 'GB00' },
    { name: 'amount', value: '5' },
  ]);
  expect(depositIn({ merchant: { address: 'A street', wallet: 'w' }, data: { usdtAddress: '0x' } })).toEqual([
    { name: 'usdtAddress', value: '0x' },
  ]);
  expect(depositIn({ data: { depositAddress: 'a' }, depositAddress: 'b' }).map(({ value }) => value)).toEqual([
    'a',
    'b',
  ]);
  expect(depositIn({ depositBank: { name: 'A' }, depositAddress: { name: 'B' }, status: 'x' })).toEqual([
    { name: 'depositBank.name', value: 'A' },
    { name: 'name', value: 'B' },
  ]);
});

it('an account is what several deposits share; reference and amount are each its own', () => {
  expect([referenceOf(told()), amountOf(told()), currencyIn(told())]).toEqual(['SALARY Nov', '193.36', 'GBP']);
  expect(accountOf(told())).toEqual(accountOf(told({ reference: 'B', amount: '1' })));
  expect(accountOf(told())).not.toEqual(accountOf(told({ accountNumber: '0013' })));
});

it.each([
  [['193.36', '0.64', '6'], '200.00'],
  [['1', '2'], '3'],
  [['0.1', '0.2'], '0.3'],
  [['99999999999999999999.99', '0.01'], '100000000000000000000.00'],
  [['1', null], null],
  [['1,000'], null],
  [[], '0'],
] as const)('amounts of %j come to %s', (amounts, sum) => expect(sumOf(amounts)).toBe(sum));
