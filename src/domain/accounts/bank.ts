/** Finds the bank for a name or code, and the service's spelling of the bank's name. */
import { type Finding, finding } from '../rows/finding.ts';
import { fold, isTypingSlip } from '../rows/text.ts';
import { type Bank, type BankCountry, bankTable } from './bank-table.ts';

export { type Bank, type BankCountry, bankCountries, bankTable } from './bank-table.ts';

export interface BankWords {
  readonly name?: string | null;
  readonly code?: string | null;
}

const indexes: { [C in BankCountry]?: ReturnType<typeof buildIndex> } = {};

const indexOf = (country: BankCountry) => (indexes[country] ??= buildIndex(bankTable[country]));

function buildIndex(banks: readonly Bank[]) {
  const byName = new Map<string, Bank>();
  const byCode = new Map<string, Bank>();
  const byId = new Map<string, Bank>();
  for (const bank of banks) {
    byId.set(bank.id, bank);
    for (const name of [bank.name, ...bank.aliases]) byName.set(fold(name), bank);
    const code = bank.code ?? bank.branchCode;
    if (code !== null) byCode.set(code, bank);
  }
  return { byName, byCode, byId };
}

export const bankNames = (country: BankCountry): readonly string[] => bankTable[country].map((bank) => bank.name);

export const bankById = (country: BankCountry, id: string): Bank | undefined => indexOf(country).byId.get(id);

const companyEnding = /(?:plc|ltd|limited|proprietary|pty|ptyltd)$/;

export function bankByName(country: BankCountry, name: string): Bank | undefined {
  const { byName } = indexOf(country);
  let folded = fold(name);
  for (;;) {
    const bank = byName.get(folded);
    if (bank !== undefined) return bank;
    const shorter = folded.replace(companyEnding, '');
    if (shorter === folded) return undefined;
    folded = shorter;
  }
}

/** Returns the bank of a South African branch code. Payrun uses the code only to check or suggest a bank. */
export const bankByBranch = (branchCode: string): Bank | undefined => indexOf('SouthAfrica').byCode.get(branchCode);

/** Returns the bank's id for row digests. If our table lacks the bank, the id is its folded name, or `code:…`. */
export function bankOf(country: BankCountry, words: BankWords): string | undefined {
  const byName = words.name ? (bankByName(country, words.name)?.id ?? fold(words.name)) : '';
  if (byName !== '') return byName;
  return words.code ? bankIdOfCode(country, words.code) : undefined;
}

function bankIdOfCode(country: BankCountry, code: string): string | undefined {
  const digits = code.replace(/\D/g, '');
  if (digits === '') return undefined;
  const reading = readBankCode(country, digits);
  return typeof reading === 'object' ? reading.id : `code:${digits}`;
}

/** The NIP codes 000001 to 000037 are ambiguous: they look like three zeros and another bank's CBN code. */
const lastNipDepositBank = 37;

/** Finds a bank, also without leading zeros. `ambiguous`: one bank's CBN code is another bank's NIP code. */
export function readBankCode(country: BankCountry, digits: string): Bank | 'ambiguous' | 'unknown' {
  const { byCode } = indexOf(country);
  const exact = byCode.get(digits);
  if (exact !== undefined) return exact;
  if (country !== 'Nigeria') return byCode.get(digits.padStart(2, '0')) ?? 'unknown';
  if (digits.length < 3) return byCode.get(digits.padStart(3, '0')) ?? 'unknown';
  if (digits.length === 6 && digits.startsWith('000')) {
    const short = digits.slice(3);
    return Number(short) <= lastNipDepositBank ? 'ambiguous' : (byCode.get(short) ?? 'unknown');
  }
  // A nine-digit sort code begins with the bank's code.
  if (digits.length === 9) return byCode.get(digits.slice(0, 3)) ?? 'unknown';
  return 'unknown';
}

export type ListedBank = string | { readonly name: string; readonly code?: string | null };

export interface FoundBank {
  readonly id: string;
  /** The service's spelling of the name, or our table's spelling if there is no list. Null if only a code is known. */
  readonly name: string | null;
  readonly code: string | null;
  readonly findings: readonly Finding[];
}

export type BankLookup = FoundBank | { readonly id: null; readonly findings: readonly Finding[] };

export interface BankDirectory {
  readonly isBuiltIn: boolean;
  /** Finds a bank by name or alias, or by code if there is no name. Refuses a name with another bank's code. */
  find(country: BankCountry, name: string | undefined, code: string | undefined): BankLookup;
}

/** Limits the memory for lookups, because a sheet may have a different wrong name in every row. */
const keptAnswers = 5000;

export function bankDirectory(lists: { readonly [C in BankCountry]?: readonly ListedBank[] }): BankDirectory {
  const listings = new Map<BankCountry, Listing>();
  const answers = new Map<string, BankLookup>();
  return {
    isBuiltIn: Object.keys(lists).length === 0,
    find(country, name, code) {
      const key = code === undefined ? `${country}\n${name}` : `${country}\n${name ?? ''}\n${code}`;
      const kept = answers.get(key);
      if (kept !== undefined) return kept;
      const listing = listings.get(country) ?? listingOf(country, lists[country]);
      listings.set(country, listing);
      const answer = lookUp(listing, name, code);
      if (answers.size < keptAnswers) answers.set(key, answer);
      return answer;
    },
  };
}

export const offlineBanks = (): BankDirectory => bankDirectory({});

type Listing = ReturnType<typeof listingOf>;

function listingOf(country: BankCountry, listed: readonly ListedBank[] | undefined) {
  const names: string[] = [];
  const byFold = new Map<string, string>();
  const byId = new Map<string, string>();
  const byCode = new Map<string, string>();
  for (const bank of listed ?? bankTable[country]) {
    const name = typeof bank === 'string' ? bank : bank.name;
    const code = typeof bank === 'string' ? null : bank.code;
    const id = bankOf(country, { name });
    names.push(name);
    if (!byFold.has(fold(name))) byFold.set(fold(name), name);
    if (id !== undefined && !byId.has(id)) byId.set(id, name);
    if (code) byCode.set(code, name);
  }
  return { country, isOurs: listed === undefined, names, byFold, byId, byCode };
}

function lookUp(listing: Listing, name: string | undefined, code: string | undefined): BankLookup {
  if (name === undefined) return code === undefined ? missing(listing.country) : findByCode(listing, code);
  const found = findByName(listing, name);
  if (found.id === null || code === undefined) return found;
  return withCode(listing, found, code);
}

function findByName(listing: Listing, name: string): BankLookup {
  const id = bankOf(listing.country, { name });
  if (id === undefined) return missing(listing.country);
  const spelled = listing.names.includes(name) ? name : listing.byFold.get(fold(name));
  if (spelled !== undefined) return { id, name: spelled, code: null, findings: [] };
  const byAlias = listing.byId.get(id);
  if (byAlias === undefined) return unknownBank(listing, name);
  const note = finding('BANK_ALIAS', 'repair', { bank: name, suggestion: byAlias });
  return { id, name: byAlias, code: null, findings: [note] };
}

function missing(country: BankCountry): BankLookup {
  return { id: null, findings: [finding('BANK_MISSING', 'error', { country, branch: null, suggestion: null })] };
}

function unknownBank(listing: Listing, name: string): BankLookup {
  const { country, isOurs } = listing;
  const list = isOurs ? 'built-in' : 'service';
  const facts = { bank: name, country, list, suggestion: slipOf(listing, name) } as const;
  return { id: null, findings: [finding('BANK_UNKNOWN', 'error', facts)] };
}

function withCode(listing: Listing, found: FoundBank, code: string): BankLookup {
  const digits = codeDigits(code);
  if (digits === null) return { id: null, findings: [...found.findings, notACode(code)] };
  const owner = ownerOf(listing, digits);
  if (owner === null) {
    const unknown = finding('BANK_CODE_UNKNOWN', 'warning', { code, isSent: false });
    return { ...found, findings: [...found.findings, unknown] };
  }
  if (owner.id === found.id) return { ...found, code: owner.code, findings: [...found.findings, ...owner.findings] };
  const mismatch = finding('BANK_CODE_MISMATCH', 'error', { code, owner: owner.name, bank: found.name ?? '' });
  return { id: null, findings: [...found.findings, mismatch] };
}

function findByCode(listing: Listing, code: string): BankLookup {
  const digits = codeDigits(code);
  if (digits === null) return { id: null, findings: [notACode(code)] };
  const listed = listing.byCode.get(digits);
  if (listed !== undefined) {
    const id = bankOf(listing.country, { name: listed, code: digits }) ?? `code:${digits}`;
    return { id, name: listed, code: digits, findings: [] };
  }
  const bank = readBankCode(listing.country, digits);
  if (bank === 'ambiguous') return { id: null, findings: [finding('BANK_CODE_AMBIGUOUS', 'error', { code })] };
  if (bank === 'unknown') {
    const unknown = finding('BANK_CODE_UNKNOWN', 'warning', { code, isSent: true });
    return { id: `code:${digits}`, name: null, code: digits, findings: [unknown] };
  }
  const spelled = listing.byId.get(bank.id);
  if (spelled === undefined) return unknownBank(listing, bank.name);
  return { id: bank.id, name: spelled, code: bank.code, findings: padded(code, digits, bank) };
}

function ownerOf(listing: Listing, digits: string) {
  const listed = listing.byCode.get(digits);
  const listedId = listed === undefined ? undefined : bankOf(listing.country, { name: listed });
  if (listed !== undefined && listedId !== undefined) return { id: listedId, name: listed, code: digits, findings: [] };
  const bank = readBankCode(listing.country, digits);
  if (typeof bank === 'string') return null;
  return { id: bank.id, name: bank.name, code: bank.code ?? digits, findings: padded(digits, digits, bank) };
}

function padded(code: string, digits: string, bank: Bank): Finding[] {
  if (bank.code === null || digits.length >= bank.code.length) return [];
  return [finding('BANK_CODE_PADDED', 'repair', { code, suggestion: bank.code })];
}

function codeDigits(code: string): string | null {
  const digits = code.replace(/[\s-]/g, '');
  return /^\d{1,9}$/.test(digits) ? digits : null;
}

const notACode = (code: string): Finding => finding('BANK_CODE_INVALID', 'error', { code });

/** Payrun recognises no typing mistake in a shorter word, because UBA and UBN, for example, are two banks. */
const leastSlipped = 5;

function slipOf(listing: Listing, name: string): string | null {
  const typed = wordsOf(name);
  const near = listing.names.filter((listed) => {
    const bank = bankByName(listing.country, listed);
    return [listed, ...(bank === undefined ? [] : [bank.name, ...bank.aliases])].some((one) =>
      isSlip(typed, wordsOf(one)),
    );
  });
  return near.length === 1 ? near[0]! : null;
}

function isSlip(typed: readonly string[], meant: readonly string[]): boolean {
  return (
    typed.length === meant.length &&
    typed.every((word, at) => {
      const other = meant[at]!;
      const isLong = Math.min(word.length, other.length) >= leastSlipped || other === generic;
      return word === other || (isLong && isTypingSlip(word, other));
    })
  );
}

/** Payrun accepts a typing mistake in this short word, because the word does not distinguish banks. */
const generic = 'bank';

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .replaceAll(generic, ` ${generic} `)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
