/** Lists the next steps of a batch. */
import { type Signing, someOf } from '../base/refusal.ts';
import { type ActionNamed, type NextAction, stepAt } from '../domain/next-action.ts';
import { isHeldForAccountChange, isLookalike, reasonOf } from '../domain/sending/reason.ts';
import type { BatchFacts, Ledger, LedgerRow, LivingCopy } from '../ledger/ledger.ts';
import { doubtStep, doubtViewOf, notedRow, notedRows, type View } from './doubt-step.ts';
import { type Figures, type StatusFigures, shownKeys, unpaidStates } from './figures.ts';
import { correctedSheet, planAgain, planOf, signingOf } from './opened-with.ts';
import { absentRows, rowAsSeen, rowsAsSeen, standingOf } from './seen.ts';

interface StepFacts extends Figures, StatusFigures {
  readonly copies: readonly LivingCopy[];
  readonly held: readonly LedgerRow[];
  readonly view: View;
}

export async function nextSteps(ledger: Ledger, batch: BatchFacts, facts: StepFacts): Promise<NextAction[]> {
  const { rows, doubtful, absent, retryable, documents, copies, held, view } = facts;
  const steps: NextAction[] = [];
  const step = (action: ActionNamed, moment: number | null = null) => steps.push(stepAt(action, moment, view));
  const of = { batch: batch.name };
  if (rows.in_doubt > absent) {
    const inDoubt = await notedRows(ledger, batch, 'in_doubt', doubtful);
    const outer = await ledger.rows.outerDoubts(batch.name);
    steps.push(doubtStep(batch.name, inDoubt, outer, await doubtViewOf(ledger, batch, view)));
  }
  const [double] = await ledger.rows.unknownDoubles(batch.name);
  const [copied] = copies.map(({ row, copy }) => (row.batch === batch.name ? row : copy));
  for (const row of [double, copied])
    if (row !== undefined) step({ action: 'resolve-known', ...(await rowAsSeen(ledger, row)), named: named([row]) });
  const signs = await signingOf(ledger);
  // Payrun then sends, releases and drops no row, and accepts no other sheet.
  const hasWaitingPlan = ledger.holds.proposalOf(batch.name) !== null;
  const decided = held.filter(({ state }) => state === 'held' || !hasWaitingPlan);
  for (const action of await heldSteps(ledger, batch.name, decided, signs)) step(action);
  if (absent > 0 && !hasWaitingPlan) {
    const { listed, left } = await absentRows(ledger, batch);
    const seen = await standingOf(ledger, listed);
    if (listed.length > 0) step({ action: 'release-absent', ...of, signs, row: null, rows: named(listed), seen });
    if (left.length > 0) step(await dropOf(ledger, batch.name, left));
  }
  const sendsAt = sendsAfter(ledger, batch);
  const toSend = hasWaitingPlan ? 0 : rows.not_sent;
  if (rows.pending + rows.being_sent + toSend + documents.open > 0)
    step({ action: 'resume', ...of, why: null }, toSend > 0 ? sendsAt : null);
  if (hasWaitingPlan || rows.unpaid + rows.invalid === 0) return steps;
  // Under a plan, a retry and corrected rows need a new plan, so they wait for no time.
  const [retry, at]: [ActionNamed, number | null] =
    planOf(batch) === null
      ? [{ action: 'retry', ...of, rows: null, seen: null, count: retryable }, sendsAt]
      : [planAgain(batch, signs, 'all'), null];
  const unpaid = await ledger.rows.list({ batch: batch.name, states: unpaidStates, limit: shownKeys });
  const loose = await ledger.batches.looseLines(batch.sheet.id);
  const corrected = { ...correctedSheet(batch, signs, loose > 0 ? [] : unpaid), why: 'corrected' } as const;
  const ways = retryable > 0 ? [retry, corrected] : [corrected];
  // The service refused a row as it is, so the correction comes first.
  if (unpaid.some(({ state }) => state === 'refused')) ways.reverse();
  for (const action of ways) step(action, at);
  if (unpaid.length > 0) step(await dropOf(ledger, batch.name, unpaid));
  return steps;
}

const named = (rows: readonly LedgerRow[]) => someOf(rows, notedRow);

const dropOf = async (ledger: Ledger, batch: string, rows: readonly LedgerRow[]): Promise<ActionNamed> => ({
  action: 'drop-rows',
  batch,
  ...(await rowsAsSeen(ledger, rows)),
  named: named(rows),
});

/** Returns the steps for held rows. If a row looks paid already, the step to drop it comes first, because it is the safe one. */
async function heldSteps(ledger: Ledger, batch: string, held: readonly LedgerRow[], signs: Signing) {
  // The rows that came last: a person often drops a wrong addition, and earlier rows wait for a decision of their own.
  const last = held.findLast(isLookalike)?.firstSheet;
  const repeats = held.filter((row) => isLookalike(row) && row.firstSheet === last).slice(0, shownKeys);
  const [repeat] = repeats;
  const changed = held.filter(isHeldForAccountChange);
  const [payee] = changed;
  const other = held.find(({ state }) => state === 'held');
  const steps: ActionNamed[] = [];
  if (repeat !== undefined) {
    steps.push(await dropOf(ledger, batch, repeats));
    const like = { ...named([repeat]), to: reasonOf(repeat.reason, 'looks-paid')!.to };
    steps.push({ action: 'allow-repeat', ...(await rowAsSeen(ledger, repeat)), signs, named: like });
  }
  if (payee !== undefined)
    steps.push({ action: 'release-row', ...(await rowAsSeen(ledger, payee)), signs, named: named(changed) });
  if (other !== undefined) steps.push({ action: 'explain-row', batch, row: other.key, named: named([other]) });
  return steps;
}

/** Returns the earliest time to send again, from the batch's lead or because another ledger may be sending; null for none. */
function sendsAfter({ leads }: Ledger, { name, quietUntil }: BatchFacts): number | null {
  const facts = leads.of(name).stop?.why.facts;
  return facts !== undefined && 'until' in facts ? Math.max(facts.until, quietUntil ?? 0) : quietUntil;
}
