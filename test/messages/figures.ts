/** How figures stand in sentences: one form for each, whoever says it. */
import { expect } from 'vitest';

const large = 9_876_543;

/** Numbers that people know without commas: those of rows, days, percent, and what a service answers. */
const plainKeys =
  /^(?:row|number|other|line|sentRow|twin|percent|status|days|seconds|mostDaysAway|fewest|pid|format|port|accounts|maxBytes)$/;

/** The same facts with large counts and amounts. Moments stay. */
export function enlarged<T>(facts: T, key = ''): T {
  if (plainKeys.test(key) && typeof facts !== 'object') return facts;
  if (typeof facts === 'number' && facts > 1 && facts < 1e9) return large as T;
  if (typeof facts === 'string' && /^\d+$/.test(facts)) return `${large}` as T;
  // Rows that are named by their numbers.
  if ((key === 'rows' || key === 'shown') && Array.isArray(facts) && facts.every((one) => typeof one === 'number'))
    return facts;
  if (Array.isArray(facts)) return facts.map((one: unknown) => enlarged(one)) as T;
  if (typeof facts !== 'object' || facts === null) return facts;
  return Object.fromEntries(Object.entries(facts).map(([name, one]) => [name, enlarged(one, name)])) as T;
}

/** Thousands are parted by commas, the currency stands after the amount, and a moment names its zone. Quoted texts are a person's own. */
export function expectFigures(said: string): void {
  const words = said.replaceAll(/'[^']*'/g, "''");
  expect(words.replaceAll(/(?:\bprocess|--seen|\bfor row) \d+/g, '')).not.toContain(`${large}`);
  expect(words).not.toMatch(/\b(?:ZAR|NGN|KES|BTC|USDT)(?::[a-z]+)? \d|:(?:sat|hundredths)\b|\d BTC\b/);
  expect(words).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
}
