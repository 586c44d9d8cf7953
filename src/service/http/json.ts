/** Checks the values that callers send: how deeply they are nested, and which characters they contain. */

const mostLevels = 20;

/** Uses no recursion, because a deep value would overflow the stack. */
export function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** True if a text contains U+0000 or half a surrogate pair. Postgres can store neither. */
export function hasUnstorableText(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    if (level.some((item) => typeof item === 'string' && (item.includes('\0') || !item.isWellFormed()))) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
