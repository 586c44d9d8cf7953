/** Countries and sources, in the words that sheets have for them. */
import { describe, expect, it } from 'vitest';
import { currencyOf, payoutCountries, payoutCountryOf, sourceCountryOf } from '../../src/domain/accounts/country.ts';

const payouts: [string, string[]][] = [
  ['SouthAfrica', ['SouthAfrica', 'South Africa', 'SOUTH-AFRICA', 'za', 'ZAF', 'R.S.A.']],
  ['Nigeria', ['Nigeria', ' nigeria ', 'NG', 'nga']],
  ['Kenya', ['Kenya', 'KENYA', 'KE', 'ken']],
  ['BTC', ['BTC', 'btc', 'Bitcoin', 'Lightning']],
];
const sources: [string, string[]][] = [
  ['Kenya', ['KES']],
  ['UnitedKingdom', ['UnitedKingdom', 'United Kingdom', 'UK', 'GB', 'GBR', 'Great Britain']],
  ['Europe', ['Europe', 'EU']],
  ['USDT', ['USDT', 'Tether']],
];
const each = (table: [string, string[]][]) => table.flatMap(([country, words]) => words.map((word) => [word, country]));

describe('a country', () => {
  it.each(each(payouts))('%j is paid to, and from: %s', (word, country) => {
    expect([payoutCountryOf(word!), sourceCountryOf(word!)]).toEqual([country, country]);
  });

  it.each(each(sources))('%j is only paid from: %s', (word, country) => {
    expect([payoutCountryOf(word!), sourceCountryOf(word!)]).toEqual([undefined, country]);
  });

  it.each(['', 'Narnia', 'ZAR', 'constructor', '__proto__', 'hasOwnProperty'])('%j is none', (word) => {
    expect([payoutCountryOf(word), sourceCountryOf(word)]).toEqual([undefined, undefined]);
  });

  it('has its currency', () =>
    expect(payoutCountries.map((country) => currencyOf[country])).toEqual(['ZAR', 'NGN', 'KES', 'BTC']));
});
