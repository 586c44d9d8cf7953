/** Merchants (payout destinations at the service), and keys that compare their destinations. */
import type { Each } from '../../base/words.ts';
import { type BankCountry, type BankWords, bankById, bankOf } from './bank.ts';
import { payoutCountryOf } from './country.ts';
import { samePhone } from './phone.ts';

/** `bank` is our stable id of the bank (see bank.ts). Payrun sends `bankName` and `bankCode` to the service. */
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

/** Two destinations have the same key only if their money arrives at the same place. The ledger stores the key. */
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

/** Omits the network of a phone number, because a number has the same owner in every network. */
export const payeeKey = (destination: Destination): string =>
  destination.country === 'Kenya' ? `Kenya|${destination.contactNumber}` : destinationKey(destination);

export const phoneOfKey = (key: string): string | null => /^Kenya\|.*\|(\+254\d{9})$/.exec(key)?.[1] ?? null;

/** Leaves out the bank and the account of a row with a mistake if nobody could read them. */
export function destinationWords(destination: Destination): string {
  const masked = (number: string) => (number === '' ? '' : `…${number.slice(-4)}`);
  switch (destination.country) {
    case 'SouthAfrica':
    case 'Nigeria':
      return `${destination.bankName ?? destination.bank} ${masked(destination.accountNumber)}`.trim();
    case 'Kenya':
      return `${destination.networkProvider} ${masked(destination.contactNumber)}`.trim();
    case 'BTC':
      return destination.lnurl;
  }
}

export type ListedMerchant = Partial<
  Each<'name country bankName accountNumber bankCode networkProvider contactNumber lnurl', string | null | undefined>
>;

/** Returns keys in the form of `destinationKey`. An unknown Nigerian bank may give two, by name and by code. */
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

export function isUnclear(merchant: ListedMerchant): boolean {
  const country = (merchant.country ?? '').trim();
  return (country === '' || payoutCountryOf(country) !== undefined) && merchantKeys(merchant).length === 0;
}

/** True if the merchant has the key, or if the last four digits match and no other data contradicts the key. */
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

/** True if `shown` equals `whole`, or hides one part of `whole` before the last four digits. */
function mayShow(shown: string, whole: string): boolean {
  const [start = '', end, ...more] = shown.split(/[^\d+]+/);
  if (end === undefined) return start === whole;
  return end.length >= 4 && more.length === 0 && whole.startsWith(start) && whole.endsWith(end);
}

/** Keeps leading zeros, because 0123 and 123 are two accounts. */
const accountOf = (merchant: ListedMerchant) => (merchant.accountNumber ?? '').replace(/[\s-]/g, '');

function banksOf(country: Exclude<BankCountry, 'Kenya'>, { bankName, bankCode }: ListedMerchant): readonly string[] {
  const named: BankWords = /^\d+$/.test(bankName ?? '') ? { code: bankName ?? null } : { name: bankName ?? null };
  const ways = country === 'Nigeria' ? [named, { code: bankCode ?? null }] : [named];
  const ids = ways.map((way) => bankOf(country, way)).filter((id) => id !== undefined);
  // Ignores the code if our table knows the name, because lists of bank codes differ.
  return [...new Set(ids[0] !== undefined && bankById(country, ids[0]) !== undefined ? ids.slice(0, 1) : ids)];
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
