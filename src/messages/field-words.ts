/** Names of columns and countries in sentences, for each reader. */
import type { Audience } from './audience.ts';

/** The page's words for columns whose names do not say it. The names of columns in a sheet are quoted unchanged. */
const fieldWords: Readonly<Record<string, string>> = {
  bank_name: 'bank',
  network_provider: 'mobile network',
  contact_number: 'phone number',
  lnurl: 'Lightning address',
  from_country: 'funding country',
};

export const fieldName = (field: string, to: Audience): string =>
  to === 'page' ? (fieldWords[field] ?? field.replaceAll('_', ' ')) : field;

const spacedCountries: Readonly<Record<string, string>> = {
  SouthAfrica: 'South Africa',
  UnitedKingdom: 'United Kingdom',
};

/** The terminal uses the spelling of sheets. */
export const countryName = (country: string, to: Audience): string =>
  to === 'page' ? (spacedCountries[country] ?? country) : country;

const schemaWords = new Map(
  Object.entries({
    'bank-name': 'SouthAfrica, Nigeria: as GET /utils/banks lists it',
    'account-number': 'SouthAfrica, Nigeria: digits alone, with a right check digit',
    'bank-code': 'Nigeria: in place of bankName, or with it',
    'network-provider': 'Kenya: MOMO',
    'contact-number': 'Kenya: the phone that is paid, +254…',
    lnurl: 'BTC: a Lightning Address or LNURL',
    'kenyan-prefix': 'must start with +254',
    'kenyan-number': 'must be +254 and nine digits',
    'country-code': 'must be an ISO 3166-1 alpha-3 code, such as ZAF',
    date: 'must be a date, as YYYY-MM-DD',
    lightning: 'must be a Lightning Address or LNURL',
  }),
);

/** Returns the text itself if it is no code of a schema here, such as a text of the schema library. */
export const wireWords = (code: string): string => schemaWords.get(code) ?? code;
