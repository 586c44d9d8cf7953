/** What is a matter of Postgres alone: its words, the servers that are refused, and a connection that ends. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build } from '../../src/base/build.ts';
import { systemClock } from '../../src/base/clock.ts';
import { type DraftRow, type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { forPostgres, forRows } from '../../src/ledger/store/postgres/dialect.ts';
import { newDatabase } from '../database.ts';
import { startPostgres } from '../postgres-server.ts';
import { newPlace } from './stores.ts';

describe('a statement', () => {
  it.each([
    [
      "SELECT a AS paymentId FROM t WHERE b = ? AND c = '?' AND d = ?",
      `SELECT a AS "paymentId" FROM t WHERE b = $1 AND c = '?' AND d = $2`,
    ],
    ['SELECT ?2 FROM t WHERE a = ?1 AND b = ?1', 'SELECT $2 FROM t WHERE a = $1 AND b = $1'],
    ["x LIKE ? ESCAPE '\\' AND y = 'it''s LIKE ?'", "x ILIKE $1 ESCAPE '\\' AND y = 'it''s LIKE ?'"],
    ['FROM temp.draft d CROSS JOIN payout ON +p.sheet = 1 + 2', 'FROM pg_temp.draft d JOIN payout ON p.sheet = 1 + 2'],
    ['substr(d.destination, -13) = substr(x, 1, 3)', 'right(d.destination, 13) = substr(x, 1, 3)'],
    ['SELECT j."exit", a AS "by"', 'SELECT j."exit", a AS "by"'],
  ])('%s', (given, expected) => expect(forPostgres(given)).toBe(expected));

  it('takes several rows at once', () => {
    expect(forRows('INSERT INTO t VALUES (?,?) ON CONFLICT (a) DO NOTHING', 3)).toBe(
      'INSERT INTO t VALUES (?,?),(?,?),(?,?) ON CONFLICT (a) DO NOTHING',
    );
  });
});

const rowOf = (number: number): DraftRow => ({
  number,
  key: `k${number}`,
  rowId: `k${number}`,
  digest: 'd',
  likeness: `l${number}`,
  content: '{}',
  amount: 1,
  unit: 'whole',
  currency: 'ZAR',
  fromCountry: null,
  country: 'SouthAfrica',
  destination: `a${number}`,
  collection: null,
  payee: { id: null, name: 'n', account: 'a' },
  documents: [],
});

describe('a ledger', () => {
  let place = '';
  let ledger: Ledger;
  const admin = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: place.replace(/\?.*/, '') });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const schema = () => new URL(place).searchParams.get('schema');

  beforeEach(async () => {
    place = await newPlace('Postgres');
    ledger = openLedger(place, systemClock);
  });
  afterEach(() => ledger.close());

  const take = async () =>
    await ledger.versions.importDraft({
      batch: 'b',
      identity: 'i',
      service: 's',
      repeatReason: null,
      base: Number.MAX_SAFE_INTEGER,
      isAddition: false,
      mayRepeat: false,
      plan: null,
      sheet: { name: 'n', origin: 'o', copy: 'c', options: {} },
    });

  it('is read row by row while it is written, however many rows it has', async () => {
    ledger.draft.add(Array.from({ length: 1201 }, (_, at) => rowOf(at + 1)));
    let seen = 0;
    for (const { number } of ledger.draft.beyond(
      [{ country: 'SouthAfrica', currency: 'ZAR', least: 2, most: 9 }],
      null,
    )) {
      seen += 1;
      expect(number).toBe(seen);
      if (number % 2 === 0)
        ledger.draft.judge([
          {
            row: number,
            column: null,
            code: 'EVEN',
            severity: 'error',
            facts: { said: 'Even' },
            value: null,
            suggestion: null,
          },
        ]);
    }
    expect([seen, ledger.draft.counts().rows]).toEqual([1201, 601]);
    for (const { number } of ledger.draft.beyond(
      [{ country: 'SouthAfrica', currency: 'ZAR', least: 2, most: 9 }],
      null,
    ))
      if (number > 1) break;
    expect((await take()).sheet.rows).toBe(601);
  });

  it('whose connection ends can be used no more, and says so', async () => {
    ledger.draft.add([rowOf(1)]);
    await take();
    const [row] = await ledger.rows.list({ batch: 'b', limit: 1 });
    await ledger.hold();
    await admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'payrun %' AND datname = current_database()",
    );
    const gone = { code: 'LEDGER_UNWRITABLE', message: expect.not.stringContaining(new URL(place).password) };
    await expect(ledger.rows.move({ row: row!, from: 'planned', to: 'ready' })).rejects.toMatchObject(gone);
    await expect(ledger.rows.moveAll([{ row: row!, from: 'planned', to: 'ready' }])).rejects.toMatchObject(gone);
    const other = openLedger(place, systemClock);
    await other.hold();
    expect((await other.rows.list({ batch: 'b', limit: 1 })).map(({ state }) => state)).toEqual(['planned']);
    await other.close();
  });

  it('that another process writes waits for it, and not for long', async () => {
    const other = openLedger(place, systemClock, { busyTimeoutMs: 50 });
    try {
      let refused: Promise<void> | null = null;
      await ledger.people.act(() => {
        // What is read is read under the lock.
        ledger.people.accounts();
        refused = other.batches.doubtLists();
        refused.catch(() => {});
      });
      await expect(refused).rejects.toMatchObject({ code: 'LEDGER_UNWRITABLE' });
      await other.people.act((record) => record({ by: null, did: 'wrote' }));
      expect(await ledger.trail.head()).toMatchObject({ seq: 1 });
    } finally {
      await other.close();
    }
  });

  it('that came from another cluster, or back from a backup, is called moved until what it may not know was looked for', async () => {
    expect(ledger.moved).toBe(false);
    await ledger.settleIn();
    await ledger.close();
    ledger = openLedger(place, systemClock);
    expect(ledger.moved).toBe(false);
    await ledger.close();
    await admin(`UPDATE ${schema()}.ledger SET home = replace(home, 'timeline 1', 'timeline 0')`);
    ledger = openLedger(place, systemClock);
    expect(ledger.moved).toBe(true);
  });

  it('shows an auditor what another hand changed', async () => {
    const changes: readonly (readonly [statement: string, fault: object])[] = [
      ['DROP INDEX merchant_phone', { where: { name: 'merchant_phone' }, code: 'missing', what: 'index' }],
      [
        'ALTER TABLE gone ALTER at DROP NOT NULL',
        {
          where: { table: 'gone', column: 'at', type: expect.stringMatching(/^bigint/) },
          code: 'missing',
          what: 'column',
        },
      ],
      [
        'ALTER TABLE gone ADD more TEXT',
        { where: { table: 'gone', column: 'more', type: 'text' }, code: 'unexpected', what: 'column' },
      ],
      ['ALTER TABLE gone SET UNLOGGED', { where: { name: 'gone' }, code: 'unlogged', what: 'table' }],
      [
        'CREATE RULE r AS ON DELETE TO gone DO INSTEAD NOTHING',
        { where: { name: 'r' }, code: 'unexpected', what: 'rule' },
      ],
    ];
    expect(ledger.trail.evidence().faults()).toEqual([]);
    for (const [statement, fault] of changes) {
      await admin(`SET search_path = ${schema()}`, statement);
      expect(ledger.trail.evidence().faults()).toContainEqual(fault);
    }
  });

  it('of another build, or of another program, is not touched', async () => {
    await admin(`UPDATE ${schema()}.ledger_version SET version = 9999`, `UPDATE ${schema()}.ledger SET build = 'P 7'`);
    expect(() => openLedger(place, systemClock)).toThrow(
      expect.objectContaining({
        code: 'LEDGER_OF_OTHER_BUILD',
        facts: { path: expect.any(String), other: 'P 7', format: 9999, build },
      }),
    );
    await admin('CREATE SCHEMA foreigner', 'CREATE TABLE foreigner.t (n INTEGER)');
    const foreign = place.replace(/schema=.*/, 'schema=foreigner');
    expect(() => openLedger(foreign, systemClock)).toThrow(
      expect.objectContaining({
        facts: expect.objectContaining({ why: expect.objectContaining({ fault: 'schema-is-of-other-program' }) }),
      }),
    );
  });

  it('that is only read is not made, and not written', async () => {
    const reader = openLedger(place, systemClock, { readOnly: true });
    await expect(reader.batches.doubtLists()).rejects.toMatchObject({ code: 'LEDGER_UNWRITABLE' });
    await reader.close();
    const none = place.replace(/schema=.*/, 'schema=none');
    const unmade = expect.objectContaining({
      facts: expect.objectContaining({ why: { fault: 'schema-is-missing', schema: 'none' } }),
    });
    expect(() => openLedger(none, systemClock, { readOnly: true })).toThrow(unmade);
    expect(() => openLedger(none, systemClock, { existing: true })).toThrow(unmade);
  });

  it('is made once, though two processes find none', async () => {
    const fresh = place.replace(/schema=.*/, 'schema=fresh');
    const script = `
      const { openLedger } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/ledger/ledger.ts'))});
      const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/base/clock.ts'))});
      const ledger = openLedger(${JSON.stringify(fresh)}, systemClock);
      console.log(ledger.id);
      await ledger.close();`;
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let out = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
        await new Promise((done) => child.once('close', done));
        return out.trim();
      }),
    );
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a server', () => {
  it('that does not answer, or refuses the password, is told without it', async () => {
    const { url, drop } = await newDatabase();
    const wrong = new URL(url);
    wrong.password = 'a-secret-of-ours';
    const refused = (message: RegExp) =>
      expect.objectContaining({ code: 'LEDGER_UNUSABLE', message: expect.stringMatching(message) });
    try {
      expect(() => openLedger(wrong.href, systemClock)).toThrow(
        refused(/^(?!.*a-secret).*password authentication failed/),
      );
      wrong.port = '1';
      expect(() => openLedger(wrong.href, systemClock)).toThrow(refused(/^(?!.*a-secret).*ECONNREFUSED/));
      expect(() => openLedger(`${url}?schema=pg_x`, systemClock)).toThrow(
        expect.objectContaining({
          code: 'LEDGER_ADDRESS_UNUSABLE',
          facts: { why: { fault: 'schema-name-is-invalid', schema: 'pg_x' } },
        }),
      );
    } finally {
      await drop();
    }
  });

  it('that may forget what it said was written is refused', async () => {
    const { url, drop } = await newDatabase();
    try {
      expect(() => openLedger(`${url}?options=-c%20synchronous_commit%3Doff`, systemClock)).toThrow(
        expect.objectContaining({
          facts: expect.objectContaining({ why: { fault: 'server-may-lose-data', setting: 'synchronous_commit' } }),
        }),
      );
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("CREATE DATABASE other_text TEMPLATE template0 ENCODING 'SQL_ASCII'");
      await client.end();
      const other = new URL(url);
      other.pathname = '/other_text';
      expect(() => openLedger(other.href, systemClock)).toThrow(
        expect.objectContaining({
          facts: expect.objectContaining({ why: { fault: 'database-is-not-utf8', encoding: 'SQL_ASCII' } }),
        }),
      );
    } finally {
      await drop();
    }
    const hasty = await startPostgres({ durable: false });
    try {
      expect(() => openLedger(hasty.url, systemClock)).toThrow(
        expect.objectContaining({
          facts: expect.objectContaining({ why: { fault: 'server-may-lose-data', setting: 'fsync' } }),
        }),
      );
    } finally {
      await hasty.stop();
    }
  });
});
