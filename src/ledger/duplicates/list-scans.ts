/** Compares the payments of a list scan with the rows of the ledger. The payments are in a temporary table. */
import { type LedgerRow, type MatchTimes, type SeenMatch, type SeenPayment, unclearDestination } from '../facts.ts';
import { addressOf, foldedReference, isAt, sentStates, waitingStates } from '../rows/columns.ts';
import { rowOf } from '../rows/rows.ts';
import type { Sql } from '../store/sql.ts';

const seenFields = ['id', 'tag', 'merchantId', 'amount', 'reference', 'status', 'ending', 'at', 'latest'] as const;
const seenColumns =
  's.id, s.tag, s.merchant_id AS merchantId, s.amount, s.reference, s.status, s.ending, s.at, s.latest';
const ourTag = `substr(s.tag, 1, 1) = 'q' AND length(s.tag) = 20`;
const seenFacts = 's.id, s.merchant_id, s.amount, s.reference, s.status, s.ending, s.at, s.latest';
const seenOfRows = `(SELECT ${seenFacts}, p.tag, p.id AS payout, p.revision FROM temp.seen_payment s JOIN payout p ON p.tag = s.tag
  UNION SELECT ${seenFacts}, p.tag, p.id AS payout, p.revision FROM temp.seen_payment s JOIN payout p ON p.payment_id = s.id
  UNION SELECT ${seenFacts}, e.tag, e.payout, e.revision FROM temp.seen_payment s JOIN earlier e ON e.tag = s.tag
  UNION SELECT ${seenFacts}, e.tag, e.payout, e.revision FROM temp.seen_payment s JOIN earlier e ON e.payment_id = s.id)`;
const ofNoRow = `NOT EXISTS (SELECT 1 FROM payout WHERE tag = s.tag) AND NOT EXISTS (SELECT 1 FROM earlier WHERE tag = s.tag)`;
const ofNobody = `${ofNoRow} AND NOT EXISTS (SELECT 1 FROM payout WHERE payment_id = s.id) AND NOT EXISTS (SELECT 1 FROM earlier WHERE payment_id = s.id)`;
const sameReference = (reference: string) => `${foldedReference('s.reference')} = ${foldedReference(reference)}`;
/** True for a sent row with the payment's payee, amount and reference. `matches.ts` compares such a row already. */
const comparedWith = `o.state IN (${sentStates}) AND ${addressOf('o.batch')} = ${addressOf('?1')} AND o.amount = coalesce(s.amount, o.amount)
  AND (o.merchant_id = s.merchant_id) IS NOT FALSE AND (${sameReference("(SELECT json_extract(content, '$.reference') FROM payout_content WHERE payout = o.id)")}) IS NOT FALSE`;
// Pairs payments with unsent rows of batch ?1 since sheet ?2. The service's clock is ?3 milliseconds ahead. Payments that ended
// before ?4 count only for their own batch. `home` is the newest sheet of batch ?1 that has the payment's own row. A row keeps
// the 20 newest payments of each kind, because a payee may have thousands.
const matchesOfRows = `WITH mine AS MATERIALIZED (SELECT p.*, ${foldedReference("json_extract(c.content, '$.reference')")} AS reference, json_extract(c.content, '$.name') AS name,
      coalesce(p.submitted_at, t.received_at) + ?3 AS since
    FROM payout p JOIN payout_content c ON c.payout = p.id JOIN sheet t ON t.id = p.content_sheet
    WHERE p.batch = ?1 AND p.sheet >= ?2 AND p.state IN (${waitingStates}) AND p.closed IS NULL),
  found (row, merchant, own) AS (SELECT id, merchant_id, 1 FROM mine
    UNION SELECT p.id, m.id, 1 FROM mine p JOIN temp.seen_merchant m ON m.destination = p.destination
    UNION SELECT p.id, m.id, CASE WHEN m.destination = '${unclearDestination}' THEN 1 ELSE 0 END FROM mine p JOIN temp.seen_merchant m ON lower(m.name) = lower(p.name)
      WHERE m.destination = '${unclearDestination}' OR instr(m.destination, p.country || '|') = 1
    UNION SELECT p.id, m.id, 1 FROM mine p JOIN temp.seen_merchant m ON m.phone = substr(p.destination, -13) WHERE p.country = 'Kenya'),
  payee AS MATERIALIZED (SELECT row, merchant, max(own) AS own FROM found GROUP BY row, merchant),
  owned AS MATERIALIZED (SELECT s.id AS payment, max(CASE WHEN o.batch = ?1 THEN o.sheet END) AS home, max(CASE WHEN ${comparedWith} THEN 1 ELSE 0 END) AS compared, max(o.settled_at) AS settled,
      max(CASE WHEN o.state IN ('succeeded', 'duplicate_paid') THEN 0 ELSE 1 END) AS unsettled
    FROM ${seenOfRows} s JOIN payout o ON o.id = s.payout WHERE s.merchant_id IN (SELECT merchant FROM payee) GROUP BY s.id),
  other AS MATERIALIZED (SELECT s.*, ${foldedReference('s.reference')} AS folded, w.home, CASE WHEN w.settled > s.at THEN w.settled ELSE s.at END AS paid,
      CASE WHEN s.ending = 'open' OR w.unsettled = 1 THEN 'open' ELSE 'ended' END AS standing FROM temp.seen_payment s LEFT JOIN owned w ON w.payment = s.id
    WHERE s.ending <> 'expired' AND s.merchant_id IN (SELECT merchant FROM payee) AND coalesce(w.compared, 0) = 0),
  pair AS (SELECT p.id AS row, p.number, p.amount, p.currency, s.id AS paymentId, s.paid AS at, s.amount AS paidAmount, coalesce(s.reference, '') AS reference,
      CASE WHEN s.amount = p.amount AND s.folded = p.reference THEN CASE y.own WHEN 1 THEN 'nothing' ELSE 'account' END WHEN y.own = 0 THEN NULL
        WHEN s.folded = p.reference THEN 'amount' WHEN s.amount = p.amount THEN 'reference' END AS differs,
      s.standing, CASE WHEN s.at > p.since THEN 1 ELSE 0 END AS wasMeanwhile,
      CASE WHEN s.home IS NULL THEN 0 ELSE 1 END AS isHere, CASE WHEN s.home = (SELECT sheet FROM batch WHERE name = ?1) THEN 1 ELSE 0 END AS isListed
    FROM mine p JOIN payee y ON y.row = p.id JOIN other s ON s.merchant_id = y.merchant
    WHERE coalesce(instr(p.allowed, '"payment ' || s.id || '"'), 0) = 0 AND (s.home IS NOT NULL OR s.standing = 'open' OR coalesce(s.paid, ?4) >= ?4))
  SELECT * FROM (SELECT pair.*, row_number() OVER (PARTITION BY row, differs, standing, wasMeanwhile, isHere, isListed ORDER BY at DESC NULLS FIRST, paymentId) AS place FROM pair WHERE differs IS NOT NULL) newest WHERE place <= 20 ORDER BY number, at DESC NULLS FIRST, paymentId`;
type Fact = 'wasMeanwhile' | 'isHere' | 'isListed';
const maxKnown = 500;

function eachOnce(payments: readonly SeenPayment[]): readonly SeenPayment[] {
  const byId = new Map<string, SeenPayment>();
  for (const payment of payments) {
    const { id, status, ending } = payment;
    const known = byId.get(id);
    if (known === undefined) byId.set(id, payment);
    else if (ending !== 'open') byId.set(id, { ...known, status, ending });
  }
  return [...byId.values()];
}

export type Passes = ReturnType<typeof openPasses>;

export function openPasses(sql: Sql) {
  return {
    begin: () => sql.exec('DELETE FROM temp.seen_payment'),
    add: (payments: readonly SeenPayment[]) =>
      sql.besideLedger(() => {
        sql.many(
          `INSERT INTO temp.seen_payment (id, tag, merchant_id, amount, reference, status, ending, at, latest) VALUES (?,?,?,?,?,?,?,?,?)
           ON CONFLICT (id) DO UPDATE SET status = excluded.status, ending = excluded.ending WHERE excluded.ending <> 'open'`,
          eachOnce(payments).map((one) => seenFields.map((name) => one[name])),
          'distinct',
        );
      }),
    /** Returns the ledger's payments that the scan lacks or shows with another tag. Checks only the newest 500. */
    missing: (identity: string, since: number, before: number) =>
      sql.all<{ paymentId: string; tag: string; submittedAt: number; seenTag: string | null }>(
        `SELECT p.payment_id AS paymentId, p.tag, p.submitted_at AS submittedAt, s.tag AS seenTag
         FROM (SELECT * FROM payout WHERE payment_id IS NOT NULL AND state IN ('accepted', 'succeeded', 'expired')
               AND submitted_at >= ? AND coalesce(accepted_at, submitted_at) < ? AND batch IN (SELECT name FROM batch WHERE identity = ?)
               AND payment_id NOT IN (SELECT payment_id FROM gone) ORDER BY submitted_at DESC LIMIT ${maxKnown}) p
         LEFT JOIN temp.seen_payment s ON s.id = p.payment_id WHERE s.id IS NULL OR s.tag <> p.tag`,
        since,
        before,
        identity,
      ),
    /** Returns the payments of rows of all API keys, because a new key sees the same payments. */
    sightings(address: string) {
      const found = sql.all<SeenPayment & { payout: number; revision: number }>(
        `SELECT s.payout, s.revision, ${seenColumns} FROM ${seenOfRows} s JOIN payout p ON p.id = s.payout
         WHERE ${isAt('p.batch', '?')} AND (p.payment_id IS DISTINCT FROM s.id OR p.state NOT IN ('accepted', 'succeeded', 'expired')
           OR (p.state = 'expired' AND s.ending <> 'expired') OR (p.state = 'succeeded' AND s.ending <> 'success'))
         ORDER BY s.payout, s.revision, s.id`,
        address,
      );
      return [...Map.groupBy(found, ({ payout }) => payout)].map(([payout, payments]) => ({
        row: rowOf(sql, payout),
        seen: payments.map(({ payout: _payout, revision, ...payment }) => ({ revision, payment })),
      }));
    },
    misnamed: (identity: string) =>
      sql
        .all<SeenPayment & { payout: number }>(
          `SELECT p.id AS payout, ${seenColumns} FROM temp.seen_payment s JOIN payout p ON p.payment_id = s.id
           WHERE s.tag <> p.tag AND p.state IN ('accepted', 'succeeded', 'expired')
             AND p.batch IN (SELECT name FROM batch WHERE identity = ?)`,
          identity,
        )
        .map(({ payout, ...payment }) => ({ row: rowOf(sql, payout), payment })),
    /** Returns payments with a tag in Payrun's form that belongs to no row of this ledger. */
    strangers: () =>
      sql.all<SeenPayment & { tag: string }>(
        `SELECT ${seenColumns} FROM temp.seen_payment s WHERE ${ourTag} AND ${ofNoRow}`,
      ),
    /** Returns payments in the scan that look like unsent rows of the batch. The service's clock is `lead` ms ahead. */
    matches(batch: string, sheet: number, { lead, since }: { readonly lead: number } & Pick<MatchTimes, 'since'>) {
      // The database plans the long query in milliseconds, so a scan without payments leaves it out.
      if (sql.one('SELECT 1 FROM temp.seen_payment LIMIT 1') === null) return [];
      // Searches by payee, because a sheet may pay everybody the same amount under one reference.
      return sql
        .all<Omit<SeenMatch, Fact> & Record<Fact, 0 | 1>>(matchesOfRows, batch, sheet, lead, since)
        .map(({ wasMeanwhile, isHere, isListed, ...one }) => ({
          ...one,
          wasMeanwhile: wasMeanwhile === 1,
          isHere: isHere === 1,
          isListed: isListed === 1,
        }));
    },
    /** Returns ids of payments that may match an unsent row, but whose payee, amount or reference is unknown. */
    lacking: (since: number) =>
      sql.column<string>(
        `SELECT s.id FROM temp.seen_payment s WHERE (s.merchant_id IS NULL OR s.amount IS NULL OR s.reference IS NULL)
             AND s.ending <> 'expired' AND (s.at IS NULL OR s.at >= ?) AND ${ofNobody}
             AND EXISTS (SELECT 1 FROM payout p WHERE p.state IN ('planned', 'ready') AND p.closed IS NULL AND p.amount = coalesce(s.amount, p.amount)
               AND (s.merchant_id IS NULL OR p.merchant_id IS NULL OR p.merchant_id = s.merchant_id
                 OR EXISTS (SELECT 1 FROM temp.seen_merchant m WHERE m.id = s.merchant_id AND m.destination IN (p.destination, '${unclearDestination}'))))`,
        since,
      ),
    fill(
      paymentId: string,
      { merchantId, amount, reference }: Pick<SeenPayment, 'merchantId' | 'amount' | 'reference'>,
    ) {
      sql.run(
        `UPDATE temp.seen_payment SET merchant_id = coalesce(merchant_id, ?), amount = coalesce(amount, ?), reference = coalesce(reference, ?) WHERE id = ?`,
        merchantId,
        amount,
        reference,
        paymentId,
      );
    },
    likesOf: (row: LedgerRow) =>
      sql.column<string>(
        `SELECT s.id FROM temp.seen_payment s WHERE s.merchant_id = ? AND s.amount = ? AND ${sameReference('?')} AND s.ending <> 'expired' AND ${ofNobody}
           ORDER BY s.at, s.id`,
        row.merchantId,
        row.amount,
        (JSON.parse(row.content) as { reference: string }).reference,
      ),
    holdsIntentAfter: (identity: string, moment: number) =>
      sql.one(
        `SELECT 1 FROM payout p JOIN temp.seen_payment s ON s.id = p.payment_id WHERE p.submitted_at >= ?
         AND p.attempts > 0 AND p.batch IN (SELECT name FROM batch WHERE identity = ?) LIMIT 1`,
        moment,
        identity,
      ) !== null,
    tagless: (identity: string) =>
      sql.column<string>(
        // A payment without a payee or an amount may belong to any row.
        `SELECT s.id FROM temp.seen_payment s WHERE s.tag IS NULL
             AND (s.merchant_id IS NULL OR s.amount IS NULL
               OR s.amount IN (SELECT amount FROM payout WHERE batch IN (SELECT name FROM batch WHERE identity = ?)))
             AND NOT EXISTS (SELECT 1 FROM payout WHERE payment_id = s.id)`,
        identity,
      ),
    tell: (paymentId: string, tag: string | null) => {
      sql.run('UPDATE temp.seen_payment SET tag = ? WHERE id = ?', tag, paymentId);
    },
    holds: (paymentId: string) => sql.one('SELECT 1 FROM temp.seen_payment WHERE id = ?', paymentId) !== null,
  };
}
