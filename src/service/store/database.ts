/** Opens the database of the service: SQLite in its folder, or Postgres by URL. */
import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { PayrunError } from '../../base/errors.ts';
import { forKysely, openSqlite } from '../../base/sqlite.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { makeTables, postgresSchema } from './schema.ts';
import type { Tables } from './tables.ts';

export interface StorePlace {
  /** The folder of the data. It also has the SQLite file, unless `database` is set. */
  readonly dataDir: string;
  /** A `postgres://…` URL. Several nodes may use it, and they then share one data folder. */
  readonly database?: string;
}

export async function openDatabase(place: StorePlace): Promise<Kysely<Tables>> {
  const { database } = place;
  const db = database === undefined ? overSqlite(place.dataDir) : await overPostgres(database);
  try {
    await makeTables(db, database === undefined ? 'sqlite' : 'postgres');
  } catch (error) {
    await db.destroy();
    throw database === undefined ? error : unusable(database, error);
  }
  return db;
}

function overSqlite(dataDir: string): Kysely<Tables> {
  const sqlite = forKysely(openSqlite(join(dataDir, 'service.db')));
  // Keeps prepared statements. Kysely would prepare each one again, which costs more than running it.
  const prepared = new Map<string, ReturnType<typeof sqlite.prepare>>();
  const prepare: typeof sqlite.prepare = (text) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = sqlite.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  return new Kysely({ dialect: new SqliteDialect({ database: { ...sqlite, prepare } }) });
}

/** The type of amounts and times (int8). A JavaScript number holds all of our values exactly. */
const int8 = 20;

async function overPostgres(database: string): Promise<Kysely<Tables>> {
  // Loads the library for Postgres only, so that a run on SQLite starts faster.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: database,
    options: `-c search_path=${postgresSchema}`,
    statement_timeout: 5000,
    connectionTimeoutMillis: 5000,
    max: 20,
    types: { getTypeParser: (type, format) => (type === int8 ? Number : pg.types.getTypeParser(type, format)) },
  });
  // The pool replaces a broken idle connection. Without this handler, the error event would end the process.
  pool.on('error', () => {});
  // A connection may break in a transaction. The next statement then fails and reports it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Returns an error without the URL, which may hold a password. */
function unusable(database: string, error: unknown): PayrunError {
  const { host, pathname } = new URL(database);
  // For a host with several addresses, this error has one error for each address, and no message of its own.
  const detail = error instanceof AggregateError ? error.errors.map(wordsOf).join('; ') : wordsOf(error);
  return new PayrunError('SERVICE_DATABASE_UNUSABLE', { database: `${host}${pathname}`, detail }, { cause: error });
}
