/** The maps that come with Payrun, for files of other products. `seen` is the day on which a developer read the `source`. */
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
    product: 'Wise batch payment',
    source: 'wise.com/help/articles/2663302, and headers of templates as programs write them',
    seen: '2026-11-21',
    about:
      "A Wise file has a recipientId, but not the payee's account. Add the columns bank_name and account_number, or contact_number for a mobile number in Kenya.",
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
      lacks: {
        account_number:
          'only Wise knows the account of a recipientId. Add the columns bank_name and account_number, or contact_number for a mobile number in Kenya. Copy the bank and account of each recipient from Wise',
      },
      refusedWords: {
        amount_unit: {
          source:
            "with 'source' in amountCurrency, the amount that the payee gets depends on Wise's rate. Write the amount that the payee gets, and write 'target' in amountCurrency",
        },
      },
    },
  },
  {
    name: 'za-acb',
    product: 'South African ACB and EFT tools (Ref, Name, Amount, Account No., Branch Code, Ref, Email)',
    source: 'acbtransfers.co.za/csvmain.html',
    seen: '2026-11-21',
    about:
      "The first Ref is the sender's own reference, and the second Ref is on the payee's statement. An ACB file lacks the bank name, which Payrun needs. Add the column bank_name, with the name of each bank.",
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
      optional: ['Email', 'Email Address'],
      lacks: {
        bank_name:
          "Payrun needs the bank's name, and uses a branch code only to confirm this name. Add the column bank_name, with the bank that the problem of each row suggests",
      },
    },
  },
  {
    name: 'paypal',
    product: 'PayPal mass payment (recipient, amount, currency, customer id, note)',
    source: 'PayPal Mass Payments User Guide, January 2013, pages 12 to 14; paypal.com/ca/smarthelp/article/faq1769',
    seen: '2026-11-21',
    about:
      'Payrun cannot pay to the e-mail addresses and PayPal accounts of a PayPal file. Add the name of each payee, and an account, a mobile number or a Lightning address.',
    columns: { Recipient: null, Amount: 'amount', Currency: 'country', 'Customer ID': null, Note: 'reference' },
    values: {},
    words: { country: countryOfCurrency },
    numberFormat: null,
    shipped: {
      ...none,
      optional: ['Customer ID', 'Note'],
      lacks: {
        name: "the recipient is an e-mail address or the name of a PayPal account. Add the column 'name', with the name of each payee",
        account_number:
          'Payrun cannot pay to an e-mail address or a PayPal account. Ask each payee for an account, and add the columns bank_name and account_number. Add contact_number for a mobile number in Kenya, or lnurl for Lightning',
      },
    },
  },
  {
    name: 'flutterwave',
    product: 'Flutterwave bulk transfer (bank_code, account_number, amount, currency, narration)',
    source: 'developer.flutterwave.com/docs/bulk-transfer',
    seen: '2026-11-21',
    about:
      "A Flutterwave file has no names of payees, because Flutterwave finds a name by the account. Add the column 'name', with the name of each payee.",
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
      lacks: {
        name: "Flutterwave finds the name by the account, but Payrun needs the name in the sheet. Add the column 'name', with the name of each payee",
      },
    },
  },
  {
    name: 'kenya-mobile',
    product: 'Kenyan bulk file to phones (Account Name, Account Number, Amount, Nickname, Reason)',
    source: 'kopokopoinc.zendesk.com/hc/en-us/articles/19491828803090',
    seen: '2026-11-21',
    about:
      'Payrun reads the column Account Number as the mobile number to pay. Payrun cannot pay a file with bank accounts (column Bank Paybill Number).',
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
      optional: ['Nickname'],
      refusedHeaders: {
        'Bank Paybill Number':
          'Payrun cannot pay to bank accounts in Kenya. Pay the same people by their mobile numbers, in a file without this column',
      },
    },
  },
];

export function shippedMap(name: string): ShippedMap | undefined {
  return shippedMaps.find((map) => map.name === name);
}
