/** Keeps the claims of result files. A claim is a row that a file shows as sent, and that has no payment in this ledger. */
import { mayBePaid } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import type { Sql } from '../store/sql.ts';

export const openClaims = ({ sql, commits }: Writing) => ({
  /** Takes the claims of a file that opens no version. */
  takeClaims: async (batch: string) =>
    commits.alone(() => {
      leaveKnownClaims(sql, batch);
      takeClaims(sql, batch);
    }),
  /** Counts the claims: those whose row has a payment in this ledger, and the others. */
  claims: async (batch: string) =>
    sql.one<Record<'known' | 'unknown', number>>(
      `SELECT count(*) FILTER (WHERE ${mayBePaid('p')}) AS known, count(*) FILTER (WHERE NOT ${mayBePaid('p')}) AS unknown
       FROM claim JOIN payout p ON p.id = payout WHERE batch = ?`,
      batch,
    )!,
  /** Ends the claims of the rows that have a payment in this ledger. */
  endClaims: async (batch: string) =>
    commits.alone(() => {
      sql.run(
        `DELETE FROM claim WHERE payout IN (SELECT id FROM payout p WHERE batch = ? AND ${mayBePaid('p')})`,
        batch,
      );
    }),
});

/** Removes the claims that say no more than the ledger: the row may be paid, or is held here too. */
export function leaveKnownClaims(sql: Sql, batch: string): void {
  sql.run(
    `DELETE FROM temp.draft_claim WHERE EXISTS (SELECT 1 FROM payout p WHERE p.batch = ? AND p.key = draft_claim.key
       AND (${mayBePaid('p')} OR (p.state = 'withheld' AND draft_claim.word = 'held')))`,
    batch,
  );
}

/** Replaces the claims of the rows in the sheet. Other claims stay. The result file of another batch claims nothing. */
export function takeClaims(sql: Sql, batch: string): void {
  sql.run(
    `DELETE FROM claim WHERE EXISTS (SELECT 1 FROM payout p JOIN temp.draft d ON d.key = p.key WHERE p.id = claim.payout AND p.batch = ?)`,
    batch,
  );
  sql.run(
    'INSERT INTO claim SELECT p.id FROM temp.draft_claim c JOIN payout p ON p.batch = c.batch AND p.key = c.key WHERE p.batch = ? ON CONFLICT DO NOTHING',
    batch,
  );
}
