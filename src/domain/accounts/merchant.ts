/** Merchants: payout destinations, and when two of them are one. A second merchant for a destination would hide duplicates. */
import { type BankCountry, type BankWords, bankById, bankOf } from './bank.ts';
import { payoutCountryOf } from './country.ts';
import { samePhone } from './phone.ts';

/**
 * A destination in canonical values. `bank` is our own stable id of the bank (see bank.ts), so that a name, its aliases and
 * its code are one destination; `bankName` and `bankCode` are what is sent.
 */
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

/** Equal for two destinations exactly when money sent to them ends in the same place. Text, for a ledger's key. */
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

/** Returns the payee's key: a phone has one owner, whatever network a sheet names. */
export function payeeKey(destination: Destination): string {
  return destination.country === 'Kenya' ? `Kenya|${destination.contactNumber}` : destinationKey(destination);
}

/** The phone of a Kenyan destination's key; null for any other. */
export function phoneOfKey(key: string): string | null {
  return /^Kenya\|.*\|(\+254\d{9})$/.exec(key)?.[1] ?? null;
}

/** Describes a destination for a screen: an account or a phone by its last four digits. */
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

/** A merchant as the service returns it (interface 2.7): which fields apply depends on the country, and none is certain. */
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

/** The key of a listed merchant's destination, comparable with `destinationKey`; undefined where it cannot be read. */
export function merchantKey(merchant: ListedMerchant): string | undefined {
  return merchantKeys(merchant)[0];
}

/**
 * Every key that the merchant's destination may have. A Nigerian bank of neither our table's names nor its codes is known to a row
 * either by its name or by its code, while the service returns both: so such a merchant has two keys. Empty where it cannot be read. A
 * phone without its network has a key by which its owner is known, and is no row's destination.
 */
export function merchantKeys(merchant: ListedMerchant): readonly string[] {
  const country = payoutCountryOf(merchant.country ?? '');
  switch (country) {
    case undefined:
      return [];
    case 'SouthAfrica':
    case 'Nigeria': {
      const account = accountOf(merchant);
      // Masked, it may be anybody's.
      return /^\d+$/.test(account) ? banksOf(country, merchant).map((id) => `${country}|${id}|${account}`) : [];
    }
    case 'Kenya':
      return mobileKeys(merchant);
    case 'BTC':
      return lightningKeys(merchant);
  }
}

/** True when a merchant shows too little of its destination, or no known country, to be told from others. */
export function isUnclear(merchant: ListedMerchant): boolean {
  const country = (merchant.country ?? '').trim();
  return (country === '' || payoutCountryOf(country) !== undefined) && merchantKeys(merchant).length === 0;
}

/**
 * True when the merchant may be the one made for a destination: all that it shows agrees, and it shows the phone, the account, or
 * at least four last digits of a masked one.
 */
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

/** True when a number is the whole one, or the same with its middle or beginning masked. */
function mayShow(shown: string, whole: string): boolean {
  const [start = '', end, ...more] = shown.split(/[^\d+]+/);
  if (end === undefined) return start === whole;
  return end.length >= 4 && more.length === 0 && whole.startsWith(start) && whole.endsWith(end);
}

/** Digit by digit, with leading zeros: 0123 and 123 are two accounts. */
const accountOf = (merchant: ListedMerchant) => (merchant.accountNumber ?? '').replace(/[\s-]/g, '');

/** Ids of the bank that a merchant names; some write its code in the place of its name. */
function banksOf(country: Exclude<BankCountry, 'Kenya'>, { bankName, bankCode }: ListedMerchant): readonly string[] {
  const named: BankWords = /^\d+$/.test(bankName ?? '') ? { code: bankName ?? null } : { name: bankName ?? null };
  const ways = country === 'Nigeria' ? [named, { code: bankCode ?? null }] : [named];
  const ids = ways.map((way) => bankOf(country, way)).filter((id) => id !== undefined);
  // A bank name that our table knows decides: a returned code may be of another kind.
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
