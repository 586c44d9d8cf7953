/** Limits for JSON that callers send. */

/** The most levels of nested values. The interface needs far fewer. */
const mostLevels = 20;

/** True if a value has too many levels. Uses no recursion, which a deep value would overflow. */
export function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** True if a text in the value cannot be stored. Postgres cannot hold U+0000, and half a surrogate pair has no encoding. */
export function hasUnstorableText(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    if (level.some((item) => typeof item === 'string' && (item.includes('\0') || !item.isWellFormed()))) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
