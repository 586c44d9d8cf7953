/** A fleet: several real processes on one Postgres send one batch, and die, freeze and lose their connections while they do. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { readBooks, type Service, startService } from '../../src/service/service.ts';
import { deeds } from '../../src/workers/waking.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import {
  command,
  type Desk,
  deskFor,
  documentOf,
  kenyanRows,
  newFolder,
  oneOfEach,
  resultOf,
  start,
  until,
} from '../support.ts';

const rows = kenyanRows(160);

interface Office {
  readonly desk: Desk;
  readonly service: Service;
  /** What stands at the service, by tag. */
  tags(): Promise<Map<string, number>>;
  sent(): number;
  /** Asked past the product; BOSS is the schema of pg-boss. */
  ask<T>(text: string): Promise<T[]>;
  worker(...more: string[]): ReturnType<typeof start>;
}

async function newOffice(
  faults: Parameters<typeof startService>[0]['faults'],
  timeout: string,
  sheet = rows,
): Promise<Office> {
  const dataDir = join(newFolder(), 'service');
  const service = await startService({ dataDir, faults: faults ?? [], tokensPerMinute: 0, railLimits: null });
  atEnd(() => service.close());
  const { apiKey, apiSecret } = await service.tenants.add('fleet');
  const place = await newPlace('Postgres');
  const desk = deskFor(null, sheet, {
    PAYRUN_LEDGER: place,
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: apiKey,
    PAYRUN_API_SECRET: apiSecret,
    PAYRUN_HTTP_TIMEOUT: timeout,
    PAYRUN_DOUBT_VISIBLE: '0',
    PAYRUN_DOUBT_HORIZON: '0',
    PAYRUN_DOUBT_CONFIRM: '0',
    PAYRUN_DOUBT_POLICY: 'resend',
  });
  const address = new URL(place);
  const schema = address.searchParams.get('schema')!;
  address.search = '';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  atEnd(() => client.end());
  await client.query(`SET search_path = ${schema}`).catch(() => undefined);
  return {
    desk,
    service,
    sent: () => service.stats().requests['POST /payments'] ?? 0,
    async tags() {
      const counts = new Map<string, number>();
      for (const { tag } of await readBooks(dataDir)) counts.set(String(tag), (counts.get(String(tag)) ?? 0) + 1);
      return counts;
    },
    ask: async (text) => (await client.query(text.replace('BOSS', `${schema}_boss`))).rows,
    worker: (...more) => start(desk, ['worker', '--concurrency', '4', ...more]),
  };
}

/** Ends it, as a database does that is stopped. */
const connectionOf = ({ child }: ReturnType<typeof start>) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'payrun process ${child.pid} on %'`;

/** Of tables that may not be there yet. */
async function untilAre(count: number, look: () => Promise<readonly unknown[]>): Promise<void> {
  for (let tries = 0; (await look().catch(() => [])).length < count; tries += 1) {
    if (tries > 4000) throw new Error(`waited in vain for ${count}`);
    await sleep(5);
  }
}

/** Somebody has led it to its end. */
const ended = `SELECT 1 FROM opening WHERE closed LIKE '%"ended"%'`;

const slow = { route: 'POST /payments', action: { kind: 'delay', at: 'before', ms: 40 } } as const;
const often = (probability: number, seed: string) => ({ route: 'POST /payments', probability, seed });
const faults = [
  slow,
  { ...often(0.02, 'a'), action: { kind: 'drop', at: 'after' } },
  { ...often(0.01, 'b'), action: { kind: 'drop', at: 'before' } },
  { ...often(0.01, 'c'), action: { kind: 'answer', at: 'before', status: 500 } },
  { route: 'GET /utils/banks/:country', action: { kind: 'delay', at: 'before', ms: 500 } },
] as const;

describe('what holds a batch, and its hours', () => {
  it('are told: pauses with who, why and how they end, and schedules', async () => {
    const { desk, sent, ask } = await newOffice([], '4s');
    const shut = Math.floor((Date.now() / 3_600_000 + 4) % 24);
    const window = `${String(shut).padStart(2, '0')}:00-${String(shut).padStart(2, '0')}:30`;
    // Of a sheet that may not be sent yet, under a plan or not, the batch is there: the fleet goes on with it at its hour.
    expect((await command(desk, ['run', desk.sheet, '--batch', 'may', '--pay-window', window])).exit).toBe(23);
    const told = async (...words: string[]) => (await command(desk, words)).out;
    expect(await told('pause', '--list')).toBe('Nothing is paused.\n');
    await command(desk, ['pause', 'may', '--reason', 'ask the bank']);
    await command(desk, ['pause', '--reason', 'month-end']);
    const [all, may] = [
      /^ *All batches of this ledger are paused by \S+ on .* \(month-end\)/m,
      /Batch may is paused by \S+/,
    ];
    for (const words of [['pause', '--list'], ['list'], ['status', 'may'], ['pause', 'may', '--list']]) {
      expect(await told(...words), words.join(' ')).toMatch(all);
      expect(await told(...words), words.join(' ')).toMatch(may);
    }
    const stands = documentOf(await command(desk, ['status', 'may', '--json', '--exit-code']));
    expect(stands).toMatchObject({ paused: [{ batch: null }, { batch: 'may', reason: 'ask the bank' }] });
    expect(stands.next.map(({ command: line }) => line)).toEqual([
      'payrun pause --end',
      'payrun pause may --end',
      'payrun resume may',
    ]);
    expect(JSON.parse(await told('list', '--json'))).toMatchObject({ paused: [{ reason: 'month-end' }, {}] });
    expect(await told('pause', '--end')).toMatch(/this pause is ended\.\nBatch may is paused/);
    expect(await told('pause', 'may', '--end')).toMatch(/this pause is ended\.\npayrun resume/);
    expect(await told('pause', 'may', '--end')).toContain('there was no such pause');

    for (const [cron, zone, why] of [
      ['6 25', 'UTC', 'expected five fields'],
      ['99 * * * *', 'UTC', "the minute is '99', and may be 0 to 59"],
      ['0 6 30 2 *', 'UTC', 'no such hour ever comes'],
      ['0 6 25 * *', 'Afrika', "there is no time zone 'Afrika'"],
    ] as const) {
      const { exit, err } = await command(desk, ['schedule', 'may', '--cron', cron, '--zone', zone]);
      expect([exit, err]).toEqual([2, expect.stringContaining(`--cron '${cron}' --zone '${zone}': ${why}`)]);
    }
    expect(await told('schedule', '--list')).toBe('Nothing is scheduled.\n');
    const nobody = expect.stringContaining('No worker is there now');
    expect(await command(desk, ['schedule', 'may', '--cron', '0 6 25 * *'])).toMatchObject({ err: nobody });
    expect(await command(desk, ['schedule', '--list'])).toMatchObject({ err: nobody });
    expect(await told('schedule', '--list')).toMatch(
      /may +0 6 25 \* \* +Africa\/Johannesburg +\d{4}-\d\d-\d\d 04:00:00/,
    );
    expect(JSON.parse(await told('schedule', '--list', '--json')).schedules).toMatchObject([{ batch: 'may' }]);
    expect(await told('schedule', 'may', '--end')).toContain('no longer scheduled');
    expect(await told('schedule', 'may', '--end')).toContain('was not scheduled');
    const entries = await ask<{ entry: string }>(`SELECT entry FROM trail WHERE entry LIKE '%"schedule%' ORDER BY seq`);
    expect(entries.map(({ entry }) => JSON.parse(entry)[3])).toEqual(['scheduled', 'schedule ended']);
    expect(sent()).toBe(0);
  });
});

describe('a pause', () => {
  const lasting = [1, 2].map((nth) => ({ ...slow, nth, action: { ...slow.action, ms: 2000 } }) as const);
  it.each([
    ['that go ahead of the others', rows.slice(0, 12), ['--canary', '12']],
    ['that are the first of their kind', oneOfEach.slice(0, 3), []],
  ] as const)('holds between rows %s, and what it held is paid once', async (_, sheet, flags) => {
    const { desk, sent, tags } = await newOffice(lasting, '4s', sheet);
    const run = start(desk, ['run', desk.sheet, '--batch', 'kill', '--json', '--wait', '0', ...flags]);
    await until('the first is sent', () => sent() > 0);
    expect(await command(desk, ['pause', '--reason', 'a word'])).toMatchObject({ exit: 0 });
    const stood = sent();
    const { exit, rows: counts, stopped } = documentOf(await run.ended);
    expect([exit, stopped?.code, counts.not_sent]).toEqual([23, 'PAUSED', sheet.length - sent()]);
    // One may have been decided on before the pause was there.
    expect(sent()).toBeLessThanOrEqual(stood + 1);
    expect(counts.not_sent).toBeGreaterThan(0);
    const still = documentOf(await command(desk, ['resume', 'kill', '--json', '--wait', '0']));
    expect([still.stopped?.code, still.sent]).toEqual(['PAUSED', 0]);
    expect(await command(desk, ['pause', '--end'])).toMatchObject({ exit: 0 });
    const last = documentOf(await command(desk, ['resume', 'kill', '--json', '--wait', '20s']));
    expect([last.exit, last.rows.paid]).toEqual([0, sheet.length]);
    expect([...(await tags()).values()]).toEqual(sheet.map(() => 1));
  });

  it('leaves a batch to the person whom it waited for, also where its hour comes meanwhile', async () => {
    const refuses = { kind: 'answer', at: 'before', status: 422, body: '{"message":"No."}' } as const;
    const closes = { route: 'POST /payments', from: 2, times: 10, action: refuses } as const;
    const { desk, sent } = await newOffice([closes], '4s', rows.slice(0, 20));
    const run = await command(desk, ['run', desk.sheet, '--batch', 'hour', '--json', '--concurrency', '1']);
    expect(documentOf(run).stopped?.code).toBe('REFUSED_IN_A_ROW');
    const stood = sent();
    await command(desk, ['pause', '--reason', 'a word']);
    // As a worker goes on with it at its hour.
    const atItsHour = await command({ ...desk, handsOver: true }, ['resume', 'hour', '--json']);
    expect(documentOf(atItsHour).stopped?.code).toBe('PAUSED');
    await command(desk, ['pause', '--end']);
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    const { identity } = (await ledger.batch('hour'))!;
    expect([...(await deeds({ ledger, service: { identity }, clock: systemClock }))]).toEqual([]);
    expect(sent()).toBe(stood);
    await ledger.close();
  });
});

describe('a worker on another machine', () => {
  it.each([
    ['and puts the result beside the copy of the sheet', true],
    ['and says that it has no copy of the sheet', false],
  ])('leads on without the folder of the sheet, %s', async (_, shared) => {
    const { desk, sent, tags } = await newOffice([slow], '4s');
    const files = newFolder();
    desk.env.PAYRUN_LEDGER_FILES = files;
    const leader = start(desk, ['run', desk.sheet, '--batch', 'far', '--wait', '0', '--concurrency', '8']);
    await until('it is sent', () => sent() > 30);
    leader.child.kill('SIGKILL');
    await leader.ended;
    for (const gone of [desk.folder, ...(shared ? [] : [files])]) rmSync(gone, { recursive: true });
    const folder = newFolder();
    const env = {
      ...desk.env,
      PAYRUN_LEDGER_FILES: shared ? files : join(folder, 'files'),
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_DATA_HOME: join(folder, 'data'),
    };
    const there = { folder, env };
    const [sends, leads] = [start(there, ['worker', '--no-lead']), start(there, ['worker', '--concurrency', '4'])];
    const status = async () => documentOf(await command(there, ['status', 'far', '--json', '--exit-code']));
    const release = ['resolve', 'far', '--release-absent', '--reason', 'not there after twice the horizon'];
    const ofTheResult = (notes: readonly string[]) =>
      notes.filter((note) => note.includes(`A worker on ${hostname()} led`));
    let stands = await status();
    // Its rows are paid a moment before its result is written.
    for (let tries = 0; (stands.exit !== 0 || !ofTheResult(stands.notes).length) && tries < 60; tries += 1) {
      if (stands.exit === 22) await command(there, release);
      await sleep(1000);
      stands = await status();
    }
    expect([stands.exit, stands.rows.paid]).toEqual([0, rows.length]);
    for (const one of [sends, leads]) one.child.kill('SIGTERM');
    await sends.ended;
    const { err } = await leads.ended;
    const told = ofTheResult(stands.notes);
    expect(told).toEqual([expect.stringContaining('payrun report far')]);
    expect(err.split(told[0]!), 'told once').toHaveLength(2);
    const place = told[0]!.match(/lies there, at (\S+)\./)?.[1] ?? null;
    if (shared) {
      expect(place?.startsWith(`${files}/`)).toBe(true);
      expect(resultOf(place).filter(({ payrun_status }) => payrun_status === 'paid')).toHaveLength(rows.length);
    } else expect(place).toBeNull();
    expect([...(await tags()).values()]).toEqual(rows.map(() => 1));
  });

  it('tells people once of a batch that comes to nothing, however often it is tried', async () => {
    const { desk, sent, worker } = await newOffice([slow], '4s');
    const leader = start(desk, ['run', desk.sheet, '--batch', 'held', '--wait', '0', '--concurrency', '8']);
    await until('it is sent', () => sent() > 30);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const kept = join(desk.folder, 'told');
    writeFileSync(join(desk.folder, 'page'), `#!/bin/sh\ncat >> '${kept}'\n`, { mode: 0o755 });
    Object.assign(desk.env, { PAYRUN_REQUIRE_APPROVAL: 'true', PAYRUN_NOTIFY_COMMAND: join(desk.folder, 'page') });
    const leads = worker();
    let said = '';
    leads.child.stderr!.on('data', (words: string) => (said += words));
    await until('it is tried again', () => said.split('Batch held, resume: exit 26').length > 2);
    leads.child.kill('SIGTERM');
    await leads.ended;
    const told = readFileSync(kept, 'utf8').trim().split('\n');
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ exit: 26, batch: 'held' }]);
  });
});

describe('workers on one batch', () => {
  it('die, freeze and are cut off, its leader too: no row is paid twice or lost', async () => {
    const { desk, service, sent, tags, ask, worker } = await newOffice(faults, '2s');
    const run = ['run', desk.sheet, '--batch', 'nov', '--json', '--wait', '20s', '--concurrency', '8'];
    const [dying, freezing, cut] = [worker('--no-lead'), worker('--no-lead'), worker('--no-lead')];
    // Before it has joined: a server that was there and went away is no mistake of the settings.
    await untilAre(1, () => ask(connectionOf(cut)));
    await untilAre(3, () => ask('SELECT name FROM worker'));
    const leader = start(desk, run);
    await until('they send', () => sent() > 40);
    dying.child.kill('SIGKILL');
    freezing.child.kill('SIGSTOP');
    await until('the rest goes on', () => sent() > 60);
    expect(await ask(connectionOf(cut))).toHaveLength(1);
    await until('and on', () => sent() > 100);
    leader.child.kill('SIGKILL');
    await leader.ended;
    // Given again it reads its sheet first: whoever leads on meanwhile is not kept waiting for that.
    const other = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    const banks = () => service.stats().requests['GET /utils/banks/:country'] ?? 0;
    const before = banks();
    const again = start(desk, run);
    await until('it reads its sheet', () => banks() > before);
    await other.hold();
    expect((await again.ended).exit).toBe(24);
    await other.close();
    let outcome = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s']));
    freezing.child.kill('SIGCONT');
    // The last rows have no younger payment to prove them absent: twice the horizon is a person's to go by.
    const release = ['resolve', 'nov', '--release-absent', '--reason', 'not there after twice the horizon'];
    for (let tries = 0; [22, 23].includes(outcome.exit) && tries < 8; tries += 1) {
      if (outcome.exit === 22) await command(desk, release);
      outcome = documentOf(await command(desk, ['resume', 'nov', '--json', '--wait', '20s']));
    }
    expect([outcome.exit, outcome.rows.paid, outcome.rows.total]).toEqual([0, rows.length, rows.length]);
    const found = await tags();
    expect([found.size, [...found.values()].filter((count) => count > 1)]).toEqual([rows.length, []]);
    for (const one of [freezing, cut]) one.child.kill('SIGTERM');
    for (const { ended: end } of [cut, freezing]) {
      const { exit, err } = await end;
      expect(exit, err).toBe(0);
    }
    const audit = await command(desk, ['audit', 'verify']);
    expect(audit).toMatchObject({ exit: 0, out: expect.stringContaining('Whole: nothing was found') });
  });

  it('are led on by one of them when the leader dies, also where the tables of pg-boss are lost, and pause at a word', {
    timeout: 180_000,
  }, async () => {
    const { desk, sent, tags, ask, worker } = await newOffice([slow], '4s');
    const run = ['run', desk.sheet, '--batch', 'dec', '--json', '--wait', '0', '--concurrency', '8'];
    const leader = start(desk, run);
    const workers = [worker(), worker()];
    await until('it is sent', () => sent() > 30);
    const paused = await command(desk, ['pause', '--reason', 'a word from the bank']);
    expect(paused).toMatchObject({ exit: 0, out: expect.stringContaining('All batches of this ledger: paused') });
    const { stopped, rows: counts } = documentOf(await leader.ended);
    expect(stopped).toMatchObject({ code: 'PAUSED', message: expect.stringContaining('a word from the bank') });
    expect(counts.not_sent).toBeGreaterThan(0);
    expect(sent()).toBe(rows.length - counts.not_sent);
    expect(await command(desk, ['pause', '--end'])).toMatchObject({ exit: 0 });
    // Whoever leads on dies: now it is for the fleet.
    const second = start(desk, ['resume', 'dec', '--concurrency', '8']);
    const stood = sent();
    await until('it goes on', () => sent() > stood + 5);
    // The workers had made the tables of pg-boss, both at once; they make them again.
    await ask('DROP SCHEMA BOSS CASCADE');
    // Nobody told that it was paused in between, and nobody has to ask for it again.
    second.child.kill('SIGSTOP');
    await command(desk, ['pause', '--reason', 'another word']);
    second.child.kill('SIGKILL');
    await second.ended;
    await command(desk, ['pause', '--end']);
    // A row that was claimed at the kill and never left has no younger payment to prove it absent: a person lets it go.
    const release = ['resolve', 'dec', '--release-absent', '--reason', 'not there after twice the horizon'];
    const stand = async () => documentOf(await command(desk, ['status', 'dec', '--json', '--exit-code']));
    let stands = await stand();
    for (let tries = 0; stands.exit !== 0 && tries < 90; tries += 1) {
      if (stands.exit === 22) await command(desk, release);
      await sleep(1000);
      stands = await stand();
    }
    expect([stands.exit, stands.rows.paid]).toEqual([0, rows.length]);
    // Whoever sent the last row leads nothing: somebody has to come to the end of it.
    for (let tries = 0; (await ask(ended)).length === 0 && tries < 450; tries += 1) await sleep(200);
    for (const one of workers) one.child.kill('SIGTERM');
    for (const one of workers) expect((await one.ended).exit).toBe(0);
    const found = await tags();
    expect([found.size, [...found.values()].filter((count) => count > 1)]).toEqual([rows.length, []]);
    expect(await command(desk, ['audit', 'verify'])).toMatchObject({ exit: 0 });
    expect(await ask("SELECT 1 FROM BOSS.queue WHERE name = 'payrun-wake'")).toHaveLength(1);
  });

  it('lead on when a pause has ended that stopped one of them', async () => {
    const { desk, sent, tags, ask, worker } = await newOffice([slow], '4s');
    const leader = start(desk, ['run', desk.sheet, '--batch', 'dec', '--wait', '0', '--concurrency', '2']);
    await until('it is sent', () => sent() > 10);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const stood = sent();
    const one = worker();
    let said = '';
    one.child.stderr!.on('data', (words: string) => (said += words));
    await until('it leads', () => sent() > stood + 5);
    await command(desk, ['pause', '--reason', 'a word']);
    await until('it has stopped', () => /exit 23.*\(a word\)/.test(said));
    const lines = resultOf(join(desk.folder, 'november.result.csv'));
    const unsent = lines.filter(({ payrun_status }) => payrun_status === 'not sent');
    expect([...new Set(unsent.map(({ payrun_reason }) => payrun_reason))]).toEqual([
      'The batch is paused (a word): nothing of it is sent meanwhile.',
    ]);
    await command(desk, ['pause', '--end']);
    const release = ['resolve', 'dec', '--release-absent', '--reason', 'not there after twice the horizon'];
    for (let tries = 0; (await ask(ended)).length === 0 && tries < 60; tries += 1) {
      await command(desk, release);
      await sleep(1000);
    }
    one.child.kill('SIGTERM');
    await one.ended;
    expect((await tags()).size).toBe(rows.length);
  });

  it('write the result that a leader owed when it died, and send nothing of what stopped for a person', async () => {
    const refuses = { kind: 'answer', at: 'before', status: 422, body: '{"message":"No."}' } as const;
    const { desk, sent, ask, worker } = await newOffice(
      [{ route: 'POST /payments', nth: 3, action: refuses }, slow],
      '4s',
      rows.slice(0, 60),
    );
    const result = join(desk.folder, 'november.result.csv');
    const told = async () => (await ask(stopTold)).length;
    const stopTold = `SELECT 1 FROM trail WHERE entry LIKE '%"stop",%'`;
    const closed = async () => (await ask<{ closed: string }>('SELECT closed FROM opening'))[0]?.closed ?? '';
    const leader = start(desk, ['run', desk.sheet, '--batch', 'owed', '--wait', '0', '--concurrency', '2']);
    await until('it sends', () => sent() > 20);
    leader.child.kill('SIGINT');
    // In the moment that tells the stop, the batch is no longer to be led on.
    const ofBoth = `SELECT closed FROM opening WHERE EXISTS (${stopTold})`;
    await untilAre(1, () => ask(ofBoth));
    const [{ closed: then }] = (await ask<{ closed: string }>(ofBoth)) as [{ closed: string }];
    expect(['stop', 'due', 'ended']).toContain(JSON.parse(then).why);
    expect((await leader.ended).exit).toBe(130);
    // Once more, and twice within a moment: what is in flight goes in doubt, and the stop is told all the same.
    const twice = start(desk, ['resume', 'owed', '--wait', '0', '--concurrency', '2']);
    const first = sent();
    await until('it goes on', () => sent() > first + 3);
    const once = await told();
    twice.child.kill('SIGINT');
    twice.child.kill('SIGTERM');
    await twice.ended;
    expect([JSON.parse(await closed()), await told()]).toMatchObject([{ why: 'stop', code: 'STOPPED' }, once + 1]);
    const stood = sent();
    let one: ReturnType<typeof worker> | null = null;
    // Then as its leader left it that was killed at some other moment; the signal was told, and is told once.
    for (const left of [
      null,
      { why: 'due' },
      { why: 'stop', code: 'CREDENTIALS_REFUSED', message: 'The service refuses the key.' },
    ]) {
      rmSync(result);
      const before = await told();
      if (left !== null) await ask(`UPDATE opening SET closed = '${JSON.stringify(left)}'`);
      one ??= worker();
      for (let tries = 0; !(await closed()).includes('"ended"') && tries < 400; tries += 1) await sleep(100);
      expect([JSON.parse(await closed()).why, sent()]).toEqual(['ended', stood]);
      expect(resultOf(result)).toHaveLength(60);
      expect(await told()).toBe(before);
    }
    one!.child.kill('SIGTERM');
    await one!.ended;
    const { rows: counts } = documentOf(await command(desk, ['resume', 'owed', '--json']));
    expect([counts.paid, counts.unpaid]).toEqual([59, 1]);
    // Killed when all was paid: nobody has anything to lead on, and the result is due.
    rmSync(result);
    await ask(`UPDATE opening SET closed = '{"why":"sent"}'`);
    const other = worker();
    for (let tries = 0; !(await closed()).includes('"ended"') && tries < 200; tries += 1) await sleep(100);
    other.child.kill('SIGTERM');
    await other.ended;
    expect(resultOf(result).filter(({ payrun_status }) => payrun_status === 'paid')).toHaveLength(59);
  });

  it('are seen in all that they do, also while they lead', async () => {
    const { desk, sent, ask, worker } = await newOffice([slow], '4s');
    const leader = start(desk, ['run', desk.sheet, '--batch', 'log', '--wait', '0', '--concurrency', '2']);
    await until('it is sent', () => sent() > 20);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const log = join(desk.folder, 'worker.jsonl');
    const one = worker('--log', log, '--metrics-port', '0');
    let told = '';
    one.child.stderr!.on('data', (words: string) => (told += words));
    await until('its figures', () => /http:\S+metrics/.test(told));
    const before = sent();
    for (let tries = 0; (await ask(ended)).length === 0 && tries < 200; tries += 1) await sleep(200);
    const figures = await (await fetch(/http:\S+metrics/.exec(told)![0])).text();
    one.child.kill('SIGTERM');
    const { out } = await one.ended;
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const posts = events.filter(({ method, route }) => method === 'POST' && route === '/payments');
    expect(posts).toHaveLength(sent() - before);
    expect(out).toBe(`Drained: ${posts.filter(({ status }) => status === 201).length} payments sent.\n`);
    const counted = figures.matchAll(/^payrun_call_seconds_count\{route="POST \/payments",.*\} (\d+)$/gm);
    expect(Iterator.from(counted).reduce((sum, [, count]) => sum + Number(count), 0)).toBe(posts.length);
    expect(figures).toContain('payrun_stage_done{stage="paying"}');
    const led = events
      .filter(({ event }) => event === 'start' || event === 'end')
      .map((line) => line.command ?? line.exit);
    expect(led).toEqual(['worker', 'resume', 0, 0]);
    expect(new Set(events.map(({ run }) => run)).size).toBe(2);
  });

  it('send what a pass let go before they follow the others', async () => {
    const lost = { route: 'POST /payments', nth: 3, action: { kind: 'drop', at: 'before' } } as const;
    const { desk, sent, tags } = await newOffice([slow, lost], '1s');
    const leader = start(desk, ['run', desk.sheet, '--batch', 'oct', '--wait', '0', '--concurrency', '2']);
    // One of these is young enough to prove the lost one absent; nobody has looked for it yet.
    await until('it is sent', () => sent() > 90);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const outcome = documentOf(await command(desk, ['resume', 'oct', '--json', '--wait', '0', '--concurrency', '8']));
    expect([outcome.rows.not_sent, outcome.stopped]).toEqual([0, null]);
    expect([...(await tags()).values()].filter((count) => count > 1)).toEqual([]);
  });

  it('hand a batch over when they are drained: what a person lets go later is sent by another', async () => {
    const lost = { route: 'POST /payments', nth: 3, action: { kind: 'drop', at: 'before' } } as const;
    const { desk, sent, tags, worker } = await newOffice([lost], '1s');
    desk.env.PAYRUN_DOUBT_POLICY = 'hold';
    const run = ['run', desk.sheet, '--batch', 'sep', '--json', '--wait', '0', '--concurrency', '8'];
    expect(documentOf(await command(desk, run)).rows).toMatchObject({ not_sent: 0, in_doubt: 1 });
    // It may still come to light, until its deadline has passed.
    let looked = await command(desk, ['reconcile', 'sep']);
    for (let tries = 0; !looked.out.includes('1 proven absent') && tries < 40; tries += 1) {
      await sleep(500);
      looked = await command(desk, ['reconcile', 'sep']);
    }
    expect(looked).toMatchObject({ exit: 22, out: expect.stringContaining('1 proven absent') });
    const drained = worker();
    drained.child.stderr!.on('data', (words) => {
      if (String(words).includes('It leads batch sep')) drained.child.kill('SIGTERM');
    });
    expect(await drained.ended).toMatchObject({ exit: 0, err: expect.stringContaining('Batch sep, follow: drained') });
    const other = worker();
    const release = ['resolve', 'sep', '--release-absent', '--reason', 'the service never had it'];
    // Once nobody holds the ledger.
    let released = await command(desk, release);
    for (let tries = 0; released.exit !== 23 && tries < 40; tries += 1) {
      await sleep(500);
      released = await command(desk, release);
    }
    expect(released.exit, released.out + released.err).toBe(23);
    await until('another has sent it', () => sent() > rows.length);
    other.child.kill('SIGTERM');
    await other.ended;
    const found = await tags();
    expect([found.size, [...found.values()].filter((count) => count > 1)]).toEqual([rows.length, []]);
  });

  it('go on with a batch at its hour, once, however many there are; and wait for whoever holds the ledger', {
    timeout: 180_000,
  }, async () => {
    const { desk, sent, tags, ask, worker } = await newOffice([slow], '4s');
    const leader = start(desk, ['run', desk.sheet, '--batch', 'jan', '--json', '--wait', '0', '--concurrency', '8']);
    await until('it is sent', () => sent() > 30);
    await command(desk, ['pause', 'jan', '--reason', 'not before its hour']);
    expect((await leader.ended).exit).toBe(23);
    expect(await command(desk, ['pause', 'jan', '--end'])).toMatchObject({ exit: 0 });
    const stood = sent();
    const at = async (...words: string[]) => await command(desk, ['schedule', ...words]);
    expect(await at('feb', '--cron', '* * * * *')).toMatchObject({ exit: 2 });
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    await ledger.hold();
    const minute = () => Math.floor(Date.now() / 60_000);
    const given = minute();
    expect(await at('jan', '--cron', '* * * * *')).toMatchObject({
      exit: 0,
      out: expect.stringContaining('the fleet'),
    });
    const workers = [worker(), worker()];
    // While the ledger is held no worker asks for a look: this is the engine's clock.
    const woken = `SELECT 1 FROM BOSS.job WHERE name = 'payrun-wake' AND state = 'completed'
      AND created_on >= to_timestamp(${60 * (given + 1)}) LIMIT 1`;
    for (let tries = 0; (await ask(woken)).length === 0 && tries < 450; tries += 1) await sleep(200);
    expect([await ask(woken), sent()]).toMatchObject([[{}], stood]);
    await ledger.close();
    await until('the fleet has gone on with it', () => sent() >= rows.length, 90_000);
    for (let tries = 0; (await ask(ended)).length === 0 && tries < 450; tries += 1) await sleep(200);
    expect(await at('jan', '--end')).toMatchObject({ out: expect.stringContaining('no longer scheduled') });
    for (const one of workers) one.child.kill('SIGTERM');
    for (const one of workers) expect((await one.ended).exit).toBe(0);
    const opened = `SELECT 1 FROM trail WHERE entry LIKE '%"opened"%'`;
    expect([await ask(opened), (await tags()).size, sent()]).toMatchObject([[{}, {}], rows.length, rows.length]);
  });
});
