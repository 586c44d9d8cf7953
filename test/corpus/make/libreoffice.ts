/**
 * Has LibreOffice write the workbooks, and the files of other kinds, that it writes for people:
 * `node test/corpus/make/libreoffice.ts`, where `soffice` is on the path.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'payrun-libreoffice-'));

/** Has it read `source` (a file's name and content) and write it in another format; several sources at once start it once. */
function convert(filter: string, sources: Readonly<Record<string, string>>, importing: readonly string[] = []): void {
  const paths = Object.entries(sources).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  execFileSync('soffice', [profile, '--headless', ...importing, '--convert-to', filter, '--outdir', folder, ...paths], {
    stdio: 'ignore',
    timeout: 300_000,
  });
}

function put(name: string, about: string, made: string, ...flags: string[]): void {
  place(
    { name: `libreoffice/${name}`, about, ...(flags.length === 0 ? {} : { flags }) },
    readFileSync(join(folder, made)),
  );
}

// --- Documents of LibreOffice, as one file of XML each

type Content = string | number | { readonly xml: string };

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const cell = (attributes: string, text = '') => ({
  xml: `<table:table-cell ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`,
});
const number = (value: number, style = '') =>
  cell(`${styled(style)} office:value-type="float" office:value="${value}"`);
const formula = (text: string, style = '') => cell(`${styled(style)} table:formula="of:=${escaped(text)}"`);
const date = (value: string, style = 'date') =>
  cell(`${styled(style)} office:value-type="date" office:date-value="${value}"`);
const text = (inner: string, more = '') => cell(`office:value-type="string" ${more}`, inner);
const nothing = { xml: '<table:table-cell/>' };
const styled = (style: string) => (style === '' ? '' : `table:style-name="${style}"`);

function row(cells: readonly Content[], attributes = ''): string {
  const inner = cells.map((one) =>
    typeof one === 'string'
      ? one === ''
        ? nothing.xml
        : text(escaped(one)).xml
      : typeof one === 'number'
        ? number(one).xml
        : one.xml,
  );
  return `<table:table-row ${attributes}>${inner.join('')}</table:table-row>`;
}

interface Table {
  readonly name?: string;
  readonly rows: readonly string[];
  readonly columns?: string;
  readonly attributes?: string;
  readonly before?: string;
}

const styles = `
  <number:number-style style:name="N-zeros"><number:number number:decimal-places="0" number:min-integer-digits="10"/></number:number-style>
  <number:number-style style:name="N-six"><number:number number:decimal-places="0" number:min-integer-digits="6"/></number:number-style>
  <number:number-style style:name="N-groups"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style>
  <number:currency-style style:name="N-rand"><number:currency-symbol number:language="en" number:country="ZA">R</number:currency-symbol><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:currency-style>
  <number:currency-style style:name="N-dollar"><number:currency-symbol number:language="en" number:country="US">$</number:currency-symbol><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:currency-style>
  <number:currency-style style:name="N-naira"><number:currency-symbol number:language="en" number:country="NG">₦</number:currency-symbol><number:number number:decimal-places="0" number:min-integer-digits="1" number:grouping="true"/></number:currency-style>
  <number:percentage-style style:name="N-percent"><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
  <number:number-style style:name="N-thousands"><number:number number:decimal-places="0" number:min-integer-digits="1" number:display-factor="1000"/></number:number-style>
  <number:number-style style:name="N-scientific"><number:scientific-number number:decimal-places="2" number:min-integer-digits="1" number:min-exponent-digits="2"/></number:number-style>
  <number:date-style style:name="N-date"><number:day number:style="long"/><number:text>/</number:text><number:month number:style="long"/><number:text>/</number:text><number:year number:style="long"/></number:date-style>
  <number:date-style style:name="N-month"><number:month number:textual="true"/><number:text>-</number:text><number:year/></number:date-style>
  <number:time-style style:name="N-time"><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/></number:time-style>
  <number:text-style style:name="N-text"><number:text-content/></number:text-style>
  ${['zeros', 'six', 'groups', 'rand', 'dollar', 'naira', 'percent', 'thousands', 'scientific', 'date', 'month', 'time', 'text'].map((name) => `<style:style style:name="${name}" style:family="table-cell" style:data-style-name="N-${name}"/>`).join('')}
  <style:style style:name="grey" style:family="table-cell"><style:table-cell-properties fo:background-color="#cccccc"/></style:style>
  <style:style style:name="bold" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>
  <style:style style:name="rtl" style:family="table"><style:table-properties style:writing-mode="rl-tb"/></style:style>`;

function document(tables: readonly Table[], { before = '', after = '' } = {}): string {
  const spaces = ['office', 'table', 'text', 'style', 'number', 'draw']
    .map(
      (name) =>
        `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'number' ? 'datastyle' : name === 'draw' ? 'drawing' : name}:1.0"`,
    )
    .join(' ');
  const body = tables.map(
    ({ name = 'Payouts', rows, columns = '', attributes = '', before: first = '' }) =>
      `<table:table table:name="${escaped(name)}" ${attributes}>${first}${columns === '' ? '<table:table-column table:number-columns-repeated="8"/>' : columns}${rows.join('')}</table:table>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${before}${body.join('')}${after}</office:spreadsheet></office:body></office:document>`;
}

const words = ['name', 'country', 'bank_name', 'account_number', 'amount', 'reference'];
const header = row(words);
const ada = ['Ada Obi', 'Nigeria', 'First Bank of Nigeria', '0000014579', 350_000, 'PO 7781'] as const;
const ade = ['Ade Bello', 'Nigeria', 'Guaranty Trust Bank', '0123456785', 250_000, 'INV 204'] as const;
const thandi = ['Thandi Mokoena', 'South Africa', 'Standard Bank', '10004291601', 12_500, 'SALARY NOV'] as const;
const payouts = [header, row(ada), row(ade), row(thandi)];
/** A payout with one of its cells replaced. */
const changed = (index: number, content: Content, ...more: Content[]) =>
  row([...ada.with(index, content as never), ...more]);
const one = (rows: readonly string[], more: Omit<Table, 'rows'> = {}) => document([{ rows, ...more }]);

const books: readonly (readonly [name: string, about: string, document: string, ...flags: string[]])[] = [
  ['plain', 'Three payouts, saved as .xlsx.', one(payouts)],
  [
    'hidden-rows',
    'A row hidden by hand, and one by a filter.',
    one([header, row(ada), row(ade, 'table:visibility="collapse"'), row(thandi, 'table:visibility="filter"')]),
    '',
    '--include-hidden',
  ],
  [
    'filter-arrows',
    'Arrows of a filter on the header, nothing filtered.',
    document([{ rows: payouts }], {
      after:
        '<table:database-ranges><table:database-range table:name="all" table:target-range-address="Payouts.A1:Payouts.F4" table:display-filter-buttons="true"/></table:database-ranges>',
    }),
  ],
  [
    'hidden-column',
    'A hidden column that is not paid from does no harm; one that is, does.',
    one([row([...words, 'note', 'tag']), row([...ada, 'x', 'T1'])], {
      columns:
        '<table:table-column table:number-columns-repeated="6"/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>',
    }),
  ],
  [
    'collapsed-group',
    'Rows of a group that was folded away.',
    one([
      header,
      row(ada),
      `<table:table-row-group table:display="false">${row(ade, 'table:visibility="collapse"')}</table:table-row-group>`,
      row(thandi),
    ]),
  ],
  [
    'merged-title',
    'A title merged over the columns, and an empty row.',
    one([
      row([
        {
          xml:
            text('Payouts of November', 'table:number-columns-spanned="6"').xml +
            '<table:covered-table-cell table:number-columns-repeated="5"/>',
        },
      ]),
      row(['']),
      ...payouts,
    ]),
  ],
  [
    'merged-payees',
    'One payee merged over two payouts.',
    one([
      header,
      row([text('Ada Obi', 'table:number-rows-spanned="2"'), ...ada.slice(1)]),
      row([{ xml: '<table:covered-table-cell/>' }, ...ada.slice(1, 5), 'PO 7782']),
    ]),
  ],
  [
    'formulas',
    'Calculated cells with the results that LibreOffice stored: numbers, texts, an error, a look into another sheet.',
    document([
      {
        rows: [
          header,
          changed(4, formula('100000*3+50000')),
          changed(3, formula('TEXT(14579;"0000000000")')),
          changed(5, formula('"PO "&7783')),
          changed(0, formula('VLOOKUP(1;[Payees.A1:.B2];2;0)')),
          changed(4, formula('1/0')),
          changed(4, formula('SUM([.E2:.E3])/3')),
          changed(4, formula('0.1+0.2')),
        ],
      },
      { name: 'Payees', rows: [row([1, 'Ada Obi']), row([2, 'Ade Bello'])] },
    ]),
  ],
  [
    'totals-by-formula',
    'A last row of sums that is calculated.',
    one([...payouts.slice(0, 3), row(['Total', '', '', '', formula('SUM([.E2:.E3])')])]),
  ],
  [
    'number-formats',
    'Formats that show zeros, groups, currencies, per cent, thousands.',
    one([
      header,
      changed(3, number(14579, 'zeros')),
      ...['groups', 'naira', 'rand', 'dollar', 'percent', 'thousands', 'scientific', 'text'].map((style, k) =>
        changed(4, number(350_000, style)).replace('PO 7781', `PO ${k}`),
      ),
    ]),
  ],
  [
    'branch-code-format',
    'A branch code as a number that a format shows with its zero.',
    one([
      row(['name', 'country', 'bank', 'branch', 'account number', 'amount', 'reference']),
      row([
        'Thandi Mokoena',
        'South Africa',
        'Standard Bank',
        number(51001, 'six'),
        '10004291601',
        12_500,
        'SALARY NOV',
      ]),
    ]),
  ],
  [
    'dates',
    'Dates where references belong, a time, and a date in a column that is not paid from.',
    one([
      row([...words, 'Due']),
      changed(5, date('2026-03-12')),
      changed(5, date('2026-03-01', 'month')),
      changed(5, cell('table:style-name="time" office:value-type="time" office:time-value="PT18H00M00S"')),
      changed(5, 'PO 7782', date('2026-11-30')),
      changed(4, date('2026-03-12')),
    ]),
  ],
  [
    'dates-since-1904',
    'A document that counts its days from 1904.',
    document([{ rows: [header, changed(5, date('2026-03-12'))] }], {
      before:
        '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>',
    }),
  ],
  [
    'rich-text',
    'A name half in bold, and one with a line break in it.',
    one([
      header,
      changed(0, text('Ada <text:span text:style-name="bold">Obi</text:span>')),
      changed(0, cell('office:value-type="string"', 'Ada</text:p><text:p>Obi')),
    ]),
  ],
  [
    'spaces-and-tabs',
    'Doubled spaces, spaces around, a no-break space.',
    one([
      header,
      changed(0, text('Ada<text:s text:c="2"/>Obi')),
      changed(0, text('<text:s/>Ada Obi<text:s/>')).replace('7781', '7782'),
      changed(0, 'Ada\u00a0Obi'),
    ]),
  ],
  [
    'links',
    'A mail address and a web address that became links.',
    one([
      row(['name', 'country', 'lightning address', 'amount', 'amount_unit', 'reference', 'web']),
      row([
        'Amara Example',
        'BTC',
        text('<text:a xlink:type="simple" xlink:href="mailto:amara@pay.example.com">amara@pay.example.com</text:a>'),
        40_000,
        'sat',
        'DESIGN 2',
        text('<text:a xlink:type="simple" xlink:href="https://example.com/">our shop</text:a>'),
      ]),
    ]),
  ],
  [
    'comments',
    'Comments on cells are not their values.',
    one([
      header,
      changed(4, {
        xml: '<table:table-cell office:value-type="float" office:value="350000"><office:annotation><dc:creator>N. Dlamini</dc:creator><text:p>approved, not 35000</text:p></office:annotation></table:table-cell>',
      }),
    ]),
  ],
  [
    'several-sheets',
    'Notes first, payouts second, a hidden list last.',
    document([
      { name: 'Read me', rows: [row(['Please pay by Friday.'])] },
      { rows: payouts },
      { name: 'Lists', rows: [row(['Nigeria']), row(['Kenya'])], attributes: 'table:style-name="hidden"' },
    ]),
  ],
  [
    'two-months',
    'Two sheets of payouts, one a month.',
    document([
      { name: 'October', rows: payouts },
      { name: 'November', rows: payouts },
    ]),
    '',
    '--sheet November',
  ],
  [
    'protected',
    'A protected sheet can still be read.',
    one(payouts, {
      attributes:
        'table:protected="true" table:protection-key="C+7Hteo/D9vJXQ3UfzxbwnXaijM=" table:protection-key-digest-algorithm="http://www.w3.org/2000/09/xmldsig#sha1"',
    }),
  ],
  [
    'validation-and-names',
    'Drop-down lists, named ranges.',
    document(
      [
        {
          rows: [header, row([ada[0], text('Nigeria', 'table:content-validation-name="countries"'), ...ada.slice(2)])],
        },
      ],
      {
        before:
          '<table:content-validations><table:content-validation table:name="countries" table:condition="of:cell-content-is-in-list(&quot;Nigeria&quot;;&quot;Kenya&quot;)" table:base-cell-address="Payouts.B2"/></table:content-validations>',
        after:
          '<table:named-expressions><table:named-range table:name="amounts" table:base-cell-address="$Payouts.$A$1" table:cell-range-address="$Payouts.$E$2:.$E$2"/></table:named-expressions>',
      },
    ),
  ],
  [
    'picture',
    'A company logo in the sheet.',
    one(payouts, {
      before:
        '<table:shapes><draw:frame draw:name="logo" svg:width="1cm" svg:height="1cm" svg:x="12cm" svg:y="1cm"><draw:image><office:binary-data>iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==</office:binary-data></draw:image></draw:frame></table:shapes>',
    }),
  ],
  [
    'right-to-left',
    'A sheet whose columns run from right to left.',
    one(payouts, { attributes: 'table:style-name="rtl"' }),
  ],
  [
    'grey-rows-below',
    'Coloured empty rows far below the payouts.',
    one([
      ...payouts,
      `<table:table-row table:number-rows-repeated="500"><table:table-cell table:style-name="grey" table:number-columns-repeated="12"/></table:table-row>`,
    ]),
  ],
  [
    'booleans',
    'TRUE in the one column where it is meant, and in one where it is not.',
    one([
      row([...words, 'slow']),
      changed(5, 'PO 7781', cell('office:value-type="boolean" office:boolean-value="true"')),
      changed(2, cell('office:value-type="boolean" office:boolean-value="false"'), 'no'),
    ]),
  ],
  [
    'long-numbers',
    'Account numbers typed as numbers: sixteen digits are fifteen and a zero.',
    one([
      header,
      changed(3, number(1234567890123456)),
      changed(3, number(123456785)),
      changed(3, { xml: cell('office:value-type="float" office:value="12345678901234567890"').xml }),
    ]),
  ],
];

convert('xlsx', Object.fromEntries(books.map(([name, , content]) => [`${name}.fods`, content])));
for (const [name, about, , ...flags] of books) put(`${name}.xlsx`, about, `${name}.xlsx`, ...flags);

// --- A CSV that was opened and saved as a workbook

const list = `${words.join(',')}\n${[ada, ade, thandi].map((cells) => cells.join(',')).join('\n')}\nWanjiru Example,Kenya,,0712345678,2500,12-3\nTokyo Example,Nigeria,Guaranty Trust Bank,0123456785,"1,500",1E5\n`;
convert('xlsx', { 'csv-opened-and-saved.csv': list }, ['--infilter=CSV:44,34,76,1']);
put(
  'csv-opened-and-saved.xlsx',
  'A CSV that was opened with a double click and saved: accounts became numbers and lost their zeros. Each row says so.',
  'csv-opened-and-saved.xlsx',
);
convert('xlsx', { 'csv-opened-with-dates.csv': list }, ['--infilter=CSV:44,34,76,1,,2057,false,true']);
put(
  'csv-opened-with-dates.xlsx',
  'The same with "detect special numbers": 12-3 became a date, 1E5 a number.',
  'csv-opened-with-dates.xlsx',
);
convert('xlsx', { 'csv-opened-as-text.csv': list }, [
  `--infilter=CSV:44,34,76,1,${words.map((_, k) => `${k + 1}/2`).join('/')}`,
]);
put(
  'csv-opened-as-text.xlsx',
  'The same with every column opened as text: nothing is lost.',
  'csv-opened-as-text.xlsx',
);

// --- The same payouts in its other formats

const source = { 'payouts.fods': one([...payouts.slice(0, 2), changed(0, 'José Müller')]) };
for (const [ending, filter, about] of [
  ['ods', 'ods', 'An OpenDocument sheet: refused, with what to do.'],
  ['xls', 'xls', 'An old Excel workbook, really written: refused, with what to do.'],
  ['html', 'html', 'A web page of the sheet: refused.'],
  ['pdf', 'pdf', 'A PDF of the sheet: refused.'],
] as const) {
  convert(filter, source);
  put(`payouts.${ending}`, about, `payouts.${ending}`);
}
put('payouts.fods', 'An OpenDocument sheet in one file of XML: refused.', 'payouts.fods');
for (const [name, options, about] of [
  ['export', '44,34,76,1,,0,false,true,false', 'A CSV as LibreOffice writes it when nobody chooses anything.'],
  [
    'export-semicolons-windows',
    '59,34,1252,1,,0,false,true,false',
    'Semicolons and Windows-1252, as a South African office asks for it.',
  ],
  ['export-utf-16', '9,34,65535,1,,0,false,true,false', 'UTF-16 and tabs.'],
  ['export-all-quoted', '44,34,76,1,,0,true,true,false', 'Every text in quotes.'],
] as const) {
  convert(`csv:Text - txt - csv (StarCalc):${options}`, source);
  put(`${name}.csv`, about, 'payouts.csv');
}

rmSync(folder, { recursive: true, force: true });
