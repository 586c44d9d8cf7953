/** Every state of a row has one next step, and the words and the command for it. */
import { expect, it } from 'vitest';
import { nextStepOf } from '../../src/app/batch/next-step.ts';
import { closableStates, rowStates } from '../../src/domain/rows/row-states.ts';
import { because } from '../../src/domain/sending/reason.ts';
import type { BatchFacts, LedgerRow } from '../../src/ledger/ledger.ts';
import { actionDocument } from '../../src/messages/next-actions.ts';
import { doubtStep } from '../../src/pipeline/doubt-step.ts';
import { heldAsRepeat } from '../reasons.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const view = { now, appearsWithinMs: 1_875_000, confirmMs: 60_000, lastListed: now, rowsLeft: false };
const sheet = { id: 2, origin: '/sheets/nov.csv', options: { repeated: { skipInvalid: true } } };
const batch = { name: "pay 'nov'", quietUntil: now + 60_000, listedSince: 2, sheet } as unknown as BatchFacts;
const of = (row: Partial<LedgerRow>, hasMistake = false, hasWaitingPlan = false) =>
  nextStepOf(
    {
      key: 'K-7',
      batch: batch.name,
      sheet: 2,
      reason: null,
      missed: null,
      submittedAt: now - 1000,
      number: 3,
      content: JSON.stringify({ name: 'Wan B', amount: 59_000, currency: 'KES', destination: {} }),
      ...row,
    } as LedgerRow,
    batch,
    { view, signs: 'no', seen: '0123456789ab', hasMistake, isCopied: false, hasWaitingPlan },
  );
const quoted = "'pay '\\''nov'\\'''";

it.each<readonly [Partial<LedgerRow>, string | null, string | null]>([
  [{ state: 'planned' }, 'resume @', '2026-11-21T08:01:00.000Z'],
  [{ state: 'ready' }, 'resume @', '2026-11-21T08:01:00.000Z'],
  [{ state: 'sending' }, 'reconcile @', '2026-11-21T08:31:14.000Z'],
  [{ state: 'in_doubt' }, 'reconcile @', '2026-11-21T08:31:14.000Z'],
  [{ state: 'in_doubt', submittedAt: now - 2_000_000 }, 'reconcile @', null],
  [{ state: 'absent' }, 'resolve @ --row K-7 --seen STATE --release-absent --reason TEXT', null],
  [{ state: 'withheld', reason: heldAsRepeat }, 'resolve @ --row K-7 --seen STATE --not-a-repeat --reason TEXT', null],
  [
    { state: 'held', reason: because({ kind: 'wrong-payment', paymentId: 'p', tag: 'q' }) },
    'resolve @ --row K-7 --seen STATE --not-paid --reason TEXT',
    null,
  ],
  [
    { state: 'held', reason: because({ kind: 'payment-differs', paymentId: 'p-1', differences: null }) },
    'resolve @ --row K-7 --seen STATE --paid p-1',
    null,
  ],
  [
    {
      state: 'held',
      reason: because({ kind: 'payment-of-other-row', paymentId: 'p-1', row: '2', batch: 'b' }),
    },
    'resolve @ --row K-7 --seen STATE --not-paid --reason TEXT',
    null,
  ],
  [{ state: 'accepted' }, 'resume @', null],
  [{ state: 'expired' }, 'retry @ --rows K-7 --seen STATE', null],
  [{ state: 'refused' }, 'retry @ --rows K-7 --seen STATE', null],
  // Only a plan takes back a row that the newest sheet lacks.
  ...(['planned', 'ready', 'expired', 'refused'] as const).map(
    (state) => [{ state, sheet: 1 }, 'plan /sheets/nov.csv --batch @ --skip-invalid', null] as const,
  ),
  [{ state: 'duplicate' }, 'resolve @ --row K-7 --seen STATE --known --reason TEXT', null],
  [{ state: 'duplicate_paid' }, 'resolve @ --row K-7 --seen STATE --known --reason TEXT', null],
  [{ state: 'succeeded' }, null, null],
  [{ state: 'invalid' }, 'run /sheets/nov.csv --batch @ --skip-invalid', null],
  // A corrected row without an id is a new row.
  [{ state: 'invalid', content: '{"rowId":null}' }, 'run /sheets/nov.csv --batch @ --add --drop --skip-invalid', null],
  ...(['planned', 'withheld', 'absent', 'refused', 'invalid'] as const).map(
    (state) => [{ state, closed: '{}' }, 'reopen @ --row K-7 --seen STATE --reason TEXT', null] as const,
  ),
  [{ state: 'planned', closed: '{}', sheet: 1 }, 'plan /sheets/nov.csv --batch @ --skip-invalid', null],
  // A payment that appeared after all is no longer closed.
  [{ state: 'accepted', closed: '{}' }, 'resume @', null],
])('%j', (row, command, after) => {
  const { next } = of(row) ?? {};
  const told = next === undefined ? null : actionDocument(next, { user: '', ledger: ' --ledger a.db' });
  const [shown = null] = told?.command.split('   # ') ?? [];
  expect(shown?.replace(/ --seen [0-9a-f]{12}/, ' --seen STATE') ?? null).toBe(
    command === null ? null : `payrun ${command.replace('@', quoted)} --ledger a.db`,
  );
  expect(told?.after ?? null).toBe(after);
});

it.each(['expired', 'refused'] as const)('a mistake in the line of a row that is %s is corrected first', (state) => {
  expect(of({ state }, true)).toMatchObject({ effect: 'corrects', next: { action: 'run-sheet' } });
});

it('the next step of a doubt names the row, and why a scan cannot settle it earlier', () => {
  expect(of({ state: 'in_doubt' })?.next).toMatchObject({
    action: 'reconcile',
    doubt: {
      rows: {
        shown: [{ key: 'K-7', number: 3, payee: 'Wan B', money: { amount: 59_000, currency: 'KES' } }],
        total: 1,
      },
      wait: { why: 'may-appear', end: now + 1_874_000, at: now + 3_749_000 },
      firstAt: null,
    },
  });
  expect(of({ state: 'sending', submittedAt: null })?.next).toMatchObject({ doubt: null, notBefore: null });
});

it('the step of several doubts may be taken once the first can be settled, and names the last', () => {
  const [first, last] = [now - 60_000, now].map((submittedAt) => ({ submittedAt, missed: null }));
  const step = doubtStep('nov', { shown: [], total: 3 }, [first!, last!], view);
  const firstAt = now - 60_000 + view.appearsWithinMs;
  expect(step).toMatchObject({ doubt: { wait: { end: now + view.appearsWithinMs }, firstAt }, notBefore: firstAt });
  expect(doubtStep('nov', { shown: [], total: 3 }, [], view)).toMatchObject({ doubt: null, notBefore: null });
});

it('a scan for several doubts comes at the time of the last, if the first needs a later payment', () => {
  const sent = [now - 2 * view.appearsWithinMs, now].map((submittedAt) => ({ submittedAt, missed: null }));
  const step = doubtStep('nov', { shown: [], total: 2 }, sent, { ...view, rowsLeft: true, lastListed: null });
  expect(step).toMatchObject({ doubt: { firstAt: null }, notBefore: now + view.appearsWithinMs });
});

it('a scan settles the first of several doubts now, if its time is past', () => {
  const sent = [now - 3 * view.appearsWithinMs, now].map((submittedAt) => ({ submittedAt, missed: null }));
  const step = doubtStep('nov', { shown: [], total: 2 }, sent, { ...view, rowsLeft: false });
  expect(step).toMatchObject({ doubt: { firstAt: 'now' }, notBefore: null });
});

it('while a plan waits, no step sends, closes, opens or releases a row, or takes another sheet', () => {
  const states = rowStates.flatMap((state) => of({ state, reason: heldAsRepeat }, false, true) ?? []);
  expect(new Set(states.map(({ next }) => next.action))).toEqual(new Set(['reconcile', 'resume', 'resolve-known']));
  expect(states.filter(({ next }) => next.action === 'resume').map(({ effect }) => effect)).toEqual(['asks-service']);
  expect(states.flatMap(({ closes }) => closes ?? [])).toEqual([]);
  expect(of({ state: 'refused', closed: '{}' }, false, true)).toBeNull();
});

it('no state is without an answer', () => {
  for (const state of rowStates) expect(of({ state }) === null).toBe(state === 'succeeded');
});

it.each(rowStates)('a row that is %s may be closed too, unless it may have a payment', (state) => {
  const isClosable = closableStates.includes(state);
  expect(of({ state })?.closes).toEqual(isClosable ? expect.objectContaining({ rows: ['K-7'] }) : undefined);
  expect(of({ state, closed: '{}' })?.closes).toBeUndefined();
});
