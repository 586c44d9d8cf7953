/** What a made sheet says, whatever its form: its rows with their numbers, as a reader must find them. */
import type { Chance } from './chance.ts';

/** Text, or what a workbook stores in another way; dates and numbers are told apart by their format alone. */
export type Value =
  | string
  | { readonly kind: 'number' | 'boolean' | 'error' | 'uncached'; readonly text: string; readonly formula: boolean }
  | { readonly kind: 'text'; readonly text: string; readonly formula: true };

export interface Model {
  /** In order; the header is among them. Empty cells are ''. */
  readonly rows: readonly { readonly number: number; readonly cells: readonly Value[] }[];
  readonly headerRow: number;
}

const words = [
  'Ada',
  'Obi',
  'Thandi',
  'PO',
  '0012',
  '1E5',
  'é',
  'Zoë',
  'Ọlá',
  '李',
  '😀',
  '&',
  '<b>',
  '"',
  "'",
  '=1+1',
  '-',
  '+254',
  '@',
  ',',
  ';',
  '|',
  '#',
  '_x0041_',
  '_',
  'x000D',
  '  ',
  '\u00a0',
  '\u200b',
  '\u2028',
  '%20',
  '{}',
  ']]',
  '\\',
  '/*',
  '-->',
  '\n',
  '\t',
];
/** What XML holds only as escapes, and CSV as they are. */
const controls = ['\r', '\x07', '\x1b', '\x7f', '\ufffe'];

export function someText(chance: Chance, withControls: boolean): string {
  let text = '';
  // A file with more of them than that is no text.
  const long = chance.once(200);
  for (let left = 1 + chance.below(5); left > 0; left--) {
    text += withControls && !long && chance.once(20) ? chance.one(controls) : chance.one(words);
    if (chance.once(3)) text += ' ';
  }
  return long ? text.repeat(50) : text;
}

/** Rows whose first cell is a name, so that none is blank or a totals row; `other` makes the values of all the others. */
export function makeModel(chance: Chance, other: (chance: Chance) => Value): Model {
  const known = chance.shuffled([
    chance.one(['amount', 'Amount', 'Net pay', 'AMOUNT*', 'Amount (optional)']),
    chance.one(['reference', 'Ref', 'Payment reference']),
    chance.one(['account number', 'Account No.', 'account_number']),
    chance.one(['country', 'Country']),
    ...(chance.once(2) ? ['bank_name'] : []),
    ...(chance.once(2) ? ['Cost centre', 'note'] : []),
    ...(chance.once(6) ? ['', ''] : []),
    ...(chance.once(40) ? Array.from({ length: 200 }, (_, index) => `more ${index}`) : []),
  ]);
  const header = [chance.one(['name', 'Payee', 'Beneficiary Name']), ...known];
  while (header.at(-1) === '') header.pop();
  const rows: { number: number; cells: Value[] }[] = [];
  let number = 0;
  const next = () => {
    number += chance.once(6) ? 1 + chance.below(5) : 1;
    return number;
  };
  for (let titles = chance.once(3) ? chance.below(4) : 0; titles > 0; titles--)
    rows.push({ number: next(), cells: [...(chance.once(2) ? [''] : []), `Title ${someText(chance, false).trim()}`] });
  const headerRow = next();
  rows.push({ number: headerRow, cells: header });
  for (let left = chance.once(30) ? 400 : chance.below(12); left > 0; left--) {
    const cells: Value[] = [`P ${someText(chance, true)}`, 'x'];
    for (let column = 2; column < header.length; column++) cells.push(chance.once(4) ? '' : other(chance));
    rows.push({ number: next(), cells });
  }
  return { rows, headerRow };
}
