/** The maps that come with Payrun, for files of other products. A developer read the `source` on the day `seen`. */
import type { ShippedMapName } from '../../domain/problems/sheet-problems.ts';
import type { SheetMap } from './column-map.ts';

export interface ShippedMap extends SheetMap {
  readonly name: ShippedMapName;
  readonly seen: string;
  readonly shipped: NonNullable<SheetMap['shipped']>;
}

/** Each currency is paid to one country only (interface 2.7). */
export const countryOfCurrency = { ZAR: 'SouthAfrica', NGN: 'Nigeria', KES: 'Kenya' } as const;

type Reading = Pick<SheetMap, 'columns'> & Partial<Pick<SheetMap, 'values' | 'words'>>;
type Known = Partial<Omit<ShippedMap['shipped'], 'name'>>;

function shippedAs(name: ShippedMapName, reading: Reading, known: Known = {}): ShippedMap {
  return {
    name,
    seen: '2026-11-21',
    values: {},
    words: {},
    numberFormat: null,
    ...reading,
    shipped: { name, optional: [], lacks: [], refusedHeaders: [], refusedWords: {}, ...known },
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
    {
      optional: Object.keys(wiseColumns).filter((header) => header !== 'targetCurrency' && header !== 'amount'),
      lacks: ['account_number'],
      refusedWords: { amount_unit: ['source'] },
    },
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
    { optional: ['Email', 'Email Address'], lacks: ['bank_name'] },
  ),
  shippedAs(
    'paypal',
    {
      columns: { Recipient: null, Amount: 'amount', Currency: 'country', 'Customer ID': null, Note: 'reference' },
      words: { country: countryOfCurrency },
    },
    { optional: ['Customer ID', 'Note'], lacks: ['name', 'account_number'] },
  ),
  shippedAs(
    'flutterwave',
    {
      columns: {
        bank_code: 'bank_code',
        account_number: 'account_number',
        amount: 'amount',
        currency: 'country',
        narration: 'reference',
      },
      words: { country: countryOfCurrency },
    },
    { lacks: ['name'] },
  ),
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
    { optional: ['Nickname'], refusedHeaders: ['Bank Paybill Number'] },
  ),
];

export const shippedMap = (name: string): ShippedMap | undefined => shippedMaps.find((map) => map.name === name);
