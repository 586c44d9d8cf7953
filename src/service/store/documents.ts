/** Queries on one tenant's payment documents, and on the room that all its uploads take. */
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

export interface UploadRoom {
  readonly files: number;
  readonly bytes: number;
}

/** Counts KYC documents and payment documents together. */
export function uploadsOf(db: Kysely<Tables>) {
  const count = (tenantId: string, files: number, bytes: number) =>
    db
      .updateTable('tenants')
      .set((column) => ({ uploads: column('uploads', '+', files), upload_bytes: column('upload_bytes', '+', bytes) }))
      .where('id', '=', tenantId);
  return {
    /** Checks and counts in one statement, so that uploads at the same time cannot exceed the limit. */
    async take(tenantId: string, bytes: number, room: UploadRoom): Promise<boolean> {
      const { numUpdatedRows } = await count(tenantId, 1, bytes)
        .where('uploads', '<', room.files)
        .where('upload_bytes', '<=', room.bytes - bytes)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async giveBack(tenantId: string, bytes: number): Promise<void> {
      await count(tenantId, -1, -bytes).execute();
    },
  };
}
