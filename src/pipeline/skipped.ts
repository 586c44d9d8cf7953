/** Rows that were left out for their mistakes: how they are called, and what is said of them. No row of the ledger is theirs. */
import { type BatchFacts, idOf, type Ledger, type SkippedRow, skippedOf } from '../ledger/ledger.ts';

/** Of an earlier sheet; the newest lacks them. */
export const lostOf = (rows: readonly SkippedRow[]) => rows.filter(({ sheet }) => sheet !== undefined);

/** How many of the batch's rows are such. */
export const skippedCount = ({ sheet }: Pick<BatchFacts, 'sheet'>) => sheet.invalid + lostOf(skippedOf(sheet)).length;

const placeOf = ({ number, sheet }: SkippedRow) => `row ${number}${sheet === undefined ? '' : ` of ${sheet}`}`;

/** As a person calls it. */
export const skippedName = (row: SkippedRow) => idOf(row) ?? placeOf(row);

export const skippedWords = (row: SkippedRow) => [...new Set([skippedName(row), placeOf(row)])].join(', ');

/** By its row_id or its place, as it is told; one of the newest sheet also by its bare number. */
export const findSkipped = async (ledger: Ledger, batch: BatchFacts, said: string): Promise<SkippedRow | null> => {
  const called = (await ledger.skipped(batch)).filter(
    (row) => [idOf(row), placeOf(row)].includes(said) || (row.sheet === undefined && String(row.number) === said),
  );
  // A file that was mended under its name may have lost several rows from one place.
  return called.find(({ givenUp }) => givenUp === undefined) ?? called[0] ?? null;
};

export const lostReason = (row: SkippedRow) =>
  withGivenUp(`Left out for its mistake: ${placeOf(row)}. The newest sheet lacks it, and nothing is sent for it.`, row);

export function withGivenUp(reason: string, row: Pick<SkippedRow, 'givenUp'> | undefined): string {
  if (row?.givenUp === undefined) return reason;
  const { by, why } = row.givenUp;
  return `${reason.replace(/\.?$/, '.')} Given up${by === null ? '' : ` by ${by}`}: ${why}`;
}

/** Of the newest sheet, by their numbers; each with its mistake, and who gave it up. */
export async function invalidRows(ledger: Ledger, batch: BatchFacts, afterNumber: number, limit: number) {
  const skipped = (await ledger.skipped(batch)).filter(({ sheet }) => sheet === undefined);
  const byNumber = new Map(skipped.map((row) => [row.number, row]));
  return (await ledger.invalidRows(batch.sheet.id, afterNumber, limit)).map(({ number, reason }) => ({
    number,
    reason: withGivenUp(reason, byNumber.get(number)),
  }));
}
