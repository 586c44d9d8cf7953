/** The holds: pauses by people, and plans that wait. While a hold stands, Payrun writes no intent of its batch. */

import { isoTime } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { Each } from '../../base/words.ts';
import { insertOf } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import type { Sql } from '../store/sql.ts';
import { stopAfterHold } from './lead.ts';

/** A plan that waits until it is paid, changed, declined or withdrawn. `upload` is the sheet at the console, if any. */
export interface Proposal extends Each<'batch digest file by', string> {
  readonly id: number;
  readonly upload: string | null;
}

interface HoldRow extends Omit<Proposal, 'by'> {
  readonly kind: 'pause' | 'proposal';
  readonly by: string | null;
  readonly at: number;
  readonly reason: string;
}

interface HoldGround extends Writing {
  readonly requireHome: () => void;
}

export const isOnHold = (batch: string) => `EXISTS (SELECT 1 FROM hold WHERE hold.batch IN ('', ${batch}))`;

const pausedError = (name: string, { id, batch, reason }: Pick<HoldRow, 'id' | 'batch' | 'reason'>) =>
  new PayrunError('PAUSED', { batch: name, paused: batch || null, id, reason });

export const proposalWaits = ({ batch, file, by }: Proposal): PayrunError =>
  new PayrunError('PROPOSAL_WAITS', { batch, file, by });

const selectHolds = 'SELECT id, kind, batch, "by", at, reason, digest, file, upload FROM hold';

/** The pause of all batches comes first, then the pause of the batch, then its waiting plan. */
const holdsOf = (sql: Sql, batch: string) =>
  sql.all<HoldRow>(`${selectHolds} WHERE batch IN ('', ?) ORDER BY batch, kind`, batch);

const proposalIn = ({ kind: _kind, at: _at, reason: _reason, by, ...plan }: HoldRow) => ({ ...plan, by: by ?? '' });

export function proposalOf(sql: Sql, batch: string): Proposal | null {
  const found = holdsOf(sql, batch).find(({ kind }) => kind === 'proposal');
  return found === undefined ? null : proposalIn(found);
}

const whyHeld = (batch: string, hold: HoldRow | undefined): PayrunError | null =>
  hold === undefined ? null : hold.kind === 'pause' ? pausedError(batch, hold) : proposalWaits(proposalIn(hold));

/** Throws for a hold of the batch. Call this in the transaction of an intent. */
export function requireNoHold(sql: Sql, batch: string): void {
  const why = whyHeld(batch, holdsOf(sql, batch)[0]);
  if (why !== null) throw why;
}

/**
 * Throws if another plan waits for the batch. With `own`, throws too if the run's plan was waiting and was ended after that.
 * A pause opens no payment, so it does not forbid a version. Call this in the transaction that opens a version.
 */
export function requireNoProposal(
  sql: Sql,
  batch: string,
  own: { readonly plan: string | null; readonly proposal?: number | null } = { plan: null },
): void {
  const found = proposalOf(sql, batch);
  if (found !== null && found.digest !== own.plan) throw proposalWaits(found);
  if (own.proposal != null && found?.id !== own.proposal) throw new PayrunError('PLAN_MOVED', {});
}

/** The ids of holds follow the numbers of the trail, so no hold has the id of an ended hold. */
const nextId = (sql: Sql) => sql.value<number>('SELECT coalesce(max(seq), 0) + 1 FROM trail')!;

/** Throws if the upload's plan no longer waits. Null ends the plan that waits, or that is being made. */
export function keepProposal(sql: Sql, upload: string, digest: string | null): void {
  const before = sql.one<HoldRow>(`${selectHolds} WHERE upload = ?`, upload);
  if (digest !== null && before?.digest !== digest) throw new PayrunError('PLAN_MOVED', {});
  if (digest !== null || before === null) return;
  sql.run('DELETE FROM hold WHERE upload = ?', upload);
  stopAfterHold(sql, before.batch, () => proposalWaits(proposalIn(before)));
}

/** Removes the waiting plan, and links its upload with the batch. Call this after the import of the sheet. */
export function openProposal(sql: Sql, batch: string, digest: string): void {
  sql.run(
    'UPDATE upload SET batch = ? WHERE id IN (SELECT upload FROM hold WHERE batch = ? AND digest = ?)',
    batch,
    batch,
    digest,
  );
  sql.run('DELETE FROM hold WHERE batch = ? AND digest = ?', batch, digest);
}

function declineUpload(sql: Sql, id: string, declined: Readonly<Record<'by' | 'at' | 'reason' | 'did', string>>): void {
  const facts = JSON.parse(sql.value<string>('SELECT facts FROM upload WHERE id = ?', id) ?? '{}') as object;
  sql.run('UPDATE upload SET facts = ? WHERE id = ?', JSON.stringify({ ...facts, declined }), id);
}

export function openHolds({ sql, commits, trail, clock, requireHome }: HoldGround) {
  const pausesIn = (where: string, ...values: string[]) =>
    sql
      .all<HoldRow>(`${selectHolds} WHERE kind = 'pause' AND ${where} ORDER BY batch`, ...values)
      .map(({ id, batch, reason, by, at }) => ({ id, batch: batch || null, reason, by, at }));
  return {
    /** Null for `batch` pauses all batches. Payments under way continue. Returns false if the pause was already there. */
    pause: async (batch: string | null, by: string | null, reason: string) =>
      await commits.whenFree(() => {
        // The ledger may have been copied while this pause waited for the lock. The copy would not be paused.
        requireHome();
        const pause = { id: nextId(sql), kind: 'pause', batch: batch ?? '', by, at: clock.now(), reason };
        const { changes } = sql.run(...insertOf('hold', pause, 'ON CONFLICT (kind, batch) DO NOTHING'));
        if (changes === 0) return false;
        trail.append({ batch, what: 'paused', data: { by, reason } });
        return true;
      }),
    /** Ends the pause of `batch` (null: of all batches). With `only`, ends the pause only if its id is `only`. */
    endPause: async (
      batch: string | null,
      by: string | null,
      { reason, only }: { readonly reason?: string; readonly only?: number } = {},
    ) =>
      await commits.whenFree(() => {
        const [ended] = pausesIn('batch = ?', batch ?? '');
        const { changes } = sql.run(
          "DELETE FROM hold WHERE kind = 'pause' AND batch = ? AND id = coalesce(CAST(? AS BIGINT), id)",
          batch ?? '',
          only ?? null,
        );
        if (ended === undefined || changes === 0) return false;
        stopAfterHold(sql, batch, (name) => pausedError(name, { ...ended, batch: batch ?? '' }));
        const data = { by, ...(reason === undefined ? {} : { reason }) };
        trail.append({ batch, what: 'pause ended', data });
        return true;
      }),
    /** Returns the refusal for the pause that covers the batch; null if none does. */
    pausedBy: (batch: string) => {
      const pause = holdsOf(sql, batch).find(({ kind }) => kind === 'pause');
      return pause === undefined ? null : pausedError(batch, pause);
    },
    /** Returns the refusal to send rows of the batch, for its first hold; null if it has none. */
    whyHeld: (batch: string) => whyHeld(batch, holdsOf(sql, batch)[0]),
    requireNoHold: (batch: string) => requireNoHold(sql, batch),
    requireNoProposal: (batch: string) => requireNoProposal(sql, batch),
    /** Returns the pauses that cover the batch; null for all pauses. */
    pauses: async (name: string | null) => (name === null ? pausesIn('TRUE') : pausesIn("batch IN ('', ?)", name)),
  };
}

export function openProposals({ sql, commits, trail, clock, requireHome }: HoldGround) {
  return {
    proposalOf: (batch: string) => proposalOf(sql, batch),
    /** Returns each waiting plan, also of a batch that has no version yet. */
    proposals: () => sql.all<HoldRow>(`${selectHolds} WHERE kind = 'proposal' ORDER BY batch`).map(proposalIn),
    /** Holds the batch for a new plan, which ends the upload's own, and returns the hold's id. Throws if another plan waits. */
    propose: async (batch: string, { by, file, upload }: Pick<Proposal, 'by' | 'file' | 'upload'>) =>
      await commits.whenFree(() => {
        requireHome();
        if (upload !== null) keepProposal(sql, upload, null);
        requireNoProposal(sql, batch);
        const plan = { batch, by, file, upload, digest: '' };
        sql.run(...insertOf('hold', { id: nextId(sql), kind: 'proposal', at: clock.now(), ...plan }));
        trail.append({ batch, what: 'person', data: { by, did: 'plan-proposed', file, batch } });
        return proposalOf(sql, batch)!.id;
      }),
    /** Stores the digests of the plan and of its rows. Returns false if the hold has ended. */
    keepPlan: async (id: number, digest: string, rows: string | null) =>
      await commits.whenFree(
        () => sql.run('UPDATE hold SET digest = ?, rows = ? WHERE id = ?', digest, rows, id).changes > 0,
      ),
    unpropose: async (id: number) =>
      await commits.whenFree(() => sql.run('DELETE FROM hold WHERE id = ?', id).changes > 0),
    /** Ends the waiting plan and its upload's plan, and records who ended it. Returns false if it had ended already. */
    endProposal: async (proposal: Proposal, said: Readonly<Record<'by' | 'did' | 'declined', string>>) =>
      await commits.whenFree(() => {
        const { id, batch, digest: plan, file, upload } = proposal;
        const rows = sql.value<string>('SELECT rows FROM hold WHERE id = ?', id);
        if (sql.run('DELETE FROM hold WHERE id = ?', id).changes === 0) return false;
        stopAfterHold(sql, batch, () => proposalWaits(proposal));
        const { by, did, declined: reason } = said;
        if (upload !== null) declineUpload(sql, upload, { by, did, reason, at: isoTime(clock.now()) });
        const ofUpload = upload === null ? {} : { upload };
        trail.append({ batch, what: 'person', data: { ...said, ...ofUpload, file, batch, plan, rows } });
        return true;
      }),
  };
}
