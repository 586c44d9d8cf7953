/** Who a payee is, whatever the spelling: what a sheet could be respelt with is no other payee and no other account. */
import { describe, expect, it } from 'vitest';
import { payeeOf } from '../../src/domain/accounts/payee.ts';
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
});
