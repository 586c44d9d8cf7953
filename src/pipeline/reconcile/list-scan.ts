/** Reads GET /payments to its end, and decides if the list is complete. */
import { PayrunError } from '../../base/errors.ts';
import type { ServiceFault } from '../../base/faults/fault.ts';
import { CallFailure, type ReadPayment, readPayment } from '../../client/client.ts';
import { dayMs } from '../../domain/calendar/johannesburg.ts';
import { foldTag, isTag } from '../../domain/rows/tag.ts';
import type { Moment } from '../../domain/sending/doubt.ts';
import type { Statuses } from '../../domain/sending/payment.ts';
import type { ScanNamed } from '../../domain/sending/reason.ts';
import type { SeenPayment } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';

export interface ListScan {
  readonly began: Moment;
  readonly pages: number;
  readonly payments: number;
  /** Why the scan is incomplete; null for a complete scan. An incomplete scan proves no absence. */
  readonly incomplete: ServiceFault | null;
}

const minuteMs = 60_000;
/** Older payments repeat no row. A complete list must show the newest 500 payments of this ledger that are younger. */
const knownForMs = 35 * dayMs;
export function momentNow({ clock, client }: Deps): Moment {
  const { boot, ms } = clock.uptime();
  return { wall: clock.now(), service: client.serviceTime(), boot, uptime: ms };
}

/** Reads all pages. The scan is incomplete if a page or payment is unreadable, or if the list lacks a known payment. */
export async function scanList(deps: Deps): Promise<ListScan> {
  const { ledger, client, service, limits } = deps;
  const began = momentNow(deps);
  let pages = 0;
  let payments = 0;
  let nameless = 0;
  ledger.passes.begin();
  try {
    for await (const items of client.payments()) {
      pages += 1;
      payments += items.length;
      const seen: SeenPayment[] = [];
      for (const item of items) {
        const payment = readPayment(item);
        if (payment !== null) seen.push(seenPayment(payment, deps.statuses));
        else if (bearsOurTag(item)) nameless += 1;
      }
      ledger.passes.add(seen);
      deps.progress({ stage: 'reconciling', done: payments, total: null });
    }
    await readTags(deps);
    await readLacking(deps, began.wall);
  } catch (error) {
    return { began, pages, payments, incomplete: unreadable(error) };
  }
  const before = began.wall - limits.doubt.visibleMs;
  const [missing, ...others] = ledger.passes.missing(service.identity, began.wall - knownForMs, before);
  const incomplete = nameless > 0 ? ({ fault: 'list-items-lack-ids', items: nameless } as const) : null;
  if (incomplete !== null || missing === undefined) return { began, pages, payments, incomplete };
  const { paymentId: payment, submittedAt: sentAt, tag, seenTag } = missing;
  const more = others.length;
  const lacks: ServiceFault =
    seenTag === null
      ? { fault: 'list-lacks-payment', payment, sentAt, more }
      : { fault: 'list-shows-other-tag', payment, seenTag, tag, more };
  return { began, pages, payments, incomplete: lacks };
}

function unreadable(error: unknown): ServiceFault {
  if (error instanceof CallFailure) return { fault: 'list-cannot-be-read', why: error.fault };
  if (!(error instanceof PayrunError) || error.refusal.code !== 'SERVICE_ANSWER') throw error;
  return { fault: 'list-is-unusable', ...error.refusal.facts };
}

/** True if the item's tag has Payrun's form. Such an item without a readable id makes the scan incomplete. */
const bearsOurTag = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'tag' in item && isTag(foldTag(item.tag));

/** Reads payments without a tag by their ids, to get their tags. Skips payments that cannot belong to a row. */
async function readTags({ ledger, client, service }: Deps): Promise<void> {
  for (const id of ledger.passes.tagless(service.identity)) {
    const payment = await client.payment(id);
    ledger.passes.tell(id, foldTag(payment?.tag));
  }
}

/**
 * The interface does not show which fields of a payment the list leaves out (interface 4.21, 4.22). Payrun reads a payment
 * without payee, amount or reference by its id, because the payment may match a row that is due.
 */
async function readLacking({ ledger, client }: Deps, now: number): Promise<void> {
  for (const id of ledger.passes.lacking(now - knownForMs)) {
    const payment = await client.payment(id);
    if (payment === null) continue;
    const { merchantId = null, reference = null } = payment;
    ledger.passes.fill(id, { merchantId, amount: wholeAmount(payment), reference });
  }
}

const wholeAmount = ({ amount }: ReadPayment) =>
  typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null;

/** Matches dates that begin with the year or contain a month's name. 03/11 can be in March or November. */
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
/** Matches a time zone at the end of a date. A time without a zone may be in any zone. */
const zoned = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/** Returns the latest time that the date can mean. Some dates lack a time of day or a time zone. */
function latestOf(at: number, date: string): number {
  if (at % dayMs === 0 || midnight.test(date)) return at + 1.5 * dayMs;
  const [step = 1000] = [60 * minuteMs, minuteMs].filter((one) => at % one === 0);
  return at + step + (zoned.test(date) ? 0 : dayMs);
}

export const scanNamed = ({ began, pages, payments, incomplete }: ListScan): ScanNamed => ({
  at: began.wall,
  payments,
  pages,
  isComplete: incomplete === null,
});
