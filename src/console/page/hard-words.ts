/** Lists the words of the pages with their meanings, and which words belong to which content. */

const meanings = {
  sheet: 'The file with the payments, CSV or XLSX, as it was uploaded. It is never changed.',
  row: 'One line of the sheet: one payment to be made. It has the number that the spreadsheet shows.',
  payee: 'The person or firm that is paid.',
  reference: 'The text that the payee sees with the payment.',
  fix: 'A new value that a preparer wrote into a cell here. Payrun keeps it beside the sheet, with the preparer’s name.',
  document: 'An invoice, a contract or a similar file of a row’s payment. Payments above 50,000 ZAR need one.',
  batch:
    'The rows of one sheet under one name, such as 2026-11. A row of a batch is paid once, however often it is tried.',
  series: 'Batches that follow each other, such as the salaries of each month. Payrun compares each with the last one.',
  plan: 'A list of every row that would be paid. Making it sends nothing.',
  'control totals': 'The number of rows and the sums from another source than the sheet, such as a payroll report.',
  approval: 'The consent of another person to pay a plan, signed with a key that only their password opens.',
  declined: 'An approver refused the plan, and gave a reason. Nothing of it is paid.',
  released:
    'A second person allowed the payment of a held row, and gave a reason. The row is sent when a preparer continues the batch.',
  closed:
    'A person decided not to pay the row, and gave a reason. It is never sent, unless an approver opens it again.',
  fingerprint: 'A short text that identifies the key of an approver. Compare it to know whose key it is.',
  digest:
    'A short text that identifies a whole plan or file. If one letter of the plan or file changes, the digest changes too.',
  service: 'The payout service, which has the money and moves it.',
  'the balance at the service':
    'Your money at the service. It pays the rows without a funding country. Payrun does not know how much it is.',
  sandbox: 'A service inside Payrun for practice. It has no real money.',
  imported: 'Paying has begun. The batch now shows the state of each row.',
  result: 'The sheet as it was uploaded, with the state of each row beside it.',
  'evidence pack':
    'One file with which an auditor verifies a batch: sheet, plan, signatures, result, and the trail of the whole ledger, other batches included. It has the digests of documents, but not the documents.',
  funding: 'The deposits for rows that are paid from money that you send to the service first: how much, and where to.',
  variance: 'The difference of the sum and the number of rows from the last batch of the series.',
  ledger: 'The database in which Payrun records every step before the step is done.',
  trail: 'The record of everything that was done, in the ledger. A hash seals each line.',
  hash: 'The seal of a line of the trail. It is made of the line and of the hash before it, so that it covers all earlier lines too.',
  merchant: 'A payee that the service has saved, with name and account. Payees become merchants before they are paid.',
  tenant: 'The organisation that has the account at the service. Its users may have their own keys and payments.',
  'API key':
    'The key with which Payrun logs in at the service, for an organisation or one of its users. The eight letters beside it identify the key, and the approval includes them.',
  MOMO: 'Mobile money: a payment to a telephone number instead of a bank account.',
  sat: 'Satoshi, the smallest part of a bitcoin: 100,000,000 sat are one BTC. Amounts in BTC are counted in sat.',
  hundredths: 'Amounts counted in the hundredth part of a currency, such as cents: 1250 hundredths are 12.50.',
  'Lightning address': 'An address for bitcoin payments, such as name@example.com, or an LNURL.',
  LNURL: 'A Lightning address in another form: one long word that begins with lnurl1.',
  'check digit':
    'A digit of an account number that is computed from the others. If it does not fit, a digit is mistyped.',
  policy: 'The rules for approvals: how many each amount needs.',
  tag: 'A short text on each payment. Payrun uses it to find the payment at the service.',
  'one-time code': 'Six digits that an app on your telephone shows. Login asks for them after the password.',
} as const;

export type Word = keyof typeof meanings;
export const words = Object.entries(meanings);

/** The hard words for a unit, a country, a column, a problem code or a group of payees. */
const hard: Readonly<Record<string, readonly Word[]>> = {
  sat: ['sat'],
  hundredths: ['hundredths'],
  Kenya: ['MOMO'],
  BTC: ['LNURL', 'sat'],
  lnurl: ['LNURL'],
  amount_unit: ['sat', 'hundredths'],
  network_provider: ['MOMO'],
  collection_method: ['MOMO'],
  merchant_id: ['merchant'],
  ACCOUNT_CHECK: ['check digit'],
  PAYEE_NEW: ['ledger'],
  new: ['ledger'],
};

/** Searches no sentences, because they contain names of people, files and batches. */
export function hardWords(named: readonly Word[], facts: readonly (string | null)[] = []) {
  const ofFacts = facts.flatMap((fact) => (Object.hasOwn(hard, fact ?? '') ? hard[fact ?? ''] : []));
  const asked = new Set<string | undefined>([...named, ...ofFacts]);
  return words.filter(([word]) => asked.has(word));
}
