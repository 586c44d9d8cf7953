/** A ledger on Postgres from the command line: a run that dies is gone on with, by whoever asks next, and its password is told nowhere. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import { mainFile } from '../program.ts';
import {
  command,
  type Desk,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  pay,
  refusalOf,
  resultOf,
  start,
  until,
  usageAbout,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(12);
const never = new Promise<never>(() => {});

async function deskOnPostgres(service: Awaited<ReturnType<typeof newService>> | null, sheet = rows): Promise<Desk> {
  const place = await newPlace('Postgres');
  return deskFor(service, sheet, { PAYRUN_LEDGER: place });
}

describe('a run', () => {
  it('that is killed between intent and answer is gone on with, and every row is paid once', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth >= 4 ? { kind: 'hold', after: true, until: never } : undefined;
    const desk = await deskOnPostgres(service);
    const run = start(desk, ['run', desk.sheet, '--wait', '0', '--concurrency', '2']);
    await until('five payments were made, two unanswered', () => service.payments.length === 5);
    // Another sender is refused as long as that one lives.
    service.fault = () => undefined;
    const second = await command(desk, ['run', desk.sheet, '--json']);
    expect(second).toMatchObject({ exit: 24, out: expect.stringContaining(`process ${run.child.pid} on `) });
    run.child.kill('SIGKILL');
    expect((await run.ended).signal).toBe('SIGKILL');

    const { exit, document, err } = await pay(desk, '--wait', '20s');
    expect([exit, document.sent, document.rows.paid]).toEqual([0, 7, 12]);
    expectOnePaymentEach(service, rows);
    expect(resultOf(document.result).map(({ payrun_status: status }) => status)).toEqual(rows.map(() => 'paid'));

    const password = decodeURIComponent(new URL(desk.env.PAYRUN_LEDGER!).password);
    expect(document.ledger).toMatch(/^postgres:\/\/payrun@127\.0\.0\.1:\d+\/\w+\?schema=ledger_\d+$/);
    const audit = await command(desk, ['audit', 'verify', '--json']);
    expect(JSON.parse(audit.out)).toMatchObject({ exit: 0, whole: true, findings: [], rows: 12 });
    const status = await command(desk, ['status', document.batch!, '--json', '--exit-code']);
    expect(documentOf(status).rows).toEqual(document.rows);
    for (const { out, err: said } of [second, audit, status, { out: JSON.stringify(document), err }])
      expect(out + said).not.toContain(password);

    // The copy of the sheet lies in the ledger's own folder, where it is read again.
    const [ledger] = readdirSync(join(desk.env.XDG_STATE_HOME!, 'payrun', 'ledgers'));
    expect(readdirSync(join(desk.env.XDG_STATE_HOME!, 'payrun', 'ledgers', ledger!, 'sheets'))).not.toEqual([]);
    const report = await command(desk, ['report', document.batch!, '--json']);
    expect([report.exit, existsSync((JSON.parse(report.out) as { result: string }).result)]).toEqual([0, true]);
  });

  it.each([
    ['in the transaction of its version', 4, 'unpaid'],
    ['right after that transaction', 5, 'not sent'],
  ])('that sends an unpaid row again and is killed %s pays the row once', async (_when, commit, word) => {
    const service = await newService();
    const desk = await deskOnPostgres(service, rows.slice(0, 3));
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2'
        ? { kind: 'answer', status: 422, body: { message: 'no' } }
        : undefined;
    await pay(desk, '--batch', 'nov');
    service.fault = () => undefined;
    const dying = { ...desk, env: { ...desk.env, DIES: `${commit}` } };
    const retry = ['retry', 'nov', '--json'];
    const { signal } = await start(dying, retry, mainFile, ['--import', join(import.meta.dirname, 'crash.ts')]).ended;
    const { out } = await command(desk, ['list', 'nov', '--json']);
    expect([signal, JSON.parse(out)]).toMatchObject(['SIGKILL', { rows: [{}, { status: word }, {}] }]);
    expect(service.payments).toHaveLength(2);

    const again = await command(desk, [...retry, '--wait', '20s']);
    expect([again.exit, documentOf(again).rows.paid]).toEqual([0, 3]);
    expectOnePaymentEach(service, rows.slice(0, 3));
  });

  it('leaves a ledger that is not said to be damaged where its server goes away while an audit reads it', async () => {
    const desk = await deskOnPostgres(await newService());
    expect((await pay(desk, '--wait', '0')).exit).toBe(23);
    const address = new URL(desk.env.PAYRUN_LEDGER!);
    const schema = address.searchParams.get('schema')!;
    address.search = '';
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    atEnd(() => client.end());
    // It waits within its reading, and there its connection ends.
    await client.query(`BEGIN; LOCK TABLE ${schema}.trail`);
    const { ended } = start(desk, ['audit', 'verify']);
    // The list of locks is read anew each time; that of the server's processes would be one for the whole transaction.
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE NOT granted AND relation = '${schema}.trail'::regclass`;
    await expect.poll(async () => (await client.query(cut)).rowCount, { interval: 5 }).toBeGreaterThan(0);
    expect(await ended).toMatchObject({
      exit: 1,
      out: '',
      err: expect.stringMatching(/ledger .*: (?:terminating|the connection)/),
    });
    await client.query('ROLLBACK');
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it('in the sandbox keeps its data in the folder of its files', async () => {
    const desk = await deskOnPostgres(null);
    desk.env.PAYRUN_LEDGER_FILES = 'files';
    const { exit, document } = await pay(desk, '--sandbox', '--wait', '20s');
    expect([exit, document.rows.paid]).toEqual([0, 12]);
    expect(
      readdirSync(join(desk.folder, 'files'))
        .map((name) => name.replace(/^[0-9a-f]{16}/, ''))
        .sort(),
    ).toEqual(['', '.sandbox']);
    const fresh = await command(desk, ['run', desk.sheet, '--sandbox', '--fresh', '--json']);
    expect([fresh.exit, refusalOf(fresh)]).toEqual([2, usageAbout('--fresh')]);
  });
});

describe('an address', () => {
  let place = '';
  beforeAll(async () => {
    place = await newPlace('Postgres');
  });

  it('has its password from the environment alone', async () => {
    const desk = deskFor(null, rows);
    const given = await command(desk, ['list', '--ledger', place, '--json']);
    expect([given.exit, refusalOf(given)]).toEqual([2, usageAbout('--ledger holds')]);
    expect(given.out + given.err).not.toContain(new URL(place).password);
  });

  it('without a password is refused with the settings for one, if the server asks for it', async () => {
    const url = new URL(place);
    url.password = '';
    const given = await command(deskFor(null, rows), ['list', '--ledger', url.href, '--json']);
    expect([given.exit, refusalOf(given)]).toMatchObject([2, { code: 'LEDGER_UNUSABLE' }]);
    expect(given.err).toMatch(/\bPGPASSWORD\b.*\bPGPASSWORD_FILE\b/);
  });

  it.each([
    ['postgres://h:port/d', { fault: 'address-is-no-postgres' }],
    ['postgres://h/d?schema=A', { fault: 'schema-name-is-invalid', schema: 'A' }],
    ['postgres://h/d?password=x', { fault: 'address-has-other-setting', setting: 'password' }],
  ])('that cannot be used is refused: %s', async (ledger, why) => {
    const ran = await command(deskFor(null, rows, { PAYRUN_LEDGER: ledger }), ['list', '--json']);
    expect(ran.exit).toBe(2);
    expect(refusalOf(ran)).toMatchObject({ code: 'LEDGER_ADDRESS_UNUSABLE', facts: { why } });
  });

  it('of a ledger that is not there makes none, where it is only read', async () => {
    const desk = deskFor(null, rows, { PAYRUN_LEDGER: place });
    for (const argv of [['list'], ['status'], ['audit', 'verify']]) {
      const ran = await command(desk, [...argv, '--json']);
      expect(ran.exit).toBe(2);
      expect(refusalOf(ran)).toMatchObject({
        code: 'LEDGER_UNUSABLE',
        facts: { why: { fault: 'schema-is-missing', schema: new URL(place).searchParams.get('schema') } },
      });
    }
  });
});
