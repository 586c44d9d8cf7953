/** Where the service keeps what it knows: SQLite in the data folder, one statement a write, and no query without its tenant. */
import { join } from 'node:path';
import { Kysely, type Selectable, SqliteDialect } from 'kysely';
import { forKysely, openSqlite } from '../base/sqlite.ts';
import type { Caller } from './call.ts';
import {
  type DocumentTable,
  type MerchantTable,
  migrate,
  type PaymentTable,
  type Tables,
  type UserTable,
} from './tables.ts';

export type MerchantRow = Selectable<MerchantTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type UserRow = Selectable<UserTable>;
export type DocumentRow = Selectable<DocumentTable>;

/** The order of a list. `random` is the order of the ids: settled, but telling nothing about time. */
export type ListOrder = 'newest' | 'oldest' | 'random';

/** What of a list is wanted: up to `count` items behind the marker's position (a `seq`, or an id in random order). */
export interface Span {
  readonly order: ListOrder;
  readonly after: string | null;
  readonly count: number;
}

/** The position of an item in a list of this order, as a marker keeps it. */
export function positionOf(item: { seq: number; id: string }, order: ListOrder): string {
  return order === 'random' ? item.id : String(item.seq);
}

/** A list is cut by what its items are, never by how many came before, so that nothing moves between pages. */
function keysetOf(span: Span) {
  const direction = span.order === 'newest' ? 'desc' : 'asc';
  const byId = span.order === 'random';
  return {
    column: byId ? 'id' : 'seq',
    direction,
    beyond: direction === 'desc' ? '<' : '>',
    after: span.after === null || byId ? span.after : Number(span.after),
  } as const;
}

export type Store = ReturnType<typeof storeOver>;

export async function openStore(dataDir: string): Promise<Store> {
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
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: { ...sqlite, prepare } }) });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return storeOver(db);
}

function storeOver(db: Kysely<Tables>) {
  return {
    tenants: tenantsOf(db),
    users: usersOf(db),
    merchants: merchantsOf(db),
    payments: paymentsOf(db),
    documents: documentsOf(db),
    close: () => db.destroy(),
  };
}

/** The tenants themselves: the one table whose queries have no tenant to take. */
function tenantsOf(db: Kysely<Tables>) {
  return {
    async add(tenant: { id: string; name: string; apiKey: string; secretHmac: string; now: number }): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('tenants').values({ id: tenant.id, name: tenant.name, created_at: tenant.now }).execute();
        await tx
          .insertInto('api_keys')
          .values({
            api_key: tenant.apiKey,
            tenant_id: tenant.id,
            secret_hmac: tenant.secretHmac,
            created_at: tenant.now,
          })
          .execute();
      });
    },
    list: () =>
      db
        .selectFrom('tenants')
        .innerJoin('api_keys', 'api_keys.tenant_id', 'tenants.id')
        .select(['tenants.id', 'tenants.name', 'tenants.created_at', 'api_keys.api_key'])
        .orderBy('tenants.created_at')
        .orderBy('tenants.id')
        .execute(),
    byKey: (apiKey: string) =>
      db.selectFrom('api_keys').select(['tenant_id', 'secret_hmac']).where('api_key', '=', apiKey).executeTakeFirst(),
    async exists(tenantId: string): Promise<boolean> {
      const row = await db.selectFrom('tenants').select('id').where('id', '=', tenantId).executeTakeFirst();
      return row !== undefined;
    },
  };
}

function usersOf(db: Kysely<Tables>) {
  return {
    byUserId: (tenantId: string, userId: string): Promise<UserRow | undefined> =>
      db
        .selectFrom('users')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .where('user_id', '=', userId)
        .executeTakeFirst(),
    /** Adds the user, or finds the one who has the e-mail already. */
    async add(user: Omit<UserRow, 'seq'>): Promise<{ row: UserRow; added: boolean }> {
      const done = await db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.columns(['tenant_id', 'email_folded']).doNothing())
        .executeTakeFirst();
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('tenant_id', '=', user.tenant_id)
        .where('email_folded', '=', user.email_folded)
        .executeTakeFirstOrThrow();
      return { row, added: done.numInsertedOrUpdatedRows === 1n };
    },
  };
}

function merchantsOf(db: Kysely<Tables>) {
  const inTenant = (tenantId: string) => db.selectFrom('merchants').selectAll().where('tenant_id', '=', tenantId);
  return {
    async add(merchant: Omit<MerchantRow, 'seq'>): Promise<void> {
      await db.insertInto('merchants').values(merchant).execute();
    },
    byId: (tenantId: string, id: string): Promise<MerchantRow | undefined> =>
      inTenant(tenantId).where('id', '=', id).executeTakeFirst(),
    async change(
      tenantId: string,
      id: string,
      change: Omit<MerchantRow, 'seq' | 'id' | 'tenant_id' | 'created_at'>,
    ): Promise<void> {
      await db.updateTable('merchants').set(change).where('tenant_id', '=', tenantId).where('id', '=', id).execute();
    },
    list(tenantId: string, span: Span): Promise<MerchantRow[]> {
      const { column, direction, beyond, after } = keysetOf(span);
      return inTenant(tenantId)
        .$if(after !== null, (query) => query.where(column, beyond, after!))
        .orderBy(column, direction)
        .limit(span.count)
        .execute();
    },
  };
}

/** A user's token sees the payments that were made with that user's tokens, a tenant's token all of the tenant. */
function paymentsOf(db: Kysely<Tables>) {
  const seenBy = (caller: Caller, createdBy: number) => {
    const query = db
      .selectFrom('payments')
      .selectAll()
      .where('tenant_id', '=', caller.tenantId)
      .where('created_at', '<=', createdBy);
    return caller.userId === null ? query : query.where('user_id', '=', caller.userId);
  };
  return {
    /** All or none; one commit. */
    async addAll(payments: readonly Omit<PaymentRow, 'seq'>[]): Promise<void> {
      await db.insertInto('payments').values(payments).execute();
    },
    /** `createdBy`: younger payments are not readable yet, milliseconds. */
    byId: (caller: Caller, id: string, createdBy: number): Promise<PaymentRow | undefined> =>
      seenBy(caller, createdBy).where('id', '=', id).executeTakeFirst(),
    list(caller: Caller, span: Span, createdBy: number): Promise<PaymentRow[]> {
      const { column, direction, beyond, after } = keysetOf(span);
      return seenBy(caller, createdBy)
        .$if(after !== null, (query) => query.where(column, beyond, after!))
        .orderBy(column, direction)
        .limit(span.count)
        .execute();
    },
    /** Writes down the end of payments that were seen to have ended. */
    async end(tenantId: string, seqs: readonly number[]): Promise<void> {
      await db
        .updateTable('payments')
        .set((column) => ({ ended: column.ref('ends_as') }))
        .where('tenant_id', '=', tenantId)
        .where('seq', 'in', seqs)
        .where('ended', 'is', null)
        .execute();
    },
  };
}

function documentsOf(db: Kysely<Tables>) {
  return {
    async add(document: Omit<DocumentRow, 'seq'>): Promise<void> {
      await db.insertInto('documents').values(document).execute();
    },
    list: (tenantId: string, paymentId: string): Promise<DocumentRow[]> =>
      db
        .selectFrom('documents')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .where('payment_id', '=', paymentId)
        .orderBy('seq')
        .execute(),
    byId: (tenantId: string, id: string): Promise<DocumentRow | undefined> =>
      db.selectFrom('documents').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst(),
  };
}
