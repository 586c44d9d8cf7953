/** Handles a webhook's hint: reads the payment at the service, and trusts only the service's answer. */
import pLimit from 'p-limit';
import { failureOf } from '../../base/errors.ts';
import { CallFailure, type ReadPayment } from '../../client/client.ts';
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import type { Hint } from './receiver.ts';

export interface HintedPayment {
  readonly payment: ReadPayment;
  readonly row: LedgerRow | null;
  readonly signed: boolean;
}

export interface Hearing {
  take(hint: Hint): boolean;
  /** Returns the number of hints that named no payment of ours, or a payment that had already ended. */
  ignored(): number;
  close(): Promise<void>;
}

const mostWaiting = 10_000;
const mostEnded = 10_000;
const concurrency = 4;
/** The time between two rounds. Hints that arrive in between are handled together, with one read for each payment. */
const gapMs = 300;
const longestPauseMs = 60_000;
/** How many ids of a signed call Payrun reads at the service if the ledger knows none of them. */
const triedIds = 3;

export function openHearing(
  deps: Pick<Deps, 'ledger' | 'client' | 'clock' | 'service' | 'statuses' | 'say' | 'stop'>,
  show: (hinted: HintedPayment) => void,
): Hearing {
  const { client, clock, statuses, say, stop } = deps;
  const limit = pLimit(concurrency);
  let waiting = new Map<string, Hint>();
  const ended = new Set<string>();
  let ignored = 0;
  let work: Promise<void> | null = null;

  /** `asked` has the reads of this round, so that each payment is read once. */
  async function handle(hint: Hint, asked: Map<string, Promise<ReadPayment | null>>): Promise<void> {
    for (const { id, row } of await worthAsking(deps, hint)) {
      if (ended.has(id)) break;
      const first = !asked.has(id);
      if (first) asked.set(id, client.payment(id));
      const payment = await asked.get(id);
      if (payment == null) continue;
      // An expired payment may still be paid, so it does not count as ended.
      if (statuses.endOf(payment.status) === 'success') {
        ended.add(id);
        if (ended.size > mostEnded) for (const oldest of ended.values().take(1)) ended.delete(oldest);
      }
      if (first) show({ payment, row, signed: hint.signed });
      return;
    }
    ignored += 1;
  }

  async function handleAll(): Promise<void> {
    let pauseMs = gapMs;
    while (waiting.size > 0 && !stop.aborted) {
      await clock.sleep(pauseMs, stop);
      const hints = waiting;
      waiting = new Map();
      const asked = new Map<string, Promise<ReadPayment | null>>();
      const ends = await Promise.allSettled([...hints.values()].map((hint) => limit(handle, hint, asked)));
      const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      const bug = failures.find((failure) => !(failure instanceof CallFailure));
      if (bug !== undefined) throw bug;
      // Repeats failed reads, because the webhook's caller does not repeat its call.
      for (const [at, [key, hint]] of [...hints].entries())
        if (ends[at]?.status === 'rejected' && !waiting.has(key)) waiting.set(key, hint);
      if (failures.length > 0 && pauseMs === gapMs) say({ note: 'webhook-unasked', why: failureOf(failures[0]) });
      pauseMs = failures.length === 0 ? gapMs : Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  function begin(): void {
    work ??= handleAll()
      .catch((error: unknown) => say({ note: 'webhook-lost', why: failureOf(error) }))
      .finally(() => {
        work = null;
        // Begins again for a hint that arrived at the end of the last round.
        if (waiting.size > 0 && !stop.aborted) begin();
      });
  }

  return {
    take(hint) {
      const key = hint.ids.join(' ');
      const known = waiting.get(key);
      if (known === undefined && waiting.size >= mostWaiting) return false;
      waiting.set(key, known?.signed === true ? known : hint);
      begin();
      return true;
    },
    ignored: () => ignored,
    async close() {
      await work;
    },
  };
}

/** Returns payments of a hint that are worth a read. Anybody can make an unsigned call, so such a call counts only for our open and expired payments. */
async function worthAsking(
  { ledger, service }: Pick<Deps, 'ledger' | 'service'>,
  { ids, signed }: Hint,
): Promise<readonly { readonly id: string; readonly row: LedgerRow | null }[]> {
  for (const id of ids) {
    const row = await ledger.rows.rowByPayment(id);
    if (row === null || (await ledger.batches.batch(row.batch))?.identity !== service.identity) continue;
    return signed || row.state === 'accepted' || row.state === 'expired' ? [{ id, row }] : [];
  }
  return signed ? ids.slice(0, triedIds).map((id) => ({ id, row: null })) : [];
}
