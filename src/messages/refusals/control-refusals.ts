/** The words of refusals by the controls of a sheet's sums: totals, caps and the last batch of a series. */
import type { Beyond, OverCap, TotalsDifference } from '../../base/refusal.ts';
import { quoted } from '../../base/words.ts';
import type { Audience } from '../audience.ts';
import { counted, grouped, moneyOf, percentWords, sumWords } from '../format/numbers.ts';
import { johannesburgWords } from '../format/zoned-times.ts';
import type { RefusalWords } from '../passage.ts';

function totalsDifferenceWords(one: TotalsDifference, to: Audience): string {
  const source = to === 'page' && one.source === '--expect' ? 'Control total' : one.source;
  if (one.of === 'accounts') return `${source}: the sheet pays other accounts than expected`;
  if (one.of === 'rows')
    return `${source}: ${counted(one.expected, 'row')} expected, the sheet has ${grouped(one.found)} to pay`;
  const found = one.found === null ? 'none' : sumWords(one.money, one.found);
  if (one.expected !== null) return `${source}: ${sumWords(one.money, one.expected)} expected, the sheet has ${found}`;
  return to === 'page' && one.source === '--expect'
    ? `The sheet also has ${found}, and no total was given for this currency. Give a total for every currency`
    : `${source}: no total of this currency expected, the sheet has ${found}`;
}

function overCapWords(one: OverCap): string {
  if ('more' in one) return `and ${counted(one.more, one.of === 'rows' ? 'more row' : 'more payee')}`;
  return `${one.of} cap of ${sumWords(one.money, one.cap)}: ${overWords(one)}`;
}

function overWords(one: Exclude<OverCap, { readonly more: number }>): string {
  const money = (amount: string) => sumWords(one.money, amount);
  if (one.of === 'row') return `row ${one.row} pays ${money(one.amount)}`;
  if (one.of === 'payee') {
    const more = one.rows === 1 ? '' : ` and ${grouped(one.rows - 1)} more`;
    const where = one.accounts === 1 ? 'to one account' : `to ${counted(one.accounts, 'account')} under this name`;
    return `${quoted(one.name)} (row ${one.row}${more}) gets ${money(one.amount)} ${where}`;
  }
  const sum =
    one.before === '0'
      ? `${money(one.now)} would be sent`
      : `${money(one.before)} was sent ${one.of === 'day' ? 'already' : 'of it before'}, and ${money(one.now)} would be sent now`;
  return one.of === 'day' ? `on ${one.day}, ${sum}` : sum;
}

export function beyondWords(one: Beyond, audience: Audience = 'terminal'): string {
  switch (one.of) {
    case 'no-series':
      return `the sheet has no series${audience === 'page' ? '' : ': say which with --series NAME'}`;
    case 'first-of-series':
      return `the first batch of series ${one.series}: there is nothing to compare it with`;
    case 'total':
      return `the total went from ${moneyOf({ ...one, amount: one.was })} to ${moneyOf({ ...one, amount: one.now })} (${percentWords(BigInt(one.was), BigInt(one.now))})`;
    case 'payees':
      return `the amounts of ${counted(one.payees, 'payee')} changed by more than ${one.percent} %`;
  }
}

export const controlRefusals = {
  TOTALS_DIFFER: ({ differences }, to) => [
    'The sheet does not match its control totals. Nothing was sent.',
    differences.map((one) => totalsDifferenceWords(one, to)),
    'Ask the person who made the sheet whether the sheet or a total is wrong. Do not copy the totals from the sheet itself.',
  ],
  TOTALS_MISSING: ({ file, totals }, to) => [
    `Control totals are required here, and ${file} has none. Nothing was sent.`,
    `Ask the person who made the sheet for its totals, but not through the channel of the sheet. Then ${to === 'page' ? 'enter them here' : `put ${totals} beside the sheet, or use --expect rows=N --expect ZAR=SUM`}.`,
  ],
  OVER_CAP: ({ over, dayEnds }) => [
    'The payments of this sheet exceed a cap. Nothing was sent.',
    over.map(overCapWords),
    'Remove rows from the sheet, or ask the person who maintains payrun.config.json to raise the cap. Do not split an amount: Payrun adds up all rows and accounts of a payee. Give two payees with the same name fuller names.',
    dayEnds === null ? '' : `A new day begins at ${johannesburgWords(dayEnds)}.`,
  ],
  VARIANCE: ({ beyond }, to) => [
    'The sheet failed the comparison with the last sheet of its series. Nothing was sent.',
    beyond.map((one) => beyondWords(one, to)),
    to === 'page'
      ? 'If the difference is intended, say why, and plan the sheet again.'
      : 'If the difference is intended, run the sheet again with --confirm-variance "the reason". If not, correct the sheet.',
  ],
} satisfies Partial<RefusalWords>;
