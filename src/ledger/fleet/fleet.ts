/** Runs a fleet: a leader opens a batch, and workers claim its rows. A claim is an intent with a lease. */
import { PayrunError } from '../../base/errors.ts';
import type { Refusal } from '../../base/refusal.ts';
import type { Each } from '../../base/words.ts';
import { sharedCauseMs } from '../../domain/sending/doubt.ts';
import { mayClaim } from '../../domain/sending/fleet-share.ts';
import { type Pace, slowed, widthAt } from '../../domain/sending/pace.ts';
import { because, reasonsIn, type StoredReasons } from '../../domain/sending/reason.ts';
import { isOnHold, requireNoHold } from '../batches/holds.ts';
import { isGoing, type LeadStop, oweResult, requireGoing, stopLead } from '../batches/lead.ts';
import type { AmountSpan, LedgerRow, Move } from '../facts.ts';
import { beyondSpans, selectRows } from '../rows/columns.ts';
import type { Moving } from '../rows/transitions.ts';
import type { Writing } from '../store/commit.ts';
import type { NewEntry } from '../store/trail.ts';

export interface Terms extends Each<'doubtsInARow doubts', number>, Each<'holdsRails isUnderPolicy', boolean> {
  /** The word for each funding source in requests to the service (interface 2.9). */
  readonly sourceWords: readonly (readonly [string, string])[];
  /** The breaker's limits for refusals in a row, for doubts in a row, and for all doubts since the batch was opened. */
  readonly refusals: number;
}

export interface SendingSession extends Each<'since epoch', number> {
  readonly batch: string;
  readonly terms: Terms;
}

export interface ClaimOrder
  extends Each<'member identity sentMoment', string>,
    Each<'most leaseMs submittedAt', number> {
  readonly spans: (terms: Terms) => readonly AmountSpan[];
  /** Returns the data of a row's intent. If this throws, the member claims no row. */
  readonly intentOf: (row: LedgerRow, terms: Terms) => Readonly<Record<string, unknown>>;
  /** True if a policy is in force. The member then claims no row of a batch that was opened without a policy. */
  readonly isUnderPolicy: boolean;
}

export type SessionEnd =
  /** `sent`: sending is over. `left`: a new run closed an earlier run's batch. */
  | { readonly why: 'sent' | 'left' }
  /** Too many doubts opened the breaker, so Payrun must scan the list before it sends the next row. */
  | { readonly why: 'doubts'; readonly reason: StoredReasons | null }
  | ({ readonly why: 'stop' } & Refusal);

export const refusalIn = ({ code, facts }: Refusal) => ({ code, facts }) as Refusal;

export const stopEntry = (batch: string, { by, why }: LeadStop): NewEntry => ({
  batch,
  row: null,
  what: 'stop',
  data: { ...refusalIn(why), ...(by === null ? {} : { by }) },
});

export interface OpenOrder extends Each<'batch leader', string>, Each<'since room', number> {
  readonly terms: Terms;
  /** How long the opening lasts without a renewal by the leader. The default and the maximum are ten seconds. */
  readonly mostMs?: number;
}

/** The clock of the database, in milliseconds since 1970. */
const now = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
/** A member holds this lock while its connection lasts. */
const lockOf = (name: string) => `hashtextextended('payrun-member ' || ${name}, 0)`;
const isHeld = (
  name: string,
) => `EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND ((CAST(classid AS BIGINT) << 32) | CAST(objid AS BIGINT)) = ${lockOf(name)})`;
/** Includes members that no longer respond, because they could still write. */
export const connectedMembers = `SELECT name FROM worker WHERE ${isHeld('name')} ORDER BY name`;
/** The server ends a session that idles in a transaction for five seconds, because the other members wait meanwhile. */
const sessionOfMember = 'SET idle_in_transaction_session_timeout = 5000; SET lock_timeout = 30000';
const leaderMs = 10_000;
const memberMs = 10_000;
const lastsMs = (mostMs = leaderMs) => Math.floor(Math.min(leaderMs, mostMs));
const settleStepMs = 200;

interface Paced extends Each<'room not_before at', number> {
  readonly terms: string;
}

const paceOf = ({ room: width, not_before: from }: Paced, { room: most }: Each<'room', number>): Pace => ({
  most,
  width,
  from,
});

interface Candidate extends Paced, Each<'since epoch reached underWay own members', number> {
  readonly batch: string;
}

interface FleetGround extends Writing {
  readonly moving: Moving;
  readonly requireHome: () => void;
}

export type Fleet = ReturnType<typeof openFleet>;

export function openFleet({ sql, commits, trail, clock, moving, requireHome }: FleetGround) {
  const isOpen = `closed IS NULL AND until > ${now} AND NOT ${isOnHold('opening.batch')} AND ${isGoing('opening.batch')}`;
  const shut = (batch: string, closing: SessionEnd) =>
    void sql.run('UPDATE opening SET closed = ? WHERE batch = ? AND closed IS NULL', JSON.stringify(closing), batch);

  /** Counts an answer, and closes the batch if the breaker opens. Call this in the transaction of the answer. */
  function count({ row: { batch, id }, to, reason = null }: Move): void {
    if (to === 'ready') sql.run('UPDATE opening SET reached = least(reached, ?) WHERE batch = ?', id - 1, batch);
    else if (to === 'accepted')
      sql.run('UPDATE opening SET sent = sent + 1, ended = ended + 1, refused = 0, doubts = 0 WHERE batch = ?', batch);
    else if (to === 'refused')
      sql.run(
        `UPDATE opening SET ended = ended + 1, doubts = 0, refused = refused + 1, last_words = ? WHERE batch = ?`,
        reason,
        batch,
      );
    else
      sql.run(
        `UPDATE opening SET ended = ended + 1, unsettled = unsettled + 1, last_words = ?, last_doubt_at = ${now},
           doubts = doubts + CASE WHEN last_words = ? AND ${now} - last_doubt_at < ${sharedCauseMs} THEN 0 ELSE 1 END WHERE batch = ?`,
        reason,
        reason,
        batch,
      );
    if (to !== 'refused' && to !== 'in_doubt') return;
    const tally = sql.one<{ terms: string; refused: number; doubts: number; unsettled: number }>(
      'SELECT terms, refused, doubts, unsettled FROM opening WHERE batch = ?',
      batch,
    );
    if (tally === null) return;
    const terms = JSON.parse(tally.terms) as Terms;
    if (tally.refused >= terms.refusals) {
      const { refusal: why } = new PayrunError('REFUSED_IN_A_ROW', { count: tally.refused, reason });
      if (stopLead(sql, batch, { by: null, why })) trail.append(stopEntry(batch, { by: null, why }));
      shut(batch, { why: 'stop', ...why });
    } else if (tally.doubts >= terms.doubtsInARow || tally.unsettled > terms.doubts)
      shut(batch, { why: 'doubts', reason });
  }

  const standsOf = (id: number) =>
    sql.one<{ state: string; attempts: number; worker: string | null; leased: number; open: number }>(
      `SELECT state, attempts, worker, coalesce(lease_until > ${now}, FALSE) AS leased,
         EXISTS (SELECT 1 FROM opening WHERE opening.batch = payout.batch AND ${isOpen}) AS open FROM payout WHERE id = ?`,
      id,
    );

  function answerOrKeep(member: string, move: Move, tagged: boolean): boolean {
    const { row, to } = move;
    const stands = standsOf(row.id);
    const sameTry = stands?.attempts === row.attempts && stands.worker === member;
    if (sameTry && stands.state === 'sending') {
      moving.move(move);
      count(move);
      return true;
    }
    const settles = to === 'accepted' && tagged && sameTry && stands.state === 'in_doubt' && stands.open === 1;
    keepOrphan(member, move, settles);
    return false;
  }

  /** Stores an answer that came after the end of its claim. With `settles`, the answer also ends the row's doubt. */
  function keepOrphan(member: string, move: Move, settles: boolean): void {
    const { row, to, paymentId, paymentStatus, acceptedAt, reason } = move;
    const answer = { to, paymentId, paymentStatus, reason: reason && reasonsIn(reason) };
    const said = Object.fromEntries(Object.entries(answer).filter(([, value]) => value != null));
    const data = { attempt: row.attempts, worker: member, answer: said };
    trail.append({ batch: row.batch, row: row.key, what: 'orphan', data }, row.id);
    if (!settles) return;
    moving.move({
      row,
      from: 'in_doubt',
      to: 'accepted',
      reason: null,
      evidence: because({ kind: 'late-answer', worker: member }),
      ...(paymentId == null ? {} : { paymentId }),
      ...(paymentStatus === undefined ? {} : { paymentStatus }),
      ...(acceptedAt === undefined ? {} : { acceptedAt }),
    });
  }

  const present = new Set<string>();

  function claimOf(order: ClaimOrder, one: Candidate): LedgerRow[] {
    const terms = JSON.parse(one.terms) as Terms & { room: number };
    const take = mayClaim({ ...one, room: widthAt(paceOf(one, terms), one.at), free: order.most });
    if (take === 0) return [];
    const rows = sql.all<LedgerRow>(
      `${selectRows} WHERE batch = ? AND state = 'ready' AND closed IS NULL AND sheet >= ? AND id > ? AND NOT ${beyondSpans(order.spans(terms))}
       ORDER BY id LIMIT ?`,
      one.batch,
      one.since,
      one.reached,
      take,
    );
    const last = rows.at(-1);
    if (last === undefined) return [];
    const { member, leaseMs, submittedAt, sentMoment } = order;
    moving.claim(
      rows.map((row) => ({ row, data: order.intentOf(row, terms) })),
      { worker: member, leaseUntil: `${now} + ${Math.ceil(leaseMs)}`, submittedAt, sentMoment },
    );
    const lastTurn = 'SELECT max(turn) FROM opening';
    sql.run(`UPDATE opening SET reached = ?, turn = (${lastTurn}) + 1 WHERE batch = ?`, last.id, one.batch);
    const claimed = { state: 'sending', submittedAt, sentMoment, reason: null, missed: null } as const;
    return rows.map((row) => ({ ...row, ...claimed, attempts: row.attempts + 1 }));
  }

  return {
    async beat(member: string) {
      requireHome();
      if (present.size === 0) sql.exec(sessionOfMember);
      if (!present.has(member))
        sql.all(`SELECT pg_advisory_lock(${lockOf('CAST(? AS TEXT)')}) IS NULL AS held`, member);
      present.add(member);
      commits.alone(() => {
        sql.run(
          `INSERT INTO worker VALUES (?, ${now} + ${memberMs}) ON CONFLICT (name) DO UPDATE SET until = excluded.until`,
          member,
        );
        sql.run(`DELETE FROM worker WHERE until < ${now} - 3600000`);
      });
    },
    async leave(member: string) {
      commits.alone(() => void sql.run('DELETE FROM worker WHERE name = ?', member));
      sql.all(`SELECT pg_advisory_unlock(${lockOf('CAST(? AS TEXT)')}) AS released`, member);
      present.delete(member);
    },
    members: async () => sql.column<string>(`SELECT name FROM worker WHERE until > ${now} ORDER BY name`),

    /** Closes the batch for the workers. A hold or a stop forbids their claims too. */
    shut,
    /** Opens the batch for claims, and returns the number of the opening. Only the leader may call this. */
    open: async ({ batch, since, leader, room, terms, mostMs }: OpenOrder) => {
      // The server's query planner learns the size of a new sheet only from ANALYZE.
      sql.exec('ANALYZE (SKIP_LOCKED) payout, payout_content');
      return commits.alone(() => {
        requireNoHold(sql, batch);
        requireGoing(sql, batch);
        sql.run(
          `INSERT INTO opening (batch, since, epoch, leader, terms, room, until, not_before, reached, turn, sent, ended, refused, doubts, unsettled,
             last_words, last_doubt_at, closed) VALUES (?, ?, 1, ?, ?, ?, ${now} + CAST(? AS BIGINT), 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, NULL)
           ON CONFLICT (batch) DO UPDATE SET since = excluded.since, epoch = opening.epoch + 1, leader = excluded.leader, terms = excluded.terms,
             room = excluded.room, until = excluded.until, not_before = 0, reached = 0, sent = 0, ended = 0, refused = 0, doubts = 0,
             unsettled = 0, last_words = NULL, last_doubt_at = 0, closed = excluded.closed`,
          batch,
          since,
          leader,
          JSON.stringify({ ...terms, room }),
          room,
          lastsMs(mostMs),
        );
        const epoch = sql.value<number>('SELECT epoch FROM opening WHERE batch = ?', batch)!;
        oweResult(sql, batch);
        trail.append({ batch, what: 'opened', data: { epoch, leader, room } });
        return epoch;
      });
    },
    /** Renews the opening for at most ten seconds. Returns null if another leader opened the batch later. */
    lead: async (
      { batch, since, epoch }: Pick<SendingSession, 'batch' | 'since' | 'epoch'>,
      spans: readonly AmountSpan[],
      mostMs?: number,
    ) =>
      commits.alone(() => {
        const one = sql.one<{ closed: string | null; sent: number; ended: number; ready: number; underWay: number }>(
          `SELECT closed, sent, ended, (SELECT count(*) FROM payout WHERE state = 'sending') AS underWay,
             EXISTS (SELECT 1 FROM payout WHERE batch = ? AND state = 'ready' AND payout.closed IS NULL AND sheet >= ? AND id > opening.reached
               AND NOT ${beyondSpans(spans)}) AS ready
           FROM opening WHERE batch = ? AND epoch = ?`,
          batch,
          since,
          batch,
          epoch,
        );
        if (one === null) return null;
        const until = `${now} + CAST(? AS BIGINT)`;
        sql.run(`UPDATE opening SET until = ${until} WHERE batch = ? AND epoch = ?`, lastsMs(mostMs), batch, epoch);
        const closed = one.closed === null ? null : (JSON.parse(one.closed) as SessionEnd);
        return { ...one, closed, ready: Boolean(one.ready) };
      }),
    close: async (batch: string, closing: SessionEnd) => commits.alone(() => shut(batch, closing)),
    /** Stops claims for `waitMs`, and halves the limit for rows under way. The limit then grows again step by step. */
    slow: async (batch: string, waitMs: number) =>
      commits.alone(() => {
        const one = sql.one<Paced>(`SELECT terms, room, not_before, ${now} AS at FROM opening WHERE batch = ?`, batch);
        if (one === null) return;
        const { width, from } = slowed(paceOf(one, JSON.parse(one.terms) as { room: number }), one.at, waitMs);
        sql.run('UPDATE opening SET room = ?, not_before = ? WHERE batch = ?', width, from, batch);
      }),
    /** Puts claimed rows in doubt if their lease or their worker's connection has ended. Returns the number of rows. */
    endLeases: async () => endLeases(),
    /** Closes all open batches, and waits until no claim has a valid lease. A new leader calls this first. */
    async settle() {
      const closed = JSON.stringify({ why: 'left' } satisfies SessionEnd);
      commits.alone(() => sql.run('UPDATE opening SET closed = ?, epoch = epoch + 1 WHERE closed IS NULL', closed));
      for (;;) {
        endLeases();
        const living = `SELECT 1 FROM payout WHERE state = 'sending' AND lease_until > ${now} LIMIT 1`;
        if (sql.one(living) === null) return;
        await clock.sleep(settleStepMs);
      }
    },

    /** Takes no lock, so workers can call this often. */
    isOpen: async (identity: string) =>
      sql.one(
        `SELECT 1 FROM opening JOIN batch b ON b.name = opening.batch WHERE ${isOpen} AND b.identity = ?`,
        identity,
      ) !== null,
    claim: (order: ClaimOrder) =>
      commits.share(() => {
        const open = sql.all<Candidate>(
          `SELECT opening.batch, opening.since, epoch, terms, room, not_before, ${now} AS at, reached,
             (SELECT count(*) FROM payout WHERE state = 'sending') AS underWay,
             (SELECT count(*) FROM payout WHERE state = 'sending' AND worker = ?) AS own,
             (SELECT count(*) FROM worker WHERE until > ${now}) AS members
           FROM opening JOIN batch b ON b.name = opening.batch
           WHERE ${isOpen} AND not_before <= ${now} AND b.identity = ? ORDER BY turn, opening.batch`,
          order.member,
          order.identity,
        );
        for (const one of open) {
          const { batch, since, epoch } = one;
          const terms = JSON.parse(one.terms) as Terms;
          if (order.isUnderPolicy && !terms.isUnderPolicy) continue;
          const rows = claimOf(order, one);
          if (rows.length > 0) return { opened: { batch, since, epoch, terms }, rows };
        }
        return null;
      }),
    /** Moves the row. If the claim has ended, only records the answer in the trail, and returns false. */
    async answer(member: string, move: Move, tagged: boolean) {
      try {
        // Tries the move without reading the row first, because the claim is usually still valid.
        return await commits.share(() => {
          moving.move(move, { worker: member });
          count(move);
          return true;
        });
      } catch (error) {
        if (error instanceof PayrunError) throw error;
      }
      return await commits.share(() => answerOrKeep(member, move, tagged));
    },
    /** Gives back a claimed row that was never sent. Returns false if the claim has ended: the row is then in doubt. */
    giveBack: (member: string, row: LedgerRow) =>
      commits.share(() => {
        const stands = standsOf(row.id);
        const own = stands?.state === 'sending' && stands.attempts === row.attempts && stands.worker === member;
        if (!own || stands.leased !== 1) return false;
        const move: Move = { row, from: 'sending', to: 'ready', reason: because({ kind: 'claim-returned' }) };
        moving.move(move);
        count(move);
        return true;
      }),
  };

  function endLeases(): number {
    // The worker may still have an open call, so Payrun puts the rows in doubt and does not make them ready again.
    const ended = `state = 'sending' AND worker IS NOT NULL AND (lease_until <= ${now} OR NOT ${isHeld('worker')})`;
    if (sql.one(`SELECT 1 FROM payout WHERE ${ended} LIMIT 1`) === null) return 0;
    return commits.alone(() => {
      const rows = sql.all<LedgerRow & { worker: string }>(`${withWorker} WHERE ${ended} ORDER BY id`);
      for (const { worker, ...row } of rows) {
        const reason = because({ kind: 'worker-lost', worker });
        moving.move({ row, from: 'sending', to: 'in_doubt', reason });
      }
      return rows.length;
    });
  }
}

const withWorker = selectRows.replace('SELECT ', 'SELECT worker, ');
