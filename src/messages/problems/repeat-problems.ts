/** The words of the problems of rows and sheets that look sent already. */
import { visible } from '../../base/words.ts';
import type { BatchProblems, LikeBatch } from '../../domain/problems/batch-problems.ts';
import type { Audience, ProblemTable } from '../audience.ts';
import { droppedWords } from '../duplicates.ts';
import { counted, moneyOf, named, sumWords } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import { alikeWords, paymentWords, reasonWords, sameThing } from '../reasons.ts';

/** A page calls the destination an account. `references`: those of the two rows, if they differ. */
export function alikeRowWords(
  row: number,
  audience: Audience = 'terminal',
  references: readonly [above: string, here: string] | null = null,
): string {
  return `row ${row} pays the same amount to the same ${audience === 'page' ? 'account' : 'payee'} with ${references === null ? 'the same reference' : `the reference '${references[0]}', and this row has '${references[1]}'`}`;
}

const effects = { pays: '', holds: '; the row is held' } as const;

export const unpaidWords = ({ reason, isExpired }: Omit<BatchProblems['ROW_UNPAID'], 'sentAt'>) =>
  reasonWords(reason) ?? (isExpired ? 'The payment expired.' : 'The service refused the payment.');

function takesBack({ batch, now }: BatchProblems['TAKES_BACK']): string {
  if (typeof now === 'string') return `a newer sheet of batch ${batch} ${goneWords[now]}`;
  return `an older sheet of batch ${batch} had the row like this; now it is ${moneyOf(now)} to ${now.to} for ${now.reference}`;
}

export const goneWords = { removed: 'lacks the row', mistake: 'has a mistake in the row' };

const sameAs = {
  content: 'the sheet has the same rows as',
  'totals and count': 'the sheet has as many rows, and the same totals, as',
  totals: 'the sheet has other rows, and the same totals, as',
} as const;

export function likeBatchWords({ batch, file, rows, same, totals, at, isSent }: LikeBatch): string {
  const money = Object.entries(totals).map(([name, amount]) => sumWords(name, amount));
  const when = isSent ? `sent on ${timeWords(at)}` : `imported on ${timeWords(at)}, no row paid`;
  return visible(`${sameAs[same]} batch ${batch} (${file}, ${counted(rows, 'row')}, ${money.join(', ')}, ${when})`);
}

const isMeant = (like: LikeBatch) => `${likeBatchWords(like)}; check that this is intended`;

export const repeatProblems = {
  LOOKS_PAID: ({ effect, ...facts }) =>
    `looks like ${paymentWords(facts)}: ${alikeWords(facts.differs)}${effects[effect]}`,
  LOOKS_WAITING: ({ row, batch, differs, amount, currency }) => {
    const there = differs === 'amount' ? ` (${sumWords(currency, amount)} there)` : '';
    const why = differs === 'nothing' ? sameThing : `only the ${differs} differs${there}`;
    return `looks like row ${row} of batch ${batch}, which waits there and was not sent: ${why}`;
  },
  ROW_UNPAID: ({ sentAt, ...why }) =>
    `${sentAt === null ? 'was not sent' : `was sent at ${timeWords(sentAt)} and not paid`}. ${unpaidWords(why)}`,
  ROW_CLOSED: (facts) => `would be opened again by this plan; it was ${droppedWords(facts)}`,
  TAKES_BACK: takesBack,
  ROW_DROPPED: ({ batch, was }) =>
    `batch ${batch} has ${moneyOf(was)} to ${was.to} for ${was.reference}, which the sheet lacks; it is closed unpaid`,
  MISTAKES_END: ({ batch, lines }) =>
    `batch ${batch} has ${counted(lines, 'line')} with mistakes which the sheet lacks; ${named(lines).they} will not be paid`,
  BATCH_REPEATED: isMeant,
  TOTALS_REPEATED: isMeant,
} satisfies Partial<ProblemTable<BatchProblems>>;
