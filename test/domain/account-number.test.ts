/** Check digits: every vector of the collection, and that one changed digit of a good number is caught where the rule can. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bankAccountLengths,
  checkAccount,
  checkSeverity,
  fitsNuban,
  nubanBanks,
  nubanCheckDigit,
  ruleStrength,
} from '../../src/domain/account-number.ts';
import { bankByBranch, bankOf, bankTable } from '../../src/domain/bank.ts';
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

  it('names the banks that a number would fit', () => {
    const codes = nubanBanks(vectors.nubanBanks.account).map((bank) => bank.code);
    expect(codes.sort()).toEqual(vectors.nubanBanks.matches.sort());
  });

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
