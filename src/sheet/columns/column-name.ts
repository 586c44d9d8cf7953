/** The letters with which a spreadsheet names its columns. */

export function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** Returns the index of a column by its letters, in either case. */
export function columnIndex(name: string): number {
  return Array.from(name.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  /** Column indexes from 0, both included. */
  readonly left: number;
  readonly right: number;
}
