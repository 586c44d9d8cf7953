/** Keeps the claims of result files: rows that a file shows as sent, by a payment or an attempt that this ledger does not know. */
import { isOpen, notSentStates } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import type { Sql } from '../store/sql.ts';

/** `attempts` is null for a row that the file shows as paid or pending, because a word about a payment needs more than an attempt. */
export type Claim = readonly [key: string, batch: string | null, paymentId: string | null, attempts: number | null];

/** An older result of this ledger names payments and attempts that the ledger has. */
const isUnknown = `(c.attempts <= p.attempts OR p.payment_id = c.payment_id
  OR EXISTS (SELECT 1 FROM earlier e WHERE e.payout = p.id AND e.payment_id = c.payment_id)) IS NOT TRUE`;

export const openClaims = ({ sql, commits, clock }: Writing) => ({
  /** Takes the claims of a file that opens no version. `saidAt`: when the file's plan was made. */
  takeClaims: async (batch: string, saidAt: number) => commits.alone(() => takeClaims(sql, batch, clock.now(), saidAt)),
  /** Counts the unsent rows that a result file shows as sent. */
  claims: async (batch: string) =>
    sql.value<number>(
      `SELECT count(*) FROM claim c JOIN payout p ON p.id = c.payout
       WHERE batch = ? AND p.state IN (${notSentStates}) AND ${isOpen('p')} AND ${isUnknown}`,
      batch,
    ) ?? 0,
});

/** Replaces the claims of the rows in the sheet, unless they came after `saidAt`. The result file of another batch claims nothing. */
export function takeClaims(sql: Sql, batch: string, at: number, saidAt = at): void {
  sql.run(
    `DELETE FROM claim WHERE at <= ? AND EXISTS (SELECT 1 FROM payout p JOIN temp.draft d ON d.key = p.key WHERE p.id = claim.payout AND p.batch = ?)`,
    saidAt,
    batch,
  );
  sql.run(
    `INSERT INTO claim SELECT p.id, c.payment_id, c.attempts, CAST(? AS BIGINT) FROM temp.draft_claim c
     JOIN payout p ON p.batch = c.batch AND p.key = c.key WHERE p.batch = ? AND ${isUnknown} ON CONFLICT DO NOTHING`,
    at,
    batch,
  );
}
