/**
 * Every code of a problem in a sheet, with the sentence that the docs print. All findings are made by `finding`, which accepts
 * only these codes, so the list is complete. New codes may be added, but a code never gets another meaning.
 */
import type { Problem, Severity } from '../../base/problem.ts';
import { visible } from '../../base/words.ts';

export const problemCodes = {
  // Any cell.
  CELL_ERROR: 'The cell shows a spreadsheet error such as #REF!.',
  CELL_DATE: 'The spreadsheet turned what was typed into a date.',
  CELL_BOOLEAN: 'The cell holds TRUE or FALSE where text was expected.',
  CELL_NUMBER: 'The cell holds a number that cannot be read back as the text that was typed.',
  CELL_NOTHING: 'The cell holds a word that programs and people write for nothing, such as nan or N/A.',
  CELL_MALFORMED: 'The cell was stored as a number in a form that no number has.',
  FORMULA_CELL: 'The cell is calculated; its last stored result was taken.',
  FORMULA_UNCACHED: 'The cell is calculated and the file does not hold its result.',
  FORMULA_STALE: 'The cell is calculated, and the workbook says that its results are not current.',
  INVISIBLE_DROPPED: 'Invisible zero-width characters were left out.',
  OUTER_SPACES_DROPPED: 'Spaces before or after the text were left out.',
  FIELD_UNUSED: 'The cell means nothing for this row and is not used.',
  // Row and payee.
  ROW_ID_INVALID: 'The row_id is too long or holds control characters.',
  PAYEE_ID_INVALID: 'The payee_id is too long or holds control characters.',
  NAME_MISSING: 'The payee has no name.',
  NAME_TOO_LONG: 'The name is longer than 254 characters.',
  NAME_CHARACTERS: 'The name has characters that the service refuses.',
  MERCHANT_ID_INVALID: 'The merchant_id cannot be the id of a merchant.',
  // Country.
  COUNTRY_MISSING: 'The row does not say which country is paid.',
  COUNTRY_UNKNOWN: 'The country is not one that can be paid.',
  COUNTRY_SOURCE_ONLY: 'Money can come from this country or coin, but cannot be paid to it.',
  FROM_COUNTRY_UNKNOWN: 'The funding source is not one that the service knows.',
  COLLECTION_METHOD_UNKNOWN: 'The collection method is neither MOMO nor BANK_TRANSFER.',
  // Bank and account.
  BANK_MISSING: 'A bank payout does not name its bank.',
  BANK_UNKNOWN: "The bank is not in the service's list for the country.",
  BANK_ALIAS: "The bank was found under another spelling; the list's spelling is sent.",
  BANK_CODE_INVALID: 'The bank code is not made of digits.',
  BANK_CODE_UNKNOWN: 'The bank code is not one that we know, so it cannot be checked.',
  BANK_CODE_AMBIGUOUS: 'The bank code means one bank as a CBN code and another one as a NIP code.',
  BANK_CODE_MISMATCH: 'The bank code belongs to another bank than the one named.',
  BANK_CODE_PADDED: 'Leading zeros that the bank code had lost were put back.',
  BRANCH_MISMATCH: 'The branch code belongs to another bank than the one named.',
  BRANCH_UNKNOWN: 'The branch code is not a universal branch code that we know, so it confirms nothing.',
  BRANCH_PADDED: 'Leading zeros that the branch code had lost were put back.',
  ACCOUNT_MISSING: 'A bank payout has no account number.',
  ACCOUNT_IBAN: 'The account number is an IBAN, which these payouts do not use.',
  ACCOUNT_CHARACTERS: 'The account number has characters other than digits.',
  ACCOUNT_SEPARATORS_DROPPED: 'Spaces or hyphens inside the account number were left out.',
  ACCOUNT_LENGTH: 'The account number has too few or too many digits.',
  ACCOUNT_ZEROS_LOST: 'The account number was stored as a number and is short: leading zeros are lost.',
  ACCOUNT_FROM_NUMBER: 'The account number was stored as a number, so leading zeros may be lost.',
  ACCOUNT_DIGITS_LOST: 'The account number was stored as a number too long to keep its digits.',
  ACCOUNT_CHECK: "The account number does not fit the bank's check digit.",
  // Kenya.
  PHONE_MISSING: 'A payout to Kenya has no phone number.',
  PHONE_INVALID: 'The phone number is not a Kenyan mobile number.',
  PHONE_REWRITTEN: 'The phone number was written in the international form.',
  NETWORK_UNUSUAL: 'The network provider is not the one that the service is known to take.',
  KENYA_BANK_UNSUPPORTED: 'Bank payouts in Kenya are not supported.',
  // Lightning.
  LNURL_MISSING: 'A payout to BTC has neither a Lightning Address nor an LNURL.',
  LNURL_INVALID: 'The Lightning Address or LNURL cannot be read.',
  LNURL_REWRITTEN: 'The Lightning Address or LNURL was written in its plain form.',
  // Amount.
  AMOUNT_MISSING: 'The row has no amount.',
  AMOUNT_NOT_A_NUMBER: 'The amount is not a number in a form that is read.',
  AMOUNT_AMBIGUOUS: 'The amount can be read in two ways.',
  AMOUNT_FORMAT: "The amount does not follow the batch's declared number format.",
  AMOUNT_FRACTION: 'The amount is not a whole number; it is never rounded.',
  AMOUNT_LEADING_ZERO: 'The amount begins with a zero.',
  AMOUNT_SIGN: 'The amount bears a plus or a minus.',
  AMOUNT_BRACKETS: 'The amount stands in brackets, which means a negative number.',
  AMOUNT_PERCENT: 'The amount is a percentage.',
  AMOUNT_EXPONENT: 'The amount is in scientific notation.',
  AMOUNT_DIGITS: 'The amount has digits of another script than 0 to 9.',
  AMOUNT_ZERO: 'The amount is zero.',
  AMOUNT_TOO_LARGE: 'The amount is too large to be kept exactly.',
  AMOUNT_CURRENCY: "The amount bears a currency that is not the row's.",
  AMOUNT_REWRITTEN: 'The amount was read as the plain number shown.',
  AMOUNT_CENTS: 'The amount counts cents, as the map says, and was read as whole units.',
  AMOUNT_UNIT_MISSING: 'The row does not say which unit its amount counts.',
  AMOUNT_UNIT_INVALID: 'The amount unit does not fit the row.',
  CURRENCY_MISMATCH: 'The currency is not the one in which this row is paid.',
  // The rest of the payment.
  REFERENCE_MISSING: 'The payment has no reference.',
  REFERENCE_CHARACTERS: 'The reference has characters other than letters, digits and spaces.',
  REFERENCE_TOO_LONG: 'The reference is longer than 20 characters.',
  REFERENCE_SPACES: 'The reference has outer or doubled spaces, which banks drop.',
  REFERENCE_FROM_NUMBER: 'The reference was stored as a number, so leading zeros may be lost.',
  TYPE_INVALID: 'The type of payment is not one that the service is known to take.',
  SLOW_INVALID: 'The slow column holds neither yes nor no.',
  DOCUMENT_MISSING_FOR_AMOUNT: 'A payment above 50,000 ZAR names no supporting document.',
  DOCUMENT_MISSING_TOGETHER:
    'Rows to one account that name no supporting document pay more than 50,000 ZAR together, and this is one of them.',
  DOCUMENT_AMOUNT_UNKNOWN: 'The ZAR amount of a USDT-funded payment is not known, and it names no supporting document.',
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** A problem without its place in the sheet, which is added later. */
export interface Finding {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  readonly suggestion: string | null;
}

export interface Reading<T> {
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

export function finding(
  code: ProblemCode,
  severity: Severity,
  message: string,
  suggestion: string | null = null,
): Finding {
  return { code, severity, message, suggestion };
}

export function problemAt(row: number, column: string | null, value: string | null, found: Finding): Problem {
  return { row, column, ...found, value };
}

const none: readonly Finding[] = [];

export function read<T>(value: T, findings: readonly Finding[] = none): Reading<T> {
  return { value, findings };
}

export function refused(...findings: readonly Finding[]): Reading<never> {
  return { value: undefined, findings };
}

/** Quotes a value in a message: at most 60 characters, with hidden characters shown by name. */
export function quoted(text: string): string {
  return `'${visible(text.length > 60 ? `${text.slice(0, 57)}...` : text)}'`;
}
