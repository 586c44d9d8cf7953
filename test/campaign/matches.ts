/** The rows and payments of the reference model that agree with a row, judged by the table of duplicates. */

import type { Place } from './commands.ts';
import { headOf, isInHead, type Row, type World } from './model-world.ts';
import { dayMs } from './parameters.ts';
import { type Content, contentOf, isSameMoney, keyOf, type Line } from './sheet.ts';
import { closenessOf, duplicatesTable, type Other, otherIs } from './tables.ts';

interface Candidate {
  readonly key: string;
  readonly content: Content;
  readonly since: number;
  /** Null for a row of which no version had this content. */
  readonly version: number | null;
  /** The sheet of a plan: its rows are compared with the batch as that sheet would make it. */
  readonly draft?: { readonly file: ReadonlyMap<string, Line>; readonly isAddition: boolean };
}

export interface Match {
  readonly id: string;
  readonly line: string;
  /** The place of the line in its table. */
  readonly place: number;
  readonly decision: 'hold' | 'warning';
  readonly closeness: Other['closeness'];
  /** When the other payment was sent; null if it waits. */
  readonly sentAt: number | null;
  readonly paidAt: number | null;
  readonly isInDoubt: boolean;
}

const hasContent = (line: Line | undefined, { content }: Row): boolean =>
  line !== undefined && !line.isMistaken && isSameMoney(contentOf(line), content);

/** Of two unsent rows of one batch, the newer one waits. A whole list closes the unsent rows that it lacks. */
function waitsFor({ version, draft }: Candidate, row: Row): boolean {
  if (draft !== undefined && !draft.isAddition && !hasContent(draft.file.get(row.key), row)) return false;
  return version === null ? draft !== undefined : row.version < version;
}

interface Alike extends Pick<Match, 'id' | 'sentAt' | 'paidAt' | 'isInDoubt'> {
  readonly other: Other;
}

/** Returns the payments and rows that agree with a row that is about to be sent. */
function alikeOf(world: World, { ledger, batch: name }: Place, candidate: Candidate): readonly Alike[] {
  const found: Alike[] = [];
  for (const batch of Object.values(world.ledgers[ledger]!.batches)) {
    const isHere = batch.name === name;
    const file = headOf(batch)!.lines.map(keyOf);
    const isListed = (row: Row) =>
      candidate.draft === undefined ? file.includes(row.key) : hasContent(candidate.draft.file.get(row.key), row);
    for (const row of Object.values(batch.rows)) {
      if (isHere && (row.key === candidate.key || row.version === candidate.version)) continue;
      const closeness = closenessOf(candidate.content, row.content);
      const is = otherIs(row, isHere, isInHead(batch, row.key));
      if (closeness === null || is === null || row.isMistaken) continue;
      if (isHere && is === 'waits' && !waitsFor(candidate, row)) continue;
      const other: Other = {
        closeness,
        is,
        isHere,
        isInFile: isHere && isListed(row),
        wasMeanwhile: row.sentAt !== null && row.sentAt > candidate.since,
        days: (world.now - (row.paidAt ?? world.now)) / dayMs,
      };
      const isInDoubt = ['sending', 'in_doubt', 'absent'].includes(row.state) && row.closed === null;
      const { sentAt, paidAt } = row;
      found.push({ id: `${batch.name}/${row.key}/${row.revision}`, other, sentAt, paidAt, isInDoubt });
    }
  }
  return found;
}

/** Returns what agrees with a row that is about to be sent, with the line of the table for each. */
export const matchesOf = (world: World, place: Place, candidate: Candidate): readonly Match[] =>
  alikeOf(world, place, candidate).flatMap(({ other, ...alike }) => {
    const at = duplicatesTable.findIndex(({ fits }) => fits(other));
    const line = duplicatesTable[at];
    if (line === undefined) return [];
    return [{ ...alike, closeness: other.closeness, line: line.name, place: at, decision: line.decision }];
  });

function candidateOf(world: World, { ledger, batch }: Place, row: Row): Candidate {
  const { versions } = world.ledgers[ledger]!.batches[batch]!;
  const since = row.sentAt ?? versions[row.version - 1]?.at ?? world.now;
  return { key: row.key, content: row.content, since, version: row.version };
}

export const rowMatches = (world: World, place: Place, row: Row) =>
  matchesOf(world, place, candidateOf(world, place, row));

/** A row that waits in another batch is no payment yet. */
export const knownPayments = (world: World, place: Place, row: Row): readonly string[] =>
  alikeOf(world, place, candidateOf(world, place, row))
    .filter(({ other }) => other.is !== 'waits' || other.isHere)
    .map(({ id }) => id);

/** Returns the payments for which the row has to wait, because no person's word covers them. */
export const holdsOf = (world: World, place: Place, row: Row) =>
  rowMatches(world, place, row)
    .filter(({ id, decision }) => decision === 'hold' && !row.cleared.includes(id))
    .map(({ id }) => id);
