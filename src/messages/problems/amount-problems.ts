/** The words of the problems of amounts. */
import { quoted } from '../../base/words.ts';
import type { Currency } from '../../domain/accounts/country.ts';
import type { AmountProblems } from '../../domain/problems/row-problems.ts';
import type { Audience, ProblemTable } from '../audience.ts';
import { countryName, fieldName } from '../field-words.ts';

export const amountProblems: ProblemTable<AmountProblems> = {
  AMOUNT_MISSING: () => 'amount is empty; write a whole number',
  AMOUNT_NOT_A_NUMBER: ({ amount }) =>
    `amount ${quoted(amount)} is not a number that can be read in only one way; write digits only`,
  AMOUNT_AMBIGUOUS(facts, to) {
    const { amount } = facts;
    if (facts.why === 'format')
      return `amount ${quoted(amount)} is shown as ${facts.shown} by its number format; write the amount that is meant, in a format that shows all of it`;
    return `amount ${quoted(amount)} can be read in two ways, since countries use . and , differently; write it without separators${facts.isTotal === true ? '' : `, ${orDeclare[to]}`}`;
  },
  AMOUNT_FORMAT: ({ amount, format }) =>
    `amount ${quoted(amount)} does not follow the number format ${format} that the batch declares; write digits only`,
  AMOUNT_FRACTION: (facts, to) => `amount ${quoted(facts.amount)} ${fractionWords(facts, to)}`,
  AMOUNT_LEADING_ZERO: ({ amount, suggestion }) =>
    `amount ${quoted(amount)} begins with a zero; if ${suggestion} is meant, write ${suggestion}`,
  AMOUNT_SIGN: ({ amount, why }) =>
    `amount ${quoted(amount)} ${why === 'negative' ? `is negative; ${onlyOut}` : 'has a sign; write a plain whole number above 0'}`,
  AMOUNT_BRACKETS: ({ amount }) =>
    `amount ${quoted(amount)} stands in brackets, which means a negative number; ${onlyOut}`,
  AMOUNT_PERCENT: ({ amount }) => `amount ${quoted(amount)} is a percentage; write the amount itself`,
  AMOUNT_EXPONENT: ({ amount }) => `amount ${quoted(amount)} is in scientific notation; write out all its digits`,
  AMOUNT_DIGITS: ({ amount }) =>
    `amount ${quoted(amount)} has digits of another script; write it with the digits 0 to 9`,
  AMOUNT_ZERO: ({ amount }, to) =>
    `amount ${quoted(amount)} is zero; write the amount, or ${to === 'page' ? 'plan the good rows alone, which leaves this one out' : 'take the row out'}`,
  AMOUNT_TOO_LARGE: ({ amount }) =>
    `amount ${quoted(amount)} is more than 9,007,199,254,740,991, the largest amount that Payrun stores exactly; correct it`,
  AMOUNT_CURRENCY(facts, to) {
    const { amount, sign } = facts;
    if (facts.why === 'other')
      return `amount ${quoted(amount)} has ${quoted(sign)}, but this row is counted in ${facts.currency === 'BTC' ? 'sat' : facts.currency}; correct the amount or the row`;
    const unit = fieldName('amount_unit', to);
    return `amount ${quoted(amount)} says ${sign} while ${unit} says hundredths; write ${unit} USDT for decimal USDT, or the bare number of hundredths`;
  },
  AMOUNT_REWRITTEN: ({ amount, suggestion }) => `amount ${quoted(amount)} is read as ${suggestion}`,
  AMOUNT_CENTS: ({ amount, currency, suggestion }) =>
    `amount ${quoted(amount)} counts cents and is read as ${suggestion} ${currency}`,
  AMOUNT_UNIT_MISSING: ({ currency }, to) =>
    `${fieldName('amount_unit', to)} is empty, and a ${currency} amount is never guessed; ${expectedUnits[currency]}`,
  AMOUNT_UNIT_INVALID: ({ unit, currency }, to) =>
    `${fieldName('amount_unit', to)} ${quoted(unit)} does not fit the row; ${expectedUnits[currency]}`,
  CURRENCY_MISMATCH({ currency, header, expected, country }, to) {
    const why =
      expected === 'USDT'
        ? 'a row funded from USDT has its amount in USDT'
        : `payouts to ${countryName(country, to)} are in ${expected}`;
    const source = `the country or ${fieldName('from_country', to)}`;
    return header === null
      ? `currency ${quoted(currency)} does not agree with the row; ${why}; correct the currency, ${source}`
      : `the header ${quoted(header)} says currency ${quoted(currency)} of each row, which does not agree with this one; ${why}; correct the header, ${source}, or write this row's own in a column currency`;
  },
};

const onlyOut = 'only money going out can be paid';

const orDeclare: Readonly<Record<Audience, string>> = {
  terminal: 'or say how the sheet writes numbers with --number-format 1,234.56 or 1.234,56',
  page: 'or say here, where columns are matched, how the sheet writes numbers',
};

function fractionWords(facts: AmountProblems['AMOUNT_FRACTION'], to: Audience): string {
  switch (facts.why) {
    case 'decimals':
      return 'has more than two decimal places; USDT is counted in hundredths and never rounded';
    case 'hundredths':
      return `is not a whole number of hundredths; write ${fieldName('amount_unit', to)} USDT where amounts are decimal USDT`;
    case 'part-cents':
      return `is not a whole number of cents; correct it, or the map that says ${fieldName('amount_unit', to)} cents`;
    case 'whole':
      return wholeOnly(facts.currency);
    case 'cents':
      return `counts cents, and ${wholeOnly(facts.currency)}`;
  }
}

/** The words suggest no rounding, because only the person who owes the rest can decide about it. */
function wholeOnly(currency: Currency | 'USDT'): string {
  const counted = currency === 'BTC' ? 'satoshis' : currency;
  return `is not a whole number of ${counted}; the service pays whole ${counted} only, and Payrun never rounds. Write a whole amount, and carry the rest to the next payment, or settle it another way`;
}

const expectedUnits: { readonly [C in Currency | 'USDT']: string } = {
  ZAR: 'amounts are whole rand: leave it empty, or write whole',
  NGN: 'amounts are whole naira: leave it empty, or write whole',
  KES: 'amounts are whole shillings: leave it empty, or write whole',
  BTC: 'write sat, and the amount in satoshis',
  USDT: 'write hundredths (151 means 1.51 USDT), or USDT for decimal amounts',
};
