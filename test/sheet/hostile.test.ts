import { describe, expect, test } from 'vitest';
import type { ForeignKind, Refusal, SheetRefusalCode } from '../../src/base/refusal.ts';
import { given, readAll, refusal } from './given.ts';
import { type Entry, row, worksheet, xlsx, xlsxEntries, zip } from './zip-builder.ts';

const header = row(1, 'name', 'amount', 'reference');
const good = xlsxEntries({ sheets: { A: header + row(2, 'A', 1, 'R') } });
const sheetPart = 'xl/worksheets/sheet1.xml';

const withEntry = (entry: Entry) => zip([...good, entry]);
const withSheet = (change: Partial<Entry>) =>
  zip(good.map((entry) => (entry.name === sheetPart ? { ...entry, ...change } : entry)));
const withRows = (rows: string) => xlsx({ sheets: { A: header + rows } });

test('the archive that all others are made of is read', async () => {
  expect((await readAll(given('a.xlsx', zip(good)))).lines).toHaveLength(1);
  expect((await readAll(given('a.xlsx', withSheet({ stored: true })))).lines).toHaveLength(1);
  expect((await readAll(given('named.csv', zip(good)))).sheet.format).toBe('xlsx');
  expect((await readAll(given('named.xlsx', 'name,amount,reference\nA,1,R\n'))).sheet.format).toBe('csv');
});

const notXml = { code: 'WORKBOOK_DAMAGED', facts: { row: null } } as const;

describe('archives', () => {
  test.each<[string, Uint8Array, Refusal]>([
    ['cut off', zip(good).subarray(0, 900), { code: 'WORKBOOK_DAMAGED', facts: { row: null } }],
    [
      'with bytes behind its end',
      Buffer.concat([zip(good), Buffer.from('x')]),
      { code: 'WORKBOOK_DAMAGED', facts: { row: null } },
    ],
    [
      'with bytes before its start',
      Buffer.concat([Buffer.from('PK\x03\x04xx'), zip(good)]),
      { code: 'WORKBOOK_DAMAGED', facts: { row: null } },
    ],
    ['zip64', zip(good, { zip64: true }), { code: 'WORKBOOK_DAMAGED', facts: { row: null } }],
    ['zip64 by count', zip(good, { count: 0xffff }), { code: 'WORKBOOK_DAMAGED', facts: { row: null } }],
    ['with a wrong count', zip(good, { count: 3 }), { code: 'WORKBOOK_DAMAGED', facts: { row: null } }],
    [
      'with two parts of one name',
      withEntry({ name: sheetPart, content: '<x/>' }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } },
    ],
    [
      'with two parts whose names differ by case',
      withEntry({ name: sheetPart.toUpperCase(), content: '<x/>' }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart.toUpperCase() } },
    ],
    ['with a path out of it', withEntry({ name: '../../x', content: '' }), { code: 'FILE_HOSTILE', facts: {} }],
    ['with a path from the root', withEntry({ name: '/x', content: '' }), { code: 'FILE_HOSTILE', facts: {} }],
    ['with a drive', withEntry({ name: 'C:\\x', content: '' }), { code: 'FILE_HOSTILE', facts: {} }],
    [
      'with a path out of it, in backslashes',
      withEntry({ name: '..\\x', content: '' }),
      { code: 'FILE_HOSTILE', facts: {} },
    ],
    [
      'with a part under two names',
      withEntry({ name: sheetPart.replaceAll('/', '\\'), content: '<x/>' }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } },
    ],
    [
      'with two names for one part',
      withSheet({ localName: 'xl/worksheets/sheet9.xml' }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } },
    ],
    [
      'with parts that overlap',
      withEntry({ name: 'xl/other.xml', content: good[4]!.content, sameDataAs: 4 }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: 'xl/other.xml' } },
    ],
    ['encrypted', withSheet({ flags: 1 }), { code: 'WORKBOOK_LOCKED', facts: {} }],
    ['packed unusually', withSheet({ method: 12 }), { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } }],
    ['with a wrong checksum', withSheet({ crc: 1 }), { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } }],
    [
      'with a part larger than it says',
      withSheet({ bytes: 10 }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } },
    ],
    [
      'with a part smaller than it says',
      withSheet({ bytes: 900_000 }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } },
    ],
    [
      'with broken deflate data',
      withSheet({ method: 8, stored: true }),
      { code: 'WORKBOOK_PART_DAMAGED', facts: { part: sheetPart } },
    ],
    [
      'of 10,000 parts',
      zip([...good, ...Array.from({ length: 10_000 }, (_, k) => ({ name: `x/${k}`, content: '', stored: true }))]),
      { code: 'WORKBOOK_PARTS_TOO_MANY', facts: { count: good.length + 10_000, most: 200 } },
    ],
  ])('%s', async (_, bytes, why) => {
    expect(await refusal(given('a.xlsx', bytes))).toEqual(why);
  });

  test('parts that overlap in part', async () => {
    const bytes = zip(good);
    // The first part's size in the directory reaches into the second.
    const at = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 20) + 40, at + 20);
    expect(await refusal(given('a.xlsx', bytes))).toEqual({ code: 'FILE_HOSTILE', facts: {} });
  });

  test('bombs, by what their directory says', async () => {
    const zeros = Buffer.alloc(128 * 1024 * 1024, 0x20);
    const bomb = withEntry({ name: 'xl/sharedStrings.xml', content: zeros });
    expect(await refusal(given('a.xlsx', bomb))).toEqual({
      code: 'WORKBOOK_PART_SWELLS',
      facts: { part: 'xl/sharedStrings.xml', mebibytes: 128 },
    });
    expect(await refusal(given('a.xlsx', withSheet({ bytes: 1.5 * 1024 ** 3, crc: 0 })))).toEqual({
      code: 'WORKBOOK_PART_SWELLS',
      facts: { part: sheetPart, mebibytes: 1536 },
    });
  });

  test.each<[string, string, SheetRefusalCode]>([
    ['macros', 'xl/vbaProject.bin', 'WORKBOOK_HAS_MACROS'],
    ['links to other workbooks', 'xl/externalLinks/externalLink1.xml', 'WORKBOOK_HAS_LINKS'],
    ['ActiveX', 'xl/activeX/activeX1.xml', 'WORKBOOK_HAS_OBJECTS'],
    ['an embedded file', 'xl/embeddings/oleObject1.bin', 'WORKBOOK_HAS_OBJECTS'],
  ])('%s', async (_, name, code) => {
    expect(await refusal(given('a.xlsx', withEntry({ name, content: 'x' })))).toEqual({
      code,
      facts: {},
    });
  });

  test('a macro type without macros', async () => {
    const types =
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>';
    const entries = good.map((entry) => (entry.name === '[Content_Types].xml' ? { ...entry, content: types } : entry));
    expect(await refusal(given('a.xlsx', zip(entries)))).toEqual({ code: 'WORKBOOK_HAS_MACROS', facts: {} });
  });

  test.each<[string, ForeignKind]>([
    ['xl/workbook.bin', 'xlsb'],
    ['content.xml', 'ods'],
    ['word/document.xml', 'document'],
    ['Index/Document.iwa', 'numbers'],
    ['holiday.jpg', 'zip'],
  ])('%s is called by its name', async (name, kind) => {
    expect(await refusal(given('a.xlsx', zip([{ name, content: 'x' }])))).toEqual({
      code: 'FOREIGN_FILE',
      facts: { kind },
    });
  });

  test('old and locked Excel files', async () => {
    const ole = (name: string) => {
      const bytes = Buffer.alloc(4096);
      Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
      bytes.writeUInt16LE(9, 30);
      bytes.writeUInt32LE(3, 48);
      bytes.write(name, 2048, 'utf16le');
      return bytes;
    };
    expect(await refusal(given('a.xls', ole('Workbook')))).toEqual({
      code: 'FOREIGN_FILE',
      facts: { kind: 'old-format' },
    });
    expect(await refusal(given('a.xlsx', ole('EncryptedPackage')))).toEqual({ code: 'WORKBOOK_LOCKED', facts: {} });
  });
});

describe('worksheets', () => {
  test.each<[string, string | Uint8Array, Refusal]>([
    ['a DTD', worksheet('').replace('?>\n', '?>\n<!DOCTYPE x [<!ENTITY a "b">]>'), { code: 'FILE_HOSTILE', facts: {} }],
    [
      'an entity of its own',
      worksheet(`${header}<row r="2"><c r="A2" t="inlineStr"><is><t>&xxe;</t></is></c></row>`),
      notXml,
    ],
    [
      'half an entity',
      worksheet(`${header}<row r="2"><c r="A2" t="inlineStr"><is><t>a & b</t></is></c></row>`),
      notXml,
    ],
    [
      'a row beyond the last',
      worksheet(`${header}<row r="9999999999"><c r="A1"/></row>`),
      { code: 'FILE_HOSTILE', facts: {} },
    ],
    ['row 0', worksheet(`${header}<row r="0"/>`), { code: 'WORKBOOK_DAMAGED', facts: { row: 0 } }],
    ['rows out of order', worksheet(row(5, 'a') + row(3, 'b')), { code: 'WORKBOOK_DAMAGED', facts: { row: 3 } }],
    [
      'one row twice',
      worksheet(header + row(2, 'a', 1, 'b') + row(2, 'c', 2, 'd')),
      { code: 'WORKBOOK_DAMAGED', facts: { row: 2 } },
    ],
    [
      'a cell beyond the last column',
      worksheet(`${header}<row r="2"><c r="ZZZZZZ2"><v>1</v></c></row>`),
      { code: 'FILE_HOSTILE', facts: {} },
    ],
    [
      'a cell twice',
      worksheet(`${header}<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>`),
      { code: 'WORKBOOK_DAMAGED', facts: { row: 2 } },
    ],
    [
      'a cell whose row is no number',
      worksheet(`${header}<row r="15"><c r="A1'5"><v>1</v></c></row>`),
      { code: 'WORKBOOK_DAMAGED', facts: { row: 15 } },
    ],
    [
      'a cell of another row',
      worksheet(`${header}<row r="2"><c r="A9"><v>1</v></c></row>`),
      { code: 'WORKBOOK_DAMAGED', facts: { row: 2 } },
    ],
    [
      'a string that is missing',
      worksheet(`${header}<row r="2"><c r="A2" t="s"><v>7</v></c></row>`),
      { code: 'WORKBOOK_DAMAGED', facts: { row: 2 } },
    ],
    ['a type that nobody knows', worksheet(`${header}<row r="2"><c r="A2" t="zz"><v>7</v></c></row>`), notXml],
    [
      'column 300 filled',
      worksheet(`${header}<row r="2"><c r="KN2"><v>7</v></c></row>`),
      { code: 'WORKBOOK_TOO_WIDE', facts: { row: 2, column: 'KN', most: 256 } },
    ],
    ['cut off in a row', worksheet(header).replace('</row></sheetData></worksheet>', '<c r="D1"'), notXml],
    ['no XML at all', '<?xml version="1.0"?>', notXml],
    ['invalid UTF-8', Buffer.from(worksheet(row(1, 'näme', 'amount', 'reference')), 'latin1'), notXml],
    ['an endless row', worksheet(`<row r="1">${`<c r="A1" s="${'x'.repeat(100)}"/>`.repeat(200_000)}`), notXml],
  ])('%s', async (_, content, why) => {
    expect(await refusal(given('a.xlsx', withSheet({ content, stored: true })))).toEqual(why);
  });

  test('UTF-16 parts, and NUL in the small ones', async () => {
    expect(
      await refusal(given('a.xlsx', withSheet({ content: Buffer.from(`\ufeff${worksheet(header)}`, 'utf16le') }))),
    ).toEqual(notXml);
    const entries = good.map((entry) =>
      entry.name === 'xl/workbook.xml' ? { ...entry, content: Buffer.from(String(entry.content), 'utf16le') } : entry,
    );
    expect(await refusal(given('a.xlsx', zip(entries)))).toEqual(notXml);
  });

  test('a DTD in a small part', async () => {
    const entries = good.map((entry) =>
      entry.name === 'xl/workbook.xml' ? { ...entry, content: `<!DOCTYPE a>${String(entry.content)}` } : entry,
    );
    expect(await refusal(given('a.xlsx', zip(entries)))).toEqual({ code: 'FILE_HOSTILE', facts: {} });
  });

  test('XML that is two hundred thousand deep is refused', async () => {
    const deep = `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`;
    for (const [part, why] of [
      [worksheet(header + row(2, 'A', 1, 'R'), deep), { code: 'FILE_HOSTILE', facts: {} }],
      [worksheet(header.replace('</row>', `${deep}</row>`)), notXml],
    ] as const)
      expect(await refusal(given('a.xlsx', withSheet({ content: part, stored: true })))).toEqual(why);
  });

  test.each([
    ['a row that opens under another name', '<rov r="2"><c r="A2"><v>1</v></c></row>'],
    ['a row under another name', '<rov r="2"><c r="A2"><v>1</v></c></rov>'],
    ['a row that closes under another name', '<row r="2"><c r="A2"><v>1</v></c></rov><row r="3"/>'],
    ['a cell that opens under another name', '<row r="2"><d r="A2"><v>1</v></c></row>'],
    ['a cell under another name', '<row r="2"><d r="A2"><v>1</v></d></row>'],
    ['a cell that closes under another name', '<row r="2"><c r="A2"><v>1</v></d><c r="B2"><v>2</v></c></row>'],
    ['a value that closes under another name', '<row r="2"><c r="A2"><v>1</w></c></row>'],
    ['a value under another name', '<row r="2"><c r="A2"><w>1</w></c></row>'],
    ['two values in a cell', '<row r="2"><c r="A2"><v>1</v><v>2</v></c></row>'],
    ['a text that closes under another name', '<row r="2"><c r="A2" t="inlineStr"><is><t>x</u></is></c></row>'],
    ['runs that are not balanced', '<row r="2"><c r="A2" t="inlineStr"><is><r><t>x</t></is></r></c></row>'],
    ['a cell without its row', '<c r="A2"><v>1</v></c>'],
    ['an attribute without quotes', '<row r="2"><c r=A2><v>1</v></c></row>'],
    ['an attribute without a value', '<row r="2"><c r><v>1</v></c><c r="B2"><v>1</v></c></row>'],
    ['an attribute twice', '<row r="2"><c r="A2" r="B2"><v>1</v></c></row>'],
    ['a cell under two prefixes', '<row r="2"><q:c r="A2"><v>1</v></c></row>'],
    ['a closing tag with more than its name', '<row r="2"><c r="A2"><v>1</v/r></c></row>'],
    ['an attribute whose name is none', '<row r="2"><c r="A2" &t="n"><v>1</v></c></row>'],
    ['an attribute whose name begins with a digit', '<row r="2"><c r="A2" 999999999999t="s"><v>1</v></c></row>'],
    [
      'an attribute twice around the rows',
      '</sheetData><mergeCells><mergeCell ref="A1:B1" ref="A2:B2"/></mergeCells><sheetData>',
    ],
    ['an element under a prefix of nobody', '<row r="2"><c r="A2"><L:f>1+1</L:f><v>2</v></c></row>'],
    ['an empty element under a prefix of nobody', '<row r="2"><c r="A2"><L:f/><v>2</v></c></row>'],
    ['an attribute under a prefix of nobody', '<row r="2"><c r="A2" L:t="s"><v>0</v></c></row>'],
    ['an attribute of a row under a prefix of nobody', '<row r="2" L:hidden="1"><c r="A2"><v>1</v></c></row>'],
    ['a text under a prefix of nobody', '<row r="2"><c r="A2" t="inlineStr"><is><t>1</t><L:t>2</L:t></is></c></row>'],
    ['attributes without a space between', `<row r="2"><c r="A2"t="n"><v>1</v></c></row>`],
    ['a tag within a tag', '<row r="2"><c r="A2" <v>1</v></c></row>'],
    ['a control character', '<row r="2"><c r="A2" t="inlineStr"><is><t>a\x07b</t></is></c></row>'],
    ['an element left open', '<row r="2"><c r="A2"><v>1</v></c></row></sheetData><a><sheetData>'],
  ])('XML that is not in order: %s', async (_, rows) => {
    expect(await refusal(given('a.xlsx', withRows(rows)))).toEqual(notXml);
  });

  test.each([
    ['the sheet', '<worksheet'],
    ['a row', '<row r="2"'],
    ['a cell', '<c r="A2"'],
    ['a text', '<is'],
  ])('a prefix may be declared at %s', async (_, tag) => {
    const inside = tag === '<is' ? '' : '<L:a/>';
    const rows = `<row r="2"><c r="A2" t="inlineStr">${inside}<is><t>A</t><L:t>B</L:t></is></c></row>`;
    const content = worksheet(header + rows).replace(tag, `${tag} xmlns:K="k" xmlns:L="u" L:a="1"`);
    const { lines } = await readAll(given('a.xlsx', withSheet({ content })));
    expect(lines.map(({ cells }) => cells)).toEqual([{ name: 'A' }]);
  });

  test('what other programs add under names of their own is passed by', async () => {
    const added =
      '<x:c xmlns:x="u" r="B2"><x:v>7</x:v></x:c><x:a xmlns:x="u"><x:row r="9"><x:c r="A9"><x:v>9</x:v></x:c></x:row></x:a>';
    const rows = `<row r="2">${added}<c r="A2" t="inlineStr">${added}<is><t>A</t></is>${added}</c></row>${added}`;
    const { lines } = await readAll(given('a.xlsx', withRows(rows)));
    expect(lines.map(({ number, cells }) => [number, cells])).toEqual([[2, { name: 'A' }]]);
  });

  test.each([
    ['shared texts', 'xl/sharedStrings.xml', '<sst><si><t>a</t></si><sj><t>b</t></si></sst>'],
    ['shared texts that end early', 'xl/sharedStrings.xml', '<sst><si><t>a</t></si>'],
    ['the list of sheets', 'xl/workbook.xml', '<workbook><sheets><sheet name="A" id="rId1"/></sheet></workbook>'],
    ['styles', 'xl/styles.xml', '<styleSheet><cellXfs><xf numFmtId="0"/></styleSheet>'],
    ['a shared text under a prefix of nobody', 'xl/sharedStrings.xml', '<sst><si><t>1</t><L:t>2</L:t></si></sst>'],
    ['an attribute of styles', 'xl/styles.xml', '<styleSheet><cellXfs><xf 9numFmtId="0"/></cellXfs></styleSheet>'],
    ['an element of styles', 'xl/styles.xml', '<styleSheet><L:cellXfs><xf numFmtId="0"/></L:cellXfs></styleSheet>'],
  ])('XML that is not in order in %s', async (_, name, content) => {
    const others = xlsxEntries({ sheets: { A: header }, strings: '<sst/>', styles: '<styleSheet/>' });
    const entries = others.map((entry) => (entry.name === name ? { ...entry, content } : entry));
    expect(await refusal(given('a.xlsx', zip(entries)))).toEqual(notXml);
  });

  test('a million empty rows behind the payouts are skipped', async () => {
    const empty = Array.from({ length: 300_000 }, (_, k) => `<row r="${k + 3}" spans="1:4"/>`).join('');
    const { lines } = await readAll(given('a.xlsx', withRows(row(2, 'A', 1, 'R') + empty)));
    expect(lines).toHaveLength(1);
  });

  test('rules for whole columns do no harm', async () => {
    const rules =
      '<dataValidations><dataValidation sqref="A1:XFD1048576" type="whole"><formula1>1</formula1></dataValidation></dataValidations>';
    expect(
      (await readAll(given('a.xlsx', withSheet({ content: worksheet(header + row(2, 'A', 1, 'R'), '', rules) }))))
        .lines,
    ).toHaveLength(1);
  });
});

describe('a workbook that two programs could read differently', () => {
  const row2 = (amount: number) =>
    row(1, 'name', 'account number', 'amount', 'reference') + row(2, 'A', '1', amount, 'R');
  const entries = xlsxEntries({ sheets: { S: row2(777), T: row2(5) }, states: { S: 'hidden' } });
  const changed = (part: string, from: string, to: string) =>
    zip(
      entries.map((entry) =>
        entry.name === part ? { ...entry, content: (entry.content as string).replace(from, to) } : entry,
      ),
    );

  test.each<[string, string, string, string, Refusal]>([
    [
      'sheets of one name, the first one hidden',
      'xl/workbook.xml',
      'name="T"',
      'name="S"',
      { code: 'WORKBOOK_DAMAGED', facts: { row: null } },
    ],
    [
      'sheets of one content',
      'xl/workbook.xml',
      'r:id="rId2"',
      'r:id="rId1"',
      { code: 'WORKBOOK_DAMAGED', facts: { row: null } },
    ],
    [
      'parts of one key',
      'xl/_rels/workbook.xml.rels',
      'Id="rId2"',
      'Id="rId1"',
      { code: 'WORKBOOK_DAMAGED', facts: { row: null } },
    ],
  ])('%s', async (_, part, from, to, why) => {
    expect(await refusal(given('a.xlsx', changed(part, from, to)))).toEqual(why);
  });
});
