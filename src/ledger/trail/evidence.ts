/** Reads the tables that an audit checks. */
import type { Evidence, EvidenceSelf } from '../../audit/evidence.ts';
import type { Sql } from '../store/sql.ts';

export function openEvidence(sql: Sql, faults: Evidence['faults']): Evidence {
  return {
    faults,
    self: () => [...sql.each<EvidenceSelf>('SELECT id, home FROM ledger')],
    trail: () => sql.each('SELECT seq, payout, entry AS text, hash FROM trail ORDER BY seq'),
    rows: () =>
      sql.each(`SELECT id, batch, key, number, sheet, first_sheet AS firstSheet, content_sheet AS contentSheet, state, revision, tag, amount, unit,
        currency, from_country AS fromCountry, country, destination, collection, merchant_id AS merchantId,
        payment_id AS paymentId, paid_amount AS paidAmount, payment_status AS paymentStatus, reason, attempts, submitted_at AS submittedAt,
        accepted_at AS acceptedAt, settled_at AS settledAt, service_details AS serviceDetails, sent_moment AS sentMoment, missed,
        allowed, released, evidence, closed, digest, likeness, content, content_hash AS contentHash,
        id_key AS payeeId, name_key AS payeeName, account AS payeeAccount
        FROM payout LEFT JOIN payout_content c ON c.payout = id LEFT JOIN payee y ON y.payout = id ORDER BY id`),
    strayContents: () =>
      sql.each(`SELECT payout FROM (SELECT payout FROM payout_content UNION SELECT payout FROM payee)
        WHERE payout NOT IN (SELECT id FROM payout) ORDER BY payout`),
    batches: () =>
      sql.each(`SELECT name, identity, service, created_at AS createdAt, sheet, listed_since AS listedSince,
        repeat_reason AS repeatReason, quiet_until AS quietUntil, listed_at AS listedAt FROM batch ORDER BY name`),
    sheets: () =>
      sql.each(`SELECT id, batch, name, origin, copy, digest, received_at AS receivedAt, options, row_count AS rowCount,
        invalid FROM sheet ORDER BY id`),
    invalid: () => sql.each('SELECT sheet, number, payout, problems FROM invalid_row ORDER BY sheet, number'),
    documents: () =>
      sql.each(`SELECT id, payout, name, path, sha256, size_bytes AS sizeBytes, state, document_id AS documentId, reason
        FROM document ORDER BY payout, name`),
    merchants: () =>
      sql.each(`SELECT identity, destination, country, state, merchant_id AS merchantId, content, reason, number
        FROM merchant ORDER BY identity, destination`),
    gone: () => sql.each('SELECT payment_id AS paymentId, reason, at FROM gone ORDER BY payment_id'),
    copies: () => sql.each('SELECT payout, copy, known FROM copy ORDER BY payout, copy'),
    earlier: () => sql.each('SELECT tag, payout, revision, payment_id AS paymentId FROM earlier ORDER BY tag'),
  };
}
