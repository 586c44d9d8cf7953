/** Reads control totals by the rules for a sheet's amounts, so that a separator never changes an amount. */
import { type AmountTerms, type NumberFormat, readAmount } from '../../domain/amounts/money.ts';
import { refused } from '../http/route.ts';

const currencies: readonly AmountTerms['currency'][] = ['ZAR', 'NGN', 'KES', 'BTC', 'USDT'];

/** Returns totals such as `ZAR=230000` for `--expect`. Throws for an unreadable number. An unknown name stays as typed. */
export function readTotals(said: readonly string[], numberFormat: NumberFormat | null): string[] {
  return said.map((option) => {
    const at = option.indexOf('=');
    const [name, typed] = [option.slice(0, at).trim(), option.slice(at + 1).trim()];
    const [code = '', unit = 'whole'] = name.split(':');
    const currency = currencies.find((one) => one === code);
    if (name === 'rows') return `rows=${readRows(typed)}`;
    if (currency === undefined || (unit !== 'whole' && unit !== 'sat' && unit !== 'hundredths')) return option;
    const { value, findings } = readAmount(asShown(typed), { currency, unit, decimals: 0, numberFormat });
    if (value !== undefined) return `${name}=${value}`;
    const [found] = findings;
    const problem = found === undefined ? null : { code: found.code, facts: { ...found.facts, isTotal: true } };
    throw refused(422, 'TOTAL_UNREADABLE', { currency: code, typed, problem });
  });
}

/** Removes the commas of a number such as `230,000`, because the page shows numbers in this form. */
const asShown = (typed: string) =>
  typed.replace(/(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d.,])/, (sum) => sum.replaceAll(',', ''));

function readRows(typed: string): string {
  const bare = typed.replaceAll(/(?<=\d)[\s,.](?=\d{3}(?!\d))/g, '');
  if (/^(?:0|[1-9]\d{0,8})$/.test(bare)) return bare;
  throw refused(422, 'ROWS_TOTAL_UNREADABLE', { typed });
}
