/** Lists the words of the pages with their meanings, and which words belong to which content. */

export const words = [
  ['sheet', 'The file with the payments, CSV or XLSX, as it was uploaded. It is never changed.'],
  ['row', 'One line of the sheet: one payment to be made. It has the number that the spreadsheet shows.'],
  ['payee', 'Who is paid.'],
  ['reference', 'The text that the payee sees with the payment.'],
  ['fix', 'What a preparer wrote into a cell here. It is kept beside the sheet, under the name of who wrote it.'],
  [
    'document',
    'An invoice, a contract or the like, which goes with a row’s payment. Payments above 50,000 ZAR need one.',
  ],
  [
    'batch',
    'The rows of one sheet under one name, such as 2026-11. A row of a batch is paid once, however often it is tried.',
  ],
  ['series', 'Batches that follow each other, such as the salaries of each month: each is compared with the last one.'],
  ['plan', 'What paying the sheet would do, to the last row. Making it sends nothing.'],
  [
    'control totals',
    'The number of rows and the sums as somebody told them by another way than the sheet, such as a payroll report.',
  ],
  ['approval', 'Another person’s word that a plan may be paid, signed with a key that only their password opens.'],
  ['declined', 'An approver said no to the plan, and why. Nothing of it is paid.'],
  [
    'released',
    'A second person said that a held row may be paid after all, and why. It is sent when a preparer continues the batch.',
  ],
  [
    'closed',
    'A person said that the row is not to be paid, and why. It is never sent, unless an approver opens it again.',
  ],
  ['fingerprint', 'A short text that stands for the key of an approver. By comparing it, you know whose key it is.'],
  [
    'digest',
    'A short text that stands for a whole plan or file: as soon as one letter of it changes, the digest is another one.',
  ],
  ['service', 'The payout service, which has the money and moves it.'],
  [
    'the balance at the service',
    'The money that is there, from which rows without a funding country are paid. Payrun is not told how much it is.',
  ],
  ['sandbox', 'A service that is part of Payrun, to try everything with: no real money.'],
  ['imported', 'Paying has begun: from then on the batch says what becomes of each row.'],
  ['result', 'The sheet as it was uploaded, with what became of each row beside it.'],
  [
    'evidence pack',
    'What an auditor verifies a batch with, in one file: sheet, plan, signatures, result, and the trail of the whole ledger, other batches included. Documents are named in it by their digests, and are not in it.',
  ],
  ['funding', 'Where to deposit how much, for rows that are paid from money which you send to the service first.'],
  ['variance', 'How far the sum and the number of rows are from the last batch of the series.'],
  ['ledger', 'The file on this machine in which everything is written down before it is done.'],
  ['trail', 'The record in the ledger of all that was done, each line sealed by a hash.'],
  [
    'hash',
    'The seal of a line of the trail, made of the line and of the hash before it: it stands for that line and all before it.',
  ],
  [
    'merchant',
    'What the service calls a payee that it has saved: name and account. Payees become merchants before they are paid.',
  ],
  [
    'tenant',
    'The organisation that has the account at the service; users of it may have keys or payments of their own.',
  ],
  [
    'API key',
    'What Payrun logs in with at the service, for an organisation or one of its users. The eight letters beside it tell it from other keys; they are part of what is approved.',
  ],
  ['MOMO', 'Mobile money: a payment to a telephone number instead of a bank account.'],
  ['sat', 'Satoshi, the smallest part of a bitcoin: 100,000,000 sat are one BTC. Amounts in BTC are counted in sat.'],
  ['hundredths', 'Amounts counted in the hundredth part of a currency, such as cents: 1250 hundredths are 12.50.'],
  [
    'Lightning address',
    'Where bitcoin is sent: an address such as name@example.com, or an LNURL, which says the same in one long word.',
  ],
  ['LNURL', 'A Lightning address in another form: one long word that begins with lnurl1.'],
  [
    'check digit',
    'A digit of an account number that follows from the others: where it does not agree, one of them is mistyped.',
  ],
  ['policy', 'How many approvals which amounts need.'],
  ['tag', 'A short text on each payment, by which Payrun finds it again at the service.'],
  ['one-time code', 'Six digits that an app on your telephone shows, asked for at login beside the password.'],
] as const;

export type Word = (typeof words)[number][0];

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
  const asked = new Set([
    ...named,
    ...facts.flatMap((fact) => (Object.hasOwn(hard, fact ?? '') ? hard[fact ?? ''] : [])),
  ]);
  return words.filter(([word]) => asked.has(word));
}
