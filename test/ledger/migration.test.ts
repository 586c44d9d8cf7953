/** A ledger of an older version: kept as it was beside the new one, up to date with every row, and whole. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { collectFindings } from '../../src/audit/findings.ts';
import { auditLedger } from '../../src/audit/verify.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openSqlite } from '../../src/base/sqlite.ts';
import { type Ledger, mayMoveRow, openLedger, type RowState, wordOf } from '../../src/ledger/ledger.ts';
import { keepBackup } from '../../src/ledger/store/sqlite/backup.ts';
import { newFolder } from '../support.ts';

const versionOne = readFileSync(join(import.meta.dirname, 'version-1.sql'), 'utf8');
const rules = {
  mayMove: (from: string, to: string) => mayMoveRow(from as RowState, to as RowState),
  wordOf: (state: string) => wordOf[state as RowState],
};

let folder = '';
let path = '';
beforeEach(() => {
  folder = newFolder();
  path = join(folder, 'ledger.db');
  const db = new DatabaseSync(path);
  db.exec(versionOne);
  db.close();
});

type Record = globalThis.Record<string, unknown>;
const rowsOf = (file: string, sql: string): Record[] => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return (db.prepare(sql).all() as Record[]).map((row) => ({ ...row }));
  } finally {
    db.close();
  }
};
const versionOf = (file: string) => rowsOf(file, 'PRAGMA user_version')[0]?.user_version;
async function opened<T>(work: (ledger: Ledger) => T): Promise<Awaited<T>> {
  const ledger = openLedger(path, systemClock);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

describe('a ledger of version 1', () => {
  it('keeps its rows, and lies beside the new one as it was, for its owner only', async () => {
    const all = 'SELECT * FROM payout ORDER BY id';
    const before = rowsOf(path, all);
    await opened(() => undefined);
    const backup = `${path}.v1`;
    expect([versionOf(backup), statSync(backup).mode & 0o777]).toEqual([1, 0o600]);
    expect(rowsOf(backup, all)).toEqual(before);
    expect(rowsOf(backup, 'SELECT * FROM trail ORDER BY seq')).toHaveLength(40);
    expect(versionOf(path)).toBeGreaterThan(1);
    const after = rowsOf(path, 'SELECT * FROM payout JOIN payout_content ON payout = id ORDER BY id');
    expect(after).toHaveLength(6);
    // What looks alike is reckoned anew, of which the audit below tells whether it is right.
    for (const [index, { likeness: _, ...row }] of before.entries()) expect(after[index]).toMatchObject(row);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is whole for an auditor, who is told of the migration', async () => {
    await opened((ledger) => {
      const findings = collectFindings();
      const audited = auditLedger(ledger.evidence(), rules, findings);
      expect(findings.list).toEqual([]);
      expect([audited.entries, audited.rows]).toEqual([41, 6]);
      expect([...ledger.eachTrail()].at(-1)?.text).toMatch(
        /"migrated",\{"from":1,"to":\d+,"ledger":"[0-9a-f]{16}","path":null\}/,
      );
    });
  });

  it.each([
    ["UPDATE payout SET state = 'ready' WHERE key = 'k1'", 'state'],
    ["UPDATE payout SET payment_id = 'x' WHERE key = 'k1'", 'payment_id'],
    ["UPDATE payout SET payment_status = 'failed' WHERE key = 'k1'", 'payment_status'],
    ["UPDATE payout SET amount = 7 WHERE key = 'k1'", 'amount'],
    ["UPDATE payout SET attempts = 2 WHERE key = 'k1'", 'attempts'],
    ["UPDATE payout SET submitted_at = submitted_at - 60000 WHERE key = 'k1'", 'submitted_at'],
    ["UPDATE payout SET merchant_id = 'x' WHERE key = 'k1'", 'merchant_id'],
  ])('shows an auditor what was changed in it: %s', async (sql, column) => {
    await opened(() => undefined);
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    await opened((ledger) => {
      const findings = collectFindings();
      auditLedger(ledger.evidence(), rules, findings);
      expect(findings.list.map(({ where }) => [where.row, where.column])).toContainEqual(['k1', column]);
    });
  });

  it('learns from its trail of a payment that a person took, of another amount than the sheet says', async () => {
    const [row] = rowsOf(path, "SELECT id, amount, payment_id AS payment FROM payout WHERE key = 'k1'");
    const entry = (amount: unknown) =>
      JSON.stringify([1, 'b', 'k1', 'move', { to: 'accepted', paymentId: row?.payment, paid: { amount } }]);
    const db = new DatabaseSync(path);
    const insert = db.prepare("INSERT INTO trail SELECT max(seq) + 1, ?, ?, '' FROM trail");
    for (const amount of [row?.amount, 7]) insert.run(Number(row?.id), entry(amount));
    db.close();
    await opened(() => undefined);
    const paid = 'SELECT key, paid_amount FROM payout WHERE paid_amount IS NOT NULL';
    expect(rowsOf(path, paid)).toEqual([{ key: 'k1', paid_amount: 7 }]);
  });

  it('is brought up to date once: the next opening makes no backup', async () => {
    await opened(() => undefined);
    await opened(() => undefined);
    expect(readdirSync(folder).filter((name) => name.includes('.v1'))).toEqual(['ledger.db.v1']);
  });

  it('never replaces a backup that is there', async () => {
    writeFileSync(`${path}.v1`, 'kept');
    await opened(() => undefined);
    expect(readFileSync(`${path}.v1`, 'utf8')).toBe('kept');
    expect(versionOf(`${path}.v1-2`)).toBe(1);
  });

  it('is left alone where no backup can be made', () => {
    // A name too long for the file system, since a folder without rights stops nobody who is root.
    const long = join(folder, `${'l'.repeat(241)}.db`);
    const db = new DatabaseSync(long);
    db.exec(versionOne);
    db.close();
    expect(() => openLedger(long, systemClock)).toThrow(
      expect.objectContaining({ code: 'LEDGER_UNUSABLE', message: expect.stringContaining('no backup could be made') }),
    );
    expect(versionOf(long)).toBe(1);
  });

  it('is not brought up to date by one who only reads it', () => {
    expect(() => openLedger(path, systemClock, { readOnly: true })).toThrow(
      expect.objectContaining({ code: 'LEDGER_UNUSABLE', message: expect.stringContaining('payrun list') }),
    );
    expect([versionOf(path), existsSync(`${path}.v1`)]).toEqual([1, false]);
  });

  it('that another process brought up to date meanwhile gives no backup under the old name', async () => {
    await opened(() => undefined);
    const db = openSqlite(path);
    expect(keepBackup(db, path, 1)).toBeNull();
    db.close();
    expect(readdirSync(folder).filter((name) => name.includes('.v1'))).toEqual(['ledger.db.v1']);
  });
});

it('the database of another program is left as it is', () => {
  const other = join(folder, 'other.db');
  const db = new DatabaseSync(other);
  db.exec('CREATE TABLE notes (text TEXT)');
  db.close();
  const before = readFileSync(other);
  expect(() => openLedger(other, systemClock)).toThrow(/the database of another program/);
  expect(readFileSync(other).equals(before)).toBe(true);
});

describe('a new ledger', () => {
  it('has no backup beside it', async () => {
    path = join(folder, 'new.db');
    await opened(() => undefined);
    expect(readdirSync(folder).filter((name) => name.startsWith('new.db'))).toEqual(['new.db']);
  });

  it('has the tables of each other one that its process makes, and a name of its own', async () => {
    const made: [tables: Record[], names: Record[]][] = [];
    for (const name of ['one.db', 'two.db']) {
      path = join(folder, name);
      await opened(() => undefined);
      const tables = rowsOf(path, 'SELECT type, name, tbl_name, sql FROM sqlite_schema');
      made.push([tables, rowsOf(path, 'SELECT id FROM ledger')]);
    }
    const [one, two] = made;
    expect(two?.[0]).toEqual(one?.[0]);
    expect(two?.[1]).not.toEqual(one?.[1]);
  });
});
