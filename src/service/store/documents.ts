/** Queries on payment documents. Each query reads or writes one tenant's documents. */
import type { Kysely } from 'kysely';
import type { DocumentRow, Tables } from './tables.ts';

export function documentsOf(db: Kysely<Tables>) {
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
