/** Counts and sums the rows of a batch by their states. */
import { type Each, eachOf, wordsIn } from '../base/words.ts';
import type { AmountUnit } from '../domain/rows/row.ts';
import { rowsWith } from '../domain/rows/version-table.ts';
import type { BatchFacts, Comparison, CountLine, Ledger } from '../ledger/ledger.ts';
import { type RowWordNow, wordsNow } from './doubt-step.ts';

export const summedWords = wordsIn('paid pending being_sent not_sent unpaid in_doubt held paid_twice');
const countedWords = [...summedWords, 'invalid', 'closed'] as const;

export type RowCounts = Readonly<Record<'total' | (typeof countedWords)[number], number>>;

/** `paid_twice` is the sum of the second payments. `differs` is how much the payments exceed the planned amounts of their rows. */
export interface MoneyTotal extends Readonly<Record<(typeof summedWords)[number], number>> {
  readonly currency: string;
  readonly unit: AmountUnit;
  readonly from: string | null;
  readonly planned: number;
  readonly differs: number;
}

type Underscored<Word extends string> = Word extends `${infer First} ${infer Second}` ? `${First}_${Second}` : Word;
const countedAs = <Word extends RowWordNow>(word: Word) => word.replace(' ', '_') as Underscored<Word>;

export interface StatusFigures {
  readonly rows: RowCounts;
  readonly totals: readonly MoneyTotal[];
  readonly documents: { readonly attached: number; readonly open: number };
}

export type Figures = Omit<StatusFigures, 'documents'> & Each<'doubtful absent retryable', number>;

/** Returns the counts and totals of a batch. Lines with mistakes that are no rows of the batch count as invalid too. */
export async function standing(ledger: Ledger, batch: BatchFacts): Promise<Figures> {
  const counts = await ledger.rows.counts(batch.name);
  return await standingOf(ledger, counts, await ledger.batches.looseLines(batch.sheet.id));
}

type DraftPlan = Readonly<{ batch: string; comparison: Comparison; isAddition: boolean }>;

/** Counts the rows of the planned batch as the draft would make them; null for a draft that is of no batch. */
export async function standingWithDraft(ledger: Ledger, plan: DraftPlan | null) {
  const { batch = null, isAddition = false } = plan ?? {};
  // Subtracts lines with mistakes that are rows of the batch, because those rows are counted already.
  const own = ledger.draft.counts().invalid - (plan === null ? 0 : rowsWith(plan.comparison, 'mistake'));
  const standing = await standingOf(ledger, await ledger.versions.countsWithDraft(batch, isAddition), own);
  const documents = {
    attached: batch === null ? 0 : (await ledger.documents.documentCounts(batch)).attached,
    open: await ledger.versions.documentsToAttach(batch),
  };
  return { ...standing, documents };
}

async function standingOf(ledger: Ledger, counts: readonly CountLine[], invalid: number): Promise<Figures> {
  const wordIn = await wordsNow(ledger, counts);
  const lines = counts.map((one) => ({ ...one, word: wordIn(one) }));
  const rows = { total: 0, ...eachOf(0, ...countedWords), invalid };
  for (const { word, rows: count } of lines) rows[countedAs(word)] += count;
  rows.total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const those = (which: (line: (typeof lines)[number]) => boolean) =>
    lines.filter(which).reduce((sum, { rows: count }) => sum + count, 0);
  return {
    rows,
    totals: moneyTotals(lines),
    doubtful: those(({ state }) => state === 'in_doubt'),
    absent: those(({ state, closed }) => state === 'absent' && !closed),
    retryable: those(({ word, listed }) => word === 'unpaid' && listed),
  };
}

export const shownKeys = 10;

/** The states of rows that end without a payment unless a person acts. */
export const unpaidStates = ['refused', 'expired', 'invalid'] as const;

function moneyTotals(lines: readonly (CountLine & { readonly word: RowWordNow })[]): MoneyTotal[] {
  const totals = new Map<string, { -readonly [Name in keyof MoneyTotal]: MoneyTotal[Name] }>();
  for (const line of lines) {
    const { currency, unit, from, word } = line;
    // Leaves out closed and invalid rows, which count in no sum, and rows that have no currency because of a mistake.
    if (word === 'closed' || word === 'invalid' || currency === '') continue;
    const key = JSON.stringify([currency, unit, from]);
    const total = totals.get(key) ?? { currency, unit, from, planned: 0, ...eachOf(0, ...summedWords), differs: 0 };
    totals.set(key, total);
    const paid = Number(line.amount + line.differs);
    total.planned += Number(line.amount);
    total.differs += Number(line.differs);
    total[countedAs(word)] += paid;
    // Counts only one of two payments as paid, since the plan meant one.
    if (word === 'paid twice') total.paid += paid;
  }
  return [...totals.values()];
}
