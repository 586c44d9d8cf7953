/** Finds mistakes in JSON that a person wrote: repeated keys, which `JSON.parse` accepts, and a wrong shape. */
import type { ZodType } from 'zod';
import { FaultError } from './errors.ts';
import type { FileFault } from './faults/fault.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** Reads JSON that a person wrote. Throws a FaultError for other text, a repeated key, or another shape. */
export function strictJson<T>(schema: ZodType<T>, text: string): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new FaultError({ fault: 'not-json', detail: (error as Error).message });
  }
  const [key] = repeatedKeys(text, json);
  if (key !== undefined) throw new FaultError({ fault: 'key-is-twice', key });
  const read = schema.safeParse(json);
  if (!read.success) throw new FaultError(shapeFault(read.error));
  return read.data;
}

export function shapeFault({ issues: [first] }: { readonly issues: readonly Issue[] }): FileFault {
  return { fault: 'wrong-shape', place: placeOf(first?.path ?? []), detail: first?.message ?? '' };
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place.replace(/^\./, '');
}
