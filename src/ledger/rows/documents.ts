/** Reads the documents of rows, and changes their states. */
import { assert } from '../../base/errors.ts';
import { type DocumentState, documentMoves } from '../../domain/rows/row-states.ts';
import { reasonsIn, type StoredReasons } from '../../domain/sending/reason.ts';
import type { LedgerDocument } from '../facts.ts';
import type { Writing } from '../store/commit.ts';
import { addressOf, notSentStates, quoted } from './columns.ts';

const selectDocuments = `SELECT d.id, d.payout AS row, p.key AS rowKey, p.payment_id AS paymentId, d.name, d.path, d.sha256,
  d.size_bytes AS sizeBytes, d.state, d.reason FROM document d JOIN payout p ON p.id = d.payout`;

const paidAt = 'coalesce(p.submitted_at, p.accepted_at, p.settled_at)';

export function openDocuments({ sql, commits, trail }: Pick<Writing, 'sql' | 'commits' | 'trail'>) {
  return {
    list: async (batch: string, states: readonly DocumentState[], afterId: number, limit: number) =>
      sql.all<LedgerDocument>(
        `${selectDocuments} WHERE p.batch = ? AND d.state IN (${quoted(states)}) AND d.id > ?
         AND p.payment_id IS NOT NULL ORDER BY d.id LIMIT ?`,
        batch,
        afterId,
        limit,
      ),
    async documentCounts(batch: string) {
      const counts: Record<DocumentState, number> = { due: 0, uploading: 0, attached: 0, in_doubt: 0, missing: 0 };
      for (const { state, n } of sql.all<{ state: DocumentState; n: number }>(
        `SELECT d.state, count(*) AS n FROM document d JOIN payout p ON p.id = d.payout
         WHERE p.batch = ? AND p.payment_id IS NOT NULL GROUP BY d.state`,
        batch,
      ))
        counts[state] = n;
      return counts;
    },
    documentsOf: async (rowId: number) =>
      sql.all<LedgerDocument>(`${selectDocuments} WHERE d.payout = ? ORDER BY d.id`, rowId),
    /** Returns documents of unsent draft rows if another batch at `address` already attached the same file. */
    documentsAgain: (batch: string, address: string, limit: number) =>
      sql.all<{ number: number; name: string; batch: string; twin: number; paidAt: number }>(
        `SELECT number, name, batch, twin, paidAt FROM (SELECT d.number, d.name, p.batch, p.number AS twin, ${paidAt} AS paidAt,
           row_number() OVER (PARTITION BY d.number, d.name ORDER BY ${paidAt} DESC NULLS LAST, p.id DESC) AS place
         FROM temp.draft_document d JOIN temp.draft ON draft.number = d.number
         LEFT JOIN payout own ON own.batch = ?1 AND own.key = draft.key
         JOIN document had ON had.sha256 = d.sha256 AND had.state = 'attached' JOIN payout p ON p.id = had.payout
         WHERE p.batch <> ?1 AND ${addressOf('p.batch')} = ?2 AND (own.id IS NULL OR own.state IN (${notSentStates}))
         ) found WHERE place = 1 ORDER BY number, name LIMIT ?3`,
        batch,
        address,
        limit,
      ),
    moveDocument: (
      { id, row, rowKey, name, sha256, state: from }: LedgerDocument,
      to: DocumentState,
      facts: { readonly documentId?: string; readonly reason?: StoredReasons | null } = {},
    ) =>
      commits.share(() => {
        assert(documentMoves[from].includes(to), `no document moves from ${from} to ${to}`);
        sql.change(
          () => `row ${rowKey}: document not ${from}`,
          'UPDATE document SET state = ?, document_id = coalesce(?, document_id), reason = ? WHERE id = ? AND state = ?',
          to,
          facts.documentId ?? null,
          facts.reason ?? null,
          id,
          from,
        );
        const batch = sql.value<string>('SELECT batch FROM payout WHERE id = ?', row);
        const reason = facts.reason == null ? {} : { reason: reasonsIn(facts.reason) };
        const data = { name, sha256, from, to, ...facts, ...reason };
        trail.append({ batch, row: rowKey, what: 'document', data }, row);
      }),
  };
}
