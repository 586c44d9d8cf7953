import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutralised, restored } from '../../src/sheet/csv/formula-guard.ts';
import { anyText } from '../any-text.ts';

describe('the mark against formulas', () => {
  test.each([
    '=1+1',
    '+254712345678',
    '-x',
    '@name',
    '\tx',
    '\rx',
    '\nx',
    ' =1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
    "'=1",
    '-5+cmd',
    '\u00a0=1',
  ])('%j is marked', (text) => {
    expect(neutralised(text)).toBe(`'${text}`);
    expect(restored(neutralised(text))).toBe(text);
  });

  test.each(['', 'x', "O'Brien", "'x", "''", '1+1', 'a=b', '-5', '-1,500.00', ' x', '2026-11-20'])(
    '%j is not',
    (text) => {
      expect(neutralised(text)).toBe(text);
      expect(restored(text)).toBe(text);
    },
  );

  test('is taken away exactly where it was put', () => {
    const tricky = fc.stringMatching(/^['=+\-@\t\r\n \u00a0＝0-9,.a]{0,8}$/);
    fc.assert(
      fc.property(fc.oneof(tricky, anyText()), (text) => {
        expect(restored(neutralised(text))).toBe(text);
        expect(/^[=+@\t\r\n＝＋－＠]/u.test(neutralised(text))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
