/**
 * Keeps ledgers in memory, with their prepared statements. A story has many short processes: to open a file and prepare
 * the statements for each of them costs more than all else. The kills test ledgers on the disk.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openSql } from '../../src/ledger/store/sql.ts';
import { prepareTables, sqliteFaults } from '../../src/ledger/store/sqlite/schema.ts';
import type { Store } from '../../src/ledger/store/store.ts';

interface Kept {
  readonly db: DatabaseSync;
  /** The statements that no open store uses, by their text. */
  readonly free: Map<string, StatementSync[]>;
  readonly readId: StatementSync;
  readonly emptyTables: readonly StatementSync[];
  readonly emptyDrafts: readonly StatementSync[];
  path: string | null;
  isLocked: boolean;
  /** How many stores are open. They share the temporary tables, so the last one empties them. */
  open: number;
}

/** The kept ledgers of all stories. A story takes one for each of its ledgers. */
const all: Kept[] = [];

function newKept(copy: Uint8Array | null = null): Kept {
  const db = new DatabaseSync(':memory:');
  if (copy !== null) db.deserialize(copy);
  prepareTables(db, ':memory:', false);
  const kept: Kept = {
    db,
    free: new Map(),
    readId: db.prepare('SELECT id FROM ledger'),
    emptyTables: emptying(db, 'main'),
    emptyDrafts: emptying(db, 'temp'),
    path: null,
    isLocked: false,
    open: 0,
  };
  all.push(kept);
  return kept;
}

function emptying(db: DatabaseSync, schema: 'main' | 'temp'): readonly StatementSync[] {
  const tables = db.prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table'`).all() as {
    name: string;
  }[];
  return tables
    .filter(({ name }) => name !== 'ledger' && !name.startsWith('sqlite_'))
    .map(({ name }) => db.prepare(`DELETE FROM ${schema}.${name}`));
}

const find = (path: string): Kept | undefined => all.find((one) => one.path === path);
export const isKept = (path: string): boolean => find(path) !== undefined;

function keptAt(path: string): Kept {
  const known = find(path);
  if (known !== undefined) return known;
  const kept = all.find((one) => one.path === null) ?? newKept();
  for (const statement of kept.emptyTables) statement.run();
  kept.db.exec('UPDATE ledger SET id = lower(hex(randomblob(8))), home = NULL');
  kept.path = path;
  return kept;
}

/** Forgets the ledgers of a folder. The next story may have them. */
export function forgetLedgers(folder: string): void {
  for (const kept of all) if (kept.path?.startsWith(folder)) kept.path = null;
}

/** Returns the bytes of a ledger; null if the path has none. */
export const copyKept = (path: string): Uint8Array | null => find(path)?.db.serialize() ?? null;

/** Puts a copy in the place of the ledger. */
export function restoreKept(path: string, copy: Uint8Array): void {
  forgetLedgers(path);
  newKept(copy).path = path;
}

/** The ledger's database, past the product. */
export const databaseAt = (path: string): DatabaseSync => keptAt(path).db;

/** Opens the ledger of a path. A closed store fails as a closed file does, so a dead process can do no more. */
export function openMemoryStore(path: string | null): Store {
  const where = path!;
  const kept = keptAt(where);
  const { db, id } = openDatabase(kept);
  let holds = false;
  return {
    sql: openSql(db, where),
    where,
    place: where,
    id,
    hold() {
      if (kept.isLocked && !holds) throw new Error('two processes of a story send at once');
      kept.isLocked = true;
      holds = true;
    },
    isHeld: () => kept.isLocked,
    holdConsole: () => ({ release: () => {} }),
    requireRoom: () => {},
    renumber: () => {},
    faults: () => sqliteFaults(kept.db),
    async close() {
      if (holds) kept.isLocked = false;
      holds = false;
      db.close();
    },
  };
}

function openDatabase(kept: Kept): { readonly db: DatabaseSync; readonly id: string } {
  const { db, free } = kept;
  kept.open += 1;
  const used: (readonly [string, StatementSync])[] = [];
  const loops: { return?: () => unknown }[] = [];
  let isOpen = true;
  const whileOpen = <T>(work: () => T): T => {
    if (!isOpen) throw new Error('database is not open');
    return work();
  };
  function prepare(text: string) {
    const statement = whileOpen(() => free.get(text)?.pop() ?? db.prepare(text));
    used.push([text, statement]);
    return {
      all: (...values: never[]) => whileOpen(() => statement.all(...values)),
      get: (...values: never[]) => whileOpen(() => statement.get(...values)),
      run: (...values: never[]) => whileOpen(() => statement.run(...values)),
      iterate(...values: never[]) {
        const loop = whileOpen(() => statement.iterate(...values));
        loops.push(loop);
        return loop;
      },
    };
  }
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    for (const loop of loops) loop.return?.();
    if (db.isTransaction) db.exec('ROLLBACK');
    for (const [text, statement] of used) {
      const others = free.get(text);
      if (others === undefined) free.set(text, [statement]);
      else others.push(statement);
    }
    kept.open -= 1;
    if (kept.open === 0) for (const statement of kept.emptyDrafts) statement.run();
  }
  const facade = {
    prepare,
    close,
    exec: (text: string) => whileOpen(() => db.exec(text)),
    get isTransaction() {
      return isOpen && db.isTransaction;
    },
  };
  const { id } = kept.readId.get() as { id: string };
  return { db: facade as unknown as DatabaseSync, id };
}
