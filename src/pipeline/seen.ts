/** Refuses a command whose rows changed after the person saw them. */
import { sha256 } from '../base/digest.ts';
import { PayrunError } from '../base/errors.ts';
import { wordsIn } from '../base/words.ts';
import { type BatchFacts, isListed, type Ledger, type LedgerRow, wordOfRow } from '../ledger/ledger.ts';

/** The state of the batch when a person or a worker decided on the command. If it differs later, the command is refused. */
export interface Seen {
  /** The turn of the batch's lead on a person's page, or when a worker decided on the run. */
  readonly turn?: number;
  /** The text of `standingOf` of the rows that the command names. */
  readonly rows?: string;
  /** The text of `standingOfBatch`. */
  readonly standing?: string;
}

const seenFacts = wordsIn('key state revision contentHash reason paymentId closed');

/**
 * Identifies the state of these rows of a batch, with their deposit changes and their copies that may be paid too.
 * The text differs after each change that a person should see before a decision.
 */
export async function standingOf(ledger: Ledger, rows: readonly LedgerRow[]): Promise<string> {
  const [batch = ''] = rows.map((row) => row.batch);
  const ids = new Set(rows.map(({ id }) => id));
  const changes = (await ledger.rows.changedDeposits(batch)).filter(({ row }) => ids.has(row));
  const copies = (await ledger.duplicates.livingCopies(batch))
    .map(({ row, copy }) => [row.id, copy.id])
    .filter((pair) => pair.some((id) => ids.has(id)));
  return sha256(JSON.stringify([rows.map((row) => seenFacts.map((fact) => row[fact])), changes, copies])).slice(0, 12);
}

export const rowAsSeen = async (ledger: Ledger, row: LedgerRow) => ({
  batch: row.batch,
  row: row.key,
  seen: await standingOf(ledger, [row]),
});

export const rowsAsSeen = async (ledger: Ledger, rows: readonly LedgerRow[]) => ({
  rows: rows.map(({ key }) => key),
  seen: await standingOf(ledger, rows),
});

/** Returns the absent rows of the newest sheet, and the absent rows that it lacks. Only the first can be released. */
export async function absentRows({ rows }: Ledger, batch: BatchFacts): Promise<Record<'listed' | 'left', LedgerRow[]>> {
  const all = await rows.list({ batch: batch.name, states: ['absent'], limit: Number.MAX_SAFE_INTEGER });
  const { true: listed = [], false: left = [] } = Object.groupBy(all, (row) => `${isListed(row, batch)}`);
  return { listed, left };
}

/** Identifies what a batch can still send: its unsent rows by their sums, and each unpaid row by its state. */
export async function standingOfBatch(ledger: Ledger, batch: string): Promise<string> {
  const lines = (await ledger.rows.counts(batch)).filter((line) => line.listed && wordOfRow(line) === 'not sent');
  const unsent = lines.map(({ state, currency, unit, rows, amount }) => [state, currency, unit, rows, String(amount)]);
  return sha256(JSON.stringify([unsent, await ledger.rows.unpaidStates(batch)]));
}

/** Throws if the rows that the command names, or the batch, changed. A command that changes rows holds the ledger's lock. */
export async function requireSeen(
  ledger: Ledger,
  { name: batch }: BatchFacts,
  seen: Seen = {},
  rows: readonly LedgerRow[] = [],
): Promise<void> {
  const [first, ...others] = rows;
  if (seen.rows !== undefined && seen.rows !== (await standingOf(ledger, rows))) {
    if (first !== undefined && others.length === 0) throw new PayrunError('ROW_MOVED', { batch, row: first.key });
    throw new PayrunError('BATCH_MOVED', { batch });
  }
  if (seen.standing !== undefined && (await standingOfBatch(ledger, batch)) !== seen.standing)
    throw new PayrunError('BATCH_MOVED', { batch });
}
