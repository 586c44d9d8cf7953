/** Destinations: when a row and a merchant of the service are one. */
import { describe, expect, it } from 'vitest';
import {
  destinationKey,
  isUnclear,
  type ListedMerchant,
  mayStillBe,
  merchantKeys,
} from '../../src/domain/accounts/merchant.ts';
import { kenya, lightning, nigeria, rowOf, southAfrica } from './example.ts';

describe('a merchant as the service returns it', () => {
  it.each([
    [southAfrica, { country: 'SouthAfrica', bankName: 'Standard Bank', accountNumber: '10004291601' }],
    [nigeria, { country: 'Nigeria', bankName: 'GTBank', bankCode: '000013', accountNumber: '0123456785' }],
    [nigeria, { country: 'Nigeria', bankCode: '058', accountNumber: '0123456785' }],
    [
      { ...nigeria, bank_name: '', bank_code: '058' },
      { country: 'Nigeria', bankName: 'GTB', accountNumber: '0123456785' },
    ],
    [
      { ...nigeria, bank_name: '', bank_code: '50547' },
      { country: 'Nigeria', bankName: 'Acme MFB', bankCode: '50547', accountNumber: '0123456785' },
    ],
    [kenya, { country: 'Kenya', networkProvider: 'momo', contactNumber: '+254712345678' }],
    [lightning, { country: 'BTC', lnurl: 'Satoshi@bitcoin.org' }],
    [lightning, { country: 'BTC', lnurl: ' LIGHTNING:satoshi@bitcoin.org ' }],
    [southAfrica, { country: 'za', bankName: 'SBSA', accountNumber: '1000-429 1601' }],
    [southAfrica, { country: 'SouthAfrica', bankName: '051001', accountNumber: '10004291601' }],
    [kenya, { country: 'KE', networkProvider: ' MOMO ', contactNumber: '+254 712-345 678' }],
  ] as const)('is the destination of the row', (cells, merchant) => {
    const { bank_name, ...rest } = cells as typeof nigeria;
    const row = rowOf(bank_name === '' ? rest : cells, { accountChecks: 'off' });
    expect(merchantKeys(merchant)).toContain(destinationKey(row.destination));
  });

  it.each([
    [southAfrica, { country: 'SouthAfrica', bankName: 'Standard Bank', accountNumber: '010004291601' }],
    [southAfrica, { country: 'SouthAfrica', bankName: 'Absa', accountNumber: '10004291601' }],
    [nigeria, { country: 'Nigeria', bankName: 'Zenith Bank', bankCode: '058', accountNumber: '0123456785' }],
    [nigeria, { country: 'Nigeria', bankName: 'GTBank', accountNumber: '123456785' }],
    [kenya, { country: 'Kenya', networkProvider: 'OTHER', contactNumber: '+254712345678' }],
  ] as const)('is not the destination of the row', (cells, merchant) =>
    expect(merchantKeys(merchant)).not.toContain(destinationKey(rowOf(cells).destination)),
  );

  it.each<ListedMerchant>([
    {},
    { country: 'Narnia', accountNumber: '1' },
    { country: 'SouthAfrica', bankName: 'Absa' },
    { country: 'SouthAfrica', accountNumber: '12345678' },
    { country: 'Nigeria', bankName: null, bankCode: null, accountNumber: '0123456785' },
    { country: 'SouthAfrica', bankName: 'Absa', accountNumber: '******1601' },
    { country: 'Kenya', networkProvider: 'MOMO' },
    { country: 'Kenya', networkProvider: 'MOMO', contactNumber: ' - ' },
    { country: 'SouthAfrica', bankName: 'Absa', accountNumber: ' - ' },
    { country: 'BTC' },
    { accountNumber: '1', bankName: 'Absa' },
    { country: 'BTC', lnurl: ' ' },
  ])('has no key where it cannot be read: %j', (merchant) => {
    expect(merchantKeys(merchant)).toEqual([]);
  });
});

it.each<[ListedMerchant, string[]]>([
  [{ country: 'SouthAfrica', bankName: 'Absa', accountNumber: '12345678' }, ['SouthAfrica|absabank|12345678']],
  [
    { country: 'Nigeria', bankName: 'GTBank', bankCode: '000013', accountNumber: '0123456785' },
    ['Nigeria|guarantytrustbank|0123456785'],
  ],
  [
    { country: 'Nigeria', bankName: 'Acme MFB', bankCode: '50547', accountNumber: '0123456785' },
    ['Nigeria|acmemfb|0123456785', 'Nigeria|code:50547|0123456785'],
  ],
  [{ country: 'Kenya', networkProvider: 'momo', contactNumber: '+254712345678' }, ['Kenya|MOMO|+254712345678']],
  [{ country: 'Kenya', contactNumber: '0712345678' }, ['Kenya||+254712345678']],
  [{ country: 'BTC', lnurl: 'xlightning:a@b.co' }, ['BTC|xlightning:a@b.co']],
])('%j has these keys', (merchant, keys) => {
  expect(merchantKeys(merchant)).toEqual(keys);
});

it.each<[boolean, ListedMerchant]>([
  [false, { country: 'SouthAfrica', bankName: 'Absa', accountNumber: '12345678' }],
  [false, { country: 'Ghana', accountNumber: '****5678' }],
  [true, { country: 'SouthAfrica', bankName: 'Absa', accountNumber: '****5678' }],
  [true, { country: 'SouthAfrica', accountNumber: '12345678' }],
  [true, { country: 'BTC' }],
  [true, { country: 'BTC', lnurl: 's*****i@bitcoin.org' }],
  [true, { country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+2547****5678' }],
  [true, {}],
])('whether it is unclear where it pays: %s of %j', (unclear, merchant) => {
  expect(isUnclear(merchant)).toBe(unclear);
});

describe('a merchant that was made for the row', () => {
  const account = { country: 'SouthAfrica', bankName: 'Standard Bank', accountNumber: '10004291601' };
  const phone = { country: 'Kenya', networkProvider: 'MOMO', contactNumber: '+254712345678' };
  it.each([
    [southAfrica, account],
    [southAfrica, { ...account, accountNumber: '*******1601' }],
    [southAfrica, { ...account, accountNumber: '10XX XXX1601' }],
    [southAfrica, { ...account, bankName: null }],
    [southAfrica, { ...account, bankName: undefined, accountNumber: '…1601' }],
    [nigeria, { country: 'Nigeria', bankCode: '058', accountNumber: '******6785' }],
    [kenya, { ...phone, networkProvider: null }],
    [kenya, { ...phone, contactNumber: '+2547****5678' }],
    [kenya, { country: 'Kenya', contactNumber: '+254 7xx xxx 5678' }],
  ] as const)('may still be it, %#', (cells, merchant) =>
    expect(mayStillBe(merchant, destinationKey(rowOf(cells).destination))).toBe(true),
  );
  it.each([
    [southAfrica, {}],
    [southAfrica, { ...account, country: 'Nigeria' }],
    [southAfrica, { ...account, bankName: 'Absa' }],
    [southAfrica, { ...account, bankName: 'Absa', accountNumber: '*******1601' }],
    [southAfrica, { ...account, accountNumber: '*******1602' }],
    [southAfrica, { ...account, accountNumber: '20*****1601' }],
    [southAfrica, { ...account, accountNumber: '*601' }],
    [southAfrica, { ...account, accountNumber: '1000*42*1601' }],
    [southAfrica, { ...account, accountNumber: null }],
    [southAfrica, { ...account, bankName: null, accountNumber: '10004291602' }],
    [nigeria, { country: 'Nigeria', bankCode: '057', accountNumber: '******6785' }],
    [kenya, { ...phone, networkProvider: 'OTHER' }],
    [kenya, { ...phone, networkProvider: null, contactNumber: '+254712345679' }],
    [kenya, { country: 'Kenya', networkProvider: 'MOMO' }],
    [kenya, { ...phone, contactNumber: '+2547****5679' }],
    [kenya, { ...phone, networkProvider: 'OTHER', contactNumber: '+2547****5678' }],
    [lightning, { country: 'BTC' }],
  ] as const)('is another one by now, %#', (cells, merchant) =>
    expect(mayStillBe(merchant, destinationKey(rowOf(cells).destination))).toBe(false),
  );
});
