/** What SQLite itself reports: a damaged file, and one that another program keeps to itself, end each command in words. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ledgerFormat } from '../../src/base/build.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Independent } from '../independent/service.ts';
import {
  command,
  type Desk,
  deskFor,
  expectNoTwins,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  newService,
  pay,
  type Ran,
} from '../support.ts';

/** How long the next openings wait for another program; null for the five seconds that they wait outside of tests. */
const patience = vi.hoisted(() => ({ ms: null as number | null }));
vi.mock('../../src/base/sqlite.ts', async (original) => {
  const real = await original<typeof import('../../src/base/sqlite.ts')>();
  return {
    ...real,
    openSqlite(path: string) {
      const db = real.openSqlite(path);
      if (patience.ms !== null) db.exec(`PRAGMA busy_timeout=${patience.ms}`);
      return db;
    },
  };
});

const others: DatabaseSync[] = [];
afterEach(() => {
  patience.ms = null;
  leave();
});

/** As a program that knows nothing of the lock beside the ledger. */
function another(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  others.push(db);
  db.exec(sql);
}

function leave(): void {
  for (const db of others.splice(0)) db.close();
}

const rows = kenyanRows(400);
const run = ['run', 'november.csv', '--batch', 'nov', '--wait', '0'];
const resume = ['resume', 'nov', '--wait', '0'];

/** Why a command with --json stopped, or was refused. */
function stopOf({ out }: Ran) {
  const { stopped, error } = JSON.parse(out);
  return stopped ?? error;
}
const detail = expect.stringContaining('database is locked');
const busy = { code: 'LEDGER_BUSY', facts: { holder: { fault: 'held-by-program', why: { fault: 'system', detail } } } };

interface Scene {
  readonly desk: Desk;
  readonly service: Independent;
}

/** A batch many pages long, taken in, and nothing of it sent. */
async function waitingBatch(): Promise<Scene> {
  const service = await newService();
  const desk = deskFor(service, rows);
  const wrong = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } };
  expect((await pay(wrong, '--batch', 'nov')).exit).toBe(25);
  return { desk, service };
}

const pageSize = 4096;
/** The first pages are the roots of the tables: without damage to them the ledger still opens. */
function rootsOf(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const { roots } = db.prepare('SELECT max(rootpage) AS roots FROM sqlite_schema').get() as { roots: number };
  db.close();
  return roots;
}

function damage(path: string): void {
  const roots = rootsOf(path);
  const bytes = readFileSync(path);
  expect(bytes.length / pageSize, 'there are pages behind the roots').toBeGreaterThan(2 * roots);
  for (let at = roots * pageSize; at < bytes.length; at += pageSize)
    for (let byte = at; byte < at + 16; byte += 1) bytes[byte] = ~(bytes[byte] ?? 0) & 0xff;
  writeFileSync(path, bytes);
}

describe('a batch of which nothing is sent', () => {
  let scene: Scene;
  let ledger: Buffer;
  beforeAll(async () => {
    scene = await waitingBatch();
    ledger = readFileSync(scene.desk.ledger);
  });
  /** The ledger as it was after the intake. */
  function fresh(): Scene {
    for (const suffix of ['-wal', '-shm']) rmSync(`${scene.desk.ledger}${suffix}`, { force: true });
    writeFileSync(scene.desk.ledger, ledger);
    return scene;
  }

  it('is called damaged by each command once pages of its ledger were overwritten', async () => {
    for (const argv of [
      run,
      ['plan', 'november.csv', '--batch', 'nov'],
      resume,
      ['retry', 'nov', '--wait', '0'],
      ['reconcile', 'nov'],
      ['resolve', 'nov', '--row', 'k300', '--not-paid', '--reason', 'x'],
      ['report', 'nov'],
      ['status', 'nov'],
      ['list', 'nov'],
      ['explain', 'nov', 'k300'],
      ['audit', 'verify'],
    ]) {
      const { desk, service } = fresh();
      damage(desk.ledger);
      const ran = await command(desk, [...argv, '--json']);
      const { whole } = JSON.parse(ran.out) as { whole?: boolean };
      const word = argv[0] === 'audit' ? false : 'LEDGER_DAMAGED';
      expect([argv[0], ran.exit, whole ?? stopOf(ran).code]).toEqual([argv[0], 27, word]);
      expect(service.payments).toEqual([]);
    }
  });

  it('is called damaged once its ledger was cut off', async () => {
    const { desk, service } = fresh();
    truncateSync(desk.ledger, rootsOf(desk.ledger) * pageSize + 100);
    for (const argv of [run, ['list', 'nov']]) {
      const ran = await command(desk, [...argv, '--json']);
      expect([ran.exit, stopOf(ran).code]).toEqual([27, 'LEDGER_DAMAGED']);
    }
    expect(service.payments).toEqual([]);
  });

  it('waits for a program that keeps its ledger to itself, or only writes in it: exit 24', async () => {
    for (const [sql, ...commands] of [
      ['PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE', ['list', 'nov'], run, ['audit', 'verify']],
      ['BEGIN IMMEDIATE', run, resume, ['reconcile', 'nov']],
    ] as const) {
      const { desk, service } = fresh();
      patience.ms = 50;
      another(desk.ledger, sql);
      for (const argv of commands) {
        const ran = await command(desk, [...argv, '--json']);
        expect([argv[0], ran.exit, stopOf(ran)]).toMatchObject([argv[0], 24, busy]);
      }
      if (sql === 'BEGIN IMMEDIATE') expect((await command(desk, ['list', 'nov'])).exit, 'reading goes on').toBe(0);
      leave();
      expect(service.payments).toEqual([]);
    }
  });
});

it('a damaged trail is exported by halves nowhere', async () => {
  const desk = deskFor(await newService(), rows);
  await pay(desk);
  damage(desk.ledger);
  const ran = await command(desk, ['audit', 'export', '--out', 'trail.jsonl', '--json']);
  expect([ran.exit, stopOf(ran).code]).toEqual([27, 'LEDGER_DAMAGED']);
  expect(() => readFileSync(join(desk.folder, 'trail.jsonl'))).toThrow('ENOENT');
});

it('pages that are overwritten while a run pays end it', async () => {
  const { desk, service } = await waitingBatch();
  let damaged = false;
  service.fault = ({ route, nth }) => {
    if (route === 'POST /payments' && nth === 5) {
      damage(desk.ledger);
      // What another connection writes makes the run read again what it knew.
      another(desk.ledger, `UPDATE ledger SET home = '{"at":"elsewhere"}'`);
      damaged = true;
    }
    return undefined;
  };
  // It imports nothing: what a run has just written, it reads from the log.
  const { exit, out } = await command(desk, [...resume, '--json']);
  const { stopped, error } = JSON.parse(out);
  expect([damaged, exit, (stopped ?? error).code]).toEqual([true, 27, 'LEDGER_DAMAGED']);
  expectNoTwins(service);
  expect(service.payments.length).toBeLessThan(rows.length);
});

it('a program that begins to write while a run pays ends it, in words that do not say that nothing was sent', async () => {
  const { desk, service } = await waitingBatch();
  patience.ms = 50;
  service.fault = ({ route, nth }) => {
    if (route === 'POST /payments' && nth === 5) another(desk.ledger, 'BEGIN IMMEDIATE');
    return undefined;
  };
  const { exit, document } = await pay(desk, '--batch', 'nov', '--concurrency', '3');
  expect([exit, document.stopped]).toMatchObject([
    22,
    { code: 'LEDGER_UNWRITABLE', facts: { why: { fault: 'system', detail: 'database is locked' } } },
  ]);
  expect(service.payments.length).toBeLessThan(10);
  leave();
  service.fault = () => undefined;
  expect((await pay(desk, '--batch', 'nov')).document.rows).toMatchObject({ in_doubt: 0, not_sent: 0, held: 0 });
  expectOnePaymentEach(service, rows);
});

describe('what is no ledger', () => {
  it('a lock that is no lock holds nothing that could be lost: the ledger is not called damaged', async () => {
    const path = join(newFolder(), 'ledger.db');
    const ledger = openLedger(path, systemClock);
    writeFileSync(`${path}.lock`, 'x'.repeat(pageSize));
    const damage = { fault: 'system', detail: 'file is not a database' };
    const why = { fault: 'file-is-damaged', path: `${path}.lock`, why: damage };
    await expect(ledger.hold()).rejects.toMatchObject({ code: 'LEDGER_UNUSABLE', facts: { path, why } });
    await ledger.close();
  });

  it('a database of another program, which is left as it is', () => {
    const path = join(newFolder(), 'ledger.db');
    another(path, 'CREATE TABLE bookmark (name TEXT)');
    const before = readFileSync(path);
    expect(() => openLedger(path, systemClock)).toThrow(
      expect.objectContaining({
        code: 'LEDGER_UNUSABLE',
        facts: { path, why: { fault: 'ledger-is-of-other-program' } },
      }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('a database of another program that has our number', () => {
    const path = join(newFolder(), 'ledger.db');
    another(path, `CREATE TABLE bookmark (name TEXT); PRAGMA user_version=${ledgerFormat}`);
    expect(() => openLedger(path, systemClock)).toThrow(expect.objectContaining({ code: 'LEDGER_UNUSABLE' }));
  });
});

it('shows an auditor a trigger that has the name of an index', async () => {
  const path = join(newFolder(), 'ledger.db');
  const ledger = openLedger(path, systemClock);
  expect(ledger.trail.evidence().faults()).toEqual([]);
  another(
    path,
    `DROP INDEX upload_at;
     CREATE TRIGGER upload_at AFTER DELETE ON upload BEGIN DELETE FROM gone; END;
     CREATE INDEX upload_at ON upload (at);
     CREATE INDEX planted ON upload (at);
     DROP INDEX payout_doubt`,
  );
  expect(ledger.trail.evidence().faults()).toEqual([
    { where: { name: 'upload_at' }, code: 'unexpected', what: 'trigger' },
    { where: { name: 'planted' }, code: 'unexpected', what: 'index' },
    { where: { name: 'payout_doubt' }, code: 'missing', what: 'index' },
  ]);
  await ledger.close();
});
