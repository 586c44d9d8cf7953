/** Numbers in plain digits: exact for whatever form a program gives them, held against whole-number arithmetic. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainNumber, wholeOfFloat } from '../../src/domain/amounts/plain-number.ts';

describe('a stored number', () => {
  it.each([
    ['1', '1'],
    ['1.0', '1'],
    ['1001.0', '1001'],
    ['6.2001234567E10', '62001234567'],
    ['1.001274162E9', '1001274162'],
    ['2.54712345603E11', '254712345603'],
    ['7.123456E7', '71234560'],
    ['1.2E7', '12000000'],
    ['1E+20', '100000000000000000000'],
    ['1.23E-05', '0.0000123'],
    ['49999.99999999999', '49999.99999999999'],
    ['1500.50', '1500.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+5', '5'],
    ['-12.50', '-12.5'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0E0', '0'],
    ['0012', '0012'],
    ['0012.0', '0012'],
    ['0.012E3', '12'],
  ])('%s is %s', (text, plain) => expect(plainNumber(text)).toBe(plain));

  it.each(['', '.', '-', 'E5', '1500,00', '1,500', '1 500', '0x10', 'NaN', 'Infinity', '1E', '1E999', '1.2.3', ' 1'])(
    '%j is none',
    (text) => expect(plainNumber(text)).toBeNull(),
  );

  it('costs no more than it is long', () => {
    expect(plainNumber(`0.${'0'.repeat(1_000_000)}1E2`)).toBeNull();
    expect(plainNumber('9'.repeat(1_000_000))).toHaveLength(1_000_000);
  });
});

/** As a whole number of units of the last place, and how many places there are. */
function exactly(text: string): { units: bigint; places: bigint } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const units = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n);
  return { units, places: BigInt(fraction.length) - BigInt(power) };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [exactly(one), exactly(other)];
  const places = a.places > b.places ? a.places : b.places;
  // Places below zero are powers above it.
  const shift = places < 0n ? -places : 0n;
  const at = ({ units, places: own }: typeof a) => units * 10n ** (places - own + shift);
  return at(a) === at(b);
}

/** One number as Excel, Java, Google and others write it. */
const writers: readonly ((value: number) => string)[] = [
  String,
  (value) => value.toExponential().toUpperCase(),
  (value) => value.toExponential().toUpperCase().replace('E+', 'E'),
  (value) => (/[.e]/.test(String(value)) ? String(value) : `${value}.0`),
  // Java has a point in every number, and a power from ten million on.
  (value) =>
    Math.abs(value) >= 1e7 || (value !== 0 && Math.abs(value) < 1e-3)
      ? value
          .toExponential()
          .replace('e+', 'E')
          .replace('e', 'E')
          .replace(/^(-?\d)E/, '$1.0E')
      : String(value).includes('.')
        ? String(value)
        : `${value}.0`,
  // Excel has up to seventeen digits, and two in a power at least.
  (value) =>
    String(Number(value).toPrecision(17))
      .toUpperCase()
      .replace(/E([+-])(\d)$/, 'E$10$2'),
];

const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((units) => units / 100),
);

describe('any number that a spreadsheet may hold', () => {
  it('is the same number in plain digits, to its last place', () => {
    fc.assert(
      fc.property(doubles, fc.constantFrom(...writers), (value, write) => {
        const text = write(value);
        const plain = plainNumber(text);
        expect(plain, text).toMatch(/^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/);
        expect(isSame(text, plain!), `${text} is not ${plain}`).toBe(true);
        expect(plainNumber(plain!)).toBe(plain);
      }),
      { numRuns: 3000 },
    );
  });

  it('has one text, whichever program wrote it', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const texts = writers.map((write) => plainNumber(write(value)));
        expect(new Set(texts)).toEqual(new Set([String(value === 0 ? 0 : value)]));
      }),
    );
  });
});

describe('the tail of a float', () => {
  it.each([
    ['1001.0', '1001'],
    ['+25471234560.0', '+25471234560'],
    ['71234560.00', '71234560'],
    ['0.0', '0'],
    ['1001,0', '1001'],
    ['1001,00', '1001'],
    ['1001.000000', '1001'],
    ['1.000', null],
    ['1,000', null],
    ['1001', null],
    ['1001.5', null],
    ['1001.50', null],
    ['1.001.0', null],
    ['v1.0', null],
    ['-1.0', null],
    ['1.0E7', null],
    ['.0', null],
  ])('%s: %s', (text, whole) => expect(wholeOfFloat(text)).toBe(whole));
});
