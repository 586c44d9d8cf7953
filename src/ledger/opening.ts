/** Opens a ledger on SQLite or Postgres. */
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { assert } from '../base/errors.ts';
import type { Home } from '../domain/trail.ts';
import { openPeople } from './accounts/people.ts';
import { openUploads } from './accounts/uploads.ts';
import { openComparing } from './batches/batch-comparison.ts';
import { openBatches } from './batches/batches.ts';
import { openCapping } from './batches/cap-totals.ts';
import { openClaims } from './batches/claims.ts';
import { openDraft } from './batches/draft.ts';
import { openEarlierBatches } from './batches/earlier-batches.ts';
import { openHolds, openProposals } from './batches/holds.ts';
import { openImporting } from './batches/import-draft.ts';
import { openTimeline } from './batches/timeline.ts';
import { openCopies } from './duplicates/copies.ts';
import { openPasses } from './duplicates/list-scans.ts';
import { openMatches } from './duplicates/matches.ts';
import type { LedgerRow, Move, RowFacts } from './facts.ts';
import { openFleet } from './fleet/fleet.ts';
import { openLeads } from './fleet/leads.ts';
import { openSchedules } from './fleet/schedules.ts';
import { openDeposits } from './rows/deposits.ts';
import { openDocuments } from './rows/documents.ts';
import { openMerchants } from './rows/merchants.ts';
import { openPages } from './rows/pages.ts';
import { openPayees } from './rows/payees.ts';
import { openRecovery } from './rows/recovery.ts';
import { openRows } from './rows/rows.ts';
import { openMoving } from './rows/transitions.ts';
import { openWriting } from './store/commit.ts';
import { isPostgres, openPostgres } from './store/postgres/postgres.ts';
import { elsewhereNow, homeNow, moveHome, refuseElsewhere } from './store/relocation.ts';
import { openSqliteStore } from './store/sqlite/sqlite.ts';
import type { OpenOptions, Store } from './store/store.ts';
import { openEvidence } from './trail/evidence.ts';
import { openTrailQueries } from './trail/trail-queries.ts';

export const openStore = (place: string | null, clock: Clock, options: OpenOptions): Store =>
  place !== null && isPostgres(place) ? openPostgres(place, clock, options) : openSqliteStore(place, options);

export const filesOf = (where: string, id: string, { files }: OpenOptions): string =>
  files === undefined ? dirname(where) : join(files, id);

export type Ledger = ReturnType<typeof openLedger>;

/** Null for `place` opens a temporary ledger, which cannot send. */
export function openLedger(place: string | null, clock: Clock, options: OpenOptions = {}) {
  const store = (options.store ?? openStore)(place, clock, options);
  const writing = openWriting(store.sql, clock);
  const { sql, commits, trail } = writing;
  const moving = openMoving(writing);
  let holds = false;
  const requireHome = () => refuseElsewhere(sql, store.where);
  const draft = openDraft(sql);
  const fleet = store.lost === undefined ? null : openFleet({ ...writing, moving, requireHome });
  const leads = { ...openLeads({ ...writing, fleet, requireHome, isLed: store.isHeld }), ...openSchedules(writing) };
  const holding = { ...writing, requireHome };
  const recovery = openRecovery({ ...writing, moving });
  const isHome = (home: Home | null) => home !== null && 'at' in home && home.at === store.place;
  const home = homeNow(sql);

  return {
    path: store.where,
    at: { place: place ?? '', options },
    /** Resolves when the connection to Postgres ends. Never resolves on SQLite. */
    lost: store.lost ?? new Promise<void>(() => {}),
    folder: filesOf(store.where, store.id, options),
    /** A copy of the ledger has the same id. */
    id: store.id,
    /** True if the ledger's place differs from the place that `settleIn` recorded. The ledger may then be a copy. */
    moved: home !== null && !isHome(home),
    elsewhere: async () => elsewhereNow(sql),
    requireHome: async () => requireHome(),
    draft,
    passes: openPasses(sql),
    uploads: openUploads(writing),
    leads,
    pages: openPages(sql),
    people: openPeople(writing),
    /** Null on SQLite, where only one process sends. */
    fleet,

    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
    /** Takes the sender's lock and keeps it until `close`. Throws LEDGER_BUSY while another process has the lock. */
    async hold() {
      assert(place !== null, 'a ledger without a file sends nothing');
      store.requireRoom();
      store.hold(clock.now());
      holds = true;
      requireHome();
    },
    /** True if another process holds the ledger, so that it waits for the answers of the rows under way. */
    isLedElsewhere: async () => !holds && store.isHeld(),
    /** Records the ledger's present place. Call this only after a scan for payments sent from the earlier place. */
    async settleIn() {
      commits.alone(() => {
        if (!isHome(homeNow(sql))) moveHome({ sql, trail }, { at: store.place });
      });
    },
    /** Takes the console's lock. A second console would mark the jobs of the first console as failed. */
    holdConsole() {
      requireHome();
      return store.holdConsole(clock.now());
    },
    requireRoom: () => store.requireRoom(),

    batches: { ...openBatches(writing), ...openCapping(sql), ...openEarlierBatches(sql), ...openTimeline(sql) },
    holds: { ...openHolds(holding), ...openProposals(holding) },
    versions: { ...openComparing(sql), ...openImporting({ ...writing, draft, moving }), ...openClaims(writing) },
    duplicates: { ...openMatches(sql), ...openCopies({ ...writing, moving }) },
    payees: { ...openPayees(sql), ...openMerchants({ ...writing, moving }) },
    documents: openDocuments(writing),
    rows: {
      ...openRows(sql),
      ...openDeposits(sql),
      /** Moves a row to another state. The promise resolves when the move is on the disk. */
      move: (move: Move) => commits.share(() => moving.move(move)),
      moveAll: async (moves: readonly Move[]) =>
        commits.alone(() => {
          for (const move of moves) moving.move(move);
        }),
      note: (row: LedgerRow, facts: RowFacts, data?: Move['data']) =>
        commits.share(() => moving.note(row, facts, data)),
      ...recovery,
      /** Puts rows, merchants and documents in doubt if a process ended during their request. Returns the row count. */
      async recover() {
        await fleet?.settle();
        return await recovery.recover();
      },
    },
    trail: { ...openTrailQueries(writing), evidence: () => openEvidence(sql, store.faults) },
  };
}
