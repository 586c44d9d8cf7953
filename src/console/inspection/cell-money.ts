/** Finds the currency and unit of a row's amount from its cells, even if the row still has mistakes. */
import { currencyOf, payoutCountryOf, sourceCountryOf } from '../../domain/accounts/country.ts';
import { namedUnit } from '../../domain/rows/row.ts';
import { currencyOfHeader } from '../../sheet/sheet.ts';
import type { CellMoney } from '../api.ts';

const unknown: CellMoney = { currency: '', unit: '' };
/** Headings with another unit, such as cents. The page then shows amounts without a currency. */
const otherUnit = /cent|hundred|thousand|minor|000/i;

export const moneyFields = ['country', 'from_country', 'amount_unit', 'currency'] as const;
type Said = { readonly [F in (typeof moneyFields)[number]]?: string | undefined };

/** `values` apply where a cell is empty. `heading` is the heading of the amounts. */
export function moneyIn(said: Said, values: Said, heading: string): CellMoney {
  const of = (field: keyof Said) => (said[field] ?? '').trim() || (values[field] ?? '').trim();
  const country = payoutCountryOf(of('country'));
  const currency = sourceCountryOf(of('from_country')) === 'USDT' ? 'USDT' : country && currencyOf[country];
  if (currency === undefined || otherUnit.test(heading)) return unknown;
  // Returns no currency if the cells contradict each other. The sheet already has a problem for that.
  const named = of('currency') || (currencyOfHeader(heading) ?? '');
  if (named !== '' && named.toUpperCase() !== currency) return unknown;
  const terms = namedUnit(of('amount_unit').toLowerCase() || 'whole', currency);
  if (terms === undefined) return unknown;
  // The page shows the cell's own text, so decimal USDT are whole ones.
  return { currency, unit: terms.decimals === 2 ? 'whole' : terms.unit };
}
