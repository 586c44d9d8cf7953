/** Queries on merchants. Each query reads or writes one tenant's merchants. */
import type { Kysely } from 'kysely';
import { revised } from './revised.ts';
import { listed, type Span } from './span.ts';
import type { MerchantRow, Tables } from './tables.ts';

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
    byIds: (tenantId: string, ids: readonly string[]): Promise<MerchantRow[]> =>
      inTenant(tenantId).where('id', 'in', ids).execute(),
    change(tenantId: string, id: string, decide: (row: MerchantRow) => MerchantChange) {
      const own = db.updateTable('merchants').where('tenant_id', '=', tenantId).where('id', '=', id);
      return revised(
        () => byId(tenantId, id),
        decide,
        (change, over) => own.set(change).where('revision', '=', over).executeTakeFirst(),
      );
    },
    list: (tenantId: string, span: Span): Promise<MerchantRow[]> => listed(inTenant(tenantId), span),
  };
}
