/** Changes how a batch stands, together with the trail entry of the cause and the end of claims. */
import type { Refusal } from '../../base/refusal.ts';
import { isOnHold } from '../batches/holds.ts';
import {
  endLead,
  goOn,
  hasReady,
  hasUnsent,
  type LeadEnd,
  type LeadStop,
  leadIs,
  leadOf,
  stopLead,
} from '../batches/lead.ts';
import type { Writing } from '../store/commit.ts';
import { type Fleet, stopEntry } from './fleet.ts';

interface LeadGround extends Writing {
  readonly fleet: Fleet | null;
  readonly requireHome: () => void;
  readonly isLed: () => boolean;
}

/** A worker's task: continue a batch, or write the result that its leader left out. `sends` is 1 if a row is ready. */
export interface DueBatch {
  readonly batch: string;
  readonly turn: number;
  readonly task: 'resume' | 'report';
  readonly sends: 0 | 1;
}

export function openLeads({ sql, commits, trail, fleet, requireHome, isLed }: LeadGround) {
  return {
    of: (batch: string) => leadOf(sql, batch),
    turns: (): ReadonlyMap<string, number> =>
      new Map(
        sql
          .all<{ batch: string; turn: number }>('SELECT batch, turn FROM lead')
          .map(({ batch, turn }) => [batch, turn]),
      ),
    goOn: async (batch: string, seen: number | null) => commits.alone(() => void goOn(sql, batch, seen)),
    /** Stops a batch that is not finished, for a person. Returns false if there was nothing to stop. */
    stop: async (batch: string, stop: LeadStop) =>
      await commits.whenFree(() => {
        requireHome();
        if (leadIs(sql, batch, `stands <> 'going' AND NOT ${hasUnsent}`)) return false;
        if (!stopLead(sql, batch, stop)) return false;
        trail.append(stopEntry(batch, stop));
        return true;
      }),
    /** Null for `end` leaves the batch to another process. A batch that was stopped already keeps its stop, and the trail gets no second one. */
    finish: async (batch: string, end: LeadEnd | null, why: Refusal | null) =>
      commits.alone(() => {
        const isNews = end === null || endLead(sql, batch, end);
        fleet?.shut(batch, { why: 'sent' });
        if (why !== null && isNews) trail.append(stopEntry(batch, { by: null, why }));
      }),
    hasUnsent: (batch: string) => leadIs(sql, batch, hasUnsent),
    owesResult: (batch: string) => leadIs(sql, batch, 'owes_result = 1'),
    resultWritten: async (batch: string) =>
      commits.alone(() => void sql.run('UPDATE lead SET owes_result = 0 WHERE batch = ?', batch)),

    /** Returns the batches of a service, key and user that need a worker now. Returns none while a process holds the ledger. */
    whenDue: (identity: string, now: number): readonly DueBatch[] => {
      if (isLed()) return [];
      const owes = "owes_result = 1 AND stands <> 'going'";
      return sql.all<DueBatch>(
        `SELECT lead.batch, turn, CASE WHEN ${owes} THEN 'report' ELSE 'resume' END AS task, ${hasReady} AS sends
         FROM lead JOIN batch b ON b.name = lead.batch
         WHERE b.identity = ? AND (${owes} OR NOT (${isOnHold('lead.batch')} AND ${hasUnsent})
           AND (stands = 'going' OR stands = 'until' AND at <= ? OR stands = 'idle' AND ${hasReady})) ORDER BY lead.batch`,
        identity,
        now,
      );
    },
  };
}
