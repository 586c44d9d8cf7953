/** Opens the service's database: SQLite, or Postgres if a URL is given. */
import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { PayrunError, systemFault } from '../../base/errors.ts';
import { forKysely, openSqlite } from '../../base/sqlite.ts';
import { makeTables, postgresSchema } from './schema.ts';
import type { Tables } from './tables.ts';

export interface StorePlace {
  /** The folder of the secret file `pepper`, the documents, and (if `database` is not set) the SQLite file. */
  readonly dataDir: string;
  /** A URL such as `postgres://…`. Nodes that use the same database must also use the same data folder. */
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
  // Keeps prepared statements, because preparing one takes longer than running it, and Kysely keeps none.
  const prepared = new Map<string, ReturnType<typeof sqlite.prepare>>();
  const prepare: typeof sqlite.prepare = (text) => {
    const kept = prepared.get(text);
    if (kept !== undefined) return kept;
    const statement = sqlite.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return new Kysely({ dialect: new SqliteDialect({ database: { ...sqlite, prepare } }) });
}

/** The id of the Postgres type int8. The service reads int8 values as numbers, because none is too large. */
const int8 = 20;

async function overPostgres(database: string): Promise<Kysely<Tables>> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: database,
    options: `-c search_path=${postgresSchema}`,
    statement_timeout: 5000,
    connectionTimeoutMillis: 5000,
    max: 20,
    types: { getTypeParser: (type, format) => (type === int8 ? Number : pg.types.getTypeParser(type, format)) },
  });
  // An error event without a listener ends the process. The pool itself replaces a broken idle connection.
  pool.on('error', () => {});
  // Ignores errors of a connection in use, because the next statement reports the error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Names only the host and the database, because the URL may contain a password. */
function unusable(database: string, error: unknown): PayrunError {
  const { host, pathname } = new URL(database);
  const facts = { database: `${host}${pathname}`, why: systemFault(error) };
  return new PayrunError('SERVICE_DATABASE_UNUSABLE', facts, { cause: error });
}
