/** In which order plans were made at the console: nothing is sent of a batch for which there is one that its sender has not looked at. */
import { PayrunError } from '../base/errors.ts';
import type { Sql } from './sql.ts';

export interface Heeding {
  /** What is sent of the batch from now on goes by the plans at the console that are there now; the newest one's turn, 0 where none was. */
  heedPlans(batch: string): Promise<number>;
}

interface Turns extends Heeding {
  /** In the transaction of what depends on it. Throws where a plan was made since this process looked. */
  requireHeeded(batch: string): void;
}

const turnOf = (sql: Sql, batch: string) =>
  sql.one<{ turn: number | null }>('SELECT max(turn) AS turn FROM waiting_plan WHERE batch = ?', batch)?.turn ?? 0;

export function openTurns({ sql }: { readonly sql: Sql }): Turns {
  const heeded = new Map<string, number>();
  return {
    async heedPlans(batch) {
      const turn = turnOf(sql, batch);
      heeded.set(batch, turn);
      return turn;
    },
    requireHeeded(batch) {
      if (turnOf(sql, batch) > (heeded.get(batch) ?? 0)) throw plannedSince(batch);
    },
  };
}

export const plannedSince = (batch: string) => new PayrunError('PLANNED_SINCE', { batch });

/** Within the transaction that makes it: senders find it at their next intent. */
export function takeTurn(sql: Sql, upload: string, batch: string): void {
  sql.run(
    `INSERT INTO waiting_plan (upload, batch, turn) SELECT CAST(? AS TEXT), CAST(? AS TEXT), coalesce(max(turn), 0) + 1 FROM waiting_plan WHERE TRUE
     ON CONFLICT (upload) DO UPDATE SET batch = excluded.batch, turn = excluded.turn`,
    upload,
    batch,
  );
}
