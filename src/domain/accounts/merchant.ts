/** Merchants (payout destinations at the service), and keys to compare them. Two merchants for one destination would hide duplicates. */
import { type BankCountry, type BankWords, bankById, bankOf } from './bank.ts';
import { payoutCountryOf } from './country.ts';
import { samePhone } from './phone.ts';

/** `bank` is our stable id of the bank (see bank.ts); `bankName` and `bankCode` are sent to the service. */
export type Destination =
  | {
      readonly country: 'SouthAfrica';
      readonly bank: string;
      readonly bankName: string;
      readonly accountNumber: string;
    }
  | {
      readonly country: 'Nigeria';
      readonly bank: string;
      readonly bankName: string | null;
      readonly bankCode: string | null;
      readonly accountNumber: string;
    }
  | { readonly country: 'Kenya'; readonly networkProvider: string; readonly contactNumber: string }
  | { readonly country: 'BTC'; readonly lnurl: string };

/** Returns the destination's key, which the ledger stores. Two destinations share it only if their money arrives at the same place. */
export function destinationKey(destination: Destination): string {
  switch (destination.country) {
    case 'SouthAfrica':
    case 'Nigeria':
      return `${destination.country}|${destination.bank}|${destination.accountNumber}`;
    case 'Kenya':
      return `Kenya|${destination.networkProvider.toUpperCase()}|${destination.contactNumber}`;
    case 'BTC':
      return `BTC|${destination.lnurl.toLowerCase()}`;
  }
}

/** Returns the key of the destination's owner. A phone has one owner in every network. */
export function payeeKey(destination: Destination): string {
  return destination.country === 'Kenya' ? `Kenya|${destination.contactNumber}` : destinationKey(destination);
}

export function phoneOfKey(key: string): string | null {
  return /^Kenya\|.*\|(\+254\d{9})$/.exec(key)?.[1] ?? null;
}

/** Describes a destination for a screen, with only the last four digits of an account or phone. */
export function destinationWords(destination: Destination): string {
  const masked = (number: string) => `…${number.slice(-4)}`;
  switch (destination.country) {
    case 'SouthAfrica':
    case 'Nigeria':
      return `${destination.bankName ?? destination.bank} ${masked(destination.accountNumber)}`;
    case 'Kenya':
      return `${destination.networkProvider} ${masked(destination.contactNumber)}`;
    case 'BTC':
      return destination.lnurl;
  }
}

/** A merchant as the service returns it (interface 2.7). Its fields depend on the country, and any of them may be missing. */
export interface ListedMerchant {
  readonly name?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly bankName?: string | null | undefined;
  readonly accountNumber?: string | null | undefined;
  readonly bankCode?: string | null | undefined;
  readonly networkProvider?: string | null | undefined;
  readonly contactNumber?: string | null | undefined;
  readonly lnurl?: string | null | undefined;
}

/** Returns the first key of a listed merchant's destination, comparable with `destinationKey`; undefined if it cannot be read. */
export function merchantKey(merchant: ListedMerchant): string | undefined {
  return merchantKeys(merchant)[0];
}

/**
 * Returns all keys that a listed merchant may have. A Nigerian bank outside our table gives two keys: by its name and by its
 * code. A phone without a network gives a key that equals no row's destination.
 */
export function merchantKeys(merchant: ListedMerchant): readonly string[] {
  const country = payoutCountryOf(merchant.country ?? '');
  switch (country) {
    case undefined:
      return [];
    case 'SouthAfrica':
    case 'Nigeria': {
      const account = accountOf(merchant);
      // An account number with masked digits may belong to anyone, so it gives no key.
      return /^\d+$/.test(account) ? banksOf(country, merchant).map((id) => `${country}|${id}|${account}`) : [];
    }
    case 'Kenya':
      return mobileKeys(merchant);
    case 'BTC':
      return lightningKeys(merchant);
  }
}

/** True if the merchant may be a payout destination, but lacks the data to say which one. */
export function isUnclear(merchant: ListedMerchant): boolean {
  const country = (merchant.country ?? '').trim();
  return (country === '' || payoutCountryOf(country) !== undefined) && merchantKeys(merchant).length === 0;
}

/** True if everything that the merchant shows agrees with the key: the phone, the account, or at least its last four digits. */
export function mayStillBe(merchant: ListedMerchant, key: string): boolean {
  const keys = merchantKeys(merchant);
  if (keys.includes(key)) return true;
  const country = payoutCountryOf(merchant.country ?? '');
  const [ofCountry, bank = '', account = ''] = key.split('|');
  if (country !== ofCountry) return false;
  if (country === 'Kenya') {
    const network = (merchant.networkProvider ?? '').trim().toUpperCase();
    return (network === '' || network === bank) && mayShow(samePhone(merchant.contactNumber ?? ''), account);
  }
  if (country !== 'SouthAfrica' && country !== 'Nigeria') return false;
  const banks = banksOf(country, merchant);
  return mayShow(accountOf(merchant), account) && (banks.length === 0 || banks.includes(bank));
}

/** True if `shown` is the whole number, or the number without its masked beginning or middle. */
function mayShow(shown: string, whole: string): boolean {
  const [start = '', end, ...more] = shown.split(/[^\d+]+/);
  if (end === undefined) return start === whole;
  return end.length >= 4 && more.length === 0 && whole.startsWith(start) && whole.endsWith(end);
}

/** Removes spaces and hyphens. Leading zeros stay, because 0123 and 123 are two accounts. */
const accountOf = (merchant: ListedMerchant) => (merchant.accountNumber ?? '').replace(/[\s-]/g, '');

/** Returns the ids of the banks that the merchant may name. A name of digits only counts as a code. */
function banksOf(country: Exclude<BankCountry, 'Kenya'>, { bankName, bankCode }: ListedMerchant): readonly string[] {
  const named: BankWords = /^\d+$/.test(bankName ?? '') ? { code: bankName ?? null } : { name: bankName ?? null };
  const ways = country === 'Nigeria' ? [named, { code: bankCode ?? null }] : [named];
  const ids = ways.map((way) => bankOf(country, way)).filter((id) => id !== undefined);
  // Ignores the bank code if our table knows the bank name, because the code may be of another kind.
  return [...new Set(ids[0] !== undefined && isKnown(country, ids[0]) ? ids.slice(0, 1) : ids)];
}

function isKnown(country: BankCountry, id: string): boolean {
  return bankById(country, id) !== undefined;
}

function mobileKeys(merchant: ListedMerchant): string[] {
  const networkProvider = (merchant.networkProvider ?? '').trim();
  const contactNumber = samePhone(merchant.contactNumber ?? '');
  if (!/^\+254\d{9}$/.test(contactNumber)) return [];
  return [destinationKey({ country: 'Kenya', networkProvider, contactNumber })];
}

function lightningKeys(merchant: ListedMerchant): string[] {
  const lnurl = (merchant.lnurl ?? '').trim().replace(/^lightning:/i, '');
  return lnurl === '' || /[*•…]/.test(lnurl) ? [] : [destinationKey({ country: 'BTC', lnurl })];
}
