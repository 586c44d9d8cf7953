/** Queries on the stored calls to webhookUrls. */
import type { Kysely } from 'kysely';
import type { Tables, WebhookCallRow } from './tables.ts';

/** `most`: how many calls this node can start now. `counts`: each tenant's calls under way, at most `ofOneTenant`. */
export interface Room {
  readonly most: number;
  readonly ofOneTenant: number;
  readonly counts: ReadonlyMap<string, number>;
}

export function webhooksOf(db: Kysely<Tables>) {
  return {
    /** Claims due calls until `leaseUntil`. After that, another node can claim the calls, in case this node died. */
    async claim(now: number, leaseUntil: number, room: Room): Promise<WebhookCallRow[]> {
      const counts = new Map(room.counts);
      const full = Array.from(counts).flatMap(([tenantId, count]) => (count < room.ofOneTenant ? [] : [tenantId]));
      if (room.most <= 0) return [];
      // Reads first, because usually no call is due, and even an empty update takes the write lock.
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
        // Leaves out a call that another node claimed after the read.
        .where('due_at', '<=', now)
        .returningAll()
        .execute();
      return claimed.sort((one, other) => one.seq - other.seq);
    },
    async settle(seq: number, end: { taken: boolean; dueAt: number | null }): Promise<void> {
      await db
        .updateTable('webhook_calls')
        .set({ due_at: end.dueAt, taken: end.taken ? 1 : 0 })
        .where('seq', '=', seq)
        .execute();
    },
  };
}
