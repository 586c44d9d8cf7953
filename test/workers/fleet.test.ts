/** A fleet: several real processes on one Postgres send one batch, and die, freeze and lose their connections while they do. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { readEntry } from '../../src/audit/chain.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { ShownOutcome } from '../../src/cli/render/outcome-document.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { refusalWords } from '../../src/messages/refusals.ts';
import { readBooks, type Service, startService } from '../../src/service/service.ts';
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
  /** So long passes on the clocks of the service and of the desk's commands: a doubt's horizon, for one. */
  pass(ms: number): void;
  /** A person looks at the batch's doubts once their horizon has passed, and lets go what is proven absent. */
  release(batch: string, by?: Desk): Promise<void>;
  /** Until workers have led it to its end; a person releases what they leave in doubt. */
  led(batch: string, by?: Desk): Promise<void>;
  /** Asked past the product; BOSS is the schema of pg-boss. */
  ask<T>(text: string): Promise<T[]>;
  worker(...more: string[]): ReturnType<typeof start>;
}

interface Order {
  readonly sheet: typeof rows;
  /** Of a call. A lease lasts ten seconds longer. */
  readonly timeout: string;
  /** By which the service is slow. */
  readonly sleep: Clock['sleep'];
}

async function newOffice(
  faults: Parameters<typeof startService>[0]['faults'],
  { sheet = rows, timeout = '8s', sleep: delay = systemClock.sleep }: Partial<Order> = {},
): Promise<Office> {
  const dataDir = join(newFolder(), 'service');
  let ahead = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => Date.now() + ahead,
    uptime() {
      const { boot, ms } = systemClock.uptime();
      return { boot, ms: ms + ahead };
    },
  };
  const service = await startService({
    dataDir,
    faults: faults ?? [],
    tokensPerMinute: 0,
    railLimits: null,
    clock: { ...clock, sleep: delay },
  });
  atEnd(() => service.close());
  const { apiKey, apiSecret } = await service.tenants.add('fleet');
  const place = await newPlace('Postgres');
  const desk: Desk = Object.assign(
    deskFor(null, sheet, {
      PAYRUN_LEDGER: place,
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: apiKey,
      PAYRUN_API_SECRET: apiSecret,
      PAYRUN_HTTP_TIMEOUT: timeout,
      PAYRUN_DOUBT_VISIBLE: '0',
      PAYRUN_DOUBT_HORIZON: '0',
      PAYRUN_DOUBT_CONFIRM: '0',
      PAYRUN_DOUBT_POLICY: 'resend',
    }),
    { clock },
  );
  const address = new URL(place);
  const schema = address.searchParams.get('schema')!;
  address.search = '';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  atEnd(() => client.end());
  await client.query(`SET search_path = ${schema}`).catch(() => undefined);
  const ask: Office['ask'] = async (text) => (await client.query(text.replace('BOSS', `${schema}_boss`))).rows;
  const pass = (ms: number) => {
    ahead += ms;
  };
  const release: Office['release'] = async (batch, by = desk) => {
    pass(120_000);
    await command({ ...by, clock }, ['reconcile', batch]);
    await command({ ...by, clock }, [
      'resolve',
      batch,
      '--release-absent',
      '--reason',
      'not there after twice the horizon',
    ]);
  };
  return {
    desk,
    service,
    pass,
    release,
    async led(batch, by = desk) {
      const waits = `SELECT 1 FROM payout WHERE state IN ('planned', 'ready', 'sending')`;
      const doubts = `SELECT 1 FROM payout WHERE state IN ('in_doubt', 'absent', 'held')`;
      await untilIs('it is led to its end', async () => {
        const [open, inDoubt] = [await ask(waits), await ask(doubts)];
        if (open.length === 0 && inDoubt.length > 0) await release(batch, by);
        return open.length + inDoubt.length === 0 && (await ask(ended)).length > 0;
      });
    },
    sent: () => service.stats().requests['POST /payments'] ?? 0,
    async tags() {
      const counts = new Map<string, number>();
      for (const { tag } of await readBooks(dataDir)) counts.set(String(tag), (counts.get(String(tag)) ?? 0) + 1);
      return counts;
    },
    ask,
    worker: (...more) => start(desk, ['worker', '--concurrency', '4', ...more]),
  };
}

/** Ends it, as a database does that is stopped. */
const connectionOf = ({ child }: ReturnType<typeof start>) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'payrun process ${child.pid} on %'`;

/** However slow the machine is. */
async function untilIs(what: string, holds: () => Promise<boolean>, restMs = 100): Promise<void> {
  const giveUp = performance.now() + 150_000;
  while (!(await holds())) {
    if (performance.now() > giveUp) throw new Error(`waited in vain for: ${what}`);
    await sleep(restMs);
  }
}

/** Of tables that may not be there yet. */
const untilAre = async (count: number, look: () => Promise<readonly unknown[]>) =>
  await untilIs(`${count} rows`, async () => (await look().catch(() => [])).length >= count, 5);

/** Until nobody holds the ledger: a server may take a moment to see that a process has ended. */
async function untilFree({ env }: Desk): Promise<void> {
  const ledger = openLedger(env.PAYRUN_LEDGER!, systemClock);
  try {
    await untilIs('nobody holds the ledger', async () => !(await ledger.isLedElsewhere()));
  } finally {
    await ledger.close();
  }
}

/** The kind of a trail entry, in SQL. */
const whatOf = '(entry::json ->> 3)';

/** Somebody has led it to its end. */
const ended = 'SELECT 1 FROM lead JOIN opening ON opening.batch = lead.batch WHERE owes_result = 0';

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
  it('are listed: pauses with who, why and how they end, and schedules', { tags: ['long'] }, async () => {
    const { desk, sent, ask } = await newOffice([]);
    const shut = Math.floor((Date.now() / 3_600_000 + 4) % 24);
    const window = `${String(shut).padStart(2, '0')}:00-${String(shut).padStart(2, '0')}:30`;
    // The fleet continues a batch at its hour, also if its sheet may not be sent yet, with or without a plan.
    expect((await command(desk, ['run', desk.sheet, '--batch', 'may', '--pay-window', window])).exit).toBe(23);
    const told = async (...words: string[]) => (await command(desk, words)).out;
    const pauses = async (...of: string[]) => JSON.parse(await told('pause', ...of, '--list', '--json')).paused;
    expect(await pauses()).toEqual([]);
    await command(desk, ['pause', 'may', '--reason', 'ask the bank']);
    await command(desk, ['pause', '--reason', 'month-end']);
    const [all, may] = [/^ *All batches .*\(month-end\)/m, /Batch may .*paused/];
    for (const words of [['pause', '--list'], ['list'], ['status', 'may'], ['pause', 'may', '--list']]) {
      expect(await told(...words), words.join(' ')).toMatch(all);
      expect(await told(...words), words.join(' ')).toMatch(may);
    }
    const stands = documentOf(await command(desk, ['status', 'may', '--json', '--exit-code']));
    expect(stands).toMatchObject({ paused: [{ batch: null }, { batch: 'may', reason: 'ask the bank' }] });
    expect(stands.next).toMatchObject([
      { action: 'end-pause', batch: null },
      { action: 'end-pause', batch: 'may' },
      { action: 'resume', batch: 'may' },
    ]);
    expect(JSON.parse(await told('list', '--json'))).toMatchObject({ paused: [{ reason: 'month-end' }, {}] });
    for (const [end, left] of [
      [[], [{ batch: 'may', reason: 'ask the bank' }]],
      [['may'], []],
      [['may'], []],
    ] as const) {
      expect(await command(desk, ['pause', ...end, '--end'])).toMatchObject({ exit: 0 });
      expect(await pauses()).toMatchObject(left);
    }

    for (const [cron, zone, why] of [
      ['6 25', 'UTC', { fault: 'cron-has-other-fields' }],
      ['99 * * * *', 'UTC', { fault: 'cron-field-is-invalid', field: 'minute', value: '99' }],
      ['0 6 30 2 *', 'UTC', { fault: 'cron-never-comes' }],
      ['0 6 25 * *', 'Afrika', { fault: 'zone-is-unknown', zone: 'Afrika' }],
    ] as const) {
      const { exit, err } = await command(desk, ['schedule', 'may', '--cron', cron, '--zone', zone]);
      const facts = { cron, zone, why };
      expect([exit, err]).toEqual([2, `payrun: ${refusalWords({ code: 'SCHEDULE_UNUSABLE', facts })}\n`]);
    }
    const scheduled = async () => JSON.parse(await told('schedule', '--list', '--json')).schedules;
    expect(await scheduled()).toEqual([]);
    const nobody = expect.stringContaining('No worker is');
    expect(await command(desk, ['schedule', 'may', '--cron', '0 6 25 * *'])).toMatchObject({ err: nobody });
    expect(await command(desk, ['schedule', '--list'])).toMatchObject({ err: nobody });
    expect(await told('schedule', '--list')).toMatch(
      /may +0 6 25 \* \* +Africa\/Johannesburg +\d{4}-\d\d-\d\d 04:00:00/,
    );
    expect(await scheduled()).toMatchObject([{ batch: 'may' }]);
    for (const _ of ['ends it', 'finds none']) {
      expect(await command(desk, ['schedule', 'may', '--end'])).toMatchObject({ exit: 0 });
      expect(await scheduled()).toEqual([]);
    }
    const entries = await ask<{ what: string }>(
      `SELECT ${whatOf} AS what FROM trail WHERE ${whatOf} LIKE 'schedule%' ORDER BY seq`,
    );
    expect(entries.map(({ what }) => what)).toEqual(['scheduled', 'schedule ended']);
    expect(sent()).toBe(0);
  });
});

describe('a pause', () => {
  const lasting = { ...slow, nth: 1, action: { ...slow.action, ms: 2000 } } as const;
  for (const [which, tags, sheet, flags] of [
    ['that go ahead of the others', [], rows.slice(0, 12), ['--canary', '12']],
    ['that are the first of their kind', ['long'], oneOfEach.slice(0, 3), []],
  ] as const)
    it(`holds between rows ${which}, and what it held is paid once`, { tags: [...tags] }, async () => {
      const paused = Promise.withResolvers<void>();
      const delay: Clock['sleep'] = async (ms, signal) =>
        await (ms === lasting.action.ms ? paused.promise : systemClock.sleep(ms, signal));
      const { desk, sent, tags: found } = await newOffice([lasting], { sheet, timeout: '80s', sleep: delay });
      const run = command(desk, ['run', desk.sheet, '--batch', 'kill', '--json', '--wait', '0', ...flags]);
      await until('the first is sent', () => sent() > 0);
      expect(await command(desk, ['pause', '--reason', 'a word'])).toMatchObject({ exit: 0 });
      const stood = sent();
      paused.resolve();
      const { exit, rows: counts, stopped } = documentOf(await run);
      expect([exit, stopped?.code, counts.not_sent]).toEqual([23, 'PAUSED', sheet.length - sent()]);
      // One may have been decided on before the pause was there.
      expect(sent()).toBeLessThanOrEqual(stood + 1);
      expect(counts.not_sent).toBeGreaterThan(0);
      const still = documentOf(await command(desk, ['resume', 'kill', '--json', '--wait', '0']));
      expect([still.stopped?.code, still.sent]).toEqual(['PAUSED', 0]);
      expect(await command(desk, ['pause', '--end'])).toMatchObject({ exit: 0 });
      const last = documentOf(await command(desk, ['resume', 'kill', '--json', '--wait', '80s']));
      expect([last.exit, last.rows.paid]).toEqual([0, sheet.length]);
      expect([...(await found()).values()]).toEqual(sheet.map(() => 1));
    });

  it('leaves a batch to the person whom it waited for, also where its hour comes meanwhile', {
    tags: ['long'],
  }, async () => {
    const refuses = { kind: 'answer', at: 'before', status: 422, body: '{"message":"No."}' } as const;
    const closes = { route: 'POST /payments', from: 2, times: 10, action: refuses } as const;
    const { desk, sent } = await newOffice([closes], { sheet: rows.slice(0, 20) });
    const run = await command(desk, ['run', desk.sheet, '--batch', 'hour', '--json', '--concurrency', '1']);
    expect(documentOf(run).stopped?.code).toBe('REFUSED_IN_A_ROW');
    const stood = sent();
    await command(desk, ['pause', '--reason', 'a word']);
    // As a worker goes on with it at its hour.
    const atItsHour = await command({ ...desk, actor: { driver: 'worker', name: null } }, ['resume', 'hour', '--json']);
    expect(documentOf(atItsHour).stopped?.code).toBe('PAUSED');
    await command(desk, ['pause', '--end']);
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    const { identity } = (await ledger.batches.batch('hour'))!;
    expect(ledger.leads.whenDue(identity, Date.now())).toEqual([]);
    expect(sent()).toBe(stood);
    await ledger.close();
  });
});

describe('a worker on another machine', () => {
  it.each([
    ['and puts the result beside the copy of the sheet', true],
    ['and says that it has no copy of the sheet', false],
  ])('leads on without the folder of the sheet, %s', { tags: ['long'] }, async (_, shared) => {
    const { desk, sent, tags, led } = await newOffice([slow]);
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
    const ofTheResult = ({ notes }: Pick<ShownOutcome, 'notes'>) =>
      notes.flatMap((note) => (note.note === 'result-away' && note.host === hostname() ? [note] : []));
    await led('far', { ...desk, ...there });
    let stands = documentOf(await command(there, ['status', 'far', '--json', '--exit-code']));
    // Its rows are paid a moment before its result is written.
    await untilIs(
      'it is paid, and its result is written',
      async () => {
        stands = documentOf(await command(there, ['status', 'far', '--json', '--exit-code']));
        return stands.exit === 0 && ofTheResult(stands).length > 0;
      },
      1000,
    );
    expect([stands.exit, stands.rows.paid]).toEqual([0, rows.length]);
    for (const one of [sends, leads]) one.child.kill('SIGTERM');
    await sends.ended;
    const { err } = await leads.ended;
    const told = ofTheResult(stands);
    expect(told).toHaveLength(1);
    expect(err.split(told[0]!.message), 'told once').toHaveLength(2);
    const place = told[0]!.path;
    if (shared) {
      expect(place?.startsWith(`${files}/`)).toBe(true);
      expect(resultOf(place).filter(({ payrun_status }) => payrun_status === 'paid')).toHaveLength(rows.length);
    } else expect(place).toBeNull();
    expect([...(await tags()).values()]).toEqual(rows.map(() => 1));
  });

  it('tells people once of a batch that comes to nothing, however often it is tried', { tags: ['long'] }, async () => {
    const { desk, sent, worker } = await newOffice([slow]);
    const leader = start(desk, ['run', desk.sheet, '--batch', 'held', '--wait', '0', '--concurrency', '8']);
    await until('it is sent', () => sent() > 30);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const kept = join(desk.folder, 'told');
    writeFileSync(join(desk.folder, 'page'), `#!/bin/sh\ncat >> '${kept}'\n`, { mode: 0o755 });
    const policy = join(import.meta.dirname, '../golden/cases/approved-by-two/payrun.policy.json');
    Object.assign(desk.env, { PAYRUN_POLICY: policy, PAYRUN_NOTIFY_COMMAND: join(desk.folder, 'page') });
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
    const { desk, service, sent, tags, ask, worker, release } = await newOffice(faults);
    const run = ['run', desk.sheet, '--batch', 'nov', '--json', '--wait', '80s', '--concurrency', '8'];
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
    // Its answer comes later than this look: it waits for that until the other one leads.
    again.child.kill('SIGSTOP');
    await untilIs('the leader is gone', async () => !(await other.isLedElsewhere()));
    await other.hold();
    again.child.kill('SIGCONT');
    expect((await again.ended).exit).toBe(24);
    await other.close();
    await untilFree(desk);
    const resume = ['resume', 'nov', '--json', '--wait', '80s'];
    // In a process of its own: it waits for the lease of the frozen one, and the service answers meanwhile.
    let outcome = documentOf(await start(desk, resume).ended);
    freezing.child.kill('SIGCONT');
    await untilAre(2, () => ask('SELECT 1 FROM worker WHERE until > extract(epoch FROM clock_timestamp()) * 1000'));
    // The last rows have no younger payment to prove them absent: twice the horizon is a person's to go by.
    await untilIs('nothing is left', async () => {
      if (outcome.exit === 22) await release('nov');
      if ([22, 23].includes(outcome.exit)) outcome = documentOf(await command(desk, resume));
      return ![22, 23].includes(outcome.exit);
    });
    expect([outcome.exit, outcome.rows.paid, outcome.rows.total]).toEqual([0, rows.length, rows.length]);
    const found = await tags();
    expect([found.size, [...found.values()].filter((count) => count > 1)]).toEqual([rows.length, []]);
    for (const one of [freezing, cut]) one.child.kill('SIGTERM');
    for (const { ended: end } of [cut, freezing]) {
      const { exit, err } = await end;
      expect(exit, err).toBe(0);
    }
    const audit = await command(desk, ['audit', 'verify', '--json']);
    expect([audit.exit, JSON.parse(audit.out)]).toMatchObject([0, { whole: true, findings: [] }]);
  });

  it('are led on by one of them when the leader dies, also where the tables of pg-boss are lost, and pause at a word', {
    tags: ['long'],
  }, async () => {
    const { desk, sent, tags, ask, worker, led } = await newOffice([slow]);
    const run = ['run', desk.sheet, '--batch', 'dec', '--json', '--wait', '0', '--concurrency', '8'];
    const leader = start(desk, run);
    const workers = [worker(), worker()];
    await until('it is sent', () => sent() > 30);
    const paused = await command(desk, ['pause', '--reason', 'a word from the bank']);
    expect(paused).toMatchObject({ exit: 0 });
    const { stopped, rows: counts } = documentOf(await leader.ended);
    expect(stopped).toMatchObject({ code: 'PAUSED', facts: { reason: 'a word from the bank' } });
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
    // Whoever sent the last row leads nothing: somebody has to come to the end of it.
    await led('dec');
    await untilIs(
      'all of it is paid',
      async () => {
        const { exit, rows: stands } = documentOf(await command(desk, ['status', 'dec', '--json', '--exit-code']));
        return exit === 0 && stands.paid === rows.length;
      },
      1000,
    );
    for (const one of workers) one.child.kill('SIGTERM');
    for (const one of workers) expect((await one.ended).exit).toBe(0);
    const found = await tags();
    expect([found.size, [...found.values()].filter((count) => count > 1)]).toEqual([rows.length, []]);
    expect(await command(desk, ['audit', 'verify'])).toMatchObject({ exit: 0 });
    expect(await ask("SELECT 1 FROM BOSS.queue WHERE name = 'payrun-wake'")).toHaveLength(1);
  });

  it('lead on when a pause has ended that stopped one of them', { tags: ['long'] }, async () => {
    const { desk, sent, tags, worker, led } = await newOffice([slow]);
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
    expect(unsent.length).toBeGreaterThan(0);
    for (const { payrun_reason } of unsent) expect(payrun_reason).toContain('(a word)');
    await command(desk, ['pause', '--end']);
    await led('dec');
    one.child.kill('SIGTERM');
    await one.ended;
    expect((await tags()).size).toBe(rows.length);
  });

  it('write the result that a leader owed when it died, and send nothing of what stopped for a person', {
    tags: ['long'],
  }, async () => {
    const refuses = { kind: 'answer', at: 'before', status: 422, body: '{"message":"No."}' } as const;
    const { desk, sent, ask, worker } = await newOffice([{ route: 'POST /payments', nth: 3, action: refuses }, slow], {
      sheet: rows.slice(0, 60),
    });
    const result = join(desk.folder, 'november.result.csv');
    const told = async () => (await ask(stopEntries)).length;
    const stopEntries = `SELECT 1 FROM trail WHERE ${whatOf} = 'stop'`;
    const closed = async () => (await ask<{ closed: string }>('SELECT closed FROM opening'))[0]?.closed ?? '';
    const leader = start(desk, ['run', desk.sheet, '--batch', 'owed', '--wait', '0', '--concurrency', '2']);
    await until('it sends', () => sent() > 20);
    leader.child.kill('SIGINT');
    // In the moment that tells the stop, the batch is no longer to be led on.
    const ofBoth = `SELECT closed FROM opening WHERE EXISTS (${stopEntries})`;
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
      {
        why: 'stop',
        code: 'CREDENTIALS_REFUSED',
        facts: { why: { fault: 'call-was-answered', call: 'POST /token', status: 401, reason: null }, hint: null },
      },
    ]) {
      rmSync(result);
      const before = await told();
      if (left !== null) await ask(`UPDATE opening SET closed = '${JSON.stringify(left)}'`);
      one ??= worker();
      await untilIs('its result is written', async () => (await closed()).includes('"ended"'));
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
    await untilIs('its result is written', async () => (await closed()).includes('"ended"'));
    other.child.kill('SIGTERM');
    await other.ended;
    expect(resultOf(result).filter(({ payrun_status }) => payrun_status === 'paid')).toHaveLength(59);
  });

  it('are seen in all that they do, also while they lead', { tags: ['long'] }, async () => {
    const { desk, sent, worker, led } = await newOffice([slow]);
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
    await led('log');
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
    const steps = events
      .filter(({ event }) => event === 'start' || event === 'end')
      .map((line) => line.command ?? line.exit);
    expect(steps.slice(0, 3)).toEqual(['worker', 'resume', 0]);
    // What was pending then it may have followed since.
    expect([steps.at(-1), new Set(events.map(({ run }) => run)).size]).toEqual([0, steps.length / 2]);
  });

  it('send what a pass let go before they follow the others', { tags: ['long'] }, async () => {
    const lost = { route: 'POST /payments', nth: 3, action: { kind: 'drop', at: 'before' } } as const;
    const slower = { ...slow, action: { ...slow.action, ms: 150 } } as const;
    const { desk, sent, tags } = await newOffice([slower, lost], { timeout: '5s' });
    const leader = start(desk, ['run', desk.sheet, '--batch', 'oct', '--wait', '0', '--concurrency', '2']);
    await until('the lost one is sent', () => sent() > 2);
    const lostAt = performance.now();
    // One of these is young enough to prove the lost one absent; nobody has looked for it yet.
    await until('others are sent after its deadline', () => performance.now() - lostAt > 7000 && sent() > 40);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const outcome = documentOf(await command(desk, ['resume', 'oct', '--json', '--wait', '0', '--concurrency', '8']));
    expect([outcome.rows.not_sent, outcome.stopped]).toEqual([0, null]);
    expect([...(await tags()).values()].filter((count) => count > 1)).toEqual([]);
  });

  it('hand a batch over when they are drained: what a person lets go later is sent by another', {
    tags: ['long'],
  }, async () => {
    const lost = { route: 'POST /payments', nth: 3, action: { kind: 'drop', at: 'before' } } as const;
    const { desk, sent, tags, worker, pass } = await newOffice([lost]);
    desk.env.PAYRUN_DOUBT_POLICY = 'hold';
    const run = ['run', desk.sheet, '--batch', 'sep', '--json', '--wait', '0', '--concurrency', '8'];
    expect(documentOf(await command(desk, run)).rows).toMatchObject({ not_sent: 0, in_doubt: 1 });
    // It may still come to light, until its deadline has passed.
    pass(120_000);
    let looked = await command(desk, ['reconcile', 'sep']);
    await untilIs('it is proven absent', async () => {
      if (!looked.out.includes('1 proven absent')) looked = await command(desk, ['reconcile', 'sep']);
      return looked.out.includes('1 proven absent');
    });
    expect(looked.exit).toBe(22);
    const drained = worker();
    drained.child.stderr!.on('data', (words) => {
      if (String(words).includes('leads batch sep')) drained.child.kill('SIGTERM');
    });
    expect(await drained.ended).toMatchObject({ exit: 0, err: expect.stringContaining('sep, follow: drained') });
    const other = worker();
    const release = ['resolve', 'sep', '--release-absent', '--reason', 'the service never had it'];
    // Once nobody holds the ledger.
    let released = await command(desk, release);
    await untilIs('it is released', async () => {
      if (released.exit === 24) released = await command(desk, release);
      return released.exit !== 24;
    });
    expect(released.exit, released.out + released.err).toBe(23);
    await until('another has sent it', () => sent() > rows.length);
    other.child.kill('SIGTERM');
    await other.ended;
    const found = await tags();
    expect([found.size, [...found.values()].filter((count) => count > 1)]).toEqual([rows.length, []]);
  });

  it('go on with a batch at its hour, once, however many there are; and wait for whoever holds the ledger', {
    tags: ['long'],
  }, async () => {
    const { desk, sent, tags, ask, worker, led } = await newOffice([slow]);
    const leader = start(desk, ['run', desk.sheet, '--batch', 'jan', '--json', '--wait', '0', '--concurrency', '8']);
    await until('it is sent', () => sent() > 30);
    await command(desk, ['pause', 'jan', '--reason', 'not before its hour']);
    expect((await leader.ended).exit).toBe(23);
    expect(await command(desk, ['pause', 'jan', '--end'])).toMatchObject({ exit: 0 });
    const stood = sent();
    const at = async (...words: string[]) => await command(desk, ['schedule', ...words]);
    expect(await at('feb', '--cron', '* * * * *')).toMatchObject({ exit: 2 });
    expect(await at('jan', '--cron', '* * * * *')).toMatchObject({
      exit: 0,
      out: expect.stringContaining('the fleet'),
    });
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    await ledger.hold();
    // A pause stops a batch, and no hour ends a stop.
    await ledger.leads.goOn('jan', { continuesStopped: true });
    await ledger.leads.finish('jan', { at: Number.MAX_SAFE_INTEGER, why: null }, null);
    const given = { cron: '* * * * *', zone: 'UTC', expires: 3_600_000, next: Date.now() };
    await ledger.leads.schedule('jan', given, null);
    const workers = [worker(), worker()];
    // A worker that has its queue sweeps, and gives no job while another process holds the ledger.
    const engines = `SELECT 1 FROM pg_stat_activity
      WHERE application_name = 'payrun pg-boss' AND datname = current_database() LIMIT 1`;
    await untilAre(1, () => ask(engines));
    expect(sent()).toBe(stood);
    await ledger.close();
    await until('the fleet has gone on with it', () => sent() >= rows.length);
    await led('jan');
    expect(await at('jan', '--end')).toMatchObject({ exit: 0 });
    expect(JSON.parse((await at('--list', '--json')).out)).toEqual({ schedules: [] });
    for (const one of workers) one.child.kill('SIGTERM');
    for (const one of workers) expect((await one.ended).exit).toBe(0);
    const opened = await ask(`SELECT 1 FROM trail WHERE ${whatOf} = 'opened'`);
    const gone = await ask<{ entry: string }>(`SELECT entry FROM trail WHERE ${whatOf} = 'hour'`);
    const hours = gone.map(({ entry }) => readEntry(entry).data.hour);
    // On a slow machine a second minute may come while its payments are followed.
    expect([new Set(hours).size, opened.length > 1, opened.length - 1 <= hours.length]).toEqual([
      hours.length,
      true,
      true,
    ]);
    expect([(await tags()).size, sent()]).toEqual([rows.length, rows.length]);
  });
});
