/** Finds mistakes in JSON that a person wrote: repeated keys, which `JSON.parse` accepts, and a wrong shape. */
import type { ZodType } from 'zod';
import type { FileFault } from './faults/fault.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

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

export function jsonThatFits<T>(schema: ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export const shapeFault = ({ issues }: { readonly issues: readonly Issue[] }): FileFault =>
  shapeFaults(issues)[0] ?? { fault: 'wrong-shape', place: '', detail: '' };

export const shapeFaults = (issues: readonly Issue[]): FileFault[] =>
  issues.map(({ path, message }) => ({ fault: 'wrong-shape', place: placeOf(path), detail: message }));

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place.replace(/^\./, '');
}
