/** Computes a payment's status at a given time. A payment's course is fixed when the payment is created. */
import { isoTime } from '../../base/clock.ts';

// The interface does not show all statuses (interface 2.8) and their order (interface 3). This service has `pending`,
// `processing`, `success` and `expired`. A payment that waits for its deposit is `pending`.
export const moves = {
  pending: ['processing', 'expired'],
  processing: ['success', 'expired'],
  success: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>;

export type Status = keyof typeof moves;
export type End = 'success' | 'expired';

/** Times are in milliseconds since 1970 UTC. */
export interface Course {
  readonly createdAt: number;
  readonly needsDeposit: boolean;
  readonly collectFrom: string | null;
  /** Null if the payment needs no deposit, or if its deposit never arrives. */
  readonly depositAt: number | null;
  readonly processingAt: number | null;
  readonly endsAt: number;
  readonly endsAs: End;
}

export interface StatusMoment {
  readonly status: Status;
  readonly since: number;
  readonly words: string;
}

/** Returns all statuses of the payment, past and future, oldest first. */
export function historyOf(course: Course): readonly StatusMoment[] {
  const waiting = course.needsDeposit ? depositWords(course) : 'Accepted, waiting to be paid out';
  const history: StatusMoment[] = [{ status: 'pending', since: course.createdAt, words: waiting }];
  if (course.processingAt !== null) {
    const words = course.needsDeposit ? 'Deposit received, being paid out' : 'Being paid out';
    history.push({ status: 'processing', since: course.processingAt, words });
  }
  history.push({ status: course.endsAs, since: course.endsAt, words: endWords(course) });
  return history;
}

/** Returns the status at `now`. If an end is stored (`ended`), returns that end, whatever the clock says. */
export function momentAt(course: Course, now: number, ended: End | null): StatusMoment {
  const history = historyOf(course);
  if (ended !== null) return history.at(-1)!;
  return history.findLast((moment) => moment.since <= now) ?? history[0]!;
}

export function isEnd(status: Status): status is End {
  return moves[status].length === 0;
}

/** Shows only the last three digits of the phone number. The owner recognises the phone by these digits. */
function depositWords({ collectFrom }: Course): string {
  if (collectFrom === null) return 'Waiting for the deposit';
  return `Waiting for the deposit: the owner of the phone that ends in ${collectFrom.slice(-3)} was asked to confirm it`;
}

function endWords(course: Course): string {
  if (course.endsAs === 'success') return `Paid out at ${isoTime(course.endsAt)}`;
  return course.needsDeposit && course.depositAt === null
    ? `Expired at ${isoTime(course.endsAt)}: the deposit did not arrive`
    : `Expired at ${isoTime(course.endsAt)}: the payee's side did not take the money; nothing was paid out`;
}
