/** Merchants: where a payment goes, and when two destinations are one (design 7). */
import { type BankCountry, type BankWords, bankById, bankOf } from './bank.ts';
import { payoutCountryOf } from './country.ts';

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

/** Who is paid, for a person: a phone has one owner, whatever network a sheet names for it. */
export function payeeKey(destination: Destination): string {
  return destination.country === 'Kenya' ? `Kenya|${destination.contactNumber}` : destinationKey(destination);
}

/** The phone of a Kenyan destination's key; null for any other. */
export function phoneOfKey(key: string): string | null {
  return /^Kenya\|.*\|(\+254\d{9})$/.exec(key)?.[1] ?? null;
}

/** Where it goes, for a screen: an account or a phone by its last four digits. */
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
 * either by its name or by its code, while the service returns both: so such a merchant has two keys. Empty where it cannot be read.
 */
export function merchantKeys(merchant: ListedMerchant): readonly string[] {
  const country = payoutCountryOf(merchant.country ?? '');
  switch (country) {
    case undefined:
      return [];
    case 'SouthAfrica':
      return bankKeys(country, merchant, [{ name: merchant.bankName ?? null }]);
    case 'Nigeria':
      return bankKeys(country, merchant, [{ name: merchant.bankName ?? null }, { code: merchant.bankCode ?? null }]);
    case 'Kenya':
      return mobileKeys(merchant);
    case 'BTC':
      return lightningKeys(merchant);
  }
}

function bankKeys(
  country: Exclude<BankCountry, 'Kenya'>,
  merchant: ListedMerchant,
  ways: readonly BankWords[],
): string[] {
  // Digit by digit, with leading zeros: 0123 and 123 are two accounts.
  const accountNumber = (merchant.accountNumber ?? '').replace(/[\s-]/g, '');
  if (accountNumber === '') return [];
  const ids = ways.map((way) => bankOf(country, way)).filter((id) => id !== undefined);
  // Where our table knows the named bank, its name decides: a returned code may be of another kind (domain facts, Nigeria).
  const trusted = ids[0] !== undefined && isKnown(country, ids[0]) ? ids.slice(0, 1) : ids;
  return [...new Set(trusted)].map((id) => `${country}|${id}|${accountNumber}`);
}

function isKnown(country: BankCountry, id: string): boolean {
  return bankById(country, id) !== undefined;
}

function mobileKeys(merchant: ListedMerchant): string[] {
  const networkProvider = (merchant.networkProvider ?? '').trim();
  const contactNumber = (merchant.contactNumber ?? '').replace(/[\s-]/g, '');
  if (networkProvider === '' || contactNumber === '') return [];
  return [destinationKey({ country: 'Kenya', networkProvider, contactNumber })];
}

function lightningKeys(merchant: ListedMerchant): string[] {
  const lnurl = (merchant.lnurl ?? '').trim().replace(/^lightning:/i, '');
  return lnurl === '' ? [] : [destinationKey({ country: 'BTC', lnurl })];
}
