/** The next step for rows in doubt: the rows, when a scan of the service's list can settle them, and why not earlier. */
import { type Some, shownOf } from '../base/refusal.ts';
import { type NotedRow, unitOf } from '../base/words.ts';
import { atOnce, type NextAction, stepAt } from '../domain/next-action.ts';
import { rowOfContent } from '../domain/rows/digest.ts';
import { type DoubtView, type DoubtWait, doubtWait } from '../domain/sending/doubt.ts';
import {
  type BatchFacts,
  type Ledger,
  type LedgerRow,
  type RowState,
  type RowWord,
  wordOfRow,
} from '../ledger/ledger.ts';
import type { Limits } from './deps.ts';
import { anyToSend } from './reconcile/absence.ts';

/** `appearsWithinMs` includes the call's deadline. */
export type View = Omit<DoubtView, 'lastListed' | 'rowsLeft'>;

export function viewOf({ doubt }: Pick<Limits, 'doubt'>, now: number): View {
  const { deadlineMs, horizonMs, confirmMs } = doubt;
  return { now, appearsWithinMs: deadlineMs + horizonMs, confirmMs };
}

export async function doubtViewOf(ledger: Ledger, batch: BatchFacts, view: View): Promise<DoubtView> {
  const rowsLeft = await anyToSend({ ledger }, batch);
  // The sandbox lists each payment at once, so its list is never out of date, and one scan settles a doubt.
  if (batch.service === 'sandbox') return { ...view, lastListed: Number.POSITIVE_INFINITY, confirmMs: 0, rowsLeft };
  return { ...view, lastListed: await ledger.rows.lastListed(batch.name), rowsLeft };
}

/**
 * Returns the words for rows now. A row in `sending` is in doubt unless another process leads the ledger and waits for the
 * answer. A result says `in doubt` in any case, because its reader cannot know whether that process still lives.
 */
export async function wordsNow(ledger: Ledger, rows: readonly Pick<LedgerRow, 'state'>[]) {
  const isLed = rows.some(({ state }) => state === 'sending') && (await ledger.isLedElsewhere());
  return (row: Parameters<typeof wordOfRow>[0]): RowWordNow =>
    isLed && row.state === 'sending' ? beingSent : wordOfRow(row);
}

export const beingSent = 'being sent';
export type RowWordNow = RowWord | typeof beingSent;

/** Notes show key, number, payee and amount, so that a person notices a number that was meant for another row. */
export function notedRow({ key, number, content }: { key: string; number: number | null; content: string }): NotedRow {
  const { name, amount, currency } = rowOfContent(content, number ?? 0);
  return { key, number, payee: name, money: { amount, currency, unit: unitOf[currency] } };
}

/** Reads only the rows that the words of a step name. `total` is the number of all rows in the state. */
export async function notedRows(ledger: Ledger, { name }: BatchFacts, state: RowState, total: number) {
  const rows = await ledger.rows.list({ batch: name, states: [state], limit: shownOf });
  return { shown: rows.map(notedRow), total };
}

/** `outer` are the rows that were sent first and last. The step may be taken as soon as the list can settle the first. */
export function doubtStep(
  batch: string,
  rows: Some<NotedRow>,
  outer: readonly Pick<LedgerRow, 'submittedAt' | 'missed'>[],
  view: DoubtView,
): NextAction {
  const waits = outer.flatMap(({ submittedAt, missed }) =>
    submittedAt === null ? [] : [doubtWait({ sentAt: submittedAt, missed }, view)],
  );
  const [first, wait] = [waits[0], waits.at(-1)];
  if (first === undefined || wait === undefined) return atOnce({ action: 'reconcile', batch, doubt: null });
  const [firstAt, lastAt] = [earliest(first), earliest(wait)];
  const earlier = firstAt === lastAt ? null : firstAt;
  const doubt = { rows, wait, firstAt: earlier !== null && earlier <= view.now ? ('now' as const) : earlier };
  return stepAt({ action: 'reconcile', batch, doubt }, firstAt ?? lastAt, view);
}

const earliest = ({ why, end, at }: DoubtWait): number | null => (why === 'may-appear' ? end : at);
