/** Lines that were left out because of mistakes: their names, and the words about them. The ledger has no row for them. */
import { foldedPayee } from '../../domain/accounts/payee.ts';
import type { LeftOutRow } from '../../domain/note.ts';
import { reasonOf } from '../../domain/sending/reason.ts';
import { type BatchFacts, idOf, type LedgerRow, type SkippedRow, sheetOf, skippedOf } from '../../ledger/ledger.ts';
import { givenUpWords } from '../../messages/leaving.ts';
import type { PlanRow } from '../plans/plan-file.ts';

/** Returns the lines of earlier sheets that the newest sheet lacks. */
export const lostOf = (rows: readonly SkippedRow[]) => rows.filter(({ sheet }) => sheet !== undefined);

export const skippedCount = ({ sheet }: Pick<BatchFacts, 'sheet'>) => sheet.invalid + lostOf(skippedOf(sheet)).length;

export const placeOf = ({ number, sheet }: SkippedRow) => `row ${number}${sheet === undefined ? '' : ` of ${sheet}`}`;

export const skippedName = (row: SkippedRow) => idOf(row) ?? placeOf(row);

export const leftOutFacts = (row: SkippedRow): LeftOutRow => ({
  id: idOf(row),
  row: row.number,
  sheet: row.sheet ?? null,
});

/** True if the text names the line. A line of the newest sheet may be named by its number alone. */
export const isAtPlace = (row: SkippedRow, said: string) =>
  placeOf(row) === said || (row.sheet === undefined && String(row.number) === said);

/** Returns the options that name this line and no other. */
export const skippedFlags = (row: SkippedRow, batch: BatchFacts) =>
  `--row ${row.number} --sheet ${sheetOf(row, batch)}`;

export const lostReason = (row: SkippedRow) =>
  withGivenUp(`Left out for its mistake: ${placeOf(row)}. The newest sheet lacks it, and nothing is sent for it.`, row);

export function withGivenUp(reason: string, row: Pick<SkippedRow, 'givenUp'> | undefined): string {
  if (row?.givenUp === undefined) return reason;
  return `${reason.replace(/\.?$/, '.')} G${givenUpWords(row.givenUp).slice(1)}`;
}

/** Returns why a person gave the plan's row up after the plan was made, in this sheet or an earlier one. */
export function givenUpSince(
  madeAt: number,
  skipped: readonly SkippedRow[],
  batch: Pick<BatchFacts, 'sheet'>,
  before: Pick<LedgerRow, 'reason' | 'sheet'> | null,
  { key, name, row }: Pick<PlanRow, 'key' | 'name' | 'row'>,
): string | null {
  const payee = foldedPayee(name);
  const isLike = (one: SkippedRow) =>
    one.key === key || (idOf(one) === null && (one.name === null ? one.number === row : one.name === payee));
  // A line that stood beside the ledger's row in one sheet is not that row.
  const alike = skipped.filter((one) => isLike(one) && (before === null || before.sheet < sheetOf(one, batch)));
  const same = alike.filter((one) => one.key === key && one.name === payee);
  const said = (rows: readonly SkippedRow[]) =>
    rows.flatMap(({ givenUp, gaveUp }) => givenUp ?? gaveUp ?? []).find(({ at = 0 }) => at >= madeAt);
  const [surely, perhaps] = [said(same), said(same.length > 0 ? [] : alike)];
  if (surely !== undefined) return `was ${givenUpWords(surely)}`;
  if (perhaps !== undefined) return `may be the row that was ${givenUpWords(perhaps)}`;
  const word = reasonOf(before?.reason ?? null, 'given-up');
  return word === null ? null : `was given up: ${word.why}`;
}

/** Returns the lines of the newest sheet, by their numbers. */
export const ownOf = (rows: readonly SkippedRow[]) =>
  new Map(rows.flatMap((row) => (row.sheet === undefined ? [[row.number, row] as const] : [])));
