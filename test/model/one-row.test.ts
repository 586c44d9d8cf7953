/** Fifteen ways to send one row: the unsafe ones must be seen to pay twice, or the search sees nothing. */
import { describe, expect, it } from 'vitest';
import { designs, oneRow } from './one-row.ts';

describe('one row', () => {
  for (const [name, paysTwice, design] of designs) {
    const { exhausted, finding, states } = oneRow(design);
    const said = finding === null ? `never paid twice in ${states} states` : `paid twice: ${finding.trace.join(' > ')}`;
    it(`${name}: ${said}`, () => {
      expect(finding?.property).toBe(paysTwice ? 'S1' : undefined);
      if (!paysTwice) expect(exhausted).toBe(true);
    });
  }
});
