/** Converts between the index of a column and the letters that a spreadsheet shows for it, such as `AB`. */

export function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

export const columnIndex = (name: string): number =>
  Array.from(name.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

export function rangeOf(reference: string): CellRange | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/i.exec(reference);
  if (match === null) return null;
  const [, left = '', top, right = left, bottom = top] = match;
  return { left: columnIndex(left), top: Number(top), right: columnIndex(right), bottom: Number(bottom) };
}

/** `top` and `bottom` count from 1; `left` and `right` count from 0. */
export type CellRange = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;
