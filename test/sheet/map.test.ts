/** Maps: what a file may say, with the place of each slip; how a header is read by one; what is suggested where there is none. */

import { describe, expect, test } from 'vitest';
import type { PayrunError } from '../../src/base/errors.ts';
import type { Cells } from '../../src/domain/rows/cell.ts';
import { shippedMapWords } from '../../src/messages/shipped-maps.ts';
import { mapNote, noMap, type SheetMap } from '../../src/sheet/columns/column-map.ts';
import { readHeader } from '../../src/sheet/columns/header.ts';
import { adviseMap, missingColumns } from '../../src/sheet/columns/map-advice.ts';
import { mapNamed, parseMap } from '../../src/sheet/columns/read-map.ts';
import { shippedMap, shippedMaps } from '../../src/sheet/columns/shipped-maps.ts';
import { codesOf, freshPath, given, readAll } from './given.ts';

const map = (parts: Partial<SheetMap>): SheetMap => ({ ...noMap, name: 'my.json', ...parts });
const faultsOf = (text: string): unknown => {
  try {
    parseMap('my.json', text);
  } catch (error) {
    const { refusal } = error as PayrunError;
    return refusal.code === 'MAP_UNUSABLE' && refusal.facts.map === 'my.json' ? refusal.facts.why : refusal;
  }
  return [];
};

describe('a map file', () => {
  test('says which column is which, what holds for every row, and what words mean', () => {
    const text = `{
      "columns": { "Wer": "name", "Ref": ["tag", "reference"], "Notiz": null },
      "values": { "country": "South Africa", "amount_unit": "cents" },
      "words": { "bank_name": { "Std Bank": "Standard Bank" } },
      "number_format": "1.234,56"
    }`;
    expect(parseMap('my.json', text)).toEqual({
      name: 'my.json',
      columns: { Wer: 'name', Ref: ['tag', 'reference'], Notiz: null },
      values: { country: 'South Africa', amount_unit: 'cents' },
      words: { bank_name: { 'Std Bank': 'Standard Bank' } },
      numberFormat: '1.234,56',
    });
  });

  test('may halve the name', () => {
    const { columns } = parseMap('my.json', '{"columns": {"Voornaam": "first_name", "Van": "last_name"}}');
    expect(columns).toEqual({ Voornaam: 'first_name', Van: 'last_name' });
  });

  test.each([
    ['{"columns": {"Wer": name}}', [{ fault: 'not-json', detail: expect.stringContaining('name') }]],
    ['["name"]', [{ fault: 'map-is-no-object', place: null }]],
    ['{}', [{ fault: 'map-is-empty' }]],
    [
      '{"coloumns": {}}',
      [
        {
          fault: 'map-word-is-unknown',
          place: null,
          word: 'coloumns',
          allowed: ['columns', 'values', 'words', 'number_format'],
          near: 'columns',
        },
      ],
    ],
    ['{"columns": ["name"]}', [{ fault: 'map-is-no-object', place: { part: 'columns' } }]],
    [
      '{"columns": {"Wer": "nam"}}',
      [
        {
          fault: 'map-use-is-unknown',
          place: { part: 'columns', entry: 'Wer' },
          use: 'nam',
          near: 'name',
        },
      ],
    ],
    [
      '{"columns": {"Tel": "phone"}}',
      [
        {
          fault: 'map-use-is-unknown',
          place: { part: 'columns', entry: 'Tel' },
          use: 'phone',
          near: 'contact_number',
        },
      ],
    ],
    [
      '{"columns": {"Wer": "constructor"}}',
      [
        {
          fault: 'map-use-is-unknown',
          place: { part: 'columns', entry: 'Wer' },
          use: 'constructor',
          near: null,
        },
      ],
    ],
    [
      '{"columns": {"Wer": 3}}',
      [{ fault: 'map-use-is-unknown', place: { part: 'columns', entry: 'Wer' }, use: '3', near: null }],
    ],
    [
      '{"columns": {"Wer": {"a": 1}}}',
      [
        {
          fault: 'map-use-is-unknown',
          place: { part: 'columns', entry: 'Wer' },
          use: '{"a":1}',
          near: null,
        },
      ],
    ],
    ['{"columns": {"Ref": []}}', [{ fault: 'map-entry-is-empty', place: { part: 'columns', entry: 'Ref' } }]],
    ['{"columns": {" ": "name"}}', [{ fault: 'map-entry-is-empty', place: { part: 'columns', entry: ' ' } }]],
    [
      '{"columns": {"A": "amount", "B": "amount"}}',
      [{ fault: 'map-use-is-twice', first: 'A', second: 'B', use: 'amount' }],
    ],
    ['{"columns": {"Ref": ["tag", "tag"]}}', [{ fault: 'map-use-is-twice', first: 'Ref', second: 'Ref', use: 'tag' }]],
    [
      '{"columns": {"Acc No": "name", "acc_no": "amount"}}',
      [{ fault: 'map-word-is-twice', place: { part: 'columns' }, first: 'Acc No', second: 'acc_no' }],
    ],
    ['{"columns": {"Ref": "tag", "Ref": "reference"}}', [{ fault: 'map-key-is-twice', key: 'Ref' }]],
    ['{"columns": {"R\\u0065f": "tag", "Ref": "reference"}}', [{ fault: 'map-key-is-twice', key: 'Ref' }]],
    ['{"columns": {"V": "first_name"}}', [{ fault: 'map-half-name', half: 'first_name', other: 'last_name' }]],
    [
      '{"columns": {"N": "name", "V": "first_name", "L": "last_name"}}',
      [
        { fault: 'map-use-is-twice', first: 'N', second: 'V', use: 'name' },
        { fault: 'map-use-is-twice', first: 'N', second: 'L', use: 'name' },
      ],
    ],
    ['{"values": {"country": ""}}', [{ fault: 'map-entry-is-empty', place: { part: 'values', field: 'country' } }]],
    [
      '{"values": {"country": "Narnia"}}',
      [
        {
          fault: 'map-word-is-unknown',
          place: { part: 'values', field: 'country' },
          word: 'Narnia',
          allowed: ['SouthAfrica', 'Nigeria', 'Kenya', 'BTC'],
        },
      ],
    ],
    [
      '{"values": {"from_country": "Narnia"}}',
      [
        {
          fault: 'map-word-is-unknown',
          place: { part: 'values', field: 'from_country' },
          word: 'Narnia',
          allowed: ['SouthAfrica', 'Nigeria', 'Kenya', 'UnitedKingdom', 'Europe', 'USDT', 'BTC'],
        },
      ],
    ],
    ['{"values": {"country": 1}}', [{ fault: 'map-entry-is-empty', place: { part: 'values', field: 'country' } }]],
    [
      '{"values": {"account_number": "10004291601"}}',
      [{ fault: 'map-word-is-unknown', place: { part: 'values' }, word: 'account_number' }],
    ],
    [
      '{"values": {"contry": "Kenya"}}',
      [{ fault: 'map-word-is-unknown', place: { part: 'values' }, word: 'contry', near: 'country' }],
    ],
    [
      '{"columns": {"Land": "country"}, "values": {"country": "Kenya"}}',
      [{ fault: 'map-field-is-twice', field: 'country', header: 'Land', value: 'Kenya' }],
    ],
    [
      '{"words": {"reference": {"a": "b"}}}',
      [{ fault: 'map-word-is-unknown', place: { part: 'words' }, word: 'reference' }],
    ],
    [
      '{"words": {"country": {"RSA ": "SouthAfrica", "rsa": "Kenya"}}}',
      [{ fault: 'map-word-is-twice', place: { part: 'words', field: 'country' }, first: 'RSA ', second: 'rsa' }],
    ],
    [
      '{"words": {"country": {"Zuid": "Zuid-Afrika"}}}',
      [
        {
          fault: 'map-word-is-unknown',
          place: { part: 'words', field: 'country', entry: 'Zuid' },
          word: 'Zuid-Afrika',
          allowed: ['SouthAfrica', 'Nigeria', 'Kenya', 'BTC'],
        },
      ],
    ],
    [
      '{"words": {"bank_name": {"Std": ""}}}',
      [{ fault: 'map-entry-is-empty', place: { part: 'words', field: 'bank_name', entry: 'Std' } }],
    ],
    ['{"words": {"bank_name": "Std"}}', [{ fault: 'map-is-no-object', place: { part: 'words', field: 'bank_name' } }]],
    [
      '{"number_format": "1 234"}',
      [
        {
          fault: 'map-word-is-unknown',
          place: { part: 'number_format' },
          word: '"1 234"',
          allowed: ['1,234.56', '1.234,56'],
        },
      ],
    ],
  ])('refuses %s and says where the fault is', (text, why) => {
    expect(faultsOf(text)).toMatchObject(why);
  });

  test('all its slips are told at once', () => {
    expect(faultsOf('{"columns": {"A": "x"}, "values": {"country": ""}, "foo": 1}')).toMatchObject([
      { fault: 'map-word-is-unknown', place: null, word: 'foo' },
      { fault: 'map-use-is-unknown', use: 'x' },
      { fault: 'map-entry-is-empty' },
    ]);
  });

  test('the same header in columns and words is no repetition', () => {
    expect(faultsOf('{"columns": {"country": "country"}, "words": {"country": {"RSA": "SouthAfrica"}}}')).toEqual([]);
  });

  test('`__proto__` is a header like any other', () => {
    const { columns } = parseMap('my.json', '{"columns": {"__proto__": "name"}}');
    expect(readHeader(['__proto__', 'Amount'], 1, map({ columns })).fields).toEqual(['name', 'amount']);
  });
});

describe('--map', () => {
  test('takes a shipped map by its name, and none', () => {
    expect(mapNamed('wise', '/nowhere/wise').columns).toEqual(shippedMap('wise')?.columns);
    expect(mapNamed('none', '/nowhere/none')).toEqual(noMap);
  });

  test.each([
    ['wize', 'wise'],
    ['other.json', null],
  ])('%s is neither', (name, near) => {
    const missing = { fault: 'map-is-missing', maps: shippedMaps.map((one) => one.name), near };
    const facts = { map: name, why: [missing] };
    expect(() => mapNamed(name, freshPath(name))).toThrow(expect.objectContaining({ code: 'MAP_UNUSABLE', facts }));
  });

  test('takes a file, with a byte order mark and without', () => {
    const path = given('map.json', '\uFEFF{"columns": {"Wer": "name"}}');
    expect(mapNamed(path, path)).toMatchObject({ name: path, columns: { Wer: 'name' } });
  });

  test('takes no folder and nothing huge', () => {
    expect(() => mapNamed('/', '/')).toThrow(
      expect.objectContaining({ facts: { map: '/', why: [{ fault: 'not-a-file' }] } }),
    );
    const path = given('map.json', ' '.repeat(300_000));
    expect(() => mapNamed(path, path)).toThrow(
      expect.objectContaining({ facts: { map: path, why: [{ fault: 'too-large', kilobytes: 256 }] } }),
    );
  });
});

describe('a header read by a map', () => {
  const read = (texts: readonly string[], parts: Partial<SheetMap>) => readHeader(texts, 3, map(parts));

  test('goes before what we know; null is not read, and named as unused', () => {
    expect(read(['Name', 'Payee', 'Value'], { columns: { Name: null, Value: 'reference' } })).toMatchObject({
      fields: [null, 'name', 'reference'],
      unused: ['Name'],
      problems: [],
    });
  });

  test('tells two columns of one name apart, from left to right', () => {
    expect(read(['Ref', 'Name', 'ref '], { columns: { Ref: ['tag', 'reference'] } })).toMatchObject({
      fields: ['tag', 'name', 'reference'],
      problems: [],
    });
  });

  test.each([
    [['Name'], { Wer: 'name' }, { header: 'Wer', uses: ['name'], columns: [], near: null }],
    [['Betrag'], { Betrg: 'amount' }, { header: 'Betrg', uses: ['amount'], columns: [], near: 'Betrag' }],
    [
      ['Ref', 'Name', 'Ref'],
      { Ref: 'reference' },
      { header: 'Ref', uses: ['reference'], columns: ['A', 'C'], near: null },
    ],
    [
      ['Name', 'Ref'],
      { Ref: ['tag', 'reference'] },
      { header: 'Ref', uses: ['tag', 'reference'], columns: ['B'], near: null },
    ],
  ] as const)('%j and %j do not fit', (texts, columns, facts) => {
    const [problem] = read(texts, { columns }).problems;
    expect(problem).toMatchObject({
      code: 'MAP_UNKNOWN',
      severity: 'error',
      row: 3,
      facts: { map: 'my.json', ...facts },
    });
  });

  test('two columns for one thing, one of them by the map, name both', () => {
    const [problem] = read(['Wer', 'Payee'], { columns: { Wer: 'name' } }).problems;
    const [first, second] = [
      { column: 'A', header: 'Wer' },
      { column: 'B', header: 'Payee' },
    ];
    expect(problem).toMatchObject({ code: 'COLUMN_TWICE', column: 'name', facts: { first, second } });
  });

  test('joins the halves of a name', () => {
    const columns = { Voornaam: 'first_name', Van: 'last_name' } as const;
    expect(read(['Van', 'Amount', 'Voornaam'], { columns })).toMatchObject({
      fields: ['name', 'amount', 'name'],
      problems: [],
    });
    expect(codesOf(read(['Van', 'Payee', 'Voornaam'], { columns }).problems)).toContain('COLUMN_TWICE');
  });

  test('a value of the map and a column for the same contradict each other', () => {
    const values = { country: 'Kenya', currency: 'KES' };
    const { problems } = read(['Country', 'Amount (ZAR)'], { values });
    expect(problems.map(({ code, column }) => [code, column])).toEqual([
      ['MAP_CONTRADICTED', 'country'],
      ['MAP_CONTRADICTED', 'currency'],
    ]);
    expect(read(['Amount (KES)'], { values }).problems).toEqual([]);
  });

  test('a unit in the header is an error until the map says what the amounts count', () => {
    const columns = { 'Betrag (cents)': 'amount' } as const;
    expect(codesOf(read(['Betrag (cents)'], { columns }).problems)).toEqual(['HEADER_UNIT']);
    expect(read(['Betrag (cents)'], { columns, values: { amount_unit: 'cents' } }).problems).toEqual([]);
    for (const [header, said, code] of [
      ['Amount (cents)', 'cents', []],
      ['Amount (cents)', 'whole', ['HEADER_UNIT']],
      ['Amount (gross)', 'whole', []],
      ['Amount (gross)', 'cents', []],
      ["Amount ('000)", 'whole', ['HEADER_UNIT']],
      ['Amount ($)', 'whole', ['HEADER_UNIT']],
      ['Amount (thousands)', 'cents', ['HEADER_UNIT']],
    ] as const)
      expect(codesOf(read([header], { values: { amount_unit: said } }).problems), header).toEqual(code);
    expect(read(['Betrag (ZAR)'], { columns: { 'Betrag (ZAR)': 'amount' } })).toMatchObject({
      amountCurrency: 'ZAR',
      problems: [],
    });
  });

  test('a column with invisible characters, or without a letter, can be mapped', () => {
    expect(read(['na\u200bme', '#'], { columns: { name: 'name', '#': 'row_id' } })).toMatchObject({
      fields: ['name', 'row_id'],
      problems: [],
    });
  });

  test('the note says how each column was read', () => {
    const one = map({ columns: { Wer: 'name', X: null }, values: { country: 'Kenya' } });
    expect(mapNote(one, ['Wer', 'X', 'Amount'], ['name', null, 'amount'])).toEqual({
      note: 'map-read',
      map: 'my.json',
      columns: [{ header: 'Wer', field: 'name' }],
      values: [{ field: 'country', value: 'Kenya' }],
    });
  });
});

describe('a sheet read by a map', () => {
  test('its words are put for the sheet’s, and shown', async () => {
    const path = given('a.csv', 'Payee;Land;Amount;Bank\nA;Zuid-Afrika;1;Std Bank\nB;ZA;1;Nedbank\n');
    const { lines } = await readAll(path, {
      map: map({
        columns: { Land: 'country' },
        words: { country: { 'zuid afrika': 'SouthAfrica' }, bank_name: { 'STD BANK': 'Standard Bank' } },
      }),
    });
    expect(lines.map(({ cells }) => [cells.country, cells.bank_name])).toEqual([
      ['SouthAfrica', 'Standard Bank'],
      ['ZA', 'Nedbank'],
    ]);
    expect(lines[0]!.problems).toMatchObject([
      { code: 'WORD_READ', severity: 'repair', column: 'country', value: 'Zuid-Afrika', suggestion: 'SouthAfrica' },
      { code: 'WORD_READ', severity: 'repair', column: 'bank_name', value: 'Std Bank', suggestion: 'Standard Bank' },
    ]);
    expect(lines[1]!.problems).toEqual([]);
  });

  test('whose headers no alias fits has its separator and header found by the map', async () => {
    const path = given('a.csv', 'Lohn, November\n\nWer|Wohin|Wieviel\nA, B|1|2\n');
    const columns = { Wer: 'name', Wohin: 'account_number', Wieviel: 'amount' } as const;
    const { sheet, lines } = await readAll(path, { map: map({ columns }) });
    expect([sheet.headerRow, sheet.problems, lines[0]!.cells]).toEqual([
      3,
      [],
      { name: 'A, B', account_number: '1', amount: '2' },
    ]);
  });

  test('that has nothing of the map says so', async () => {
    const { sheet } = await readAll(given('a.csv', 'x;y\n1;2\n'), { map: map({ columns: { Wer: 'name' } }) });
    expect(sheet.problems).toMatchObject([{ code: 'HEADER_MISSING', facts: { map: 'my.json', isHeadless: false } }]);
  });
});

describe('what is suggested', () => {
  const advise = (header: readonly string[], defaults: Cells = {}, given?: SheetMap) => {
    const read = readHeader(header, 1, given);
    const facts = { ...read, header, columns: read.fields, likelyHeader: [] };
    return adviseMap(facts, defaults, given);
  };

  test.each([
    ['Payee Acc Nr', 'account_number'],
    ['Benef. Name', 'name'],
    ['Naam', 'name'],
    ['Bank of payee', 'bank_name'],
    ['Br Code', 'branch_code'],
    ['Tel (M-Pesa)', 'contact_number'],
    ['Amt', 'amount'],
    ['Net Salary', 'amount'],
    ['Betrag', 'amount'],
    ['Wieviel (Cent)', 'amount'],
    ['Lohn [KES]', 'amount'],
    ['Payment Description', 'reference'],
    ['Verwysing', 'reference'],
    ['Ammount', 'amount'],
    ['Destination Ctry', 'country'],
    ['Cost Centre', null],
    ['Branch No', null],
    ['Payment date', null],
    ['Account type', null],
    ['Department', null],
    ['Comment', null],
    ['Email', null],
    ['Address', null],
    ['PO Number', null],
    ['Bank address', null],
    ['constructor', null],
  ])('%s: %s', (header, field) => expect(advise([header, 'x'])!.suggested.columns[header]).toBe(field));

  test('each column once, the nearest first, and those that are known as they are', () => {
    const { columns } = advise(['Name', 'Payee nm', 'Amt', 'Total amt due', 'Country'])!.suggested;
    expect(columns).toEqual({
      Name: 'name',
      'Payee nm': null,
      Amt: 'amount',
      'Total amt due': null,
      Country: 'country',
    });
  });

  test('what no column says is left to be filled in, or known from the currency', () => {
    expect(advise(['Name', 'Account', 'Amount'])!.suggested.values).toEqual({ country: '', reference: '' });
    expect(advise(['Name', 'Account', 'Amount (ZAR)', 'Ref'])!.suggested.values).toEqual({ country: 'SouthAfrica' });
    expect(advise(['Name', 'Account', 'Amount (cents)', 'Ref', 'Country'])!.suggested).toMatchObject({
      columns: { 'Amount (cents)': 'amount' },
      values: { amount_unit: 'cents' },
    });
  });

  test('a header that stands twice is a list, and halves of a name stay together', () => {
    expect(advise(['Ref', 'First name', 'Surname', 'Ref'])!.suggested.columns).toEqual({
      Ref: ['reference', null],
      'First name': 'first_name',
      Surname: 'last_name',
    });
    expect(advise(['Name', 'Surname', 'Betrag'])!.suggested.columns).toMatchObject({
      Name: 'first_name',
      Surname: 'last_name',
    });
  });

  test('as it stands it is a map that is taken, once the empty values are filled in', () => {
    const { suggested } = advise(['Wer', 'Payee Acc Nr', 'Ref', 'Ref', 'Amt', '#'])!;
    expect(faultsOf(JSON.stringify(suggested))).toMatchObject([
      { fault: 'map-entry-is-empty', place: { part: 'values', field: 'country' } },
    ]);
    expect(faultsOf(JSON.stringify({ ...suggested, values: { country: 'Kenya' } }))).toEqual([]);
  });

  test('nothing where every column is read; not needed where columns are only not used', () => {
    const good = ['Name', 'Country', 'Account', 'Bank', 'Amount', 'Ref'];
    expect(advise(good)).toBeNull();
    expect(advise([...good, 'Cost Centre'])).toMatchObject({ needed: false, shipped: null });
    expect(advise(good.slice(0, -1))).toMatchObject({ needed: true });
    expect(advise(good.slice(0, -1), { reference: 'PAY' })).toBeNull();
  });

  test('with a map that is not whole, what it says stays', () => {
    const given = map({ columns: { Wer: 'name', Amt: null }, values: { country: 'Kenya' } });
    expect(advise(['Wer', 'Amt', 'Phone', 'Betrag'], given.values, given)!.suggested).toEqual({
      columns: { Wer: 'name', Amt: null, Phone: 'contact_number', Betrag: 'amount' },
      values: { country: 'Kenya', reference: '' },
    });
  });
});

describe('columns that every row needs', () => {
  const missing = (header: readonly string[], given?: SheetMap) => {
    const read = readHeader(header, 1, given);
    return missingColumns({ ...read, header, columns: read.fields, likelyHeader: [] }, given?.values ?? {}, given);
  };

  test('are reported once, for the whole sheet', () => {
    expect(missing(['Amount', 'Bank', 'Currency']).map(({ row, column }) => [row, column])).toEqual([
      [null, 'name'],
      [null, 'country'],
      [null, 'account_number'],
      [null, 'reference'],
    ]);
    expect(missing(['Payee', 'Country', 'Phone', 'Amount', 'Ref'])).toEqual([]);
  });

  test('have the reason of the map of another product', () => {
    const paypal = shippedMap('paypal')!;
    const facts = { field: 'account_number', map: 'paypal' };
    expect(missing(['Recipient', 'Amount', 'Currency', 'Note'], paypal)).toContainEqual(
      expect.objectContaining({ code: 'COLUMN_MISSING', facts }),
    );
  });
});

describe('the maps that come with Payrun', () => {
  test.each(shippedMaps.map((one) => [one.name, one] as const))('%s is one that a file could say', (_, one) => {
    const { name, columns, values, words, shipped, seen } = one;
    const { source, lacks = {}, refused = {} } = shippedMapWords[name];
    expect(faultsOf(JSON.stringify({ columns, values, words }))).toEqual([]);
    for (const header of shipped.optional) expect(Object.keys(columns)).toContain(header);
    expect(source).not.toBe('');
    expect(Object.keys(lacks)).toEqual(shipped.lacks);
    expect(Object.keys(refused)).toEqual([...shipped.refusedHeaders, ...Object.values(shipped.refusedWords).flat()]);
    expect(seen).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
