/** Opens the database of the service: SQLite in its folder, or Postgres by URL. */
import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { PayrunError, wordsOf } from '../../base/errors.ts';
import { forKysely, openSqlite } from '../../base/sqlite.ts';
import { migrate, postgresSchema } from './migrations.ts';
import type { Tables } from './tables.ts';

/** Where the service's data is. */
export interface StorePlace {
  /** Holds the SQLite file, unless there is a URL; and the pepper and the documents, always. */
  readonly dataDir: string;
  /** `postgres://…`: several nodes may run on it, on one data folder that they share. */
  readonly database?: string;
}

export async function openDatabase(place: StorePlace): Promise<Kysely<Tables>> {
  const { database } = place;
  const db = database === undefined ? overSqlite(place.dataDir) : await overPostgres(database);
  try {
    await migrate(db, database === undefined ? 'sqlite' : 'postgres');
  } catch (error) {
    await db.destroy();
    throw database === undefined ? error : unusable(database, error);
  }
  return db;
}

function overSqlite(dataDir: string): Kysely<Tables> {
  const sqlite = forKysely(openSqlite(join(dataDir, 'service.db')));
  // Preparing a statement costs more than running it; Kysely prepares each time, and there are few different ones.
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

/** What Postgres calls int8: our amounts and times, all of which are whole numbers that JavaScript holds exactly. */
const int8 = 20;

async function overPostgres(database: string): Promise<Kysely<Tables>> {
  // Only where it is wanted: SQLite needs none of it, and a run starts faster without.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: database,
    options: `-c search_path=${postgresSchema}`,
    statement_timeout: 5000,
    connectionTimeoutMillis: 5000,
    max: 20,
    types: { getTypeParser: (type, format) => (type === int8 ? Number : pg.types.getTypeParser(type, format)) },
  });
  // A connection that ends while nobody uses it harms nobody: the pool opens another. Unheard it would end the process.
  pool.on('error', () => {});
  // Nor one that ends between two statements of a transaction, whose next one fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Never the URL as it was given: it may hold a password. */
function unusable(database: string, error: unknown): PayrunError {
  const { host, pathname } = new URL(database);
  // A host with several addresses fails with one error for each, and words for none.
  const words = error instanceof AggregateError ? error.errors.map(wordsOf).join('; ') : wordsOf(error);
  const detail = `The service's database at ${host}${pathname} cannot be used: ${words}.`;
  return new PayrunError('CONFIG', { detail }, { cause: error });
}
