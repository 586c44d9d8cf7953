/** Counts each tenant's uploads: KYC documents and payment documents together. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface UploadRoom {
  readonly files: number;
  readonly bytes: number;
}

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
