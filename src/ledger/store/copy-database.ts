/** Copies a ledger between SQLite and Postgres. After an interruption, the same command finishes the copy. */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { readEntry } from '../../audit/chain.ts';
import type { Evidence } from '../../audit/evidence.ts';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { folderFault, PayrunError } from '../../base/errors.ts';
import { connectedMembers } from '../fleet/fleet.ts';
import { filesOf, openStore } from '../opening.ts';
import { openEvidence } from '../trail/evidence.ts';
import { unusable } from './faults.ts';
import { isPostgres, readPostgres } from './postgres/postgres.ts';
import { elsewhereNow, homeNow, moveHome, refuseElsewhere } from './relocation.ts';
import type { Sql, SqlValue } from './sql.ts';
import { ledgerColumns } from './sqlite/schema.ts';
import type { LedgerPlace, OpenOptions, Store } from './store.ts';
import { openTrail } from './trail.ts';

const pageRows = 500;

export type CopiedLedger = Awaited<ReturnType<typeof copyLedger>>;

/** The new ledger cannot send until the old ledger is marked as copied. `audit` throws for a damaged ledger. */
export async function copyLedger(
  from: LedgerPlace,
  to: LedgerPlace,
  clock: Clock,
  audit: (evidence: Evidence, path: string) => void,
) {
  if (isPostgres(from.place) === isPostgres(to.place)) throw new PayrunError('LEDGER_COPY_NEEDS_POSTGRES', {});
  await using ends = new AsyncDisposableStack();
  const old = ends.adopt(openStore(from.place, clock, { ...from.options, existing: true }), (store) => store.close());
  // Takes the console's lock, because the copy would lack the changes that a running console makes.
  const console = old.holdConsole(clock.now(), (holder) => unusable(old.where, { fault: 'console-is-open', holder }));
  ends.defer(() => console.release());
  return await copyHeld(old, from.options, to, clock, audit);
}

async function copyHeld(
  old: Store,
  options: OpenOptions,
  to: LedgerPlace,
  clock: Clock,
  audit: (evidence: Evidence, path: string) => void,
) {
  old.hold(clock.now());
  const home = homeNow(old.sql);
  const isMarked = home !== null && 'copiedTo' in home && home.copiedTo === whereOf(to.place);
  const isDone = isMarked && (isPostgres(to.place) || existsSync(to.place));
  if (!isDone) refuseElsewhere(old.sql, old.where);
  if (isPostgres(old.where)) refuseAtWork(old);
  audit(openEvidence(old.sql, old.faults), old.where);
  await using ends = new AsyncDisposableStack();
  const next = ends.adopt(
    openStore(to.place, clock, isDone ? { ...to.options, existing: true } : to.options),
    (store) => store.close(),
  );
  next.hold(clock.now());
  const copied = old.sql.transaction(() => {
    const head = openTrail(old.sql, clock).head();
    if (isDone) {
      // The old ledger is marked as copied. Throws if the target is not the unfinished copy of the old ledger.
      if (next.id !== old.id || elsewhereNow(next.sql) === null) refuseElsewhere(old.sql, old.where);
    } else if (!holdsAll(next, old, head)) {
      copyTables(old, next, () => moveHome(writingIn(next, clock), { copyOf: old.where }));
      copyFiles(filesOf(old.where, old.id, options), filesOf(next.where, old.id, to.options), next.where);
    }
    audit(openEvidence(next.sql, next.faults), next.where);
    if (!isDone) moveHome(writingIn(old, clock), { copiedTo: next.where });
    const rows = old.sql.value<number>('SELECT count(*) FROM payout')!;
    return { from: old.where, to: next.where, rows, entries: head.seq, head: head.hash };
  });
  // Now only the new ledger may send. Because the place has changed, the next run first scans all payments.
  next.sql.transaction(() => {
    if (elsewhereNow(next.sql) !== null) moveHome(writingIn(next, clock), { copiedFrom: old.where });
  });
  return copied;
}

const whereOf = (place: string) => (isPostgres(place) ? readPostgres(place).address : place);

const writingIn = ({ sql }: Store, clock: Clock) => ({ sql, trail: openTrail(sql, clock) });

/** Throws while workers are connected, because the copy would lack the answers that the workers still receive. */
function refuseAtWork({ sql, where }: Store): void {
  const worker = sql.value<string>(connectedMembers);
  if (worker !== null) throw unusable(where, { fault: 'worker-sends-from-it', worker });
}

interface Entry {
  readonly seq: number;
  readonly hash: string;
  readonly entry: string;
}

const entryAt = ({ sql }: Store, seq: number) =>
  sql.one<Entry>('SELECT seq, hash, entry FROM trail WHERE seq = ?', seq);

/** True if the target has the whole ledger; false if it is empty or an unfinished copy. Throws for other targets. */
function holdsAll(next: Store, old: Store, head: Pick<Entry, 'seq' | 'hash'>): boolean {
  const last = next.sql.one<Entry>('SELECT seq, hash, entry FROM trail ORDER BY seq DESC LIMIT 1');
  if (last === null) return false;
  const elsewhere = elsewhereNow(next.sql);
  const places = { from: old.where, to: next.where, isPostgres: isPostgres(next.where) };
  if (next.id !== old.id) throw new PayrunError('COPY_MEETS_OTHER_LEDGER', places);
  if (elsewhere !== null && 'copyOf' in elsewhere && readEntry(last.entry).what === 'home') return false;
  if (elsewhere === null && entryAt(next, head.seq)?.hash === head.hash) return true;
  if (elsewhere !== null || entryAt(old, last.seq)?.hash === last.hash)
    throw new PayrunError('COPY_MEETS_EARLIER_STATE', places);
  throw new PayrunError('COPY_WENT_APART', { from: old.where, to: next.where });
}

/** Copies all tables. In the same transaction, `beforeCommit` marks the target as unfinished, to prevent sending. */
function copyTables(old: Store, next: Store, beforeCommit: () => void): void {
  const tables = Map.groupBy(ledgerColumns(), ({ table }) => table);
  next.sql.transaction(() => {
    for (const table of tables.keys()) next.sql.run(`DELETE FROM ${table}`);
    for (const [table, columns] of tables) {
      const names = columns.map(({ name }) => name);
      const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(',')})`;
      let page: SqlValue[][] = [];
      for (const row of valuesOf(old.sql, table, names)) {
        page.push(row);
        if (page.length < pageRows) continue;
        next.sql.many(insert, page);
        page = [];
      }
      next.sql.many(insert, page);
      if (digestOf(old.sql, table, names) !== digestOf(next.sql, table, names))
        throw unusable(next.where, { fault: 'copied-table-differs', table, from: old.where });
    }
    next.renumber();
    beforeCommit();
  });
}

function* valuesOf(sql: Sql, table: string, names: readonly string[]): Generator<SqlValue[]> {
  for (const row of sql.each<Readonly<Record<string, SqlValue>>>(`SELECT ${names.join(', ')} FROM ${table}`))
    yield names.map((name) => row[name]!);
}

/** Returns a digest that does not depend on the order of rows, because the two databases sort differently. */
function digestOf(sql: Sql, table: string, names: readonly string[]): string {
  let rows = 0;
  let sum = 0n;
  for (const row of valuesOf(sql, table, names)) {
    rows += 1;
    sum += BigInt(`0x${sha256(JSON.stringify(row))}`);
  }
  return `${rows} ${sum}`;
}

function copyFiles(from: string, to: string, path: string): void {
  for (const name of ['sheets', 'console']) {
    if (!existsSync(join(from, name))) continue;
    try {
      cpSync(join(from, name), join(to, name), { recursive: true });
    } catch (error) {
      throw unusable(path, { fault: 'files-cannot-be-copied', why: folderFault(error) }, error);
    }
  }
}
