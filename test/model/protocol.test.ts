/** The protocol within what it assumes: no row is paid twice, and every row ends. As soon as one protective rule is missing, it breaks. */
import { describe, expect, it } from 'vitest';
import { controls, questions, safe } from './environments.ts';
import { explore } from './protocol.ts';
import type { Rules } from './rules.ts';
import type { Bounds } from './world.ts';

const seen = new Map<string, ReturnType<typeof explore>>();

/** Many environments share their bounds. */
function withAllRules(bounds: Partial<Bounds>, mend: Partial<Rules> = {}, properties?: readonly string[]) {
  const key = JSON.stringify([bounds, mend, properties]);
  const result = seen.get(key) ?? explore(bounds, mend, properties === undefined ? {} : { properties });
  seen.set(key, result);
  expect(result).toMatchObject({ exhausted: true, finding: null });
  return result;
}

describe('the protocol holds with', () => {
  it.each(safe)('$name', ({ bounds, properties }) => {
    const { states } = withAllRules(bounds, {}, properties);
    expect(states, 'something happened').toBeGreaterThan(500);
  });
});

describe('a rule is missed', () => {
  it.each(controls)('$name: without it $breaks breaks', ({ bounds, rules, breaks, mend, properties }) => {
    withAllRules(bounds, mend, properties);
    const { finding } = explore(bounds, rules, { properties: [breaks] });
    expect(finding?.property).toBe(breaks);
    expect(finding?.trace.length).toBeGreaterThan(3);
  });
});

/** What too weak a rule permits. */
describe('open question', () => {
  it.each(questions)('$name', ({ bounds, rules, breaks, mend }) => {
    const { finding } = explore(bounds, rules, { properties: [breaks] });
    expect(finding?.property, 'the hole is closed: make this an environment that must hold').toBe(breaks);
    if (mend !== undefined) withAllRules(bounds, mend);
  });
});
