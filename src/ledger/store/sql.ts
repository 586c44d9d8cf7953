/** The interface for SQL statements, and its implementation on SQLite. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../../base/errors.ts';
import { faultAtWork } from './faults.ts';

/** Takes only the ledger's write lock. BEGIN IMMEDIATE would also lock temporary tables, and slow each commit. */
const lockLedger = 'DELETE FROM ledger WHERE 0';

export type SqlValue = string | number | bigint | null;

export interface Sql {
  all<T>(text: string, ...values: SqlValue[]): readonly T[];
  one<T>(text: string, ...values: SqlValue[]): T | null;
  /** Returns the first value of each row. */
  column<T>(text: string, ...values: SqlValue[]): readonly T[];
  /** Returns the first value of the first row. Null also if there is no row. */
  value<T>(text: string, ...values: SqlValue[]): T | null;
  /** Each call has its own statement, so two loops over the same text do not disturb each other. */
  each<T>(text: string, ...values: SqlValue[]): Iterable<T>;
  run(text: string, ...values: SqlValue[]): Changed;
  /** Runs a statement that must change exactly one row. If not, throws with the given text, perhaps at the commit. */
  change(otherwise: () => string, text: string, ...values: SqlValue[]): void;
  /** Runs a statement for many rows. `distinct` promises that no two rows have the same key. */
  many(text: string, rows: readonly (readonly SqlValue[])[], distinct?: 'distinct'): Changed;
  exec(text: string): void;
  transaction<T>(work: () => T): T;
  /** Runs work that changes temporary tables only, so it needs no lock on the ledger. */
  besideLedger<T>(work: () => T): T;
  /** Returns an object that identifies the present transaction; null outside a transaction. */
  turn(): object | null;
  /** Returns a number that changes after a write by another process. */
  version(): number;
}

export interface Changed {
  readonly changes: number;
}

export function openSql(db: DatabaseSync, path: string): Sql {
  const statements = new Map<string, StatementSync>();

  function prepared(text: string): StatementSync {
    // SQLite plans a statement again for each value of a plain limit.
    const statement = statements.get(text) ?? db.prepare(text.replaceAll('LIMIT ?', 'LIMIT +?'));
    statements.set(text, statement);
    return statement;
  }

  function wrap<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw faultAtWork(error, path);
    }
  }

  let turn: object | null = null;

  const run: Sql['run'] = (text, ...values) => wrap(() => ({ changes: Number(prepared(text).run(...values).changes) }));

  const all = <T>(text: string, ...values: SqlValue[]) => wrap(() => prepared(text).all(...values) as T[]);

  const one = <T>(text: string, ...values: SqlValue[]) =>
    wrap(() => (prepared(text).get(...values) as T | undefined) ?? null);

  function within<T>(begin: string, end: string, work: () => T): T {
    run(begin);
    try {
      const value = work();
      run(end);
      return value;
    } catch (error) {
      // SQLite may have rolled back already, as on a full disk. A second rollback would then hide the first error.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw faultAtWork(error, path);
    }
  }

  return {
    all,
    one,
    column: <T>(text: string, ...values: SqlValue[]) =>
      all<Record<string, T>>(text, ...values).map((row) => Object.values(row)[0] as T),
    value: <T>(text: string, ...values: SqlValue[]) =>
      (Object.values(one<Record<string, T>>(text, ...values) ?? {})[0] ?? null) as T | null,
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
      wrap(() => {
        const statement = prepared(text);
        let changes = 0;
        for (const values of rows) changes += Number(statement.run(...values).changes);
        return { changes };
      }),
    exec: (text) => wrap(() => db.exec(text)),
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
