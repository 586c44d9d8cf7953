/** Writes counts, plurals, lists and amounts of money. */
import { type ShownMoney, unitOf, wordsIn } from '../../base/words.ts';

export const oneOrMany = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${oneOrMany(count, one, many)}`;

export const named = (count: number) =>
  count === 1
    ? ({ is: 'is', was: 'was', they: 'it', it: 'it', its: 'its' } as const)
    : ({ is: 'are', was: 'were', they: 'they', it: 'them', its: 'their' } as const);

/** Returns `a`, `a and b` or `a, b and c`. */
export const joined = (words: readonly (string | number)[], joint: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(` ${joint} `);

/** Writes digits in groups of three: `1,234,567`. Accepts text, because a number loses digits of a large amount. */
export const grouped = (value: number | string | bigint): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns `4,500 ZAR`, `1,234.50 USDT` or `21,000 sat`. */
export function moneyOf({ amount, unit, currency }: ShownMoney): string {
  if (unit === 'sat') return `${grouped(amount)} sat`;
  if (unit !== 'hundredths') return `${grouped(amount)} ${currency}`;
  const digits = String(amount).padStart(3, '0');
  return `${grouped(digits.slice(0, -2))}.${digits.slice(-2)} ${currency}`;
}

/** `name` is a currency, or a currency with its unit, such as `BTC:sat`. */
export function sumWords(name: string, amount: ShownMoney['amount']): string {
  const [currency = ''] = name.split(':');
  return moneyOf({ amount, unit: (unitOf as Readonly<Record<string, string>>)[currency] ?? 'whole', currency });
}

export function percentWords(was: bigint, now: bigint): string {
  if (was === 0n) return 'new';
  const tenths = ((now - was) * 1000n) / was;
  const whole = tenths < 0n ? -tenths : tenths;
  return `${now < was ? '-' : '+'}${grouped(String(whole / 10n))}.${whole % 10n} %`;
}

const countedStates = wordsIn('paid pending being_sent not_sent unpaid in_doubt held paid_twice invalid closed');
type Counts = Readonly<Record<(typeof countedStates)[number], number>>;

/** Returns the word of a count, such as `in doubt` for `in_doubt`. */
export const stateWord = (name: string): string => name.replace('_', ' ');

export const rowStateCounts = (rows: Counts) =>
  countedStates.flatMap((name) => (rows[name] > 0 ? [[stateWord(name), rows[name]] as const] : []));

/** Returns the counts of a batch's rows, such as `3 rows: 2 paid, 1 not sent`. */
export function rowCountWords(rows: Counts & { readonly total: number }): string {
  const words = rowStateCounts(rows).map(([word, count]) => `${grouped(count)} ${word}`);
  return `${counted(rows.total, 'row')}${words.length === 0 ? '' : ': '}${words.join(', ')}`;
}
