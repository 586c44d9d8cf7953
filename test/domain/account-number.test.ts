/** Check digits: every vector of the collection, and that one changed digit of a good number is caught where the rule can. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountLengths,
  bankAccountLengths,
  checkAccount,
  checkSeverity,
  fitsNuban,
  nubanCheckDigit,
  ruleStrength,
} from '../../src/domain/accounts/account-number.ts';
import { bankByBranch, bankOf, bankTable } from '../../src/domain/accounts/bank.ts';
import vectors from './account-vectors.json' with { type: 'json' };

describe('South African check digits', () => {
  it.each(vectors.cdv)('$bank $account: $valid', ({ branch, account, valid }) => {
    const bank = bankByBranch(branch);
    expect(bank).toBeDefined();
    expect(checkAccount('SouthAfrica', bank?.id ?? '', account)).toBe(valid ? 'well-formed' : 'fails');
  });

  it.each([
    ['standardbank', '1321676'],
    ['capitecbank', '01001274162'],
    ['firstnationalbank', '6200123456'],
    ['absabank', '4001234'],
  ])('%s refuses the length of %s', (bank, account) =>
    expect(checkAccount('SouthAfrica', bank, account)).toBe('fails'),
  );

  it.each(['africanbank', 'tymebank', 'bankzero', 'some bank'])('%s has no rule', (bank) => {
    expect(checkAccount('SouthAfrica', bank, '12345678')).toBe('no-rule');
    expect(ruleStrength('SouthAfrica', bank)).toBeUndefined();
  });

  it('takes Absa numbers of eleven digits that begin with 53', () =>
    expect(checkAccount('SouthAfrica', 'absabank', '53000000001')).toBe('well-formed'));

  it.each([
    ['capitecbank', 10],
    ['standardbank', 9],
  ] as const)('%s: every single changed digit of a good number is caught', (bank, length) => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });
    fc.assert(
      fc.property(digits, fc.nat(length - 1), fc.integer({ min: 1, max: 9 }), (numbers, place, by) => {
        const account = numbers.join('');
        fc.pre(checkAccount('SouthAfrica', bank, account) === 'well-formed');
        const changed = numbers.with(place, ((numbers[place] ?? 0) + by) % 10).join('');
        expect(checkAccount('SouthAfrica', bank, changed)).toBe('fails');
      }),
      { numRuns: 200 },
    );
  });

  // Found by a search with another program: each number passes in one way only.
  it.each([
    ['absabank', '53898268277', 'begins with 53'],
    ['absabank', '48008434774', 'the first way'],
    ['absabank', '46945873919', 'the second'],
    ['absabank', '27920201070', 'the third'],
    ['absabank', '49761767860', 'the third, with a rest of 1 and a last digit 0'],
    ['absabank', '77452711331', 'the third, with a rest of 1 and a last digit 1'],
    ['absabank', '34245758255', 'the fourth'],
    ['absabank', '718157165', 'the fifth: nine digits, the last plus six'],
    ['absabank', '58652790155', 'the sixth'],
    ['standardbank', '19120826739', 'eleven digits from 1 have a second way'],
    ['firstnationalbank', '33853456378', 'modulus 10'],
    ['firstnationalbank', '35203514512', 'the exception, modulus 11'],
    ['nedbank', '1570789932', 'from 1, plus 9'],
    ['nedbank', '2897848545', 'from 2, plus 18'],
    ['nedbank', '3555084148', 'from 3, plus nothing'],
    ['nedbank', '21501212944', 'a savings account, modulus 10'],
    ['investecbank', '5972567913', 'modulus 11'],
    ['mercantilebank', '4671457474', 'modulus 11'],
    ['mercantilebank', '8265121300', 'a rest of 1 and a last digit 0'],
    ['mercantilebank', '2684190241', 'a rest of 1 and a last digit 1'],
  ])('%s takes %s: %s', (bank, account) => expect(checkAccount('SouthAfrica', bank, account)).toBe('well-formed'));

  it.each([
    ['absabank', '68576391727', 'a rest of 1 and another last digit'],
    ['absabank', '8877346559', 'ten digits whose last plus six would fit'],
    ['standardbank', '25405126311', 'the second way is for numbers from 1'],
    ['firstnationalbank', '32118653125', 'neither way'],
    ['nedbank', '1629503965', 'from 1, as if nothing were added'],
    ['nedbank', '1699048039', 'from 1, as if 18 were'],
    ['nedbank', '2143014380', 'from 2, as if nothing were added'],
    ['nedbank', '3629856108', 'from 3, as if 9 were'],
    ['investecbank', '7993428856', 'modulus 11'],
    ['mercantilebank', '3377550888', 'a rest of 1 and another last digit'],
  ])('%s refuses %s: %s', (bank, account) => expect(checkAccount('SouthAfrica', bank, account)).toBe('fails'));

  it.each([
    ['SouthAfrica', 'standardbank', [9, 11]],
    ['SouthAfrica', 'capitecbank', [10]],
    ['SouthAfrica', 'tymebank', undefined],
    ['Kenya', 'kcbbankkenya', undefined],
    ['Nigeria', 'opay', [10]],
  ] as const)('%s, %s: accounts have %j digits', (country, bank, lengths) =>
    expect(bankAccountLengths(country, bank)).toEqual(lengths),
  );

  it.each([
    ['SouthAfrica', 5, 16],
    ['Nigeria', 10, 10],
    ['Kenya', 6, 16],
  ] as const)('any account in %s has %i to %i digits', (country, least, most) =>
    expect(accountLengths[country]).toEqual({ least, most }),
  );

  it('every rule is the rule of a bank in the table', () => {
    const ruled = bankTable.SouthAfrica.filter((bank) => ruleStrength('SouthAfrica', bank.id) !== undefined);
    expect(new Set(ruled.map((bank) => bank.branchCode))).toEqual(
      new Set(['051001', '198765', '250655', '450105', '470010', '580105', '632005']),
    );
  });
});

describe('Nigerian check digits', () => {
  it.each(vectors.nuban)('$bank + $serial: $account', ({ bank, serial, account }) => {
    expect(serial + nubanCheckDigit(bank, serial)).toBe(account);
    expect(fitsNuban(bank, account)).toBe(true);
    const id = bankOf('Nigeria', { code: bank }) ?? '';
    expect(checkAccount('Nigeria', id, account)).toBe('well-formed');
  });

  it('reads the six-digit form of a five-digit code as that code', () =>
    expect(vectors.nuban.filter((one) => 'bank6' in one).every((one) => one.bank6 === `9${one.bank}`)).toBe(true));

  it('catches every single changed digit', () => {
    const code = fc.constantFrom('011', '058', '057', '50547');
    const serial = fc.stringMatching(/^\d{9}$/);
    fc.assert(
      fc.property(code, serial, fc.nat(9), fc.integer({ min: 1, max: 9 }), (bank, nine, place, by) => {
        const account = nine + nubanCheckDigit(bank, nine);
        expect(fitsNuban(bank, account)).toBe(true);
        const digit = (Number(account[place]) + by) % 10;
        expect(fitsNuban(bank, account.slice(0, place) + digit + account.slice(place + 1))).toBe(false);
      }),
    );
  });

  it('never takes a NIP code or a number of another length', () => {
    expect(fitsNuban('000058', '0123456785')).toBe(false);
    expect(checkAccount('Nigeria', 'code:090365', '0123456785')).toBe('no-rule');
    expect(fitsNuban('058', '123456785')).toBe(false);
    expect(bankAccountLengths('Nigeria', 'code:090365')).toEqual([10]);
  });

  it.each([
    ['058', '0123456785 '],
    ['058', ' 0123456785'],
    ['058', '01234567855'],
    ['058 ', '0123456785'],
    ['0580', '0123456785'],
    ['5054', '0000014573'],
    ['x058', '0123456785'],
    ['', '0000000000'],
  ])('fits no bank where the code %j or the number %j is not of its form', (code, account) =>
    expect(fitsNuban(code, account)).toBe(false),
  );

  it('checks the number of an institution that only its code names', () => {
    expect(checkAccount('Nigeria', 'code:50547', '0000014573')).toBe('well-formed');
    expect(checkAccount('Nigeria', 'code:50547', '0000014574')).toBe('fails');
    expect(checkAccount('Nigeria', 'node:50547', '0000014573')).toBe('no-rule');
  });

  it('is published for deposit banks that a source confirms, and only for those', () => {
    expect(ruleStrength('Nigeria', 'guarantytrustbank')).toBe('published');
    expect(ruleStrength('Nigeria', 'globusbank')).toBe('other');
    expect(ruleStrength('Nigeria', 'code:50547')).toBe('other');
    expect(ruleStrength('Nigeria', 'opay')).toBeUndefined();
  });
});

describe('how a failed check is reported', () => {
  it.each([
    ['by-rule', 'published', 'error'],
    ['by-rule', 'other', 'warning'],
    ['warn', 'published', 'warning'],
    ['error', 'other', 'error'],
    ['off', 'published', null],
  ] as const)('%s, %s: %s', (mode, strength, severity) => expect(checkSeverity(mode, strength)).toBe(severity));

  it('Kenya has no rule', () => expect(checkAccount('Kenya', 'kcbbankkenya', '123456')).toBe('no-rule'));
});
