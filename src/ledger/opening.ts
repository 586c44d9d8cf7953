/** Opens a ledger, wherever it is kept: every move with its trail line in one transaction, and one sender. */
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { assert } from '../base/errors.ts';
import { openBatches } from './batches.ts';
import { openCapping } from './capping.ts';
import { openComparing } from './comparing.ts';
import type { Ledger } from './contract.ts';
import { openCopies } from './copies.ts';
import { openDeposits } from './deposits.ts';
import { openDocuments } from './documents.ts';
import { openDraft } from './draft.ts';
import { elsewhereAt, homeNow, refuseElsewhere } from './elsewhere.ts';
import { openEvidence } from './evidence.ts';
import { openFleet } from './fleet.ts';
import { openHistory } from './history.ts';
import { openImporting } from './importing.ts';
import { openMending } from './mending.ts';
import { openMerchants } from './merchants.ts';
import { openMoving } from './moving.ts';
import { openPages } from './pages.ts';
import { openPasses } from './passes.ts';
import { openPayees } from './payees.ts';
import { openPeople } from './people.ts';
import { isPostgres, openPostgres } from './postgres.ts';
import { openRows } from './rows.ts';
import { skippedRows } from './skipped.ts';
import { openSqliteStore } from './sqlite.ts';
import type { OpenOptions, Store } from './store.ts';
import { openTelling } from './telling.ts';
import { openTimeline } from './timeline.ts';
import { openTurns } from './turns.ts';
import { openTwins } from './twins.ts';
import { openUploads } from './uploads.ts';
import { openVariance } from './variance.ts';
import { openWriting } from './writing.ts';

export function openStore(place: string | null, clock: Clock, options: OpenOptions): Store {
  return place !== null && isPostgres(place)
    ? openPostgres(place, clock, options)
    : openSqliteStore(place, clock, options);
}

/** Where the files lie that belong to a ledger. */
export function filesOf(where: string, id: string, { files }: OpenOptions): string {
  return files === undefined ? dirname(where) : join(files, id);
}

/**
 * `place`: a file, or the address of a Postgres; null opens a ledger that exists for this process only: what `check` needs to look at a
 * sheet.
 */
export function openLedger(place: string | null, clock: Clock, options: OpenOptions = {}): Ledger {
  const store = openStore(place, clock, options);
  const writing = openWriting(store.sql, clock);
  const { sql, commits, trail } = writing;
  const { requireHeeded, ...turns } = openTurns(writing);
  const moving = openMoving({ ...writing, isShared: store.isHeld !== undefined, requireHeeded });
  const requireHome = () => refuseElsewhere(homeNow(sql), store.where);
  const draft = openDraft(sql);
  const fleet =
    store.isHeld === undefined
      ? null
      : openFleet({ ...writing, moving, requireHome, requireHeeded, isLed: store.isHeld });
  const mending = openMending({ ...writing, moving });

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
    uploads: openUploads(writing, (batch) => fleet?.overtake(batch)),
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
    ...turns,
    skipped: async (batch) => skippedRows(sql, batch),
    ...openComparing(sql),
    ...openTwins(sql),
    ...openCapping(sql),
    ...openPayees(sql),
    ...openHistory(sql),
    ...openVariance(sql),
    ...openCopies({ ...writing, moving }),
    ...openImporting({ ...writing, draft, moving, requireHeeded }),
    ...openRows(sql),
    ...openDeposits(sql),
    ...openTimeline(sql),

    move: (move) => commits.share(() => moving.move(move)),
    moveAll: async (moves) =>
      commits.alone(() => {
        for (const move of moves) moving.move(move);
      }),
    note: (row, facts, data) => commits.share(() => moving.note(row, facts, data)),
    ...mending,
    async recover() {
      await fleet?.settle();
      return await mending.recover();
    },
    ...openMerchants({ ...writing, moving }),
    ...openDocuments(writing),

    ...openTelling(writing),
    evidence: () => openEvidence(sql, store.faults),
  };
}
