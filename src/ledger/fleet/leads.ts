/** Changes how a batch stands, together with the trail entry of the cause and the end of claims. */
import type { Rights } from '../../domain/sending/actor.ts';
import { type HoldEnd, pausedError } from '../batches/holds.ts';
import { endLead, goOn, hasUnsent, type LeadEnd, leadOf, stopLead, stopUnsent } from '../batches/lead.ts';
import type { Writing } from '../store/unit-of-work.ts';
import { type Fleet, refusalIn, type StopEntry } from './fleet.ts';

interface LeadGround extends Writing {
  readonly fleet: Fleet | null;
  readonly requireHome: () => void;
}

export interface RunEnd {
  /** Null leaves the batch as it stands, because another process continues it. */
  readonly lead: LeadEnd | null;
  readonly stop: StopEntry | null;
  readonly how: { readonly mayLeadOn: boolean; readonly keeps: boolean };
}

export function openLeads({ sql, commits, trail, fleet, requireHome }: LeadGround) {
  return {
    of: (batch: string) => leadOf(sql, batch),
    goOn: async (batch: string, rights: Pick<Rights, 'continuesStopped'>) =>
      commits.alone(() => void goOn(sql, batch, rights)),
    /** Stops a batch that is not finished, for a person. Returns false if there was nothing to stop. */
    stop: async (stop: StopEntry, by: string | null) =>
      await commits.whenFree(() => {
        const { batch, data } = stop;
        requireHome();
        const isOver = `stands IN ('idle', 'stopped') AND NOT ${hasUnsent}`;
        if (sql.one(`SELECT 1 FROM lead WHERE batch = ? AND NOT (${isOver})`, batch) === null) return false;
        const why = refusalIn(data);
        if (!stopLead(sql, batch, { by, why })) return false;
        fleet?.interrupt(batch, why);
        trail.append(stop);
        return true;
      }),
    /** Stops a batch with unsent rows for a hold; null stops all such batches. Call this in the transaction that stores the hold. */
    shut(batch: string | null, hold: HoldEnd) {
      fleet?.shut(batch, hold);
      for (const name of sql.column<string>('SELECT batch FROM lead WHERE batch = coalesce(?, batch)', batch))
        stopUnsent(sql, name, { by: null, why: 'code' in hold ? refusalIn(hold) : pausedError(name, hold).refusal });
    },
    finish: async (batch: string, { lead, stop, how }: RunEnd) =>
      commits.alone(() => {
        if (lead !== null) endLead(sql, batch, lead);
        if (fleet !== null) fleet.finish(batch, stop, how);
        else if (stop !== null) trail.append(stop);
      }),
  };
}
