/** Lists the words that a cell may have, such as countries, currencies and banks. */
import { type BankCountry, bankNames } from '../../domain/accounts/bank.ts';
import { payoutCountries, payoutCountryOf, sourceCountries } from '../../domain/accounts/country.ts';
import { countryName } from '../../messages/field-words.ts';
import type { KnownWords } from '../api.ts';

const withBanks: readonly BankCountry[] = ['SouthAfrica', 'Nigeria'];

export const knownWords: KnownWords = {
  country: payoutCountries.map((one) => countryName(one, 'page')),
  from_country: sourceCountries.map((one) => countryName(one, 'page')),
  currency: ['ZAR', 'NGN', 'KES', 'BTC'],
  amount_unit: ['sat', 'hundredths'],
  collection_method: ['MOMO', 'BANK_TRANSFER'],
  ...Object.fromEntries(withBanks.map((country) => [`bank_name ${country}`, bankNames(country)])),
};

export function wordsFor(column: string | null, country: string): string | null {
  const list = column === 'bank_name' ? `bank_name ${payoutCountryOf(country) ?? ''}` : (column ?? '');
  return Object.hasOwn(knownWords, list) ? list : null;
}
