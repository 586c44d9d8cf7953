import { describe, expect, test } from 'vitest';
import { fields } from '../../src/domain/rows/cell.ts';
import { noMap } from '../../src/sheet/columns/column-map.ts';
import { columnName } from '../../src/sheet/columns/column-name.ts';
import { aliases, countKnown, knownField, readHeader } from '../../src/sheet/columns/header.ts';
import { messageOf } from '../problem-words.ts';
import { codesOf } from './given.ts';

const one = (header: string) => readHeader([header], 1, undefined);

describe('known names', () => {
  test.each([
    ['Name', 'name'],
    ['Beneficiary', 'name'],
    ['Beneficiary Name', 'name'],
    ['recipient', 'name'],
    ['Recipient name', 'name'],
    ['Payee', 'name'],
    ['payee_name', 'name'],
    ['Supplier', 'name'],
    ['VENDOR', 'name'],
    ['Employee', 'name'],
    ['Employee Name', 'name'],
    ['Full Name', 'name'],
    ['Account Name', 'name'],
    ['Account Holder', 'name'],
    ['Business name', 'name'],
    ['Country', 'country'],
    ['Beneficiary Country', 'country'],
    ['destination', 'country'],
    ['Destination country', 'country'],
    ['Country code', 'country'],
    ['Bank', 'bank_name'],
    ['Bank Name', 'bank_name'],
    ['Beneficiary bank', 'bank_name'],
    ['Institution', 'bank_name'],
    ['Bank code', 'bank_code'],
    ['Sort Code', 'bank_code'],
    ['CBN code', 'bank_code'],
    ['Branch', 'branch_code'],
    ['Branch Code', 'branch_code'],
    ['Universal code', 'branch_code'],
    ['Account', 'account_number'],
    ['Account No.', 'account_number'],
    ['Account Number*', 'account_number'],
    ['Acc No', 'account_number'],
    ['acc number', 'account_number'],
    ['Beneficiary Account', 'account_number'],
    ['Network', 'network_provider'],
    ['Mobile network', 'network_provider'],
    ['Provider', 'network_provider'],
    ['network_provider', 'network_provider'],
    ['Phone', 'contact_number'],
    ['Phone Number', 'contact_number'],
    ['Mobile', 'contact_number'],
    ['Mobile number', 'contact_number'],
    ['MSISDN', 'contact_number'],
    ['Cell', 'contact_number'],
    ['Cell phone', 'contact_number'],
    ['MoMo number', 'contact_number'],
    ['contact_number', 'contact_number'],
    ['LNURL', 'lnurl'],
    ['Lightning Address', 'lnurl'],
    ['LN address', 'lnurl'],
    ['Amount', 'amount'],
    ['Value', 'amount'],
    ['Payment Amount', 'amount'],
    ['Net amount', 'amount'],
    ['Net Pay', 'amount'],
    ['Net Salary', 'amount'],
    ['amount_unit', 'amount_unit'],
    ['Currency', 'currency'],
    ['Ccy', 'currency'],
    ['Cur', 'currency'],
    ['Curr.', 'currency'],
    ['Currency Code', 'currency'],
    ['Currency (ISO)', 'currency'],
    ['ISO currency', 'currency'],
    ['Reference', 'reference'],
    ['Ref', 'reference'],
    ['Payment Reference', 'reference'],
    ['paymentReference', 'reference'],
    ['Payment Ref', 'reference'],
    ['Description', 'reference'],
    ['Narration', 'reference'],
    ['Beneficiary reference', 'reference'],
    ['Recipient reference', 'reference'],
    ['Statement reference', 'reference'],
    ['Beneficiary Statement Reference', 'reference'],
    ['Their Reference', 'reference'],
    ['My Statement Reference', 'tag'],
    ['Beneficiary Account Number', 'account_number'],
    ['Document', 'documents'],
    ['Documents', 'documents'],
    ['Invoice', 'documents'],
    ['Invoice file', 'documents'],
    ['Attachment', 'documents'],
    ['Attachments', 'documents'],
    ['Supporting Document', 'documents'],
    ['Merchant ID', 'merchant_id'],
    ['Employee ID', 'payee_id'],
    ['Supplier No.', 'payee_id'],
    ['row_id', 'row_id'],
    ['Row ID', 'row_id'],
    ['ID', 'row_id'],
    ['Unique id', 'row_id'],
    ['Payment ID', 'row_id'],
    ['Tag', 'tag'],
    ['Own reference', 'tag'],
    ['My Reference', 'tag'],
    ['from_country', 'from_country'],
    ['collection_method', 'collection_method'],
    ['type', 'type'],
    ['slow', 'slow'],
    ['Ｎａｍｅ', 'name'],
    ['Account\nNumber', 'account_number'],
    ['\u00a0Amount ', 'amount'],
    ['Payment Reference (required)', 'reference'],
    ['Amount [mandatory]*', 'amount'],
    ['Documents (Optional)', 'documents'],
  ])('%j is %s', (header, field) => {
    expect(one(header)).toMatchObject({ fields: [field], problems: [], unused: [] });
  });

  test('no name stands for two fields', () => {
    const names = fields.flatMap((field) => aliases[field].map((alias) => ({ field, alias })));
    expect(names.filter(({ field, alias }) => knownField(alias) !== field)).toEqual([]);
  });

  test.each(['No', '#', 'no.'])('%j is a line number: neither read nor named as unused', (header) => {
    expect(one(header)).toMatchObject({ fields: [null], problems: [], unused: [] });
  });

  test.each([
    'Reference (ours)',
    'Other Reference',
    'Employer Name',
    'File name',
    'Payment fee',
    'Invoice No',
    'Department',
    'County',
    'Payer',
    'VAT amount',
    'Email',
    'Nickname',
    'Reason',
    'Note',
    'Surname',
    'Payment date',
    'Account type',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])('%j is carried through', (header) => {
    expect(one(header)).toMatchObject({ fields: [null], problems: [], unused: [header] });
  });
});

test('a description is the reference only where nothing else is', () => {
  const { fields, unused } = readHeader(['Description', 'Ref'], 1, undefined);
  expect([fields, unused]).toEqual([[null, 'reference'], ['Description']]);
  const map = { ...noMap, columns: { Description: null } };
  expect(readHeader(['Description'], 1, map)).toMatchObject({ fields: [null], unused: ['Description'] });
  expect(readHeader(['Description'], 1, { ...noMap, values: { reference: 'May' } }).fields).toEqual([null]);
});

describe('the amount and its unit', () => {
  test.each([
    ['Amount (ZAR)', 'ZAR'],
    ['Amount [ngn]', 'NGN'],
    ['Net Pay (KES)*', 'KES'],
    ['Amount (R)', 'ZAR'],
    ['Amount (USD)', 'USD'],
    ['Amount (USDT)', 'USDT'],
    ['Amount ₦', 'NGN'],
    ['Amount USD', 'USD'],
    ['Amount in EUR', 'EUR'],
    ['Net Pay - KES', 'KES'],
  ])('%s counts %s', (header, currency) => {
    expect(one(header)).toMatchObject({ fields: ['amount'], problems: [], amountCurrency: currency });
  });

  test('a map that calls such a column the amount keeps its currency', () => {
    const map = { ...noMap, columns: { 'Betrag EUR': 'amount' as const } };
    expect(readHeader(['Betrag EUR'], 1, map)).toMatchObject({ fields: ['amount'], amountCurrency: 'EUR' });
  });

  test.each([
    'Amount (cents)',
    "Amount ('000)",
    'Amount (thousands)',
    'Amount (%)',
    'Amount ($)',
    'Amount €',
    'Value %',
    'Amount cents',
    'Amount in thousands',
    'Amount x100',
  ])('%s is an error', (header) => {
    expect(codesOf(one(header).problems)).toEqual(['HEADER_UNIT']);
  });
});

describe('headers that are nearly known', () => {
  test.each([
    ['Ammount', 'amount'],
    ['Amuont', 'amount'],
    ['Refernce', 'reference'],
    ['Acount Number', 'account number'],
    ['Benificiary Name', 'beneficiary name'],
    ['Curency', 'currency'],
    ['Coutnry', 'country'],
    ['Phon', null],
    ['Phone nmber', 'phone number'],
  ])('%s', (header, suggestion) => {
    const { problems, fields } = one(header);
    expect(fields).toEqual([null]);
    expect(problems.map((problem) => problem.suggestion)).toEqual(suggestion === null ? [] : [suggestion]);
  });

  test.each([
    ['na\u200bme', 'U+200B', 'name'],
    ['аmount', 'U+0430', 'amount'],
    ['\u202eeman', 'U+202E', null],
    ['Βank', 'U+0392', 'bank'],
  ])('%j is refused with its code points', (header, point, suggestion) => {
    const [problem] = one(header).problems;
    expect(problem).toMatchObject({ code: 'HEADER_CHARACTERS', suggestion });
    expect(messageOf(problem!)).toContain(point);
  });

  test('a header in another alphabet that pretends nothing is carried through', () => {
    expect(one('Примечание')).toMatchObject({ problems: [], unused: ['Примечание'] });
  });
});

describe('two headers for one field', () => {
  test('are an error that names both', () => {
    const [problem] = readHeader(['Amount', 'Name', 'amount '], 4, undefined).problems;
    expect(problem).toMatchObject({ code: 'COLUMN_TWICE', row: 4, column: 'amount' });
    expect(messageOf(problem!)).toContain("A 'Amount' and C 'amount '");
  });

  test('first and last name are one', () => {
    expect(readHeader(['First Name', 'Last name', 'Amount'], 1, undefined)).toMatchObject({
      fields: ['name', 'name', 'amount'],
      problems: [],
    });
  });

  test.each([
    [
      ['Name', 'Surname', 'Amount'],
      ['name', 'name', 'amount'],
    ],
    [
      ['Surname', 'First Names', 'Amount'],
      ['name', 'name', 'amount'],
    ],
    [
      ['Full name', 'First name', 'Surname'],
      ['name', null, null],
    ],
    [
      ['Account holder', 'Surname', 'Amount'],
      ['name', null, 'amount'],
    ],
  ])('%j with a surname', (texts, fields) => {
    expect(readHeader(texts, 1, undefined)).toMatchObject({ fields, problems: [] });
  });

  test.each([
    [['First name', 'Last name', 'Name']],
    [['Name', 'First name', 'Last name']],
    [['First name', 'First name', 'Last name']],
  ])('%j is one name too many', (texts) => {
    expect(codesOf(readHeader(texts, 1, undefined).problems)).toContain('COLUMN_TWICE');
  });

  test('a first name alone is no name', () => {
    expect(readHeader(['First Name', 'Amount'], 1, undefined)).toMatchObject({
      fields: [null, 'amount'],
      unused: ['First Name'],
    });
  });
});

test('a map goes before what we know, and must name a column that is there', () => {
  const columns = { wer: 'name', Wieviel: 'amount', Name: 'tag' } as const;
  const header = readHeader(['Wer', 'Value', 'Name'], 1, { ...noMap, columns });
  expect(header.fields).toEqual(['name', 'amount', 'tag']);
  expect(codesOf(header.problems)).toEqual(['MAP_UNKNOWN']);
});

test('in a file of ours payment_id is ours, and in another it is a row_id', () => {
  const ours = readHeader(
    ['name', 'row_id', 'payment_id', 'payrun_status', 'payrun_batch', 'payrun_row'],
    1,
    undefined,
  );
  expect(ours).toMatchObject({
    own: true,
    fields: ['name', 'row_id', null, null, null, null],
    ours: [false, false, true, true, true, true],
    batchColumn: 4,
    rowColumn: 5,
    unused: [],
    problems: [],
  });
  expect(readHeader(['name', 'payment_id'], 1, undefined)).toMatchObject({ own: false, fields: ['name', 'row_id'] });
  expect(codesOf(readHeader(['payrun_row', 'payrun_row'], 1, undefined).problems)).toEqual(['COLUMN_TWICE']);
});

test('a row is a header by the number of different known names', () => {
  expect(countKnown(['Name', 'Beneficiary', 'Amount'], undefined, false)).toBe(2);
  expect(countKnown(['Name', 'Ammount', 'Refrence'], undefined, false)).toBe(1);
  expect(countKnown(['Name', 'Ammount', 'Refrence'], undefined, true)).toBe(3);
});

test('columns are named as spreadsheets name them', () => {
  expect([0, 25, 26, 51, 52, 701, 702, 16_383].map(columnName)).toEqual([
    'A',
    'Z',
    'AA',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
    'XFD',
  ]);
});
