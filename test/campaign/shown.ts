/** What a plan shows. A plan opens its version only if the version still does to each row what the plan showed. */

import { type Change, isContent, isUnpaid } from './change.ts';
import type { SheetOrder } from './commands.ts';
import { type Match, matchesOf } from './matches.ts';
import type { World } from './model-world.ts';
import { contentOf, isSameMoney } from './sheet.ts';
import { mayHavePayment, versionTable } from './tables.ts';

export interface Shown {
  /** `not sent`: the version sends the row. `held`: a person has to release it first. */
  readonly rows: Readonly<Record<string, 'not sent' | 'held' | 'neither'>>;
  readonly warnings: readonly string[];
  /** The decision about each row that looks like another payment: `k1 hold`. */
  readonly alike: readonly string[];
  readonly closes: readonly string[];
}

export function shownBy(world: World, order: SheetOrder, change: Change, chosen: readonly string[]): Shown {
  const { batch, cells, file } = change;
  const retried = chosen.filter((key) => isUnpaid(batch.rows[key]!) && batch.rows[key]!.closed === null);
  const rows: Record<string, Shown['rows'][string]> = {};
  const warnings: string[] = [];
  const alike: string[] = [];
  const draft = { file, isAddition: order.add && !order.drop };
  for (const [key, line] of file) {
    if (line.isMistaken) continue;
    const row = batch.rows[key];
    const content = contentOf(line);
    const isSame = row !== undefined && !row.isMistaken && isSameMoney(row.content, content);
    const isNew = row === undefined || (!isContent(row, line) && !mayHavePayment(row)) || retried.includes(key);
    const isWithheld = !isNew && row.state === 'withheld';
    const isUnsent = isNew || isWithheld || row.state === 'planned' || row.state === 'ready';
    const since = (isSame ? (row.sentAt ?? batch.versions[row.version - 1]?.at) : null) ?? world.now;
    const candidate = { key, content, since, version: isSame ? row.version : null, draft };
    const found = isUnsent ? matchesOf(world, order, candidate) : [];
    const matches = found.filter(({ id }) => !isSame || !row.cleared.includes(id));
    const [first] = matches.toSorted((a, b) => rank(a) - rank(b) || (b.paidAt ?? 0) - (a.paidAt ?? 0));
    const isPaid = first !== undefined && first.line !== 'waits in another batch';
    if (isPaid) warnings.push(`LOOKS_PAID ${key} sent ${first.sentAt}`);
    if (first !== undefined) alike.push(`${key} ${isPaid ? first.decision : 'waits'}`);
    const isHeld = first?.decision === 'hold' || isWithheld || (!isNew && row.state === 'held');
    rows[key] = isHeld ? 'held' : isUnsent ? 'not sent' : 'neither';
  }
  for (const { row, standing, column } of cells) {
    if (column !== 'missing' && standing === 'closed' && row.closed === 'person')
      warnings.push(`ROW_CLOSED ${row.key}`);
    if (retried.includes(row.key)) warnings.push(`ROW_UNPAID ${row.key}`);
  }
  const closes = cells
    .filter(({ standing, column }) => versionTable[standing][column] === 'closes')
    .map(({ row }) => row.key);
  return { rows, warnings, alike, closes: draft.isAddition ? [] : closes };
}

/** A plan names one payment for each row: first the same payment that holds it, then a near one. */
const rank = ({ decision, closeness, place }: Match): number =>
  100 * (decision === 'warning' ? 2 : closeness === 'same' ? 0 : 1) + place;

/** True if the version does to a row what the plan did not show. A warning that is gone is no difference. */
export function differs(was: Shown, is: Shown): boolean {
  const isMoved = Object.keys(is.rows).some((key) => was.rows[key] !== is.rows[key]);
  return (
    isMoved || is.warnings.some((warning) => !was.warnings.includes(warning)) || was.closes.join() !== is.closes.join()
  );
}

/** True if a run of the plan changes or sends a row. */
export const hasEffect = ({ rows, closes, warnings }: Shown, { added, cells }: Change): boolean =>
  added.length + closes.length > 0 ||
  Object.values(rows).includes('not sent') ||
  warnings.some((warning) => warning.startsWith('ROW_UNPAID')) ||
  cells.some(({ row, standing, column }) => {
    const effect = versionTable[standing][column];
    // An addition also sends the unsent rows that it lacks.
    if (effect === 'closes') return row.state === 'planned' || row.state === 'ready';
    const isSame = column === 'mistake' && row.isMistaken;
    return effect === 'comes back' || (!isSame && (effect === 'new content' || effect === 'invalid'));
  });
