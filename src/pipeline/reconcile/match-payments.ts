/** What the payments seen under a row's tags mean for the row: pure, so that every case stands in a table (design 4.4). */

import { grouped } from '../../base/words.ts';
import type { LedgerRow, Move, RowState, SeenPayment, Sighting } from '../../ledger/ledger.ts';
import { isWithheld, shellWord } from '../outcome.ts';

const adoptable: readonly RowState[] = ['planned', 'ready', 'in_doubt', 'absent', 'held', 'refused'];
const paidOrPending: readonly RowState[] = ['accepted', 'succeeded'];

/** `again`: the flags of the command that is printed for a row that is held. */
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
    // An earlier revision paid what the row said then: whatever it says now, it is not unpaid.
    if (only.revision >= row.revision && !agrees(row, only.payment)) return [held(row, only.payment, ids, again)];
    return [only.payment.ending === 'success' ? succeeded(row, only, now) : adoption(row, only, now)];
  }
  // Where all have expired, only the row's own revision, or a later one that a lost ledger sent, says where the row stands.
  const chosen = living.at(-1) ?? seen.findLast(({ revision }) => revision >= row.revision);
  if (chosen === undefined) return [];
  if (!adoptable.includes(row.state)) return [];
  // What the service took back is a person's to settle, unless it says again that it was paid out.
  if (row.state === 'held' && chosen.payment.id === row.paymentId && chosen.payment.ending !== 'success') return [];
  // Without a merchant to compare with, only a person can say.
  if (row.merchantId === null || !agrees(row, chosen.payment)) {
    // What has expired pays nothing, whatever it would have paid.
    // Held for its payee's account alone, a row says that nothing of it was sent.
    const harmless = chosen.payment.ending === 'expired' || (row.state === 'held' && !isWithheld(row));
    return harmless ? [] : [held(row, chosen.payment, ids, again)];
  }
  const accepted = adoption(row, chosen, now);
  return alive.size > 1 ? [accepted, twice({ ...row, state: 'accepted' }, alive)] : [accepted];
}

/** What a row's payment is of, where that is not what the sheet says. */
export function otherAmount(row: LedgerRow, amount: number | null): Pick<Move, 'paidAmount'> {
  return amount === null || amount === row.amount ? {} : { paidAmount: amount };
}

/** `why`, and what the row's payment is of where that is not what the sheet says. */
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
    // By the service's date: a payment that another ledger made counts from then (design 4.1); one of our own never counts as
    // younger than its intent, however far ahead the service's clock is.
    submittedAt: Math.min(row.submittedAt ?? Number.POSITIVE_INFINITY, payment.at ?? now),
    acceptedAt: now,
    ...(payment.status ? { paymentStatus: payment.status } : {}),
    ...underTag(row, { payment, revision }),
    missed: null,
    reason: withAmountWords(row, payment, null),
    data: { found: 'by its tag in the list of payments' },
  };
}

/** Which of the row's tags it bears from now on: a list that shows the payment shows it with this one. */
function underTag(row: LedgerRow, { payment: { tag }, revision }: Sighting['seen'][number]) {
  return revision === row.revision || tag === null ? {} : { revision, tag };
}

/** The same money to the same payee; a service may leave a field out of its list, and then it says nothing against it. */
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

/** Of the payments that are alive, each with whether it was paid out. Until two were, one of them may still end unpaid. */
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

/** The money may have left all the same: the row is not sent again, and a person asks (design 4.5). */
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

/** Two payments of which both were paid out, or at most one is left alive. */
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
