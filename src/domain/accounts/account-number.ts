/**
 * Checks account numbers by their banks' check digits, to find typing mistakes. The account may still not exist.
 * Sources for South Africa, read on 2026-11-20: Bankserv user manual, appendix E; Electrum's CDV overview.
 * Sources for Nigeria: CBN NUBAN proposals v0.4 (2010), and the revised standard of 2020.
 */
import type { Severity } from '../../base/problem.ts';
import { type BankCountry, bankById } from './bank.ts';

type AccountVerdict = 'well-formed' | 'fails' | 'no-rule';

/** `published`: a public source has a test value for the rule. By default, only published rules give errors. */
type RuleStrength = 'published' | 'other';

/** The values of `--account-checks`. Under `by-rule`, the strength of the bank's rule decides. */
export const accountChecks = ['by-rule', 'off', 'warn', 'error'] as const;
export type AccountChecks = (typeof accountChecks)[number];

export function checkSeverity(mode: AccountChecks, strength: RuleStrength): Severity | null {
  if (mode === 'by-rule') return strength === 'published' ? 'error' : 'warning';
  return ({ off: null, warn: 'warning', error: 'error' } as const)[mode];
}

interface AccountRule {
  /** The shortest length is first. */
  readonly lengths: readonly number[];
  readonly strength: RuleStrength;
  readonly fits: (account: string) => boolean;
}

export function checkAccount(country: BankCountry, bankId: string, account: string): AccountVerdict {
  const rule = ruleOf(country, bankId);
  if (rule === undefined) return 'no-rule';
  return rule.lengths.includes(account.length) && rule.fits(account) ? 'well-formed' : 'fails';
}

export const ruleStrength = (country: BankCountry, bankId: string): RuleStrength | undefined =>
  ruleOf(country, bankId)?.strength;

export const accountLengths: { readonly [C in BankCountry]: { readonly least: number; readonly most: number } } = {
  SouthAfrica: { least: 5, most: 16 },
  Nigeria: { least: 10, most: 10 },
  Kenya: { least: 6, most: 16 },
};

export const bankAccountLengths = (country: BankCountry, bankId: string): readonly number[] | undefined =>
  country === 'Nigeria' ? [10] : ruleOf(country, bankId)?.lengths;

function ruleOf(country: BankCountry, bankId: string): AccountRule | undefined {
  if (country === 'Kenya') return undefined;
  return country === 'SouthAfrica' ? southAfrica.get(bankId) : nigerianRule(bankId);
}

/** In `weights(…)`, a letter stands for a weight above 9. The last weight belongs to the account's last digit. */
const letters: { readonly [letter: string]: number } = { A: 10, B: 11, C: 12, D: 13, H: 17, J: 19, N: 23 };

const weights = (text: string): readonly number[] => Array.from(text, (place) => letters[place] ?? Number(place));

function weighted(account: string, by: readonly number[]): number {
  const offset = by.length - account.length;
  let sum = 0;
  for (let place = 0; place < account.length; place++) {
    sum += (account.charCodeAt(place) - 48) * (by[place + offset] ?? 0);
  }
  return sum;
}

const common = weights('11987654321');
const standardException = weights('DC987654321');
const fnb = weights('12121212121');
const fnbException = weights('DA987654321');
const nedbankSavings = weights('14329874321');
const capitec = weights('21987654321');
const investec = weights('000NJHD7531');
const mercantile = weights('1A987654321');

const southAfrica: ReadonlyMap<string, AccountRule> = new Map(
  Object.entries<AccountRule>({
    standardbank: { lengths: [9, 11], strength: 'published', fits: fitsStandard },
    firstnationalbank: {
      lengths: [11],
      strength: 'other',
      fits: (account) => weighted(account, fnb) % 10 === 0 || weighted(account, fnbException) % 11 === 0,
    },
    absabank: { lengths: [8, 9, 10, 11], strength: 'other', fits: fitsAbsa },
    nedbank: { lengths: [10, 11], strength: 'other', fits: fitsNedbank },
    capitecbank: { lengths: [10], strength: 'other', fits: (account) => weighted(account, capitec) % 11 === 0 },
    investecbank: { lengths: [10, 11], strength: 'other', fits: (account) => weighted(account, investec) % 11 === 0 },
    mercantilebank: { lengths: [10], strength: 'other', fits: (account) => restZero(account, mercantile) },
  }),
);

function fitsStandard(account: string): boolean {
  if (weighted(account, common) % 11 === 0) return true;
  return account.length === 11 && account.startsWith('1') && weighted(account, standardException) % 11 === 0;
}

function fitsNedbank(account: string): boolean {
  // Nedbank's rule adds a constant to the weighted sum of an account that begins with 1 or 2.
  const fudge = account.startsWith('1') ? 9 : account.startsWith('2') ? 18 : 0;
  return (weighted(account, common) + fudge) % 11 === 0 || weighted(account, nedbankSavings) % 10 === 0;
}

const absaFirst = weights('17329874321');
const absaSecond = weights('14327654321');
const absaThird = weights('54327654321');
const absaFourth = weights('11327654321');
const absaLast = weights('14329874321');

function fitsAbsa(account: string): boolean {
  if (account.length === 11 && account.startsWith('53')) return true;
  return (
    weighted(account, absaFirst) % 10 === 0 ||
    weighted(account, absaSecond) % 11 === 0 ||
    restZero(account, absaThird) ||
    weighted(account, absaFourth) % 11 === 0 ||
    (account.length < 10 && weighted(lastDigitPlusSix(account), absaFourth) % 11 === 0) ||
    weighted(account, absaLast) % 10 === 0
  );
}

function restZero(account: string, by: readonly number[]): boolean {
  const rest = weighted(account, by) % 11;
  return rest === 0 || (rest === 1 && (account.endsWith('0') || account.endsWith('1')));
}

const lastDigitPlusSix = (account: string): string => account.slice(0, -1) + ((Number(account.at(-1)) + 6) % 10);

function nigerianRule(bankId: string): AccountRule | undefined {
  const bank = bankById('Nigeria', bankId);
  const code = bank?.code ?? (bankId.startsWith('code:') ? bankId.slice('code:'.length) : '');
  if (!nubanCode.test(code)) return undefined;
  const strength = bank?.confirmed && code.length === 3 ? 'published' : 'other';
  return { lengths: [10], strength, fits: (account) => fitsNuban(code, account) };
}

/** Matches a CBN code: three digits for a deposit bank, five for other institutions. NIP codes have six digits. */
const nubanCode = /^(?:\d{3}|\d{5})$/;
const tenDigits = /^\d{10}$/;

export const fitsNuban = (code: string, account: string): boolean =>
  tenDigits.test(account) && nubanCode.test(code) && nubanCheckDigit(code, account) === Number(account[9]);

/** Repeats the weights 3, 7, 3 over code and serial. A five-digit code gets a leading 9 (standard of 2020). */
export function nubanCheckDigit(code: string, serial: string): number {
  const digits = (code.length === 5 ? `9${code}` : code) + serial.slice(0, 9);
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    sum += (digits.charCodeAt(place) - 48) * (place % 3 === 1 ? 7 : 3);
  }
  return (10 - (sum % 10)) % 10;
}
