/** Merchants: where a payment goes, and when two destinations are one (design 7). */

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
