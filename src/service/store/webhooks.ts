/** Calls to payments' webhookUrl, of all tenants: this is the service's own work, and none of it is shown to a caller. */
import type { Kysely } from 'kysely';
import type { Tables, WebhookCallRow } from './tables.ts';

/** How many calls may be taken now. */
export interface Room {
  readonly most: number;
  /** Of each tenant, those that are under way included. */
  readonly ofOneTenant: number;
  readonly counts: ReadonlyMap<string, number>;
}

export function webhooksOf(db: Kysely<Tables>) {
  return {
    /** Takes calls that are due, each for this node alone until `leaseUntil`: a node that dies leaves them to be taken again. */
    async claim(now: number, leaseUntil: number, room: Room): Promise<WebhookCallRow[]> {
      const counts = new Map(room.counts);
      const full = Array.from(counts).flatMap(([tenantId, count]) => (count < room.ofOneTenant ? [] : [tenantId]));
      if (room.most <= 0) return [];
      // Looked for first: most of the time nothing is due, and an update takes the write lock also where it changes nothing.
      const first = await db
        .selectFrom('webhook_calls')
        .select(['seq', 'tenant_id'])
        .where('due_at', '<=', now)
        .$if(full.length > 0, (query) => query.where('tenant_id', 'not in', full))
        .orderBy('due_at')
        .orderBy('seq')
        .limit(room.most)
        .execute();
      const due = first.filter(({ tenant_id }) => {
        const count = (counts.get(tenant_id) ?? 0) + 1;
        counts.set(tenant_id, count);
        return count <= room.ofOneTenant;
      });
      if (due.length === 0) return [];
      const claimed = await db
        .updateTable('webhook_calls')
        .set((column) => ({ due_at: leaseUntil, attempts: column('attempts', '+', 1) }))
        .where(
          'seq',
          'in',
          due.map(({ seq }) => seq),
        )
        // Another node may have taken it meanwhile.
        .where('due_at', '<=', now)
        .returningAll()
        .execute();
      return claimed.sort((one, other) => one.seq - other.seq);
    },
    /** `dueAt`: when it is tried again; null for never. */
    async settle(seq: number, end: { taken: boolean; dueAt: number | null }): Promise<void> {
      await db
        .updateTable('webhook_calls')
        .set({ due_at: end.dueAt, taken: end.taken ? 1 : 0 })
        .where('seq', '=', seq)
        .execute();
    },
  };
}
