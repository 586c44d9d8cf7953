/** The ledger's statements: each text is prepared once, and what SQLite reports becomes an error that a person understands. */
import type { DatabaseSync, SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { faultAtWork } from './faults.ts';

/**
 * Takes the write lock of the ledger's own file. BEGIN IMMEDIATE would also begin to write the temporary tables, and each commit would
 * then visit every page of a checked sheet.
 */
const lockLedger = 'DELETE FROM ledger WHERE 0';

export interface Sql {
  all<T>(text: string, ...values: SQLInputValue[]): T[];
  one<T>(text: string, ...values: SQLInputValue[]): T | null;
  /** Row by row, with a statement of its own: several of one text may be under way. */
  each<T>(text: string, ...values: SQLInputValue[]): Iterable<T>;
  run(text: string, ...values: SQLInputValue[]): StatementResultingChanges;
  /** For what is done for every row within a transaction, which tells its failures. */
  prepared(text: string): StatementSync;
  /** Several statements, without values. */
  exec(text: string): void;
  /** All or nothing. */
  transaction<T>(work: () => T): T;
  /** The same where only temporary tables are written: it takes no lock on the ledger. */
  besideLedger<T>(work: () => T): T;
}

/** `path`: the ledger's, for people. */
export function openSql(db: DatabaseSync, path: string): Sql {
  // There are a few dozen texts, and some are asked for every row.
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

  const run: Sql['run'] = (text, ...values) => told(() => prepared(text).run(...values));

  function within<T>(begin: string, end: string, work: () => T): T {
    run(begin);
    try {
      const value = work();
      run(end);
      return value;
    } catch (error) {
      // A full disk rolls back by itself; a second rollback would hide the first error.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw faultAtWork(error, path);
    }
  }

  return {
    all: <T>(text: string, ...values: SQLInputValue[]) => told(() => prepared(text).all(...values) as T[]),
    one: <T>(text: string, ...values: SQLInputValue[]) =>
      told(() => (prepared(text).get(...values) as T | undefined) ?? null),
    *each<T>(text: string, ...values: SQLInputValue[]) {
      try {
        yield* db.prepare(text).iterate(...values) as Iterable<T>;
      } catch (error) {
        throw faultAtWork(error, path);
      }
    },
    run,
    prepared: (text) => told(() => prepared(text)),
    exec: (text) => told(() => db.exec(text)),
    transaction: (work) =>
      within('BEGIN', 'COMMIT', () => {
        run(lockLedger);
        return work();
      }),
    besideLedger: (work) => within('SAVEPOINT beside', 'RELEASE beside', work),
  };
}
