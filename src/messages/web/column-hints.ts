/** Describes the columns that a person can choose when matching a sheet on the page. */
import type { Field } from '../../domain/rows/cell.ts';

export const fieldHints: { readonly [F in Field]: string } = {
  row_id: 'Row id: identifies the row',
  payee_id: 'Payee id: employee, supplier or customer number',
  name: 'Name of the payee',
  country: 'Country of the payee',
  bank_name: 'Bank',
  bank_code: 'Bank code',
  branch_code: 'Branch code',
  account_number: 'Account number',
  network_provider: 'Mobile network',
  contact_number: 'Phone number',
  lnurl: 'Lightning address: name@example.com, or an LNURL',
  merchant_id: 'Merchant id: of a payee that the service has saved',
  amount: 'Amount',
  amount_unit: 'What amounts count: sat (100,000,000 are one BTC) or hundredths (100 are one)',
  currency: 'Currency',
  reference: 'Reference: what the payee sees',
  from_country: 'Funded from: the country that the money comes from, if not your balance',
  collection_method: 'How money is collected: MOMO (mobile money) or bank transfer',
  type: 'Type of payment: noted by the service, such as PURCHASE',
  slow: 'Slow payment: yes asks the service for one',
  tag: 'Your own reference: a mark that is kept for you',
  documents: 'Documents',
};
