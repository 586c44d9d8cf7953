/** Queries on tenants, API keys, the salts of deployments, and the fingerprint of the pepper. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export function tenantsOf(db: Kysely<Tables>) {
  /** Known tenants need no second query, because no tenant is ever removed. */
  const known = new Set<string>();
  return {
    async add(tenant: { id: string; name: string; created_at: number }, key: Tables['api_keys']): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('tenants').values(tenant).execute();
        await tx.insertInto('api_keys').values(key).execute();
      });
    },
    list: () =>
      db
        .selectFrom('tenants')
        .innerJoin('api_keys', 'api_keys.tenant_id', 'tenants.id')
        .select(['tenants.id', 'tenants.name', 'api_keys.api_key as apiKey', 'tenants.created_at as createdAt'])
        .orderBy('tenants.created_at')
        .orderBy('tenants.id')
        .execute(),
    byKey: (apiKey: string) =>
      db.selectFrom('api_keys').select(['tenant_id', 'secret_hmac']).where('api_key', '=', apiKey).executeTakeFirst(),
    async exists(tenantId: string): Promise<boolean> {
      if (known.has(tenantId)) return true;
      const row = await db.selectFrom('tenants').select('id').where('id', '=', tenantId).executeTakeFirst();
      if (row !== undefined) known.add(tenantId);
      return row !== undefined;
    },
    async ofUser(userId: string): Promise<string | undefined> {
      const row = await db.selectFrom('users').select('tenant_id').where('user_id', '=', userId).executeTakeFirst();
      return row?.tenant_id;
    },
  };
}

export function deploymentsOf(db: Kysely<Tables>) {
  return {
    async add(name: string, salt: string): Promise<void> {
      await db
        .insertInto('deployments')
        .values({ name, salt })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    },
    async saltOf(name: string): Promise<string> {
      const row = await db.selectFrom('deployments').select('salt').where('name', '=', name).executeTakeFirstOrThrow();
      return row.salt;
    },
    async setSalt(name: string, salt: string): Promise<void> {
      await db
        .insertInto('deployments')
        .values({ name, salt })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ salt }))
        .execute();
    },
    async firstFingerprint(fingerprint: string): Promise<string> {
      await db
        .insertInto('peppers')
        .values({ one: 1, fingerprint })
        .onConflict((conflict) => conflict.column('one').doNothing())
        .execute();
      return (await db.selectFrom('peppers').select('fingerprint').executeTakeFirstOrThrow()).fingerprint;
    },
  };
}
