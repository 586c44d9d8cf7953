/** The service's tables, as Kysely sees them, and the numbered steps that make them. */
import { type ColumnType, type Generated, type Kysely, sql } from 'kysely';
import type { PayoutCountry } from '../domain/country.ts';

/** Times are milliseconds since 1970 UTC; `seq` is the order of arrival; flags are 0 or 1. */
export interface Tables {
  tenants: { id: string; name: string; created_at: number };
  api_keys: { api_key: string; tenant_id: string; secret_hmac: string; created_at: number };
  users: UserTable;
  merchants: MerchantTable;
  payments: PaymentTable;
  documents: DocumentTable;
}

type Fixed<T> = ColumnType<T, T, never>;

export interface UserTable {
  seq: Generated<number>;
  /** Our record's id; opens nothing. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The identity provider's id: what paths, POST /tokens/user and the claim use. */
  user_id: Fixed<string>;
  email: string;
  /** Lower case; unique within a tenant. */
  email_folded: string;
  name: string;
  status: 'Active' | 'Inactive';
  /** Set by the profile's endpoints; null: momo collection is off. */
  default_momo_account_id: string | null;
  created_at: Fixed<number>;
  updated_at: number;
}

export interface MerchantTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  name: string;
  country: PayoutCountry;
  bank_name: string | null;
  account_number: string | null;
  bank_code: string | null;
  network_provider: string | null;
  contact_number: string | null;
  lnurl: string | null;
  created_at: Fixed<number>;
}

export interface PaymentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** Whose token made it; null for the tenant's. */
  user_id: Fixed<string | null>;
  merchant_id: Fixed<string>;
  amount: Fixed<number>;
  from_country: Fixed<string | null>;
  destination_country: Fixed<PayoutCountry>;
  destination_currency: Fixed<string>;
  reference: Fixed<string>;
  tag: Fixed<string | null>;
  type: Fixed<string>;
  meta: Fixed<string | null>;
  slow: Fixed<number>;
  /** JSON, or null where no fiat deposit is due. */
  deposit_details: Fixed<string | null>;
  deposit_address: Fixed<string | null>;
  created_at: Fixed<number>;
  /** The rail's decision, taken once: see machine.ts. */
  deposit_at: Fixed<number | null>;
  needs_deposit: Fixed<number>;
  processing_at: Fixed<number | null>;
  ends_at: Fixed<number>;
  ends_as: Fixed<'success' | 'expired'>;
  /** The end, written when first seen, so that a clock set back never takes a `success` away. */
  ended: 'success' | 'expired' | null;
}

export interface DocumentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  payment_id: Fixed<string>;
  sha256: Fixed<string>;
  size_bytes: Fixed<number>;
  kind: Fixed<'pdf' | 'png' | 'jpeg'>;
  created_at: Fixed<number>;
}

type Step = (db: Kysely<Tables>) => Promise<void>;

/** Applied in order, each once; never edited after a release, only added to. */
const steps: readonly Step[] = [
  async (db) => {
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
      .addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
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
      .addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
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
      .addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
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
      .addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
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
];

/** Brings the tables up to date. Two processes may do so at once: the second waits for the first and finds nothing to do. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(connection);
      const done = rows[0]!.user_version;
      if (done > steps.length) {
        throw new Error(
          `the service's data was written by a newer version (schema ${done}, this one knows ${steps.length})`,
        );
      }
      for (const step of steps.slice(done)) await step(connection);
      // A pragma takes no parameters; the number is ours.
      await sql.raw(`pragma user_version = ${steps.length}`).execute(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}
