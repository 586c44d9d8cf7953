/** Describes the columns that a person can choose when matching a sheet on the page. */
import { capital } from '../../base/words.ts';
import type { Field } from '../../domain/rows/cell.ts';
import { fieldName } from '../field-words.ts';

const hints: { readonly [F in Field]?: string } = {
  row_id: 'Row id: identifies the row',
  payee_id: 'Payee id: employee, supplier or customer number',
  name: 'Name of the payee',
  country: 'Country of the payee',
  lnurl: 'Lightning address: name@example.com, or an LNURL',
  merchant_id: 'Merchant id: of a payee that the service has saved',
  amount_unit: 'What amounts count: sat (100,000,000 are one BTC) or hundredths (100 are one)',
  reference: 'Reference: what the payee sees',
  from_country: 'Funded from: the country that the money comes from, if not your balance',
  collection_method: 'How money is collected: MOMO (mobile money) or bank transfer',
  type: 'Type of payment: noted by the service, such as PURCHASE',
  slow: 'Slow payment: yes asks the service for one',
  tag: 'Your own reference: a mark that is kept for you',
};

export const fieldHint = (field: Field): string => hints[field] ?? capital(fieldName(field, 'page'));
