/** The ledger on SQLite: one file, one sender, every move with its trail line in the same transaction. */
import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../base/clock.ts';
import { assert } from '../base/errors.ts';
import { openSqlite } from '../base/sqlite.ts';
import { openBatches } from './batches.ts';
import { openCapping } from './capping.ts';
import { openComparing } from './comparing.ts';
import type { Ledger } from './contract.ts';
import { openCopies } from './copies.ts';
import { openDeposits } from './deposits.ts';
import { openDocuments } from './documents.ts';
import { openDraft } from './draft.ts';
import { openEvidence } from './evidence.ts';
import { faultAtStart } from './faults.ts';
import { requireLocalDisk, requireRoom } from './ground.ts';
import { openHistory } from './history.ts';
import { openImporting } from './importing.ts';
import { holdLock, requireFree } from './lock.ts';
import { openMending } from './mending.ts';
import { openMerchants } from './merchants.ts';
import { openMoving } from './moving.ts';
import { openPages } from './pages.ts';
import { openPasses } from './passes.ts';
import { openPayees } from './payees.ts';
import { openPeople } from './people.ts';
import { openRows } from './rows.ts';
import { makeTables, prepareTables, requireOwn } from './tables.ts';
import { openTelling } from './telling.ts';
import { openTimeline } from './timeline.ts';
import { openTwins } from './twins.ts';
import { openUploads } from './uploads.ts';
import { openVariance } from './variance.ts';
import { openWriting } from './writing.ts';

/**
 * `path` null opens a ledger that exists for this process only: what `check` needs to look at a sheet. `patienceMs`: how long a write may
 * stand still for another process.
 */
export function openLedger(
  path: string | null,
  clock: Clock,
  { readOnly, patienceMs }: { readonly readOnly?: true; readonly patienceMs?: number } = {},
): Ledger {
  const where = path ?? '(none)';
  const { db, id, home } = openFile(path, where, clock, readOnly === true);
  if (patienceMs !== undefined) db.exec(`PRAGMA busy_timeout=${patienceMs}`);
  const place = path === null ? where : realpathSync(path);
  const writing = openWriting(db, where, clock);
  const { sql, commits, trail } = writing;
  const moving = openMoving(writing);
  const draft = openDraft(sql);
  let lock: { release(): void } | null = null;

  return {
    path: where,
    id,
    moved: home !== null && home !== place,
    draft,
    passes: openPasses(sql),
    uploads: openUploads(writing),
    pages: openPages(sql),
    people: openPeople(writing),

    async close() {
      lock?.release();
      lock = null;
      db.close();
    },
    async hold() {
      assert(path !== null, 'a ledger without a file sends nothing');
      requireRoom(path);
      lock ??= holdLock(path, clock.now());
      requireFree(db, path);
    },
    async settleIn() {
      commits.alone(() => {
        if (sql.run('UPDATE ledger SET path = ? WHERE path IS NOT ?', place, place).changes > 0)
          trail.append({ batch: null, row: null, what: 'home', data: { ledger: id, path: place } });
      });
    },

    ...openBatches(writing),
    ...openComparing(sql),
    ...openTwins(sql),
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
    ...openMending({ ...writing, moving }),
    ...openMerchants({ ...writing, moving }),
    ...openDocuments(writing),

    ...openTelling(writing),
    evidence: () => openEvidence(db, makeTables),
  };
}

/** `home`: where the ledger lay when it last sent; null before that. */
function openFile(
  path: string | null,
  where: string,
  clock: Clock,
  readOnly: boolean,
): { db: DatabaseSync; id: string; home: string | null } {
  let db: DatabaseSync | null = null;
  try {
    if (path !== null) {
      requireLocalDisk(path);
      requireOwn(path);
    }
    db = path === null ? new DatabaseSync('') : readOnly ? new DatabaseSync(path, { readOnly }) : openSqlite(path);
    prepareTables(db, where, clock, readOnly);
    const self = db.prepare('SELECT id, path AS home FROM ledger').get() ?? { id: '', home: null };
    return { db, ...(self as { id: string; home: string | null }) };
  } catch (error) {
    db?.close();
    throw faultAtStart(error, where);
  }
}
