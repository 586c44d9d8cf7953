/** What payments under a row's tags mean for the row, case by case. */
import { describe, expect, it } from 'vitest';
import { type Difference, reasonsIn, because as stored } from '../../src/domain/sending/reason.ts';
import { type LedgerRow, mayMoveRow, type RowState, rowStates, type SeenPayment } from '../../src/ledger/ledger.ts';
import { movesFor } from '../../src/pipeline/reconcile/match-payments.ts';
import { heldForAccount, lostFor } from '../reasons.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const rowIn = (state: RowState, change: Partial<LedgerRow> = {}): LedgerRow => ({
  id: 1,
  batch: 'nov',
  key: 'a',
  number: 2,
  sheet: 1,
  firstSheet: 1,
  state,
  revision: 0,
  tag: 'q0',
  content: JSON.stringify({ reference: 'Rent' }),
  contentHash: '',
  amount: 100,
  unit: 'whole',
  currency: 'ZAR',
  fromCountry: null,
  country: 'SouthAfrica',
  destination: 'd',
  merchantId: 'm1',
  paymentId: ['accepted', 'succeeded', 'expired'].includes(state) ? 'p0' : null,
  paymentStatus: null,
  reason: null,
  closed: null,
  attempts: 1,
  submittedAt: now,
  settledAt: null,
  serviceDetails: null,
  sentMoment: null,
  missed: null,
  paidAmount: null,
  allowed: null,
  released: null,
  evidence: null,
  ...change,
});

type Seen = { readonly revision: number; readonly payment: SeenPayment };
const seen = (id: string, ending: SeenPayment['ending'] = 'open', change: Partial<SeenPayment> = {}): Seen => {
  const revision = Number(change.tag?.slice(1) ?? 0);
  const money = { merchantId: 'm1', amount: 100, reference: 'Rent' };
  return {
    revision,
    payment: { id, tag: 'q0', ...money, status: ending, ending, at: now, latest: now + 1000, ...change },
  };
};
const endOf = (row: LedgerRow, ...payments: Seen[]) => {
  const moves = movesFor({ row, seen: payments }, now);
  for (const move of moves) expect(move.row.id).toBe(row.id);
  return moves.at(-1)?.to ?? null;
};

describe('one living payment under the tag', () => {
  it.each<[RowState, RowState | null]>([
    // Its merchant is known by now to be the one that the payment pays.
    ['planned', 'accepted'],
    ['ready', 'accepted'],
    ['in_doubt', 'accepted'],
    ['absent', 'accepted'],
    ['held', 'accepted'],
    ['refused', 'accepted'],
    // Its own payment is p0: this is a second one.
    ['accepted', 'duplicate'],
    ['succeeded', 'duplicate'],
    // Its own has expired, so only one is alive, and pays the row.
    ['expired', 'accepted'],
  ])('%s -> %s', (state, expected) => {
    expect(endOf(rowIn(state), seen('p1'))).toBe(expected);
  });
});

describe('one that pays something else is never taken', () => {
  it.each<[RowState, RowState | null]>([
    ['planned', 'held'],
    ['ready', 'held'],
    ['in_doubt', 'held'],
    ['absent', 'held'],
    ['held', null],
    ['refused', 'held'],
  ])('%s -> %s', (state, expected) => {
    for (const other of [{ amount: 900 }, { merchantId: 'm2' }, { reference: 'Gift' }])
      expect(endOf(rowIn(state), seen('p1', 'open', other))).toBe(expected);
  });

  it('what the list leaves out says nothing against it', () => {
    expect(endOf(rowIn('in_doubt'), seen('p1', 'open', { amount: null, merchantId: null, reference: null }))).toBe(
      'accepted',
    );
  });
});

describe('revisions', () => {
  it.each<[string, LedgerRow, Seen[], RowState | null, number | undefined]>([
    [
      'an expired earlier one changes nothing',
      rowIn('ready', { revision: 1, tag: 'q1' }),
      [seen('p0', 'expired')],
      null,
      undefined,
    ],
    ['an expired own one is taken as it is', rowIn('ready'), [seen('p0', 'expired')], 'accepted', undefined],
    ['a living earlier one is taken', rowIn('ready', { revision: 1, tag: 'q1' }), [seen('p0')], 'accepted', 0],
    [
      'a later one of a lost ledger is taken',
      rowIn('ready'),
      [seen('p0', 'expired'), seen('p1', 'open', { tag: 'q1' })],
      'accepted',
      1,
    ],
    [
      'the last expired one of a lost ledger too',
      rowIn('ready'),
      [seen('p0', 'expired'), seen('p1', 'expired', { tag: 'q1' })],
      'accepted',
      1,
    ],
    [
      'two that live are an alarm',
      rowIn('in_doubt', { revision: 1, tag: 'q1' }),
      [seen('p0'), seen('p1', 'open', { tag: 'q1' })],
      'duplicate',
      undefined,
    ],
    ['an expired one that was paid after all', rowIn('expired'), [seen('p0', 'success')], 'succeeded', undefined],
    [
      'the same beside one that lives is an alarm',
      rowIn('accepted', { revision: 1, tag: 'q1', paymentId: 'p1' }),
      [seen('p0', 'success')],
      'duplicate',
      undefined,
    ],
  ])('%s', (_title, row, payments, to, revision) => {
    const moves = movesFor({ row, seen: payments }, now);
    expect(moves.at(-1)?.to ?? null).toBe(to);
    if (to === 'accepted') expect(moves.at(-1)?.revision).toBe(revision);
  });
});

describe('two that live', () => {
  it.each<[RowState, SeenPayment['ending'], RowState]>([
    ['accepted', 'success', 'duplicate'],
    ['succeeded', 'open', 'duplicate'],
    ['succeeded', 'success', 'duplicate_paid'],
  ])('its own payment is %s, the other is %s: %s', (state, ending, to) => {
    expect(endOf(rowIn(state), seen('p1', ending))).toBe(to);
  });

  it('each counts once, however often it is seen', () => {
    expect(endOf(rowIn('succeeded'), seen('p0', 'success'))).toBeNull();
  });
});

describe('a double ends', () => {
  const twice = rowIn('duplicate_paid', { paymentId: 'p0' });
  const open = rowIn('duplicate', { paymentId: 'p0' });
  it.each<[string, LedgerRow, Seen[], RowState | null]>([
    ['not while two live', twice, [seen('p0', 'success'), seen('p1')], null],
    ['not while both are paid out', twice, [seen('p0', 'success'), seen('p1', 'success')], null],
    ['not where only one was seen', twice, [seen('p0', 'success')], null],
    ['when the other has expired', twice, [seen('p0', 'expired'), seen('p1', 'success')], 'succeeded'],
    ['when both have', twice, [seen('p0', 'expired'), seen('p1', 'expired')], 'expired'],
    ['not while the last one is open', twice, [seen('p0', 'expired'), seen('p1')], null],
    ['as paid twice, when both were paid out', open, [seen('p0', 'success'), seen('p1', 'success')], 'duplicate_paid'],
    ['not while one of two is open', open, [seen('p0', 'success'), seen('p1')], null],
    ['with one payment, when the other has expired', open, [seen('p0', 'success'), seen('p1', 'expired')], 'succeeded'],
  ])('%s', (_title, row, payments, to) => {
    expect(endOf(row, ...payments)).toBe(to);
  });
});

describe('the service takes back that it paid out', () => {
  const back = rowIn('held', { paymentId: 'p0' });
  it.each<[string, LedgerRow, Seen[], RowState | null]>([
    ['expired', rowIn('succeeded'), [seen('p0', 'expired')], 'held'],
    ['open', rowIn('succeeded'), [seen('p0', 'open')], 'held'],
    ['expired, and another lives', rowIn('succeeded'), [seen('p0', 'expired'), seen('p1')], 'held'],
    ['open, and another lives', rowIn('succeeded'), [seen('p0', 'open'), seen('p1')], 'duplicate'],
    ['another one has expired', rowIn('succeeded'), [seen('p1', 'expired')], null],
    ['and says nothing new', back, [seen('p0', 'expired')], null],
    ['and it is open', back, [seen('p0', 'open')], null],
    ['and says it again', back, [seen('p0', 'success')], 'accepted'],
    ['and another one lives', back, [seen('p1')], 'accepted'],
  ])('%s', (_title, row, payments, to) => {
    expect(endOf(row, ...payments)).toBe(to);
  });
});

it('what is left of a double bears the tag of the payment that is left', () => {
  const row = rowIn('duplicate', { paymentId: 'p0' });
  expect(movesFor({ row, seen: [seen('p0', 'expired'), seen('p1', 'success', { tag: 'q1' })] }, now)).toMatchObject([
    { to: 'succeeded', paymentId: 'p1', revision: 1, tag: 'q1' },
  ]);
});

it('every move is one of the table, whatever was seen', () => {
  const endings = ['open', 'success', 'expired'] as const;
  for (const state of rowStates)
    for (const one of endings)
      for (const two of [...endings, null])
        for (const tag of ['q0', 'q1']) {
          const payments = [seen('p0', one), ...(two === null ? [] : [seen('p1', two, { tag })])];
          let from = state;
          for (const move of movesFor({ row: rowIn(state), seen: payments }, now)) {
            expect([move.from, mayMoveRow(move.from, move.to)], `${from} -> ${move.to}`).toEqual([from, true]);
            from = move.to;
          }
        }
});

it('an expired payment of other content holds nothing', () => {
  for (const state of ['ready', 'in_doubt', 'absent'] as const)
    expect(endOf(rowIn(state), seen('p1', 'expired', { amount: 900 }))).toBeNull();
});

describe('what lives decides, and what the row has already', () => {
  it.each<[string, LedgerRow, Seen[], RowState | null]>([
    ['its own payment is no second one', rowIn('accepted'), [seen('p0')], null],
    ['nor is its own, paid out', rowIn('succeeded'), [seen('p0', 'success')], null],
    ['its own beside another', rowIn('accepted'), [seen('p0'), seen('p1')], 'duplicate'],
    ['its own has expired at the service: no double', rowIn('accepted'), [seen('p0', 'expired'), seen('p1')], null],
    ['another has expired: no double', rowIn('succeeded'), [seen('p0', 'success'), seen('p1', 'expired')], null],
    ['one payment that is listed twice is one', rowIn('in_doubt'), [seen('p1'), seen('p1')], 'accepted'],
    ['expired, and two live since', rowIn('expired'), [seen('p1'), seen('p2')], 'duplicate'],
    ['expired, and nothing lives', rowIn('expired'), [seen('p0', 'expired'), seen('p1', 'expired')], null],
    ['planned, and its merchant is not known', rowIn('planned', { merchantId: null }), [seen('p1')], 'held'],
    [
      'planned, its merchant is not known, and the list names none',
      rowIn('planned', { merchantId: null }),
      [seen('p1', 'open', { merchantId: null })],
      'held',
    ],
    [
      "held for its payee's account alone, of which nothing was sent",
      rowIn('withheld', { merchantId: null, reason: heldForAccount }),
      [seen('p1')],
      'held',
    ],
    ['planned, and one of two lives', rowIn('planned'), [seen('p1', 'expired'), seen('p2')], 'accepted'],
    ['sending: its sender is still at it', rowIn('sending'), [seen('p1')], null],
    ['nothing was seen', rowIn('in_doubt'), [], null],
    ['refused, and other content has expired', rowIn('refused'), [seen('p1', 'expired', { amount: 900 })], null],
  ])('%s', (_title, row, payments, to) => {
    expect(endOf(row, ...payments)).toBe(to);
  });
});

it('of payments that only expired the row takes none of an earlier revision, whatever the order', () => {
  const row = rowIn('in_doubt', { revision: 1, tag: 'q1' });
  const move = movesFor({ row, seen: [seen('p1', 'expired', { tag: 'q1' }), seen('p0', 'expired')] }, now);
  expect(move).toMatchObject([{ to: 'accepted', paymentId: 'p1' }]);
});

describe('an expired row, and one payment that lives', () => {
  const row = rowIn('expired', { revision: 1, tag: 'q1', paymentId: 'p1', amount: 250 });
  it.each<[string, Seen, RowState | null]>([
    ['of the earlier revision with its content', seen('p0', 'open', { amount: 250 }), 'accepted'],
    ['the same, paid out', seen('p0', 'success', { amount: 250 }), 'succeeded'],
    ['of the earlier revision, which paid what the row said then', seen('p0', 'success'), 'held'],
    ['of its own revision with other content is not taken', seen('p2', 'open', { tag: 'q1' }), 'held'],
    ['of a later one with other content neither', seen('p2', 'success', { tag: 'q2' }), 'held'],
    ['of its own revision with its content', seen('p2', 'open', { tag: 'q1', amount: 250 }), 'accepted'],
  ])('%s', (_title, payment, to) => {
    expect(endOf(row, payment)).toBe(to);
  });
});

describe('what a move tells', () => {
  const only = (row: LedgerRow, ...payments: Seen[]) => {
    const moves = movesFor({ row, seen: payments }, now);
    expect(moves).toHaveLength(1);
    return moves[0]!;
  };

  it('adopting counts from the service’s date, and clears what was said of the doubt', () => {
    const row = rowIn('in_doubt', { reason: lostFor('no answer in time'), missed: 'at ten' });
    const at = now - 3_600_000;
    expect(only(row, seen('p1', 'open', { at, status: 'initiated' }))).toEqual({
      row,
      from: 'in_doubt',
      to: 'accepted',
      paymentId: 'p1',
      merchantId: 'm1',
      submittedAt: at,
      acceptedAt: now,
      paymentStatus: 'initiated',
      missed: null,
      reason: null,
      data: { found: 'by-tag' },
    });
    const dateless = only(row, seen('p1', 'open', { at: null, status: null }));
    expect(dateless.submittedAt).toBe(now);
    // However far ahead the service's clock is: a row of our own is never younger than its intent.
    const ahead = only(row, seen('p1', 'open', { at: now + 86_400_000 }));
    expect(ahead.submittedAt).toBe(now);
    expect(only({ ...row, submittedAt: null }, seen('p1', 'open', { at: now + 5 })).submittedAt).toBe(now + 5);
    expect(dateless).not.toHaveProperty('paymentStatus');
    const unpriced = only(row, seen('p1', 'open', { amount: null }));
    expect([unpriced.reason, 'paidAmount' in unpriced]).toEqual([null, false]);
  });

  it.each<[string, RowState, Partial<SeenPayment>, { revision?: number; tag?: string }]>([
    ['its own revision', 'ready', { tag: 'q0' }, {}],
    ['a later one', 'ready', { tag: 'q2' }, { revision: 2, tag: 'q2' }],
    ['a payment read without a tag', 'ready', { tag: null }, {}],
    ['its own, paid out late', 'expired', { tag: 'q0', ending: 'success' }, {}],
    ['a later one, paid out late', 'expired', { tag: 'q2', ending: 'success' }, { revision: 2, tag: 'q2' }],
    ['without a tag, paid out late', 'expired', { tag: null, ending: 'success' }, {}],
  ])('the revision that was found, and its tag: %s', (_title, state, change, expected) => {
    const { payment, revision } = seen('p1', 'open', change);
    // A payment whose tag is not known stands beside the row by its id; its revision is then the caller's word.
    const move = only(rowIn(state), { payment, revision: payment.tag === null ? 2 : revision });
    const { revision: to, tag } = move;
    expect({ ...(to === undefined ? {} : { revision: to }), ...(tag === undefined ? {} : { tag }) }).toEqual(expected);
  });

  const because = (move: ReturnType<typeof only>) => reasonsIn(move.reason ?? null);

  it.each<[string, string | null, readonly Difference[] | null]>([
    ['of another content', 'm1', [{ what: 'amount', found: 900, expected: 100 }]],
    ['of an unknown merchant', null, null],
  ])('a row is held with every payment that was seen: %s', (_title, merchantId, differences) => {
    const row = rowIn('ready', { merchantId });
    const move = only(row, seen('p1', 'expired', { amount: 900 }), seen('p2', 'open', { amount: 900 }));
    expect(move).toMatchObject({ from: 'ready', to: 'held', data: { payments: ['p1', 'p2'] } });
    expect(because(move)).toEqual([{ kind: 'payment-differs', paymentId: 'p2', differences }]);
  });

  it.each([
    [{ reference: 'Gift' }, [{ what: 'reference', found: 'Gift', expected: 'Rent' }]],
    [{ merchantId: 'm2' }, [{ what: 'merchant', found: 'm2', expected: 'm1' }]],
    [
      { amount: 900, merchantId: 'm2' },
      [
        { what: 'amount', found: 900, expected: 100 },
        { what: 'merchant', found: 'm2', expected: 'm1' },
      ],
    ],
  ])('a row is held with how the payment differs: %j', (change, differences) => {
    const [reason] = because(only(rowIn('ready'), seen('p1', 'open', change)));
    expect(reason).toEqual({ kind: 'payment-differs', paymentId: 'p1', differences });
  });

  it.each<[string, LedgerRow, Seen[], string[]]>([
    ['its own and another', rowIn('accepted'), [seen('p1')], ['p0', 'p1']],
    ['two that were made since it expired', rowIn('expired'), [seen('p1'), seen('p2', 'success')], ['p1', 'p2']],
  ])('an alarm names each payment that lives: %s', (_title, row, payments, ids) => {
    const move = only(row, ...payments, seen('p9', 'expired'));
    expect(move).toMatchObject({ from: row.state, to: 'duplicate', data: { payments: ids } });
    expect(because(move)).toEqual([{ kind: 'two-payments', payments: ids }]);
  });

  it('of two found for a row in doubt one is adopted, and both are named', () => {
    const moves = movesFor({ row: rowIn('in_doubt'), seen: [seen('p1'), seen('p2')] }, now);
    expect(moves).toMatchObject([
      { from: 'in_doubt', to: 'accepted', paymentId: 'p2' },
      { from: 'accepted', to: 'duplicate', data: { payments: ['p1', 'p2'] } },
    ]);
  });

  it.each([
    ['Success', 'Success'],
    [null, ''],
  ])('a late success keeps the service’s own word: %j', (status, kept) => {
    expect(only(rowIn('expired'), seen('p0', 'success', { status }))).toMatchObject({
      from: 'expired',
      to: 'succeeded',
      paymentId: 'p0',
      paymentStatus: kept,
      settledAt: now,
      reason: stored({ kind: 'paid-after-expiry' }),
    });
    const double = rowIn('duplicate_paid', { reason: stored({ kind: 'two-payments', payments: ['p1', 'p2'] }) });
    expect(only(double, seen('p0', 'expired'), seen('p1', 'success', { status }))).toEqual({
      row: double,
      from: 'duplicate_paid',
      to: 'succeeded',
      paymentId: 'p1',
      paymentStatus: kept,
      settledAt: now,
      reason: null,
      data: { payments: ['p0', 'p1'] },
    });
  });

  it('the one payment of two that lives holds the row if it has another amount', () => {
    const move = only(rowIn('duplicate'), seen('p1', 'success', { amount: 90 }), seen('p2', 'expired'));
    const amounts = { what: 'amount', found: 90, expected: 100 };
    expect([move.to, because(move)]).toMatchObject(['held', [{ paymentId: 'p1', differences: [amounts] }]]);
  });

  it('a payment that is taken back keeps the service’s word, and names why it counted as paid', () => {
    const row = rowIn('succeeded', { paymentStatus: 'done' });
    const other = only(row, seen('p0', 'open', { status: 'returned' }));
    expect(other).toMatchObject({ paymentStatus: 'returned', data: { payments: ['p0'] } });
    const undone = { kind: 'no-longer-paid', paymentId: 'p0' };
    expect(because(other)).toEqual([{ ...undone, status: 'returned', bySetting: false }]);
    // The word is the same: it counts as something else since the setting was changed.
    const same = only(row, seen('p0', 'open', { status: 'done' }));
    expect(because(same)).toEqual([{ ...undone, status: 'done', bySetting: true }]);
  });

  it('a payment that is taken back without a word leaves the word that was there', () => {
    const move = only(rowIn('succeeded'), seen('p0', 'open', { status: null }));
    expect([move.to, move.paymentStatus]).toEqual(['held', undefined]);
    expect(because(move)).toMatchObject([{ kind: 'no-longer-paid', status: null, bySetting: false }]);
  });

  it('a double of which nothing lives was never paid out', () => {
    expect(only(rowIn('duplicate_paid'), seen('p0', 'expired'), seen('p1', 'expired'))).toMatchObject({
      to: 'expired',
      settledAt: now,
      reason: stored({ kind: 'expired', status: null }),
      data: { payments: ['p0', 'p1'] },
    });
  });
});
