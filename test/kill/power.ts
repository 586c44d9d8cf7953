/**
 * What of the ledger's log is on the disk for certain, kept as SQLite promises it (sqlite.org/pragma.html#pragma_synchronous):
 * with `synchronous=FULL` all of it up to the last commit, with less nothing of it. Stands in for a power cut, which no
 * test can make: what is not yet certain then may be gone.
 */
import { statSync, writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const full = 2;

/** Writes how many bytes of the log are certain, after each commit. Begins before the product opens its ledger. */
export function watchPower(path: string): void {
  const asked = new WeakMap<DatabaseSync, StatementSync>();
  const owners = new WeakMap<StatementSync, DatabaseSync>();
  const prepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
    const made = prepare.apply(this, given);
    owners.set(made, this);
    return made;
  };

  function committed(db: DatabaseSync): void {
    const file = db.location() ?? '';
    if (!file.endsWith('ledger.db')) return;
    let ask = asked.get(db);
    if (ask === undefined) {
      ask = prepare.call(db, 'PRAGMA synchronous');
      asked.set(db, ask);
    }
    const { synchronous } = ask.get() as { synchronous: number };
    writeFileSync(path, String(synchronous >= full ? statSync(`${file}-wal`).size : 0));
  }

  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    exec.call(this, sql);
    if (sql === 'COMMIT') committed(this);
  };
  const methods = StatementSync.prototype as unknown as Record<'run', (...values: unknown[]) => unknown>;
  const { run } = methods;
  methods.run = function (this: StatementSync, ...values) {
    const answer = run.apply(this, values);
    const db = owners.get(this);
    if (db !== undefined && this.sourceSQL === 'COMMIT') committed(db);
    return answer;
  };
}

/** The ledger is opened as most programs would: a commit is not on the disk before it counts. */
export function withoutFull(): void {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    exec.call(this, sql.replace('synchronous=FULL', 'synchronous=NORMAL'));
  };
}
