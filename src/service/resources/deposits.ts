/** Computes the deposit for a payment: to a bank account, or to a one-time USDT address (interface 2.8, 4.20). */
import type { z } from 'zod';
import { sha256 } from '../../base/digest.ts';
import { type Currency, listedCountries, type SourceCountry, sourceCountryOf } from '../../domain/accounts/country.ts';
import type { depositBankDetails } from '../../wire/payment.ts';
import type { PaymentRow } from '../store/store.ts';

// The interface does not show the values of `fromCountry` (interface 2.9, 4.20). This service accepts the values of
// GET /utils/countries, and also KE, KES and UK. A call without `fromCountry` is valid too.
const sourceWords: readonly string[] = [...listedCountries, 'KE', 'KES', 'UK'];

export const sourceOf = (fromCountry: string): SourceCountry | undefined =>
  sourceWords.includes(fromCountry) ? sourceCountryOf(fromCountry) : undefined;

// The interface does not show how long a USDT address is valid (4.20). This service makes an address per payment.
// The interface does not show which payments wait for a deposit (interface 2.9, 4.20). In this service a payment
// from a fiat country or from USDT waits. The tenant's balance pays for other payments.
const collectors: { readonly [S in SourceCountry]?: { readonly currency: string; readonly bankName: string } } = {
  SouthAfrica: { currency: 'ZAR', bankName: 'Sandbox Bank South Africa' },
  Nigeria: { currency: 'NGN', bankName: 'Sandbox Bank Nigeria' },
  Kenya: { currency: 'KES', bankName: 'Sandbox Bank Kenya' },
  UnitedKingdom: { currency: 'GBP', bankName: 'Sandbox Bank UK' },
  Europe: { currency: 'EUR', bankName: 'Sandbox Bank Europe' },
};

// The interface does not show the exchange rates (interface 4.20). This service has fixed, roughly realistic rates:
// the price of one unit of the currency (BTC: of one satoshi), in millionths of a US dollar.
const millionthsOfDollar: { readonly [currency: string]: bigint } = {
  ZAR: 55_000n,
  NGN: 650n,
  KES: 7_700n,
  GBP: 1_280_000n,
  EUR: 1_090_000n,
  BTC: 1_000n,
};

type DepositColumns = Pick<PaymentRow, 'needs_deposit' | 'deposit_details' | 'deposit_address'>;

/** Account and address are computed from the payment's id. */
export function depositFor(
  source: SourceCountry | null,
  payment: { id: string; amount: number; currency: Currency; reference: string },
): DepositColumns {
  const none = { needs_deposit: 0, deposit_details: null, deposit_address: null };
  if (source === 'USDT')
    return { ...none, needs_deposit: 1, deposit_address: `0x${sha256(`usdt ${payment.id}`).slice(0, 40)}` };
  const collector = source === null ? undefined : collectors[source];
  if (collector === undefined) return none;
  const details: z.infer<typeof depositBankDetails> = {
    bankName: collector.bankName,
    accountName: 'Payrun Sandbox Collections',
    accountNumber: String(Number.parseInt(sha256(`deposit ${payment.id}`).slice(0, 10), 16) % 1e10).padStart(10, '0'),
    currency: collector.currency,
    amount: converted(payment.amount, payment.currency, collector.currency),
    reference: payment.reference,
  };
  return { ...none, needs_deposit: 1, deposit_details: JSON.stringify(details) };
}

export function fromDollarCents(hundredths: number, currency: Currency): number {
  const price = millionthsOfDollar[currency]!;
  return Number((BigInt(hundredths) * 10_000n + price - 1n) / price);
}

/** Returns the amount in the currency `to`, rounded up to hundredths, as decimal text such as `12.34`. */
function converted(amount: number, from: string, to: string): string {
  const price = millionthsOfDollar[to]!;
  const hundredths = (BigInt(amount) * millionthsOfDollar[from]! * 100n + price - 1n) / price;
  const digits = String(hundredths).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
