/** Checks JSON that a person wrote for repeated keys, which `JSON.parse` accepts. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function repeatedKeys(text: string, json: unknown): string[] {
  const counts = new Map<string, number>();
  const count = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  // In valid JSON, a string followed by a colon is a key.
  for (const [, key, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g))
    if (colon !== undefined) count(JSON.parse(key!) as string, 1);
  const kept = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(kept);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        count(key, -1);
        kept(inner);
      }
  };
  kept(json);
  return [...counts].filter(([, more]) => more > 0).map(([key]) => key);
}
