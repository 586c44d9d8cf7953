/** The service's tables; the same on SQLite and Postgres. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

type Dialect = 'sqlite' | 'postgres';

/** Raise this number with every change of the tables, because a build reads only its own format. */
const format = 7;

export const postgresSchema = 'payrun_service';

/** `seq` is the SQL of a column that numbers rows in the order of their arrival. */
const tablesWith = (seq: string): readonly string[] => [
  `create table tenants (id text primary key, name text not null, created_at bigint not null,
    uploads bigint not null default 0, upload_bytes bigint not null default 0)`,
  `create table api_keys (api_key text primary key, tenant_id text not null references tenants (id),
    secret_hmac text not null, created_at bigint not null)`,
  `create table users (${seq}, id text not null unique, tenant_id text not null references tenants (id),
    user_id text not null unique, email text not null, email_folded text not null, name text not null,
    status text not null, default_momo_account_id text, created_at bigint not null, updated_at bigint not null,
    profile text not null default '{}', momo_accounts text not null default '[]', verified_at bigint,
    revision integer not null default 0, constraint users_email unique (tenant_id, email_folded))`,
  'create index users_listed on users (tenant_id, status, seq)',
  `create table merchants (${seq}, id text not null unique, tenant_id text not null references tenants (id),
    name text not null, country text not null, bank_name text, account_number text, bank_code text,
    network_provider text, contact_number text, lnurl text, created_at bigint not null,
    revision integer not null default 0)`,
  'create index merchants_listed on merchants (tenant_id, seq)',
  `create table payments (${seq}, id text not null unique, tenant_id text not null references tenants (id),
    user_id text, merchant_id text not null references merchants (id), amount bigint not null, from_country text,
    destination_country text not null, destination_currency text not null, reference text not null, tag text,
    type text not null, meta text, slow integer not null, deposit_details text, deposit_address text,
    created_at bigint not null, deposit_at bigint, needs_deposit integer not null, processing_at bigint,
    ends_at bigint not null, ends_as text not null, ended text, collect_from text)`,
  'create index payments_listed on payments (tenant_id, seq)',
  `create table documents (${seq}, id text not null unique, tenant_id text not null references tenants (id),
    payment_id text not null references payments (id), sha256 text not null, size_bytes bigint not null,
    kind text not null, created_at bigint not null)`,
  'create index documents_listed on documents (tenant_id, payment_id, seq)',
  `create table kyc_documents (${seq}, id text not null unique, tenant_id text not null references tenants (id),
    user_id text not null references users (user_id), document_type text not null, sha256 text not null,
    size_bytes bigint not null, kind text not null, created_at bigint not null)`,
  `create table webhook_calls (${seq}, id text not null unique, tenant_id text not null references tenants (id),
    payment_id text not null references payments (id), url text not null, secret text, body text not null,
    due_at bigint, attempts integer not null, taken integer not null)`,
  'create index webhook_calls_due on webhook_calls (due_at) where due_at is not null',
  'create table peppers (one integer primary key, fingerprint text not null)',
  'create table deployments (name text primary key, salt text not null)',
];

/** If two processes make the tables at the same time, the second process waits, and then finds the tables. */
export async function makeTables(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await (dialect === 'sqlite' ? onSqlite(db) : onPostgres(db));
}

async function makeUnlessMade(db: Kysely<Tables>, found: number, seq: string): Promise<void> {
  if (found === format) return;
  if (found !== 0)
    throw new Error(`another build of Payrun made the service's data (format ${found}, this one reads ${format})`);
  for (const text of tablesWith(seq)) await sql.raw(text).execute(db);
}

async function onSqlite(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(connection);
      await makeUnlessMade(connection, rows[0]!.user_version, 'seq integer primary key autoincrement');
      // A pragma takes no parameters, so the SQL text contains the format number.
      await sql.raw(`pragma user_version = ${format}`).execute(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      // On a full disk SQLite has already rolled back. The error of this rollback must not hide the first error.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

/** The number of the Postgres advisory lock. No other lock in the database may have this number. */
const makingLock = 7_240_921_305;

async function onPostgres(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${makingLock})`.execute(tx);
    // `create schema if not exists` needs the right to create schemas, even if the schema exists.
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${postgresSchema}`.execute(tx);
    if (rows.length === 0) await tx.schema.createSchema(postgresSchema).execute();
    await sql`create table if not exists schema_version (steps integer not null)`.execute(tx);
    const version = await sql<{ steps: number }>`select steps from schema_version`.execute(tx);
    const found = version.rows[0]?.steps ?? 0;
    await makeUnlessMade(tx, found, 'seq bigserial primary key');
    if (found === 0) await sql`insert into schema_version (steps) values (${format})`.execute(tx);
  });
}
