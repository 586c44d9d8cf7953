/** CSV files from a seed: each says the same as its model, in a form that is odd and legal. */
import { isUtf8 } from 'node:buffer';
import type { Chance } from './chance.ts';
import { type Model, makeModel, someText, type Value } from './model.ts';

export interface MadeCsv {
  readonly model: Model;
  readonly bytes: Buffer;
}

export function makeCsv(chance: Chance): MadeCsv {
  const model = makeModel(chance, someCell);
  const delimiter = chance.one([',', ',', ';', '\t', '|']);
  const ends = chance.one([['\n'], ['\r\n'], ['\r'], ['\n', '\r\n']]);
  const quoteAll = chance.once(5);
  const cell = (value: string) =>
    quoteAll || chance.once(15) || value.includes(delimiter) || /["\r\n]/.test(value) || value.startsWith('"')
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  let text = chance.once(10) ? `sep=${delimiter}${ends[0]}` : '';
  let number = 1;
  for (const row of model.rows) {
    for (; number < row.number; number++) text += blankLine(chance, delimiter) + chance.one(ends);
    const cells = row.cells as readonly string[];
    const full = row.number >= model.headerRow && chance.once(8) ? [...cells, '', ''] : cells;
    text += full.map(cell).join(delimiter) + chance.one(ends);
    number++;
  }
  const tail = chance.below(3);
  if (tail === 0) text += chance.one(ends).repeat(chance.below(4));
  if (tail === 1) text = text.replace(/(\r\n|\n|\r)$/, '');
  return { model, bytes: encoded(chance, text) };
}

/** No text of a CSV begins with a quote, but for those that are written in quotes; NUL is a fault of its own. */
function someCell(chance: Chance): Value {
  return chance.once(4)
    ? chance.one(['350000', '1,500', '1 500,00', '0000014579', '=1+1', "'=x", '#N/A'])
    : someText(chance, true);
}

function blankLine(chance: Chance, delimiter: string): string {
  return chance.one(['', '', delimiter.repeat(3), ` ${delimiter} `, '""']);
}

function encoded(chance: Chance, text: string): Buffer {
  const utf8 = Buffer.from(text);
  switch (chance.below(6)) {
    case 0:
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 1:
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 2:
      return Buffer.from(`\ufeff${text}`);
    case 3: {
      // Windows-1252, where that is not UTF-8 as well and every letter has a byte of its own there.
      const narrow = Buffer.from(text, 'latin1');
      return /^[\0-\x7f\xa0-\xff]*$/.test(text) && !isUtf8(narrow) ? narrow : utf8;
    }
    default:
      return utf8;
  }
}
