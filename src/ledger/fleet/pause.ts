/** Starts and ends people's pauses of one batch or of all batches. During a pause, Payrun writes no intent. */
import { readEntry } from '../../audit/chain.ts';
import { PayrunError } from '../../base/errors.ts';
import { shellWord } from '../../base/words.ts';
import { isEntryOf } from '../rows/columns.ts';
import { elsewhereAt, homeNow } from '../store/relocation.ts';
import { whenFree } from '../store/retry-when-locked.ts';
import type { Writing } from '../store/unit-of-work.ts';

export interface Pause {
  /** The number of the pause's trail entry. A person who ends the pause with this id cannot end a later pause. */
  readonly id: number;
  readonly batch: string | null;
  readonly reason: string;
  readonly by: string | null;
  readonly at: number;
  /** True if the Stop button of the console made the pause. The Continue button then ends the pause. */
  readonly stop: boolean;
}

export interface Pausing {
  /** Null for `batch` pauses all batches. Payments under way continue. Returns false if the pause was already there. */
  pause(batch: string | null, by: string | null, reason: string, how?: { readonly stop: boolean }): Promise<boolean>;
  /** Ends the pause of `batch` (null: of all batches). With `only`, ends the pause only if its id is `only`. */
  endPause(
    batch: string | null,
    by: string | null,
    how?: { readonly reason?: string; readonly only?: number },
  ): Promise<boolean>;
  pausedFor(batch: string): Promise<string | null>;
  pauses(): Promise<readonly Pause[]>;
}

export const isPaused = (batch: string) => `EXISTS (SELECT 1 FROM pause WHERE pause.batch IN ('', ${batch}))`;

export const pausedError = (batch: string, reason: string) =>
  new PayrunError('PAUSED', { batch: shellWord(batch), reason });

export const pauseOf = ({ sql }: Pick<Writing, 'sql'>, batch: string): string | null =>
  sql.one<{ reason: string }>("SELECT reason FROM pause WHERE batch IN ('', ?) ORDER BY batch LIMIT 1", batch)
    ?.reason ?? null;

export function openPausing(
  { sql, commits, trail }: Writing,
  close: (batch: string | null, reason: string) => void,
): Pausing {
  const pauses = (): Pause[] =>
    sql
      .all<{ batch: string; reason: string; id: number; entry: string }>(
        `SELECT pause.batch, pause.reason, told.seq AS id, told.entry FROM pause, LATERAL (
           SELECT seq, entry FROM trail WHERE ${isEntryOf('paused')} AND coalesce(json_extract(entry, '$[1]'), '') = pause.batch
           ORDER BY seq DESC LIMIT 1) told ORDER BY pause.batch`,
      )
      .map(({ batch, reason, id, entry }) => {
        const { at, data } = readEntry(entry);
        const by = typeof data.by === 'string' ? data.by : null;
        return { id, batch: batch === '' ? null : batch, reason, by, at, stop: data.stop === true };
      });

  /** Throws if the ledger was copied while this pause waited for the lock, because the copy would not be paused. */
  function refuseCopied(): void {
    const home = homeNow(sql);
    if (elsewhereAt(home) === null) return;
    throw new PayrunError('PAUSED_LEDGER_WAS_COPIED', { home: home ?? '' });
  }

  const alone = async <T>(work: () => T): Promise<T> => await whenFree(() => commits.alone(work));

  return {
    pause: async (batch, by, reason, { stop } = { stop: false }) =>
      await alone(() => {
        refuseCopied();
        const { changes } = sql.run(
          'INSERT INTO pause VALUES (?, ?) ON CONFLICT (batch) DO NOTHING',
          batch ?? '',
          reason,
        );
        if (changes === 0) return false;
        close(batch, reason);
        trail.append({ batch, row: null, what: 'paused', data: { by, reason, ...(stop ? { stop } : {}) } });
        return true;
      }),
    endPause: async (batch, by, { reason, only } = {}) =>
      await alone(() => {
        const one = pauses().find((pause) => pause.batch === batch);
        if (one === undefined || (only !== undefined && one.id !== only)) return false;
        sql.run('DELETE FROM pause WHERE batch = ?', batch ?? '');
        const data = { by, ...(reason === undefined ? {} : { reason }) };
        trail.append({ batch, row: null, what: 'pause ended', data });
        return true;
      }),
    pausedFor: async (batch) => pauseOf({ sql }, batch),
    pauses: async () => pauses(),
  };
}
