/** Opens a ledger on SQLite or Postgres. */
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { assert } from '../base/errors.ts';
import { openPeople } from './accounts/people.ts';
import { openUploads } from './accounts/uploads.ts';
import { openComparing } from './batches/batch-comparison.ts';
import { openBatches } from './batches/batches.ts';
import { openCapping } from './batches/cap-totals.ts';
import { openDraft } from './batches/draft.ts';
import { openHistory } from './batches/history.ts';
import { openImporting } from './batches/import-draft.ts';
import { openProposals } from './batches/proposals.ts';
import { openTimeline } from './batches/timeline.ts';
import { openVariance } from './batches/variance.ts';
import type { Ledger } from './contract.ts';
import { openCopies } from './duplicates/copies.ts';
import { openPasses } from './duplicates/list-scans.ts';
import { openMatches } from './duplicates/matches.ts';
import { openFleet } from './fleet/fleet.ts';
import { openDeposits } from './rows/deposits.ts';
import { openDocuments } from './rows/documents.ts';
import { openMerchants } from './rows/merchants.ts';
import { openPages } from './rows/pages.ts';
import { openPayees } from './rows/payees.ts';
import { openRecovery } from './rows/recovery.ts';
import { openRows } from './rows/rows.ts';
import { openMoving } from './rows/transitions.ts';
import { isPostgres, openPostgres } from './store/postgres/postgres.ts';
import { elsewhereAt, homeNow, refuseElsewhere } from './store/relocation.ts';
import { openSqliteStore } from './store/sqlite/sqlite.ts';
import type { OpenOptions, Store } from './store/store.ts';
import { openWriting } from './store/unit-of-work.ts';
import { openEvidence } from './trail/evidence.ts';
import { openTrailQueries } from './trail/trail-queries.ts';

export function openStore(place: string | null, clock: Clock, options: OpenOptions): Store {
  return place !== null && isPostgres(place) ? openPostgres(place, clock, options) : openSqliteStore(place, options);
}

export function filesOf(where: string, id: string, { files }: OpenOptions): string {
  return files === undefined ? dirname(where) : join(files, id);
}

/** Null for `place` opens a temporary ledger, which cannot send. */
export function openLedger(place: string | null, clock: Clock, options: OpenOptions = {}): Ledger {
  const store = openStore(place, clock, options);
  const writing = openWriting(store.sql, clock);
  const { sql, commits, trail } = writing;
  const moving = openMoving({ ...writing, isShared: store.isHeld !== undefined });
  const requireHome = () => refuseElsewhere(homeNow(sql), store.where);
  const draft = openDraft(sql);
  const fleet = store.isHeld === undefined ? null : openFleet({ ...writing, moving, requireHome, isLed: store.isHeld });
  const recovery = openRecovery({ ...writing, moving });

  return {
    path: store.where,
    at: { place: place ?? '', options },
    lost: store.lost ?? new Promise(() => {}),
    folder: filesOf(store.where, store.id, options),
    id: store.id,
    moved: store.home !== null && store.home !== store.place,
    elsewhere: async () => elsewhereAt(homeNow(sql)),
    requireHome: async () => requireHome(),
    draft,
    passes: openPasses(sql),
    uploads: openUploads(writing, (batch) => fleet?.halt(batch)),
    pages: openPages(sql),
    people: openPeople(writing),
    fleet,

    close: () => store.close(),
    async hold() {
      assert(place !== null, 'a ledger without a file sends nothing');
      store.requireRoom();
      store.hold(clock.now());
      requireHome();
    },
    isHeldElsewhere: () => store.isHeldElsewhere(),
    async settleIn() {
      commits.alone(() => {
        if (sql.run('UPDATE ledger SET path = ? WHERE path IS DISTINCT FROM ?', store.place, store.place).changes > 0)
          trail.append({ batch: null, row: null, what: 'home', data: { ledger: store.id, path: store.place } });
      });
    },
    holdConsole() {
      requireHome();
      return store.holdConsole(clock.now());
    },
    requireRoom: () => store.requireRoom(),

    ...openBatches(writing),
    ...openProposals(sql),
    ...openComparing(sql),
    ...openMatches(sql),
    ...openCapping(sql),
    ...openPayees(sql),
    ...openHistory(sql),
    ...openVariance(sql),
    ...openCopies({ ...writing, moving }),
    ...openImporting({ ...writing, draft, moving }),
    ...openRows(sql),
    ...openDeposits(sql),
    ...openTimeline(sql),

    move: (move) => commits.share(() => moving.move(move)),
    moveAll: async (moves) =>
      commits.alone(() => {
        for (const move of moves) moving.move(move);
      }),
    note: (row, facts, data) => commits.share(() => moving.note(row, facts, data)),
    ...recovery,
    async recover() {
      await fleet?.settle();
      return await recovery.recover();
    },
    ...openMerchants({ ...writing, moving }),
    ...openDocuments(writing),

    ...openTrailQueries(writing),
    evidence: () => openEvidence(sql, store.faults),
  };
}
