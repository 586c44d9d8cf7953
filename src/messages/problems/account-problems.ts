/** The words of the problems of destinations: banks, accounts, phones and Lightning addresses. */
import { quoted } from '../../base/words.ts';
import type { AccountProblems } from '../../domain/problems/row-problems.ts';
import type { Audience, ProblemTable } from '../audience.ts';
import { countryName, fieldName } from '../field-words.ts';
import { counted, joined } from '../format/numbers.ts';
import { typed } from '../format/program.ts';
import { lostDigits, typeAgain } from './advice.ts';

export const accountProblems: ProblemTable<AccountProblems> = {
  BANK_MISSING({ country, branch, suggestion }, to) {
    const bank = fieldName('bank_name', to);
    const empty = `${country === 'Nigeria' ? `${bank} or ${fieldName('bank_code', to)}` : bank} is empty`;
    return branch === null || suggestion === null
      ? `${empty}; write the payee's bank`
      : `${empty}; ${fieldName(branch.field, to)} ${quoted(branch.code)} is ${quoted(suggestion)}; if that is the payee's bank, write it`;
  },
  BANK_UNKNOWN({ bank, country, list, suggestion }, to) {
    const place = countryName(country, 'page');
    const where =
      list === 'service'
        ? `among the banks that the service pays in ${place}`
        : `in the built-in list, and no service was asked which banks it pays in ${place}`;
    const banks = to === 'page' ? 'the list of banks has them' : `\`${typed(`banks ${country}`)}\` lists them`;
    const advice = suggestion === null ? banks : `perhaps ${quoted(suggestion)} is meant`;
    return `${fieldName('bank_name', to)} ${quoted(bank)} is not ${where}; ${advice}`;
  },
  BANK_ALIAS: ({ bank, suggestion }, to) =>
    `${fieldName('bank_name', to)} ${quoted(bank)} is sent as ${quoted(suggestion)}`,
  BANK_CODE_INVALID: ({ code }, to) =>
    `${bankCode(code, to)} is not made of one to nine digits; write the bank's code, or its name in ${fieldName('bank_name', to)}`,
  BANK_CODE_UNKNOWN: ({ code, isSent }, to) =>
    `${bankCode(code, to)} is not a code that Payrun knows; ${
      isSent
        ? `Payrun sends it unchanged, and the service decides; the ${fieldName('bank_name', to)} would be safer`
        : 'Payrun identifies the bank by its name, and does not send the code'
    }`,
  BANK_CODE_AMBIGUOUS: ({ code }, to) =>
    `${bankCode(code, to)} is one bank as a CBN code and another as an instant-payment (NIP) code; write the ${fieldName('bank_name', to)} or the three-digit CBN code`,
  BANK_CODE_MISMATCH: ({ code, owner, bank }, to) =>
    `${bankCode(code, to)} is ${quoted(owner)}, but ${fieldName('bank_name', to)} is ${quoted(bank)}; correct the one that is wrong`,
  BANK_CODE_PADDED: ({ code, suggestion }, to) => `${bankCode(code, to)} ${zerosBack(suggestion)}`,
  BRANCH_MISMATCH: ({ field, code, owner, bank }, to) =>
    `${fieldName(field, to)} ${quoted(code)} belongs to ${quoted(owner)}, but ${fieldName('bank_name', to)} is ${quoted(bank)}; correct the one that is wrong`,
  BRANCH_UNKNOWN: ({ field, code }, to) =>
    `${fieldName(field, to)} ${quoted(code)} is not a universal branch code that Payrun knows; Payrun identifies the bank by ${fieldName('bank_name', to)} alone`,
  BRANCH_PADDED: ({ field, code, suggestion }, to) =>
    `${fieldName(field, to)} ${quoted(code)} ${zerosBack(suggestion)}`,
  ACCOUNT_MISSING: (_, to) => `${fieldName('account_number', to)} is empty; write the payee's account`,
  ACCOUNT_IBAN: ({ account }, to) =>
    `${accountNumber(account, to)} is an IBAN; South African and Nigerian accounts have none; write the local account number`,
  ACCOUNT_CHARACTERS: ({ account, suggestion }, to) =>
    `${accountNumber(account, to)} has characters other than digits; write ${suggestion ?? 'the digits only'}`,
  ACCOUNT_SEPARATORS_DROPPED: ({ account, suggestion }, to) => `${accountNumber(account, to)} is read as ${suggestion}`,
  ACCOUNT_LENGTH({ account, digits, suggestion, ...expected }, to) {
    const has = `${accountNumber(account, to)} has ${counted(digits, 'digit')}`;
    if (expected.why === 'country') {
      const { least, most } = expected;
      const perhaps = suggestion === null ? '' : `, perhaps ${suggestion}, which ${verdicts['well-formed']}`;
      return `${has}; ${least === most ? least : `${least} to ${most}`} were expected; check it${perhaps}`;
    }
    const perhaps = suggestion === null ? '' : `, perhaps ${suggestion} is meant`;
    return `${has}; accounts of ${bankWords(expected.bank)} have ${joined(expected.lengths, 'or')}; check it${perhaps}`;
  },
  ACCOUNT_ZEROS_LOST: ({ account, bank, padded, verdict }, to) =>
    `${accountNumber(account, to)} is stored as a number and is short for ${bankWords(bank)}; with its leading zeros it would be ${padded}, which ${verdicts[verdict]}; ${typeAgain(to)}`,
  ACCOUNT_FROM_NUMBER: ({ account }, to) =>
    `${accountNumber(account, to)} is stored as a number, so leading zeros may be lost; check it, and keep accounts in text cells`,
  ACCOUNT_DIGITS_LOST: ({ account }, to) =>
    `${accountNumber(account, to)} was stored as a number and its digits cannot be trusted; ${typeAgain(to)}`,
  ACCOUNT_CHECK: ({ account, bank, suggestion }, to) =>
    `${accountNumber(account, to)} does not fit the check digit of ${bankWords(bank)}; check the number and the bank${suggestion === null ? '' : `, perhaps ${suggestion} is meant`}`,
  PHONE_MISSING: (_, to) =>
    `${fieldName('contact_number', to)} is empty; write the Kenyan mobile number, such as +254712345678`,
  PHONE_INVALID: ({ phone, why }, to) =>
    `${fieldName('contact_number', to)} ${quoted(phone)} ${why === 'scientific' ? lostDigits(to) : `${noPhone[why]}; a Kenyan mobile number is +254, then 7 or 1, then eight digits`}`,
  PHONE_REWRITTEN: ({ phone, suggestion }, to) =>
    `${fieldName('contact_number', to)} ${quoted(phone)} is read as ${suggestion}`,
  NETWORK_UNUSUAL: ({ network, usual }, to) =>
    `${fieldName('network_provider', to)} ${quoted(network)} is sent unchanged; the value that the service is known to accept is ${quoted(usual)}`,
  KENYA_BANK_UNSUPPORTED: (_, to) =>
    `a bank payout in Kenya is not supported; clear ${fieldName('account_number', to)} and write the payee's mobile number into ${fieldName('contact_number', to)}`,
  LNURL_MISSING: (_, to) =>
    `${fieldName('lnurl', to)} is empty; write a Lightning Address such as name@example.com, or an LNURL`,
  LNURL_INVALID: ({ lnurl, why }, to) => `${fieldName('lnurl', to)} ${quoted(lnurl)} ${noLnurl[why]}`,
  LNURL_REWRITTEN: ({ lnurl, suggestion }, to) =>
    `${fieldName('lnurl', to)} ${quoted(lnurl)} is read as ${quoted(suggestion)}`,
};

const bankCode = (code: string, to: Audience) => `${fieldName('bank_code', to)} ${quoted(code)}`;
const accountNumber = (account: string, to: Audience) => `${fieldName('account_number', to)} ${quoted(account)}`;
const zerosBack = (code: string) => `has lost its leading zeros and is read as ${code}`;
const bankWords = ({ name, code }: AccountProblems['ACCOUNT_CHECK']['bank']) => name ?? `the bank ${code}`;

/** The end of a sentence about the number with its lost zeros put back. */
const verdicts: Readonly<Record<AccountProblems['ACCOUNT_ZEROS_LOST']['verdict'], string>> = {
  'well-formed': "would fit the bank's check digit",
  fails: "would still not fit the bank's check digit",
  'no-rule': 'cannot be checked',
};

const noPhone = {
  foreign: 'is not a Kenyan number',
  form: 'is not a Kenyan mobile number',
  stored: 'is not a Kenyan mobile number, and was stored as a number, which may have lost digits',
} as const;

const noLnurl: Readonly<Record<AccountProblems['LNURL_INVALID']['why'], string>> = {
  address:
    'is not a Lightning Address; expected a name of a to z, 0 to 9, - _ . perhaps a +tag, and a domain, such as name@example.com',
  neither: 'is neither a Lightning Address such as name@example.com nor an LNURL, which begins with lnurl1',
  case: 'mixes upper and lower case, which an LNURL never does; copy it again',
  checksum: 'does not fit its own checksum; copy it again in full',
  target: 'does not lead to an https address; ask the payee for another one',
};
