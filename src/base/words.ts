/** Small words that every message needs. */

/** `1 row`, `2 rows`, `1,250 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Whole numbers in groups of three, parted by commas: for people only, never a cell that is read back. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
