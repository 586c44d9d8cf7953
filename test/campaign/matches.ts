/** The rows and payments of the reference model that agree with a row, judged by the table of duplicates. */

import { headOf, isInHead, type Row, type World } from './model-world.ts';
import { dayMs } from './parameters.ts';
import { type Content, contentOf, keyOf, type Line } from './sheet.ts';
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
  readonly isInDoubt: boolean;
}

const hasContent = (line: Line | undefined, { content }: Row): boolean =>
  line !== undefined && !line.isMistaken && contentOf(line).join() === content.join();

/** Of two unsent rows of one batch, the newer one waits. A whole list closes the unsent rows that it lacks. */
function waitsFor({ version, draft }: Candidate, row: Row): boolean {
  if (draft !== undefined && !draft.isAddition && !hasContent(draft.file.get(row.key), row)) return false;
  return version === null ? draft !== undefined : row.version < version;
}

/** Returns the payments and rows that agree with a row that is about to be sent, with the line of the table for each. */
export function matchesOf(
  world: World,
  { ledger, batch: name }: { readonly ledger: number; readonly batch: string },
  candidate: Candidate,
): readonly Match[] {
  const found: Match[] = [];
  for (const batch of Object.values(world.ledgers[ledger]!.batches)) {
    const isHere = batch.name === name;
    const file = headOf(batch)!.lines.map(keyOf);
    const isListed = (row: Row) =>
      candidate.draft === undefined ? file.includes(row.key) : hasContent(candidate.draft.file.get(row.key), row);
    for (const row of Object.values(batch.rows)) {
      if (isHere && (row.key === candidate.key || row.version === candidate.version)) continue;
      const closeness = closenessOf(candidate.content, row.content);
      const is = otherIs(row, isHere, isInHead(batch, row.key));
      if (closeness === null || is === null || row.state === 'invalid') continue;
      if (isHere && is === 'waits' && !waitsFor(candidate, row)) continue;
      const sentAt = row.sentAt ?? world.now;
      const other: Other = {
        closeness,
        is,
        isHere,
        isInFile: isHere && isListed(row),
        wasMeanwhile: row.sentAt !== null && row.sentAt > candidate.since,
        days: (world.now - sentAt) / dayMs,
      };
      const line = duplicatesTable.find(({ fits }) => fits(other));
      if (line === undefined) continue;
      const isInDoubt = ['sending', 'in_doubt', 'absent'].includes(row.state) && row.closed === null;
      found.push({
        id: `${batch.name}/${row.key}/${row.revision}`,
        line: line.name,
        place: duplicatesTable.indexOf(line),
        decision: line.decision,
        isInDoubt,
      });
    }
  }
  return found;
}

export function rowMatches(world: World, place: { readonly ledger: number; readonly batch: string }, row: Row) {
  const batch = world.ledgers[place.ledger]!.batches[place.batch]!;
  const since = row.sentAt ?? batch.versions[row.version - 1]?.at ?? world.now;
  return matchesOf(world, place, { key: row.key, content: row.content, since, version: row.version });
}

/** Returns the payments for which the row has to wait, because no person's word covers them. */
export const holdsOf = (world: World, place: { readonly ledger: number; readonly batch: string }, row: Row) =>
  rowMatches(world, place, row)
    .filter(({ id, decision }) => decision === 'hold' && !row.cleared.includes(id))
    .map(({ id }) => id);
