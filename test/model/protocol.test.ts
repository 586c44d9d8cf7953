/** The protocol within what it assumes: every state is seen, no row is paid twice, and every row ends. */
import { describe, expect, it } from 'vitest';
import { safe } from './environments.ts';
import { explore } from './protocol.ts';

describe('the protocol holds with', () => {
  it.each(safe)('$name', ({ bounds, properties }) => {
    const { exhausted, finding, states } = explore(bounds, {}, properties === undefined ? {} : { properties });
    expect(finding).toBeNull();
    expect(exhausted).toBe(true);
    expect(states, 'something happened').toBeGreaterThan(500);
  });
});
