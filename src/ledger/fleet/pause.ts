/** Starts and ends people's pauses of one batch or of all batches. During a pause, Payrun writes no intent. */
import { readEntry } from '../../audit/chain.ts';
import { PayrunError } from '../../base/errors.ts';
import type { PauseReason } from '../../base/faults/fault.ts';
import type { RefusalFacts } from '../../base/refusal.ts';
import { isEntryOf } from '../rows/columns.ts';
import type { Sql } from '../store/sql.ts';
import type { Writing } from '../store/unit-of-work.ts';

export type { PauseReason };
/** A pause of the batch `paused`; of all batches if `paused` is null. */
export type PauseFound = Pick<RefusalFacts['PAUSED'], 'paused' | 'reason'>;

export const isPaused = (batch: string) => `EXISTS (SELECT 1 FROM pause WHERE pause.batch IN ('', ${batch}))`;

export const pausedError = (batch: string, { paused, reason }: PauseFound) =>
  new PayrunError('PAUSED', { batch, paused, reason });

/** Returns the pause that covers the batch; null if none does. The pause of all batches comes first. */
export function pauseOf({ sql }: Pick<Writing, 'sql'>, name: string): PauseFound | null {
  const [one] = sql.all<{ batch: string; reason: string }>(
    "SELECT batch, reason FROM pause WHERE batch IN ('', ?) ORDER BY batch LIMIT 1",
    name,
  );
  return one === undefined ? null : { paused: one.batch || null, reason: JSON.parse(one.reason) as PauseReason };
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
  close: (pause: PauseFound) => void,
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
        close({ paused: batch, reason });
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
