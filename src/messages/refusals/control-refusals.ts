/** The words of refusals by the controls of a sheet's sums: totals, caps and the last batch of a series. */

import type { Beyond, OverCap, TotalsDifference } from '../../base/refusal.ts';
import { counted, grouped, moneyOf, percentWords, quoted, sumWords } from '../../base/words.ts';
import { johannesburgWords } from '../../domain/calendar/johannesburg.ts';
import { type Audience, lines } from '../audience.ts';
import type { RefusalWords } from '../passage.ts';

function totalsDifferenceWords(one: TotalsDifference, to: Audience): string {
  const source = to === 'page' && one.source === '--expect' ? 'Control total' : one.source;
  if (one.of === 'accounts') return `${source}: other accounts expected than the sheet pays`;
  if (one.of === 'rows')
    return `${source}: ${counted(one.expected, 'row')} expected, the sheet has ${grouped(one.found)} to pay`;
  const found = one.found === null ? 'none' : sumWords(one.money, one.found);
  if (one.expected !== null) return `${source}: ${sumWords(one.money, one.expected)} expected, the sheet has ${found}`;
  return to === 'page' && one.source === '--expect'
    ? `Who gives the total of one currency gives them all: the sheet has ${found} too, and no total was given for that`
    : `${source}: no total of this currency expected, the sheet has ${found}`;
}

export function overCapWords(one: OverCap): string {
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
      return `the sheet is of no series${audience === 'page' ? '' : ': say which with --series NAME'}`;
    case 'first-of-series':
      return `the first batch of series ${one.series}: there is nothing to compare it with`;
    case 'total':
      return `the total went from ${moneyOf({ ...one, amount: one.was })} to ${moneyOf({ ...one, amount: one.now })} (${percentWords(BigInt(one.was), BigInt(one.now))})`;
    case 'payees':
      return `the amounts of ${counted(one.payees, 'payee')} changed by more than ${one.percent} %`;
  }
}

export const controlRefusals = {
  TOTALS_DIFFER: ({ differences }, to) =>
    lines(
      to,
      'The sheet is not what its control totals say. Nothing was sent.',
      differences.map((one) => totalsDifferenceWords(one, to)),
      'Find out which of the two is wrong, from whoever made the sheet; do not take the totals from the sheet itself.',
    ),
  TOTALS_MISSING: ({ file, totals }, to) =>
    lines(
      to,
      `Control totals are required here, and nothing says what ${file} must come to. Nothing was sent.`,
      `Ask whoever made the sheet for its totals, by another way than the sheet came${to === 'page' ? ', and give them here' : `: ${totals} beside it, or --expect rows=N --expect ZAR=SUM`}.`,
    ),
  OVER_CAP: ({ over, dayEnds }, to) =>
    lines(
      to,
      'More would be sent than the caps of this desk allow. Nothing was sent.',
      over.map(overCapWords),
      'Take the rows that are over out of the sheet, or have whoever keeps payrun.config.json raise the cap. Never cut an amount in two to come under it: a payee is counted over all of its rows and accounts, and two people of one name are told apart by fuller names.',
      dayEnds === null ? '' : `A new day begins at ${johannesburgWords(dayEnds)}.`,
    ),
  VARIANCE: ({ beyond }, to) =>
    lines(
      to,
      'The sheet is not like the last of its series. Nothing was sent.',
      beyond.map((one) => beyondWords(one, to)),
      to === 'page'
        ? 'If it is meant, say why, and plan it again.'
        : 'Look at it with payrun plan; if it is meant, run it again with --confirm-variance "the reason".',
    ),
} satisfies Partial<RefusalWords>;
