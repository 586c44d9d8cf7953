/** Writes the workbook for measuring the readers: fifteen columns, shared texts as in Excel, and no two rows alike. */
import { open } from 'node:fs/promises';
import { createZipWriter } from '../src/sheet/write/zip-writer.ts';

const columns = [
  'row_id',
  'name',
  'country',
  'bank_name',
  'branch_code',
  'account_number',
  'amount',
  'currency',
  'reference',
  'from_country',
  'type',
  'department',
  'manager',
  'hired',
  'note',
] as const;

/** Texts that all rows share. They come first, as in a workbook whose first rows use most of them. */
const departments = Array.from({ length: 40 }, (_, index) => `Department ${index}`);
const managers = Array.from({ length: 200 }, (_, index) => `Manager ${index}, regional office`);
const repeated = [
  ...columns,
  'South Africa',
  'TymeBank',
  '678910',
  'ZAR',
  'Salary',
  'Full time',
  ...departments,
  ...managers,
];
const placeOf = new Map(repeated.map((text, index) => [text, index]));
/** How many texts belong to one row only: row_id, name, account_number and reference. */
const ownTexts = 4;

/** Writes the workbook with the shared texts before the sheet, which suits readers that read a file in order. */
export async function writeWorkbook(path: string, rows: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    const archive = createZipWriter(file);
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const relation = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
    const relations = (...all: string[]) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
    const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
    const override = (part: string, type: string) =>
      `<Override PartName="/xl/${part}" ContentType="${content}.${type}+xml"/>`;
    await archive.part('[Content_Types].xml', [
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('workbook.xml', 'sheet.main')}${override('styles.xml', 'styles')}${override('sharedStrings.xml', 'sharedStrings')}${override('worksheets/sheet1.xml', 'worksheet')}</Types>`,
    ]);
    await archive.part('_rels/.rels', [relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))]);
    await archive.part('xl/workbook.xml', [
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Payouts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ]);
    await archive.part('xl/_rels/workbook.xml.rels', [
      relations(
        relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('rId2', 'styles', 'styles.xml'),
        relation('rId3', 'sharedStrings', 'sharedStrings.xml'),
      ),
    ]);
    await archive.part('xl/styles.xml', [
      `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" xfId="0"/><xf numFmtId="49" xfId="0"/><xf numFmtId="3" xfId="0"/><xf numFmtId="14" xfId="0"/></cellXfs></styleSheet>`,
    ]);
    await archive.part('xl/sharedStrings.xml', stringsOf(main, rows));
    await archive.part('xl/worksheets/sheet1.xml', rowsOf(main, rows));
    await archive.end();
  } finally {
    await file.close();
  }
}

function* stringsOf(main: string, rows: number): Generator<string> {
  const count = repeated.length + rows * ownTexts;
  let text = `<sst xmlns="${main}" uniqueCount="${count}">${repeated.map((one) => `<si><t>${one}</t></si>`).join('')}`;
  for (let row = 0; row < rows; row++) {
    text += `<si><t>R-${row}</t></si><si><t>Example Payee ${row}</t></si><si><t>${51_000_000_000 + row}</t></si><si><t>PAY ${row} NOV</t></si>`;
    if (text.length < 64 * 1024) continue;
    yield text;
    text = '';
  }
  yield `${text}</sst>`;
}

function* rowsOf(main: string, rows: number): Generator<string> {
  const letters = columns.map((_, index) => String.fromCharCode(65 + index));
  const shared = (text: string) => placeOf.get(text)!;
  const header = columns.map((name, index) => `<c r="${letters[index]}1" s="1" t="s"><v>${shared(name)}</v></c>`);
  let text = `<worksheet xmlns="${main}"><dimension ref="A1:O${rows + 1}"/><sheetData><row r="1" spans="1:15">${header.join('')}</row>`;
  for (let row = 0; row < rows; row++) {
    const number = row + 2;
    const own = repeated.length + row * ownTexts;
    const texts = [
      own,
      own + 1,
      shared('South Africa'),
      shared('TymeBank'),
      shared('678910'),
      own + 2,
      null,
      shared('ZAR'),
      own + 3,
      shared('South Africa'),
      shared('Salary'),
      shared(departments[row % departments.length]!),
      shared(managers[row % managers.length]!),
      null,
      shared('Full time'),
    ];
    text += `<row r="${number}" spans="1:15">`;
    for (let index = 0; index < texts.length; index++) {
      const cell = `<c r="${letters[index]}${number}"`;
      if (index === 6) text += `${cell} s="2"><v>${100 + (row % 9000)}</v></c>`;
      else if (index === 13) text += `${cell} s="3"><v>${40_000 + (row % 5000)}</v></c>`;
      else text += `${cell} s="1" t="s"><v>${texts[index]}</v></c>`;
    }
    text += '</row>';
    if (text.length < 64 * 1024) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData></worksheet>`;
}
