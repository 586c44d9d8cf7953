/** Payout countries, funding sources and currencies (interface 2.9). */
import { wordsIn } from '../../base/words.ts';
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
const payoutAliases: { readonly [word: string]: PayoutCountry } = {
  southafrica: 'SouthAfrica',
  za: 'SouthAfrica',
  zaf: 'SouthAfrica',
  rsa: 'SouthAfrica',
  nigeria: 'Nigeria',
  ng: 'Nigeria',
  nga: 'Nigeria',
  kenya: 'Kenya',
  ke: 'Kenya',
  ken: 'Kenya',
  btc: 'BTC',
  bitcoin: 'BTC',
  lightning: 'BTC',
};

const sourceOnlyAliases: { readonly [word: string]: SourceCountry } = {
  kes: 'Kenya',
  unitedkingdom: 'UnitedKingdom',
  uk: 'UnitedKingdom',
  gb: 'UnitedKingdom',
  gbr: 'UnitedKingdom',
  greatbritain: 'UnitedKingdom',
  europe: 'Europe',
  eu: 'Europe',
  usdt: 'USDT',
  tether: 'USDT',
};

export function payoutCountryOf(text: string): PayoutCountry | undefined {
  if (Object.hasOwn(currencyOf, text)) return text as PayoutCountry;
  const word = fold(text);
  return Object.hasOwn(payoutAliases, word) ? payoutAliases[word] : undefined;
}

export function sourceCountryOf(text: string): SourceCountry | undefined {
  const word = fold(text);
  if (Object.hasOwn(sourceOnlyAliases, word)) return sourceOnlyAliases[word];
  return Object.hasOwn(payoutAliases, word) ? payoutAliases[word] : undefined;
}
