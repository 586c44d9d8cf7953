/** Reads values that programs export in a special form: `="0123"`, `Smith &amp; Sons`, `1001.0`. */
import type { Problem } from '../../base/problem.ts';
import { wholeOfFloat } from '../../domain/amounts/plain-number.ts';
import { sheetProblem } from '../../domain/problems/sheet-problems.ts';
import { type Cell, type Field, shownText } from '../../domain/rows/cell.ts';
import { forcedText } from '../csv/forced-text.ts';
import { withoutEntities } from '../csv/html-entities.ts';

const zero = 0x30;
const equals = 0x3d;

/** Returns a cell's meaning: `="0123"` becomes `0123`. `1001.0` becomes the number 1001, except in an amount. */
export function meaningOf(cell: Cell, field: Field): Cell {
  if (typeof cell !== 'string' && cell.kind !== 'text') return cell;
  const written = typeof cell === 'string' ? cell : cell.text;
  // A quick check: each special form begins with `=`, ends with `0` or contains `&`.
  const mayBe = written.charCodeAt(0) === equals || written.charCodeAt(written.length - 1) === zero;
  if (!mayBe && !written.includes('&')) return cell;
  const text = withoutEntities(forcedText(written) ?? written);
  const digits = field === 'amount' ? null : wholeOfFloat(text);
  // Makes a number cell, because later checks look for lost zeros in number cells.
  if (digits !== null)
    return { kind: 'number', text: digits, shown: digits, formula: typeof cell !== 'string' && cell.formula };
  if (text === written) return cell;
  return typeof cell === 'string' ? text : { ...cell, text, shown: text };
}

export function readAs(row: number, field: Field, cell: Cell, meaning: Cell): Problem[] {
  const [value, suggestion] = [shownText(cell), shownText(meaning)];
  if (suggestion === '') return [];
  const isNumber = typeof meaning !== 'string' && meaning.kind === 'number';
  const code = isNumber ? 'FLOAT_READ' : forcedText(value) === null ? 'ENTITIES_READ' : 'TEXT_FORCED';
  const details = { row, column: field, value, suggestion };
  return [sheetProblem(code, 'repair', { field, value, read: suggestion }, details)];
}
