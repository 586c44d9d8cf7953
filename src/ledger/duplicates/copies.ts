/** Finds copies. A copy looks like an earlier row, and was sent after the earlier row had ended. */
import { because } from '../../domain/sending/reason.ts';
import type { Copy, LedgerRow } from '../facts.ts';
import { addressOf, sentStates } from '../rows/columns.ts';
import { rowOf } from '../rows/rows.ts';
import type { Moving } from '../rows/transitions.ts';
import type { Writing } from '../store/commit.ts';

/** Reads what was sent for the rows, because a row may have other content today. */
const sent = [
  `SELECT p.id, p.batch, p.state, c.likeness, p.submitted_at, p.settled_at FROM payout p JOIN payout_content c ON c.payout = p.id`,
  `SELECT p.id, p.batch, p.state, e.likeness, e.submitted_at, e.settled_at FROM payout p JOIN earlier e ON e.payout = p.id`,
];

const pairOf = (old: string, one: string) => `SELECT p.id AS row, q.id AS copy, q.batch FROM (${old}) p JOIN (${one}) q
  ON q.likeness = p.likeness AND q.id <> p.id AND q.submitted_at >= coalesce(p.settled_at, p.submitted_at)
  WHERE ${addressOf('q.batch')} = ${addressOf('p.batch')}`;

const copiesWhere = (which: string) =>
  `${sent.flatMap((old) => sent.map((one) => `${pairOf(old, one)} AND ${which}`)).join(' UNION ')} ORDER BY row, copy`;

export function openCopies({ sql, commits, trail, moving }: Writing & { readonly moving: Moving }) {
  const living = (which: string, value: string | number) =>
    sql.all<{ payout: number; copy: number }>(
      `SELECT payout, copy FROM copy JOIN payout p ON p.id = payout JOIN payout o ON o.id = copy
       WHERE known IS NULL AND ${which} AND (p.payment_id IS NOT NULL OR p.state = 'held')
         AND p.state IN (${sentStates}) AND o.state IN (${sentStates}) ORDER BY payout, copy`,
      value,
    );
  return {
    /** Returns the copies of the rows. A copy looks like a row, and was sent after the row had ended. */
    copiesOf: async (rows: readonly number[]) =>
      sql.all<Copy>(copiesWhere('p.id IN (SELECT value FROM json_each(CAST(?1 AS TEXT)))'), JSON.stringify(rows)),
    copiesIn: async (batch: string) =>
      sql.all<Copy>(copiesWhere("p.state IN ('expired', 'refused') AND q.batch = ?1"), batch),
    keepCopies: async (row: LedgerRow, copies: readonly Copy[]) =>
      commits.alone(() => {
        const kept = copies.flatMap(({ copy: id }) => {
          const { changes } = sql.run('INSERT INTO copy VALUES (?,?,NULL) ON CONFLICT DO NOTHING', row.id, id);
          const { batch, key } = rowOf(sql, id);
          return changes === 0 ? [] : [{ id, batch, row: key }];
        });
        if (kept.length > 0)
          trail.append({ batch: row.batch, row: row.key, what: 'note', data: { copies: kept } }, row.id);
      }),
    /** Returns pairs of a row and a copy that may both be paid. Leaves out pairs that a person recorded with `know`. */
    livingCopies: async (batch: string | null) =>
      living("? IN (p.batch, o.batch, '')", batch ?? '').map(({ payout, copy }) => ({
        row: rowOf(sql, payout),
        copy: rowOf(sql, copy),
      })),
    /** Records that a person knows of the row's second payment or living copies. A copy that is paid later is an alarm. */
    know: async (row: LedgerRow, why: string) =>
      commits.alone(() => {
        const pairs = living('? IN (payout, copy)', row.id).map(({ payout, copy }) => [payout, copy] as const);
        for (const pair of pairs) sql.run('UPDATE copy SET known = ? WHERE payout = ? AND copy = ?', why, ...pair);
        const data = { said: 'known', about: row.reason, why, pairs };
        moving.note(row, { evidence: because({ kind: 'said-known', why }) }, data);
      }),
  };
}
