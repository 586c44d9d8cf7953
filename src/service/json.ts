/** Bounds on JSON that comes from outside. */

/** Nothing in the interface nests deeper than a few levels; deeper bodies are made to hurt. */
const mostLevels = 20;

/** Whether a value nests deeper than we take. Level by level, not by recursion, which is what deep values break. */
export function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
