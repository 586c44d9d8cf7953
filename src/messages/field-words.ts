/** Names of columns and countries in sentences, for each reader. */
import type { Audience } from './audience.ts';

/** The page's words for Payrun's columns. The names of columns in a sheet are quoted unchanged. */
export const fieldWords: Readonly<Record<string, string>> = {
  row_id: 'row id',
  payee_id: 'payee id',
  bank_name: 'bank',
  bank_code: 'bank code',
  branch_code: 'branch code',
  account_number: 'account number',
  network_provider: 'mobile network',
  contact_number: 'phone number',
  lnurl: 'Lightning address',
  merchant_id: 'merchant id',
  amount_unit: 'amount unit',
  from_country: 'funding country',
  collection_method: 'collection method',
};

export const fieldName = (field: string, to: Audience): string =>
  to === 'page' ? (fieldWords[field] ?? field) : field;

const spacedCountries: Readonly<Record<string, string>> = {
  SouthAfrica: 'South Africa',
  UnitedKingdom: 'United Kingdom',
};

/** The terminal uses the spelling of sheets. */
export const countryName = (country: string, to: Audience): string =>
  to === 'page' ? (spacedCountries[country] ?? country) : country;
