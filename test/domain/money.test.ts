/** The amount grammar, as tables; and that an accepted text always means the integer that a bigint oracle reads. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AmountTerms, createSum, readAmount } from '../../src/domain/amounts/money.ts';
import type { Cell } from '../../src/domain/rows/cell.ts';
import { anyText } from '../any-text.ts';
import { formulaCell, numberCell, typedCell } from './example.ts';

const zar: AmountTerms = { currency: 'ZAR', unit: 'whole', decimals: 0, numberFormat: null };
const ngn: AmountTerms = { ...zar, currency: 'NGN' };
const kes: AmountTerms = { ...zar, currency: 'KES' };
const sat: AmountTerms = { ...zar, currency: 'BTC', unit: 'sat' };
const hundredths: AmountTerms = { ...zar, currency: 'USDT', unit: 'hundredths' };
const usdt: AmountTerms = { ...hundredths, decimals: 2 };
const english: AmountTerms = { ...zar, numberFormat: '1,234.56' };
const german: AmountTerms = { ...zar, numberFormat: '1.234,56' };

const thin = '\u2009';
const noBreak = '\u00a0';
const narrow = '\u202f';

function outcome(cell: Cell, terms: AmountTerms): string {
  const { value, findings } = readAmount(cell, terms);
  return [value ?? '-', ...findings.map(({ code }) => code)].join(' ');
}

describe('amounts in text', () => {
  it.each([
    ['1', zar, '1'],
    ['1500', zar, '1500'],
    ['999999999999999', zar, '999999999999999'],
    ['9007199254740991', zar, '9007199254740991'],
    [' 1500 ', zar, '1500 AMOUNT_REWRITTEN'],
    ['1500\u200b', zar, '1500 AMOUNT_REWRITTEN'],
    ['1 500', zar, '1500 AMOUNT_REWRITTEN'],
    [`1${noBreak}500`, zar, '1500 AMOUNT_REWRITTEN'],
    [`1${narrow}500${narrow}000`, zar, '1500000 AMOUNT_REWRITTEN'],
    [`12${thin}500`, zar, '12500 AMOUNT_REWRITTEN'],
    ["1'500'000", zar, '1500000 AMOUNT_REWRITTEN'],
    ['1500.00', zar, '1500 AMOUNT_REWRITTEN'],
    ['1500,00', zar, '1500 AMOUNT_REWRITTEN'],
    ['1500.0', zar, '1500 AMOUNT_REWRITTEN'],
    ['1 500,00', zar, '1500 AMOUNT_REWRITTEN'],
    ['1,500.00', zar, '1500 AMOUNT_REWRITTEN'],
    ['1.500,00', zar, '1500 AMOUNT_REWRITTEN'],
    ['1,500,000.00', zar, '1500000 AMOUNT_REWRITTEN'],
    ['R 1 500', zar, '1500 AMOUNT_REWRITTEN'],
    ['R1500', zar, '1500 AMOUNT_REWRITTEN'],
    ['ZAR 1500', zar, '1500 AMOUNT_REWRITTEN'],
    ['1500 zar', zar, '1500 AMOUNT_REWRITTEN'],
    ['₦250000', ngn, '250000 AMOUNT_REWRITTEN'],
    ['NGN 250 000', ngn, '250000 AMOUNT_REWRITTEN'],
    ['KSh 1200', kes, '1200 AMOUNT_REWRITTEN'],
    ['Sh 1,500/=', kes, '1500 AMOUNT_REWRITTEN'],
    ['Ksh. 1200', kes, '1200 AMOUNT_REWRITTEN'],
    ['1500/=', kes, '1500 AMOUNT_REWRITTEN'],
    ['1500 /-', kes, '1500 AMOUNT_REWRITTEN'],
    ['1,500/-', kes, '1500 AMOUNT_REWRITTEN'],
    ['1.500/=', kes, '1500 AMOUNT_REWRITTEN'],
    ['KSh 1,500,000/=', kes, '1500000 AMOUNT_REWRITTEN'],
    ['1 500/=', { ...kes, numberFormat: '1.234,56' }, '1500 AMOUNT_REWRITTEN'],
    ['21000 sats', sat, '21000 AMOUNT_REWRITTEN'],
    ['151', hundredths, '151'],
  ] as const)('reads %j', (text, terms, expected) => expect(outcome(text, terms)).toBe(expected));

  it.each([
    ['', zar, 'AMOUNT_MISSING'],
    ['  ', zar, 'AMOUNT_MISSING'],
    ['1,500', zar, 'AMOUNT_AMBIGUOUS'],
    ['1.500', zar, 'AMOUNT_AMBIGUOUS'],
    ['R1.000', zar, 'AMOUNT_AMBIGUOUS'],
    ['1,500,000', zar, 'AMOUNT_AMBIGUOUS'],
    ['1 500,000', zar, 'AMOUNT_AMBIGUOUS'],
    ['1500,000', zar, 'AMOUNT_AMBIGUOUS'],
    ['1500.000', zar, 'AMOUNT_AMBIGUOUS'],
    ['12.50', zar, 'AMOUNT_FRACTION'],
    ['12,5', zar, 'AMOUNT_FRACTION'],
    ['1,500.50', zar, 'AMOUNT_FRACTION'],
    ['0.500', zar, 'AMOUNT_FRACTION'],
    ['1500.500', zar, 'AMOUNT_FRACTION'],
    ['0', zar, 'AMOUNT_ZERO'],
    ['0.00', zar, 'AMOUNT_ZERO'],
    ['007', zar, 'AMOUNT_LEADING_ZERO'],
    ['0 500', zar, 'AMOUNT_LEADING_ZERO'],
    ['-5', zar, 'AMOUNT_SIGN'],
    ['+5', zar, 'AMOUNT_SIGN'],
    ['−5', zar, 'AMOUNT_SIGN'],
    ['5-', zar, 'AMOUNT_SIGN'],
    ['R -5', zar, 'AMOUNT_SIGN'],
    ['1500/-', zar, 'AMOUNT_SIGN'],
    ['1500/=', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1500.50/=', kes, 'AMOUNT_NOT_A_NUMBER'],
    ['15,00/=', kes, 'AMOUNT_NOT_A_NUMBER'],
    ['-1500/=', kes, 'AMOUNT_SIGN'],
    ['/=', kes, 'AMOUNT_NOT_A_NUMBER'],
    ['1,500/=', { ...kes, numberFormat: '1.234,56' }, 'AMOUNT_NOT_A_NUMBER'],
    ['R 1500/=', kes, 'AMOUNT_CURRENCY'],
    ['1.5E3', zar, 'AMOUNT_EXPONENT'],
    ['1E5', zar, 'AMOUNT_EXPONENT'],
    ['1.23E+08', zar, 'AMOUNT_EXPONENT'],
    ['(1500)', zar, 'AMOUNT_BRACKETS'],
    ['R (1500)', zar, 'AMOUNT_BRACKETS'],
    ['15%', zar, 'AMOUNT_PERCENT'],
    ['١٥٠٠', zar, 'AMOUNT_DIGITS'],
    ['１５００', zar, 'AMOUNT_DIGITS'],
    ['9007199254740992', zar, 'AMOUNT_TOO_LARGE'],
    ['99999999999999999999', zar, 'AMOUNT_TOO_LARGE'],
    ['$1500', zar, 'AMOUNT_CURRENCY'],
    ['US$1500', zar, 'AMOUNT_CURRENCY'],
    ['NGN 1500', zar, 'AMOUNT_CURRENCY'],
    ['₦1500', zar, 'AMOUNT_CURRENCY'],
    ['R1500', ngn, 'AMOUNT_CURRENCY'],
    ['BTC 1500', sat, 'AMOUNT_CURRENCY'],
    ['USDT 151', hundredths, 'AMOUNT_CURRENCY'],
    ['abc', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['15k', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1 50', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1  500', zar, 'AMOUNT_NOT_A_NUMBER'],
    [`1 500${noBreak}000`, zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1500 000', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['12,34,567.00', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1500.', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['.00', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['R', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1.500.00', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['=1500', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['0x10', zar, 'AMOUNT_NOT_A_NUMBER'],
    ['1500\n1600', zar, 'AMOUNT_NOT_A_NUMBER'],
  ] as const)('refuses %j', (text, terms, code) => expect(outcome(text, terms)).toBe(`- ${code}`));

  it('says what the cell says, and not what stood for its sign', () => {
    expect(readAmount('R 1,500/=', kes).findings[0]?.facts).toMatchObject({ amount: 'R 1,500/=', sign: 'R' });
  });

  it.each([
    ['1,500', english, '1500 AMOUNT_REWRITTEN'],
    ['1,500,000', english, '1500000 AMOUNT_REWRITTEN'],
    ['1,500.00', english, '1500 AMOUNT_REWRITTEN'],
    ['1.500', english, '- AMOUNT_FRACTION'],
    ['1.000', english, '1 AMOUNT_REWRITTEN'],
    ['1500,00', english, '- AMOUNT_FORMAT'],
    ['1.500,00', english, '- AMOUNT_FORMAT'],
    ['1 500,00', english, '- AMOUNT_FORMAT'],
    ['1.500', german, '1500 AMOUNT_REWRITTEN'],
    ['1.500,00', german, '1500 AMOUNT_REWRITTEN'],
    ['1,500', german, '- AMOUNT_FRACTION'],
    ['1500.00', german, '- AMOUNT_FORMAT'],
  ] as const)('reads %j under a declared number format', (text, terms, expected) =>
    expect(outcome(text, terms)).toBe(expected),
  );

  it.each([
    ['1.51', '151'],
    ['1.5', '150'],
    ['1', '100'],
    ['0.51', '51'],
    ['1,51', '151 AMOUNT_REWRITTEN'],
    ['1 500.25', '150025 AMOUNT_REWRITTEN'],
    ['1,500.25', '150025 AMOUNT_REWRITTEN'],
    ['USDT 1.51', '151 AMOUNT_REWRITTEN'],
    ['1.5151', '- AMOUNT_FRACTION'],
    ['1.515', '- AMOUNT_AMBIGUOUS'],
    ['0.00', '- AMOUNT_ZERO'],
    ['01.5', '- AMOUNT_LEADING_ZERO'],
    ['90071992547409.92', '- AMOUNT_TOO_LARGE'],
    ['90071992547409.91', '9007199254740991'],
  ])('turns decimal USDT %j into hundredths', (text, expected) => expect(outcome(text, usdt)).toBe(expected));

  it('says what is wrong, what was expected, and what to write', () => {
    expect(readAmount('12.50', zar).findings[0]).toEqual({
      code: 'AMOUNT_FRACTION',
      severity: 'error',
      facts: { amount: '12.50', why: 'whole', currency: 'ZAR' },
      suggestion: null,
    });
    for (const text of ['1,500', '1,000', '1.000', '1500,000', '1500.000', '1,234.567', '1 234.567'])
      expect(readAmount(text, zar).findings[0], text).toMatchObject({ code: 'AMOUNT_AMBIGUOUS', suggestion: null });
    expect(readAmount('1.515', usdt).findings[0]).toMatchObject({ code: 'AMOUNT_AMBIGUOUS', suggestion: null });
    expect(readAmount('007', zar).findings[0]?.suggestion).toBe('7');
    expect(readAmount('R 1 500', zar).findings[0]?.facts).toEqual({ amount: 'R 1 500', suggestion: '1500' });
  });
});

describe('a declared format', () => {
  it.each([
    ['1 500,00', english, { format: '1,234.56' }],
    ['1 500.00', german, { format: '1.234,56' }],
    ['1.234.567', english, { format: '1,234.56' }],
    ['1,234,567', german, { format: '1.234,56' }],
    ['1,500', german, { why: 'whole' }],
    ['1.500', english, { why: 'whole' }],
  ])('%j under %j says what is wrong', (text, terms, facts) => {
    expect(readAmount(text, terms).findings[0]?.facts).toMatchObject(facts);
  });
});

describe('amounts in number cells', () => {
  it.each([
    ['50000', zar, '50000'],
    ['50000.0', zar, '50000'],
    ['1E5', zar, '100000'],
    ['1.5E3', zar, '1500'],
    ['9.00719925474099E15', zar, '9007199254740990'],
    ['49999.99999999999', zar, '50000 AMOUNT_REWRITTEN'],
    ['124599.99999999999', zar, '124600 AMOUNT_REWRITTEN'],
    ['50000.000000000007', zar, '50000 AMOUNT_REWRITTEN'],
    ['49999.999', zar, '- AMOUNT_FRACTION'],
    ['49999.9999999999', zar, '- AMOUNT_FRACTION'],
    ['12.5', zar, '- AMOUNT_FRACTION'],
    ['1.5E-1', zar, '- AMOUNT_FRACTION'],
    ['1E-400', zar, '- AMOUNT_FRACTION'],
    ['-1500', zar, '- AMOUNT_SIGN'],
    ['0', zar, '- AMOUNT_ZERO'],
    ['1E300', zar, '- AMOUNT_TOO_LARGE'],
    ['9.007199254740992E15', zar, '- AMOUNT_TOO_LARGE'],
    ['1.1000000000000001', usdt, '110 AMOUNT_REWRITTEN'],
    ['1.51', usdt, '151'],
    ['1.515', usdt, '- AMOUNT_FRACTION'],
    ['NaN', zar, '- AMOUNT_NOT_A_NUMBER'],
  ] as const)('reads the stored %j', (text, terms, expected) =>
    expect(outcome(numberCell(text), terms)).toBe(expected),
  );

  it.each([
    [numberCell('0.15', '15%'), 'AMOUNT_PERCENT'],
    [numberCell('15', '1500%'), 'AMOUNT_PERCENT'],
    [numberCell('1500', '$1,500.00'), 'AMOUNT_CURRENCY'],
    [numberCell('1500', 'NGN 1,500'), 'AMOUNT_CURRENCY'],
    [numberCell('1500', 'kr 1500'), 'AMOUNT_CURRENCY'],
    [numberCell('1500', '1500 €'), 'AMOUNT_CURRENCY'],
    [numberCell('1500000', '1500'), 'AMOUNT_AMBIGUOUS'],
    [numberCell('5', '5000'), 'AMOUNT_AMBIGUOUS'],
    [numberCell('5', 'R5 000'), 'AMOUNT_AMBIGUOUS'],
    [numberCell('5', '-5'), 'AMOUNT_AMBIGUOUS'],
    [numberCell('5', '(5)'), 'AMOUNT_BRACKETS'],
    [numberCell('5', '5 cents'), 'AMOUNT_CURRENCY'],
    [numberCell('1500000', 'R 1.5'), 'AMOUNT_AMBIGUOUS'],
    [typedCell('date', '2026-03-12'), 'CELL_DATE'],
    [typedCell('boolean', 'TRUE'), 'CELL_BOOLEAN'],
    [typedCell('error', '#REF!'), 'CELL_ERROR'],
    [formulaCell('', 'uncached'), 'FORMULA_UNCACHED'],
  ])('refuses a cell whose kind or format says something else', (cell, code) =>
    expect(outcome(cell, zar)).toBe(`- ${code}`),
  );

  it('takes what the format of the cell agrees with', () => {
    expect(outcome(numberCell('1500', 'R 1 500,00'), zar)).toBe('1500');
    expect(outcome(numberCell('1500', '1,500'), zar)).toBe('1500');
  });

  it('takes a calculated amount, with a warning', () => {
    expect(outcome(formulaCell('1500'), zar)).toBe('1500 FORMULA_CELL');
    expect(outcome(formulaCell('R 1 500', 'text'), zar)).toBe('1500 FORMULA_CELL AMOUNT_REWRITTEN');
  });
});

describe('properties', () => {
  const whole = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) });
  const space = fc.constantFrom(' ', noBreak, narrow, thin, "'");

  it('reads every way of writing a number as that number', () => {
    fc.assert(
      fc.property(
        whole,
        space,
        fc.constantFrom('', '.00', ',00', '.0'),
        fc.constantFrom('', 'R', 'ZAR ', 'R '),
        (n, by, cents, sign) => {
          const text = sign + n.toString().replace(/\B(?=(\d{3})+$)/g, by) + cents;
          expect(readAmount(text, zar).value).toBe(Number(n));
        },
      ),
    );
  });

  it('never reads anything but the digits that stand there', () => {
    const characters = fc.constantFrom(...'0 1 2 3 4 5 6 7 8 9 0 0 0 0 . , - E R'.split(' '), ' ', "'", noBreak);
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 14 }), (text) => {
        const { value } = readAmount(text, zar);
        if (value === undefined) return;
        // The oracle: a last mark with nothing but zeros after it is a fraction; every other mark parts groups.
        const digits = text.replace(/[.,]0+(?=\s*(?:R\.?)?\s*$)/, '').replace(/\D/g, '');
        expect(BigInt(value)).toBe(BigInt(digits));
      }),
      { numRuns: 5000 },
    );
  });

  it('reads a stored number as its exact value, or not at all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: -3, max: 9 }), (mantissa, exponent) => {
        const { value } = readAmount(numberCell(`${mantissa}E${exponent}`), zar);
        const scaled = BigInt(mantissa) * 10n ** BigInt(exponent + 3);
        if (scaled % 1000n === 0n) expect(value).toBe(Number(scaled / 1000n));
        else expect(value).toBeUndefined();
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(anyText({ maxLength: 20 }), (text) => void readAmount(text, usdt)));
    fc.assert(fc.property(fc.string({ maxLength: 20 }), (text) => void readAmount(numberCell(text), zar)));
  });
});

describe('sums', () => {
  const most = Number.MAX_SAFE_INTEGER;
  it.each([
    [[most - 1, 1], most],
    [[most, 1], undefined],
    [[most, most, 5], undefined],
    [[], 0],
  ])('of %j is %j', (amounts, total) => {
    const sum = createSum();
    for (const amount of amounts) sum.add(amount);
    expect([sum.value(), sum.exact()]).toEqual([total, amounts.reduce((all, amount) => all + BigInt(amount), 0n)]);
  });

  it('are exact, and say when they are too large', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { maxLength: 20 }), (amounts) => {
        const sum = createSum();
        for (const amount of amounts) sum.add(amount);
        const exact = amounts.reduce((total, amount) => total + BigInt(amount), 0n);
        expect(sum.exact()).toBe(exact);
        expect(sum.value()).toBe(exact > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(exact));
      }),
    );
  });
});
