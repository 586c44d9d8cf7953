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

const none = { optional: [], lacks: {}, refusedHeaders: {}, refusedWords: {} } as const;

export const shippedMaps: readonly ShippedMap[] = [
  {
    name: 'wise',
    ...shippedMapWords.wise.shown,
    seen: '2026-11-21',
    columns: {
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
    },
    values: {},
    words: { country: countryOfCurrency, amount_unit: { target: 'whole' } },
    numberFormat: null,
    shipped: {
      ...none,
      ...shippedMapWords.wise.advice,
      optional: [
        'recipientId',
        'name',
        'recipientEmail',
        'recipientDetail',
        'recipientType',
        'receiverType',
        'sourceCurrency',
        'amountCurrency',
        'paymentReference',
        'referenceNumber',
      ],
    },
  },
  {
    name: 'za-acb',
    ...shippedMapWords['za-acb'].shown,
    seen: '2026-11-21',
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
    words: {},
    numberFormat: null,
    shipped: {
      ...none,
      ...shippedMapWords['za-acb'].advice,
      optional: ['Email', 'Email Address'],
    },
  },
  {
    name: 'paypal',
    ...shippedMapWords.paypal.shown,
    seen: '2026-11-21',
    columns: { Recipient: null, Amount: 'amount', Currency: 'country', 'Customer ID': null, Note: 'reference' },
    values: {},
    words: { country: countryOfCurrency },
    numberFormat: null,
    shipped: {
      ...none,
      ...shippedMapWords.paypal.advice,
      optional: ['Customer ID', 'Note'],
    },
  },
  {
    name: 'flutterwave',
    ...shippedMapWords.flutterwave.shown,
    seen: '2026-11-21',
    columns: {
      bank_code: 'bank_code',
      account_number: 'account_number',
      amount: 'amount',
      currency: 'country',
      narration: 'reference',
    },
    values: {},
    words: { country: countryOfCurrency },
    numberFormat: null,
    shipped: {
      ...none,
      ...shippedMapWords.flutterwave.advice,
    },
  },
  {
    name: 'kenya-mobile',
    ...shippedMapWords['kenya-mobile'].shown,
    seen: '2026-11-21',
    columns: {
      'Account Name': 'name',
      'Account Number': 'contact_number',
      Amount: 'amount',
      Nickname: null,
      Reason: 'reference',
    },
    values: { country: 'Kenya' },
    words: {},
    numberFormat: null,
    shipped: {
      ...none,
      ...shippedMapWords['kenya-mobile'].advice,
      optional: ['Nickname'],
    },
  },
];

export function shippedMap(name: string): ShippedMap | undefined {
  return shippedMaps.find((map) => map.name === name);
}
