/** What moves rows, with the line of the trail that tells it: only inside a transaction. */
import { momentHash, shortHash, spansOf } from '../../audit/bulk.ts';
import { assert } from '../../base/errors.ts';
import type { LedgerRow, Move, RowFacts } from '../facts.ts';
import { pausedError, pauseOf } from '../fleet/pause.ts';
import type { SqlValue } from '../store/sql-value.ts';
import type { Writing } from '../store/unit-of-work.ts';
import { mayMoveRow, type RowState } from './states.ts';

export interface Moving {
  /** An intent throws PAUSED while its batch is. With `claim` only of the row's own attempt, by the worker that made it: fails, at the latest by the commit, where it is another's. */
  move(move: Move, claim?: { readonly worker: string }): void;
  /** The intents of one worker, with one lease, which ends when the database's clock says so: `leaseUntil` is its expression. */
  claim(
    rows: readonly { readonly row: LedgerRow; readonly data: Readonly<Record<string, unknown>> }[],
    facts: Required<Pick<RowFacts, 'submittedAt' | 'sentMoment'>> & {
      readonly worker: string;
      readonly leaseUntil: string;
    },
  ): void;
  /** Facts that change no state. */
  note(row: LedgerRow, facts: RowFacts, data?: Move['data']): void;
  /** One line for what one statement did; without the rows' ids nobody could tell later where each of them stood. */
  tellMany(batch: string, from: RowState, to: RowState, rows: readonly { readonly id: number }[]): void;
  /** A row that runs again under a new tag is still answerable for the payments under its old one. */
  rememberEarlier(row: Pick<LedgerRow, 'tag' | 'id' | 'revision' | 'paymentId'>): void;
}

/** A fact's column; those of a row's identity change with the sheet alone. */
const columnOf = {
  merchantId: 'merchant_id',
  paymentId: 'payment_id',
  paidAmount: 'paid_amount',
  paymentStatus: 'payment_status',
  reason: 'reason',
  submittedAt: 'submitted_at',
  acceptedAt: 'accepted_at',
  settledAt: 'settled_at',
  told: 'told',
  sentMoment: 'sent_moment',
  missed: 'missed',
  notRepeat: 'not_repeat',
  released: 'released',
  evidence: 'evidence',
  revision: 'revision',
  tag: 'tag',
} as const satisfies { readonly [F in Exclude<keyof RowFacts, 'attempted'>]: string };

const columns = Object.entries(columnOf) as readonly (readonly [keyof typeof columnOf, string])[];

export interface MovingGround extends Pick<Writing, 'sql' | 'trail' | 'clock'> {
  /** Others may pause what this process sends. */
  readonly isShared: boolean;
  /** Throws where a plan of the batch was made since this process looked. */
  readonly requireHeeded: (batch: string) => void;
}

export function openMoving({ sql, trail, clock, isShared, requireHeeded }: MovingGround): Moving {
  /** In the intent's own transaction, so that no sender forgets it; a claim is of a batch that is open, and so not paused. */
  function requireGoing({ batch }: LedgerRow): void {
    const reason = isShared ? pauseOf({ sql }, batch) : null;
    if (reason !== null) throw pausedError(batch, reason);
    requireHeeded(batch);
  }

  /** Only what a move says is written: a statement for each set of facts, of which there are few. */
  function update(row: LedgerRow, from: RowState, to: RowState, said: RowFacts, worker: string | null = null): void {
    // What another payment was of, or one that was never paid out, says nothing of this one.
    const facts = said.paymentId !== undefined || to === 'expired' ? { paidAmount: null, ...said } : said;
    let sets = 'state = ?, attempts = attempts + ?';
    const values: SqlValue[] = [to, facts.attempted ?? 0];
    for (const [fact, column] of columns) {
      const value = facts[fact];
      if (value === undefined) continue;
      sets += `, ${column} = ?`;
      values.push(value);
    }
    const otherwise = () => `row ${row.key} of batch ${row.batch} is no longer ${from}`;
    const where = `UPDATE payout SET ${sets} WHERE id = ? AND state = ?`;
    if (worker === null) sql.change(otherwise, where, ...values, row.id, from);
    else {
      const claimed = `${where} AND attempts = ? AND worker = ?`;
      sql.change(otherwise, claimed, ...values, row.id, from, row.attempts, worker);
    }
    // The tag that the row bore until now may still come to light with a payment.
    if (facts.tag !== undefined && facts.tag !== row.tag) rememberEarlier(row);
  }

  const rememberEarlier: Moving['rememberEarlier'] = ({ tag, id, revision, paymentId }) => {
    sql.run(
      `INSERT INTO earlier (tag, payout, revision, payment_id) VALUES (?,?,?,?) ON CONFLICT (tag)
       DO UPDATE SET payout = excluded.payout, revision = excluded.revision, payment_id = excluded.payment_id`,
      tag,
      id,
      revision,
      paymentId,
    );
  };

  return {
    move(move, claim) {
      const { row, from, to } = move;
      assert(mayMoveRow(from, to), `no row moves from ${from} to ${to}`);
      if (to === 'sending') requireGoing(row);
      // The entry's own moment is the one that the row bears: it is not written twice.
      const moment = momentOf[to];
      const at = (moment === undefined ? undefined : move[moment]) ?? clock.now();
      update(row, from, to, moment === undefined ? move : { ...move, [moment]: at }, claim?.worker);
      const data = { from, to, ...movedFacts(move, to === 'sending', move.data) };
      trail.append({ at, batch: row.batch, row: row.key, what: 'move', data }, row.id);
    },
    claim(rows, { worker, leaseUntil, submittedAt, sentMoment }) {
      sql.run(
        `UPDATE payout SET state = 'sending', attempts = attempts + 1, submitted_at = ?, sent_moment = ?, missed = NULL, reason = NULL,
           worker = ?, lease_until = ${leaseUntil} WHERE state = 'ready' AND id IN (SELECT value FROM json_each(CAST(? AS TEXT)))`,
        submittedAt,
        sentMoment,
        worker,
        JSON.stringify(rows.map(({ row }) => row.id)),
      );
      for (const { row, data } of rows) {
        const told = { from: 'ready', to: 'sending', ...movedFacts({ sentMoment }, true, { ...data, worker }) };
        trail.append({ at: submittedAt, batch: row.batch, row: row.key, what: 'move', data: told }, row.id);
      }
    },
    note(row, facts, data) {
      update(row, row.state, row.state, facts);
      trail.append({ batch: row.batch, row: row.key, what: 'note', data: movedFacts(facts, false, data) }, row.id);
    },
    tellMany(batch, from, to, rows) {
      assert(mayMoveRow(from, to), `no row moves from ${from} to ${to}`);
      if (rows.length === 0) return;
      const ids = spansOf(rows.map(({ id }) => id));
      trail.append({ batch, row: null, what: 'move', data: { from, to, rows: rows.length, ids } });
    },
    rememberEarlier,
  };
}

/** Which of a row's moments a move to a state sets. */
const momentOf: { readonly [S in RowState]?: 'submittedAt' | 'acceptedAt' | 'settledAt' } = {
  sending: 'submittedAt',
  accepted: 'acceptedAt',
  succeeded: 'settledAt',
  expired: 'settledAt',
};

/**
 * What an auditor reads of a move: ids and words, and of the raw answer and of the clocks a hash. Everything that the row bears afterwards must follow
 * from it, so that nothing beside it may bear the same name; an intent clears reason and missed without saying so, since it is written
 * for every payment.
 */
function movedFacts(facts: RowFacts, intent: boolean, beside: Move['data'] = {}): Record<string, unknown> {
  const { merchantId, paymentId, paidAmount, paymentStatus, revision, notRepeat, released, evidence } = facts;
  const { reason, missed, submittedAt, told, sentMoment } = facts;
  const data: Record<string, unknown> = { ...beside };
  const tell = (name: string, value: unknown) => {
    if (value !== undefined) data[name] = value;
  };
  tell('merchantId', merchantId);
  tell('paymentId', paymentId);
  tell('paidAmount', paidAmount ?? undefined);
  tell('paymentStatus', paymentStatus);
  tell('revision', revision);
  tell('notRepeat', notRepeat);
  tell('released', released);
  tell('evidence', evidence);
  if (!intent || reason !== null) tell('reason', reason);
  if (!intent || missed !== null) tell('missed', missed);
  if (!intent) tell('submittedAt', submittedAt);
  if (told !== undefined) tell('told', shortHash(told));
  if (sentMoment !== undefined) tell('moment', momentHash(sentMoment));
  return data;
}
