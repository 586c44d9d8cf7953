/** A column that is not read, and says that the rows would be paid in something else, or not at all: an error, never a silent payment. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { command, deskFor, documentOf, noted } from '../support.ts';

async function checked(header: string, cells: readonly string[], map?: object) {
  const desk = deskFor(null, []);
  const rows = cells.map((cell, nth) => `Payee ${nth},Kenya,071234560${nth},500,Ref ${nth},${cell}`);
  writeFileSync(desk.sheet, `${[`name,country,phone,amount,reference,${header}`, ...rows].join('\n')}\n`);
  writeFileSync(join(desk.folder, 'map.json'), JSON.stringify(map ?? {}));
  const more = map === undefined ? [] : ['--map', 'map.json'];
  const {
    exit,
    problems,
    notes,
    map: advice,
  } = documentOf(await command(desk, ['check', desk.sheet, '--json', ...more]));
  const [found, warned] = ['error', 'warning'].map((grade) => problems.filter(({ severity }) => severity === grade));
  return { exit, found: found!, warned: warned!, advice, notes };
}

it.concurrent.each([
  ['Ccy', ['USD', 'EUR'], 'CURRENCY_MISMATCH'],
  ['Money', ['USD', 'EUR'], 'CURRENCY_UNREAD'],
  ['Money', ['KES', 'usd'], 'CURRENCY_UNREAD'],
  ['Sign', ['$', 'n/a'], 'CURRENCY_UNREAD'],
  ['Paid as', ['US Dollar', 'US dollars'], 'CURRENCY_UNREAD'],
  ['Paid as', ['Rand', 'Naira'], 'CURRENCY_UNREAD'],
  ['Paid as', ['Kenyan Shilling', 'South African Rand'], 'CURRENCY_UNREAD'],
  ['Paid as', ['KES', 'ALL'], 'CURRENCY_UNREAD'],
  ['Money', ['ALL', 'TOP'], 'CURRENCY_UNREAD'],
  ['Currency of invoice', ['Won', 'Lek'], 'CURRENCY_UNREAD'],
  ['In', ['cents', 'cents'], 'UNIT_UNREAD'],
  ['Cents', ['00', '50'], 'UNIT_UNREAD'],
])('a column %j of %j', async (header, cells, code) => {
  const { exit, found } = await checked(header, cells);
  expect([exit, [...new Set(found.map((one) => one.code))]]).toEqual([20, [code]]);
});

it.concurrent.each([
  ['Money', ['KES', 'KES']],
  ['Paid as', ['Shilling', 'Kenyan shillings', 'KSh']],
  ['Department', ['ALL', 'Sales', 'Field']],
  ['Department', ['ALL', 'TOP']],
  ['Offer', ['Won', 'Won']],
  ['Class', ['N', 'N']],
  ['Cents', ['00', '0']],
])('none in a column %j of %j', async (header, cells) => {
  expect(await checked(header, cells)).toMatchObject({ exit: 0, found: [] });
});

it.concurrent.each([
  ['Status', ['cancelled', 'active']],
  ['Status', ['Pending', 'PAID']],
  ['Paid?', ['no', 'yes']],
  ['Pay (Y/N)', ['Y', 'N']],
  ['To be paid?', ['No', 'false']],
  ['Approved', ['Yes', 'No', 'n']],
  ['Approved by', ['Kofi', '']],
  ['Skip', ['', 'x']],
  ['Action', ['Exclude', 'pay']],
  ['Paid', ['0', '2026-10-31']],
  ['Bezahlt', ['ja', '']],
  ['December', ['✓', '']],
  ['Status', ['cancelled', 'CANCELLED']],
  ['Approved by', ['TOP', '']],
  ['Approved by', ['ZA', 'KES', 'KES']],
  ['Payment category', ['Refused', 'Approved']],
])('a column %j of %j says which rows are meant', async (header, cells) => {
  const { exit, found } = await checked(header, cells);
  expect([exit, found.map(({ code, row }) => [code, row])]).toEqual([20, [['CHOICE_UNREAD', null]]]);
});

it.concurrent.each([
  ['Notes', ['HOLD - no invoice yet', 'holding company'], [2]],
  ['Remarks', ['', 'Do not pay until the 5th'], [3]],
  ['Anything', ['*On hold*', 'Stop!'], [2, 3]],
  ['Anything', ['Not approved', 'not yet authorised - see Sipho', 'NOT APPROVED.'], [2, 3, 4]],
  ['Notes', ['Reversed', 'reversed on 3 Nov', 'Reversal'], [2, 3, 4]],
  ['Remarks', ['duplicate', 'Withheld', 'DNP', 'Hold back', 'paid in cash'], [2, 3, 4, 5, 6]],
  ['Comments', ['HOLD until Friday', 'on hold per Sipho', 'Do not release', 'Not to be paid'], [2, 3, 4, 5]],
  ['Comments', ['nicht zahlen', 'ne pas payer'], [2, 3]],
])('a column %j of %j marks rows that are not to be paid', async (header, cells, rows) => {
  const { exit, found } = await checked(header, cells);
  const marked = found.filter(({ code }) => code === 'ROW_MARKED').map(({ row }) => row);
  expect([exit, marked]).toEqual([20, rows]);
});

it.concurrent.each([
  ['Notes', ['bonus', 'INV 12 PAID', 'Ann PAID it in May'], [3, 4]],
  ['Due date', ['2020-01-01', '2020-01-02', '2126-12-01'], [4]],
  ['Fällig am', ['01.12.2126', '01.12.2126'], [null]],
])('a column %j of %j warns of rows', async (header, cells, rows) => {
  const { exit, warned } = await checked(header, cells);
  expect([exit, warned.map(({ row }) => row)]).toEqual([0, rows]);
});

it.concurrent.each([
  ['Payment terms', ['Paid weekly', 'Paid by EFT', 'stop order']],
  ['Town', ['Stopford', 'Hold Street 4', 'Unstop']],
  ['Department', ['Sales', 'Ops', 'Sales', 'Kitchen', 'Office']],
  ['Notes', ['Returned goods', 'duplicate key cutting', 'dispute settled', 'Pending', 'remove rubble']],
  ['Notes', ['Skipper of the boat', 'reversed charge for hire', 'approval no 7']],
])('a column %j of %j does not', async (header, cells) => {
  expect(await checked(header, cells)).toMatchObject({ exit: 0, found: [] });
});

it.concurrent.each([
  ['Net Payable', ['450', '500']],
  ['Net payable (KES)', ['450', '500']],
  ['Amount to pay', ['500', '1500.00']],
  ['Amt to pay', ['500', '1500.00']],
  ['Montant à payer', ['500', '1500.00']],
  ['Amount due', ['450', '']],
  ['Balance', ['0', '500']],
  ['Total', ['575', '575']],
  ['KES', ['64000', '500']],
])('a column %j of %j may be the amount that is meant', async (header, cells) => {
  const { exit, found } = await checked(header, cells);
  expect([exit, found.map(({ code, column, value }) => [code, column, value])]).toEqual([
    20,
    [['COLUMN_TWICE', 'amount', header]],
  ]);
  expect(await checked(header, cells, { columns: { [header]: null } })).toMatchObject({ exit: 0, found: [] });
});

it.concurrent.each([
  ['Net Payable', ['500', '500.00']],
  ['Net Payable', ['500', '']],
  ['Due', ['2026-12-01', '2026-12-02']],
  ['Gross pay', ['700', '650']],
  ['VAT amount', ['75', '75']],
  ['Loan balance', ['1200', '0']],
  ['Total hours', ['160', '158']],
])('a column %j of %j is not', async (header, cells) => {
  expect(await checked(header, cells)).toMatchObject({ exit: 0, found: [] });
});

it('a map that reads nothing there decides nothing', async () => {
  const mapped = await checked('Status', ['cancelled', 'active'], { columns: { Status: null } });
  expect(mapped.found.map(({ code }) => code)).toEqual(['CHOICE_UNREAD']);
});

it.concurrent.each([
  ['Druckfreigabe', 'nein'],
  ['Payé', 'oui'],
  ['Nov', '✗'],
])('a column %j that says %j of every row is noted', async (header, value) => {
  const { exit, notes } = await checked(header, [value, value]);
  expect([exit, notes]).toEqual([
    0,
    expect.arrayContaining([noted('column-constant', { column: 'F', header, value })]),
  ]);
});

it('says how to go on, and is content once a map says that the column is nothing', async () => {
  const { found, advice } = await checked('Money', ['KES', 'USD']);
  expect(advice?.suggested.columns, 'the map to start from hides nothing').toMatchObject({ Money: 'currency' });
  const facts = { header: 'Money', row: 3, says: 'USD', currency: 'KES' };
  expect(found).toMatchObject([{ row: null, column: 'currency', value: 'USD', code: 'CURRENCY_UNREAD', facts }]);
  expect(found[0]?.message).toContain('--map');
  const silenced = await checked('Money', ['KES', 'USD'], { columns: { Money: null } });
  expect(silenced.exit).toBe(0);
  expect(silenced.notes, 'the word of the person stands, and is said').toContainEqual(
    noted('values-ignored', { column: 'F', header: 'Money', row: 3, says: 'USD' }),
  );
});
