/** The ledger on Postgres: a schema of its own, one connection for each process, and a server that keeps what it says is written. */
import { hostname } from 'node:os';
import type { Clock } from '../../../base/clock.ts';
import { timeWords } from '../../../base/clock.ts';
import { sha256 } from '../../../base/digest.ts';
import { PayrunError } from '../../../base/errors.ts';
import { busyWith, faultAtStart, isTaken } from '../faults.ts';
import type { Sql } from '../sql.ts';
import { otherConsole } from '../sqlite/lock.ts';
import type { OpenOptions, Store } from '../store.ts';
import { openLink } from './link.ts';
import { postgresFaults, preparePostgres, renumber } from './schema.ts';
import { openPostgresSql } from './statements.ts';

/** JSON_ARRAY, and subqueries without a name of their own. */
const oldestServer = 16;
const defaultSchema = 'payrun';
const defaultPatienceMs = 5000;

export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
}

export interface PostgresAddress {
  /** Without its password, for people too. */
  readonly address: string;
  readonly password: string | null;
  readonly schema: string;
}

/** What an address may say beside the place: the schema, and how the server is reached. */
const parameters = ['schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'options'];

/** `?schema=` names the ledger in its database. */
export function readPostgres(given: string): PostgresAddress {
  // The text as it was given is never told: it may hold a password.
  if (!URL.canParse(given))
    throw new PayrunError('USAGE', { detail: 'the ledger is no address such as postgres://user@host/database' });
  const url = new URL(given);
  const other = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (other !== undefined)
    throw new PayrunError('USAGE', {
      detail: `the ledger's address says ${other}, and may say ${parameters.join(', ')} alone`,
    });
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw new PayrunError('USAGE', {
      detail: `the ledger's schema '${schema}' is no name of small letters and digits`,
    });
  const password = url.password === '' ? null : decodeURIComponent(url.password);
  url.password = '';
  return { address: url.href, password, schema };
}

/** As the driver takes it. */
export function driverAddress(address: string, password: string | null): string {
  const url = new URL(address);
  url.searchParams.delete('schema');
  if (password !== null) url.password = encodeURIComponent(password);
  return url.href;
}

export function openPostgres(
  given: string,
  clock: Clock,
  { readOnly, existing, password, backoffMs = defaultPatienceMs }: OpenOptions,
): Store {
  const { address: shown, schema, ...said } = readPostgres(given);
  const address = driverAddress(shown, password ?? said.password);
  try {
    // The server keeps no more of it.
    const ownName = `payrun process ${process.pid} on ${hostname()}`.slice(0, 63);
    const link = openLink(address, ownName);
    try {
      const sql = openPostgresSql(link, shown, lockOf(`writer of ${schema}`));
      const place = `postgres ${requireTrusty(sql, shown)} schema ${schema}`;
      sql.exec(sessionOf(schema, backoffMs));
      preparePostgres(sql, schema, shown, clock, readOnly === undefined && existing !== true);
      if (readOnly) sql.exec('SET default_transaction_read_only = on');
      if (readOnly === 'at one moment') sql.exec('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const self = sql.one<{ id: string; home: string | null }>('SELECT id, path AS home FROM ledger')!;
      return {
        ...self,
        sql,
        where: shown,
        place,
        hold: () => holdOnly(sql, lockOf(`sender of ${schema}`), backoffMs, (holder) => busyWith(shown, holder, null)),
        holdConsole(_now, refusal = otherConsole(shown)) {
          const lock = lockOf(`console of ${schema}`);
          holdOnly(sql, lock, backoffMs, refusal);
          return { release: () => release(sql, lock) };
        },
        lost: link.lost,
        isHeld: () => holderOf(sql, lockOf(`sender of ${schema}`)) !== null,
        isHeldElsewhere() {
          const holder = holderOf(sql, lockOf(`sender of ${schema}`));
          return holder !== null && holder.name !== ownName;
        },
        requireRoom: () => {},
        renumber: () => renumber(sql),
        faults: () => postgresFaults(sql, schema),
        close: () => link.close(),
      };
    } catch (error) {
      void link.close();
      throw error;
    }
  } catch (error) {
    throw faultAtStart(error, shown);
  }
}

/**
 * Whose connection the network cut without a word holds its locks for a minute and no longer.
 * A plan is made for each statement as it is asked: the private tables are empty at one moment and hold a million rows at the next.
 */
const sessionOf = (schema: string, backoffMs: number) => `
  SET search_path = ${schema};
  SET default_transaction_isolation = 'read committed';
  SET lock_timeout = ${backoffMs};
  SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0;
  SET idle_session_timeout = 0;
  SET plan_cache_mode = force_custom_plan;
  SET jit = off;
  SET work_mem = '64MB';
  SET temp_buffers = '64MB';
  SET client_min_messages = warning;
  SET tcp_keepalives_idle = 30;
  SET tcp_keepalives_interval = 10;
  SET tcp_keepalives_count = 3;
`;

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly standby: 0 | 1;
  readonly database: string;
  readonly synchronous: string;
  readonly fsync: string;
  readonly pages: string;
}

/**
 * A ledger that forgets what it was told is worth nothing: a server that does not wait for its disk is refused. Returns which cluster and
 * which of its histories it is: a copy, or one that was brought back from a backup or a standby, is another one.
 */
function requireTrusty(sql: Sql, path: string): string {
  const server = sql.one<Server>(
    `SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version, current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() AS standby, current_database() AS database, current_setting('synchronous_commit') AS synchronous,
       current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages`,
  )!;
  const unfit = (detail: string) => new PayrunError('LEDGER_UNUSABLE', { path, detail });
  const version = Math.floor(server.version / 10_000);
  if (version < oldestServer)
    throw unfit(`its server is PostgreSQL ${version}, and ${oldestServer} is the oldest that will do`);
  if (server.standby === 1) throw unfit('its server is a standby, where nothing can be written; name the primary');
  if (server.encoding !== 'UTF8') throw unfit(`its database is kept in ${server.encoding}; make one in UTF8`);
  if (server.synchronous === 'off' || server.synchronous === 'local')
    throw unfit(`synchronous_commit is ${server.synchronous} there: what was paid could be forgotten; set it to on`);
  if (server.fsync !== 'on') throw unfit('fsync is off there: a power cut could damage the ledger; set it to on');
  if (server.pages !== 'on')
    throw unfit('full_page_writes is off there: a power cut could damage the ledger; set it to on');
  // Whoever changes the server's settings later does not change this connection's.
  sql.exec(`SET synchronous_commit = ${server.synchronous}`);
  const { system, timeline } = sql.one<{ system: string; timeline: string }>(
    // The name of the file that is written now: the control file knows of a new timeline only after its next checkpoint.
    `SELECT CAST(system_identifier AS TEXT) AS system, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline
     FROM pg_control_system()`,
  )!;
  return `cluster ${system} timeline ${Number.parseInt(timeline, 16)} database ${server.database}`;
}

/** A server may take a moment to see that a process has died. */
const aMomentMs = 500;

/** The server drops it with the connection, however that ends. Who holds it already holds it on. */
function holdOnly(sql: Sql, lock: bigint, backoffMs: number, held: (holder: string) => Error): void {
  try {
    sql.exec(`SET lock_timeout = ${aMomentMs}`);
    sql.exec(`SELECT pg_advisory_lock(${lock})`);
    return;
  } catch (error) {
    if (!(error instanceof PayrunError) || !isTaken(error.cause)) throw error;
  } finally {
    sql.exec(`SET lock_timeout = ${backoffMs}`);
  }
  const holder = holderOf(sql, lock);
  throw held(holder === null ? '' : ` (${holder.name}, since ${timeWords(holder.since)})`);
}

function release(sql: Sql, lock: bigint): void {
  try {
    sql.exec(`SELECT pg_advisory_unlock(${lock})`);
  } catch (error) {
    // Gone with its connection.
    if (!(error instanceof PayrunError)) throw error;
  }
}

function holderOf(sql: Sql, lock: bigint): { readonly name: string; readonly since: number } | null {
  return sql.one<{ name: string; since: number }>(
    `SELECT a.application_name AS name, CAST(extract(epoch FROM a.backend_start) * 1000 AS BIGINT) AS since
     FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND (l.classid::bigint << 32) | l.objid::bigint = CAST(${lock} AS BIGINT)
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
}

/** Locks are numbers there, one row of them for each database. */
function lockOf(what: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${sha256(`payrun ${what}`).slice(0, 16)}`));
}
