/** Puts rows in doubt after a crash, and stores what people decide about rows and payments. */
import { assert } from '../../base/errors.ts';
import { type Closed, mayMoveRow, type RowChange } from '../../domain/rows/row-states.ts';
import { tagOf } from '../../domain/rows/tag.ts';
import { because } from '../../domain/sending/reason.ts';
import type { LedgerRow, Move } from '../facts.ts';
import type { Writing } from '../store/commit.ts';
import { replacing, selectRows } from './columns.ts';
import type { Moving } from './transitions.ts';

export function openRecovery({ sql, commits, trail, clock, moving }: Writing & { readonly moving: Moving }) {
  return {
    async recover() {
      const dying = sql.all<LedgerRow>(`${selectRows} WHERE state = 'sending' ORDER BY id`);
      const reason = because({ kind: 'run-died' });
      commits.alone(() => {
        for (const row of dying) moving.move({ row, from: 'sending', to: 'in_doubt', reason });
        const { changes: merchants } = sql.run("UPDATE merchant SET state = 'in_doubt' WHERE state = 'creating'");
        const { changes: documents } = sql.run(
          "UPDATE document SET state = 'in_doubt', reason = ? WHERE state = 'uploading'",
          because({ kind: 'upload-ended' }),
        );
        if (merchants + documents > 0)
          trail.append({ batch: null, what: 'recovered', data: { merchants, documents, to: 'in_doubt' } });
      });
      return dying.length;
    },
    /** Records that scans need not show this payment: a person gave `reason`, or it was made elsewhere (null). Scans without the payment then count as complete. `move` is what the word does to the payment's row. */
    markGone: async (paymentId: string, reason: string | null, move: Move | null) =>
      commits.alone(() => {
        if (move !== null) moving.move(move);
        const at = clock.now();
        sql.run(...replacing('gone', 'paymentId', { paymentId, reason, at }));
        trail.append({ at, batch: null, what: 'gone', data: { paymentId, reason } });
      }),
    isGone: async (paymentId: string) => sql.one('SELECT 1 FROM gone WHERE payment_id = ?', paymentId) !== null,
    /** Closes the rows, and keeps their states. Payrun sends no closed row until a person or sheet reopens the row. */
    closeRows: async (rows: readonly LedgerRow[], { by, why }: { readonly by: string | null; readonly why: string }) =>
      commits.alone(() => {
        const closed = JSON.stringify({ by, why, at: clock.now() } satisfies Closed);
        for (const row of rows) moving.note(row, { closed }, { said: 'dropped', by, why });
      }),
    reopenRows: async (rows: readonly LedgerRow[], { by, why }: { readonly by: string | null; readonly why: string }) =>
      commits.alone(() => {
        for (const row of rows) moving.note(row, { closed: null }, { said: 'reopened', by, why });
      }),
  };
}

/** Prepares an unpaid row for another attempt. A refused row keeps its tag. An expired row gets a new revision and tag. */
export function sendAgain(
  { sql, trail, moving }: Pick<Writing, 'sql' | 'trail'> & { readonly moving: Moving },
  row: LedgerRow,
): void {
  assert(mayMoveRow(row.state, 'planned'), `a row that is ${row.state} is not sent again`);
  const isExpired = row.state === 'expired';
  const revision = isExpired ? row.revision + 1 : row.revision;
  if (isExpired) moving.rememberEarlier(row);
  sql.change(
    () => `row ${row.key} (${row.batch}) is not ${row.state}`,
    `UPDATE payout SET state = 'planned', revision = ?, tag = ?, merchant_id = NULL, payment_id = NULL, paid_amount = NULL, payment_status = NULL,
     reason = NULL, service_details = NULL, settled_at = NULL, missed = NULL WHERE id = ? AND state = ?`,
    revision,
    tagOf(row.batch, row.key, revision),
    row.id,
    row.state,
  );
  sql.run("UPDATE document SET state = 'due', document_id = NULL, reason = NULL WHERE payout = ?", row.id);
  const earlier = { paymentId: row.paymentId, tag: row.tag };
  const data = { from: row.state, to: 'planned', change: 'retry' satisfies RowChange, revision, reason: null, earlier };
  trail.append({ batch: row.batch, row: row.key, what: 'move', data }, row.id);
}
