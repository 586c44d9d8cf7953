/** Decides what the payments seen under a row's tags mean for the row. Pure, so that a table tests every case. */

import { grouped } from '../../base/words.ts';
import type { LedgerRow, Move, RowState, SeenPayment, Sighting } from '../../ledger/ledger.ts';
import { isWithheld, shellWord } from '../outcome.ts';

const adoptable: readonly RowState[] = ['planned', 'ready', 'in_doubt', 'absent', 'held', 'refused'];
const paidOrPending: readonly RowState[] = ['accepted', 'succeeded'];

/** Returns the moves of a row. `again` holds the flags of the command that is printed for a held row. */
export function movesFor({ row, seen }: Sighting, now: number, again = ''): Move[] {
  const living = seen.filter(({ payment }) => payment.ending !== 'expired');
  const ids = seen.map(({ payment }) => payment.id);
  const alive = new Map(living.map(({ payment }) => [payment.id, payment.ending === 'success']));
  if (row.paymentId !== null && paidOrPending.includes(row.state) && !ids.includes(row.paymentId))
    alive.set(row.paymentId, row.state === 'succeeded');
  if (row.state === 'duplicate' || row.state === 'duplicate_paid') return endOfTwo(row, seen, now);
  if (paidOrPending.includes(row.state)) {
    if (alive.size > 1) return [twice(row, alive)];
    const own = seen.find(({ payment }) => payment.id === row.paymentId)?.payment;
    return row.state === 'succeeded' && own !== undefined && own.ending !== 'success' ? [undone(row, own)] : [];
  }
  if (row.state === 'expired') {
    if (alive.size > 1) return [twice(row, alive)];
    const [only] = living;
    if (only === undefined) return [];
    // An earlier revision paid the row's earlier content, so the row is not unpaid, whatever it says now.
    if (only.revision >= row.revision && !agrees(row, only.payment)) return [held(row, only.payment, ids, again)];
    return [only.payment.ending === 'success' ? succeeded(row, only, now) : adoption(row, only, now)];
  }
  // If all payments expired, only the row's own revision, or a later one of a lost ledger, decides.
  const chosen = living.at(-1) ?? seen.findLast(({ revision }) => revision >= row.revision);
  if (chosen === undefined) return [];
  if (!adoptable.includes(row.state)) return [];
  // A payment that the service took back needs a person, unless the service calls it paid again.
  if (row.state === 'held' && chosen.payment.id === row.paymentId && chosen.payment.ending !== 'success') return [];
  // Only a person can decide where there is no merchant to compare with.
  if (row.merchantId === null || !agrees(row, chosen.payment)) {
    // An expired payment pays nothing, whatever its content.
    // A row that is held only for its payee's account was never sent.
    const harmless = chosen.payment.ending === 'expired' || (row.state === 'held' && !isWithheld(row));
    return harmless ? [] : [held(row, chosen.payment, ids, again)];
  }
  const accepted = adoption(row, chosen, now);
  return alive.size > 1 ? [accepted, twice({ ...row, state: 'accepted' }, alive)] : [accepted];
}

/** Returns the paid amount where it differs from the sheet's. */
export function otherAmount(row: LedgerRow, amount: number | null): Pick<Move, 'paidAmount'> {
  return amount === null || amount === row.amount ? {} : { paidAmount: amount };
}

/** Returns `why` with the paid amount where it differs from the sheet's. */
function withAmountWords(row: LedgerRow, { amount }: SeenPayment, why: string | null): string | null {
  if (amount === null || amount === row.amount) return why;
  return `${why === null ? '' : `${why} `}Its payment is of ${grouped(amount)}, where the sheet says ${grouped(row.amount)}.`;
}

function adoption(row: LedgerRow, { payment, revision }: Sighting['seen'][number], now: number): Move {
  return {
    row,
    from: row.state,
    to: 'accepted',
    paymentId: payment.id,
    ...otherAmount(row, payment.amount),
    ...(row.merchantId === null ? {} : { merchantId: row.merchantId }),
    // A payment of another ledger counts from the service's date. Our own is never younger than its intent, however far ahead
    // the service's clock is.
    submittedAt: Math.min(row.submittedAt ?? Number.POSITIVE_INFINITY, payment.at ?? now),
    acceptedAt: now,
    ...(payment.status ? { paymentStatus: payment.status } : {}),
    ...underTag(row, { payment, revision }),
    missed: null,
    reason: withAmountWords(row, payment, null),
    data: { found: 'by its tag in the list of payments' },
  };
}

/** Returns the tag and revision that the row bears from now on: those of its payment. */
function underTag(row: LedgerRow, { payment: { tag }, revision }: Sighting['seen'][number]) {
  return revision === row.revision || tag === null ? {} : { revision, tag };
}

/** True when the payment pays the row's merchant, amount and reference. A field that the list leaves out agrees. */
export function agrees(row: LedgerRow, payment: SeenPayment): boolean {
  return differences(row, payment).length === 0;
}

function held(row: LedgerRow, payment: SeenPayment, ids: readonly string[], again: string): Move {
  const why =
    row.merchantId === null
      ? "its merchant is not known to be the row's"
      : `pays another merchant, amount or reference (${differences(row, payment).join('; ')})`;
  return {
    row,
    from: row.state,
    to: 'held',
    reason: `Payment ${payment.id} bears this row's tag, but ${why}. Nothing is sent for the row until a person has looked at it; if it pays the row all the same: payrun resolve ${shellWord(row.batch)} --row ${shellWord(row.key)} --paid ${shellWord(payment.id)}${again}`,
    data: { payments: ids },
  };
}

function differences(row: LedgerRow, { merchantId, amount, reference }: SeenPayment): string[] {
  const own = (JSON.parse(row.content) as { reference: string }).reference;
  return [
    ...(amount === null || amount === row.amount
      ? []
      : [`amount ${grouped(amount)} instead of ${grouped(row.amount)}`]),
    ...(reference === null || reference === own ? [] : [`reference '${reference}' instead of '${own}'`]),
    ...(merchantId === null || merchantId === row.merchantId
      ? []
      : [`merchant ${merchantId} instead of ${row.merchantId}`]),
  ];
}

export function twiceWords(ids: readonly string[]): string {
  return `The service has ${ids.length} payments for this row: ${ids.toSorted().join(', ')}. Ask the service to stop or return one of them.`;
}

/** Returns the move for two payments; `alive` says whether each was paid out. Until two are, one may still end unpaid. */
function twice(row: LedgerRow, alive: ReadonlyMap<string, boolean>): Move {
  const ids = [...alive.keys()].toSorted();
  const paidOut = [...alive.values()].filter(Boolean).length;
  return {
    row,
    from: row.state,
    to: paidOut > 1 ? 'duplicate_paid' : 'duplicate',
    reason: twiceWords(ids),
    data: { payments: ids },
  };
}

/** Holds a row whose payment the service took back: the money may have left, so a person has to ask. */
function undone(row: LedgerRow, { id, status }: SeenPayment): Move {
  const unsaid =
    status !== null && status === row.paymentStatus
      ? `Payment ${id} was taken as paid out, since the setting payments.statuses said that '${status}' means it; it says so no longer.`
      : `The service said that payment ${id} was paid out, and now says '${status ?? 'nothing'}' of it.`;
  return {
    row,
    from: row.state,
    to: 'held',
    ...(status ? { paymentStatus: status } : {}),
    reason: `${unsaid} Ask the service whether the money left; nothing is sent for the row until it is clear.`,
    data: { payments: [id] },
  };
}

function succeeded(row: LedgerRow, { payment, revision }: Sighting['seen'][number], now: number): Move {
  return {
    ...underTag(row, { payment, revision }),
    row,
    from: row.state,
    to: 'succeeded',
    paymentId: payment.id,
    ...otherAmount(row, payment.amount),
    paymentStatus: payment.status ?? '',
    settledAt: now,
    reason: withAmountWords(row, payment, 'The payment had expired, and was paid out after all.'),
  };
}

/** Returns how a double ends: both payments were paid out, or at most one has not expired. */
function endOfTwo(row: LedgerRow, seen: Sighting['seen'], now: number): Move[] {
  const living = seen.filter(({ payment }) => payment.ending !== 'expired');
  if (row.state === 'duplicate' && living.filter(({ payment }) => payment.ending === 'success').length > 1)
    return [twice(row, new Map(living.map(({ payment }) => [payment.id, payment.ending === 'success'])))];
  const [only] = living;
  if (seen.length < 2 || living.length > 1) return [];
  const end = { row, from: row.state, settledAt: now, data: { payments: seen.map(({ payment }) => payment.id) } };
  if (only === undefined) return [{ ...end, to: 'expired', reason: 'The payment expired: it was never paid out.' }];
  return only.payment.ending === 'success'
    ? [
        {
          ...end,
          ...underTag(row, only),
          to: 'succeeded',
          paymentId: only.payment.id,
          ...otherAmount(row, only.payment.amount),
          paymentStatus: only.payment.status ?? '',
          reason: withAmountWords(row, only.payment, null),
        },
      ]
    : [];
}
