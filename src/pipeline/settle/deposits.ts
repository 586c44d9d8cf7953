/** Keeps the first deposit details of a payment. Changed details raise an alarm, because they may be a fraud. */
import { isDeepStrictEqual } from 'node:util';
import { PayrunError } from '../../base/errors.ts';
import type { DepositFacts } from '../../base/refusal.ts';
import { changedDetails, type Detail, depositIn, detailsNamed, isCompletion } from '../../domain/amounts/deposit.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import type { Note } from '../../domain/note.ts';
import type { BatchFacts, DepositChange, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { Deps } from '../deps.ts';
import { rowAsSeen } from '../seen.ts';
import { detailsIn, keptAnswer } from './payment-details.ts';

/** How long after the attempt new details may complete the first details without an alarm. */
const settlingMs = 10 * 60_000;

/** Returns the answer to store, with the first deposit details of the payment. Records a change in the trail. */
export async function answerToStore({ ledger, clock }: Pick<Deps, 'ledger' | 'clock'>, row: LedgerRow, answer: object) {
  const whole = keptAnswer(answer);
  if (row.serviceDetails === null) return whole;
  const first = detailsIn(row.serviceDetails);
  const before = depositIn(first);
  if (before.length === 0) return whole;
  // Compares both answers as stored, because Payrun cuts long texts.
  const after = depositIn(detailsIn(whole));
  const changed = changedDetails(before, after);
  const young = row.submittedAt !== null && clock.now() - row.submittedAt < settlingMs;
  if (young && isCompletion(before, after, changed)) return whole;
  if (changed.length > 0) await recordChange(ledger, row, detailsNamed(before, changed), detailsNamed(after, changed));
  return keptAnswer({ ...answer, ...keptDeposit(first, answer) });
}

function keptDeposit(first: Record<string, unknown>, answer: object): Record<string, unknown> {
  const holds = ([name, value]: [string, unknown]) => depositIn({ [name]: value }).length > 0;
  const gone = Object.fromEntries(
    Object.entries(answer)
      .filter(holds)
      .map(([name]) => [name, null]),
  );
  return { ...gone, ...Object.fromEntries(Object.entries(first).filter(holds)) };
}

async function recordChange(ledger: Ledger, row: LedgerRow, was: readonly Detail[], now: readonly Detail[]) {
  const known = (await ledger.rows.changedDeposits(row.batch)).find((one) => one.row === row.id);
  if (isDeepStrictEqual(known?.now, now)) return;
  await ledger.rows.note(row, {}, { said: 'deposit changed', payment: row.paymentId, was, now });
}

/** Returns the alarm for changed deposit details that no person has checked yet; null without such a change. */
export async function depositAlarm({ ledger }: Pick<Deps, 'ledger'>, { name }: Pick<BatchFacts, 'name'>) {
  const changes = await openChanges(ledger, name);
  const command = await knowDeposit(ledger, changes);
  if (command === null) return null;
  return new PayrunError('DEPOSIT_CHANGED', {
    changes: { shown: changes.slice(0, shownChanges).map(depositFacts), total: changes.length },
    command,
  });
}

/** Records a person's finding about a change (`resolve --known`). Returns null if the row has no unchecked change. */
export async function knowChange(ledger: Ledger, row: LedgerRow, why: string): Promise<Note | null> {
  const change = (await openChanges(ledger, row.batch)).find((one) => one.row === row.id);
  if (change === undefined) return null;
  const { paymentId: payment, now } = change;
  await ledger.rows.note(row, {}, { said: 'deposit known', payment, now, why });
  return { note: 'deposit-known', batch: row.batch, row: row.key };
}

export const openChanges = async ({ rows }: Ledger, batch: string): Promise<readonly DepositChange[]> =>
  (await rows.changedDeposits(batch)).filter(({ known }) => known === null);

export const depositFacts = ({ key, paymentId, was, now }: DepositChange): DepositFacts => ({
  row: key,
  payment: paymentId,
  was,
  now,
});

const shownChanges = 5;

/** Returns notes about changed deposit details, and about payments that may wait for a deposit. */
export function depositNotes(
  batch: string,
  changes: readonly DepositChange[],
  totals: readonly { readonly from: string | null; readonly pending: number }[],
): Note[] {
  const waiting = totals.filter(({ from, pending }) => from !== 'BTC' && pending > 0);
  const sources = [...new Set(waiting.flatMap(({ from }) => from ?? []))];
  return [
    ...changes.slice(0, shownChanges).map((one) => ({ note: 'deposit-changed', ...depositFacts(one) }) as const),
    ...(sources.length === 0 || changes.length > 0 ? [] : [{ note: 'deposits-wait', batch, sources } as const]),
  ];
}

/** Returns the command that confirms the first of the changes; null without a change. */
export async function knowDeposit(ledger: Ledger, [first]: readonly DepositChange[]): Promise<ActionNamed | null> {
  const row = first === undefined ? null : await ledger.rows.row(first.row);
  return row && { action: 'resolve-known', ...(await rowAsSeen(ledger, row)), named: null };
}
