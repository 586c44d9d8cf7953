/** Computes a payment's status at a given time. A payment's course is fixed when the payment is created. */
import { isoTime } from '../../base/clock.ts';
import type { PaymentRow } from '../store/store.ts';

// The interface does not show all statuses (interface 2.8) and their order (interface 3). This service has `pending`,
// `processing`, `success` and `expired`. A payment that waits for its deposit is `pending`.
export const moves = {
  pending: ['processing', 'expired'],
  processing: ['success', 'expired'],
  success: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>;

export type Status = keyof typeof moves;
type End = 'success' | 'expired';

/** The columns that fix a payment's course. `deposit_at` is null if there is no deposit, or if it never arrives. */
export type Course = Pick<
  PaymentRow,
  'created_at' | 'needs_deposit' | 'collect_from' | 'deposit_at' | 'processing_at' | 'ends_at' | 'ends_as'
>;

export interface StatusMoment {
  readonly status: Status;
  readonly since: number;
  readonly words: string;
}

/** Returns all statuses of the payment, past and future, oldest first. */
export function historyOf(course: Course): readonly StatusMoment[] {
  const waiting = course.needs_deposit === 1 ? depositWords(course) : 'Accepted, waiting to be paid out';
  const history: StatusMoment[] = [{ status: 'pending', since: course.created_at, words: waiting }];
  if (course.processing_at !== null) {
    const words = course.needs_deposit === 1 ? 'Deposit received, being paid out' : 'Being paid out';
    history.push({ status: 'processing', since: course.processing_at, words });
  }
  history.push({ status: course.ends_as, since: course.ends_at, words: endWords(course) });
  return history;
}

/** Returns the status at `now`. If an end is stored (`ended`), returns that end, whatever the clock says. */
export function momentAt(course: Course, now: number, ended: End | null): StatusMoment {
  const history = historyOf(course);
  if (ended !== null) return history.at(-1)!;
  return history.findLast((moment) => moment.since <= now) ?? history[0]!;
}

export const isEnd = (status: Status): status is End => moves[status].length === 0;

/** Shows only the last three digits of the phone number. The owner recognises the phone by these digits. */
function depositWords({ collect_from: phone }: Course): string {
  if (phone === null) return 'Waiting for the deposit';
  return `Waiting for the deposit: the owner of the phone that ends in ${phone.slice(-3)} was asked to confirm it`;
}

function endWords(course: Course): string {
  if (course.ends_as === 'success') return `Paid out at ${isoTime(course.ends_at)}`;
  return course.needs_deposit === 1 && course.deposit_at === null
    ? `Expired at ${isoTime(course.ends_at)}: the deposit did not arrive`
    : `Expired at ${isoTime(course.ends_at)}: the payee's side did not take the money; nothing was paid out`;
}
