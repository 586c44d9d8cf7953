/** Control totals as people type them: read as amounts are, and refused where they have two readings. */
import { expect, it } from 'vitest';
import { readTotals } from '../../src/console/drafts/control-totals.ts';

const read = (typed: string) => {
  try {
    return readTotals([typed], null)[0];
  } catch (error) {
    return (error as { said: { code: string } }).said.code;
  }
};

it.each([
  // As the page shows it.
  ['ZAR=4,000', 'ZAR=4000'],
  ['ZAR=4,000 ZAR', 'ZAR=4000'],
  ['ZAR=R4,000', 'ZAR=4000'],
  ['ZAR=R4,000.00', 'ZAR=4000'],
  ['ZAR=4 000,00', 'ZAR=4000'],
  ['ZAR=400,000.00', 'ZAR=400000'],
  ['ZAR=4.000', 'TOTAL_UNREADABLE'],
  ['ZAR=4,000 KES', 'TOTAL_UNREADABLE'],
  ['ZAR=R40x', 'TOTAL_UNREADABLE'],
  ['rows=1,234', 'rows=1234'],
  ['rows=12.5', 'ROWS_TOTAL_UNREADABLE'],
])('%s is read as %s', (typed, total) => expect(read(typed)).toBe(total));
