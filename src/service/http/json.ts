/** Limits for JSON from outside. */

/** Nothing in the interface nests deeper than a few levels; deeper bodies are attacks. */
const mostLevels = 20;

/** True if a value nests too deep. It goes level by level, because deep values break a recursion. */
export function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** True if a text cannot be stored everywhere: Postgres has no NUL, and no encoding has half a surrogate pair. */
export function hasUnstorableText(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    if (level.some((item) => typeof item === 'string' && (item.includes('\0') || !item.isWellFormed()))) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
