/** Moves rows and writes their trail entries. Call these functions only inside a transaction. */
import { momentHash, shortHash, spansOf } from '../../audit/bulk.ts';
import { assert } from '../../base/errors.ts';
import { columnOf, eachOf } from '../../base/words.ts';
import { mayMoveRow, type RowState } from '../../domain/rows/row-states.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import { requireNoHold } from '../batches/holds.ts';
import { requireGoing, wakeLead } from '../batches/lead.ts';
import type { LedgerRow, Move, RowFacts } from '../facts.ts';
import type { Writing } from '../store/commit.ts';
import type { SqlValue } from '../store/sql.ts';
import { replacing } from './columns.ts';

/** Does not compile if a fact is missing. */
const stored: { readonly [F in Exclude<keyof RowFacts, 'attempted'>]: true } = eachOf(
  true as const,
  'merchantId paymentId paidAmount paymentStatus reason submittedAt acceptedAt settledAt serviceDetails sentMoment missed',
  'allowed released evidence closed revision tag',
);
const storedFacts = Object.keys(stored) as (keyof typeof stored)[];

export type SentFacts = Pick<LedgerRow, 'tag' | 'id' | 'revision' | 'paymentId' | 'submittedAt' | 'settledAt'>;

export type Moving = ReturnType<typeof openMoving>;

export function openMoving({ sql, trail, clock }: Pick<Writing, 'sql' | 'trail' | 'clock'>) {
  function update(row: LedgerRow, from: RowState, to: RowState, said: RowFacts, worker: string | null = null): void {
    // Clears the paid amount if the payment changes or expires, because the amount belongs to the old payment.
    if (said.tag !== undefined && said.tag !== row.tag) rememberEarlier(row);
    const facts = said.paymentId !== undefined || to === 'expired' ? { paidAmount: null, ...said } : said;
    let sets = 'state = ?, attempts = attempts + ?';
    const values: SqlValue[] = [to, facts.attempted ?? 0];
    for (const fact of storedFacts) {
      const value = facts[fact];
      if (value === undefined) continue;
      sets += `, ${columnOf(fact)} = ?`;
      values.push(value);
    }
    const otherwise = () => `row ${row.key} (${row.batch}) is not ${from}`;
    // For a closed row, the update matches nothing and `sql.change` throws, so Payrun does not send the row.
    const where = `UPDATE payout SET ${sets} WHERE id = ? AND state = ?${to === 'sending' ? ' AND closed IS NULL' : ''}`;
    if (worker === null) sql.change(otherwise, where, ...values, row.id, from);
    else {
      const claimed = `${where} AND attempts = ? AND worker = ?`;
      sql.change(otherwise, claimed, ...values, row.id, from, row.attempts, worker);
    }
  }

  /** Stores what was sent with the row's old tag before the tag changes, because its payments still belong to the row. */
  function rememberEarlier({ tag, id: payout, revision, paymentId, submittedAt, settledAt }: SentFacts): void {
    const likeness = sql.value<string>('SELECT likeness FROM payout_content WHERE payout = ?', payout)!;
    const sent = { tag, payout, revision, paymentId, likeness, submittedAt, settledAt };
    sql.run(...replacing('earlier', 'tag', sent));
  }

  return {
    /** Throws if the row left `from` or belongs to another worker, or if the batch may send nothing now. */
    move(move: Move, claim?: { readonly worker: string }) {
      const { row, from, to } = move;
      assert(mayMoveRow(from, to), `no row moves from ${from} to ${to}`);
      if (to === 'sending') {
        requireNoHold(sql, row.batch);
        requireGoing(sql, row.batch);
      }
      if (to === 'accepted' && from !== 'sending') wakeLead(sql, row.batch, clock.now());
      const moment = momentOf[to];
      const at = (moment === undefined ? undefined : move[moment]) ?? clock.now();
      update(row, from, to, moment === undefined ? move : { ...move, [moment]: at }, claim?.worker);
      const data = { from, to, ...movedFacts(move, to === 'sending', move.data) };
      trail.append({ at, batch: row.batch, row: row.key, what: 'move', data }, row.id);
    },
    /** Moves the rows to sending under one lease. `leaseUntil` is SQL that reads the clock of the database. */
    claim(
      rows: readonly { readonly row: LedgerRow; readonly data: Readonly<Record<string, unknown>> }[],
      lease: Required<Pick<RowFacts, 'submittedAt' | 'sentMoment'>> & Readonly<Record<'worker' | 'leaseUntil', string>>,
    ) {
      const { worker, leaseUntil, submittedAt, sentMoment } = lease;
      sql.run(
        `UPDATE payout SET state = 'sending', attempts = attempts + 1, submitted_at = ?, sent_moment = ?, missed = NULL, reason = NULL,
           worker = ?, lease_until = ${leaseUntil} WHERE state = 'ready' AND closed IS NULL AND id IN (SELECT value FROM json_each(CAST(? AS TEXT)))`,
        submittedAt,
        sentMoment,
        worker,
        JSON.stringify(rows.map(({ row }) => row.id)),
      );
      for (const { row, data } of rows) {
        const moved = { from: 'ready', to: 'sending', ...movedFacts({ sentMoment }, true, { ...data, worker }) };
        trail.append({ at: submittedAt, batch: row.batch, row: row.key, what: 'move', data: moved }, row.id);
      }
    },
    note(row: LedgerRow, facts: RowFacts, data?: Move['data']) {
      update(row, row.state, row.state, facts);
      trail.append({ batch: row.batch, row: row.key, what: 'note', data: movedFacts(facts, false, data) }, row.id);
    },
    recordMany(batch: string, from: RowState, to: RowState, rows: readonly { readonly id: number }[]) {
      assert(mayMoveRow(from, to), `no row moves from ${from} to ${to}`);
      if (rows.length === 0) return;
      const ids = spansOf(rows.map(({ id }) => id));
      trail.append({ batch, what: 'move', data: { from, to, rows: rows.length, ids } });
    },
    rememberEarlier,
  };
}

const momentOf: { readonly [S in RowState]?: 'submittedAt' | 'acceptedAt' | 'settledAt' } = {
  sending: 'submittedAt',
  accepted: 'acceptedAt',
  succeeded: 'settledAt',
  expired: 'settledAt',
  duplicate_paid: 'settledAt',
};

/** Returns a trail entry's data. An audit computes the row from the data. `beside` may not use a name of `facts`. */
function movedFacts(facts: RowFacts, intent: boolean, beside: Move['data'] = {}): Record<string, unknown> {
  const { merchantId, paymentId, paidAmount, paymentStatus, revision, allowed, released, evidence, closed } = facts;
  const { reason, missed, submittedAt, serviceDetails, sentMoment } = facts;
  const said = {
    merchantId,
    paymentId,
    paidAmount: paidAmount ?? undefined,
    paymentStatus,
    revision,
    allowed,
    released,
    evidence: evidence && reasonsIn(evidence),
    closed,
    // An intent clears the reason and the missing scan of every row, so its entry leaves out these nulls.
    reason: intent && reason === null ? undefined : reason && reasonsIn(reason),
    missed: intent && missed === null ? undefined : missed,
    submittedAt: intent ? undefined : submittedAt,
    serviceDetails: serviceDetails && shortHash(serviceDetails),
    moment: sentMoment && momentHash(sentMoment),
  };
  return { ...beside, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}
