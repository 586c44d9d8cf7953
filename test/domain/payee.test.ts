/** Who a payee is, whatever the spelling: what a sheet could be respelt with is no other payee and no other account. */
import { describe, expect, it } from 'vitest';
import { accountMark, mayBeMended, payeeOf, payeeWords } from '../../src/domain/accounts/payee.ts';
import { kenya, lightning, nigeria, rowOf, southAfrica } from './example.ts';

const nameOf = (name: string) => payeeOf({ ...rowOf(southAfrica), name }).name;
const idOf = (payee_id: string) => payeeOf(rowOf({ ...southAfrica, payee_id })).id;

describe('one payee, spelt otherwise', () => {
  it.each([
    'THANDI MOKOENA',
    'Thandi  Mokoena',
    'ThandiMokoena',
    'Mr Thandi Mokoena',
    'mr. thandi mokoena',
    'Prof. Dr. Thandi Mokoena',
    'Thandi-Mokoena.',
    'Thándi Mokoená',
  ])('%s', (name) => expect(nameOf(name)).toBe(nameOf('Thandi Mokoena')));

  it.each(['Thandi Mokoen', 'Thandi T Mokoena', 'Mrthandi Mokoena'])('%s is another one', (name) =>
    expect(nameOf(name)).not.toBe(nameOf('Thandi Mokoena')),
  );

  it.each([
    ['J0hn Mwangi', 'John Mwangi', true],
    ['Jon Mwangi', 'John Mwangi', true],
    ['John Mwangi Kamau Nairobi', 'John Mwangi Kamau', true],
    ['Ann', 'Anne', true],
    ['Thabo', 'Mr Thabo Dlamini', true],
    ['T. Dlamini', 'Thabo Dlamini', true],
    ['Smith, John', 'John Smith', true],
    ['Otieno', 'Jane Wanjiku Otieno', true],
    ['T', 'Thabo', false],
    ['Ann', 'Joanna', false],
    ['Ali', 'Khalid', false],
    ['Thandi Dlamini', 'Thabo Dlamini', false],
    ['John Mwangi', 'Mary Mwangi', false],
    ['Ann Otieno', 'Jane Otieno', false],
    ['Ali Omar', 'Aisha Omar', false],
  ])('%s may be %s, mended: %s', (one, other, may) =>
    expect([mayBeMended(payeeWords(one), payeeWords(other)), mayBeMended(payeeWords(other), payeeWords(one))]).toEqual([
      may,
      may,
    ]),
  );

  it('a title by itself is a name', () => expect([nameOf('Dr'), nameOf('Mr Ms')]).toEqual(['dr', 'ms']));

  it.each(['emp 42', 'EMP-0042', ' EMP42', 'Emp/042'])('id %j', (id) => expect(idOf(id)).toBe(idOf('EMP-42')));

  it('42 is 0042, and neither 420 nor 402', () => {
    expect(idOf('0042')).toBe(idOf('42'));
    for (const other of ['420', '402', 'A42']) expect(idOf(other)).not.toBe(idOf('42'));
    expect([idOf('0'), idOf('000'), idOf('--')]).toEqual(['0', '0', null]);
  });
});

describe('one account, spelt otherwise', () => {
  const account = (cells: Parameters<typeof rowOf>[0]) => payeeOf(rowOf(cells)).account;

  it.each([
    [kenya, { contact_number: '0712345678' }],
    [kenya, { contact_number: '254712345678', network_provider: 'MPESA' }],
    [southAfrica, { bank_name: 'standard bank of south africa' }],
    [southAfrica, { account_number: '1000 429 1601' }],
    [nigeria, { bank_name: undefined, bank_code: '058' }],
    [lightning, { lnurl: 'Satoshi@Bitcoin.org' }],
  ])('%#', (cells, change) => {
    const other = Object.fromEntries(Object.entries({ ...cells, ...change }).filter(([, cell]) => cell !== undefined));
    expect(account(other)).toBe(account(cells));
  });

  it('another digit is another account', () =>
    expect(account({ ...nigeria, account_number: '0123456778' })).not.toBe(account(nigeria)));

  it.each([
    ['0712 345 678', kenya, { contact_number: '+254712345678' }],
    ['254712345678', kenya, { contact_number: '+254712345678' }],
    ['123456785', nigeria, {}],
    ['1000-429-1601', southAfrica, { account_number: '10004291601' }],
    ['lightning:Satoshi@Bitcoin.org', lightning, { lnurl: 'satoshi@bitcoin.org' }],
  ])('%s is known again', (cell, cells, change) => {
    expect(accountMark(cell)).toBe(accountMark(account({ ...cells, ...change })));
    expect(accountMark(cell)).not.toBe(accountMark(cell.replace('1', '2').replace('S', 'T')));
  });

  it('no number is no account', () => expect([accountMark('-'), accountMark('0000')]).toEqual([null, null]));
});
