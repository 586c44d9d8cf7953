/** The kill switch: while somebody's word stands, no intent is written of what it pauses. */
import { readEntry } from '../../audit/chain.ts';
import { PayrunError } from '../../base/errors.ts';
import { shellWord } from '../../base/words.ts';
import { toldAs } from '../rows/columns.ts';
import { elsewhereAt, homeNow } from '../store/relocation.ts';
import { whenFree } from '../store/retry-when-locked.ts';
import type { Writing } from '../store/unit-of-work.ts';

export interface Pause {
  /** Of its entry in the trail: by which somebody ends this one, and none that was given since. */
  readonly id: number;
  /** null: all of the ledger. */
  readonly batch: string | null;
  readonly reason: string;
  /** As the trail has it. */
  readonly by: string | null;
  readonly at: number;
  /** By Stop of the console, of which its Go on is the end. */
  readonly stop: boolean;
}

export interface Pausing {
  /** Nothing more of the batch is sent, or of any where it is null; what is under way ends. False where it was so already. */
  pause(batch: string | null, by: string | null, reason: string, how?: { readonly stop: boolean }): Promise<boolean>;
  /** Returns whether it was paused; `only`: by the pause with this id. */
  endPause(
    batch: string | null,
    by: string | null,
    how?: { readonly reason?: string; readonly only?: number },
  ): Promise<boolean>;
  /** Why nothing of the batch may be sent; null where it may. */
  pausedFor(batch: string): Promise<string | null>;
  /** That of all first. */
  pauses(): Promise<readonly Pause[]>;
}

export const isPaused = (batch: string) => `EXISTS (SELECT 1 FROM pause WHERE pause.batch IN ('', ${batch}))`;

export const pausedError = (batch: string, reason: string) =>
  new PayrunError('PAUSED', { batch: shellWord(batch), reason });

/** null: that of all. */
export const endOfPause = (batch: string | null, again: string) =>
  `payrun pause ${batch === null ? '' : `${shellWord(batch)} `}--end${again}`;

export const pauseOf = ({ sql }: Pick<Writing, 'sql'>, batch: string): string | null =>
  sql.one<{ reason: string }>("SELECT reason FROM pause WHERE batch IN ('', ?) ORDER BY batch LIMIT 1", batch)
    ?.reason ?? null;

/** `close`: within the pause's own transaction, ends the openings that it holds for. */
export function openPausing(
  { sql, commits, trail }: Writing,
  close: (batch: string | null, reason: string) => void,
): Pausing {
  /** Each with the entry that tells of it. */
  const pauses = (): Pause[] =>
    sql
      .all<{ batch: string; reason: string; id: number; entry: string }>(
        `SELECT pause.batch, pause.reason, told.seq AS id, told.entry FROM pause, LATERAL (
           SELECT seq, entry FROM trail WHERE ${toldAs('paused')} AND coalesce(json_extract(entry, '$[1]'), '') = pause.batch
           ORDER BY seq DESC LIMIT 1) told ORDER BY pause.batch`,
      )
      .map(({ batch, reason, id, entry }) => {
        const { at, data } = readEntry(entry);
        const by = typeof data.by === 'string' ? data.by : null;
        return { id, batch: batch === '' ? null : batch, reason, by, at, stop: data.stop === true };
      });

  /** Its copy may have been made while the pause waited for it, and would know nothing of that. */
  function refuseCopied(): void {
    const home = homeNow(sql);
    if (elsewhereAt(home) === null) return;
    throw new PayrunError('LEDGER_UNUSABLE', {
      path: 'that was to be paused',
      detail: `by now it is ${home}, and nothing is paused`,
    });
  }

  /** Who stops what is being sent is not turned away because it is being sent. */
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
