/** Checks the values that callers send: how deeply they are nested, and which characters they contain. */

const mostLevels = 20;

/** Yields the values of each level of nesting. Uses no recursion, because a deep value would overflow the stack. */
function* levelsOf(value: unknown): Generator<readonly unknown[]> {
  let level = [value];
  while (level.length > 0) {
    yield level;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
}

export const tooDeep = (value: unknown): boolean =>
  levelsOf(value)
    .drop(mostLevels + 1)
    .some(() => true);

/** True if a text contains U+0000 or half a surrogate pair. Postgres can store neither. */
export const hasUnstorableText = (value: unknown): boolean =>
  levelsOf(value).some((level) =>
    level.some((item) => typeof item === 'string' && (item.includes('\0') || !item.isWellFormed())),
  );
