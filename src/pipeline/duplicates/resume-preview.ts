/** Previews what a batch that continues sends at most, and which of its rows wait. */
import type { AmountUnit } from '../../domain/amounts/money.ts';
import type { NoteOf } from '../../domain/note.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { type BatchFacts, type Ledger, type Twin, wordOf } from '../../ledger/ledger.ts';
import { holdingRepeats, notedAlike, stoppingRepeats } from './repeats.ts';

export interface ResumePreview {
  readonly rows: number;
  readonly totals: readonly { readonly currency: string; readonly unit: AmountUnit; readonly amount: number }[];
  /** True if nothing of the batch was sent, and nothing will be while its rows look paid. */
  readonly stops: boolean;
  /** Rows of the newest sheet that wait because they look paid. */
  readonly waits: readonly NoteOf<'waits-like-batch' | 'waits-like-foreign'>[];
  /** Rows that matched payments made elsewhere in the last scan; null if there are none. The next run scans again. */
  readonly seen: {
    readonly total: number;
    readonly rows: readonly { readonly key: string; readonly number: number; readonly name: string }[];
  } | null;
}

const mostSeen = 20;

/** Returns the preview of a batch with unsent rows; else null. The scan of the run may find more. */
export async function previewResume(ledger: Ledger, batch: BatchFacts, now: number): Promise<ResumePreview | null> {
  const lines = (await ledger.counts(batch.name)).filter(({ state, listed }) => listed && wordOf[state] === 'not sent');
  if (lines.length === 0) return null;
  const isSent = await ledger.hasSent(batch.name);
  const found = isSent
    ? (await holdingRepeats(ledger, batch, now)).map(({ twin }) => twin)
    : await everyStopping(ledger, batch, now);
  const alike = [...new Map(found.map((twin) => [twin.row, twin])).values()];
  const seen = isSent ? [] : await notedAlike(ledger, batch);
  const stops = !isSent && alike.length + seen.length > 0;
  const sums = new Map<string, { currency: string; unit: AmountUnit; rows: number; amount: number }>();
  const add = (currency: string, unit: AmountUnit, rows: number, amount: number) => {
    const key = `${unit} ${currency}`;
    const sum = sums.get(key) ?? { currency, unit, rows: 0, amount: 0 };
    sums.set(key, { ...sum, rows: sum.rows + rows, amount: sum.amount + amount });
  };
  for (const { currency, unit, rows, amount } of stops ? [] : lines) add(currency, unit, rows, Number(amount));
  for (const { row } of stops ? [] : alike) {
    const one = row === null ? null : await ledger.row(row);
    if (one !== null) add(one.currency, one.unit, -1, -one.amount);
  }
  const totals = [...sums.values()].filter(({ rows }) => rows > 0);
  return {
    rows: totals.reduce((sum, { rows }) => sum + rows, 0),
    totals: totals.map(({ currency, unit, amount }) => ({ currency, unit, amount })),
    stops,
    waits: [
      ...[...Map.groupBy(alike, ({ batch: other }) => other)].map(
        ([other, { length: rows }]) => ({ note: 'waits-like-batch', batch: other, rows, stops }) as const,
      ),
      ...(seen.length === 0 ? [] : [{ note: 'waits-like-foreign', rows: seen.length } as const]),
    ],
    seen:
      seen.length === 0
        ? null
        : {
            total: seen.length,
            rows: seen
              .slice(0, mostSeen)
              .map(({ key, number, content }) => ({ key, number, name: rowOfContent(content, number).name })),
          },
  };
}

async function everyStopping(ledger: Ledger, batch: BatchFacts, now: number): Promise<readonly Twin[]> {
  const { twins, near } = await stoppingRepeats(ledger, batch, now);
  return [...twins, ...near];
}
