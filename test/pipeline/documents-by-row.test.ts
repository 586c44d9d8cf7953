/** Which files of the folder `documents` are a row's by its id: never by chance, and never by what a hostile id says. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idsOf, openFiled } from '../../src/pipeline/documents/documents-by-row.ts';
import { newFolder } from '../support.ts';

it.each<[name: string, ids: string[]]>([
  ['1.pdf', ['1.pdf', '1']],
  ['10-invoice.pdf', ['10-invoice.pdf', '10-invoice', '10']],
  ['INV-1-2.pdf', ['INV-1-2.pdf', 'INV-1-2', 'INV-1', 'INV']],
  ['INV-1(2).pdf', ['INV-1(2).pdf', 'INV-1(2)', 'INV-1', 'INV']],
  ['invoice', ['invoice']],
  ['.hidden.pdf', []],
])('%s', (name, ids) => expect(idsOf(name)).toEqual(ids));

/** Row ids in the order of their rows, from row 2; what each row gets. */
async function given(files: readonly string[], rowIds: readonly string[]): Promise<Record<string, string[]>> {
  const folder = newFolder();
  mkdirSync(join(folder, 'documents', 'a folder.pdf'), { recursive: true });
  for (const file of files) writeFileSync(join(folder, 'documents', file), '');
  const filed = await openFiled(folder);
  for (const [index, id] of rowIds.entries()) filed?.claim(id, index + 2);
  const got: Record<string, string[]> = {};
  for (const { name, rows } of filed?.found() ?? [])
    for (const row of rows)
      got[rowIds[row - 2]!] = [
        ...(got[rowIds[row - 2]!] ?? []),
        `${name.replace('documents/', '')}${rows.length === 1 ? '' : '?'}`,
      ];
  return got;
}

describe('files of rows', () => {
  it.each<[what: string, files: string[], rowIds: string[], got: Record<string, string[]>]>([
    ['not those that only begin alike', ['10-invoice.pdf', '1a.pdf'], ['1'], {}],
    ['several', ['1.pdf', '1 page 2.png', '1_b.jpg'], ['1'], { 1: ['1 page 2.png', '1.pdf', '1_b.jpg'] }],
    [
      'the longer id first',
      ['INV-1-2.pdf', 'INV-1.pdf'],
      ['INV-1', 'INV-1-2'],
      { 'INV-1': ['INV-1.pdf'], 'INV-1-2': ['INV-1-2.pdf'] },
    ],
    ['the shorter where there is no longer one', ['INV-1-2.pdf'], ['INV-1'], { 'INV-1': ['INV-1-2.pdf'] }],
    ['whatever their capitals', ['inv-1.PDF'], ['INV-1'], { 'INV-1': ['inv-1.PDF'] }],
    ['of two ids that differ in capitals, the one written so', ['a1.pdf'], ['A1', 'a1'], { a1: ['a1.pdf'] }],
    ['of neither where it is written as none', ['ID.pdf'], ['Id', 'iD'], { Id: ['ID.pdf?'], iD: ['ID.pdf?'] }],
    [
      'as another system composes letters',
      ['Mu\u0308ller.pdf'],
      ['M\u00fcller'],
      { 'M\u00fcller': ['Mu\u0308ller.pdf'] },
    ],
    [
      'never by a path or a pattern',
      ['x.pdf', '1.pdf'],
      ['../x', '*', '.', '..', '', 'documents/1', '1/', '?', 'a folder'],
      {},
    ],
    ['nor hidden ones', ['.1.pdf'], ['1', '.1'], {}],
    ['nor of names that every object has', ['1.pdf'], ['constructor', '__proto__'], {}],
  ])('%s', async (_, files, rowIds, got) => expect(await given(files, rowIds)).toEqual(got));

  it('are none where there is no folder', async () => expect(await openFiled(newFolder())).toBeNull());
});
