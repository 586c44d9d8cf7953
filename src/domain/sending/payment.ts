/** The meaning of a payment's status (interface 2.8, 3). */
import type { OptionFault } from '../../base/faults/fault.ts';

/** `open`: every other status, even `cancelled`, unless the setting payments.statuses maps that status. */
export type PaymentEnd = 'success' | 'expired' | 'open';

type StatusWords = Readonly<Record<string, 'success' | 'expired'>>;

export interface Statuses {
  readonly said: StatusWords;
  /** Ignores case and outer spaces. A missing status is open. */
  endOf(status: string | null | undefined): PaymentEnd;
}

const fold = (status: string) => status.trim().toLowerCase();

const own: readonly string[] = ['success', 'expired'];

export function statusesOf(said: StatusWords = {}): Statuses {
  const ends = new Map<string, PaymentEnd>([
    ...Object.entries(said).map(([word, end]) => [fold(word), end] as const),
    ['success', 'success'],
    ['expired', 'expired'],
  ]);
  return { said, endOf: (status) => ends.get(fold(status ?? '')) ?? 'open' };
}

/** True for every status except `success` and `expired`, the only ends in the interface. */
export const isForeignWord = (status: string | null | undefined): boolean => !own.includes(fold(status ?? ''));

const underWay =
  /^(?:created|held|initiated|new|on[ _-]?hold|open|processing|queued|submitted|waiting)$|await|pending|progress/;

/** For each end, words that no setting may map to that end. A paid row counted as `expired` would be paid twice. */
const opposite = {
  expired:
    /^(?:accepted|approved|authori[sz]ed|completed?|confirmed|delivered|done|in[ _-]?transit|paid|paid[ _-]?out|scheduled|sent|settled|succeeded|successful)$/,
  success: /^(?:cancell?ed|declined|failed|failure|refunded|refused|rejected|returned|reversed|unpaid|voided)$/,
};

export function statusWordsFault(said: StatusWords): OptionFault | null {
  const seen = new Map<string, string>();
  for (const [word, end] of Object.entries(said)) {
    const folded = fold(word);
    if (folded === '') return { fault: 'status-is-empty' };
    if (own.includes(folded) && folded !== end) return { fault: 'status-has-own-meaning', word, meaning: folded };
    if (seen.has(folded) && seen.get(folded) !== end) return { fault: 'status-is-twice', word };
    if (underWay.test(folded)) return { fault: 'status-is-under-way', word, end };
    if (opposite[end].test(folded)) return { fault: 'status-is-opposite', word, end };
    seen.set(folded, end);
  }
  return null;
}
