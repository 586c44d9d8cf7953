/** The words of the problems of a row's payee and country. */
import { quoted } from '../../base/words.ts';
import { payoutCountries, sourceCountries } from '../../domain/accounts/country.ts';
import type { PayeeProblems } from '../../domain/problems/row-problems.ts';
import type { Audience } from '../audience.ts';
import { countryName, fieldName } from '../field-words.ts';
import { doubtOf, strangerWords } from './strangers.ts';
import type { ProblemTable } from './table.ts';

export const payeeProblems: ProblemTable<PayeeProblems> = {
  // Row and payee.
  ROW_ID_INVALID: {
    means: 'The row_id is too long or holds control characters.',
    says: ({ id }, to) => invalidId('row_id', id, to),
  },
  PAYEE_ID_INVALID: {
    means: 'The payee_id is too long or holds control characters.',
    says: ({ id }, to) => invalidId('payee_id', id, to),
  },
  NAME_MISSING: { means: 'The payee has no name.', says: () => 'name is empty; write who is paid' },
  NAME_TOO_LONG: {
    means: 'The name is longer than 254 characters.',
    says: ({ length, most }) => `name has ${length} characters; at most ${most} are allowed`,
  },
  NAME_CHARACTERS: {
    means: 'The name has characters that the service refuses.',
    says: ({ name, suggestion, ...found }) =>
      `name ${quoted(name)} has ${strangerWords(found)}, which the service refuses; ${doubtOf(found) ?? 'letters A to Z, digits, spaces and @ / ( ) . , _ - are allowed'}${
        suggestion === null ? '' : `; write ${quoted(suggestion)}`
      }`,
  },
  MERCHANT_ID_INVALID: {
    means: 'The merchant_id cannot be the id of a merchant.',
    says: ({ id }, to) =>
      `${fieldName('merchant_id', to)} ${quoted(id)} is not a merchant's id; copy it from the service, or leave it empty`,
  },
  // Country.
  COUNTRY_MISSING: {
    means: 'The row does not say which country is paid.',
    says: (_, to) => `country is empty; ${payable(to)}`,
  },
  COUNTRY_UNKNOWN: {
    means: 'The country is not one that can be paid.',
    says({ country, suggestion }, to) {
      const advice = suggestion === null ? '' : `perhaps ${countryName(suggestion, to)} is meant; `;
      return `country ${quoted(country)} is not a country that can be paid; ${advice}${payable(to)}`;
    },
  },
  COUNTRY_SOURCE_ONLY: {
    means: 'Money can come from this country or coin, but cannot be paid to it.',
    says: ({ country }, to) =>
      `country ${quoted(country)} can only be a source of money (${fieldName('from_country', to)}), never a destination; ${payable(to)}`,
  },
  FROM_COUNTRY_UNKNOWN: {
    means: 'The funding source is not one that the service knows.',
    says({ country }, to) {
      const sources = sourceCountries.map((one) => countryName(one, to)).join(', ');
      return `${fieldName('from_country', to)} ${quoted(country)} is not a source of money; ${sources} are`;
    },
  },
  COLLECTION_METHOD_UNKNOWN: {
    means: 'The collection method is neither MOMO nor BANK_TRANSFER.',
    says: ({ method }, to) =>
      `${fieldName('collection_method', to)} ${quoted(method)} is not known; MOMO or BANK_TRANSFER was expected`,
  },
};

const invalidId = (field: string, id: string, to: Audience) =>
  `${fieldName(field, to)} ${quoted(id)} is too long or holds control characters; write at most 200 characters`;

function payable(to: Audience): string {
  const names = payoutCountries.map((country) => countryName(country, to));
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} can be paid`;
}
