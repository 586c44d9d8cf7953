/** Starts and ends people's pauses of one batch or of all batches. During a pause, Payrun writes no intent. */
import { readEntry } from '../../audit/chain.ts';
import { PayrunError } from '../../base/errors.ts';
import type { PauseReason } from '../../base/faults/fault.ts';
import { isEntryOf } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';
import type { Writing } from '../store/unit-of-work.ts';

export type { PauseReason };

export const isPaused = (batch: string) => `EXISTS (SELECT 1 FROM pause WHERE pause.batch IN ('', ${batch}))`;

export const pausedError = (batch: string, reason: PauseReason) => new PayrunError('PAUSED', { batch, reason });

/** Returns the reason of the pause that covers the batch; null if none does. */
export function pauseOf({ sql }: Pick<Writing, 'sql'>, batch: string): PauseReason | null {
  const reason = sql.value<string>("SELECT reason FROM pause WHERE batch IN ('', ?) ORDER BY batch LIMIT 1", batch);
  return reason === null ? null : (JSON.parse(reason) as PauseReason);
}

const pausesIn = (sql: Sql) =>
  sql
    .all<{ batch: string; reason: string; id: number; entry: string }>(
      `SELECT pause.batch, pause.reason, told.seq AS id, told.entry FROM pause, LATERAL (
         SELECT seq, entry FROM trail WHERE ${isEntryOf('paused')} AND coalesce(json_extract(entry, '$[1]'), '') = pause.batch
         ORDER BY seq DESC LIMIT 1) told ORDER BY pause.batch`,
    )
    .map(({ batch, reason, id, entry }) => {
      const { at, data } = readEntry(entry);
      const by = typeof data.by === 'string' ? data.by : null;
      /** `id` is the number of the pause's trail entry. A person who ends the pause with this id cannot end a later pause. */
      return { id, batch: batch === '' ? null : batch, reason: JSON.parse(reason) as PauseReason, by, at };
    });

export function openPausing(
  { sql, commits, trail, requireHome }: Omit<Writing, 'clock'> & { readonly requireHome: () => void },
  close: (batch: string | null, reason: PauseReason) => void,
) {
  return {
    /** Null for `batch` pauses all batches. Payments under way continue. Returns false if the pause was already there. */
    pause: async (batch: string | null, by: string | null, reason: PauseReason) =>
      await commits.whenFree(() => {
        // The ledger may have been copied while this pause waited for the lock. The copy would not be paused.
        requireHome();
        const { changes } = sql.run(
          'INSERT INTO pause VALUES (?, ?) ON CONFLICT (batch) DO NOTHING',
          batch ?? '',
          JSON.stringify(reason),
        );
        if (changes === 0) return false;
        close(batch, reason);
        trail.append({ batch, what: 'paused', data: { by, reason } });
        return true;
      }),
    /** Ends the pause of `batch` (null: of all batches). With `only`, ends the pause only if its id is `only`. */
    endPause: async (
      batch: string | null,
      by: string | null,
      { reason, only }: { readonly reason?: string; readonly only?: number } = {},
    ) =>
      await commits.whenFree(() => {
        const one = pausesIn(sql).find((pause) => pause.batch === batch);
        if (one === undefined || (only !== undefined && one.id !== only)) return false;
        sql.run('DELETE FROM pause WHERE batch = ?', batch ?? '');
        const data = { by, ...(reason === undefined ? {} : { reason }) };
        trail.append({ batch, what: 'pause ended', data });
        return true;
      }),
    pausedFor: async (batch: string) => pauseOf({ sql }, batch),
    /** Returns the pauses that cover the batch; null for all pauses. */
    pauses: async (name: string | null) =>
      pausesIn(sql).filter(({ batch }) => name === null || batch === null || batch === name),
  };
}
