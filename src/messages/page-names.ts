/** Plain names of fields and countries, for pages. */

/** Row fields in plain words; a sheet's own column names are in quotes and stay. */
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

export const countryWords = (text: string) => text.replaceAll(/\b(South|United)(?=Africa\b|Kingdom\b)/g, '$1 ');
