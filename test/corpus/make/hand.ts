/**
 * Writes the workbooks of the corpus that no usual program writes, byte by byte: legal ones that a careless reader gets
 * wrong, and those that attack it. `node test/corpus/make/hand.ts`.
 */
import {
  commented,
  type Entry,
  row,
  streamed,
  type WorkbookText,
  worksheet,
  xlsx,
  xlsxEntries,
  zip,
} from '../../sheet/zip-builder.ts';
import { place } from './place.ts';

function put(name: string, about: string, content: string | Uint8Array, ...flags: string[]): void {
  place({ name: `hand/${name}`, about, ...(flags.length === 0 ? {} : { flags }) }, content);
}

const words = ['name', 'country', 'bank_name', 'account_number', 'amount', 'reference'];
const header = row(1, ...words);
const ada = ['Ada Obi', 'Nigeria', 'First Bank of Nigeria', '0000014579', 350_000, 'PO 7781'] as const;
const ade = ['Ade Bello', 'Nigeria', 'Guaranty Trust Bank', '0123456785', 250_000, 'INV 204'] as const;
const rows = header + row(2, ...ada) + row(3, ...ade);
const plain: WorkbookText = { sheets: { Payouts: rows } };

/** One payout whose cells can be replaced, by column letter. */
function payout(number: number, cells: Readonly<Record<string, string>> = {}): string {
  const usual = row(number, ...ada);
  return Object.entries(cells).reduce(
    (text, [letter, cell]) => text.replace(new RegExp(`<c r="${letter}${number}".*?</c>`), () => cell),
    usual,
  );
}

/** Every entry of a plain workbook, one of them changed. */
function changed(name: RegExp, change: (text: string) => string | Uint8Array, text: WorkbookText = plain): Entry[] {
  return xlsxEntries(text).map((entry) =>
    name.test(entry.name) ? { ...entry, content: change(String(entry.content)) } : entry,
  );
}

const sheetPart = /worksheets\/sheet1\.xml$/;
const xmlPart = /\.(xml|rels)$/;
const styles = (...formats: readonly string[]) =>
  `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="${formats.length}">${formats
    .map((format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`)
    .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
    .map((_, index) => `<xf numFmtId="${164 + index}" applyNumberFormat="1"/>`)
    .join('')}</cellXfs></styleSheet>`;

// --- Legal, and seldom

put('plain.xlsx', 'The workbook that most others here are made of: inline texts, two payouts.', xlsx(plain));
put('named.csv', 'A workbook named .csv: what a file is, its content says.', xlsx(plain));
put(
  'prefixed-namespaces.xlsx',
  'Every element has a prefix (`<x:row>`), as some Java and .NET programs write; the usual reader finds no rows in it and says nothing.',
  zip(
    changed(/worksheets|workbook\.xml$/, (text) =>
      text.replace(/<(\/?)([a-z])/gi, '<$1x:$2').replace('xmlns=', 'xmlns:x='),
    ),
  ),
);
put(
  'cells-without-references.xlsx',
  'Rows and cells without `r`: each follows the one before.',
  zip(changed(sheetPart, (text) => text.replace(/ r="\w+"/g, ''))),
);
put(
  'rows-without-references.xlsx',
  'Rows without `r`, cells with it.',
  zip(changed(sheetPart, (text) => text.replace(/<row r="\d+"/g, '<row'))),
);
put(
  'gaps.xlsx',
  'Empty rows and cells are simply not there; numbers tell which.',
  xlsx({ sheets: { Payouts: header + row(4, ...ada) + payout(9, { B: '', C: '' }) } }),
);
put(
  'strings-after-the-sheet.xlsx',
  'Shared texts, in a part that stands behind the sheet that needs it.',
  xlsx({
    sheets: { Payouts: header + payout(2, { A: '<c r="A2" t="s"><v>1</v></c>', F: '<c r="F2" t="s"><v>0</v></c>' }) },
    strings: '<sst count="2" uniqueCount="2"><si><t>PO 7781</t></si><si><t>Ada Obi</t></si></sst>',
  }),
);
put(
  'strict-namespace.xlsx',
  'The strict form of the standard, which Excel offers under "Strict Open XML": other namespaces, the same rows.',
  zip(
    changed(xmlPart, (text) =>
      text
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
          'http://purl.oclc.org/ooxml/spreadsheetml/main',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        ),
    ),
  ),
);
put(
  'strict-dates.xlsx',
  'Dates as ISO text (`t="d"`), as the strict form has them.',
  xlsx({ sheets: { Payouts: header + payout(2, { F: '<c r="F2" t="d"><v>2026-03-12</v></c>' }) } }),
);
put(
  'absolute-part-paths.xlsx',
  'Parts named from the root (`/xl/worksheets/sheet1.xml`).',
  zip(changed(/workbook\.xml\.rels$/, (text) => text.replace('Target="worksheets/', 'Target="/xl/worksheets/'))),
);
put(
  'paths-with-dots.xlsx',
  'Parts named by a way around (`./worksheets/../worksheets/sheet1.xml`).',
  zip(
    changed(/workbook\.xml\.rels$/, (text) =>
      text.replace('Target="worksheets/', 'Target="./worksheets/../worksheets/'),
    ),
  ),
);
put(
  'paths-in-other-case.xlsx',
  'A part named in other capitals than it has: names of parts are compared without case.',
  zip(changed(/workbook\.xml\.rels$/, (text) => text.replace('worksheets/sheet1.xml', 'Worksheets/Sheet1.XML'))),
);
put(
  'paths-with-percent-signs.xlsx',
  'A part whose name has a space, written `%20` where it is referred to.',
  zip(
    changed(/workbook\.xml\.rels$/, (text) => text.replace('worksheets/sheet1.xml', 'worksheets/my%20sheet.xml')).map(
      (entry) => ({ ...entry, name: entry.name.replace('worksheets/sheet1.xml', 'worksheets/my sheet.xml') }),
    ),
  ),
);
put(
  'parts-elsewhere.xlsx',
  'The workbook in the root and the sheet in a folder of its own: the relations say where, not the names.',
  zip(
    xlsxEntries(plain).map(({ name, content }) => ({
      name: name
        .replace('xl/_rels/workbook.xml.rels', '_rels/book.xml.rels')
        .replace('xl/workbook.xml', 'book.xml')
        .replace('xl/worksheets/sheet1.xml', 'data/one.xml'),
      content: String(content).replace('xl/workbook.xml', 'book.xml').replace('worksheets/sheet1.xml', 'data/one.xml'),
    })),
  ),
);
put(
  'byte-order-marks.xlsx',
  'Every part of XML begins with a byte order mark.',
  zip(changed(xmlPart, (text) => `\ufeff${text}`)),
);
put(
  'utf-16-parts.xlsx',
  'The sheet as UTF-16, which XML allows and no spreadsheet program writes: refused, not guessed.',
  zip(changed(sheetPart, (text) => Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le'))),
);
put(
  'single-quotes.xlsx',
  'Attributes in single quotes, with spaces around the equals signs, in another order.',
  zip(
    changed(sheetPart, (text) =>
      text
        .replace(/<c r="(\w+)" t="(\w+)">/g, "<c  t = '$2'\n r = '$1' >")
        .replace(/<row r="(\d+)">/g, "<row spans='1:6' r = '$1'>"),
    ),
  ),
);
put(
  'pretty-printed.xlsx',
  'Every element on a line of its own, indented.',
  zip(changed(xmlPart, (text) => text.replace(/>(?=<)/g, '>\n    '))),
);
put(
  'cdata.xlsx',
  'A name in a CDATA section.',
  xlsx({
    sheets: { Payouts: header + payout(2, { A: '<c r="A2" t="inlineStr"><is><t>Ada <![CDATA[O]]>bi</t></is></c>' }) },
  }),
);
put(
  'character-references.xlsx',
  'A name written in character references, decimal and hexadecimal.',
  xlsx({
    sheets: { Payouts: header + payout(2, { A: '<c r="A2" t="inlineStr"><is><t>&#65;d&#x61; Obi</t></is></c>' }) },
  }),
);
put(
  'entities-in-names.xlsx',
  'The five entities of XML, in a name and in the name of the sheet.',
  xlsx({
    sheets: {
      'R&amp;D &lt;&apos;26&gt;':
        header +
        payout(2, { A: '<c r="A2" t="inlineStr"><is><t>M&amp;S &quot;Ada&apos;s&quot; &lt;1&gt;</t></is></c>' }),
    },
  }),
);
put(
  'escaped-characters.xlsx',
  'A carriage return as `_x000D_`, and a text that only looks like one.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { A: '<c r="A2" t="inlineStr"><is><t>Ada_x000D_Obi</t></is></c>' }) +
        payout(3, { A: '<c r="A3" t="inlineStr"><is><t>Ada_x005F_x000D_Obi</t></is></c>' }),
    },
  }),
);
put(
  'comments-and-instructions.xlsx',
  'Comments and processing instructions between and inside rows, one that looks like a row.',
  zip(
    changed(sheetPart, (text) =>
      text.replaceAll('<row', '<!-- <row r="2"/> --><?pi <row?><row').replaceAll('<c ', '<!-- > --><c '),
    ),
  ),
);
put(
  'comment-inside-a-text.xlsx',
  'A comment in the middle of a name is not part of it.',
  xlsx({
    sheets: {
      Payouts: header + payout(2, { A: '<c r="A2" t="inlineStr"><is><t>Ada <!-- not --><!-- > -->Obi</t></is></c>' }),
    },
  }),
);
put(
  'spaces-kept.xlsx',
  'Spaces around a text, with and without `xml:space`.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, {
          A: '<c r="A2" t="inlineStr"><is><t xml:space="preserve"> Ada Obi </t></is></c>',
          F: '<c r="F2" t="inlineStr"><is><t> PO 7781</t></is></c>',
        }),
    },
  }),
);
put(
  'rich-text.xlsx',
  'A name in two fonts, and a reference whose runs carry its spaces.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, {
          A: '<c r="A2" t="inlineStr"><is><r><rPr><b/></rPr><t>Ada</t></r><r><t xml:space="preserve"> Obi</t></r></is></c>',
          F: '<c r="F2" t="s"><v>0</v></c>',
        }),
    },
    strings: '<sst><si><r><t xml:space="preserve">PO </t></r><r><rPr><i/></rPr><t>7781</t></r></si></sst>',
  }),
);
put(
  'phonetic-runs.xlsx',
  'The phonetic reading of a Japanese text is not part of it.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, {
          A: '<c r="A2" t="inlineStr"><is><t>Ada Obi</t><rPh sb="0" eb="2"><t>エイダ</t></rPh><phoneticPr fontId="1"/></is></c>',
        }),
    },
  }),
);
put(
  'alternate-content.xlsx',
  'Markup of a newer Excel beside a fallback, around the sheet and in the workbook.',
  zip(
    changed(/worksheets|workbook\.xml$/, (text) =>
      text.replace(
        /<(sheetData|sheets)>/,
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x15"><x15ac:absPath url="C:\\Users\\" xmlns:x15ac="urn:x"/></mc:Choice><mc:Fallback/></mc:AlternateContent><$1>',
      ),
    ),
  ),
);
put(
  'extensions.xlsx',
  'Extension lists behind the sheet, in a row and in a cell: what is not known is passed over.',
  zip(
    changed(sheetPart, (text) =>
      text
        .replaceAll('</row>', '<extLst><ext uri="{A}"><x14:id xmlns:x14="urn:x14">{B}</x14:id></ext></extLst></row>')
        .replace('</is></c>', '</is><extLst><ext uri="{C}"/></extLst></c>')
        .replace(
          '</sheetData>',
          '</sheetData><extLst><ext uri="{D}" xmlns:x14="urn:x14"><x14:sparklineGroups><x14:sparkline><xm:f xmlns:xm="urn:xm">Payouts!A1:B2</xm:f><xm:sqref xmlns:xm="urn:xm">G1</xm:sqref></x14:sparkline></x14:sparklineGroups></ext></extLst>',
        ),
    ),
  ),
);
put(
  'stored-parts.xlsx',
  'Parts that are not compressed.',
  zip(xlsxEntries(plain).map((entry) => ({ ...entry, stored: true }))),
);
put(
  'folders-in-the-archive.xlsx',
  'Folders as entries of their own, as file managers write them.',
  zip([
    { name: 'xl/', content: '', stored: true },
    { name: 'xl/worksheets/', content: '', stored: true },
    ...xlsxEntries(plain),
  ]),
);
put(
  'sizes-behind-the-parts.xlsx',
  'An archive written in one go: sizes and checksums stand behind each part, as streaming writers have it.',
  streamed(xlsxEntries(plain)),
);
put(
  'zip64-fields-for-nothing.xlsx',
  'A small archive that says zip64, as some streaming writers do. Refused with a way out.',
  zip(xlsxEntries(plain), { zip64: true }),
);
put('archive-comment.xlsx', 'A comment behind the archive.', commented(xlsx(plain), 'exported on 2026-11-20'));
put(
  'no-content-types.xlsx',
  'Without the list of content types: the relations are enough.',
  zip(xlsxEntries(plain).filter(({ name }) => name !== '[Content_Types].xml')),
);
put(
  'unused-parts.xlsx',
  'Parts that nothing refers to: a picture, a second sheet that the workbook does not list. Not read.',
  zip([
    ...xlsxEntries(plain),
    { name: 'xl/worksheets/sheet9.xml', content: worksheet(rows.replaceAll('Ada', 'Eve')) },
    { name: 'docProps/thumbnail.jpeg', content: Buffer.from('ffd8ffe0', 'hex') },
  ]),
);
put(
  'empty-texts.xlsx',
  'Cells with an empty text, an empty shared text, an empty element: all of them nothing.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, {
          B: '<c r="B2" t="inlineStr"><is><t></t></is></c>',
          C: '<c r="C2" t="inlineStr"><is/></c>',
          D: '<c r="D2" t="s"><v>0</v></c>',
          E: '<c r="E2"/>',
          F: '<c r="F2" t="str"><v></v></c>',
        }),
    },
    strings: '<sst><si><t/></si></sst>',
  }),
);

// --- Values

put(
  'numbers.xlsx',
  'Numbers as workbooks store them, in the amount and in the account: what is certain is read, what lost digits is not.',
  xlsx({
    sheets: {
      Payouts:
        header +
        [
          '350000',
          '350000.0',
          '3.5E5',
          '349999.99999999994',
          '49999.99',
          '-5',
          '0',
          '1E+21',
          '9007199254740993',
          '0.1',
          ' 350000 ',
          'NaN',
          'INF',
        ]
          .map((value, k) =>
            payout(k + 2, {
              E: `<c r="E${k + 2}"><v>${value}</v></c>`,
              F: `<c r="F${k + 2}" t="inlineStr"><is><t>A ${k}</t></is></c>`,
            }),
          )
          .join('') +
        ['14579', '123456785', '9007199254740993', '1E+21', '14579.5']
          .map((value, k) =>
            payout(k + 20, {
              D: `<c r="D${k + 20}"><v>${value}</v></c>`,
              F: `<c r="F${k + 20}" t="inlineStr"><is><t>B ${k}</t></is></c>`,
            }),
          )
          .join(''),
    },
  }),
);
put(
  'number-formats.xlsx',
  'What a format shows: lost zeros put back on the screen only, currencies, per cent, thousands.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { D: '<c r="D2" s="1"><v>14579</v></c>' }) +
        payout(3, { E: '<c r="E3" s="2"><v>350000</v></c>' }) +
        payout(4, { E: '<c r="E4" s="3"><v>350000</v></c>' }) +
        payout(5, { E: '<c r="E5" s="4"><v>0.15</v></c>' }) +
        payout(6, { E: '<c r="E6" s="5"><v>350000</v></c>' }) +
        payout(7, { E: '<c r="E7" s="6"><v>350000</v></c>' }) +
        payout(8, { E: '<c r="E8" s="7"><v>350000</v></c>' }),
    },
    styles: styles('0000000000', '#,##0.00', '[$₦-468] #,##0', '0%', '[$$-409]#,##0.00', '#,##0,', '"R" #,##0'),
  }),
);
put(
  'formulas.xlsx',
  'Calculated cells: the last stored result is taken and said for an amount, and a result that is not there is an error.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { E: '<c r="E2"><f>1+1</f><v>999</v></c>' }) +
        payout(3, { D: '<c r="D3" t="str"><f>TEXT(14579,"0000000000")</f><v>0000014579</v></c>' }) +
        payout(4, { F: '<c r="F4" t="str"><f>"PO "&amp;1</f><v>PO 1</v></c>' }) +
        payout(5, { E: '<c r="E5"><f>SUM(E2:E3)</f></c>' }) +
        payout(6, { E: '<c r="E6"><f t="shared" ref="E6:E7" si="0">A1</f><v>100</v></c>' }) +
        payout(7, {
          E: '<c r="E7"><f t="shared" si="0"/><v>100</v></c>',
          F: '<c r="F7" t="inlineStr"><is><t>PO 7</t></is></c>',
        }) +
        payout(8, {
          E: '<c r="E8"><f t="array" ref="E8">{1}</f><v>100</v></c>',
          F: '<c r="F8" t="inlineStr"><is><t>PO 8</t></is></c>',
        }) +
        payout(9, { A: '<c r="A9" t="str"><f>A2</f><v></v></c>' }) +
        payout(10, { E: '<c r="E10" t="e"><f>1/0</f><v>#DIV/0!</v></c>' }),
    },
  }),
);
put(
  'errors-and-booleans.xlsx',
  'Error values and TRUE where text belongs.',
  xlsx({
    sheets: {
      Payouts:
        row(1, ...words, 'slow') +
        payout(2, { D: '<c r="D2" t="e"><v>#REF!</v></c>' }) +
        payout(3, { A: '<c r="A3" t="b"><v>1</v></c>' }) +
        payout(4, { E: '<c r="E4" t="e"><v>#N/A</v></c>' }) +
        payout(5, { E: '<c r="E5" t="b"><v>0</v></c>' }) +
        payout(6).replace('</row>', '<c r="G6" t="b"><v>1</v></c></row>'),
    },
  }),
);
put(
  'errors-typed-as-text.xlsx',
  'Error values that were pasted as text: still no names and no references.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { A: '<c r="A2" t="inlineStr"><is><t>#N/A</t></is></c>' }) +
        payout(3, { F: '<c r="F3" t="inlineStr"><is><t>#REF!</t></is></c>' }),
    },
  }),
);
put(
  'dates.xlsx',
  'Dates that a spreadsheet made of references and amounts: what was probably typed is said.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { F: '<c r="F2" s="1"><v>46093</v></c>' }) +
        payout(3, { F: '<c r="F3" s="2"><v>46082</v></c>' }) +
        payout(4, { E: '<c r="E4" s="1"><v>46093</v></c>' }) +
        payout(5, { D: '<c r="D5" s="1"><v>14579</v></c>' }) +
        payout(6, { F: '<c r="F6" s="3"><v>0.75</v></c>' }) +
        payout(7, { F: '<c r="F7" s="1"><v>60</v></c>' }),
    },
    styles: styles('yyyy-mm-dd', 'mmm yy', 'hh:mm'),
  }),
);
put(
  'dates-since-1904.xlsx',
  'The same date in a workbook that counts from 1904, as old Macs did.',
  xlsx({
    sheets: { Payouts: header + payout(2, { F: '<c r="F2" s="1"><v>44631</v></c>' }) },
    styles: styles('yyyy-mm-dd'),
    workbookPr: '<workbookPr date1904="1"/>',
  }),
);
put(
  'phones-as-numbers.xlsx',
  'Kenyan phones stored as numbers: the country code is still there, or a zero is lost; nine digits are enough either way.',
  xlsx({
    sheets: {
      Payouts:
        row(1, 'name', 'country', 'phone', 'amount', 'reference') +
        row(2, 'Wanjiru Example', 'Kenya', 254712345678, 2500, 'TRAVEL 11') +
        row(3, 'Otieno Example', 'Kenya', 712345601, 46000, 'SALARY OCT'),
    },
  }),
);
put(
  'branch-codes-as-numbers.xlsx',
  'A branch code stored as a number: its zero is put back where that gives a code that is known.',
  xlsx({
    sheets: {
      Payouts:
        row(1, 'name', 'country', 'bank', 'branch code', 'account number', 'amount', 'reference') +
        row(2, 'Thandi Mokoena', 'South Africa', 'Standard Bank', 51001, '10004291601', 12500, 'SALARY NOV'),
    },
  }),
);
put(
  'a-thousand-letters.xlsx',
  'A name of more than a thousand letters.',
  xlsx({
    sheets: { Payouts: header + payout(2, { A: `<c r="A2" t="inlineStr"><is><t>${'A'.repeat(1001)}</t></is></c>` }) },
  }),
);
put(
  'control-characters.xlsx',
  'NUL, written as an escape, and a bell.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { A: '<c r="A2" t="inlineStr"><is><t>Ada_x0000_Obi</t></is></c>' }) +
        payout(3, { F: '<c r="F3" t="inlineStr"><is><t>PO_x0007_7781</t></is></c>' }),
    },
  }),
);

// --- Sheets, rows and columns

const note = row(1, 'Please pay by Friday.');
put(
  'notes-first.xlsx',
  'A sheet of notes stands before the payouts: the one sheet whose header is known is read.',
  xlsx({ sheets: { 'Read me': note, Payouts: rows } }),
);
put(
  'two-sheets-of-payouts.xlsx',
  'Two sheets that look like payouts: the person chooses, never we.',
  xlsx({ sheets: { October: rows, November: rows } }),
  '',
  '--sheet November',
  '--sheet november',
  '--sheet December',
);
put(
  'sheet-proto.xlsx',
  'A sheet named `__proto__`.',
  xlsx({ sheets: Object.fromEntries([['__proto__', rows]]) as Record<string, string> }),
);
put(
  'names-of-sheets.xlsx',
  'A sheet whose name has spaces around it, an apostrophe and a sign.',
  xlsx({ sheets: { " Nov '26 ₦ ": rows, Other: rows } }),
  `--sheet "Nov '26 ₦"`,
);
put(
  'escape-sequences-in-names.xlsx',
  'Sheets whose names would clear a screen: named, not passed on.',
  xlsx({ sheets: { 'A_x001B_[2J\x9b2J': rows, 'B\u202e': rows } }),
);
put(
  'hidden-sheets.xlsx',
  'Payouts on a hidden and on a very hidden sheet: read only when they are asked for.',
  xlsx({ sheets: { Front: note, Payouts: rows, Lists: rows }, states: { Payouts: 'hidden', Lists: 'veryHidden' } }),
  '',
  '--sheet Payouts',
  '--sheet Payouts --include-hidden',
  '--sheet Lists --include-hidden',
);
put(
  'every-sheet-hidden.xlsx',
  'Every sheet is hidden, which Excel itself does not allow.',
  xlsx({ sheets: { Payouts: rows }, states: { Payouts: 'hidden' } }),
);
put(
  'chart-sheet.xlsx',
  'A sheet that is a chart holds no rows.',
  zip(
    changed(
      /workbook\.xml\.rels$/,
      (text) =>
        text.replace(
          'relationships/worksheet" Target="worksheets/sheet1.xml',
          'relationships/chartsheet" Target="chartsheets/sheet1.xml',
        ),
      { sheets: { Chart: '', Payouts: rows } },
    ),
  ),
);
put('no-header.xlsx', 'Rows without a header.', xlsx({ sheets: { Payouts: row(1, ...ada) + row(2, ...ade) } }));
put('no-header-anywhere.xlsx', 'Two sheets, and neither has a header.', xlsx({ sheets: { A: note, B: note } }));
put('empty-workbook.xlsx', 'A workbook with one empty sheet.', xlsx({ sheets: { Sheet1: '' } }));
put('only-the-header.xlsx', 'A header and no rows.', xlsx({ sheets: { Payouts: header } }));
put(
  'titles-and-totals.xlsx',
  'Titles above, a date beside them, an empty row, and the sum below.',
  xlsx({
    sheets: {
      Payouts:
        row(1, 'Example Imports', '', '', 46093) +
        words.reduce(
          (text, word, k) => `${text}<c r="${'ABCDEF'[k]}4" t="inlineStr"><is><t>${word}</t></is></c>`,
          '<row r="4">',
        ) +
        '</row>' +
        row(5, ...ada) +
        row(6, ...ade) +
        row(8, 'Total', '', '', '', 600_000),
    },
  }),
);
put(
  'hidden-rows.xlsx',
  'A hidden row, one of no height: nobody should pay what a person cannot see.',
  xlsx({
    sheets: {
      Payouts:
        header +
        row(2, ...ada).replace('<row', '<row hidden="1"') +
        row(3, ...ade).replace('<row', '<row ht="0" customHeight="1"') +
        payout(4),
    },
  }),
  '',
  '--include-hidden',
);
put(
  'cells-that-nobody-sees.xlsx',
  'Amounts under a format that shows nothing, in white letters on white, and in a row too low to read.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2, { E: '<c r="E2" s="1"><v>350000</v></c>' }) +
        payout(3, { E: '<c r="E3" s="2"><v>350001</v></c>' }) +
        payout(4, { E: '<c r="E4"><v>350002</v></c>' }).replace('<row', '<row ht="1" customHeight="1"') +
        payout(5, { E: '<c r="E5"><v>350003</v></c>' }),
    },
    styles: `<styleSheet><numFmts><numFmt numFmtId="164" formatCode=";;;"/></numFmts><fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts><fills><fill><patternFill patternType="none"/></fill></fills><cellXfs><xf/><xf numFmtId="164"/><xf fontId="1"/></cellXfs></styleSheet>`,
  }),
  '',
  '--include-hidden',
);
put(
  'filtered-rows.xlsx',
  'A filter hides a row.',
  xlsx({
    sheets: {
      Payouts: worksheet(
        header + row(2, ...ada) + row(3, ...ade).replace('<row', '<row hidden="true"'),
        '',
        '<autoFilter ref="A1:F3"><filterColumn colId="0"><filters><filter val="Ada Obi"/></filters></filterColumn></autoFilter>',
      ),
    },
  }),
);
put(
  'rows-hidden-unless-shown.xlsx',
  'A sheet whose rows are hidden unless they say otherwise.',
  xlsx({
    sheets: {
      Payouts: worksheet(
        header.replace('<row', '<row hidden="0"') + row(2, ...ada) + row(3, ...ade).replace('<row', '<row hidden="0"'),
        '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>',
      ),
    },
  }),
);
put(
  'hidden-columns.xlsx',
  'The account number stands in a hidden column.',
  xlsx({
    sheets: { Payouts: worksheet(rows, '<cols><col min="4" max="4" width="0" hidden="1" customWidth="1"/></cols>') },
  }),
  '',
  '--include-hidden',
);
put(
  'merged-header.xlsx',
  'Merged cells in the titles do no harm.',
  xlsx({
    sheets: {
      Payouts: worksheet(
        row(1, 'Payouts of November') +
          rows.replace(/r="([A-F]?)([123])"/g, (_, letter, number) => `r="${letter}${Number(number) + 1}"`),
        '',
        '<mergeCells count="1"><mergeCell ref="A1:F1"/></mergeCells>',
      ),
    },
  }),
);
put(
  'merged-payouts.xlsx',
  'One reference merged over two payouts: only the first row holds it.',
  xlsx({
    sheets: {
      Payouts: worksheet(
        header + row(2, ...ada) + row(3, ...ade.slice(0, 5)),
        '',
        '<mergeCells count="1"><mergeCell ref="F2:F3"/></mergeCells>',
      ),
    },
  }),
);
put(
  'merged-everything.xlsx',
  'One merge over the whole sheet, 1.9 KB that end the usual reader: read, and refused in words.',
  xlsx({
    sheets: { Payouts: worksheet(rows, '', '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>') },
  }),
);
put(
  'rules-for-everything.xlsx',
  'A validation over the whole sheet, which hangs the usual reader: of no concern to payouts.',
  xlsx({
    sheets: {
      Payouts: worksheet(
        rows,
        '',
        '<dataValidations count="1"><dataValidation type="whole" sqref="A1:XFD1048576"><formula1>1</formula1></dataValidation></dataValidations>',
      ),
    },
  }),
);
put(
  'colours-for-everything.xlsx',
  'A conditional format over the whole sheet, without its style: of no concern to payouts.',
  xlsx({
    sheets: {
      Payouts: worksheet(
        rows,
        '',
        '<conditionalFormatting sqref="A1:XFD1048576"><cfRule type="cellIs" dxfId="99" priority="1" operator="lessThan"><formula>1</formula></cfRule></conditionalFormatting>',
      ),
    },
  }),
);
put(
  'notes-right-of-the-table.xlsx',
  'A remark right of the last column name: it may be a shifted value, so the row is not paid.',
  xlsx({
    sheets: {
      Payouts:
        header +
        payout(2).replace('</row>', '<c r="I2" t="inlineStr"><is><t>pay cash?</t></is></c></row>') +
        row(3, ...ade),
    },
  }),
);
put(
  'formatted-empty-cells.xlsx',
  'Cells that hold only a format, below and right of the payouts: nothing.',
  xlsx({
    sheets: {
      Payouts:
        rows +
        Array.from(
          { length: 50 },
          (_, k) => `<row r="${k + 4}"><c r="A${k + 4}" s="1"/><c r="H${k + 4}" s="1"/></row>`,
        ).join(''),
    },
    styles: styles('@'),
  }),
);
put(
  'far-below.xlsx',
  'A payout below more than a thousand empty rows.',
  xlsx({ sheets: { Payouts: rows + payout(5000) } }),
);
put(
  'last-row-of-all.xlsx',
  'A payout in the last row that a sheet can have.',
  xlsx({ sheets: { Payouts: rows + payout(1048576) } }),
);
put(
  'letters-in-small.xlsx',
  'Cell references in small letters.',
  zip(
    changed(sheetPart, (text) =>
      text.replace(/<c r="([A-F])/g, (_, letter: string) => `<c r="${letter.toLowerCase()}`),
    ),
  ),
);

// --- Damaged, or made to harm

const harmed = (text: string) => xlsx({ sheets: { Payouts: text } });
put(
  'external-entity.xlsx',
  'A document type that would read a file of this machine: refused.',
  zip(
    changed(sheetPart, (text) =>
      text.replace('?>\n', '?>\n<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>').replace('Ada Obi', '&a;'),
    ),
  ),
);
put(
  'entity-bomb.xlsx',
  'Entities that multiply ("a billion laughs"): refused.',
  zip(
    changed(sheetPart, (text) =>
      text
        .replace(
          '?>\n',
          `?>\n<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghi'.replace(/./g, (letter) => `<!ENTITY ${letter} "${`&${String.fromCharCode(letter.charCodeAt(0) - 1)};`.repeat(10)}">`)}]>`,
        )
        .replace('Ada Obi', '&i;'),
    ),
  ),
);
put(
  'entity-in-the-texts.xlsx',
  'A document type in the shared texts: refused.',
  xlsx({
    ...plain,
    strings: '<!DOCTYPE sst [<!ENTITY a "b">]><sst><si><t>&a;</t></si></sst>',
    sheets: { Payouts: header + payout(2, { A: '<c r="A2" t="s"><v>0</v></c>' }) },
  }),
);
put(
  'row-beyond-the-last.xlsx',
  'A row 9999999999, which the usual reader drops in silence.',
  harmed(`${rows}<row r="9999999999"><c r="A9999999999" t="inlineStr"><is><t>Eve</t></is></c></row>`),
);
put('column-beyond-the-last.xlsx', 'A cell ZZZZZZ2.', harmed(`${header}<row r="2"><c r="ZZZZZZ2"><v>1</v></c></row>`));
put(
  'row-twice.xlsx',
  'The same row number twice: two readers would see two files.',
  harmed(header + row(2, ...ada) + row(2, ...ade)),
);
put('rows-out-of-order.xlsx', 'Row 3 before row 2.', harmed(header + row(3, ...ada) + row(2, ...ade)));
put(
  'cell-twice.xlsx',
  'The same cell twice: nobody can say which amount is meant.',
  harmed(header + payout(2).replace('</row>', '<c r="E2"><v>1</v></c></row>')),
);
put(
  'cell-of-another-row.xlsx',
  'A cell that says it stands in another row.',
  harmed(header + payout(2, { E: '<c r="E3"><v>1</v></c>' })),
);
put(
  'text-missing.xlsx',
  'A cell whose shared text is not there.',
  xlsx({
    sheets: { Payouts: header + payout(2, { A: '<c r="A2" t="s"><v>7</v></c>' }) },
    strings: '<sst><si><t>x</t></si></sst>',
  }),
);
put(
  'sheet-missing.xlsx',
  'The workbook lists a sheet whose part is not there.',
  zip(xlsxEntries(plain).filter(({ name }) => !sheetPart.test(name))),
);
put(
  'part-twice.xlsx',
  'Two parts of one name: one reader takes the first, another the second, and each pays another amount.',
  zip([...xlsxEntries(plain), { name: 'xl/worksheets/sheet1.xml', content: worksheet(rows.replace('350000', '999')) }]),
);
put(
  'part-twice-by-case.xlsx',
  'Two parts whose names differ only by case.',
  zip([...xlsxEntries(plain), { name: 'xl/worksheets/Sheet1.xml', content: worksheet(rows.replace('350000', '999')) }]),
);
put(
  'part-out-of-the-archive.xlsx',
  'A part named `../../x`.',
  zip([...xlsxEntries(plain), { name: '../../x', content: 'x' }]),
);
put('part-with-a-drive.xlsx', 'A part named `C:\\x`.', zip([...xlsxEntries(plain), { name: 'C:\\x', content: 'x' }]));
put('part-from-the-root.xlsx', 'A part named `/x`.', zip([...xlsxEntries(plain), { name: '/x', content: 'x' }]));
put(
  'two-names-for-a-part.xlsx',
  'The directory and the part itself give different names.',
  zip(
    xlsxEntries(plain).map((entry) =>
      sheetPart.test(entry.name) ? { ...entry, localName: 'xl/worksheets/sheet2.xml' } : entry,
    ),
  ),
);
put('parts-overlapping.xlsx', 'Two parts that share their bytes.', overlapping());
put(
  'checksum-wrong.xlsx',
  'A part that is not what its checksum says.',
  zip(xlsxEntries(plain).map((entry) => (sheetPart.test(entry.name) ? { ...entry, crc: 1 } : entry))),
);
put(
  'size-wrong.xlsx',
  'A part that is longer than it says.',
  zip(xlsxEntries(plain).map((entry) => (sheetPart.test(entry.name) ? { ...entry, bytes: 10 } : entry))),
);
put('cut-off.xlsx', 'A download that broke off.', xlsx(plain).subarray(0, 900));
put(
  'cut-off-in-the-sheet.xlsx',
  'An archive in order around a sheet that ends in the middle of a row.',
  zip(changed(sheetPart, (text) => text.slice(0, text.indexOf('250000')))),
);
put(
  'not-balanced.xlsx',
  'A cell that is closed under another name: XML that no program reads. Not a value of it is believed.',
  harmed(header + payout(2, { E: '<c r="E2"><v>350000</v></d>' })),
);
put(
  'row-under-another-name.xlsx',
  'A row that opens under a name that nobody knows: its payout would be gone, so the sheet is refused.',
  harmed(header + row(2, ...ada) + row(3, ...ade).replace('<row ', '<rov ')),
);
put(
  'cell-under-another-name.xlsx',
  'A cell that opens under a name that nobody knows.',
  harmed(header + payout(2, { E: '<d r="E2"><v>350000</v></c>' })),
);
put(
  'encrypted-part.xlsx',
  'An archive with a password.',
  zip(xlsxEntries(plain).map((entry) => ({ ...entry, flags: 1 }))),
);
put('zero-bytes.xlsx', 'A file of no bytes.', '');
put('ten-zeros.xlsx', 'A file of NULs, as a disk that was full leaves behind.', Buffer.alloc(4096));
put(
  'deep.xlsx',
  'Elements two hundred thousand deep: refused by what it unpacks to.',
  zip(changed(sheetPart, () => worksheet(rows, '', `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`))),
);
put(
  'macros.xlsm',
  'A workbook with macros.',
  zip([...xlsxEntries(plain), { name: 'xl/vbaProject.bin', content: 'x' }]),
);
put(
  'macro-type-alone.xlsx',
  'Called a workbook with macros by its content types, and named .xlsx.',
  zip(
    changed(
      /Content_Types/,
      () =>
        '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    ),
  ),
);
put(
  'links-to-other-workbooks.xlsx',
  'Links to other workbooks, whose values may be of last month.',
  zip([...xlsxEntries(plain), { name: 'xl/externalLinks/externalLink1.xml', content: '<externalLink/>' }]),
);
put(
  'active-x.xlsx',
  'An ActiveX control.',
  zip([...xlsxEntries(plain), { name: 'xl/activeX/activeX1.xml', content: '<x/>' }]),
);
put(
  'embedded-file.xlsx',
  'Another file embedded in the sheet.',
  zip([...xlsxEntries(plain), { name: 'xl/embeddings/oleObject1.bin', content: 'x' }]),
);
put(
  'macro-sheet.xlsx',
  'A sheet of old macros (Excel 4).',
  zip([...xlsxEntries(plain), { name: 'xl/macrosheets/sheet1.xml', content: '<x/>' }]),
);

// --- Other files under our endings

put('text.xlsx', 'A CSV named .xlsx: read as what it is.', `${words.join(',')}\n${ada.join(',')}\n`);
put(
  'web-page.xls',
  'A web page named .xls, as many portals export.',
  '<html><body><table><tr><td>name</td></tr></table></body></html>',
);
put(
  'xml.xlsx',
  'XML named .xlsx (Excel 2003 wrote such files).',
  '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
);
put('json.csv', 'JSON named .csv.', JSON.stringify([{ name: 'Ada Obi', amount: 350000 }]));
put('picture.xlsx', 'A picture named .xlsx.', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
put('gzip.csv', 'A compressed file named .csv.', Buffer.from('1f8b0800000000000003', 'hex'));
put(
  'word.xlsx',
  'A Word document named .xlsx.',
  zip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content:
        '<Relationships><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    },
    { name: 'word/document.xml', content: '<w/>' },
  ]),
);
put(
  'numbers.numbers',
  'An Apple Numbers document.',
  zip([
    { name: 'Index/Document.iwa', content: 'x' },
    { name: 'Metadata/Properties.plist', content: 'x' },
  ]),
);
put('archive.zip', 'An archive of a sheet.', zip([{ name: 'november.csv', content: words.join(',') }]));
put('old-excel.xls', 'An old Excel file by its first bytes.', ole('Workbook'));
put(
  'password.xlsx',
  'A workbook with a password: Excel puts it into a container of another kind.',
  ole('EncryptedPackage'),
);

// --- Archives that the builder of the tests does not make

/** The first part's size reaches into the second. */
function overlapping(): Buffer {
  const bytes = xlsx(plain);
  const at = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  bytes.writeUInt32LE(bytes.readUInt32LE(at + 20) + 40, at + 20);
  return bytes;
}

/** The container of old Office files, as far as its first pages tell what is in it. */
function ole(name: string): Buffer {
  const bytes = Buffer.alloc(4096);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(3, 48);
  bytes.write(name, 2048, 'utf16le');
  return bytes;
}
