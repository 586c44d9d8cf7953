/** Opens the database of the service: SQLite in its folder, or Postgres by URL. */
import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { PayrunError, wordsOf } from '../../base/errors.ts';
import { forKysely, openSqlite } from '../../base/sqlite.ts';
import { makeTables, postgresSchema } from './schema.ts';
import type { Tables } from './tables.ts';

/** The place of the service's data. */
export interface StorePlace {
  /** Always has the pepper and the documents, and the SQLite file unless there is a URL. */
  readonly dataDir: string;
  /** `postgres://…`: several nodes may run on it, and share one data folder. */
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
  // Preparing a statement costs more than running it; Kysely prepares each time, and there are few statements.
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

/** Postgres's int8: our amounts and times, all of them whole numbers that JavaScript holds exactly. */
const int8 = 20;

async function overPostgres(database: string): Promise<Kysely<Tables>> {
  // Loaded only for Postgres: a run on SQLite starts faster without it.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: database,
    options: `-c search_path=${postgresSchema}`,
    statement_timeout: 5000,
    connectionTimeoutMillis: 5000,
    max: 20,
    types: { getTypeParser: (type, format) => (type === int8 ? Number : pg.types.getTypeParser(type, format)) },
  });
  // The pool replaces an idle connection that ends. An unhandled error event would end the process.
  pool.on('error', () => {});
  // A connection that ends within a transaction fails the next statement, which reports it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Returns an error without the URL, which may hold a password. */
function unusable(database: string, error: unknown): PayrunError {
  const { host, pathname } = new URL(database);
  // A host with several addresses fails with one error for each, and no message of its own.
  const words = error instanceof AggregateError ? error.errors.map(wordsOf).join('; ') : wordsOf(error);
  const detail = `The service's database at ${host}${pathname} cannot be used: ${words}.`;
  return new PayrunError('CONFIG', { detail }, { cause: error });
}
