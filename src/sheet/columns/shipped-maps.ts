/** The maps that come with Payrun, for files of other products. A developer read the `source` on the day `seen`. */
import { shippedMapWords } from '../../messages/shipped-maps.ts';
import type { SheetMap } from './column-map.ts';

export interface ShippedMap extends SheetMap {
  readonly product: string;
  readonly source: string;
  readonly seen: string;
  readonly about: string;
  readonly shipped: NonNullable<SheetMap['shipped']>;
}

/** Each currency is paid to one country only (interface 2.7). */
export const countryOfCurrency = { ZAR: 'SouthAfrica', NGN: 'Nigeria', KES: 'Kenya' } as const;

type Reading = Pick<SheetMap, 'columns'> & Partial<Pick<SheetMap, 'values' | 'words'>>;

function shippedAs(name: keyof typeof shippedMapWords, reading: Reading, optional: readonly string[] = []): ShippedMap {
  const { shown, advice } = shippedMapWords[name];
  return {
    name,
    ...shown,
    seen: '2026-11-21',
    values: {},
    words: {},
    numberFormat: null,
    ...reading,
    shipped: { optional, lacks: {}, refusedHeaders: {}, refusedWords: {}, ...advice },
  };
}

const wiseColumns = {
  recipientId: null,
  name: 'name',
  recipientEmail: null,
  recipientDetail: null,
  recipientType: null,
  receiverType: null,
  sourceCurrency: null,
  targetCurrency: 'country',
  amountCurrency: 'amount_unit',
  amount: 'amount',
  paymentReference: 'reference',
  referenceNumber: null,
} as const;

export const shippedMaps: readonly ShippedMap[] = [
  shippedAs(
    'wise',
    { columns: wiseColumns, words: { country: countryOfCurrency, amount_unit: { target: 'whole' } } },
    Object.keys(wiseColumns).filter((header) => header !== 'targetCurrency' && header !== 'amount'),
  ),
  shippedAs(
    'za-acb',
    {
      columns: {
        Ref: ['tag', 'reference'],
        Name: 'name',
        Amount: 'amount',
        'Account No.': 'account_number',
        'Branch Code': 'branch_code',
        Email: null,
        'Email Address': null,
      },
      values: { country: 'SouthAfrica' },
    },
    ['Email', 'Email Address'],
  ),
  shippedAs(
    'paypal',
    {
      columns: { Recipient: null, Amount: 'amount', Currency: 'country', 'Customer ID': null, Note: 'reference' },
      words: { country: countryOfCurrency },
    },
    ['Customer ID', 'Note'],
  ),
  shippedAs('flutterwave', {
    columns: {
      bank_code: 'bank_code',
      account_number: 'account_number',
      amount: 'amount',
      currency: 'country',
      narration: 'reference',
    },
    words: { country: countryOfCurrency },
  }),
  shippedAs(
    'kenya-mobile',
    {
      columns: {
        'Account Name': 'name',
        'Account Number': 'contact_number',
        Amount: 'amount',
        Nickname: null,
        Reason: 'reference',
      },
      values: { country: 'Kenya' },
    },
    ['Nickname'],
  ),
];

export function shippedMap(name: string): ShippedMap | undefined {
  return shippedMaps.find((map) => map.name === name);
}
