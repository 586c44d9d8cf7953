/** The order of sheets and plans. Nothing of a batch is sent while the console has a plan that its sender has not read. */
import { PayrunError } from '../../base/errors.ts';
import { whenFree } from '../store/retry-when-locked.ts';
import type { Sql } from '../store/sql.ts';
import type { Writing } from '../store/unit-of-work.ts';

export interface Heeding {
  /** Later sending follows the console's plans that exist now. */
  heedPlans(batch: string): Promise<void>;
  /** The first call stores the place of a sheet that waits outside the ledger. */
  handedIn(what: string): Promise<Came>;
}

export interface Came {
  readonly turn: number;
  /** The newest sheet of any batch at that time; 0 if there was none. */
  readonly after: number;
}

interface Turns extends Heeding {
  /** Call it in the transaction that depends on it. Throws if a plan is newer than this process's last check. */
  requireHeeded(batch: string): void;
}

const newestOf = (sql: Sql, batch: string): number =>
  sql.one<{ turn: number | null }>('SELECT max(turn) AS turn FROM turn WHERE batch = ?', batch)?.turn ?? 0;

export function openTurns({ sql, commits }: Pick<Writing, 'sql' | 'commits'>): Turns {
  const heeded = new Map<string, number>();
  return {
    async heedPlans(batch) {
      heeded.set(batch, newestOf(sql, batch));
    },
    requireHeeded(batch) {
      if (newestOf(sql, batch) > (heeded.get(batch) ?? 0)) throw plannedSince(batch);
    },
    async handedIn(what) {
      const known = () =>
        sql.one<Came>('SELECT turn, after_sheet AS after FROM turn WHERE batch IS NULL AND what = ?', what);
      const take = () => {
        if (known() === null) takeTurn(sql, null, what);
        return known()!;
      };
      return known() ?? (await whenFree(() => commits.alone(take)));
    },
  };
}

export const plannedSince = (batch: string) => new PayrunError('PLANNED_SINCE', { batch });

export const nextTurn = (sql: Sql): number =>
  (sql.one<{ turn: number | null }>(
    `SELECT max(turn) AS turn FROM (SELECT max(turn) AS turn FROM turn
     UNION ALL SELECT max(CAST(json_extract(options, '$.turn') AS BIGINT)) FROM sheet) came`,
  )?.turn ?? 0) + 1;

/** Call it in the transaction that makes the plan. Null: the sheet is no plan. */
export function takeTurn(sql: Sql, batch: string | null, what: string): void {
  const turn = nextTurn(sql);
  const after = sql.one<{ id: number | null }>('SELECT max(id) AS id FROM sheet')?.id ?? 0;
  sql.run('INSERT INTO turn (turn, batch, what, after_sheet) VALUES (?,?,?,?)', turn, batch, what, after);
}

/** Later plans have higher numbers. Null if the console made no such plan. */
export const turnOf = (sql: Sql, batch: string, what: string): number | null =>
  sql.one<{ turn: number | null }>('SELECT max(turn) AS turn FROM turn WHERE batch = ? AND what = ?', batch, what)
    ?.turn ?? null;
