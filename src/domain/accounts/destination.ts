/** Reads a line's destination by the rules of its country (interface 2.7). */
import { type Field, shownText, type TypedCell } from '../rows/cell.ts';
import { type Finding, finding } from '../rows/finding.ts';
import { cellOf, hasProblem, type RowCheck, report, textOf, typedText, valueFrom, wholeDigits } from '../rows/line.ts';
import { fold } from '../rows/text.ts';
import { accountLengths, bankAccountLengths, checkAccount, checkSeverity, ruleStrength } from './account-number.ts';
import { type BankCountry, bankByBranch, type FoundBank } from './bank.ts';
import type { PayoutCountry } from './country.ts';
import { lightningMissing, readLightning } from './lightning.ts';
import type { Destination } from './merchant.ts';
import { phoneMissing, readPhone } from './phone.ts';

export function destinationOf(line: RowCheck, country: PayoutCountry): Destination | undefined {
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

function southAfrica(line: RowCheck): Destination | undefined {
  warnUnused(line, 'lnurl', 'SouthAfrica');
  const branch = branchOf(line);
  const name = textOf(line, 'bank_name');
  const bank = name === undefined ? bankMissing(line, branch) : bankOfLine(line, 'SouthAfrica', name, undefined);
  if (bank !== undefined && branch !== undefined) confirmBranch(line, bank, branch);
  const accountNumber = accountOf(line, 'SouthAfrica', bank);
  if (bank?.name == null || accountNumber === undefined) return undefined;
  return { country: 'SouthAfrica', bank: bank.id, bankName: bank.name, accountNumber };
}

function nigeria(line: RowCheck): Destination | undefined {
  warnUnused(line, 'lnurl', 'Nigeria');
  const name = textOf(line, 'bank_name');
  const code = textOf(line, 'bank_code');
  const bank = bankOfLine(line, 'Nigeria', name, code);
  const accountNumber = accountOf(line, 'Nigeria', bank);
  if (bank === undefined || accountNumber === undefined) return undefined;
  return { country: 'Nigeria', bank: bank.id, bankName: bank.name, bankCode: bank.code, accountNumber };
}

function kenya(line: RowCheck): Destination | undefined {
  warnUnused(line, 'lnurl', 'Kenya');
  const cell = cellOf(line, 'contact_number');
  const byBank = line.cells.account_number !== undefined;
  if (cell === undefined && byBank)
    return report(line, 'account_number', finding('KENYA_BANK_UNSUPPORTED', 'error', {}));
  if (byBank) warnUnused(line, 'account_number', 'Kenya');
  const networkProvider = networkOf(line);
  if (cell === undefined) return report(line, 'contact_number', phoneMissing());
  const contactNumber = valueFrom(line, 'contact_number', readPhone(cell));
  if (contactNumber === undefined) return undefined;
  return { country: 'Kenya', networkProvider, contactNumber };
}

function lightning(line: RowCheck): Destination | undefined {
  warnUnused(line, 'account_number', 'BTC');
  const text = textOf(line, 'lnurl');
  if (text === undefined) {
    if (!hasProblem(line, 'lnurl')) report(line, 'lnurl', lightningMissing());
    return undefined;
  }
  const lnurl = valueFrom(line, 'lnurl', readLightning(text));
  return lnurl === undefined ? undefined : { country: 'BTC', lnurl };
}

/** Warns only about a cell of the line. A value for the whole batch may be meant for rows of other countries. */
function warnUnused(line: RowCheck, field: Field, country: PayoutCountry): void {
  const cell = line.cells[field];
  if (cell === undefined || shownText(cell).trim() === '') return;
  report(line, field, finding('FIELD_UNUSED', 'warning', { field, country }));
}

function networkOf(line: RowCheck): string {
  const usual = line.rules.networkProvider;
  const text = textOf(line, 'network_provider', true);
  if (text === undefined || text === usual || fold(text) === fold(usual)) return usual;
  report(line, 'network_provider', finding('NETWORK_UNUSUAL', 'warning', { network: text, usual }));
  return text;
}

function bankOfLine(
  line: RowCheck,
  country: BankCountry,
  name: string | undefined,
  code: string | undefined,
): FoundBank | undefined {
  const found = line.rules.banks.find(country, name, code);
  for (const one of found.findings) report(line, one.code.startsWith('BANK_CODE') ? 'bank_code' : 'bank_name', one);
  return found.id === null ? undefined : found;
}

function bankMissing(line: RowCheck, branch: Branch | undefined): undefined {
  const suggestion = branch === undefined ? null : (bankByBranch(branch.code)?.name ?? null);
  const facts = { country: 'SouthAfrica', branch: branch ?? null, suggestion } as const;
  return report(line, 'bank_name', finding('BANK_MISSING', 'error', facts));
}

interface Branch {
  readonly code: string;
  readonly field: Field;
}

function branchOf(line: RowCheck): Branch | undefined {
  const field = cellOf(line, 'branch_code') === undefined ? 'bank_code' : 'branch_code';
  const text = textOf(line, field);
  if (text === undefined) return undefined;
  const code = text.replace(/[\s-]/g, '');
  const padded = code.padStart(6, '0');
  if (!/^\d{3,5}$/.test(code) || bankByBranch(padded) === undefined) return { code, field };
  report(line, field, finding('BRANCH_PADDED', 'repair', { field, code: text, suggestion: padded }));
  return { code: padded, field };
}

function confirmBranch(line: RowCheck, bank: FoundBank, { code, field }: Branch): void {
  const owner = bankByBranch(code);
  if (owner === undefined) {
    report(line, field, finding('BRANCH_UNKNOWN', 'warning', { field, code }));
  } else if (owner.id !== bank.id) {
    const facts = { field, code, owner: owner.name, bank: bank.name ?? '' };
    report(line, field, finding('BRANCH_MISMATCH', 'error', facts));
  }
}

interface Account {
  readonly digits: string;
  /** True if the account comes from a number cell. Spreadsheets drop the leading zeros of numbers. */
  readonly fromNumber: boolean;
}

const onlyDigits = /^\d+$/;

function accountOf(line: RowCheck, country: BankCountry, bank: FoundBank | undefined): string | undefined {
  const account = accountDigits(line);
  if (account === undefined) return undefined;
  if (bank === undefined) return account.digits;
  const { digits } = account;
  if (!account.fromNumber && checkAccount(country, bank.id, digits) === 'well-formed') return digits;
  const fits = account.fromNumber ? numberFits(line, country, bank, digits) : true;
  return fits && accountFits(line, country, bank, digits) ? digits : undefined;
}

function accountDigits(line: RowCheck): Account | undefined {
  const cell = cellOf(line, 'account_number');
  if (typeof cell === 'string' && onlyDigits.test(cell)) return { digits: cell, fromNumber: false };
  if (typeof cell === 'object' && cell.kind === 'number') return numberAccount(line, cell);
  const text = textOf(line, 'account_number');
  if (text !== undefined) return textAccount(line, text);
  if (!hasProblem(line, 'account_number')) report(line, 'account_number', finding('ACCOUNT_MISSING', 'error', {}));
  return undefined;
}

function numberAccount(line: RowCheck, cell: TypedCell): Account | undefined {
  const digits = wholeDigits(cell);
  if (digits === undefined)
    return report(line, 'account_number', finding('ACCOUNT_DIGITS_LOST', 'error', { account: cell.text }));
  typedText(line, 'account_number', cell);
  return { digits, fromNumber: true };
}

function textAccount(line: RowCheck, account: string): Account | undefined {
  const bare = account.replace(/[\s-]/g, '');
  if (!onlyDigits.test(bare)) return report(line, 'account_number', accountFault(account, bare));
  if (bare !== account)
    report(line, 'account_number', finding('ACCOUNT_SEPARATORS_DROPPED', 'repair', { account, suggestion: bare }));
  return { digits: bare, fromNumber: false };
}

function accountFault(account: string, bare: string): Finding {
  if (/^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,30}$/.test(bare)) return finding('ACCOUNT_IBAN', 'error', { account });
  if (/^\d[\d.,]*[eE]\+?\d+$/.test(bare)) return finding('ACCOUNT_DIGITS_LOST', 'error', { account });
  // Programs write `="0123"` or `'0123` so that spreadsheets keep the leading zeros. Payrun suggests the digits alone.
  const [, kept, typed] = /^(?:="(\d+)"|'(\d+))$/.exec(bare) ?? [];
  return finding('ACCOUNT_CHARACTERS', 'error', { account, suggestion: kept ?? typed ?? null });
}

/** Refuses a number cell that probably lost one to three leading zeros. Warns about any other number cell. */
function numberFits(line: RowCheck, country: BankCountry, bank: FoundBank, account: string): boolean {
  const lengths = bankAccountLengths(country, bank.id);
  const padded = lengths?.includes(account.length) ? undefined : paddedAccount(country, bank, account);
  if (padded === undefined) {
    report(line, 'account_number', finding('ACCOUNT_FROM_NUMBER', 'warning', { account }));
    return true;
  }
  const verdict = checkAccount(country, bank.id, padded);
  const suggestion = suggestible(country, bank, padded);
  const facts = { account, bank: namesOf(bank), padded, verdict, suggestion };
  report(line, 'account_number', finding('ACCOUNT_ZEROS_LOST', 'error', facts));
  return false;
}

const namesOf = ({ name, code }: FoundBank) => ({ name, code });

function paddedAccount(country: BankCountry, bank: FoundBank, digits: string): string | undefined {
  const near = (bankAccountLengths(country, bank.id) ?? [])
    .filter((length) => length > digits.length && length - digits.length <= 3)
    .map((length) => digits.padStart(length, '0'));
  return near.find((padded) => checkAccount(country, bank.id, padded) === 'well-formed') ?? near[0];
}

/** Returns null unless the check digit fits, because an unchecked suggestion could be another person's account. */
const suggestible = (country: BankCountry, bank: FoundBank, account: string | undefined): string | null =>
  account !== undefined && checkAccount(country, bank.id, account) === 'well-formed' ? account : null;

function accountFits(line: RowCheck, country: BankCountry, bank: FoundBank, account: string): boolean {
  const { least, most } = accountLengths[country];
  const suggestion = () => suggestible(country, bank, paddedAccount(country, bank, account));
  if (account.length < least || account.length > most) {
    const facts = { account, digits: account.length, suggestion: suggestion(), why: 'country', least, most } as const;
    report(line, 'account_number', finding('ACCOUNT_LENGTH', 'error', facts));
    return false;
  }
  if (checkAccount(country, bank.id, account) !== 'fails') return true;
  const severity = checkSeverity(line.rules.accountChecks, ruleStrength(country, bank.id) ?? 'other');
  if (severity === null) return true;
  const lengths = bankAccountLengths(country, bank.id) ?? [];
  const facts = { account, bank: namesOf(bank), suggestion: suggestion() };
  const found = lengths.includes(account.length)
    ? finding('ACCOUNT_CHECK', severity, facts)
    : finding('ACCOUNT_LENGTH', severity, { ...facts, digits: account.length, why: 'bank', lengths });
  report(line, 'account_number', found);
  return severity !== 'error';
}
