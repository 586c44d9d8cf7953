/** Workbooks from a seed: each says the same as its model, in a form that is odd and legal. */
import { commented, type Entry, streamed, zip } from '../sheet/zip-builder.ts';
import type { Chance } from './chance.ts';
import { type Model, makeModel, someText, type Value } from './model.ts';

export interface MadeWorkbook {
  readonly model: Model;
  readonly entries: readonly Entry[];
  /** Names of the parts that hold the rows and the shared texts. */
  readonly sheetPart: string;
  readonly stringsPart: string | null;
}

const main = [
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
];
const office = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
];
const packaged = 'http://schemas.openxmlformats.org/package/2006';

export function makeWorkbook(chance: Chance): MadeWorkbook {
  const model = makeModel(chance, someValue);
  const strict = chance.once(6) ? 1 : 0;
  const space = main[strict]!;
  const relations = office[strict]!;
  const strings = new Map<string, number>();
  const form = formOf(chance);
  const rows = rowsXml(chance, form, model, strings);
  const sheet = sheetXml(chance, form, space, rows);
  const folder = chance.one(['xl/', 'xl/', 'xl/', 'book/', '']);
  const sheetName = chance.one([
    'worksheets/sheet1.xml',
    'worksheets/sheet.xml',
    'worksheets/Payouts Nov.xml',
    'data/s.xml',
  ]);
  const bookName = chance.one(['workbook.xml', 'workbook.xml', 'Book.xml']);
  const stringsName = strings.size > 0 || chance.once(3) ? chance.one(['sharedStrings.xml', 'texts/shared.xml']) : null;
  const sheets = [
    { name: 'Payouts', state: '', part: sheetName, xml: sheet },
    ...(chance.once(3)
      ? [{ name: 'Notes &amp; more', state: '', part: 'worksheets/n.xml', xml: notesXml(form, space) }]
      : []),
    ...(chance.once(3)
      ? [{ name: 'Old', state: chance.one(['hidden', 'veryHidden']), part: 'worksheets/o.xml', xml: sheet }]
      : []),
  ];
  const listed = chance.shuffled(sheets.map((one, index) => ({ ...one, id: `rId${index + 10}` })));
  const relation = (id: string, type: string, target: string) =>
    `<Relationship${attributes(chance, [
      ['Id', id],
      ['Type', `${relations}/${type}`],
      ['Target', target],
    ])}/>`;
  const target = (part: string) => targetOf(chance, folder, part);
  const p = form.prefix;
  const bookXml = `${form.start}<${p}workbook ${named(p, space)} xmlns:r="${relations}">${form.noise()}<${p}workbookPr${chance.once(9) ? ' date1904="1"' : ''}/><${p}bookViews><${p}workbookView/></${p}bookViews><${p}sheets>${listed
    .map(
      ({ name, state, id }, index) =>
        `<${p}sheet${attributes(chance, [['name', name], ['sheetId', String(index + 1)], ['r:id', id], ...(state === '' ? [] : [['state', state] as const])])}/>${form.noise()}`,
    )
    .join(
      '',
    )}</${p}sheets><${p}definedNames><${p}definedName name="all">Payouts!$A$1</${p}definedName></${p}definedNames></${p}workbook>`;
  const entries: Entry[] = [
    { name: '[Content_Types].xml', content: typesXml(folder, bookName) },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${packaged}/relationships">${chance.shuffled([relation('rId1', 'officeDocument', `${chance.once(3) ? '/' : ''}${folder}${bookName}`), relation('rId2', 'extended-properties', 'docProps/app.xml')]).join('')}</Relationships>`,
    },
    { name: `${folder}${bookName}`, content: bookXml },
    {
      name: `${folder}_rels/${bookName}.rels`,
      content: `<Relationships xmlns="${packaged}/relationships">${chance
        .shuffled([
          ...listed.map(({ id, part }) => relation(id, 'worksheet', target(part))),
          relation('rIdT', 'styles', target('styles.xml')),
          ...(stringsName === null ? [] : [relation('rIdS', 'sharedStrings', target(stringsName))]),
        ])
        .join('')}</Relationships>`,
    },
    { name: `${folder}styles.xml`, content: stylesXml(space) },
    ...sheets.map(({ part, xml }) => ({ name: `${folder}${part}`, content: xml })),
    ...(stringsName === null
      ? []
      : [{ name: `${folder}${stringsName}`, content: stringsXml(chance, form, space, strings) }]),
    ...(chance.once(3)
      ? [
          { name: 'docProps/app.xml', content: '<Properties/>' },
          { name: 'xl/media/image1.png', content: 'PNG' },
        ]
      : []),
  ];
  return {
    model,
    entries,
    sheetPart: `${folder}${sheetName}`,
    stringsPart: stringsName === null ? null : `${folder}${stringsName}`,
  };
}

/** The archive around it, in one of the ways that programs have. */
export function packed(chance: Chance, entries: readonly Entry[]): Buffer {
  const some = chance.shuffled(entries).map((entry) => ({ ...entry, stored: chance.once(4) }));
  const folders = chance.once(5) ? [{ name: 'xl/', content: '', stored: true }] : [];
  if (chance.once(4)) return streamed(some);
  const whole = zip([...folders, ...some]);
  return chance.once(5) ? commented(whole, someText(chance, false)) : whole;
}

// --- Values

function someValue(chance: Chance): Value {
  switch (chance.below(9)) {
    case 0:
      return {
        kind: 'number',
        text: chance.one([
          '5',
          '350000',
          '3.5E5',
          '-1.50',
          '0.1',
          '1e+21',
          '349999.99999999994',
          '.5',
          '0012',
          '9007199254740993',
        ]),
        formula: chance.once(3),
      };
    case 1:
      return { kind: 'boolean', text: chance.one(['TRUE', 'FALSE']), formula: chance.once(3) };
    case 2:
      return { kind: 'error', text: chance.one(['#REF!', '#N/A', '#DIV/0!']), formula: chance.once(3) };
    case 3:
      return chance.once(2)
        ? { kind: 'uncached', text: '', formula: true }
        : { kind: 'text', text: someText(chance, true), formula: true };
    default:
      return someText(chance, true);
  }
}

// --- The form of one workbook's XML

interface Form {
  readonly prefix: string;
  readonly start: string;
  readonly rowNumbers: boolean;
  readonly smallLetters: boolean;
  /** What may stand between two elements. */
  readonly noise: () => string;
  /** What no reader knows, and every reader passes by. */
  readonly foreign: () => string;
  readonly extension: () => string;
}

function formOf(chance: Chance): Form {
  const prefix = chance.one(['', '', '', 'x:', 'ss:']);
  const noisy = chance.once(2);
  const pretty = chance.once(4) ? '\n  ' : '';
  const odd = chance.once(3);
  return {
    prefix,
    start: chance.one([
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n',
      "<?xml version='1.0'?>",
      '\ufeff<?xml version="1.0"?>',
      '',
    ]),
    rowNumbers: !chance.once(5),
    smallLetters: chance.once(12),
    noise: () =>
      noisy && chance.once(8)
        ? chance.one(['<!-- a > b <row r="9"/> -->', '<?odd <c> ?>', '\n\n', '<!---->', '\t'])
        : pretty,
    foreign: () =>
      odd && chance.once(6)
        ? '<y:z xmlns:y="urn:y" y:a="&gt;&#10;"><y:row r="3"><y:c r="A3"><y:v>9</y:v></y:c>text</y:row></y:z>'
        : '',
    extension: () =>
      odd && chance.once(6)
        ? `<${prefix}extLst><${prefix}ext uri="{A}"><w:id xmlns:w="urn:w">{B}</w:id></${prefix}ext></${prefix}extLst>`
        : '',
  };
}

const named = (prefix: string, space: string) => `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${space}"`;

/** In any order, in either quotes, with spaces wherever XML lets them stand. */
function attributes(chance: Chance, pairs: readonly (readonly [string, string])[]): string {
  return chance
    .shuffled(pairs)
    .map(([name, value]) => {
      const quote = chance.once(5) ? "'" : '"';
      const around = chance.once(20) ? ' ' : '';
      return `${chance.once(20) ? '\n ' : ' '}${name}${around}=${around}${quote}${value}${quote}`;
    })
    .join('');
}

function columnName(index: number): string {
  return index < 26
    ? String.fromCharCode(65 + index)
    : `${columnName(Math.floor(index / 26) - 1)}${columnName(index % 26)}`;
}

function rowsXml(chance: Chance, form: Form, model: Model, strings: Map<string, number>): string {
  const p = form.prefix;
  let last = 0;
  let xml = '';
  for (const { number, cells } of model.rows) {
    while (last + 1 < number && (!form.rowNumbers || chance.once(2))) {
      last++;
      xml += `<${p}row${form.rowNumbers ? ` r="${last}"` : ''}${chance.once(2) ? ' spans="1:9"/>' : `></${p}row>`}`;
    }
    last = number;
    const more = chance
      .shuffled([
        ['spans', '1:20'],
        ['ht', '15'],
        ['customHeight', '1'],
        ['hidden', '0'],
        ['outlineLevel', '1'],
        ['s', '1'],
      ] as const)
      .slice(0, chance.below(3));
    xml += `<${p}row${attributes(chance, [...(form.rowNumbers ? [['r', String(number)] as const] : []), ...more])}${chance.once(20) ? ' ' : ''}>${form.noise()}`;
    let column = -1;
    cells.forEach((cell, index) => {
      if (cell === '' && !chance.once(5)) return;
      const skipped = index !== column + 1;
      column = index;
      const reference = `${form.smallLetters ? columnName(index).toLowerCase() : columnName(index)}${number}`;
      const given: (readonly [string, string])[] =
        skipped || form.rowNumbers || chance.once(2) ? [['r', reference]] : [];
      xml += cellXml(chance, form, cell, given, strings) + form.noise();
    });
    if (chance.once(8)) xml += `<${p}c r="${form.smallLetters ? 'xfd' : 'XFD'}${number}" s="1"/>`;
    xml += `${form.foreign()}${form.extension()}</${p}row>${form.noise()}`;
  }
  return xml;
}

function cellXml(
  chance: Chance,
  form: Form,
  value: Value,
  given: readonly (readonly [string, string])[],
  strings: Map<string, number>,
): string {
  const p = form.prefix;
  const cell = (type: string, inside: string, style = chance.below(3)) => {
    const more: (readonly [string, string])[] = [
      ...given,
      ...(type === '' ? [] : [['t', type] as const]),
      ...(style === 0 ? [] : [['s', String(style)] as const]),
    ];
    return `<${p}c${attributes(chance, more)}>${form.noise()}${inside}${form.foreign()}${form.extension()}</${p}c>`;
  };
  const formula = (has: boolean) =>
    has ? (chance.once(4) ? `<${p}f t="shared" si="0"/>` : `<${p}f>IF(A1&lt;2,"&gt;",1)</${p}f>`) : '';
  if (value === '')
    return chance.once(2)
      ? `<${p}c${attributes(chance, [...given, ['s', '1']])}/>`
      : cell('inlineStr', `<${p}is><${p}t></${p}t></${p}is>`);
  if (typeof value === 'string') return textXml(chance, form, value, cell, strings);
  switch (value.kind) {
    case 'text':
      return cell('str', `${formula(true)}<${p}v>${escaped(chance, value.text)}</${p}v>`);
    case 'number':
      return cell(
        chance.once(3) ? 'n' : '',
        `${formula(value.formula)}<${p}v>${chance.once(15) ? ` ${value.text}\n` : value.text}</${p}v>`,
      );
    case 'boolean':
      return cell('b', `${formula(value.formula)}<${p}v>${value.text === 'TRUE' ? '1' : '0'}</${p}v>`);
    case 'error':
      return cell('e', `${formula(value.formula)}<${p}v>${value.text}</${p}v>`);
    case 'uncached':
      return cell('', `${formula(true)}${chance.once(2) ? `<${p}v/>` : ''}`);
  }
}

function textXml(
  chance: Chance,
  form: Form,
  text: string,
  cell: (type: string, inside: string) => string,
  strings: Map<string, number>,
): string {
  const p = form.prefix;
  switch (chance.below(3)) {
    case 0: {
      const number = strings.get(text) ?? strings.size;
      strings.set(text, number);
      return cell('s', `<${p}v>${number}</${p}v>`);
    }
    case 1:
      return cell('str', `<${p}v>${escaped(chance, text)}</${p}v>`);
    default:
      return cell('inlineStr', `<${p}is>${richXml(chance, form, text)}</${p}is>`);
  }
}

/** One text as one element or as runs, perhaps with its phonetic reading. */
function richXml(chance: Chance, form: Form, text: string): string {
  const p = form.prefix;
  const t = (part: string) => `<${p}t${chance.once(2) ? ' xml:space="preserve"' : ''}>${escaped(chance, part)}</${p}t>`;
  const phonetic = chance.once(10)
    ? `<${p}rPh sb="0" eb="1"><${p}t>yomi</${p}t></${p}rPh><${p}phoneticPr fontId="1"/>`
    : '';
  if (!chance.once(4)) return t(text) + phonetic;
  // Never inside an escape, nor between the halves of a character.
  const at = Array.from(text)
    .slice(0, chance.below(text.length))
    .join('')
    .replace(/_[x0-9A-Fa-f]*$/, '').length;
  const run = (part: string) =>
    `<${p}r>${chance.once(2) ? `<${p}rPr><${p}b/><${p}sz val="11"/></${p}rPr>` : ''}${t(part)}</${p}r>`;
  return run(text.slice(0, at)) + run(text.slice(at)) + phonetic;
}

/** Entities, references, CDATA and escapes, where one is needed and sometimes where none is. */
export function escaped(chance: Chance, text: string): string {
  const plain = text
    .replace(/_(?=x[0-9a-fA-F]{4}(?:_|[\0-\x08\x0b-\x1f\ufffe\uffff]))/g, '_x005F_')
    .replace(
      /[\0-\x08\x0b-\x1f\ufffe\uffff]/g,
      (character) =>
        `_x${character.charCodeAt(0).toString(16).padStart(4, '0')[chance.once(2) ? 'toUpperCase' : 'toLowerCase']()}_`,
    );
  if (chance.once(10) && !plain.includes(']]')) return `<![CDATA[${plain}]]>`;
  return (
    Array.from(plain, (character) => {
      const code = character.codePointAt(0)!;
      if (character === '&') return chance.one(['&amp;', '&#38;', '&#x26;']);
      if (character === '<') return chance.one(['&lt;', '&#60;']);
      if (character === '>') return '&gt;';
      if (character === '"' && chance.once(2)) return '&quot;';
      if (character === "'" && chance.once(2)) return '&apos;';
      return chance.once(40) ? `&#${chance.once(2) ? code : `x${code.toString(16)}`};` : character;
    }).join('') + (chance.once(30) ? '<!-- no text -->' : '')
  );
}

function stringsXml(chance: Chance, form: Form, space: string, strings: ReadonlyMap<string, number>): string {
  const p = form.prefix;
  const items = [...strings.keys()].map((text) => `<${p}si>${richXml(chance, form, text)}</${p}si>${form.noise()}`);
  return `${form.start}<${p}sst ${named(p, space)} count="9">${form.noise()}${items.join('')}${form.foreign()}${form.extension()}</${p}sst>`;
}

function sheetXml(chance: Chance, form: Form, space: string, rows: string): string {
  const p = form.prefix;
  const before = [
    '<dimension ref="A1:Z9"/>',
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1"/></sheetView></sheetViews>',
    '<sheetFormatPr defaultRowHeight="15"/>',
    '<cols><col min="1" max="3" width="12.5" customWidth="1"/><col min="200" max="200" hidden="1"/></cols>',
  ];
  const after = [
    '<sheetProtection sheet="1"/>',
    '<autoFilter ref="A1:F9"/>',
    '<conditionalFormatting sqref="A1:XFD1048576"><cfRule type="cellIs" priority="1"><formula>"&gt;"</formula></cfRule></conditionalFormatting>',
    '<dataValidations><dataValidation sqref="B2:B1048576"><formula1>1</formula1></dataValidation></dataValidations>',
    '<hyperlinks><hyperlink ref="A2"/></hyperlinks>',
    '<pageMargins left="0.7"/>',
    '<legacyDrawing id="x"/>',
  ];
  const own = (xml: string) => (p === '' ? xml : xml.replace(/<(\/?)(\w)/g, `<$1${p}$2`));
  const some = (from: readonly string[]) => own(from.filter(() => chance.once(3)).join(form.noise()));
  return `${form.start}<${p}worksheet ${named(p, space)}>${form.noise()}${some(before)}<${p}sheetData>${form.noise()}${rows}</${p}sheetData>${some(after)}${form.foreign()}${form.extension()}</${p}worksheet>${form.noise()}`;
}

function notesXml({ prefix: p }: Form, space: string): string {
  return `<${p}worksheet ${named(p, space)}><${p}sheetData><${p}row r="2"><${p}c r="C2" t="str"><${p}v>Please pay by Friday.</${p}v></${p}c></${p}row></${p}sheetData></${p}worksheet>`;
}

/** No format of a date: a number must stay the number of the model. */
function stylesXml(space: string): string {
  return `<styleSheet xmlns="${space}"><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.00"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="49"/></cellXfs></styleSheet>`;
}

function typesXml(folder: string, book: string): string {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return `<Types xmlns="${packaged}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/><Override PartName="/${folder}${book}" ContentType="${kind}.sheet.main+xml"/></Types>`;
}

/** Ways to name a part: from the folder, from the root, around, encoded. */
function targetOf(chance: Chance, folder: string, part: string): string {
  const plain = chance.once(2) ? part.replaceAll(' ', '%20') : part;
  return chance.one([plain, plain, `/${folder}${plain}`, `./${plain}`, `x/../${plain}`]);
}
