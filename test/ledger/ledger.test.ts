/** The ledger on real files: shared commits, all or nothing, one sender, and a chain that shows every tampering. */
import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { genesis, link, readEntry } from '../../src/audit/chain.ts';
import { build, ledgerFormat } from '../../src/base/build.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import { openSqlite } from '../../src/base/sqlite.ts';
import {
  type BatchFacts,
  type DraftRow,
  type Ledger,
  type LedgerRow,
  mayMoveRow,
  openLedger,
  type RowState,
  rowStates,
} from '../../src/ledger/ledger.ts';
import { committer } from '../../src/ledger/store/commit.ts';
import { openSql } from '../../src/ledger/store/sql.ts';
import { makeTables } from '../../src/ledger/store/sqlite/schema.ts';
import { newFolder } from '../support.ts';
import { newPlace, stores } from './stores.ts';

let place = '';
let ledger: Ledger;

/** For transactions and locks, which the databases have each in their own way. Each test has a ledger of its own. */
function onBoth(what: string, tests: () => void): void {
  describe.each(stores)(`${what}, on %s`, (store) => {
    beforeEach(async () => {
      place = await newPlace(store);
      ledger = openLedger(place, systemClock);
    });
    afterEach(() => ledger.close().catch(() => undefined));
    tests();
  });
}

function draftRow(number: number, changes: Partial<DraftRow> = {}): DraftRow {
  return {
    number,
    key: `r${number}`,
    rowId: `r${number}`,
    digest: `d${number}`,
    likeness: `l${number}`,
    content: JSON.stringify({
      rowId: `r${number}`,
      name: `Payee ${number}`,
      amount: 100 + number,
      reference: `Ref ${number}`,
    }),
    amount: 100 + number,
    unit: 'whole',
    currency: 'KES',
    fromCountry: null,
    country: 'Kenya',
    destination: `kenya:${number % 3}`,
    collection: null,
    payee: { id: null, name: `payee${number}`, account: `kenya:${number % 3}` },
    documents: [],
    ...changes,
  };
}

async function take(rows: readonly DraftRow[], batch = 'nov'): Promise<BatchFacts> {
  ledger.draft.clear();
  ledger.draft.add(rows);
  return await ledger.versions.importDraft({
    batch,
    identity: 'i',
    service: 's',
    repeatReason: null,
    base: Number.MAX_SAFE_INTEGER,
    isAddition: false,
    mayRepeat: false,
    plan: null,
    sheet: { name: 'n.csv', origin: '/n.csv', copy: '/copy.csv', options: {} },
  });
}

const all = () => ledger.rows.list({ batch: 'nov', limit: 1000 });

async function bring(row: LedgerRow, ...states: RowState[]): Promise<void> {
  let from = row.state;
  for (const to of states) {
    await ledger.rows.move({ row, from, to, ...(to === 'accepted' ? { paymentId: `p-${row.key}` } : {}) });
    from = to;
  }
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => draftRow(index + 2));

describe('shared commits of a file', () => {
  it('one failing write does not fail its neighbours', async () => {
    const path = join(newFolder(), 'x.db');
    const db = openSqlite(path);
    db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY); CREATE TABLE ledger (id TEXT)');
    const commits = committer(openSql(db, 'x.db'), systemClock);
    const insert = (n: number) => commits.share(() => db.prepare('INSERT INTO t VALUES (?)').run(n));
    const outcomes = await Promise.allSettled([insert(1), insert(2), insert(1), insert(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(db.prepare('SELECT n FROM t ORDER BY n').all()).toEqual(
      [{ n: 1 }, { n: 2 }, { n: 3 }].map((one) => Object.assign(Object.create(null), one)),
    );
    db.close();
  });

  it('writes of one turn share commits, six at a time where the disk is quick, and each is on the disk when its promise resolves', async () => {
    const path = join(newFolder(), 'x.db');
    const db = openSqlite(path);
    db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY); CREATE TABLE ledger (id TEXT)');
    const sql = openSql(db, 'x.db');
    let transactions = 0;
    const transaction = <T>(work: () => T): T => {
      transactions += 1;
      return sql.transaction(work);
    };
    const commits = committer({ ...sql, transaction }, systemClock);
    const other = new DatabaseSync(path, { readOnly: true });
    const seen: boolean[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        await commits.share(() => db.prepare('INSERT INTO t VALUES (?)').run(n));
        seen.push(other.prepare('SELECT 1 FROM t WHERE n = ?').get(n) !== undefined);
      }),
    );
    expect(seen).toEqual(Array.from({ length: 50 }, () => true));
    expect(transactions).toBeLessThanOrEqual(Math.ceil(50 / 6));
    other.close();
    db.close();
  });
});

onBoth('shared commits', () => {
  it('a move that the table does not have fails alone, and its row stays where it was', async () => {
    await take(rows(3));
    const [a, b, c] = await all();
    if (a === undefined || b === undefined || c === undefined) throw new Error('three rows');
    const outcomes = await Promise.allSettled([
      ledger.rows.move({ row: a, from: 'planned', to: 'ready' }),
      ledger.rows.move({ row: b, from: 'planned', to: 'succeeded' }),
      ledger.rows.move({ row: c, from: 'planned', to: 'ready' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await all()).map(({ state }) => state)).toEqual(['ready', 'planned', 'ready']);
  });

  it('moveAll is all or nothing, trail included', async () => {
    await take(rows(2));
    const [a, b] = await all();
    if (a === undefined || b === undefined) throw new Error('two rows');
    const before = await ledger.trail.head();
    await expect(
      ledger.rows.moveAll([
        { row: a, from: 'planned', to: 'ready' },
        { row: b, from: 'ready', to: 'sending' },
      ]),
    ).rejects.toThrow();
    expect((await all()).map(({ state }) => state)).toEqual(['planned', 'planned']);
    expect(await ledger.trail.head()).toEqual(before);
  });
});

onBoth('moves', () => {
  it('from a state that the row has left are refused: two cannot send one row', async () => {
    await take(rows(1));
    const [row] = await all();
    if (row === undefined) throw new Error('a row');
    await bring(row, 'ready');
    const twice = await Promise.allSettled([
      ledger.rows.move({ row, from: 'ready', to: 'sending' }),
      ledger.rows.move({ row, from: 'ready', to: 'sending' }),
    ]);
    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('whatever is tried at random, a row is only ever where the table allows, and the trail tells the same story', async () => {
    await take([draftRow(2)]);
    const move = fc.tuple(fc.constantFrom(...rowStates), fc.constantFrom(...rowStates));
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (tries) => {
        for (const [from, to] of tries) {
          const [row] = await all();
          if (row === undefined) throw new Error('the row is there');
          const allowed = row.state === from && mayMoveRow(from, to);
          const moved = await ledger.rows.move({ row, from, to }).then(
            () => true,
            () => false,
          );
          expect(moved).toBe(allowed);
          expect((await all())[0]?.state).toBe(allowed ? to : row.state);
        }
      }),
      { numRuns: 15 },
    );
    let told: string = 'planned';
    for (const { text } of ledger.trail.eachTrail()) {
      const { what, data } = readEntry(text);
      if (what !== 'move') continue;
      expect(data.from).toBe(told);
      told = String(data.to);
    }
    expect(told).toBe((await all())[0]?.state);
  });

  it('one payment never belongs to two rows', async () => {
    await take(rows(2));
    const [a, b] = await all();
    if (a === undefined || b === undefined) throw new Error('two rows');
    await bring(a, 'ready', 'sending', 'accepted');
    await bring(b, 'ready', 'sending');
    await expect(
      ledger.rows.move({ row: b, from: 'sending', to: 'accepted', paymentId: `p-${a.key}` }),
    ).rejects.toThrow();
    expect((await ledger.rows.rowByPayment(`p-${a.key}`))?.key).toBe(a.key);
  });

  it('what was being sent when a process died is in doubt', async () => {
    await take(rows(3));
    const [a, b] = await all();
    if (a === undefined || b === undefined) throw new Error('rows');
    await bring(a, 'ready', 'sending');
    await bring(b, 'ready');
    await ledger.close();
    ledger = openLedger(place, systemClock);
    expect(await ledger.rows.recover()).toBe(1);
    expect((await all()).map(({ state }) => state)).toEqual(['in_doubt', 'ready', 'planned']);
    expect(await ledger.rows.recover()).toBe(0);
  });
});

describe('taking a sheet in', () => {
  beforeEach(() => {
    ledger = openLedger(null, systemClock);
  });
  afterEach(() => ledger.close());

  it('is all or nothing', async () => {
    ledger.draft.add(rows(3));
    const before = await ledger.trail.head();
    await expect(
      ledger.versions.importDraft({
        batch: 'nov',
        identity: 'i',
        service: 's',
        repeatReason: null,
        base: Number.MAX_SAFE_INTEGER,
        isAddition: false,
        mayRepeat: false,
        plan: null,
        sheet: {},
      } as never),
    ).rejects.toThrow();
    expect([await ledger.batches.batch('nov'), await all(), await ledger.trail.head()]).toEqual([null, [], before]);
  });

  it('gives each row a tag of its own that a second ledger would make again', async () => {
    await take(rows(50));
    const tags = (await all()).map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(50);
    for (const tag of tags) expect(tag).toMatch(/^q[0-9a-hjkmnp-tv-z]{19}$/);
    const other = openLedger(await newPlace('SQLite'), systemClock);
    other.draft.add(rows(50).toReversed());
    await other.versions.importDraft({
      batch: 'nov',
      identity: 'another key',
      service: 'another place',
      repeatReason: null,
      base: Number.MAX_SAFE_INTEGER,
      isAddition: false,
      mayRepeat: false,
      plan: null,
      sheet: { name: 'm.csv', origin: '/m.csv', copy: '/c.csv', options: {} },
    });
    const again = (await other.rows.list({ batch: 'nov', limit: 100 })).map(({ tag }) => tag);
    expect(new Set(again)).toEqual(new Set(tags));
    await other.close();
  });

  it('twice is the same as once', async () => {
    await take(rows(3));
    const before = await all();
    await take(rows(3));
    expect((await all()).map(({ key, tag, state }) => [key, tag, state])).toEqual(
      before.map(({ key, tag, state }) => [key, tag, state]),
    );
  });

  it('a page of rows that cannot be kept leaves nothing behind, and nothing open', async () => {
    const bad = draftRow(3, { amount: null as unknown as number });
    expect(() => ledger.draft.add([draftRow(2), bad])).toThrow(/not[ -]null/i);
    expect(ledger.draft.counts().rows).toBe(0);
    expect((await take(rows(2))).sheet.rows).toBe(2);
  });

  it('keys that come twice in a sheet are told, not taken', () => {
    const again = ledger.draft.add([draftRow(2), draftRow(3, { key: 'r2' })]);
    expect(again).toMatchObject([{ row: { number: 3 }, first: 2 }]);
    expect(ledger.draft.counts().rows).toBe(1);
  });

  it('compares: same, added, missing, corrected, changed after sending', async () => {
    await take(rows(5));
    const [sent, refused, expired, waiting] = await all();
    if (sent === undefined || refused === undefined || expired === undefined || waiting === undefined)
      throw new Error('rows');
    await bring(sent, 'ready', 'sending', 'accepted');
    await bring(refused, 'ready', 'sending', 'refused');
    await bring(expired, 'ready', 'sending', 'accepted', 'expired');
    ledger.draft.clear();
    ledger.draft.add([
      draftRow(2, { digest: 'changed' }),
      draftRow(3, { content: '{"name":"new"}' }),
      draftRow(4, { digest: 'changed', content: '{"name":"new"}' }),
      draftRow(5),
      draftRow(9, { amount: 7 }),
    ]);
    expect(await ledger.versions.compare('nov')).toMatchObject({
      known: true,
      rows: {
        'may be paid': { same: 0, other: 1, mistake: 0, missing: 0 },
        unpaid: { same: 0, other: 2, mistake: 0, missing: 0 },
        'never sent': { same: 1, other: 0, mistake: 0, missing: 1 },
      },
      added: 1,
      sent: 2,
      corrected: [
        { number: 3, key: 'r3', state: 'refused' },
        { number: 4, key: 'r4', state: 'expired' },
      ],
      changedAfterSending: [{ number: 2, key: 'r2', state: 'accepted' }],
      addedTotals: [{ currency: 'KES', rows: 1, amount: 7n }],
    });
    expect(await ledger.versions.compare('dec')).toMatchObject({ known: false, added: 5, older: 0, sent: 0 });
  });

  it('corrected rows begin again: refused under the same tag, expired under a new one, sent ones stay as they were', async () => {
    await take(rows(4));
    const [sent, refused, expired] = await all();
    if (sent === undefined || refused === undefined || expired === undefined) throw new Error('rows');
    await bring(sent, 'ready', 'sending', 'accepted');
    await bring(refused, 'ready', 'sending', 'refused');
    await bring(expired, 'ready', 'sending', 'accepted', 'expired');
    await take([
      draftRow(2, { content: '{"name":"new"}' }),
      draftRow(3, { digest: 'changed', content: '{"amount":1}', amount: 1 }),
      draftRow(4, { digest: 'changed', content: '{"amount":2}', amount: 2 }),
      draftRow(5),
    ]);
    const now = await all();
    expect(now.map(({ state, revision, amount }) => [state, revision, amount])).toEqual([
      ['accepted', 0, 102],
      ['planned', 0, 1],
      ['planned', 1, 2],
      ['planned', 0, 105],
    ]);
    expect(now[0]?.content, 'what was sent keeps the content that was sent').toBe(sent.content);
    expect(now[1]?.tag).toBe(refused.tag);
    expect(now[2]?.tag).not.toBe(expired.tag);
    expect(now[2]?.paymentId, 'and has no payment yet').toBeNull();
  });

  it('sums beyond what a number holds stay exact', async () => {
    const huge = Number.MAX_SAFE_INTEGER;
    ledger.draft.add([draftRow(2, { amount: huge }), draftRow(3, { amount: huge }), draftRow(4, { amount: 1 })]);
    expect(await ledger.versions.countsWithDraft(null, false)).toMatchObject([
      { rows: 3, amount: 2n * BigInt(huge) + 1n },
    ]);
  });
});

describe('the file', () => {
  let path = '';
  beforeEach(() => {
    path = join(newFolder(), 'ledger.db');
    ledger = openLedger(path, systemClock);
  });
  afterEach(() => ledger.close().catch(() => undefined));

  it('is readable by its owner only, whatever it was', async () => {
    await ledger.close();
    chmodSync(path, 0o644);
    ledger = openLedger(path, systemClock);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    [
      "PRAGMA user_version=9999; UPDATE ledger SET build = 'Payrun 7 (ledger format 9999)'",
      'Payrun 7 (ledger format 9999)',
      9999,
    ],
    ['PRAGMA user_version=10; ALTER TABLE ledger DROP COLUMN build', null, 10],
  ])('of another build is refused, also to a reader, and not touched: %s', async (change, other, format) => {
    await ledger.close();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA journal_mode=DELETE; ${change}`);
    db.close();
    const before = readFileSync(path);
    const refusal = expect.objectContaining({
      code: 'LEDGER_OF_OTHER_BUILD',
      facts: { path, other, format, build },
    });
    expect(() => openLedger(path, systemClock)).toThrow(refusal);
    expect(() => openLedger(path, systemClock, { readOnly: true })).toThrow(refusal);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('has a format that names its tables', () => {
    const db = new DatabaseSync(':memory:');
    makeTables(db);
    const made = db.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
    db.close();
    // If this digest changes, raise `ledgerFormat` in src/base/build.ts with it.
    expect([ledgerFormat, sha256(JSON.stringify(made)).slice(0, 12)]).toEqual([35, 'de8b90c243d8']);
  });

  it('has a name of its own, and the tables of each other ledger', async () => {
    const other = join(newFolder(), 'other.db');
    await openLedger(other, systemClock).close();
    const read = (file: string, sql: string) => {
      const db = new DatabaseSync(file, { readOnly: true });
      const found = db.prepare(sql).all();
      db.close();
      return found;
    };
    const tables = 'SELECT type, name, tbl_name, sql FROM sqlite_schema';
    expect(read(other, tables)).toEqual(read(path, tables));
    expect(read(other, 'SELECT id FROM ledger')).not.toEqual(read(path, 'SELECT id FROM ledger'));
  });

  it('is on the disk at every commit', () => {
    const db = openSqlite(join(newFolder(), 'x.db'));
    const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1]);
    db.close();
  });
});

onBoth('one sender', () => {
  it('a second ledger on the same file is refused, and reads all the same', async () => {
    await ledger.hold();
    const other = openLedger(place, systemClock);
    await expect(other.hold()).rejects.toMatchObject({
      code: 'LEDGER_BUSY',
      message: expect.stringContaining(String(process.pid)),
    });
    expect(await other.batches.list()).toEqual([]);
    await ledger.close();
    await other.hold();
    await other.close();
  });

  it('the lock dies with its process', async () => {
    const script = `
      const { openLedger } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/ledger/ledger.ts'))});
      const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/base/clock.ts'))});
      const ledger = openLedger(${JSON.stringify(place)}, systemClock);
      await ledger.hold();
      console.log('held');
      // The garbage collector would release the lock of a ledger that nothing refers to.
      setInterval(() => ledger.path, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((done) => child.stdout.once('data', done));
    await expect(ledger.hold()).rejects.toMatchObject({
      code: 'LEDGER_BUSY',
      message: expect.stringContaining(String(child.pid)),
    });
    child.kill('SIGKILL');
    await new Promise((done) => child.once('exit', done));
    await ledger.hold();
  });
});

describe('the trail', () => {
  beforeEach(() => {
    ledger = openLedger(null, systemClock);
  });
  afterEach(() => ledger.close());

  async function story(): Promise<{ seq: number; text: string; hash: string }[]> {
    await take(rows(4));
    for (const row of await all()) await bring(row, 'ready', 'sending', 'accepted', 'succeeded');
    return [...ledger.trail.eachTrail()].map((entry) => ({ ...entry }));
  }
  /** Where the chain breaks; 0 if it holds. */
  function broken(entries: readonly { text: string; hash: string }[]): number {
    let head = genesis;
    for (const [index, { text, hash }] of entries.entries()) {
      head = link(head, text);
      if (head !== hash) return index + 1;
    }
    return 0;
  }

  it('has one entry for the sheet and one for each move, and holds', async () => {
    const entries = await story();
    expect([entries.length, broken(entries)]).toEqual([17, 0]);
    expect(await ledger.trail.head()).toEqual({ seq: 17, hash: entries.at(-1)?.hash });
  });

  it('shows what was changed, dropped, moved or put in', async () => {
    const entries = await story();
    const tampers: readonly ((copies: { text: string; hash: string }[]) => unknown)[] = [
      (copies) => Object.assign(copies[5]!, { text: copies[5]!.text.replace('ready', 'held') }),
      (copies) => copies.splice(5, 1),
      (copies) => copies.splice(5, 2, copies[6]!, copies[5]!),
      (copies) => copies.splice(5, 0, { text: '[]', hash: genesis }),
      (copies) => copies.shift(),
    ];
    for (const tamper of tampers) {
      const copies = structuredClone(entries);
      tamper(copies);
      expect(broken(copies), String(tamper)).toBeGreaterThan(0);
    }
  });

  it('holds no account number and no raw answer', async () => {
    await take([draftRow(2, { content: '{"accountNumber":"10004291601"}' })]);
    const [row] = await all();
    if (row === undefined) throw new Error('a row');
    await ledger.rows.move({
      row,
      from: 'planned',
      to: 'ready',
      serviceDetails: '{"depositBankDetails":"10004291601"}',
    });
    for (const { text } of ledger.trail.eachTrail()) expect(text).not.toContain('10004291601');
  });
});
