/** Previews what a batch that continues sends at most, and which of its rows look paid. */
import type { AmountUnit } from '../../domain/amounts/money.ts';
import type { NoteOf } from '../../domain/note.ts';
import { type BatchFacts, type Ledger, wordOf } from '../../ledger/ledger.ts';
import { type DuplicateWindow, duplicatesOfBatch, firstOf, isHeld } from './duplicates.ts';

export interface ResumePreview {
  readonly rows: number;
  readonly totals: readonly { readonly currency: string; readonly unit: AmountUnit; readonly amount: number }[];
  readonly waits: readonly NoteOf<'waits-like-batch'>[];
}

/** Null for a batch without unsent rows. The run may find more rows that look paid in its scan. */
export async function previewResume(
  ledger: Ledger,
  batch: BatchFacts,
  window: DuplicateWindow,
): Promise<ResumePreview | null> {
  const lines = (await ledger.rows.counts(batch.name)).filter(
    ({ state, listed }) => listed && wordOf[state] === 'not sent',
  );
  if (lines.length === 0) return null;
  const likes = (await duplicatesOfBatch(ledger, batch, window)).filter(isHeld);
  const held: typeof likes = [];
  const sums = new Map<string, { currency: string; unit: AmountUnit; rows: number; amount: number }>();
  const add = (currency: string, unit: AmountUnit, rows: number, amount: number) => {
    const key = `${unit} ${currency}`;
    const sum = sums.get(key) ?? { currency, unit, rows: 0, amount: 0 };
    sums.set(key, { ...sum, rows: sum.rows + rows, amount: sum.amount + amount });
  };
  for (const { currency, unit, rows, amount } of lines) add(currency, unit, rows, Number(amount));
  for (const like of firstOf(likes, ({ payout }) => payout)) {
    const one = await ledger.rows.row(like.payout!);
    if (one === null || one.state === 'withheld') continue;
    held.push(like);
    add(one.currency, one.unit, -1, -one.amount);
  }
  const totals = [...sums.values()].filter(({ rows }) => rows > 0);
  return {
    rows: totals.reduce((sum, { rows }) => sum + rows, 0),
    totals: totals.map(({ currency, unit, amount }) => ({ currency, unit, amount })),
    waits: [...Map.groupBy(held, ({ batch: other }) => other)].map(
      ([other, { length: rows }]) => ({ note: 'waits-like-batch', batch: other, rows }) as const,
    ),
  };
}
