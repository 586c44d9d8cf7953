/** The words about a row's state: who closed the row, its mistakes, and its other reasons. */
import { ended } from '../base/words.ts';
import { type Closed, readClosed } from '../domain/rows/row-states.ts';
import { because, reasonsIn, type StoredReasons } from '../domain/sending/reason.ts';
import { timeWords } from './format/times.ts';
import { mistakeWords } from './problems.ts';
import { reasonWords } from './reasons.ts';

const closedWords = ({ by, why, at }: Closed) =>
  `Closed${by === null ? '' : ` by ${by}`} on ${timeWords(at)}: ${closingWords(why)}`;

export const closingWords = (why: Closed['why']) => (typeof why === 'string' ? why : `${why.sheet} lacks the row`);

export const unansweredWords =
  'Payrun sent it, and got no clear answer. It may be paid, so do not pay it elsewhere. Payrun searches for it at the service.';

export function rowReasonWords(reason: StoredReasons | null, closed: string | null): string | null {
  const words = reasonsIn(reason).map((one) =>
    one.kind === 'has-mistakes' ? ended(mistakeWords(one.problems)) : reasonWords(because(one)),
  );
  const who = closed === null ? [] : [ended(closedWords(readClosed(closed)))];
  return [...who, ...words].join(' ') || null;
}
