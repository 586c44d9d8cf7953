/** Banks: stable ids, the list's spelling, codes of every kind, and suggestions that are never applied. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BankCountry,
  bankByBranch,
  bankByName,
  bankCountries,
  bankDirectory,
  bankNames,
  bankOf,
  bankTable,
  offlineBanks,
  readBankCode,
} from '../../src/domain/accounts/bank.ts';
import { editDistance, fold } from '../../src/domain/rows/text.ts';

describe('the table', () => {
  it.each(bankCountries)('%s: every name and alias means one bank, every code too', (country) => {
    const owners = new Map<string, string>();
    for (const bank of bankTable[country]) {
      for (const name of new Set([bank.name, ...bank.aliases].map(fold))) {
        expect(owners.get(name), `${name} of ${bank.name}`).toBeUndefined();
        owners.set(name, bank.id);
      }
    }
    const codes = bankTable[country].map((bank) => bank.code ?? bank.branchCode).filter((code) => code !== null);
    expect(new Set(codes).size).toBe(codes.length);
  });

  // A row's digest depends on these: a line may be added here, none may change.
  it('keeps the ids it has given', () => {
    expect(bankCountries.flatMap((country) => bankTable[country].map((bank) => bank.id))).toMatchSnapshot();
  });

  it('has codes as text of their proper length', () => {
    for (const bank of bankTable.SouthAfrica) expect(bank.branchCode ?? '000000').toMatch(/^\d{6}$/);
    for (const bank of bankTable.Nigeria) expect(bank.code).toMatch(/^\d{3}$/);
    for (const bank of bankTable.Kenya) expect(bank.code).toMatch(/^\d{2}$/);
  });
});

describe('ids', () => {
  it.each([
    ['SouthAfrica', { name: 'FNB' }, 'firstnationalbank'],
    ['SouthAfrica', { name: 'First National Bank' }, 'firstnationalbank'],
    ['SouthAfrica', { name: 'CAPITEC BANK LIMITED' }, 'capitecbank'],
    ['SouthAfrica', { name: 'GoTyme' }, 'tymebank'],
    ['SouthAfrica', { name: 'Some New Bank' }, 'somenewbank'],
    ['Nigeria', { name: 'GTBank Plc' }, 'guarantytrustbank'],
    ['Nigeria', { code: '058' }, 'guarantytrustbank'],
    ['Nigeria', { code: '000058' }, 'guarantytrustbank'],
    ['Nigeria', { code: '58' }, 'guarantytrustbank'],
    ['Nigeria', { code: '058-152-036' }, 'guarantytrustbank'],
    ['Nigeria', { name: 'Zenith Bank', code: '058' }, 'zenithbank'],
    ['Nigeria', { code: '090365' }, 'code:090365'],
    ['Nigeria', { code: '000011' }, 'code:000011'],
    ['Nigeria', { name: 'Kuda' }, 'kuda'],
    ['Nigeria', {}, undefined],
    ['Nigeria', { name: '--', code: 'x' }, undefined],
    ['Kenya', { name: 'I&M' }, 'imbank'],
    ['Kenya', { code: '1' }, 'kcbbankkenya'],
  ] as const)('%s %j is %s', (country, words, id) => expect(bankOf(country, words)).toBe(id));

  it.each([
    ['SouthAfrica', 'Nedbank Limited', 'nedbank'],
    ['SouthAfrica', 'Nedbank (Pty) Ltd.', 'nedbank'],
    ['SouthAfrica', 'Nedbank Proprietary Limited', 'nedbank'],
    ['SouthAfrica', 'Limited Nedbank', undefined],
    ['Nigeria', 'Zenith Bank PLC', 'zenithbank'],
    ['Nigeria', 'Ltd', undefined],
  ] as const)('%s, %j without its company endings is %s', (country, name, id) =>
    expect(bankByName(country, name)?.id).toBe(id),
  );

  it.each([
    ['Nigeria', '011', 'firstbankofnigeria'],
    ['Nigeria', '11', 'firstbankofnigeria'],
    ['Nigeria', '058152036', 'guarantytrustbank'],
    ['Nigeria', '999152036', 'unknown'],
    ['Nigeria', '0581520', 'unknown'],
    ['Nigeria', '000037', 'ambiguous'],
    ['Nigeria', '000038', 'unknown'],
    ['Nigeria', '000057', 'zenithbank'],
    ['Nigeria', '100057', 'unknown'],
    ['Nigeria', '0057', 'unknown'],
    ['Nigeria', '057000', 'unknown'],
    ['Nigeria', '0000579', 'unknown'],
    ['Nigeria', '057', 'zenithbank'],
    ['Nigeria', '57', 'zenithbank'],
    ['Nigeria', '99', 'unknown'],
    ['Kenya', '1', 'kcbbankkenya'],
    ['Kenya', '01', 'kcbbankkenya'],
    ['Kenya', '001', 'unknown'],
    ['SouthAfrica', '051001', 'standardbank'],
    ['SouthAfrica', '51001', 'unknown'],
  ] as const)('%s, code %s is %s', (country, digits, expected) => {
    const read = readBankCode(country, digits);
    expect(typeof read === 'string' ? read : read.id).toBe(expected);
  });

  it('tells banks apart by country', () => {
    expect(bankByName('SouthAfrica', 'Access Bank')?.branchCode).toBe('410105');
    expect(bankByName('Nigeria', 'Access Bank')?.code).toBe('044');
  });

  it('knows branch codes', () => {
    expect(bankByBranch('051001')?.name).toBe('Standard Bank');
    expect(bankByBranch('123456')).toBeUndefined();
  });
});

describe('a bank in the list of the service', () => {
  const lists = {
    SouthAfrica: ['FNB', 'Standard Bank (South Africa)', 'CAPITEC', 'Shiny New Bank'],
    Nigeria: [
      { name: 'GTBank', code: '000013' },
      { name: 'First Bank', code: '000016' },
      { name: 'Kuda MFB', code: '090267' },
    ],
  };
  const banks = bankDirectory(lists);
  const unlisted = (bank: string, country: BankCountry) => ({ bank, country, list: 'service', suggestion: null });
  const found = (country: 'SouthAfrica' | 'Nigeria', name?: string, code?: string) => {
    const answer = banks.find(country, name, code);
    const codes = answer.findings.map((one) => one.code).join(' ');
    return answer.id === null ? `- ${codes}` : `${answer.id}|${answer.name}|${answer.code}|${codes}`;
  };

  it.each([
    ['SouthAfrica', 'FNB', undefined, 'firstnationalbank|FNB|null|'],
    ['SouthAfrica', 'First National Bank', undefined, 'firstnationalbank|FNB|null|BANK_ALIAS'],
    ['SouthAfrica', 'capitec', undefined, 'capitecbank|CAPITEC|null|'],
    ['SouthAfrica', 'shiny-new bank', undefined, 'shinynewbank|Shiny New Bank|null|'],
    ['SouthAfrica', 'Nedbank', undefined, '- BANK_UNKNOWN'],
    ['SouthAfrica', undefined, undefined, '- BANK_MISSING'],
    ['SouthAfrica', '--', undefined, '- BANK_MISSING'],
    ['Nigeria', 'Guaranty Trust Bank', undefined, 'guarantytrustbank|GTBank|null|BANK_ALIAS'],
    ['Nigeria', undefined, '058', 'guarantytrustbank|GTBank|058|'],
    ['Nigeria', undefined, '58', 'guarantytrustbank|GTBank|058|BANK_CODE_PADDED'],
    ['Nigeria', undefined, '000058', 'guarantytrustbank|GTBank|058|'],
    ['Nigeria', undefined, '000013', 'guarantytrustbank|GTBank|000013|'],
    ['Nigeria', undefined, '090267', 'kudamfb|Kuda MFB|090267|'],
    ['Nigeria', undefined, '000011', '- BANK_CODE_AMBIGUOUS'],
    ['Nigeria', undefined, '090365', 'code:090365|null|090365|BANK_CODE_UNKNOWN'],
    ['Nigeria', undefined, '057', '- BANK_UNKNOWN'],
    ['Nigeria', undefined, 'GTB', '- BANK_CODE_INVALID'],
    ['Nigeria', 'GTBank', '058', 'guarantytrustbank|GTBank|058|'],
    ['Nigeria', 'GTBank', '058152036', 'guarantytrustbank|GTBank|058|'],
    ['Nigeria', 'GTBank', '000013', 'guarantytrustbank|GTBank|000013|'],
    ['Nigeria', 'GTBank', '58', 'guarantytrustbank|GTBank|058|BANK_CODE_PADDED'],
    ['Nigeria', 'Guaranty Trust Bank', '058', 'guarantytrustbank|GTBank|058|BANK_ALIAS'],
    ['Nigeria', 'Guaranty Trust Bank', '011', '- BANK_ALIAS BANK_CODE_MISMATCH'],
    ['Nigeria', 'Guaranty Trust Bank', 'GTB', '- BANK_ALIAS BANK_CODE_INVALID'],
    ['Nigeria', undefined, '058-152 036', 'guarantytrustbank|GTBank|058|'],
    ['Nigeria', undefined, '0581520361', '- BANK_CODE_INVALID'],
    ['Nigeria', 'GTBank', '011', '- BANK_CODE_MISMATCH'],
    ['Nigeria', 'GTBank', '000016', '- BANK_CODE_MISMATCH'],
    ['Nigeria', 'GTBank', '090999', 'guarantytrustbank|GTBank|null|BANK_CODE_UNKNOWN'],
  ] as const)('%s %s %s: %s', (country, name, code, expected) => {
    expect(found(country, name, code)).toBe(expected);
    // The second answer comes from the kept ones.
    expect(found(country, name, code)).toBe(expected);
  });

  it('suggests, and never applies', () => {
    const answer = banks.find('SouthAfrica', 'Capitek', undefined);
    expect(answer.id).toBeNull();
    expect(answer.findings[0]).toMatchObject({ code: 'BANK_UNKNOWN', suggestion: 'CAPITEC' });
    expect(banks.find('SouthAfrica', 'Bnak of the Moon', undefined).findings[0]?.suggestion).toBeNull();
  });

  it.each([
    ['SouthAfrica', 'First Natonal Bank', 'FNB'],
    ['SouthAfrica', 'Standrad Bnk (South Africa)', 'Standard Bank (South Africa)'],
    ['SouthAfrica', 'Standard', null],
    ['SouthAfrica', 'shiny', null],
    ['SouthAfrica', 'the new shiny fnb of ours', null],
    ['SouthAfrica', 'FNB Namibia', null],
    ['SouthAfrica', 'FNC', null],
    ['Nigeria', 'Bank', null],
    ['Nigeria', 'Kuda Micro', null],
    ['Nigeria', 'Kude MFB', null],
  ] as const)('%s, %j: a typing slip alone is suggested, %j', (country, name, meant) => {
    const [unknown] = bankDirectory(lists).find(country, name, undefined).findings;
    expect([unknown?.code, unknown?.suggestion]).toEqual(['BANK_UNKNOWN', meant]);
  });

  it('suggests neither of two that are as near', () => {
    const two = bankDirectory({ Kenya: ['Gamma Bank', 'Gemma Bank'] });
    expect(two.find('Kenya', 'Gumma Bank', undefined).findings[0]?.suggestion).toBeNull();
  });

  it.each([
    ['SouthAfrica', 'First National Bank', undefined, { bank: 'First National Bank', suggestion: 'FNB' }],
    ['SouthAfrica', undefined, undefined, { country: 'SouthAfrica', branch: null, suggestion: null }],
    ['Nigeria', undefined, undefined, { country: 'Nigeria', branch: null, suggestion: null }],
    ['SouthAfrica', 'Nedbank', undefined, unlisted('Nedbank', 'SouthAfrica')],
    ['Nigeria', 'Moon', undefined, unlisted('Moon', 'Nigeria')],
    ['Kenya', 'Moon', undefined, { ...unlisted('Moon', 'Kenya'), list: 'built-in' }],
    ['Nigeria', undefined, 'GTB', { code: 'GTB' }],
    ['Nigeria', undefined, '58', { code: '58', suggestion: '058' }],
    ['Nigeria', undefined, '000011', { code: '000011' }],
    ['Nigeria', undefined, '090365', { code: '090365', isSent: true }],
    ['Nigeria', 'GTBank', '090999', { code: '090999', isSent: false }],
    ['Nigeria', 'GTBank', '011', { code: '011', owner: 'First Bank of Nigeria', bank: 'GTBank' }],
  ] as const)('%s %s %s: the sheet’s own words are kept', (country, name, code, facts) => {
    const { findings } = bankDirectory(lists).find(country, name, code);
    expect(findings.map((one) => one.facts)).toEqual([facts]);
  });

  it('of which two are listed alike is the first of them', () => {
    const twice = bankDirectory({ Nigeria: [{ name: 'GT Bank' }, { name: 'GTBANK', code: '058' }, 'Zenith'] });
    const name = (said?: string, code?: string) => {
      const answer = twice.find('Nigeria', said, code);
      return answer.id === null ? null : answer.name;
    };
    expect([name('gtbank'), name('GTBANK'), name('Guaranty Trust Bank'), name(undefined, '058')]).toEqual([
      'GT Bank',
      'GTBANK',
      'GT Bank',
      'GTBANK',
    ]);
  });

  it('is never chosen by a branch code', () => {
    expect(banks.find('SouthAfrica', undefined, undefined).id).toBeNull();
  });
});

/** Banks of these and other countries that our table does not have, or has in another country. */
const otherBanks = [
  ...bankCountries.flatMap((country) => bankTable[country].flatMap(({ name, aliases }) => [name, ...aliases])),
  ...[
    'Ubank, Finbond Mutual Bank, GBS Mutual Bank, VBS Mutual Bank, Habib Overseas Bank, HSBC, Citibank',
    'State Bank of India, Bank of China, South African Bank of Athens, Land Bank, Imperial Bank, Wesbank',
    'Peoples Bank, BNP Paribas, Deutsche Bank, Nedcor, Ithala, FNB Namibia, Standard Lesotho Bank',
    'Bank Windhoek, OPay, Moniepoint MFB, PalmPay, Kuda Bank, Opal Bank, Mint MFB, Rubies MFB, VFD MFB',
    'Accion MFB, Sparkle, Carbon, Fairmoney MFB, Bank of America, Unibank, First Citizens Bank, NMB Bank',
    'CRDB Bank, Equity Bank Uganda, Centenary Bank, Stanbic Bank Uganda, FNB Botswana, Fidelity Bank Ghana',
  ].flatMap((line) => line.split(', ')),
];

describe('without a service', () => {
  it.each(bankCountries)('%s: a bank that is another one is never suggested for', (country) => {
    const banks = offlineBanks();
    for (const name of otherBanks) {
      const { id, findings } = banks.find(country, name, undefined);
      if (id === null) expect(findings[0]?.suggestion, name).toBeNull();
    }
  });

  it.each(bankCountries)('%s: whatever is typed, nothing but a slip of one letter a word is suggested', (country) => {
    const names = bankTable[country].flatMap(({ name, aliases }) => [name, ...aliases]);
    const typed = fc
      .tuple(fc.constantFrom(...otherBanks), fc.array(fc.tuple(fc.nat(30), fc.constantFrom('', 'a', 'e', 'x', ' '))))
      .map(([name, edits]) =>
        edits.reduce((text, [at, letter]) => text.slice(0, at) + letter + text.slice(at + 1), name),
      );
    fc.assert(
      fc.property(typed, (text) => {
        const { id, findings } = offlineBanks().find(country, text, undefined);
        const suggestion = findings[0]?.suggestion ?? null;
        if (id !== null || suggestion === null) return;
        const alike = names.filter((name) => bankByName(country, name)?.name === suggestion);
        // A swap is two changes.
        const slips = text.split(/\W+/).length * 2;
        expect(Math.min(...alike.map((name) => editDistance(fold(text), fold(name))))).toBeLessThanOrEqual(slips);
        expect(otherBanks.filter((name) => fold(name) === fold(text))).toEqual([]);
      }),
    );
  });

  it('says so', () => {
    const [unknown] = offlineBanks().find('Nigeria', 'OPay', undefined).findings;
    expect(unknown?.facts).toMatchObject({ list: 'built-in' });
    expect([offlineBanks().isBuiltIn, bankDirectory({ Nigeria: ['OPay'] }).isBuiltIn]).toEqual([true, false]);
  });

  it.each(bankCountries)('%s: every bank of ours is found under its own name', (country) => {
    const banks = offlineBanks();
    for (const name of bankNames(country)) {
      expect(banks.find(country, name, undefined)).toMatchObject({ id: fold(name), name, findings: [] });
    }
  });

  it('an id does not depend on the list', () => {
    const listed = bankDirectory({ SouthAfrica: ['FNB'] });
    for (const name of ['FNB', 'First National Bank', 'fnb ']) {
      expect(listed.find('SouthAfrica', name, undefined).id).toBe(
        offlineBanks().find('SouthAfrica', name, undefined).id,
      );
    }
  });
});
