/** A fleet on one ledger: a leader opens a batch, and members claim rows. A claim is an intent with a lease. */

import { readEntry, type TrailEntry } from '../../audit/chain.ts';
import { PayrunError } from '../../base/errors.ts';
import { sharedCauseMs } from '../../domain/sending/doubt.ts';
import { mayClaim } from '../../domain/sending/fleet-share.ts';
import { type Pace, slowed, widthAt } from '../../domain/sending/pace.ts';
import { because, reasonsIn, type StoredReasons } from '../../domain/sending/reason.ts';
import { plannedSince } from '../batches/turns.ts';
import type { AmountSpan, LedgerRow, Move } from '../facts.ts';
import { beyondSpans, selectRows, toldAs } from '../rows/columns.ts';
import type { Moving } from '../rows/transitions.ts';
import type { NewEntry } from '../store/trail.ts';
import type { Writing } from '../store/unit-of-work.ts';
import { isPaused, openPausing, type Pausing, pauseOf } from './pause.ts';

/** What whoever sends rows of an open batch goes by, as its leader said. */
export interface Terms {
  /** The words to send for each funding source (interface 2.9). */
  readonly sourceWords: readonly (readonly [string, string])[];
  /** Whether rows above what their rail takes at the moment are left for later. */
  readonly holdsRails: boolean;
  /** So many refusals, and so many doubts, one after another close the batch; and so many doubts in all. */
  readonly refusals: number;
  readonly doubtsInARow: number;
  readonly doubts: number;
}

/** A batch that its leader has opened. */
export interface Opened {
  readonly batch: string;
  readonly sheet: number;
  readonly epoch: number;
  readonly terms: Terms;
}

export interface ClaimOrder {
  readonly member: string;
  /** Whose batches it can send. */
  readonly identity: string;
  readonly most: number;
  readonly leaseMs: number;
  /** What cannot be sent at this moment. */
  readonly spans: (terms: Terms) => readonly AmountSpan[];
  readonly submittedAt: number;
  readonly sentMoment: string;
  /** Throws where the row cannot be sent: then nothing is claimed. */
  readonly intentOf: (row: LedgerRow, terms: Terms) => Readonly<Record<string, unknown>>;
}

/** Why a batch was closed. */
export type Closing =
  /** `sent`: its leader continues; `due`: only its result is missing; `ended`: it is done; `left`: its leader fell silent. */
  | { readonly why: 'sent' | 'ended' | 'left' }
  /** With what its leader told that stopped it; an earlier version did not write it there. */
  | { readonly why: 'due'; readonly stop?: Said }
  | { readonly why: 'paused'; readonly reason: string }
  /** Doubts, as the last one was told: a pass has to look before anything more is sent. */
  | { readonly why: 'doubts'; readonly reason: StoredReasons | null }
  | { readonly why: 'refusals'; readonly count: number; readonly reason: StoredReasons | null }
  | ({ readonly why: 'stop' } & Said);

interface Said {
  readonly code: string;
  readonly message: string;
}

/** The entry of what stopped a batch. */
export type StopEntry = NewEntry & { readonly batch: string; readonly data: Said & { readonly watches?: true } };

/** Of these the newest says whether a person stopped the batch: whoever goes on with it, or gives it a schedule, ends that. */
export const stepsOn = ['stop', 'run', 'opened', 'scheduled'] as const;
/** Of an hour of its schedule: a worker has gone on with it, or nobody had. */
export const hoursToldAs = ['hour', 'hour missed'] as const;

/** Whoever gives a run a signal is a person, whatever else stopped that. */
export const isPersonsStop = (entry: Pick<TrailEntry, 'what' | 'data'> | null): boolean =>
  entry?.what === 'stop' && (entry.data.code === 'STOPPED' || entry.data.signal === true);

export interface Standing {
  readonly closed: Closing | null;
  readonly sent: number;
  readonly ended: number;
  /** Rows that could be claimed, and rows that are. */
  readonly ready: boolean;
  readonly underWay: number;
}

export interface OpenOrder {
  readonly batch: string;
  readonly sheet: number;
  readonly leader: string;
  /** The most rows that are under way in the whole fleet. */
  readonly room: number;
  readonly terms: Terms;
  /** It ends by itself after so long, whether its leader is there or not. */
  readonly mostMs?: number;
}

export interface Unfinished {
  readonly batch: string;
  /** Its leader is gone, and never came to its end: somebody else is to lead it on. */
  readonly left: boolean;
  /** Its leader is gone, and nothing is to be led on: its result is to be written, and sends nothing. */
  readonly due: boolean;
  /** Somebody has led it to its end. */
  readonly ended: boolean;
  readonly ready: boolean;
  readonly pending: boolean;
  readonly inDoubt: boolean;
}

export interface Fleet extends Pausing {
  /** A member says that it is there, and counts for so long. */
  beat(member: string): Promise<void>;
  leave(member: string): Promise<void>;
  /** The living, by name. */
  members(): Promise<readonly string[]>;

  /** This process comes to the hours of the identity's batches, since then, and for as long as its connection lives. */
  attend(identity: string, since: number): Promise<void>;
  /** `by`: by a process that was there at that time, and still is. */
  isAttended(identity: string, by?: number): Promise<boolean>;
  /** The clock of all: hours are compared with it. */
  now(): Promise<number>;
  /** Whether a run holds the ledger. */
  isLed(): Promise<boolean>;
  /** What the trail tells from there on of schedules and of what hours come to, oldest first, and how far it goes. */
  hoursTold(after: number): Promise<{ readonly entries: readonly TrailEntry[]; readonly seq: number }>;
  /** Told where the batch still stands so; returns whether it was. */
  recordAsOf(entry: NewEntry & { readonly batch: string }, asOf: string): Promise<boolean>;

  /** Within the transaction of a plan that goes on with the batch: nobody claims of it before its leader has looked at that. */
  overtake(batch: string): void;
  /**
   * Its leader has led it as far as it goes now: nobody leads it on, and its result is due. What stopped it is told with that. Of one that
   * `mayLeadOn` only where it waited for a person before: then that is told no more. `keeps`: where it did not, what was told stands.
   * A signal that `interrupt` has told is told no more.
   */
  finish(
    batch: string,
    stop: StopEntry | null,
    how?: { readonly mayLeadOn: boolean; readonly keeps: boolean },
  ): Promise<void>;
  /** The result that was due is written. */
  end(batch: string): Promise<void>;
  /** Why it was closed last; null where it is open, or never was. */
  closing(batch: string): Promise<Closing | null>;
  /** Returns opened batches whose leader is gone or whose rows are not settled; none while a run holds the ledger. */
  unfinished(identity: string): Promise<readonly Unfinished[]>;
  /** Another text once somebody has opened, stopped, scheduled or ended it since, or an hour of it has come or gone. */
  standsAs(batch: string): Promise<string>;

  /** Its leader alone, who holds the ledger; returns the opening's epoch. */
  open(order: OpenOrder): Promise<number>;
  /** The leader is there: the opening ends by itself when that was not said for a while. null: another leader opened it since. */
  lead(
    opened: Pick<Opened, 'batch' | 'sheet' | 'epoch'>,
    spans: readonly AmountSpan[],
    mostMs?: number,
  ): Promise<Standing | null>;
  /** The first word counts. */
  close(batch: string, closing: Closing): Promise<void>;
  /** Records a person's stop at once, also for a batch that was never opened; not for one that ended with nothing to send. */
  interrupt(stop: StopEntry): Promise<void>;
  /** Nobody claims for so long, and only half as many from then on, until it went well for a while. */
  slow(batch: string, waitMs: number): Promise<void>;
  /** Claims whose lease has ended are in doubt; returns how many rows that were. */
  endLeases(): Promise<number>;
  /** Nothing is open any more, and no claim is under way: whoever takes the lead waits for the leases of before. */
  settle(): Promise<void>;

  /** Whether there may be something to claim: no lock is asked for. */
  isOpen(identity: string): Promise<boolean>;
  /** Whether rows of this one may be claimed. */
  isOpened(batch: string): Promise<boolean>;
  /** Rows of one open batch, each with its intent; the batch whose turn it is. */
  claim(order: ClaimOrder): Promise<{ readonly opened: Opened; readonly rows: readonly LedgerRow[] } | null>;
  /** Records the answer to a claim. False when the claim expired: the answer is evidence, and may settle the same doubt. */
  answer(member: string, move: Move, tagged: boolean): Promise<boolean>;
  /** One that was never sent, by whoever claimed it, before its lease ends; else it goes in doubt with its lease. */
  giveBack(member: string, row: LedgerRow): Promise<boolean>;
}

/** The database's own, in milliseconds. */
const now = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
/** Closed for a reason that a person has to see; a plan that was made meanwhile is looked at by whoever leads on. */
const isForAPerson = `coalesce(json_extract(closed, '$.why') IN ('due', 'refusals')
  OR (json_extract(closed, '$.why') = 'stop' AND json_extract(closed, '$.code') <> 'PLANNED_SINCE'), FALSE)`;
/** Of the newest sheet. */
const hasUnsent = `EXISTS (SELECT 1 FROM payout p WHERE p.batch = b.name AND p.sheet = b.sheet
  AND p.state IN ('planned', 'ready', 'sending', 'in_doubt', 'absent'))`;
/** What a member holds as long as its connection lives, however that ends. */
const lockOf = (name: string) => `hashtextextended('payrun-member ' || ${name}, 0)`;
const isHeld = (
  name: string,
) => `EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND ((CAST(classid AS BIGINT) << 32) | CAST(objid AS BIGINT)) = ${lockOf(name)})`;
/** Another one says who comes to the hours of an identity's batches, which is any number of them; and, since when, by its second part. */
const hoursOf = "hashtext('payrun-hours ' || current_schema() || ' ' || CAST(? AS TEXT))";
const minuteOf = (moment: number) => Math.floor(moment / 60_000);
/** Those that could still write, frozen ones as well. */
export const connectedMembers = `SELECT name FROM worker WHERE ${isHeld('name')} ORDER BY name`;
/** One that is frozen within a commit, which everybody waits for, loses its connection; and the others wait for that. */
const sessionOfMember = 'SET idle_in_transaction_session_timeout = 5000; SET lock_timeout = 30000';
/** Without a word of its leader a batch closes by itself; without one of its own a member no longer counts. */
const leaderMs = 10_000;
const memberMs = 10_000;
const lastsMs = (mostMs = leaderMs) => Math.floor(Math.min(leaderMs, mostMs));
const settleStepMs = 200;

/** What the pace follows from, whenever it is asked for. */
interface Paced {
  readonly terms: string;
  readonly room: number;
  readonly not_before: number;
  readonly at: number;
}

/** The room that its leader asked for stands with its terms; an earlier version did not write it there. */
const paceOf = ({ room, not_before }: Paced, asked: { readonly room?: number }): Pace => ({
  most: asked.room ?? room,
  width: room,
  from: not_before,
});

interface Candidate extends Paced {
  readonly batch: string;
  readonly sheet: number;
  readonly epoch: number;
  readonly reached: number;
  readonly underWay: number;
  readonly own: number;
  readonly members: number;
}

export interface FleetGround extends Writing {
  readonly moving: Moving;
  /** Throws where the ledger has gone on elsewhere. */
  readonly requireHome: () => void;
  /** Throws where a plan of the batch was made since this process looked. */
  readonly requireHeeded: (batch: string) => void;
  /** Whether a process holds the ledger. */
  readonly isLed: () => boolean;
}

export function openFleet({
  sql,
  commits,
  trail,
  clock,
  moving,
  requireHome,
  requireHeeded,
  isLed,
}: FleetGround): Fleet {
  let attending: readonly [identity: string, minute: number] | null = null;
  const isOpen = `closed IS NULL AND until > ${now} AND NOT ${isPaused('opening.batch')}`;
  /** Where it stands so. */
  const closeAs = (closing: Closing, batch: string | null, where: string) =>
    sql.run(
      `UPDATE opening SET closed = ? WHERE batch = coalesce(?, batch) AND ${where}`,
      JSON.stringify(closing),
      batch,
    );
  const newest = (batch: string, ...whats: readonly string[]) =>
    sql.one<{ seq: number; entry: string }>(
      `SELECT seq, entry FROM trail WHERE ${toldAs(...whats)} AND json_extract(entry, '$[1]') = ? ORDER BY seq DESC LIMIT 1`,
      batch,
    );
  /** As the newest of these. A watcher's own signal says less than that of a person. */
  function isTold({ batch, data }: StopEntry, ...among: readonly string[]): boolean {
    const last = newest(batch, ...among);
    const told = last === null ? null : readEntry(last.entry);
    return isPersonsStop(told) && (data.watches === true || told?.data.watches !== true);
  }
  function standsAs(batch: string): string {
    const opening = sql.one('SELECT epoch, closed FROM opening WHERE batch = ?', batch);
    return JSON.stringify([opening, newest(batch, ...stepsOn, ...hoursToldAs, 'schedule ended')?.seq]);
  }
  const shut = (batch: string | null, closing: Closing) => void closeAs(closing, batch, 'closed IS NULL');

  /** In the answer's transaction: the breaker is the fleet's, whoever's row it was. */
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
    if (tally.refused >= terms.refusals) shut(batch, { why: 'refusals', count: tally.refused, reason });
    else if (tally.doubts >= terms.doubtsInARow || tally.unsettled > terms.doubts)
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

  /** The answer to a claim that is no longer one. */
  function keepOrphan(member: string, move: Move, settles: boolean): void {
    const { row, to, paymentId, paymentStatus, acceptedAt, reason } = move;
    const answer = { to, paymentId, paymentStatus, reason: reason && reasonsIn(reason) };
    const said = Object.fromEntries(Object.entries(answer).filter(([, value]) => value != null));
    const data = { attempt: row.attempts, worker: member, answer: said };
    trail.append({ batch: row.batch, row: row.key, what: 'orphan', data }, row.id);
    if (!settles) return;
    const evidence = `The service's own answer, which came to worker ${member} after the lease of its claim.`;
    moving.move({
      row,
      from: 'in_doubt',
      to: 'accepted',
      reason: null,
      evidence,
      ...(paymentId == null ? {} : { paymentId }),
      ...(paymentStatus === undefined ? {} : { paymentStatus }),
      ...(acceptedAt === undefined ? {} : { acceptedAt }),
    });
  }

  /** Members of this process. */
  const present = new Set<string>();

  function claimOf(order: ClaimOrder, one: Candidate): LedgerRow[] {
    const terms = JSON.parse(one.terms) as Terms & { room?: number };
    const take = mayClaim({ ...one, room: widthAt(paceOf(one, terms), one.at), free: order.most });
    if (take === 0) return [];
    const rows = sql.all<LedgerRow>(
      `${selectRows} WHERE batch = ? AND state = 'ready' AND sheet = ? AND id > ? AND NOT ${beyondSpans(order.spans(terms))}
       ORDER BY id LIMIT ?`,
      one.batch,
      one.sheet,
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
    sql.run(
      'UPDATE opening SET reached = ?, turn = (SELECT max(turn) + 1 FROM opening) WHERE batch = ?',
      last.id,
      one.batch,
    );
    return rows.map((row) => ({
      ...row,
      state: 'sending',
      attempts: row.attempts + 1,
      submittedAt,
      sentMoment,
      reason: null,
      missed: null,
    }));
  }

  return {
    async beat(member) {
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
    async leave(member) {
      commits.alone(() => void sql.run('DELETE FROM worker WHERE name = ?', member));
      sql.all(`SELECT pg_advisory_unlock(${lockOf('CAST(? AS TEXT)')}) AS released`, member);
      present.delete(member);
    },
    members: async () =>
      sql.all<{ name: string }>(`SELECT name FROM worker WHERE until > ${now} ORDER BY name`).map(({ name }) => name),

    attend: async (identity, since) => {
      if (attending !== null) sql.all(`SELECT pg_advisory_unlock_shared(${hoursOf}, ?) AS released`, ...attending);
      attending = [identity, minuteOf(since)];
      sql.all(`SELECT pg_advisory_lock_shared(${hoursOf}, ?) IS NULL AS held`, ...attending);
    },
    isAttended: async (identity, by = Number.MAX_SAFE_INTEGER) =>
      sql.one(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND CAST(classid AS BIGINT) = (CAST(${hoursOf} AS BIGINT) & 4294967295) AND CAST(objid AS BIGINT) <= ? LIMIT 1`,
        identity,
        minuteOf(by),
      ) !== null,
    now: async () => sql.one<{ at: number }>(`SELECT ${now} AS at`)!.at,
    isLed: async () => isLed(),
    hoursTold: async (after) => {
      const { seq } = sql.one<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM trail')!;
      const kinds = ['scheduled', 'schedule ended', 'opened', 'stop', ...hoursToldAs];
      const told = sql.all<{ entry: string }>(
        `SELECT entry FROM trail WHERE ${toldAs(...kinds)} AND seq > ? AND seq <= ? ORDER BY seq`,
        after,
        seq,
      );
      return { entries: told.map(({ entry }) => readEntry(entry)), seq };
    },
    recordAsOf: async (entry, asOf) =>
      commits.alone(() => {
        if (standsAs(entry.batch) !== asOf) return false;
        trail.append(entry);
        return true;
      }),

    ...openPausing({ sql, commits, trail, clock }, (batch, reason) => shut(batch, { why: 'paused', reason })),
    overtake(batch) {
      const { code, message } = plannedSince(batch);
      shut(batch, { why: 'stop', code, message });
    },
    finish: async (batch, stop, { mayLeadOn, keeps } = { mayLeadOn: false, keeps: false }) =>
      commits.alone(() => {
        const due: Closing = { why: 'due', ...(stop === null ? {} : { stop: stop.data }) };
        const { changes } = closeAs(due, batch, mayLeadOn ? isForAPerson : 'TRUE');
        if (stop === null || (mayLeadOn && keeps && changes === 0)) return;
        // Told as it came: a schedule that was given since counts.
        if (!(isPersonsStop(stop) && isTold(stop, 'stop', 'run', 'opened'))) trail.append(stop);
      }),
    end: async (batch) =>
      commits.alone(() => void closeAs({ why: 'ended' }, batch, "json_extract(closed, '$.why') = 'due'")),
    closing: async (batch) =>
      JSON.parse(
        sql.one<{ closed: string | null }>('SELECT closed FROM opening WHERE batch = ?', batch)?.closed ?? 'null',
      ) as Closing | null,
    standsAs: async (batch) => standsAs(batch),
    unfinished: async (identity) => {
      if (isLed()) return [];
      return sql
        .all<{
          batch: string;
          left: number;
          due: number;
          ended: number;
          ready: number;
          pending: number;
          inDoubt: number;
          attaching: number;
        }>(
          `SELECT opening.batch, (coalesce(json_extract(closed, '$.why') = 'left', FALSE) OR until <= ${now} OR NOT ${isHeld('leader')}) AS "left",
             ${isForAPerson} AS due,
             coalesce(json_extract(closed, '$.why') = 'ended', FALSE) AS ended,
             EXISTS (SELECT 1 FROM payout p WHERE p.batch = b.name AND p.sheet = b.sheet AND state = 'ready') AS ready,
             EXISTS (SELECT 1 FROM payout p WHERE p.batch = b.name AND state = 'accepted') AS pending,
             EXISTS (SELECT 1 FROM payout p WHERE p.batch = b.name AND state IN ('sending', 'in_doubt')) AS "inDoubt",
             EXISTS (SELECT 1 FROM payout p JOIN document d ON d.payout = p.id WHERE p.batch = b.name AND p.payment_id IS NOT NULL
               AND d.state IN ('due', 'uploading', 'in_doubt')) AS attaching
           FROM opening JOIN batch b ON b.name = opening.batch WHERE b.identity = ? AND NOT ${isPaused('opening.batch')} ORDER BY opening.batch`,
          identity,
        )
        .map(({ batch, ...one }) => {
          const [ended, ready, pending, inDoubt] = [
            one.ended === 1,
            one.ready === 1,
            one.pending === 1,
            one.inDoubt === 1,
          ];
          const isLeft = one.left === 1 && !ended;
          // Nor is led on what was settled before its leader was gone.
          const due = one.due === 1 || (isLeft && !ready && !pending && !inDoubt && one.attaching === 0);
          return { batch, left: isLeft && !due, due, ended, ready, pending, inDoubt };
        })
        .filter(({ left, due, ready, pending, inDoubt }) => left || due || ready || pending || inDoubt);
    },

    open: async ({ batch, sheet, leader, room, terms, mostMs }) => {
      // A sheet that was taken in a moment ago is not yet what the planner thinks it is.
      sql.exec('ANALYZE (SKIP_LOCKED) payout, payout_content');
      return commits.alone(() => {
        requireHeeded(batch);
        const reason = pauseOf({ sql }, batch);
        const closed: Closing | null = reason === null ? null : { why: 'paused', reason };
        sql.run(
          `INSERT INTO opening (batch, sheet, epoch, leader, terms, room, until, not_before, reached, turn, sent, ended, refused, doubts, unsettled,
             last_words, last_doubt_at, closed) VALUES (?, ?, 1, ?, ?, ?, ${now} + CAST(? AS BIGINT), 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, ?)
           ON CONFLICT (batch) DO UPDATE SET sheet = excluded.sheet, epoch = opening.epoch + 1, leader = excluded.leader, terms = excluded.terms,
             room = excluded.room, until = excluded.until, not_before = 0, reached = 0, sent = 0, ended = 0, refused = 0, doubts = 0,
             unsettled = 0, last_words = NULL, last_doubt_at = 0, closed = excluded.closed`,
          batch,
          sheet,
          leader,
          JSON.stringify({ ...terms, room }),
          room,
          lastsMs(mostMs),
          closed === null ? null : JSON.stringify(closed),
        );
        const epoch = sql.one<{ epoch: number }>('SELECT epoch FROM opening WHERE batch = ?', batch)!.epoch;
        trail.append({ batch, row: null, what: 'opened', data: { epoch, leader, room } });
        return epoch;
      });
    },
    lead: async ({ batch, sheet, epoch }, spans, mostMs) =>
      commits.alone(() => {
        const one = sql.one<{ closed: string | null; sent: number; ended: number; ready: number; underWay: number }>(
          `SELECT closed, sent, ended, (SELECT count(*) FROM payout WHERE state = 'sending') AS underWay,
             EXISTS (SELECT 1 FROM payout WHERE batch = ? AND state = 'ready' AND sheet = ? AND id > opening.reached
               AND NOT ${beyondSpans(spans)}) AS ready
           FROM opening WHERE batch = ? AND epoch = ?`,
          batch,
          sheet,
          batch,
          epoch,
        );
        if (one === null) return null;
        sql.run(
          `UPDATE opening SET until = ${now} + CAST(? AS BIGINT) WHERE batch = ? AND epoch = ?`,
          lastsMs(mostMs),
          batch,
          epoch,
        );
        const closed = one.closed === null ? null : (JSON.parse(one.closed) as Closing);
        return { ...one, closed, ready: Boolean(one.ready) };
      }),
    close: async (batch, closing) => commits.alone(() => shut(batch, closing)),
    interrupt: async (stop) =>
      commits.alone(() => {
        const { batch, data } = stop;
        const goesOn = `SELECT 1 FROM batch b LEFT JOIN opening ON opening.batch = b.name WHERE b.name = ?
          AND (${hasUnsent} OR NOT (epoch IS NULL OR coalesce(json_extract(closed, '$.why') = 'ended', FALSE)))`;
        if (sql.one(goesOn, batch) === null) return;
        closeAs({ why: 'stop', code: data.code, message: data.message }, batch, `NOT ${isForAPerson}`);
        if (!isTold(stop, ...stepsOn)) trail.append(stop);
      }),
    slow: async (batch, waitMs) =>
      commits.alone(() => {
        const one = sql.one<Paced>(`SELECT terms, room, not_before, ${now} AS at FROM opening WHERE batch = ?`, batch);
        if (one === null) return;
        const { width, from } = slowed(paceOf(one, JSON.parse(one.terms) as { room?: number }), one.at, waitMs);
        sql.run('UPDATE opening SET room = ?, not_before = ? WHERE batch = ?', width, from, batch);
      }),
    endLeases: async () => endLeases(),
    async settle() {
      commits.alone(() => {
        const closing: Closing = { why: 'left' };
        sql.run('UPDATE opening SET closed = ?, epoch = epoch + 1 WHERE closed IS NULL', JSON.stringify(closing));
      });
      for (;;) {
        endLeases();
        const living = `SELECT 1 FROM payout WHERE state = 'sending' AND lease_until > ${now} LIMIT 1`;
        if (sql.one(living) === null) return;
        await clock.sleep(settleStepMs);
      }
    },

    isOpen: async (identity) =>
      sql.one(
        `SELECT 1 FROM opening JOIN batch b ON b.name = opening.batch WHERE ${isOpen} AND b.identity = ?`,
        identity,
      ) !== null,
    isOpened: async (batch) => sql.one(`SELECT 1 FROM opening WHERE batch = ? AND ${isOpen}`, batch) !== null,
    claim: (order) =>
      commits.share(() => {
        const open = sql.all<Candidate>(
          `SELECT opening.batch, opening.sheet, epoch, terms, room, not_before, ${now} AS at, reached,
             (SELECT count(*) FROM payout WHERE state = 'sending') AS underWay,
             (SELECT count(*) FROM payout WHERE state = 'sending' AND worker = ?) AS own,
             (SELECT count(*) FROM worker WHERE until > ${now}) AS members
           FROM opening JOIN batch b ON b.name = opening.batch
           WHERE ${isOpen} AND not_before <= ${now} AND b.identity = ? ORDER BY turn, opening.batch`,
          order.member,
          order.identity,
        );
        for (const one of open) {
          const rows = claimOf(order, one);
          const { batch, sheet, epoch } = one;
          if (rows.length > 0) return { opened: { batch, sheet, epoch, terms: JSON.parse(one.terms) as Terms }, rows };
        }
        return null;
      }),
    async answer(member, move, tagged) {
      try {
        // Mostly the claim is still its own, and nothing has to be asked for that.
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
    giveBack: (member, row) =>
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
    // Whoever lost the connection can tell nothing any more; the doubt's own horizon holds for what it may still send.
    const ended = `state = 'sending' AND worker IS NOT NULL AND (lease_until <= ${now} OR NOT ${isHeld('worker')})`;
    // Without the ledger's lock first: mostly there are none.
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
