/** In what the amount of a row counts, as far as the cells say: a page of a sheet is read before its rows are good. */
import { currencyOf, payoutCountryOf, sourceCountryOf } from '../../domain/accounts/country.ts';
import { currencyOfHeader } from '../../sheet/sheet.ts';
import type { CellMoney } from '../api.ts';

const unknown: CellMoney = { currency: '', unit: '' };
const units: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BTC: { sat: 'sat', sats: 'sat', satoshi: 'sat', satoshis: 'sat' },
  USDT: { hundredths: 'hundredths', usdt: 'whole' },
};
/** Such as cents, which the cells beside the amount do not tell. */
const otherUnit = /cent|hundred|thousand|minor|000/i;

/** The columns that tell it. */
export const moneyFields = ['country', 'from_country', 'amount_unit', 'currency'] as const;
type Said = { readonly [F in (typeof moneyFields)[number]]?: string | undefined };

/** `values`: of rows that say nothing themselves; `heading`: of the column of amounts. */
export function moneyIn(said: Said, values: Said, heading: string): CellMoney {
  const of = (field: keyof Said) => (said[field] ?? '').trim() || (values[field] ?? '').trim();
  const country = payoutCountryOf(of('country'));
  const currency = sourceCountryOf(of('from_country')) === 'USDT' ? 'USDT' : country && currencyOf[country];
  if (currency === undefined || otherUnit.test(heading)) return unknown;
  // What the sheet says itself, of which a mistake is told beside it.
  const named = of('currency') || (currencyOfHeader(heading) ?? '');
  if (named !== '' && named.toUpperCase() !== currency) return unknown;
  const word = of('amount_unit').toLowerCase();
  const whole = ['', 'whole', currency.toLowerCase()].includes(word) ? 'whole' : undefined;
  const unit = currency in units ? units[currency]?.[word] : whole;
  return unit === undefined ? unknown : { currency, unit };
}
