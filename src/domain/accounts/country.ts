/** Payout countries, funding sources and currencies (interface 2.9). */
import { byWord, wordsIn } from '../../base/words.ts';
import { fold } from '../rows/text.ts';

/** The values of a merchant's `country` (interface 2.7). */
export const payoutCountries = ['SouthAfrica', 'Nigeria', 'Kenya', 'BTC'] as const;
export type PayoutCountry = (typeof payoutCountries)[number];

export const sourceCountries = ['SouthAfrica', 'Nigeria', 'Kenya', 'UnitedKingdom', 'Europe', 'USDT', 'BTC'] as const;
export type SourceCountry = (typeof sourceCountries)[number];

export type Currency = 'ZAR' | 'NGN' | 'KES' | 'BTC';

export const currencyOf: { readonly [C in PayoutCountry]: Currency } = {
  SouthAfrica: 'ZAR',
  Nigeria: 'NGN',
  Kenya: 'KES',
  BTC: 'BTC',
};

/** The answer of GET /utils/countries as the interface shows it (interface 4.15). */
export const listedCountries = wordsIn('BTC Bitcoin SouthAfrica Nigeria Kenya Europe UnitedKingdom USDT Tether');

/** The words for countries in sheets, in the form that `fold` returns. */
const payoutAliases = byWord<PayoutCountry>({
  SouthAfrica: 'southafrica za zaf rsa',
  Nigeria: 'nigeria ng nga',
  Kenya: 'kenya ke ken',
  BTC: 'btc bitcoin lightning',
});

const sourceOnlyAliases = byWord({
  Kenya: 'kes',
  UnitedKingdom: 'unitedkingdom uk gb gbr greatbritain',
  Europe: 'europe eu',
  USDT: 'usdt tether',
});

export const payoutCountryOf = (text: string): PayoutCountry | undefined =>
  Object.hasOwn(currencyOf, text) ? (text as PayoutCountry) : payoutAliases.get(fold(text));

export function sourceCountryOf(text: string): SourceCountry | undefined {
  const word = fold(text);
  return sourceOnlyAliases.get(word) ?? payoutAliases.get(word);
}
