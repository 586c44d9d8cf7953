/** Queries on payments. */
import type { Kysely } from 'kysely';
import type { Caller } from '../http/call.ts';
import { listed, type Span } from './span.ts';
import type { PaymentRow, Tables, WebhookCallRow } from './tables.ts';

export interface NewPayment {
  readonly row: Omit<PaymentRow, 'seq'>;
  readonly calls: readonly Omit<WebhookCallRow, 'seq'>[];
}

/** A user's token reads only that user's payments. A tenant's token reads all payments of the tenant. */
export function paymentsOf(db: Kysely<Tables>) {
  const seenBy = (caller: Caller) => {
    const query = db.selectFrom('payments').selectAll().where('tenant_id', '=', caller.tenantId);
    return caller.userId === null ? query : query.where('user_id', '=', caller.userId);
  };
  return {
    async addAll(payments: readonly NewPayment[]): Promise<void> {
      const rows = payments.map(({ row }) => row);
      const calls = payments.flatMap((payment) => payment.calls);
      if (calls.length === 0) await db.insertInto('payments').values(rows).execute();
      else
        await db.transaction().execute(async (tx) => {
          await tx.insertInto('payments').values(rows).execute();
          await tx.insertInto('webhook_calls').values(calls).execute();
        });
    },
    byId: (caller: Caller, id: string): Promise<PaymentRow | undefined> =>
      seenBy(caller).where('id', '=', id).executeTakeFirst(),
    list: (caller: Caller, span: Span): Promise<PaymentRow[]> => listed(seenBy(caller), span),
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
