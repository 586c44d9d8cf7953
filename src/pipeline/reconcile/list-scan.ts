/** One pass: GET /payments read to its end, and whether what it held is all that there is (design 4.4). */
import { timeWords } from '../../base/clock.ts';
import { PayrunError, wordsOf } from '../../base/errors.ts';
import { counted } from '../../base/words.ts';
import { CallFailure, type ReadPayment, readPayment } from '../../client/client.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import { foldTag, isTag } from '../../domain/rows/tag.ts';
import type { Moment } from '../../domain/sending/doubt.ts';
import type { Statuses } from '../../domain/sending/payment.ts';
import type { SeenPayment } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

export interface Pass {
  /** When it began. */
  readonly began: Moment;
  readonly pages: number;
  readonly payments: number;
  /** Why it proves no absence; null for a complete pass. */
  readonly incomplete: string | null;
}

const minuteMs = 60_000;
/** Payments that this identity had accepted so long ago must still be listed, or the list is not whole. */
const knownForMs = 35 * dayMs;
export function momentNow({ clock, client }: Deps): Moment {
  const { boot, ms } = clock.uptime();
  return { wall: clock.now(), service: client.serviceTime(), boot, uptime: ms };
}

/** GET /payments to its null marker. Complete only if it holds every payment that we know to be there. */
export async function readPass(deps: Deps): Promise<Pass> {
  const { ledger, client, service, limits } = deps;
  const began = momentNow(deps);
  let pages = 0;
  let payments = 0;
  let unreadable = 0;
  ledger.passes.begin();
  try {
    for await (const items of client.payments()) {
      pages += 1;
      payments += items.length;
      const seen: SeenPayment[] = [];
      for (const item of items) {
        const payment = readPayment(item);
        if (payment !== null) seen.push(seenPayment(payment, deps.statuses));
        else if (bearsOurTag(item)) unreadable += 1;
      }
      ledger.passes.add(seen);
      deps.progress({ stage: 'reconciling', done: payments, total: null });
    }
    await readTags(deps);
    await readLacking(deps, began.wall);
  } catch (error) {
    if (!(error instanceof CallFailure) && !(error instanceof PayrunError && error.code === 'SERVICE_ANSWER'))
      throw error;
    return { began, pages, payments, incomplete: wordsOf(error) };
  }
  const before = began.wall - limits.doubt.visibleMs;
  const [missing, ...others] = ledger.passes
    .missing(service.identity, began.wall - knownForMs, before)
    .filter(({ listed, seenTag }) => !listed || seenTag !== null);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const incomplete =
    unreadable > 0
      ? `${unreadable} of its items bear tags of ours and no id`
      : missing === undefined
        ? null
        : missing.listed
          ? `payment ${missing.paymentId} of ours is listed with the tag '${missing.seenTag}' instead of '${missing.tag}'${more}`
          : `it lacks payment ${missing.paymentId}, which the service accepted on ${timeWords(missing.submittedAt)}${more}`;
  return { began, pages, payments, incomplete };
}

/** Foreign items may have any shape; one of ours must be readable. */
function bearsOurTag(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'tag' in item && isTag(foldTag(item.tag));
}

/** A list whose items bear no tags is made up for by reading those that could be a row's one by one. */
async function readTags({ ledger, client, service }: Deps): Promise<void> {
  for (const id of ledger.passes.tagless(service.identity)) {
    const payment = await client.payment(id);
    ledger.passes.tell(id, foldTag(payment?.tag));
  }
}

/** So long ago, what is listed of somebody else stops nothing (design 4.1). */
export const foreignRepeatMs = 20 * dayMs;

/**
 * not shown: which fields of a payment the list leaves out (interface 4.21, 4.22). One that does not say whom it pays, how much, or under
 * which reference may look like a row that is to be sent: it is read by its id.
 */
async function readLacking({ ledger, client }: Deps, now: number): Promise<void> {
  for (const id of ledger.passes.lacking(now - foreignRepeatMs)) {
    const payment = await client.payment(id);
    if (payment !== null) ledger.passes.fill(id, { ...payment, amount: wholeAmount(payment) });
  }
}

const wholeAmount = ({ amount }: ReadPayment) =>
  typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null;

/** Year first, or a month by its name: 03/11/2026 may be of March or of November, and is no date to rely on. */
const clearDate = /^\s*\d{4}[-/]\d\d[-/]\d\d|[a-z]{3}/i;

export function seenPayment(payment: ReadPayment, statuses: Statuses): SeenPayment {
  const date = payment.date ?? '';
  const at = clearDate.test(date) ? Date.parse(date) : Number.NaN;
  return {
    id: payment.id,
    tag: foldTag(payment.tag),
    merchantId: payment.merchantId ?? null,
    amount: wholeAmount(payment),
    reference: payment.reference ?? null,
    status: payment.status ?? null,
    ending: statuses.endOf(payment.status),
    at: Number.isNaN(at) ? null : at,
    latest: Number.isNaN(at) ? null : latestOf(at, date),
  };
}

const midnight = /[T ]00:00(?::00(?:[.,]0+)?)?(?: ?Z| ?[+-]\d\d:?\d\d)?$/i;
/** A moment of no time zone is of any. */
const zoned = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/** A date of whole seconds, minutes, hours or days may have been cut there, wherever the service is. */
function latestOf(at: number, date: string): number {
  if (at % dayMs === 0 || midnight.test(date)) return at + 1.5 * dayMs;
  const [step = 1000] = [60 * minuteMs, minuteMs].filter((one) => at % one === 0);
  return at + step + (zoned.test(date) ? 0 : dayMs);
}

/** What an auditor wants to know of a pass. */
export function readingWords({ began, pages, payments, incomplete }: Pass): string {
  const whole = incomplete === null ? 'a complete reading' : 'a reading';
  return `${whole} of the service's payments, begun on ${timeWords(began.wall)} (${counted(payments, 'payment')} on ${counted(pages, 'page')})`;
}
