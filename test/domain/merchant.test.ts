/** Destinations: when a row and a merchant of the service are one. */
import { describe, expect, it } from 'vitest';
import { destinationKey, type ListedMerchant, merchantKey, merchantKeys } from '../../src/domain/merchant.ts';
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
    { country: 'Kenya', contactNumber: '+254712345678' },
    { country: 'Kenya', networkProvider: 'MOMO' },
    { country: 'Kenya', networkProvider: 'MOMO', contactNumber: ' - ' },
    { country: 'SouthAfrica', bankName: 'Absa', accountNumber: ' - ' },
    { country: 'BTC' },
    { accountNumber: '1', bankName: 'Absa' },
    { country: 'BTC', lnurl: ' ' },
  ])('has no key where it cannot be read: %j', (merchant) => {
    expect(merchantKey(merchant)).toBeUndefined();
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
  [{ country: 'BTC', lnurl: 'xlightning:a@b.co' }, ['BTC|xlightning:a@b.co']],
])('%j has these keys, and merchantKey is the first', (merchant, keys) => {
  expect([merchantKeys(merchant), merchantKey(merchant)]).toEqual([keys, keys[0]]);
});
