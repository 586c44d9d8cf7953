/** The words of the problems of any cell. */
import { quoted } from '../../base/words.ts';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { CellProblems } from '../../domain/problems/row-problems.ts';
import type { ProblemTable } from '../audience.ts';
import { fieldName } from '../field-words.ts';
import { calculateAgain, lostDigits, typeAgain } from './advice.ts';

export const cellProblems: ProblemTable<CellProblems> = {
  CELL_ERROR({ field, shown }, to) {
    const advice =
      to === 'page'
        ? 'write its value here, or correct the formula in the file and upload it again'
        : 'correct the formula';
    return `${fieldName(field, to)} shows the error ${quoted(shown)}; ${advice}`;
  },
  CELL_DATE({ field, shown, likely, suggestion }, to) {
    const holds = `${fieldName(field, to)} holds the date ${quoted(shown)}; ${expected[field] ?? 'text'} was expected`;
    if (likely === null) return `${holds}; ${typeAgain(to)}`;
    const probably = `${holds}; ${quoted(likely)} was probably typed`;
    return suggestion === null
      ? `${probably}, and a reference has 1 to 20 letters, digits and spaces alone; ${typeAgain(to)}, without other characters`
      : `${probably}; ${typeAgain(to)}`;
  },
  CELL_BOOLEAN: ({ field, text }, to) => `${fieldName(field, to)} holds ${text}, not text; ${typeAgain(to, 'as text')}`,
  CELL_NUMBER(facts, to) {
    const { text } = facts;
    const field = fieldName(facts.field, to);
    switch (facts.why) {
      case 'inexact':
        return `${field} holds the number ${quoted(text)}, which may not be what was typed; ${typeAgain(to)}`;
      case 'format':
        return `${field} shows ${quoted(facts.shown)} by its number format, and holds the number ${quoted(text)}; type what is meant in a text cell`;
      case 'scientific':
        return `${field} ${quoted(text)} ${lostDigits(to)}`;
    }
  },
  CELL_MERGED: ({ cell }) =>
    `this cell is merged with ${cell}, which alone holds a value; unmerge them in the file, and fill each cell`,
  CELL_NOTHING: ({ field, shown }, to) =>
    `${fieldName(field, to)} says ${quoted(shown)}, which programs write for an empty cell; write what is meant${field === 'name' ? ' (a correction lets a payee of this name through)' : ''}`,
  CELL_MALFORMED: ({ field, shown }, to) =>
    `${fieldName(field, to)} is stored as the number ${quoted(shown)}, which is no form of a number in a workbook; the program that wrote the file is at fault: save it again in Excel or LibreOffice, or type the value again`,
  FORMULA_CELL: ({ field, shown }, to) =>
    `${fieldName(field, to)} is calculated; its stored result ${quoted(shown)} is used; check that it is current`,
  FORMULA_UNCACHED: ({ field }, to) =>
    `${fieldName(field, to)} is calculated and the file holds no result; ${calculateAgain(to)}`,
  FORMULA_STALE: ({ field, shown }, to) =>
    `${fieldName(field, to)} is calculated, and the workbook says that its stored result ${quoted(shown)} is not current; ${calculateAgain(to)}`,
  INVISIBLE_DROPPED: ({ field, suggestion }, to) =>
    `${fieldName(field, to)} has invisible characters; it is read as ${quoted(suggestion)}`,
  OUTER_SPACES_DROPPED: ({ field, suggestion }, to) =>
    `${fieldName(field, to)} has outer spaces; it is read as ${quoted(suggestion)}`,
  FIELD_UNUSED({ field, country }, to) {
    const name = fieldName(field, to);
    if (country === null) return `${name} is used only where ${fieldName('from_country', to)} is Kenya; it is not sent`;
    const instead = field === 'account_number' && country === 'Kenya';
    return `${name} is not used for ${payouts[country]}${instead ? `, which go to ${fieldName('contact_number', to)}` : ''}; check that the country is right`;
  },
};

const expected: Readonly<Record<string, string>> = {
  account_number: 'an account number',
  bank_code: 'a code',
  branch_code: 'a code',
  contact_number: 'a phone number',
  amount: 'a whole number',
};

const payouts: { readonly [C in PayoutCountry]: string } = {
  SouthAfrica: 'bank payouts',
  Nigeria: 'bank payouts',
  Kenya: 'mobile-money payouts',
  BTC: 'Lightning payouts',
};
