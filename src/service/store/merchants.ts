/** Merchants, each in its tenant. */
import type { Kysely } from 'kysely';
import { keysetOf, type Span } from './span.ts';
import type { MerchantRow, Tables } from './tables.ts';

/** What may change of a merchant. */
type MerchantChange = Omit<MerchantRow, 'seq' | 'id' | 'tenant_id' | 'created_at' | 'revision'>;

export function merchantsOf(db: Kysely<Tables>) {
  const inTenant = (tenantId: string) => db.selectFrom('merchants').selectAll().where('tenant_id', '=', tenantId);
  const byId = (tenantId: string, id: string): Promise<MerchantRow | undefined> =>
    inTenant(tenantId).where('id', '=', id).executeTakeFirst();
  return {
    async add(merchant: Omit<MerchantRow, 'seq'>): Promise<void> {
      await db.insertInto('merchants').values(merchant).execute();
    },
    byId,
    /** Those of these that the tenant has, each once. */
    byIds: (tenantId: string, ids: readonly string[]): Promise<MerchantRow[]> =>
      inTenant(tenantId).where('id', 'in', ids).execute(),
    /**
     * Changes a merchant to what `decide` makes of the state as it stands. Where another change comes in between, `decide` is
     * asked again with what that left. Undefined: there is no such merchant.
     */
    async change(
      tenantId: string,
      id: string,
      decide: (row: MerchantRow) => MerchantChange,
    ): Promise<MerchantRow | undefined> {
      for (;;) {
        const row = await byId(tenantId, id);
        if (row === undefined) return undefined;
        const change = { ...decide(row), revision: row.revision + 1 };
        const { numUpdatedRows } = await db
          .updateTable('merchants')
          .set(change)
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .where('revision', '=', row.revision)
          .executeTakeFirst();
        // Another's change may have come first; that one is done, so the loop ends.
        if (numUpdatedRows === 1n) return { ...row, ...change };
      }
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
