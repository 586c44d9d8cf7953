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

/** Whether a text in it cannot be stored everywhere: Postgres knows no NUL, and no encoding knows half a surrogate pair. */
export function hasUnstorableText(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    if (level.some((item) => typeof item === 'string' && (item.includes('\0') || !item.isWellFormed()))) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
