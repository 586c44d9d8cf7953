/** The words of the problems of one row: what each code means, and what is said of each problem. */

import { quoted } from '../../base/words.ts';
import type { RowProblems } from '../../domain/problems/row-problems.ts';
import { asSaid, type ProblemTable } from './table.ts';

export const rowProblems: ProblemTable<RowProblems> = {
  // Any cell.
  CELL_ERROR: { means: 'The cell shows a spreadsheet error such as #REF!.', says: asSaid },
  CELL_DATE: { means: 'The spreadsheet turned what was typed into a date.', says: asSaid },
  CELL_BOOLEAN: { means: 'The cell holds TRUE or FALSE where text was expected.', says: asSaid },
  CELL_NUMBER: { means: 'The cell holds a number that cannot be read back as the text that was typed.', says: asSaid },
  CELL_NOTHING: {
    means: 'The cell holds a word that programs and people write for nothing, such as nan or N/A.',
    says: asSaid,
  },
  CELL_MALFORMED: { means: 'The cell was stored as a number in a form that no number has.', says: asSaid },
  FORMULA_CELL: { means: 'The cell is calculated; its last stored result was taken.', says: asSaid },
  FORMULA_UNCACHED: { means: 'The cell is calculated and the file does not hold its result.', says: asSaid },
  FORMULA_STALE: {
    means: 'The cell is calculated, and the workbook says that its results are not current.',
    says: asSaid,
  },
  INVISIBLE_DROPPED: { means: 'Invisible zero-width characters were left out.', says: asSaid },
  OUTER_SPACES_DROPPED: { means: 'Spaces before or after the text were left out.', says: asSaid },
  FIELD_UNUSED: { means: 'The cell means nothing for this row and is not used.', says: asSaid },
  // Row and payee.
  ROW_ID_INVALID: {
    means: 'The row_id is too long or holds control characters.',
    says: ({ id }) => `row_id ${quoted(id)} is too long or holds control characters; write at most 200 characters`,
  },
  PAYEE_ID_INVALID: {
    means: 'The payee_id is too long or holds control characters.',
    says: ({ id }) => `payee_id ${quoted(id)} is too long or holds control characters; write at most 200 characters`,
  },
  NAME_MISSING: { means: 'The payee has no name.', says: asSaid },
  NAME_TOO_LONG: { means: 'The name is longer than 254 characters.', says: asSaid },
  NAME_CHARACTERS: { means: 'The name has characters that the service refuses.', says: asSaid },
  MERCHANT_ID_INVALID: { means: 'The merchant_id cannot be the id of a merchant.', says: asSaid },
  // Country.
  COUNTRY_MISSING: { means: 'The row does not say which country is paid.', says: asSaid },
  COUNTRY_UNKNOWN: { means: 'The country is not one that can be paid.', says: asSaid },
  COUNTRY_SOURCE_ONLY: { means: 'Money can come from this country or coin, but cannot be paid to it.', says: asSaid },
  FROM_COUNTRY_UNKNOWN: { means: 'The funding source is not one that the service knows.', says: asSaid },
  COLLECTION_METHOD_UNKNOWN: { means: 'The collection method is neither MOMO nor BANK_TRANSFER.', says: asSaid },
  // Bank and account.
  BANK_MISSING: { means: 'A bank payout does not name its bank.', says: asSaid },
  BANK_UNKNOWN: { means: "The bank is not in the service's list for the country.", says: asSaid },
  BANK_ALIAS: { means: "The bank was found under another spelling; the list's spelling is sent.", says: asSaid },
  BANK_CODE_INVALID: { means: 'The bank code is not made of digits.', says: asSaid },
  BANK_CODE_UNKNOWN: { means: 'The bank code is not one that we know, so it cannot be checked.', says: asSaid },
  BANK_CODE_AMBIGUOUS: {
    means: 'The bank code means one bank as a CBN code and another one as a NIP code.',
    says: asSaid,
  },
  BANK_CODE_MISMATCH: { means: 'The bank code belongs to another bank than the one named.', says: asSaid },
  BANK_CODE_PADDED: { means: 'Leading zeros that the bank code had lost were put back.', says: asSaid },
  BRANCH_MISMATCH: { means: 'The branch code belongs to another bank than the one named.', says: asSaid },
  BRANCH_UNKNOWN: {
    means: 'The branch code is not a universal branch code that we know, so it confirms nothing.',
    says: asSaid,
  },
  BRANCH_PADDED: { means: 'Leading zeros that the branch code had lost were put back.', says: asSaid },
  ACCOUNT_MISSING: { means: 'A bank payout has no account number.', says: asSaid },
  ACCOUNT_IBAN: { means: 'The account number is an IBAN, which these payouts do not use.', says: asSaid },
  ACCOUNT_CHARACTERS: { means: 'The account number has characters other than digits.', says: asSaid },
  ACCOUNT_SEPARATORS_DROPPED: { means: 'Spaces or hyphens inside the account number were left out.', says: asSaid },
  ACCOUNT_LENGTH: { means: 'The account number has too few or too many digits.', says: asSaid },
  ACCOUNT_ZEROS_LOST: {
    means: 'The account number was stored as a number and is short: leading zeros are lost.',
    says: asSaid,
  },
  ACCOUNT_FROM_NUMBER: {
    means: 'The account number was stored as a number, so leading zeros may be lost.',
    says: asSaid,
  },
  ACCOUNT_DIGITS_LOST: {
    means: 'The account number was stored as a number too long to keep its digits.',
    says: asSaid,
  },
  ACCOUNT_CHECK: { means: "The account number does not fit the bank's check digit.", says: asSaid },
  // Kenya.
  PHONE_MISSING: { means: 'A payout to Kenya has no phone number.', says: asSaid },
  PHONE_INVALID: { means: 'The phone number is not a Kenyan mobile number.', says: asSaid },
  PHONE_REWRITTEN: { means: 'The phone number was written in the international form.', says: asSaid },
  NETWORK_UNUSUAL: { means: 'The network provider is not the one that the service is known to take.', says: asSaid },
  KENYA_BANK_UNSUPPORTED: { means: 'Bank payouts in Kenya are not supported.', says: asSaid },
  // Lightning.
  LNURL_MISSING: { means: 'A payout to BTC has neither a Lightning Address nor an LNURL.', says: asSaid },
  LNURL_INVALID: { means: 'The Lightning Address or LNURL cannot be read.', says: asSaid },
  LNURL_REWRITTEN: { means: 'The Lightning Address or LNURL was written in its plain form.', says: asSaid },
  // Amount.
  AMOUNT_MISSING: { means: 'The row has no amount.', says: asSaid },
  AMOUNT_NOT_A_NUMBER: { means: 'The amount is not a number in a form that is read.', says: asSaid },
  AMOUNT_AMBIGUOUS: { means: 'The amount can be read in two ways.', says: asSaid },
  AMOUNT_FORMAT: { means: "The amount does not follow the batch's declared number format.", says: asSaid },
  AMOUNT_FRACTION: { means: 'The amount is not a whole number; it is never rounded.', says: asSaid },
  AMOUNT_LEADING_ZERO: { means: 'The amount begins with a zero.', says: asSaid },
  AMOUNT_SIGN: { means: 'The amount bears a plus or a minus.', says: asSaid },
  AMOUNT_BRACKETS: { means: 'The amount stands in brackets, which means a negative number.', says: asSaid },
  AMOUNT_PERCENT: { means: 'The amount is a percentage.', says: asSaid },
  AMOUNT_EXPONENT: { means: 'The amount is in scientific notation.', says: asSaid },
  AMOUNT_DIGITS: { means: 'The amount has digits of another script than 0 to 9.', says: asSaid },
  AMOUNT_ZERO: { means: 'The amount is zero.', says: asSaid },
  AMOUNT_TOO_LARGE: { means: 'The amount is too large to be kept exactly.', says: asSaid },
  AMOUNT_CURRENCY: { means: "The amount bears a currency that is not the row's.", says: asSaid },
  AMOUNT_REWRITTEN: { means: 'The amount was read as the plain number shown.', says: asSaid },
  AMOUNT_CENTS: { means: 'The amount counts cents, as the map says, and was read as whole units.', says: asSaid },
  AMOUNT_UNIT_MISSING: { means: 'The row does not say which unit its amount counts.', says: asSaid },
  AMOUNT_UNIT_INVALID: { means: 'The amount unit does not fit the row.', says: asSaid },
  CURRENCY_MISMATCH: { means: 'The currency is not the one in which this row is paid.', says: asSaid },
  // The rest of the payment.
  REFERENCE_MISSING: { means: 'The payment has no reference.', says: asSaid },
  REFERENCE_CHARACTERS: { means: 'The reference has characters other than letters, digits and spaces.', says: asSaid },
  REFERENCE_TOO_LONG: { means: 'The reference is longer than 20 characters.', says: asSaid },
  REFERENCE_SPACES: { means: 'The reference has outer or doubled spaces, which banks drop.', says: asSaid },
  REFERENCE_FROM_NUMBER: { means: 'The reference was stored as a number, so leading zeros may be lost.', says: asSaid },
  TYPE_INVALID: { means: 'The type of payment is not one that the service is known to take.', says: asSaid },
  SLOW_INVALID: { means: 'The slow column holds neither yes nor no.', says: asSaid },
  DOCUMENT_MISSING_FOR_AMOUNT: { means: 'A payment above 50,000 ZAR names no supporting document.', says: asSaid },
  DOCUMENT_MISSING_TOGETHER: {
    means:
      'Rows to one account that name no supporting document pay more than 50,000 ZAR together, and this is one of them.',
    says: asSaid,
  },
  DOCUMENT_AMOUNT_UNKNOWN: {
    means: 'The ZAR amount of a USDT-funded payment is not known, and it names no supporting document.',
    says: asSaid,
  },
};
