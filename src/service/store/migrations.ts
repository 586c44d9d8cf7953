/** The numbered steps that make the service's tables; the same on SQLite and Postgres. */
import { type ColumnBuilderCallback, type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

type Step = (db: Kysely<Tables>, dialect: Dialect) => Promise<void>;

/** The order of arrival, counted by the database. */
const seqOf = (dialect: Dialect): ['integer' | 'bigserial', ColumnBuilderCallback] =>
  dialect === 'sqlite'
    ? ['integer', (column) => column.primaryKey().autoIncrement()]
    : ['bigserial', (column) => column.primaryKey()];

/** Each step is applied once, in order. A released step is never edited; changes are new steps. */
const steps: readonly Step[] = [
  async (db, dialect) => {
    const seq = seqOf(dialect);
    await db.schema
      .createTable('tenants')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('api_keys')
      .addColumn('api_key', 'text', (c) => c.primaryKey())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('secret_hmac', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('users')
      .addColumn('seq', ...seq)
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('user_id', 'text', (c) => c.notNull().unique())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_folded', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('default_momo_account_id', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('users_email', ['tenant_id', 'email_folded'])
      .execute();
    await db.schema
      .createTable('merchants')
      .addColumn('seq', ...seq)
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('country', 'text', (c) => c.notNull())
      .addColumn('bank_name', 'text')
      .addColumn('account_number', 'text')
      .addColumn('bank_code', 'text')
      .addColumn('network_provider', 'text')
      .addColumn('contact_number', 'text')
      .addColumn('lnurl', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('merchants_listed').on('merchants').columns(['tenant_id', 'seq']).execute();
    await db.schema
      .createTable('payments')
      .addColumn('seq', ...seq)
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('user_id', 'text')
      .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
      .addColumn('amount', 'bigint', (c) => c.notNull())
      .addColumn('from_country', 'text')
      .addColumn('destination_country', 'text', (c) => c.notNull())
      .addColumn('destination_currency', 'text', (c) => c.notNull())
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('tag', 'text')
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('meta', 'text')
      .addColumn('slow', 'integer', (c) => c.notNull())
      .addColumn('deposit_details', 'text')
      .addColumn('deposit_address', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('deposit_at', 'bigint')
      .addColumn('needs_deposit', 'integer', (c) => c.notNull())
      .addColumn('processing_at', 'bigint')
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .addColumn('ends_as', 'text', (c) => c.notNull())
      .addColumn('ended', 'text')
      .execute();
    await db.schema.createIndex('payments_listed').on('payments').columns(['tenant_id', 'seq']).execute();
    await db.schema
      .createTable('documents')
      .addColumn('seq', ...seq)
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('size_bytes', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('documents_listed')
      .on('documents')
      .columns(['tenant_id', 'payment_id', 'seq'])
      .execute();
  },
  async (db, dialect) => {
    const users = () => db.schema.alterTable('users');
    // One at a time: SQLite adds no two columns in one statement.
    await users()
      .addColumn('profile', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
    await users()
      .addColumn('momo_accounts', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await users().addColumn('verified_at', 'bigint').execute();
    await users()
      .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('users_listed').on('users').columns(['tenant_id', 'status', 'seq']).execute();
    await db.schema
      .createTable('kyc_documents')
      .addColumn('seq', ...seqOf(dialect))
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.user_id'))
      .addColumn('document_type', 'text', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('size_bytes', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('peppers')
      .addColumn('one', 'integer', (c) => c.primaryKey())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('deployments')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('salt', 'text', (c) => c.notNull())
      .execute();
  },
  async (db, dialect) => {
    await db.schema
      .createTable('webhook_calls')
      .addColumn('seq', ...seqOf(dialect))
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenants.id'))
      .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('secret', 'text')
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('taken', 'integer', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('webhook_calls_due')
      .on('webhook_calls')
      .column('due_at')
      .where('due_at', 'is not', null)
      .execute();
  },
  async (db) => {
    await db.schema.alterTable('payments').addColumn('collect_from', 'text').execute();
  },
  async (db) => {
    await db.schema
      .alterTable('merchants')
      .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
  async (db) => {
    for (const column of ['uploads', 'upload_bytes'])
      await db.schema
        .alterTable('tenants')
        .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
    for (const table of ['documents', 'kyc_documents'])
      await sql`update tenants set
        uploads = uploads + (select count(*) from ${sql.table(table)} d where d.tenant_id = tenants.id),
        upload_bytes = upload_bytes
          + (select coalesce(sum(d.size_bytes), 0) from ${sql.table(table)} d where d.tenant_id = tenants.id)`.execute(
        db,
      );
  },
];

/** Brings the tables up to date. Of two processes, the second waits for the first and finds nothing to do. */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await (dialect === 'sqlite' ? migrateSqlite(db) : migratePostgres(db));
}

async function takeSteps(db: Kysely<Tables>, dialect: Dialect, done: number): Promise<void> {
  if (done > steps.length) {
    throw new Error(
      `the service's data was written by a newer version (schema ${done}, this one knows ${steps.length})`,
    );
  }
  for (const step of steps.slice(done)) await step(db, dialect);
}

async function migrateSqlite(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(connection);
      await takeSteps(connection, 'sqlite', rows[0]!.user_version);
      // A pragma takes no parameters; the number is ours.
      await sql.raw(`pragma user_version = ${steps.length}`).execute(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      // A full disk rolls back by itself; a second rollback would hide the first error.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

/** Any number that nothing else in the database locks. */
const migrationLock = 7_240_921_305;

async function migratePostgres(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The second process waits as long as the first needs.
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    // Checked first: `if not exists` needs the right to create even if nothing is created.
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${postgresSchema}`.execute(tx);
    if (rows.length === 0) await tx.schema.createSchema(postgresSchema).execute();
    await tx.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('steps', 'integer', (c) => c.notNull())
      .execute();
    const version = await sql<{ steps: number }>`select steps from schema_version`.execute(tx);
    await takeSteps(tx, 'postgres', version.rows[0]?.steps ?? 0);
    await sql`delete from schema_version`.execute(tx);
    await sql`insert into schema_version (steps) values (${steps.length})`.execute(tx);
  });
}

/** The service's tables are separate from everything else in the database. */
export const postgresSchema = 'payrun_service';
