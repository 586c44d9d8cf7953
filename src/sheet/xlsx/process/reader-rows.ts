/**
 * Encodes rows in the reader process, and decodes them in the main program. Decoding takes a fifth of the time of JSON.
 * A block of rows is a list of integers, then the block's new texts as one text. Both sides remember the first short
 * texts, so a repeated text needs only a number.
 */
import type { Cell } from '../../../domain/rows/cell.ts';
import type { RawRow, StoredCell } from '../../file/raw-row.ts';
import { refuseNonsense } from './reader-answers.ts';

/** The limits of the remembered texts. Texts that repeat, such as countries, are short and occur early. */
const maxKnown = 4096;
const maxKnownLength = 64;

// A cell's first number: negative for a remembered text, 0 to 5 an index in `kinds`, else 6 plus a text's length.
const kinds: readonly StoredCell['kind'][] = ['number', 'text', 'date', 'boolean', 'error', 'uncached'];
const firstLength = kinds.length;

/** Reasons why a value is not visible. An encoded cell contains the index of its reason. */
const reasons: readonly StoredCell['unseen'][] = [null, 'format', 'letters', 'strike'];

const rowNumbers = 3;
const cellNumbers = 6;
const bytesPerNumber = 4;

export function createRowEncoder() {
  const known = new Map<string, number>();
  let numbers = new Int32Array(64 * 1024);
  let count = 0;
  let text = '';

  function put(value: string): void {
    const index = known.get(value);
    if (index !== undefined) {
      numbers[count++] = -1 - index;
      return;
    }
    if (known.size < maxKnown && value.length <= maxKnownLength) known.set(value, known.size);
    numbers[count++] = firstLength + value.length;
    text += value;
  }

  function reserve(more: number): void {
    if (count + more <= numbers.length) return;
    const larger = new Int32Array(2 * (count + more));
    larger.set(numbers);
    numbers = larger;
  }

  return (rows: readonly RawRow[]): Buffer => {
    count = 0;
    text = '';
    for (const { number, hidden, cells } of rows) {
      reserve(rowNumbers + cells.length * cellNumbers);
      numbers[count++] = number;
      numbers[count++] = hidden ? 1 : 0;
      numbers[count++] = cells.length;
      for (let index = 0; index < cells.length; index++) {
        const cell = cells[index]!;
        if (typeof cell === 'string') {
          put(cell);
          continue;
        }
        const { kind, formula, shown, format, unseen, sum } = cell as StoredCell;
        numbers[count++] = kinds.indexOf(kind);
        numbers[count++] = 4 * reasons.indexOf(unseen) + (sum === null ? 0 : 2) + (formula ? 1 : 0);
        put(cell.text);
        put(shown === cell.text ? '' : shown);
        put(format ?? '');
        if (sum !== null) put(sum);
      }
    }
    const head = bytesPerNumber * (1 + count);
    const bytes = Buffer.allocUnsafe(head + Buffer.byteLength(text));
    bytes.writeInt32LE(count);
    bytes.set(new Uint8Array(numbers.buffer, 0, bytesPerNumber * count), bytesPerNumber);
    bytes.write(text, head);
    return bytes;
  };
}

export function createRowDecoder() {
  const known: string[] = [];

  return (bytes: Buffer): RawRow[] => {
    const count = bytes.length < bytesPerNumber ? -1 : bytes.readInt32LE();
    const head = bytesPerNumber * (1 + count);
    if (count < 0 || head > bytes.length) refuseNonsense();
    // Copies the bytes, because an Int32Array must begin at a multiple of four bytes.
    const numbers = new Int32Array(count);
    new Uint8Array(numbers.buffer).set(bytes.subarray(bytesPerNumber, head));
    const text = bytes.toString('utf8', head);
    let at = 0;
    let from = 0;

    function take(number: number | undefined): string {
      if (number !== undefined && number < 0) return known[-1 - number] ?? refuseNonsense();
      // A missing number makes `to` NaN, which the check below refuses.
      const to = from + Number(number) - firstLength;
      if (!(to >= from && to <= text.length)) refuseNonsense();
      const value = text.slice(from, to);
      from = to;
      if (known.length < maxKnown && value.length <= maxKnownLength) known.push(value);
      return value;
    }

    function takeCell(number: number): StoredCell {
      const kind = kinds[number] ?? refuseNonsense();
      const about = numbers[at++] ?? refuseNonsense();
      const unseen = reasons[about >> 2];
      if (unseen === undefined) refuseNonsense();
      const value = take(numbers[at++]);
      const shown = take(numbers[at++]);
      const format = take(numbers[at++]);
      return {
        kind,
        text: value,
        shown: shown === '' ? value : shown,
        formula: (about & 1) === 1,
        format: format === '' ? null : format,
        unseen,
        sum: (about & 2) === 2 ? take(numbers[at++]) : null,
      };
    }

    const rows: RawRow[] = [];
    while (at < count) {
      const number = numbers[at++]!;
      const hidden = numbers[at++] === 1;
      const width = numbers[at++] ?? refuseNonsense();
      if (number < 1 || width < 0 || width > count - at) refuseNonsense();
      const cells: Cell[] = [];
      for (let index = 0; index < width; index++) {
        const first = numbers[at++];
        cells.push(first !== undefined && first >= 0 && first < firstLength ? takeCell(first) : take(first));
      }
      rows.push({ number, cells, hidden });
    }
    if (from !== text.length) refuseNonsense();
    return rows;
  };
}
