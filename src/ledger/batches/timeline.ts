/** Counts the payments of a batch in equal steps of time. The database counts, so a large batch needs little memory. */
import type { Timeline } from '../facts.ts';
import type { Sql } from '../store/sql.ts';

export function openTimeline(sql: Sql) {
  return {
    async timeline(batch: string, steps: number) {
      const span = sql.one<{ first: number | null; last: number | null }>(
        `SELECT min(submitted_at) AS first, max(CASE WHEN settled_at > submitted_at THEN settled_at ELSE submitted_at END) AS last
         FROM payout WHERE batch = ? AND submitted_at IS NOT NULL`,
        batch,
      );
      if (span?.first == null || span.last == null) return null;
      const { first } = span;
      const stepMs = Math.max(1, Math.ceil((span.last - first + 1) / steps));
      const counted = (moment: string, where: string): number[] => {
        const counts = Array.from({ length: Math.floor((span.last! - first) / stepMs) + 1 }, () => 0);
        const found = sql.each<{ step: number; rows: number }>(
          `SELECT CAST((${moment} - ?) / ? AS BIGINT) AS step, count(*) AS rows FROM payout WHERE batch = ? AND submitted_at IS NOT NULL AND ${where} GROUP BY step`,
          first,
          stepMs,
          batch,
        );
        // If somebody sets the clock back, a payment can end before the first step. The first step counts it.
        for (const { step, rows } of found) counts[Math.max(0, step)]! += rows;
        return counts;
      };
      const ended = 'coalesce(settled_at, submitted_at)';
      return {
        from: first,
        stepMs,
        sent: counted('submitted_at', 'TRUE'),
        paid: counted(ended, "state = 'succeeded'"),
        unpaid: counted(ended, "state IN ('expired', 'refused')"),
        held: sql.value<number>("SELECT count(*) FROM payout WHERE batch = ? AND state = 'withheld'", batch)!,
      } satisfies Timeline;
    },
  };
}
