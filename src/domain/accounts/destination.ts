/** Reads a line's destination by the rules of its country (interface 2.7). */
import { counted, quoted } from '../../base/words.ts';
import { type Field, shownText } from '../rows/cell.ts';
import { finding } from '../rows/finding.ts';
import { cellOf, type Line, report, taken, textOf, told, typedText, wholeDigits } from '../rows/line.ts';
import { fold } from '../rows/text.ts';
import {
  type AccountVerdict,
  accountLengths,
  bankAccountLengths,
  checkAccount,
  checkSeverity,
  nubanBanks,
  ruleStrength,
} from './account-number.ts';
import { type BankCountry, bankByBranch, type FoundBank } from './bank.ts';
import type { PayoutCountry } from './country.ts';
import { lightningMissing, readLightning } from './lightning.ts';
import type { Destination } from './merchant.ts';
import { phoneMissing, readPhone } from './phone.ts';

export function destinationOf(line: Line, country: PayoutCountry): Destination | undefined {
  switch (country) {
    case 'SouthAfrica':
      return southAfrica(line);
    case 'Nigeria':
      return nigeria(line);
    case 'Kenya':
      return kenya(line);
    case 'BTC':
      return lightning(line);
  }
}

function southAfrica(line: Line): Destination | undefined {
  warnUnused(line, 'lnurl', 'bank payouts');
  const branch = branchOf(line);
  const name = textOf(line, 'bank_name');
  const bank = name === undefined ? bankMissing(line, branch) : bankOfLine(line, 'SouthAfrica', name, undefined);
  if (bank !== undefined && branch !== undefined) confirmBranch(line, bank, branch);
  const accountNumber = accountOf(line, 'SouthAfrica', bank);
  if (bank?.name == null || accountNumber === undefined) return undefined;
  return { country: 'SouthAfrica', bank: bank.id, bankName: bank.name, accountNumber };
}

function nigeria(line: Line): Destination | undefined {
  warnUnused(line, 'lnurl', 'bank payouts');
  const name = textOf(line, 'bank_name');
  const code = textOf(line, 'bank_code');
  const bank = bankOfLine(line, 'Nigeria', name, code);
  const accountNumber = accountOf(line, 'Nigeria', bank);
  if (bank === undefined || accountNumber === undefined) return undefined;
  return { country: 'Nigeria', bank: bank.id, bankName: bank.name, bankCode: bank.code, accountNumber };
}

function kenya(line: Line): Destination | undefined {
  warnUnused(line, 'lnurl', 'mobile-money payouts');
  const cell = cellOf(line, 'contact_number');
  const byBank = line.cells.account_number !== undefined;
  if (cell === undefined && byBank) {
    const message =
      'a bank payout in Kenya is not supported; clear account_number and write the mobile number that is paid into contact_number';
    report(line, 'account_number', finding('KENYA_BANK_UNSUPPORTED', 'error', message));
    return undefined;
  }
  if (byBank) warnUnused(line, 'account_number', 'mobile-money payouts, which go to contact_number');
  const networkProvider = networkOf(line);
  if (cell === undefined) {
    report(line, 'contact_number', phoneMissing());
    return undefined;
  }
  const contactNumber = taken(line, 'contact_number', readPhone(cell));
  if (contactNumber === undefined) return undefined;
  return { country: 'Kenya', networkProvider, contactNumber };
}

function lightning(line: Line): Destination | undefined {
  warnUnused(line, 'account_number', 'Lightning payouts');
  const text = textOf(line, 'lnurl');
  if (text === undefined) {
    if (!told(line, 'lnurl')) report(line, 'lnurl', lightningMissing());
    return undefined;
  }
  const lnurl = taken(line, 'lnurl', readLightning(text));
  return lnurl === undefined ? undefined : { country: 'BTC', lnurl };
}

/** A value for the whole batch gets no warning: it may concern other rows. */
function warnUnused(line: Line, field: Field, what: string): void {
  const cell = line.cells[field];
  if (cell === undefined || shownText(cell).trim() === '') return;
  report(
    line,
    field,
    finding('FIELD_UNUSED', 'warning', `${field} is not used for ${what}; check that the country is right`),
  );
}

function networkOf(line: Line): string {
  const usual = line.rules.networkProvider;
  const text = textOf(line, 'network_provider', true);
  if (text === undefined || text === usual || fold(text) === fold(usual)) return usual;
  const message = `network_provider ${quoted(text)} is sent as it stands; the value that the service is known to take is ${quoted(usual)}`;
  report(line, 'network_provider', finding('NETWORK_UNUSUAL', 'warning', message));
  return text;
}

function bankOfLine(
  line: Line,
  country: BankCountry,
  name: string | undefined,
  code: string | undefined,
): FoundBank | undefined {
  const found = line.rules.banks.find(country, name, code);
  for (const one of found.findings) report(line, one.code.startsWith('BANK_CODE') ? 'bank_code' : 'bank_name', one);
  return found.id === null ? undefined : found;
}

/** The bank of the branch code is only suggested, never chosen. */
function bankMissing(line: Line, branch: Branch | undefined): undefined {
  const meant = branch === undefined ? undefined : bankByBranch(branch.code);
  const advice =
    branch === undefined || meant === undefined
      ? "write the payee's bank"
      : `${branch.field} ${quoted(branch.code)} is ${quoted(meant.name)}; if that is the payee's bank, write it`;
  report(line, 'bank_name', finding('BANK_MISSING', 'error', `bank_name is empty; ${advice}`, meant?.name ?? null));
  return undefined;
}

interface Branch {
  readonly code: string;
  readonly field: Field;
}

/** Some sheets have it in `bank_code`. */
function branchOf(line: Line): Branch | undefined {
  const field = cellOf(line, 'branch_code') === undefined ? 'bank_code' : 'branch_code';
  const text = textOf(line, field);
  if (text === undefined) return undefined;
  const code = text.replace(/[\s-]/g, '');
  const padded = code.padStart(6, '0');
  if (!/^\d{3,5}$/.test(code) || bankByBranch(padded) === undefined) return { code, field };
  const message = `${field} ${quoted(text)} has lost its leading zeros and is read as ${padded}`;
  report(line, field, finding('BRANCH_PADDED', 'repair', message, padded));
  return { code: padded, field };
}

function confirmBranch(line: Line, bank: FoundBank, { code, field }: Branch): void {
  const owner = bankByBranch(code);
  if (owner === undefined) {
    const message = `${field} ${quoted(code)} is not a universal branch code that we know; the bank is told by bank_name alone`;
    report(line, field, finding('BRANCH_UNKNOWN', 'warning', message));
  } else if (owner.id !== bank.id) {
    const message = `${field} ${quoted(code)} belongs to ${quoted(owner.name)}, but bank_name is ${quoted(bank.name ?? '')}; correct the one that is wrong`;
    report(line, field, finding('BRANCH_MISMATCH', 'error', message));
  }
}

interface Account {
  readonly digits: string;
  /** True if a number cell held the account. It may have lost leading zeros. */
  readonly fromNumber: boolean;
}

const onlyDigits = /^\d+$/;

function accountOf(line: Line, country: BankCountry, bank: FoundBank | undefined): string | undefined {
  const account = accountDigits(line);
  if (account === undefined) return undefined;
  if (bank === undefined) return account.digits;
  const { digits } = account;
  if (!account.fromNumber && checkAccount(country, bank.id, digits) === 'well-formed') return digits;
  const fits = account.fromNumber ? numberFits(line, country, bank, digits) : true;
  return fits && accountFits(line, country, bank, digits) ? digits : undefined;
}

function accountDigits(line: Line): Account | undefined {
  const cell = cellOf(line, 'account_number');
  if (typeof cell === 'string' && onlyDigits.test(cell)) return { digits: cell, fromNumber: false };
  if (typeof cell === 'object' && cell.kind === 'number') return numberAccount(line, cell);
  const text = textOf(line, 'account_number');
  if (text !== undefined) return textAccount(line, text);
  if (!told(line, 'account_number')) {
    report(
      line,
      'account_number',
      finding('ACCOUNT_MISSING', 'error', "account_number is empty; write the payee's account"),
    );
  }
  return undefined;
}

function numberAccount(line: Line, cell: { readonly text: string; readonly shown: string }): Account | undefined {
  const typed = cellOf(line, 'account_number');
  if (typeof typed !== 'object') return undefined;
  const digits = wholeDigits(typed);
  if (digits === undefined) {
    reportDigitsLost(line, cell.text);
    return undefined;
  }
  typedText(line, 'account_number', typed);
  return { digits, fromNumber: true };
}

function reportDigitsLost(line: Line, text: string): void {
  const message = `account_number ${quoted(text)} was stored as a number and its digits cannot be trusted; type it again in a text cell`;
  report(line, 'account_number', finding('ACCOUNT_DIGITS_LOST', 'error', message));
}

function textAccount(line: Line, text: string): Account | undefined {
  const bare = text.replace(/[\s-]/g, '');
  if (onlyDigits.test(bare)) {
    if (bare !== text) {
      const message = `account_number ${quoted(text)} is read as ${bare}`;
      report(line, 'account_number', finding('ACCOUNT_SEPARATORS_DROPPED', 'repair', message, bare));
    }
    return { digits: bare, fromNumber: false };
  }
  if (/^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,30}$/.test(bare)) {
    const message = `account_number ${quoted(text)} is an IBAN; South African and Nigerian accounts have none; write the local account number`;
    report(line, 'account_number', finding('ACCOUNT_IBAN', 'error', message));
  } else if (/^\d[\d.,]*[eE]\+?\d+$/.test(bare)) {
    reportDigitsLost(line, text);
  } else {
    // Other programs write `="0123"` or `'0123` so that a spreadsheet keeps the zeros.
    const [, kept, typed] = /^(?:="(\d+)"|'(\d+))$/.exec(bare) ?? [];
    const digits = kept ?? typed ?? null;
    const message = `account_number ${quoted(text)} has characters other than digits; write ${digits ?? 'the digits only'}`;
    report(line, 'account_number', finding('ACCOUNT_CHARACTERS', 'error', message, digits));
  }
  return undefined;
}

/** If the account is one to three digits short, zeros were lost; the full number is only suggested. */
function numberFits(line: Line, country: BankCountry, bank: FoundBank, digits: string): boolean {
  const lengths = bankAccountLengths(country, bank.id);
  const padded = lengths?.includes(digits.length) ? undefined : paddedAccount(country, bank, digits);
  if (padded === undefined) {
    const message = `account_number ${quoted(digits)} is stored as a number, so leading zeros may be lost; check it, and keep accounts in text cells`;
    report(line, 'account_number', finding('ACCOUNT_FROM_NUMBER', 'warning', message));
    return true;
  }
  const fit = verdictWords[checkAccount(country, bank.id, padded)];
  const message = `account_number ${quoted(digits)} is stored as a number and is short for ${bankWords(bank)}; with its leading zeros it would be ${padded}, which ${fit}; type it again in a text cell`;
  const suggestion = suggestible(country, bank, padded);
  report(line, 'account_number', finding('ACCOUNT_ZEROS_LOST', 'error', message, suggestion));
  return false;
}

const verdictWords: { readonly [V in AccountVerdict]: string } = {
  'well-formed': "would fit the bank's check digit",
  fails: "would still not fit the bank's check digit",
  'no-rule': 'cannot be checked',
};

function paddedAccount(country: BankCountry, bank: FoundBank, digits: string): string | undefined {
  const near = (bankAccountLengths(country, bank.id) ?? [])
    .filter((length) => length > digits.length && length - digits.length <= 3)
    .map((length) => digits.padStart(length, '0'));
  return near.find((padded) => checkAccount(country, bank.id, padded) === 'well-formed') ?? near[0];
}

/** Returns the account if its check digit fits, or null. Without that check it could be another person's account. */
function suggestible(country: BankCountry, bank: FoundBank, account: string | undefined): string | null {
  return account !== undefined && checkAccount(country, bank.id, account) === 'well-formed' ? account : null;
}

function accountFits(line: Line, country: BankCountry, bank: FoundBank, digits: string): boolean {
  const { least, most } = accountLengths(country);
  if (digits.length < least || digits.length > most) return wrongLength(line, country, bank, digits);
  if (checkAccount(country, bank.id, digits) !== 'fails') return true;
  const severity = checkSeverity(line.rules.accountChecks, ruleStrength(country, bank.id) ?? 'other');
  if (severity === null) return true;
  const lengths = bankAccountLengths(country, bank.id) ?? [];
  const suggestion = suggestible(country, bank, paddedAccount(country, bank, digits));
  const message = lengths.includes(digits.length)
    ? `account_number ${quoted(digits)} does not fit the check digit of ${bankWords(bank)}; check the number and the bank${otherBanks(country, digits)}`
    : `account_number ${quoted(digits)} has ${counted(digits.length, 'digit')}; accounts of ${bankWords(bank)} have ${orList(lengths)}; check it${
        suggestion === null ? '' : `, perhaps ${suggestion} is meant`
      }`;
  const code = lengths.includes(digits.length) ? 'ACCOUNT_CHECK' : 'ACCOUNT_LENGTH';
  report(line, 'account_number', finding(code, severity, message, suggestion));
  return severity !== 'error';
}

function wrongLength(line: Line, country: BankCountry, bank: FoundBank, digits: string): false {
  const { least, most } = accountLengths(country);
  const suggestion = suggestible(country, bank, paddedAccount(country, bank, digits));
  const fit =
    suggestion === null
      ? ''
      : `, perhaps ${suggestion}, which ${verdictWords[checkAccount(country, bank.id, suggestion)]}`;
  const range = least === most ? `${least}` : `${least} to ${most}`;
  const message = `account_number ${quoted(digits)} has ${counted(digits.length, 'digit')}; ${range} were expected; check it${fit}`;
  report(line, 'account_number', finding('ACCOUNT_LENGTH', 'error', message, suggestion));
  return false;
}

function bankWords(bank: FoundBank): string {
  return bank.name ?? `the bank ${bank.code}`;
}

/** The row may name the wrong bank. About one bank in ten fits. */
function otherBanks(country: BankCountry, digits: string): string {
  if (country !== 'Nigeria') return '';
  const names = nubanBanks(digits).map((bank) => bank.name);
  return names.length === 0 ? '' : ` (the number would fit ${names.join(', ')})`;
}

function orList(lengths: readonly number[]): string {
  return lengths.length === 1 ? `${lengths[0]}` : `${lengths.slice(0, -1).join(', ')} or ${lengths.at(-1)}`;
}
