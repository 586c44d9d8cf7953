/** The ledger's statements, each text prepared once, with SQLite's errors turned into readable ones. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../../base/errors.ts';
import { faultAtWork } from './faults.ts';
import type { SqlValue } from './sql-value.ts';

/** Takes the write lock of the ledger's file. BEGIN IMMEDIATE would lock the temporary tables too, which makes each commit slow. */
const lockLedger = 'DELETE FROM ledger WHERE 0';

export interface Sql {
  all<T>(text: string, ...values: SqlValue[]): T[];
  one<T>(text: string, ...values: SqlValue[]): T | null;
  /** Yields rows. Each call has its own statement, so several of one text may run. */
  each<T>(text: string, ...values: SqlValue[]): Iterable<T>;
  run(text: string, ...values: SqlValue[]): Changed;
  /** Changes one row in a transaction. Fails with these words when no row changed, at the latest at the commit. */
  change(otherwise: () => string, text: string, ...values: SqlValue[]): void;
  /** Runs once for each of the rows, in a transaction. `distinct` promises that no two are of one record. */
  many(text: string, rows: readonly (readonly SqlValue[])[], distinct?: 'distinct'): Changed;
  /** Runs several statements without values. */
  exec(text: string): void;
  transaction<T>(work: () => T): T;
  /** Does the same for temporary tables only, without the ledger's lock. */
  besideLedger<T>(work: () => T): T;
  /** Identifies the transaction that holds the ledger's lock; null outside. */
  turn(): object | null;
  /** Changes with each write of any process. */
  version(): number;
}

export interface Changed {
  readonly changes: number;
}

/** Opens the statements; `path` is for messages. */
export function openSql(db: DatabaseSync, path: string): Sql {
  // There are a few dozen texts, and some run for every row.
  const statements = new Map<string, StatementSync>();

  function prepared(text: string): StatementSync {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  }

  function told<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw faultAtWork(error, path);
    }
  }

  let turn: object | null = null;

  const run: Sql['run'] = (text, ...values) => told(() => ({ changes: Number(prepared(text).run(...values).changes) }));

  function within<T>(begin: string, end: string, work: () => T): T {
    run(begin);
    try {
      const value = work();
      run(end);
      return value;
    } catch (error) {
      // A full disk rolls back by itself, and a second rollback would hide the first error.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw faultAtWork(error, path);
    }
  }

  return {
    all: <T>(text: string, ...values: SqlValue[]) => told(() => prepared(text).all(...values) as T[]),
    one: <T>(text: string, ...values: SqlValue[]) =>
      told(() => (prepared(text).get(...values) as T | undefined) ?? null),
    *each<T>(text: string, ...values: SqlValue[]) {
      try {
        yield* db.prepare(text).iterate(...values) as Iterable<T>;
      } catch (error) {
        throw faultAtWork(error, path);
      }
    },
    run,
    change(otherwise, text, ...values) {
      if (run(text, ...values).changes !== 1) assert(false, otherwise());
    },
    many: (text, rows) =>
      told(() => {
        const statement = prepared(text);
        let changes = 0;
        for (const values of rows) changes += Number(statement.run(...values).changes);
        return { changes };
      }),
    exec: (text) => told(() => db.exec(text)),
    transaction: (work) =>
      within('BEGIN', 'COMMIT', () => {
        run(lockLedger);
        turn = {};
        try {
          return work();
        } finally {
          turn = null;
        }
      }),
    besideLedger: (work) => within('SAVEPOINT beside', 'RELEASE beside', work),
    turn: () => turn,
    version: () => (prepared('PRAGMA data_version').get() as { data_version: number }).data_version,
  };
}
