/** Queries on users and on KYC documents. */
import type { Kysely } from 'kysely';
import { revised } from './revised.ts';
import { listed, type Span } from './span.ts';
import type { KycDocumentRow, Tables, UserRow } from './tables.ts';

export type UserChange = Partial<
  Pick<UserRow, 'name' | 'status' | 'profile' | 'momo_accounts' | 'default_momo_account_id' | 'verified_at'>
>;

export function usersOf(db: Kysely<Tables>) {
  const inTenant = (tenantId: string) => db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId);
  const byUserId = (tenantId: string, userId: string): Promise<UserRow | undefined> =>
    inTenant(tenantId).where('user_id', '=', userId).executeTakeFirst();
  return {
    byUserId,
    async add(user: Omit<UserRow, 'seq'>): Promise<{ row: UserRow; added: boolean }> {
      const done = await db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.columns(['tenant_id', 'email_folded']).doNothing())
        .executeTakeFirst();
      const row = await inTenant(user.tenant_id)
        .where('email_folded', '=', user.email_folded)
        .executeTakeFirstOrThrow();
      return { row, added: done.numInsertedOrUpdatedRows === 1n };
    },
    change(tenantId: string, userId: string, now: number, decide: (row: UserRow) => UserChange) {
      const own = db.updateTable('users').where('tenant_id', '=', tenantId).where('user_id', '=', userId);
      return revised(
        () => byUserId(tenantId, userId),
        (row) => ({ ...decide(row), updated_at: now }),
        (change, over) => own.set(change).where('revision', '=', over).executeTakeFirst(),
      );
    },
    list: (tenantId: string, status: UserRow['status'], span: Span): Promise<UserRow[]> =>
      listed(inTenant(tenantId).where('status', '=', status), span),
    async addKycDocument(document: Omit<KycDocumentRow, 'seq'>): Promise<void> {
      await db.insertInto('kyc_documents').values(document).execute();
    },
  };
}
