/** The words of the problems of a row's payee and country. */
import { quoted } from '../../base/words.ts';
import { payoutCountries, sourceCountries } from '../../domain/accounts/country.ts';
import type { PayeeProblems } from '../../domain/problems/row-problems.ts';
import type { Audience, ProblemTable } from '../audience.ts';
import { countryName, fieldName } from '../field-words.ts';
import { joined } from '../format/numbers.ts';
import { doubtOf, strangerWords } from './strangers.ts';

export const payeeProblems: ProblemTable<PayeeProblems> = {
  ROW_ID_INVALID: ({ id }, to) => invalidId('row_id', id, to),
  PAYEE_ID_INVALID: ({ id }, to) => invalidId('payee_id', id, to),
  NAME_MISSING: () => 'name is empty; write who is paid',
  NAME_TOO_LONG: ({ length, most }) => `name has ${length} characters; at most ${most} are allowed`,
  NAME_CHARACTERS: ({ name, suggestion, ...found }) =>
    `name ${quoted(name)} has ${strangerWords(found)}, which the service refuses; ${doubtOf(found) ?? 'letters A to Z, digits, spaces and @ / ( ) . , _ - are allowed'}${
      suggestion === null ? '' : `; write ${quoted(suggestion)}`
    }`,
  MERCHANT_ID_INVALID: ({ id }, to) =>
    `${fieldName('merchant_id', to)} ${quoted(id)} is not a merchant's id; copy it from the service, or leave it empty`,
  COUNTRY_MISSING: (_, to) => `country is empty; ${payable(to)}`,
  COUNTRY_UNKNOWN({ country, suggestion }, to) {
    const advice = suggestion === null ? '' : `perhaps ${countryName(suggestion, to)} is meant; `;
    return `country ${quoted(country)} is not a country that can be paid; ${advice}${payable(to)}`;
  },
  COUNTRY_SOURCE_ONLY: ({ country }, to) =>
    `country ${quoted(country)} can only be a source of money (${fieldName('from_country', to)}), never a destination; ${payable(to)}`,
  FROM_COUNTRY_UNKNOWN({ country }, to) {
    const sources = joined(sourceCountries.map((one) => countryName(one, to)));
    return `${fieldName('from_country', to)} ${quoted(country)} is not a source of money; ${sources} are`;
  },
  COLLECTION_METHOD_UNKNOWN: ({ method }, to) =>
    `${fieldName('collection_method', to)} ${quoted(method)} is not known; MOMO or BANK_TRANSFER was expected`,
};

const invalidId = (field: string, id: string, to: Audience) =>
  `${fieldName(field, to)} ${quoted(id)} is too long or holds control characters; write at most 200 characters`;

const payable = (to: Audience) => `${joined(payoutCountries.map((country) => countryName(country, to)))} can be paid`;
