/** The model pays twice or loses a row as soon as one protective rule is missing. The last tests show what too weak a rule permits. */
import { describe, expect, it } from 'vitest';
import { controls, questions } from './environments.ts';
import { explore } from './protocol.ts';
import type { Rules } from './rules.ts';
import type { Bounds } from './world.ts';

const nothing = { exhausted: true, finding: null };
const seen = new Map<string, ReturnType<typeof explore>>();

/** Many controls share their bounds. */
function withAllRules(bounds: Partial<Bounds>, mend: Partial<Rules> = {}, properties?: readonly string[]) {
  const key = JSON.stringify([bounds, mend, properties]);
  const result = seen.get(key) ?? explore(bounds, mend, properties === undefined ? {} : { properties });
  seen.set(key, result);
  return result;
}

describe('a rule is missed', () => {
  it.each(controls)('$name: without it $breaks breaks', ({ bounds, rules, breaks, mend, properties }) => {
    expect(withAllRules(bounds, mend, properties)).toMatchObject(nothing);
    const { finding } = explore(bounds, rules, { properties: [breaks] });
    expect(finding?.property).toBe(breaks);
    expect(finding?.trace.length).toBeGreaterThan(3);
  });
});

describe('open question', () => {
  it.each(questions)('$name', ({ bounds, rules, breaks, mend }) => {
    const { finding } = explore(bounds, rules, { properties: [breaks] });
    expect(finding?.property, 'the hole is closed: make this an environment that must hold').toBe(breaks);
    if (mend !== undefined) expect(withAllRules(bounds, mend)).toMatchObject(nothing);
  });
});
