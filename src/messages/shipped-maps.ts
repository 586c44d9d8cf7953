/** The words of the maps that come with Payrun: whose files they are for, and what to add to such a file. */
import type { ShippedMapName } from '../domain/problems/sheet-problems.ts';

interface ShippedMapWords {
  readonly product: string;
  readonly source: string;
  readonly about: string;
  /** Says how a person adds a column for a field that the other program does not export. */
  readonly lacks?: Readonly<Record<string, string>>;
  /** Says what to do about a header or a word that the map refuses. */
  readonly refused?: Readonly<Record<string, string>>;
}

export const shippedMapWords: { readonly [M in ShippedMapName]: ShippedMapWords } = {
  wise: {
    product: 'Wise batch payment',
    source: 'wise.com/help/articles/2663302, and headers in templates of other programs',
    about:
      "A Wise file has a recipientId, but not the payee's account. Add the columns bank_name and account_number, or contact_number for a mobile number in Kenya.",
    lacks: {
      account_number:
        'only Wise knows the account of a recipientId. Add the columns bank_name and account_number, or contact_number for a mobile number in Kenya. Copy the bank and account of each recipient from Wise',
    },
    refused: {
      source:
        "with 'source' in amountCurrency, the amount that the payee gets depends on Wise's rate. Write the amount that the payee gets, and write 'target' in amountCurrency",
    },
  },
  'za-acb': {
    product: 'South African ACB and EFT tools (Ref, Name, Amount, Account No., Branch Code, Ref, Email)',
    source: 'acbtransfers.co.za/csvmain.html',
    about:
      "The first Ref is the sender's own reference, and the second Ref is on the payee's statement. An ACB file lacks the bank name, which Payrun needs. Add the column bank_name, with the name of each bank.",
    lacks: {
      bank_name:
        "Payrun needs the bank's name, and uses a branch code only to confirm this name. Add the column bank_name. The list of problems suggests a bank for each row",
    },
  },
  paypal: {
    product: 'PayPal mass payment (recipient, amount, currency, customer id, note)',
    source: 'PayPal Mass Payments User Guide, January 2013, pages 12 to 14; paypal.com/ca/smarthelp/article/faq1769',
    about:
      'Payrun cannot pay to the e-mail addresses and PayPal accounts of a PayPal file. Add the name of each payee, and an account, a mobile number or a Lightning address.',
    lacks: {
      name: "the recipient is an e-mail address or the name of a PayPal account. Add the column 'name', with the name of each payee",
      account_number:
        'Payrun cannot pay to an e-mail address or a PayPal account. Ask each payee for an account, and add the columns bank_name and account_number. Add contact_number for a mobile number in Kenya, or lnurl for Lightning',
    },
  },
  flutterwave: {
    product: 'Flutterwave bulk transfer (bank_code, account_number, amount, currency, narration)',
    source: 'developer.flutterwave.com/docs/bulk-transfer',
    about:
      "A Flutterwave file has no names of payees, because Flutterwave finds a name by the account. Add the column 'name', with the name of each payee.",
    lacks: {
      name: "Flutterwave finds the name by the account, but Payrun needs the name in the sheet. Add the column 'name', with the name of each payee",
    },
  },
  'kenya-mobile': {
    product: 'Kenyan bulk file to phones (Account Name, Account Number, Amount, Nickname, Reason)',
    source: 'kopokopoinc.zendesk.com/hc/en-us/articles/19491828803090',
    about:
      'Payrun reads the column Account Number as the mobile number to pay. Payrun cannot pay a file with bank accounts (column Bank Paybill Number).',
    refused: {
      'Bank Paybill Number':
        'Payrun cannot pay to bank accounts in Kenya. Pay the same people by their mobile numbers, in a file without this column',
    },
  },
};

export function shippedMapShown(name: ShippedMapName) {
  const { product, about } = shippedMapWords[name];
  return { name, product, about };
}
