/** The data of one row's problems, by code. `suggestion` is the likely value; in a repair, Payrun uses this value. */
import type { Each } from '../../base/words.ts';
import type { BankCountry } from '../accounts/bank-table.ts';
import type { Currency, PayoutCountry } from '../accounts/country.ts';

type None = Record<string, never>;

/** `position` counts from 1. */
export interface Stranger {
  readonly character: string;
  readonly position: number;
}

/** `strangers` has the first five characters that the field does not allow. `others` counts the rest. */
export interface Strangers {
  readonly strangers: readonly Stranger[];
  readonly others: number;
  /** `guessed`: Payrun guessed the file's encoding. `broken`: the text was stored in a wrong encoding. */
  readonly encoding: 'guessed' | 'broken' | null;
  readonly suggestion: string | null;
}

/** The name is null if only the code is known. */
interface NamedBank {
  readonly name: string | null;
  readonly code: string | null;
}

export interface CellProblems
  extends Each<'CELL_ERROR CELL_NOTHING CELL_MALFORMED FORMULA_CELL FORMULA_STALE', { field: string; shown: string }>,
    Each<'INVISIBLE_DROPPED OUTER_SPACES_DROPPED', { field: string; suggestion: string }> {
  /** `likely` is the text that a person probably typed. `suggestion` is that text, or null if the column refuses it. */
  CELL_DATE: { field: string; shown: string; likely: string | null; suggestion: string | null };
  CELL_BOOLEAN: { field: string; text: string };
  CELL_NUMBER: { field: string; text: string } & ({ why: 'inexact' | 'scientific' } | { why: 'format'; shown: string });
  /** `cell` is the first cell of a merge, such as B4, which covers this cell. */
  CELL_MERGED: { cell: string };
  FORMULA_UNCACHED: { field: string };
  /** `country` is the row's country; null for a field that Payrun uses only with funding from Kenya. */
  FIELD_UNUSED: { field: string; country: PayoutCountry | null };
}

export interface PayeeProblems
  extends Each<'ROW_ID_INVALID PAYEE_ID_INVALID MERCHANT_ID_INVALID', { id: string }>,
    Each<'NAME_MISSING COUNTRY_MISSING', None>,
    Each<'COUNTRY_SOURCE_ONLY FROM_COUNTRY_UNKNOWN', { country: string }> {
  NAME_TOO_LONG: { length: number; most: number };
  NAME_CHARACTERS: { name: string } & Strangers;
  COUNTRY_UNKNOWN: { country: string; suggestion: PayoutCountry | null };
  COLLECTION_METHOD_UNKNOWN: { method: string };
}

export interface AccountProblems
  extends Each<'ACCOUNT_MISSING PHONE_MISSING KENYA_BANK_UNSUPPORTED LNURL_MISSING', None>,
    Each<'ACCOUNT_IBAN ACCOUNT_FROM_NUMBER ACCOUNT_DIGITS_LOST', { account: string }>,
    Each<'BANK_CODE_INVALID BANK_CODE_AMBIGUOUS', { code: string }> {
  /** `suggestion` is the bank of the branch code in `branch`. */
  BANK_MISSING: {
    country: BankCountry;
    branch: { readonly field: string; readonly code: string } | null;
    suggestion: string | null;
  };
  BANK_UNKNOWN: { bank: string; country: BankCountry; list: 'service' | 'built-in'; suggestion: string | null };
  BANK_ALIAS: { bank: string; suggestion: string };
  BANK_CODE_UNKNOWN: { code: string; isSent: boolean };
  BANK_CODE_MISMATCH: { code: string; owner: string; bank: string };
  BANK_CODE_PADDED: { code: string; suggestion: string };
  BRANCH_MISMATCH: { field: string; code: string; owner: string; bank: string };
  BRANCH_UNKNOWN: { field: string; code: string };
  BRANCH_PADDED: { field: string; code: string; suggestion: string };
  ACCOUNT_CHARACTERS: { account: string; suggestion: string | null };
  ACCOUNT_SEPARATORS_DROPPED: { account: string; suggestion: string };
  ACCOUNT_LENGTH: { account: string; digits: number; suggestion: string | null } & (
    | { why: 'country'; least: number; most: number }
    | { why: 'bank'; bank: NamedBank; lengths: readonly number[] }
  );
  ACCOUNT_ZEROS_LOST: {
    account: string;
    bank: NamedBank;
    padded: string;
    verdict: 'well-formed' | 'fails' | 'no-rule';
    suggestion: string | null;
  };
  ACCOUNT_CHECK: { account: string; bank: NamedBank; suggestion: string | null };
  PHONE_INVALID: { phone: string; why: 'scientific' | 'foreign' | 'form' | 'stored' };
  PHONE_REWRITTEN: { phone: string; suggestion: string };
  NETWORK_UNUSUAL: { network: string; usual: string };
  LNURL_INVALID: { lnurl: string; why: 'address' | 'neither' | 'case' | 'checksum' | 'target' };
  LNURL_REWRITTEN: { lnurl: string; suggestion: string };
}

export interface AmountProblems
  extends Each<
      | 'AMOUNT_NOT_A_NUMBER AMOUNT_BRACKETS AMOUNT_PERCENT AMOUNT_EXPONENT AMOUNT_DIGITS AMOUNT_ZERO'
      | 'AMOUNT_TOO_LARGE',
      { amount: string }
    >,
    Each<'AMOUNT_LEADING_ZERO AMOUNT_REWRITTEN', { amount: string; suggestion: string }> {
  AMOUNT_MISSING: None;
  /** `isTotal` is true for a control total, which a person gives outside the sheet. */
  AMOUNT_AMBIGUOUS: { amount: string } & ({ why: 'marks'; isTotal?: boolean } | { why: 'format'; shown: string });
  AMOUNT_FORMAT: { amount: string; format: string };
  /** If the sheet's map says that amounts are in cents, `why` is `cents` or `part-cents`. */
  AMOUNT_FRACTION: { amount: string } & (
    | { why: 'decimals' | 'hundredths' | 'part-cents' }
    | { why: 'whole' | 'cents'; currency: Currency | 'USDT' }
  );
  AMOUNT_SIGN: { amount: string; why: 'sign' | 'negative' };
  AMOUNT_CURRENCY: { amount: string; sign: string } & (
    | { why: 'hundredths' }
    | { why: 'other'; currency: Currency | 'USDT' }
  );
  AMOUNT_CENTS: { amount: string; currency: Currency | 'USDT'; suggestion: string };
  AMOUNT_UNIT_MISSING: { currency: Currency | 'USDT' };
  AMOUNT_UNIT_INVALID: { unit: string; currency: Currency | 'USDT' };
  /** `header`: the amount column's title, if the title names the currency; null if the currency cell does. */
  CURRENCY_MISMATCH: { currency: string; header: string | null; expected: Currency | 'USDT'; country: PayoutCountry };
}

export interface PaymentProblems {
  REFERENCE_MISSING: None;
  REFERENCE_CHARACTERS: { reference: string } & Strangers;
  REFERENCE_TOO_LONG: { reference: string; most: number; suggestion: string | null };
  REFERENCE_SPACES: { reference: string; suggestion: string | null };
  REFERENCE_FROM_NUMBER: { reference: string; date: string | null };
  TYPE_INVALID: { type: string; known: readonly string[] };
  SLOW_INVALID: { slow: string };
  DOCUMENT_MISSING_FOR_AMOUNT: { amount: number; above: number };
  DOCUMENT_MISSING_TOGETHER: { rows: number; total: number; above: number };
  DOCUMENT_AMOUNT_UNKNOWN: { above: number };
}

export type RowProblems = CellProblems & PayeeProblems & AccountProblems & AmountProblems & PaymentProblems;
