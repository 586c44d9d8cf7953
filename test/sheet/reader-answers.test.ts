/** The answers of the process that reads a workbook: a hostile file may control the process, so nothing is taken on trust. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { headOf } from '../../src/sheet/xlsx/process/reader-answers.ts';
import { answersOf } from '../../src/sheet/xlsx/process/reader-decoding.ts';
import { createRowDecoder } from '../../src/sheet/xlsx/process/reader-rows.ts';

const nonsense = expect.objectContaining({ code: 'READER_ANSWER_UNREADABLE', facts: {} });
const opened = { kind: 'opened', date1904: false, sheets: [{ name: 'A', hidden: false }] };
const extras = { widths: [], merges: [], maybeStruck: [], staleColumns: [] };

const framed = (text: string) => {
  const body = Buffer.from(text);
  return [headOf(body.length, 0), body];
};
const json = (answer: object) => framed(JSON.stringify(answer));

test.each<[string, Buffer[]]>([
  ['bytes', [Buffer.from('Segmentation fault')]],
  ['text', framed('Segmentation fault')],
  ['gigabytes', [Buffer.alloc(8, 0xff)]],
  ['JSON of its own', json({ kind: 'done' })],
  ['no sheets', json({ ...opened, sheets: [] })],
  ['a refusal of another', json({ kind: 'refused', refusal: { code: 'LEDGER_HAS_NO_BATCH', facts: { ledger: 'a' } } })],
  [
    'a refusal with objects in its facts',
    json({ kind: 'refused', refusal: { code: 'WORKBOOK_DAMAGED', facts: { row: { fault: 'no-file' } } } }),
  ],
  ['a broken look', json({ kind: 'look', reading: 1, look: [] })],
  ['broken extras', json({ kind: 'extras', reading: 1, isLast: true, extras: [] })],
])('%s is refused', async (_, chunks) => {
  await expect(answersOf(Readable.from(chunks)).next()).rejects.toThrow(nonsense);
});

test('an answer comes whole out of any pieces, and a cut one is none', async () => {
  const end = { kind: 'extras', reading: 1, isLast: true, extras };
  const bytes = Buffer.concat([...json(opened), ...json(end), Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0x7b])]);
  const answers = [];
  for await (const answer of answersOf(Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])))))
    answers.push(answer);
  expect(answers).toEqual([opened, end]);
});

const rowsOf = (numbers: readonly number[], text: string) =>
  Buffer.concat([Buffer.from(Int32Array.of(numbers.length, ...numbers).buffer), Buffer.from(text)]);

test('a row is decoded', () => {
  expect(createRowDecoder()(rowsOf([1, 0, 1, 7], 'a'))).toEqual([{ number: 1, cells: ['a'], hidden: false }]);
});

test.each<[string, Buffer]>([
  ['rows of nothing', Buffer.alloc(0)],
  ['fewer numbers than it says', Buffer.from([9, 0, 0, 0])],
  ['a negative number of numbers', Buffer.alloc(4, 0xff)],
  ['a row without cells', rowsOf([1, 0], '')],
  ['a row 0', rowsOf([0, 0, 1, 7], 'a')],
  ['more cells than it has', rowsOf([1, 0, 99, 7], 'a')],
  ['fewer than no cells', rowsOf([1, 0, -1], '')],
  ['a text longer than it has', rowsOf([1, 0, 1, 9], 'a')],
  ['more text than it says', rowsOf([1, 0, 1, 7], 'ab')],
  ['a text known from nowhere', rowsOf([1, 0, 1, -1], '')],
  ['half a number cell', rowsOf([1, 0, 1, 0, 0, 7], 'a')],
])('%s are no rows', (_, bytes) => {
  expect(() => createRowDecoder()(bytes)).toThrow(nonsense);
});
