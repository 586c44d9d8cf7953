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

const newestTurn = (sql: Sql, batch: string): number =>
  sql.one<{ turn: number | null }>('SELECT max(turn) AS turn FROM plan_turn WHERE batch = ?', batch)?.turn ?? 0;

export function openTurns({ sql }: { readonly sql: Sql }): Turns {
  const heeded = new Map<string, number>();
  return {
    async heedPlans(batch) {
      const turn = newestTurn(sql, batch);
      heeded.set(batch, turn);
      return turn;
    },
    requireHeeded(batch) {
      if (newestTurn(sql, batch) > (heeded.get(batch) ?? 0)) throw plannedSince(batch);
    },
  };
}

export const plannedSince = (batch: string) => new PayrunError('PLANNED_SINCE', { batch });

/** Within the transaction that makes it: senders find it at their next intent. */
export function takeTurn(sql: Sql, batch: string, digest: string): void {
  sql.run('INSERT INTO plan_turn (turn, batch, digest) VALUES (?,?,?)', newestTurn(sql, batch) + 1, batch, digest);
}

/** The later a plan was made, the higher; null where it is none of the console. */
export const turnOf = (sql: Sql, batch: string, digest: string): number | null =>
  sql.one<{ turn: number | null }>(
    'SELECT max(turn) AS turn FROM plan_turn WHERE batch = ? AND digest = ?',
    batch,
    digest,
  )?.turn ?? null;
