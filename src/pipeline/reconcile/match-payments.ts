/** Computes the moves of a row from the payments under its tags. Does no I/O. */
import { wordsIn } from '../../base/words.ts';
import { because, type Difference, heldFor } from '../../domain/sending/reason.ts';
import type { LedgerRow, Move, RowState, SeenPayment, Sighting } from '../../ledger/ledger.ts';

const linkable: readonly RowState[] = wordsIn('planned ready withheld in_doubt absent held refused invalid');
const paidOrPending: readonly RowState[] = ['accepted', 'succeeded'];

type SeenUnderTag = Sighting['seen'][number];

export function movesFor({ row, seen }: Sighting, now: number): Move[] {
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
    if (!agrees(row, only.payment)) return [held(row, only.payment, ids)];
    const isPaid = only.payment.ending === 'success';
    return [isPaid ? succeeded(row, only, now) : linkTo(row, only, now)];
  }
  // Takes the newest unexpired payment, else the newest payment of the row's current or a later revision.
  const chosen = living.at(-1) ?? seen.findLast(({ revision }) => revision >= row.revision);
  if (chosen === undefined) return [];
  if (!linkable.includes(row.state)) return [];
  if (row.state === 'held' && chosen.payment.id === row.paymentId && chosen.payment.ending !== 'success') return [];
  if (row.merchantId === null || !agrees(row, chosen.payment)) {
    // An expired payment needs no hold, and a held row needs no second hold.
    const harmless = chosen.payment.ending === 'expired' || row.state === 'held';
    return harmless ? [] : [held(row, chosen.payment, ids)];
  }
  const accepted = linkTo(row, chosen, now);
  return alive.size > 1 ? [accepted, twice({ ...row, state: 'accepted' }, alive)] : [accepted];
}

export const otherAmount = (row: LedgerRow, amount: number | null): Pick<Move, 'paidAmount'> =>
  amount === null || amount === row.amount ? {} : { paidAmount: amount };

function linkTo(row: LedgerRow, { payment, revision }: SeenUnderTag, now: number): Move {
  return {
    row,
    from: row.state,
    to: 'accepted',
    paymentId: payment.id,
    ...(row.merchantId === null ? {} : { merchantId: row.merchantId }),
    // Takes the earlier time, because another ledger may have made the payment before this ledger's own attempt.
    submittedAt: Math.min(row.submittedAt ?? Number.POSITIVE_INFINITY, payment.at ?? now),
    acceptedAt: now,
    ...(payment.status ? { paymentStatus: payment.status } : {}),
    ...underTag(row, { payment, revision }),
    missed: null,
    reason: null,
    data: { found: 'by-tag' },
  };
}

const underTag = (row: LedgerRow, { payment: { tag }, revision }: SeenUnderTag) =>
  revision === row.revision || tag === null ? {} : { revision, tag };

/** True if the payment has the row's merchant, amount and reference, as far as the list shows them. */
export const agrees = (row: LedgerRow, payment: SeenPayment): boolean => differences(row, payment).length === 0;

function held(row: LedgerRow, payment: SeenPayment, ids: readonly string[]): Move {
  const differs = row.merchantId === null ? null : differences(row, payment);
  const why = { kind: 'payment-differs', paymentId: payment.id, differences: differs } as const;
  return { row, from: row.state, ...heldFor(why), data: { payments: ids } };
}

function differences(row: LedgerRow, { merchantId, amount, reference }: SeenPayment): Difference[] {
  const own = (JSON.parse(row.content) as { reference: string }).reference;
  return [
    ...(amount === null || amount === row.amount
      ? []
      : [{ what: 'amount', found: amount, expected: row.amount } as const]),
    ...(reference === null || reference === own
      ? []
      : [{ what: 'reference', found: reference, expected: own } as const]),
    ...(merchantId === null || merchantId === row.merchantId
      ? []
      : [{ what: 'merchant', found: merchantId, expected: row.merchantId } as const]),
  ];
}

export const twiceBecause = (ids: readonly string[]) => because({ kind: 'two-payments', payments: ids.toSorted() });

/** `alive` maps the id of each payment to true if the payment was paid out, else to false. */
function twice(row: LedgerRow, alive: ReadonlyMap<string, boolean>): Move {
  const ids = [...alive.keys()].toSorted();
  const paidOut = [...alive.values()].filter(Boolean).length;
  const to = paidOut > 1 ? 'duplicate_paid' : 'duplicate';
  return { row, from: row.state, to, reason: twiceBecause(ids), data: { payments: ids } };
}

/** Holds a row whose payment the service no longer reports as paid, because the money may have left. */
function undone(row: LedgerRow, { id, status }: SeenPayment): Move {
  const bySetting = status !== null && status === row.paymentStatus;
  const held = heldFor({ kind: 'no-longer-paid', paymentId: id, status, bySetting });
  const known = status ? { paymentStatus: status } : {};
  return { row, from: row.state, ...held, ...known, data: { payments: [id] } };
}

function succeeded(row: LedgerRow, { payment, revision }: SeenUnderTag, now: number): Move {
  return {
    ...underTag(row, { payment, revision }),
    row,
    from: row.state,
    to: 'succeeded',
    paymentId: payment.id,
    paymentStatus: payment.status ?? '',
    settledAt: now,
    reason: row.state === 'expired' ? because({ kind: 'paid-after-expiry' }) : null,
  };
}

/** Ends a row with two payments. Two paid: paid twice. One paid, the others expired: paid, or held. All expired: expired. */
function endOfTwo(row: LedgerRow, seen: Sighting['seen'], now: number): Move[] {
  const living = seen.filter(({ payment }) => payment.ending !== 'expired');
  if (row.state === 'duplicate' && living.filter(({ payment }) => payment.ending === 'success').length > 1)
    return [twice(row, new Map(living.map(({ payment }) => [payment.id, payment.ending === 'success'])))];
  const [only] = living;
  if (seen.length < 2 || living.length > 1) return [];
  const data = { payments: seen.map(({ payment }) => payment.id) };
  const reason = because({ kind: 'expired', status: null });
  if (only === undefined) return [{ row, from: row.state, to: 'expired', settledAt: now, reason, data }];
  if (only.payment.ending !== 'success') return [];
  return agrees(row, only.payment)
    ? [{ ...succeeded(row, only, now), data }]
    : [held(row, only.payment, data.payments)];
}
