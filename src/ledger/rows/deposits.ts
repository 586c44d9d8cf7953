/** Finds the deposit details in the trail that changed between two readings of a payment. */
import { isDeepStrictEqual } from 'node:util';
import { readEntry } from '../../audit/chain.ts';
import type { DepositChange } from '../facts.ts';
import type { Sql } from '../store/sql.ts';

export function openDeposits(sql: Sql) {
  return {
    async changedDeposits(batch: string) {
      const changes = new Map<number, DepositChange>();
      // CROSS JOIN makes SQLite read the few rows with a funding source first, and not the whole trail.
      const entries = sql.each<{ id: number; key: string; number: number; paymentId: string; entry: string }>(
        `SELECT p.id, p.key, p.number, p.payment_id AS paymentId, t.entry FROM payout p CROSS JOIN trail t ON t.payout = p.id
         WHERE p.batch = ? AND p.from_country IS NOT NULL AND p.payment_id IS NOT NULL
           AND json_extract(t.entry, '$[4].said') IN ('deposit changed', 'deposit known') ORDER BY t.seq`,
        batch,
      );
      for (const { id, key, number, paymentId, entry } of entries) {
        const { at, data } = readEntry(entry);
        const { said, payment, was = [], now = [], why } = data as Partial<DepositChange> & Record<string, unknown>;
        if (payment !== paymentId) continue;
        const before = changes.get(id);
        if (said === 'deposit known') {
          if (before !== undefined && isDeepStrictEqual(before.now, now))
            changes.set(id, { ...before, known: String(why) });
        } else changes.set(id, { row: id, key, number, paymentId, was, now, at, known: null });
      }
      return [...changes.values()];
    },
  };
}
