/**
 * A ledger's way to the other database: all of its tables in one transaction, read again on both sides; then the old one sends no more.
 * Whenever it ends before that, the old ledger is as it was, and the same copy can be asked for again.
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../audit/evidence.ts';
import type { Clock } from '../base/clock.ts';
import { sha256 } from '../base/digest.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { openEvidence } from './evidence.ts';
import { connectedMembers } from './fleet.ts';
import { copiedTo, filesOf, openStore, refuseCopied } from './opening.ts';
import { isPostgres } from './postgres.ts';
import type { Sql } from './sql.ts';
import type { SqlValue } from './sql-value.ts';
import type { LedgerPlace, Store } from './store.ts';
import { newestColumns } from './tables.ts';
import { openTrail } from './trail.ts';

/** So many rows are held at once. */
const pageRows = 500;

export interface CopiedLedger {
  /** For people. */
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  /** Of the trail, and the hash of the last. */
  readonly entries: number;
  readonly head: string;
}

/** `audit` fails where a ledger is not whole: it is asked of the old one first, and then of the new one. */
export async function copyLedger(
  from: LedgerPlace,
  to: LedgerPlace,
  clock: Clock,
  audit: (evidence: Evidence, path: string) => void,
): Promise<CopiedLedger> {
  if (isPostgres(from.place) === isPostgres(to.place))
    throw new PayrunError('USAGE', {
      detail: 'a ledger is copied from a file to a Postgres, or back; a file is moved as it is, while nothing uses it',
    });
  const old = openStore(from.place, clock, { ...from.options, existing: true });
  const console = old.holdConsole(clock.now());
  try {
    old.hold(clock.now());
    refuseCopied(old);
    if (isPostgres(from.place)) refuseAtWork(old);
    audit(openEvidence(old.sql, old.faults), old.where);
    const next = openStore(to.place, clock, to.options);
    try {
      next.hold(clock.now());
      return old.sql.transaction(() => {
        const trail = openTrail(old.sql, clock);
        const head = trail.head();
        if (!goesOn(next, old, head)) {
          copyTables(old, next);
          copyFiles(filesOf(old.where, old.id, from.options), filesOf(next.where, old.id, to.options), next.where);
        }
        audit(openEvidence(next.sql, next.faults), next.where);
        const home = `${copiedTo} ${next.where}`;
        old.sql.run('UPDATE ledger SET path = ?', home);
        trail.append({ batch: null, row: null, what: 'home', data: { ledger: old.id, path: home } });
        const rows = old.sql.one<{ n: number }>('SELECT count(*) AS n FROM payout')!.n;
        return { from: old.where, to: next.where, rows, entries: head.seq, head: head.hash };
      });
    } finally {
      await next.close();
    }
  } finally {
    console.release();
    await old.close();
  }
}

/** What a worker is told by the service while its ledger is copied would be lost to the copy. */
function refuseAtWork({ sql, where }: Store): void {
  const [member] = sql.all<{ name: string }>(connectedMembers);
  if (member !== undefined)
    throw new PayrunError('LEDGER_UNUSABLE', {
      path: where,
      detail: `worker ${member.name} sends from it: end its workers first`,
    });
}

/** Whether the other one has all that this one was told, from a copy that ended before its last word. */
function goesOn(next: Store, old: Store, head: { readonly seq: number; readonly hash: string }): boolean {
  const entries = next.sql.one<{ n: number }>('SELECT count(*) AS n FROM trail')!.n;
  if (entries === 0) return false;
  const there = next.sql.one<{ hash: string }>('SELECT hash FROM trail WHERE seq = ?', head.seq);
  if (next.id === old.id && there?.hash === head.hash) return true;
  throw new PayrunError('USAGE', {
    detail: `${next.where} holds ${next.id === old.id ? 'an earlier state of this ledger' : 'another ledger'} already; name a place that holds none`,
  });
}

function copyTables(old: Store, next: Store): void {
  const tables = Map.groupBy(newestColumns(), ({ table }) => table);
  next.sql.transaction(() => {
    next.sql.run('DELETE FROM ledger');
    for (const [table, columns] of tables) {
      const names = columns.map(({ name }) => name);
      const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(',')})`;
      let page: SqlValue[][] = [];
      for (const row of eachRow(old.sql, table, names)) {
        page.push(row);
        if (page.length < pageRows) continue;
        next.sql.many(insert, page);
        page = [];
      }
      next.sql.many(insert, page);
      if (digestOf(old.sql, table, names) !== digestOf(next.sql, table, names))
        throw new PayrunError('LEDGER_UNUSABLE', {
          path: next.where,
          detail: `its table ${table} does not read as it was written; the ledger ${old.where} is as it was`,
        });
    }
    next.renumber();
  });
}

function* eachRow(sql: Sql, table: string, names: readonly string[]): Generator<SqlValue[]> {
  for (const row of sql.each<Readonly<Record<string, SqlValue>>>(`SELECT ${names.join(', ')} FROM ${table}`))
    yield names.map((name) => row[name]!);
}

/** Of all rows in whatever order: each database sorts in its own way. */
function digestOf(sql: Sql, table: string, names: readonly string[]): string {
  let rows = 0;
  let sum = 0n;
  for (const row of eachRow(sql, table, names)) {
    rows += 1;
    sum += BigInt(`0x${sha256(JSON.stringify(row))}`);
  }
  return `${rows} ${sum}`;
}

/** The copies of sheets and what people handed in at the console: without them the ledger is whole, but a report cannot be written again. */
function copyFiles(from: string, to: string, path: string): void {
  for (const name of ['sheets', 'console']) {
    if (!existsSync(join(from, name))) continue;
    try {
      cpSync(join(from, name), join(to, name), { recursive: true });
    } catch (error) {
      throw new PayrunError(
        'LEDGER_UNUSABLE',
        { path, detail: `its files cannot be copied: ${wordsOf(error)}` },
        { cause: error },
      );
    }
  }
}
