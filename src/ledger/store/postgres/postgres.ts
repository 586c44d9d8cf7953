/** Opens a ledger on Postgres, in its own schema. The server must have durable commits. */
import { hostname } from 'node:os';
import type { Clock } from '../../../base/clock.ts';
import { sha256 } from '../../../base/digest.ts';
import { PayrunError } from '../../../base/errors.ts';
import type { LedgerFault } from '../../../base/faults/fault.ts';
import { busyWith, faultAtStart, isTaken, otherConsole, unusable } from '../faults.ts';
import type { Sql } from '../sql.ts';
import type { OpenOptions, Store } from '../store.ts';
import { openLink } from './link.ts';
import { postgresFaults, preparePostgres, renumber } from './schema.ts';
import { openPostgresSql } from './statements.ts';

/** The oldest version of Postgres that works. Earlier versions lack JSON_ARRAY and unnamed subqueries. */
const oldestServer = 16;
const defaultSchema = 'payrun';
const defaultBusyTimeoutMs = 5000;

export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//.test(address);

const parameters = ['schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'options'];

/** `?schema=` selects the ledger within its database. Throws for an unusable address. */
export function readPostgres(given: string) {
  // The given text may hold a password, so the message leaves it out.
  if (!URL.canParse(given))
    throw new PayrunError('LEDGER_ADDRESS_UNUSABLE', { why: { fault: 'address-is-no-postgres' } });
  const url = new URL(given);
  const other = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (other !== undefined)
    throw new PayrunError('LEDGER_ADDRESS_UNUSABLE', {
      why: { fault: 'address-has-other-setting', setting: other, settings: parameters },
    });
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw new PayrunError('LEDGER_ADDRESS_UNUSABLE', { why: { fault: 'schema-name-is-invalid', schema } });
  const password = url.password === '' ? null : decodeURIComponent(url.password);
  url.password = '';
  return { address: url.href, password, schema };
}

export function driverAddress(address: string, password: string | null): string {
  const url = new URL(address);
  url.searchParams.delete('schema');
  if (password !== null) url.password = encodeURIComponent(password);
  return url.href;
}

export function openPostgres(
  given: string,
  clock: Clock,
  { readOnly, existing, password, busyTimeoutMs = defaultBusyTimeoutMs }: OpenOptions,
): Store {
  const { address: shown, schema, ...said } = readPostgres(given);
  const address = driverAddress(shown, password ?? said.password);
  try {
    const link = openLink(address, `payrun process ${process.pid} on ${hostname()}`);
    try {
      const sql = openPostgresSql(link, shown, lockOf(`writer of ${schema}`));
      const place = `postgres ${requireTrusty(sql, shown)} schema ${schema}`;
      sql.exec(sessionOf(schema, busyTimeoutMs));
      preparePostgres(sql, schema, shown, clock, readOnly === undefined && existing !== true);
      if (readOnly) sql.exec('SET default_transaction_read_only = on');
      if (readOnly === 'at-one-moment') sql.exec('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const id = sql.value<string>('SELECT id FROM ledger')!;
      return {
        id,
        sql,
        where: shown,
        place,
        hold: () =>
          holdOnly(sql, lockOf(`sender of ${schema}`), busyTimeoutMs, (holder) => busyWith(shown, holder, null)),
        holdConsole(_now, refusal = otherConsole(shown)) {
          const lock = lockOf(`console of ${schema}`);
          holdOnly(sql, lock, busyTimeoutMs, refusal);
          return { release: () => release(sql, lock) };
        },
        lost: link.lost,
        isHeld: () => holderOf(sql, lockOf(`sender of ${schema}`)) !== null,
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

/** Keepalive ends the locks of a lost connection within a minute. Custom plans suit temporary tables that grow. */
const sessionOf = (schema: string, busyTimeoutMs: number) => `
  SET search_path = ${schema};
  SET default_transaction_isolation = 'read committed';
  SET lock_timeout = ${busyTimeoutMs};
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

type Server = { version: number; standby: 0 | 1 } & Record<ServerSetting, string>;
type ServerSetting = 'database' | 'encoding' | 'synchronous' | 'fsync' | 'pages';

/** Throws for an unfit server. Returns a text of cluster, timeline and database. A restore changes the text. */
function requireTrusty(sql: Sql, path: string): string {
  const server = sql.one<Server>(
    `SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version, current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() AS standby, current_database() AS database, current_setting('synchronous_commit') AS synchronous,
       current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages`,
  )!;
  const unfit = (why: LedgerFault) => unusable(path, why);
  const version = Math.floor(server.version / 10_000);
  if (version < oldestServer) throw unfit({ fault: 'server-is-too-old', version, oldest: oldestServer });
  if (server.standby === 1) throw unfit({ fault: 'server-is-standby' });
  if (server.encoding !== 'UTF8') throw unfit({ fault: 'database-is-not-utf8', encoding: server.encoding });
  if (server.synchronous === 'off' || server.synchronous === 'local')
    throw unfit({ fault: 'server-may-lose-data', setting: 'synchronous_commit' });
  if (server.fsync !== 'on') throw unfit({ fault: 'server-may-lose-data', setting: 'fsync' });
  if (server.pages !== 'on') throw unfit({ fault: 'server-may-lose-data', setting: 'full_page_writes' });
  // Sets `synchronous_commit` for this connection, because somebody may change the server's setting later.
  sql.exec(`SET synchronous_commit = ${server.synchronous}`);
  const { system, timeline } = sql.one<{ system: string; timeline: string }>(
    // The WAL file's name shows a new timeline at once. The control file shows it only after a checkpoint.
    `SELECT CAST(system_identifier AS TEXT) AS system, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline
     FROM pg_control_system()`,
  )!;
  return `cluster ${system} timeline ${Number.parseInt(timeline, 16)} database ${server.database}`;
}

/** How long to wait for a lock. The server may need this long to notice that the lock's process has died. */
const aMomentMs = 500;

function holdOnly(sql: Sql, lock: bigint, busyTimeoutMs: number, held: (holder: LedgerFault) => Error): void {
  try {
    sql.exec(`SET lock_timeout = ${aMomentMs}`);
    sql.exec(`SELECT pg_advisory_lock(${lock})`);
    return;
  } catch (error) {
    if (!(error instanceof PayrunError) || !isTaken(error.cause)) throw error;
  } finally {
    sql.exec(`SET lock_timeout = ${busyTimeoutMs}`);
  }
  const holder = holderOf(sql, lock);
  throw held(holder === null ? { fault: 'held-by-unknown' } : { fault: 'held-by-name', ...holder });
}

function release(sql: Sql, lock: bigint): void {
  try {
    sql.exec(`SELECT pg_advisory_unlock(${lock})`);
  } catch (error) {
    // A PayrunError means that the connection has ended. The server then releases the lock itself.
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

/** All locks of a database share one range of numbers, so each lock's number is a hash of its name. */
const lockOf = (what: string): bigint => BigInt.asIntN(64, BigInt(`0x${sha256(`payrun ${what}`).slice(0, 16)}`));
