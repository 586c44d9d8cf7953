/** The rows and payments of the reference model that agree with a row, judged by the table of duplicates. */

import { headOf, isInHead, type Row, type World } from './model-world.ts';
import { dayMs } from './parameters.ts';
import { type Content, keyOf } from './sheet.ts';
import { closenessOf, duplicatesTable, type Other, otherIs } from './tables.ts';

interface Candidate {
  readonly key: string;
  readonly content: Content;
  readonly since: number;
  /** Null for a row of which no version had this content. */
  readonly version: number | null;
}

export interface Match {
  readonly id: string;
  readonly line: string;
  readonly decision: 'hold' | 'warning';
  readonly isInDoubt: boolean;
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
    for (const row of Object.values(batch.rows)) {
      if (isHere && (row.key === candidate.key || row.version === candidate.version)) continue;
      const closeness = closenessOf(candidate.content, row.content);
      const is = otherIs(row, isHere, isInHead(batch, row.key));
      if (closeness === null || is === null || row.state === 'invalid') continue;
      // Of two unsent rows of one batch, the newer one waits.
      if (isHere && is === 'waits' && !(candidate.version !== null && row.version < candidate.version)) continue;
      const sentAt = row.sentAt ?? world.now;
      const other: Other = {
        closeness,
        is,
        isHere,
        isInFile: isHere && file.includes(row.key),
        wasMeanwhile: row.sentAt !== null && row.sentAt > candidate.since,
        days: (world.now - sentAt) / dayMs,
      };
      const line = duplicatesTable.find(({ fits }) => fits(other));
      if (line === undefined) continue;
      const isInDoubt = ['sending', 'in_doubt', 'absent'].includes(row.state);
      found.push({
        id: `${batch.name}/${row.key}/${row.revision}`,
        line: line.name,
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
