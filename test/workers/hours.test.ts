/** What a worker does at the hours of a schedule: a job of the engine decides nothing by itself. */
import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { driverAddress, type Ledger, openLedger, readPostgres } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { listenForWork, schedule } from '../../src/workers/waking.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import { command, type Desk, deskFor, kenyanRows, newService, start, until } from '../support.ts';

const cron = '* * * * *';
const zone = 'UTC';

interface Office {
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly identity: string;
  readonly boss: PgBoss;
  /** A statement on the engine's own tables, which are in BOSS. */
  sql(statement: string): Promise<void>;
  /** From `since` on. */
  plan(since: number | null, cron?: string): Promise<void>;
  /** Its hour of a schedule that was given at `since` comes now. */
  come(since: number, cron?: string): Promise<void>;
  /** A worker with this identity, by this clock, that reads this ledger, and leads so, to this exit code. */
  join(identity: string, clock?: Clock, ledger?: Ledger, lead?: () => Promise<number>): Joined;
}

interface Joined {
  readonly led: readonly string[];
  /** Batches of whose missed hour people were told. */
  readonly missed: readonly string[];
  said(): string;
  leave(): Promise<void>;
}

const nothingSent = { rows: 3, status: 401, exit: 25 };
/** Its newer half is left to be sent, and its rows before that are in doubt. */
const inDoubt = { rows: 30, status: 500, exit: 22 };
const allPending = { rows: 3, status: null, exit: 23 };

/** A batch whose run was hours ago: mostly nothing of it was ever sent, and it was not opened. */
async function office({ rows, status, exit }: { rows: number; status: number | null; exit: number } = nothingSent) {
  const service = await newService(status === null ? { settleAfterMs: 3_600_000 } : {});
  const place = await newPlace('Postgres');
  const desk = deskFor(service, kenyanRows(rows), { PAYRUN_LEDGER: place });
  service.fault = ({ route }) =>
    status !== null && route === 'POST /payments' ? { kind: 'answer', status } : undefined;
  const clock = { ...systemClock, now: () => Date.now() - 6 * 3_600_000 };
  const run = await command({ ...desk, clock }, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  expect(run, run.out).toMatchObject({ exit });
  const ledger = openLedger(place, systemClock);
  atEnd(() => ledger.close());
  const engine = { address: driverAddress(place, null), schema: `${readPostgres(place).schema}_boss` };
  const say = () => {};
  const data = (since: number, hours: string) => ({ batch: 'nov', scheduled: true, cron: hours, zone, since });
  const plan = async (since: number | null, hours = cron) => {
    const when = since === null ? null : { cron: hours, zone, since };
    await schedule({ ...engine, say }, ledger, 'nov', when, async () => {});
  };
  await plan(0);
  const boss = new PgBoss({
    connectionString: engine.address,
    schema: engine.schema,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  atEnd(() => boss.stop({ graceful: false }));
  const found: Office = {
    desk,
    ledger,
    identity: (await ledger.batch('nov'))!.identity,
    boss,
    sql: async (statement) => void (await boss.getDb().executeSql(statement.replaceAll('BOSS', engine.schema))),
    plan,
    async come(since, hours = cron) {
      const how = { retryLimit: 60, retryDelay: 1, singletonKey: `nov ${since}` };
      expect(await boss.send('payrun-wake', data(since, hours), how)).not.toBeNull();
    },
    join(identity, clock = systemClock, read = ledger, lead = async () => 0) {
      const led: string[] = [];
      const missed: string[] = [];
      let words = '';
      const stop = new AbortController();
      const listening = listenForWork({
        ...engine,
        deps: { ledger: read, clock, again: '', service: { identity } } as Deps,
        clock,
        stop: stop.signal,
        sweepMs: 100,
        say: (sentence) => (words += `${sentence}\n`),
        lead: async (batch, deed, _asOf, _stop, isHour) => {
          led.push(`${batch} ${deed}${isHour ? '' : ', at no hour'}`);
          return await lead();
        },
        missed: async (_, batch) => void missed.push(batch),
      });
      const leave = async () => {
        stop.abort();
        await listening;
      };
      atEnd(leave);
      return { led, missed, said: () => words, leave };
    },
  };
  return found;
}

const terms = { sourceWords: [], holdsRails: false, refusals: 9, doubtsInARow: 9, doubts: 9 };
const tooMuch = { batch: 'nov', row: null, what: 'stop', data: { code: 'OVER_CAP', message: 'Too much.' } } as const;

/** The fleet opens it, and it stops for a person; `isWritten`: with its result. */
async function openedAndStopped({ ledger }: Office, isWritten = true): Promise<void> {
  const { sheet } = (await ledger.batch('nov'))!;
  await ledger.fleet!.open({ batch: 'nov', sheet: sheet.id, leader: 'gone', room: 8, terms });
  await ledger.fleet!.finish('nov', tooMuch);
  if (isWritten) await ledger.fleet!.end('nov');
}

it('a batch that was never opened is left to a worker with its own service and key, and is not lost to it', async () => {
  const { identity, plan, come, join } = await office();
  await plan(1);
  const other = join('https://elsewhere|key:1|tenant');
  await come(1);
  await until('it is left', () => other.said().includes('its hours are left to a worker with those'));
  const own = join(identity);
  await until('its own leads it', () => own.led.length > 0);
  await Promise.all([other.leave(), own.leave()]);
  expect([own.led, other.led]).toEqual([['nov resume'], []]);
});

async function noJobIsLeft(boss: PgBoss): Promise<void> {
  let left = 1;
  await until('no job is left', () => {
    void boss.findJobs('payrun-wake').then((jobs) => {
      left = jobs.filter(({ state }) => state !== 'completed').length;
    });
    return left === 0;
  });
}

it('an hour whose schedule was ended, or given anew, goes on with nothing', async () => {
  const { identity, plan, come, join, boss } = await office();
  await plan(2);
  await come(1);
  await come(2);
  const worker = join(identity);
  await until('that which stands is led', () => worker.led.length > 0);
  await plan(null);
  await come(2);
  await noJobIsLeft(boss);
  await worker.leave();
  expect(worker.led).toEqual(['nov resume']);
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const hourOf = (time: Date) => `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
const late: Clock = { ...systemClock, now: () => Date.now() + 600_000 };

it.each([
  ['', '', (own: string) => own],
  [', since no worker of its service, key and user was there', ': no worker of its', () => 'https://elsewhere|key:1'],
])(
  'an hour that nobody went on with in its minutes%s is over: the trail has it, and people are told',
  async (_, why, of) => {
    const { desk, ledger, identity, plan, come, join } = await office();
    await plan(1);
    await come(1);
    const worker = join(of(identity), late);
    await until('it is told', () => worker.missed.length > 0);
    await worker.leave();
    expect([worker.led, worker.missed]).toEqual([[], ['nov']]);
    expect(worker.said()).toContain(`is over, and nobody went on with it then${why}`);
    const status = async () => (await command(desk, ['status', 'nov'])).out;
    expect(await status()).toMatch(/^.*Its hour of .* is over, and nobody went on with it then/m);
    await ledger.record({ batch: 'nov', row: null, what: 'stop', data: { code: 'OVER_CAP', message: 'Too much.' } });
    expect(await status(), 'somebody has gone on with it since').not.toContain('is over');
  },
);

it('a worker that tells of it counts it, for whoever looks at figures', async () => {
  const { desk, plan, come } = await office();
  const hour = hourOf(ago(8));
  await plan(1, hour);
  await come(1, hour);
  const { child, ended } = start(desk, ['worker', '--metrics-port', '0']);
  let told = '';
  child.stderr!.on('data', (text: string) => (told += text));
  await until('the address of the figures', () => /http:\S+metrics/.test(told));
  const figures = async () => await (await fetch(/http:\S+metrics/.exec(told)![0])).text();
  await expect.poll(figures, { timeout: 30_000 }).toContain('payrun_hours_missed_total 1');
  child.kill('SIGTERM');
  expect((await ended).exit).toBe(0);
});

it('an hour is not told as over where its batch is led, or the fleet has gone on with it since', async () => {
  const { desk, ledger, identity, plan, come, join, boss } = await office();
  await plan(1, hourOf(ago(2)));
  const joined = async () => {
    await come(1, hourOf(ago(2)));
    const worker = join(identity, late);
    await noJobIsLeft(boss);
    await worker.leave();
    return [worker.led, worker.missed, worker.said()];
  };
  await ledger.record({ batch: 'nov', row: null, what: 'opened', data: {} });
  expect(await joined(), 'the fleet has gone on with it').toEqual([[], [], '']);
  // It began before the hour.
  const run = openLedger(desk.env.PAYRUN_LEDGER!, { ...systemClock, now: () => Date.now() - 600_000 });
  atEnd(() => run.close());
  await run.hold();
  const leader = randomUUID();
  await run.fleet!.beat(leader);
  const { sheet } = (await run.batch('nov'))!;
  await run.fleet!.open({ batch: 'nov', sheet: sheet.id, leader, room: 8, terms });
  expect(await joined(), 'a run sends').toEqual([[], [], '']);
  await run.fleet!.close('nov', { why: 'sent' });
  await run.fleet!.leave(leader);
  expect(await joined(), 'it follows what it sent').toEqual([[], [], '']);
  await run.close();
  let leads = true;
  await until('nobody leads it', () => {
    void ledger.fleet!.hasLeader('nov').then((does) => (leads = does));
    return !leads;
  });
});

it('an hour of a batch of which no row is left to send is not told as over', async () => {
  const { identity, plan, come, join, boss } = await office(allPending);
  await plan(1);
  await come(1);
  const worker = join(identity, late);
  await noJobIsLeft(boss);
  await worker.leave();
  expect([worker.missed, worker.said()]).toEqual([[], '']);
});

it('an hour at which no worker was there is gone on with in its minutes, and else told', async () => {
  const { identity, plan, sql, join } = await office();
  // Somebody looked last an hour before.
  const lookedBefore = async () => {
    await sql("UPDATE BOSS.version SET cron_on = now() - interval '4 hours'");
    await sql("UPDATE BOSS.schedule SET created_on = now() - interval '5 hours'");
  };
  await plan(1, hourOf(ago(3)));
  await lookedBefore();
  const soon = join(identity);
  await until('it is led', () => soon.led.length > 0);
  await soon.leave();
  await plan(1, hourOf(ago(180)));
  await lookedBefore();
  const later = join(identity);
  await until('it is told', () => later.missed.length > 0);
  await later.leave();
  expect([soon.led, soon.missed, later.led, later.missed]).toEqual([['nov resume'], [], [], ['nov']]);
});

it('an hour is gone on with by another worker when the first one dies at it', async () => {
  const { identity, plan, boss, sql, join } = await office();
  await plan(1, hourOf(ago(2)));
  const { name, data, options } = (await boss.getSchedules('payrun-wake'))[0]!;
  await boss.send(name, data!, options!);
  expect(await boss.fetch(name)).toMatchObject([{ data: { batch: 'nov' } }]);
  await sql("UPDATE BOSS.job SET heartbeat_on = now() - interval '2 minutes' WHERE state = 'active'");
  await sql('UPDATE BOSS.queue SET monitor_on = NULL');
  await boss.supervise(name);
  const worker = join(identity);
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  expect(worker.led).toEqual(['nov resume']);
});

it('an hour that comes to a worker as it is drained is left to another one', async () => {
  const { ledger, identity, plan, come, join, boss } = await office();
  await plan(1, hourOf(ago(2)));
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const unfinished = async () => {
    asked.resolve();
    await answered.promise;
    return [];
  };
  const worker = join(identity, systemClock, { ...ledger, fleet: { ...ledger.fleet!, unfinished } });
  await asked.promise;
  const left = worker.leave();
  await come(1, hourOf(ago(2)));
  let taken = false;
  await until('it has come', () => {
    void boss.findJobs('payrun-wake').then(([job]) => (taken = job!.startedOn !== null && job!.state !== 'active'));
    return taken;
  });
  answered.resolve();
  await left;
  const other = join(identity);
  await until('it is led', () => other.led.length > 0);
  await other.leave();
  expect([worker.led, other.led]).toEqual([[], ['nov resume']]);
});

it.each([
  ['rows of it are in doubt', true],
  ['its last result is not written', false],
])(
  'an hour whose worker is drained before it opened the batch comes to the next one, also where %s',
  async (_, isWritten) => {
    const at = await office(inDoubt);
    const { ledger, identity, plan, come, join } = at;
    await openedAndStopped(at, isWritten);
    await plan(1, hourOf(ago(2)));
    await come(1, hourOf(ago(2)));
    const worker = join(identity, systemClock, ledger, async () => 130);
    await until('it is led', () => worker.led.includes('nov resume'));
    await worker.leave();
    const other = join(identity);
    await until('it is led by another one', () => other.led.includes('nov resume'));
    await other.leave();
  },
);

it('an hour whose worker is drained once it opened the batch, which stopped for a person, does not come again', async () => {
  const at = await office(inDoubt);
  const { ledger, identity, plan, come, join, boss } = at;
  await plan(1, hourOf(ago(2)));
  await come(1, hourOf(ago(2)));
  const worker = join(identity, systemClock, ledger, async () => {
    await openedAndStopped(at);
    return 130;
  });
  await until('it is led', () => worker.led.includes('nov resume'));
  await worker.leave();
  const other = join(identity);
  await noJobIsLeft(boss);
  await other.leave();
  expect(other.led).not.toContain('nov resume');
});

it('schedules that pg-boss has lost are given again as the trail has them, and those of before are as others', async () => {
  const { ledger, identity, plan, sql, boss, join } = await office();
  const tell = async (what: string) =>
    await ledger.record({ batch: 'nov', row: null, what, data: { cron: '0 6 25 * *', zone: 'Africa/Johannesburg' } });
  const scheduled = async (said = '') => {
    const worker = join(identity);
    await until('it has looked', () => worker.said().includes(said));
    await worker.leave();
    return (await boss.getSchedules('payrun-wake')).map(({ cron: hours, options }) => [hours, options?.missed]);
  };
  await plan(1, '0 7 1 * *');
  await sql("UPDATE BOSS.schedule SET options = options - 'missed'");
  expect(await scheduled()).toEqual([['0 7 1 * *', 'once']]);
  await tell('scheduled');
  await sql('DELETE FROM BOSS.schedule');
  expect(await scheduled('It is given again')).toEqual([['0 6 25 * *', 'once']]);
  await tell('schedule ended');
  expect(await scheduled()).toEqual([]);
});

it.each([
  ['are gone', async ({ sql }: Office) => await sql('DROP SCHEMA BOSS CASCADE')],
  // Whoever only asks makes no more of them than is asked.
  [
    'were made anew',
    async ({ sql, boss }: Office) => {
      await boss.deleteQueue('__pgboss__send-it');
      await sql('DELETE FROM BOSS.schedule');
    },
  ],
])(
  'schedules of which the tables %s while a worker is there are given again, and so is their clock',
  async (_, lose) => {
    const at = await office();
    const { desk, boss, identity, join } = at;
    await command(desk, ['schedule', 'nov', '--cron', '0 6 25 * *']);
    let looks = 0;
    const fleet = at.ledger.fleet!;
    const unfinished: typeof fleet.unfinished = async (...asked) => {
      looks += 1;
      return await fleet.unfinished(...asked);
    };
    const worker = join(identity, late, { ...at.ledger, fleet: { ...fleet, unfinished } });
    await until('it looks again and again', () => looks > 2);
    expect(worker.said()).toBe('');
    await lose(at);
    await until('they are given again', () => worker.said().includes('It is given again'));
    looks = 0;
    await until('it looks again and again', () => looks > 2);
    expect(await boss.getQueue('__pgboss__send-it')).not.toBeNull();
    await worker.leave();
    expect(await boss.getSchedules('payrun-wake')).toMatchObject([{ cron: '0 6 25 * *', options: { missed: 'once' } }]);
    const lines = worker.said().split('\n');
    expect(lines, 'each fault is told once').toEqual([...new Set(lines)]);
  },
);

it('a schedule that a person ends while pg-boss does not have it is shown before, and stays ended', async () => {
  const { desk, ledger, identity, sql, boss, join } = await office();
  const at = async (...words: string[]) => (await command(desk, ['schedule', ...words])).out;
  await at('nov', '--cron', '0 6 25 * *');
  await sql('DROP SCHEMA BOSS CASCADE');
  expect(await at('--list')).toContain('0 6 25 * *');
  expect(await at('nov', '--end')).toContain('no longer scheduled');
  expect(await at('nov', '--end')).toContain('was not scheduled');
  expect(await at('--list')).toBe('Nothing is scheduled.\n');
  let looks = 0;
  const told: Ledger['told'] = async (...asked) => {
    looks += 1;
    return await ledger.told(...asked);
  };
  const worker = join(identity, late, { ...ledger, told });
  await until('it has looked', () => looks > 0);
  await worker.leave();
  expect(await boss.getSchedules('payrun-wake')).toEqual([]);
});

it('schedule tells where no worker would come to the hour, since those that are there lead nothing, or no such batch', async () => {
  const { desk, ledger, identity, join } = await office();
  const said = async (...words: string[]) => (await command(desk, ['schedule', ...words])).err;
  expect(await said('nov', '--cron', '0 6 25 * *')).toBe('No worker is there now: at its hour one has to be.\n');
  await ledger.fleet!.beat(randomUUID());
  const comes = async (whose: string) => {
    join(whose);
    let isThere = false;
    await until('it is there', () => {
      void ledger.fleet!.isAttended(whose).then((is) => (isThere = is));
      return isThere;
    });
  };
  await comes('https://elsewhere|key:1|tenant');
  for (const words of [['nov', '--cron', '0 6 25 * *'], ['--list']])
    expect(await said(...words)).toContain('No worker is there now that leads nov: one with the same service, key');
  await comes(identity);
  for (const words of [['nov', '--cron', '0 6 25 * *'], ['--list']]) expect(await said(...words)).toBe('');
});

it('a batch that a person stopped, and that is paused, names the ends of both', async () => {
  const { ledger, identity, plan, come, join } = await office();
  await plan(1);
  await ledger.record({ batch: 'nov', row: null, what: 'stop', data: { code: 'STOPPED', message: 'Stopped.' } });
  await ledger.fleet!.pause('nov', 'Ada', 'A word.');
  await come(1);
  const worker = join(identity);
  await until('it is told', () =>
    worker.said().includes('its hours pass until payrun pause nov --end, and then payrun resume nov.'),
  );
  await worker.leave();
  expect(worker.led).toEqual([]);
});
