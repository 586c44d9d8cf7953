/** What a worker does at the hours of a schedule: a job of the engine decides nothing by itself. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { scheduleBatch } from '../../src/app/schedule-batch.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Note } from '../../src/domain/note.ts';
import type { End } from '../../src/domain/sending/end.ts';
import { driverAddress, type Ledger, openLedger, readPostgres } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { lastHour, nextHour } from '../../src/workers/hours.ts';
import { listenForWork } from '../../src/workers/waking.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import { command, type Desk, deskFor, documentOf, kenyanRows, newService, noted, until } from '../support.ts';

const cron = '* * * * *';
const zone = 'UTC';

interface Office {
  readonly desk: Desk;
  readonly service: Awaited<ReturnType<typeof newService>>;
  readonly ledger: Ledger;
  readonly identity: string;
  readonly engine: { readonly address: string; readonly schema: string };
  readonly boss: PgBoss;
  /** A statement on the engine's own tables, which are in BOSS. */
  sql(statement: string): Promise<void>;
  /** From `since` on. */
  plan(since: number | null, cron?: string): Promise<void>;
  /** A worker with this identity, that joined then, reads this ledger, and leads so, to this end. */
  join(identity: string, how?: Joining): Joined;
}

interface Joining {
  readonly joinedAt?: number;
  /** It has not slept since, nor was its database away. */
  readonly lookedAt?: number;
  readonly clock?: Clock;
  readonly read?: Ledger;
  readonly lead?: (batch: string) => Promise<End>;
  /** Of what stopped that. */
  readonly code?: string | null;
}

interface Joined {
  readonly led: readonly string[];
  /** Batches of whose missed hour people were told. */
  readonly missed: readonly string[];
  readonly said: readonly Note[];
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
  const plan = async (since: number | null, hours = cron) => {
    const what = since === null ? 'schedule ended' : 'scheduled';
    const data = since === null ? {} : { cron: hours, zone, since };
    await ledger.trail.record({ batch: 'nov', row: null, what, data });
  };
  const boss = new PgBoss({
    connectionString: engine.address,
    schema: engine.schema,
    supervise: false,
    schedule: false,
  });
  // A test may drop its tables, of which it then complains.
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('payrun-wake', { policy: 'short' });
  atEnd(() => boss.stop({ graceful: false }));
  const found: Office = {
    desk,
    service,
    ledger,
    identity: (await ledger.batches.batch('nov'))!.identity,
    engine,
    boss,
    sql: async (statement) => void (await boss.getDb().executeSql(statement.replaceAll('BOSS', engine.schema))),
    plan,
    join(
      identity,
      {
        joinedAt = Date.now(),
        lookedAt = Date.now(),
        clock: its = systemClock,
        read = ledger,
        lead = async (): Promise<End> => 'done',
        code = null,
      } = {},
    ) {
      const led: string[] = [];
      const missed: string[] = [];
      const said: Note[] = [];
      const stop = new AbortController();
      const listening = listenForWork({
        ...engine,
        deps: { ledger: read, clock: its, service: { identity }, actor: { driver: 'worker', name: null } } as Deps,
        presence: { since: joinedAt, lookedAt },
        clock: systemClock,
        stop: stop.signal,
        sweepMs: 100,
        say: (note) => void said.push(note),
        lead: async (batch, deed, _asOf, _stop, isHour) => {
          led.push(`${batch} ${deed}${isHour ? '' : ', at no hour'}`);
          const end = await lead(batch);
          return { end, code };
        },
        missed: async (_, batch) => void missed.push(batch),
      });
      const leave = async () => {
        stop.abort();
        await listening;
      };
      atEnd(leave);
      return { led, missed, said, leave };
    },
  };
  return found;
}

const kindsOf = (notes: readonly Note[]) => notes.map(({ note }) => note);

const terms = { sourceWords: [], holdsRails: false, isUnderPolicy: false, refusals: 9, doubtsInARow: 9, doubts: 9 };
const tooMuch = {
  batch: 'nov',
  row: null,
  what: 'stop',
  data: { code: 'OVER_CAP', facts: { over: [], dayEnds: null } },
} as const;

/** The fleet opens it, and it stops for a person; `isWritten`: with its result. */
async function openedAndStopped({ ledger }: Office, isWritten = true): Promise<void> {
  const { sheet } = (await ledger.batches.batch('nov'))!;
  await ledger.fleet!.open({ batch: 'nov', since: sheet.id, leader: 'gone', room: 8, terms });
  ledger.fleet!.finish('nov', tooMuch);
  if (isWritten) await ledger.fleet!.end('nov');
}

const ago = (minutes: number) => Date.now() - minutes * 60_000;
const hourOf = (time: number) => `${new Date(time).getUTCMinutes()} ${new Date(time).getUTCHours()} * * *`;
const elsewhere = 'https://elsewhere|key:1|tenant';

/** A ledger that tells how often a worker has looked at its hours; and how to wait for two more of its looks. */
function watchedLedger(ledger: Ledger) {
  let looks = 0;
  const fleet = ledger.fleet!;
  const hoursSince: typeof fleet.hoursSince = async (after) => {
    looks += 1;
    return await fleet.hoursSince(after);
  };
  const looked = async () => {
    const before = looks;
    await until('it has looked', () => looks > before + 3);
  };
  return { read: { ...ledger, fleet: { ...fleet, hoursSince } }, looked };
}

it('a batch that was never opened is left to a worker with its own service and key, and is not lost to it', {
  tags: ['long'],
}, async () => {
  const { identity, plan, join } = await office();
  await plan(1);
  const other = join(elsewhere);
  await until('it is left', () => kindsOf(other.said).includes('hours-left-to-others'));
  const own = join(identity);
  await until('its own leads it', () => own.led.length > 0);
  await Promise.all([other.leave(), own.leave()]);
  expect([own.led[0], other.led, other.missed]).toEqual(['nov resume', [], []]);
});

it('an hour is gone on with once, whatever woke the worker, and not once its schedule was ended', async () => {
  const { identity, ledger, plan, boss, join } = await office();
  await plan(1, hourOf(ago(1)));
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, { read });
  await until('it is led', () => worker.led.length > 0);
  for (const batch of ['nov', 'nov at its hour']) await boss.send('payrun-wake', { batch }, { singletonKey: batch });
  await looked();
  await worker.leave();
  expect(worker.led).toEqual(['nov resume']);
  expect(await ledger.trail.newestEntry('nov', 'hour')).toMatchObject({ data: { end: 'done' } });
  // Another one, a minute before, which was not gone on with, and is ended.
  await plan(1, hourOf(ago(0)));
  await plan(null);
  const other = watchedLedger(ledger);
  const late = join(identity, { read: other.read });
  await boss.send('payrun-wake', { batch: 'nov' }, { singletonKey: 'nov' });
  await other.looked();
  await late.leave();
  expect([late.led, late.missed]).toEqual([[], []]);
});

for (const [since, tags, why, of] of [
  ['', [], 'unattended', (own: string) => own],
  [', since no worker of its service, key and user was there', ['long'], 'other-service', () => elsewhere],
] as const)
  it(`an hour that nobody went on with in its minutes${since} is over: the trail has it, and people are told`, {
    tags: [...tags],
  }, async () => {
    const { desk, ledger, identity, plan, join } = await office();
    await plan(1, hourOf(ago(8)));
    const [worker, other] = [join(of(identity)), join(of(identity))];
    await until('it is told', () => worker.missed.length + other.missed.length > 0);
    await Promise.all([worker.leave(), other.leave()]);
    expect([...worker.led, ...other.led]).toEqual([]);
    expect([...worker.missed, ...other.missed], 'once, though two were there').toEqual(['nov']);
    expect([...worker.said, ...other.said]).toContainEqual(noted('batch-hour-missed', { batch: 'nov', why }));
    const status = async () => documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));
    expect((await status()).notes).toContainEqual(noted('hour-missed', { why }));
    await ledger.trail.record({
      batch: 'nov',
      row: null,
      what: 'stop',
      data: { code: 'OVER_CAP', facts: { over: [], dayEnds: null } },
    });
    expect((await status()).notes, 'somebody has gone on with it since').not.toContainEqual(noted('hour-missed'));
  });

it('a worker that tells of it counts it, for whoever looks at figures', { tags: ['long'] }, async () => {
  const { desk, plan } = await office();
  await plan(1, hourOf(ago(8)));
  const keyboard = new EventEmitter();
  let told = '';
  keyboard.on('told', (words: string) => (told = words));
  const ended = command(desk, ['worker', '--metrics-port', '0'], keyboard);
  await until('the address of the figures', () => /http:\S+metrics/.test(told));
  const figures = async () => await (await fetch(/http:\S+metrics/.exec(told)![0])).text();
  await expect.poll(figures).toContain('payrun_hours_missed_total 1');
  keyboard.emit('SIGTERM');
  expect((await ended).exit).toBe(0);
});

it('an hour is not told as over while a run holds the ledger, nor where the batch was gone on with since', {
  tags: ['long'],
}, async () => {
  const { desk, ledger, identity, plan, join } = await office();
  await plan(1, hourOf(ago(8)));
  const { read, looked } = watchedLedger(ledger);
  // It may still read what was paid, and opens the batch then.
  const run = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => run.close());
  await run.hold();
  const worker = join(identity, { read });
  await looked();
  await run.trail.record({ batch: 'nov', row: null, what: 'opened', data: {} });
  await run.close();
  await looked();
  await worker.leave();
  expect([worker.led, worker.missed, worker.said]).toEqual([[], [], []]);
});

it('an hour of a batch of which no row is left to send is not told as over', { tags: ['long'] }, async () => {
  const { ledger, identity, plan, join } = await office(allPending);
  await plan(1, hourOf(ago(8)));
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, { read });
  await looked();
  await worker.leave();
  expect([worker.missed, worker.said]).toEqual([[], []]);
});

it('an hour at which a worker was there is gone on with, however long it led others before, and by whom', {
  tags: ['long'],
}, async () => {
  const { ledger, identity, desk, plan, join } = await office();
  await plan(1, hourOf(ago(30)));
  // It joined before the hour, and has lost its connection since.
  const { read, looked } = watchedLedger(ledger);
  const first = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => first.close());
  await first.hold();
  const worker = join(identity, { joinedAt: ago(60), read });
  await looked();
  expect([worker.led, worker.missed], 'while another run holds the ledger').toEqual([[], []]);
  await first.close();
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  expect([worker.led, worker.missed]).toEqual([['nov resume'], []]);
});

it('a worker of another service leaves an hour to one that was there, and is at another batch', {
  tags: ['long'],
}, async () => {
  const { desk, ledger, identity, plan, join } = await office();
  await plan(1, hourOf(ago(8)));
  const busy = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => busy.close());
  await busy.fleet!.attend(identity, ago(60));
  const { read, looked } = watchedLedger(ledger);
  const other = join(elsewhere, { read });
  await looked();
  // One of its own that joins late goes on with what the busy one was there for.
  const own = join(identity, { read });
  await until('it is led', () => own.led.length > 0);
  await Promise.all([other.leave(), own.leave()]);
  expect([other.missed, own.missed, own.led]).toEqual([[], [], ['nov resume']]);
});

it('who attends is known, and since when, whoever asks, and as long as the connection lives', {
  tags: ['long'],
}, async () => {
  const { desk, ledger, identity } = await office();
  const { fleet } = ledger;
  const seen = async (by?: number) => await fleet!.isAttended(identity, by);
  expect(await seen()).toBe(false);
  const worker = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  await worker.fleet!.attend(identity, ago(30));
  const at = async () => [await seen(), await seen(ago(29)), await seen(ago(31)), await fleet!.isAttended(elsewhere)];
  expect(await at()).toEqual([true, true, false, false]);
  // It slept, and is there anew.
  await worker.fleet!.attend(identity, ago(10));
  expect([await seen(ago(9)), await seen(ago(29))]).toEqual([true, false]);
  await worker.close();
  await expect.poll(async () => await seen()).toBe(false);
  const before = Date.now();
  const now = await fleet!.now();
  expect([now > before - 60_000, now < Date.now() + 60_000]).toEqual([true, true]);
});

it('an hour over which a worker slept, or had no database, is told', { tags: ['long'] }, async () => {
  const { identity, plan, join } = await office();
  await plan(1, hourOf(ago(30)));
  const worker = join(identity, { joinedAt: ago(60), lookedAt: ago(31) });
  await until('it is told', () => worker.missed.length > 0);
  await worker.leave();
  expect(worker.led).toEqual([]);
});

it('an hour whose worker dies before it opened the batch comes to another one, within seconds', {
  tags: ['long'],
}, async () => {
  const { identity, plan, boss, join } = await office();
  await plan(1, hourOf(ago(2)));
  // A worker has it, and dies.
  await boss.send('payrun-wake', { batch: 'nov' }, { singletonKey: 'nov' });
  expect(await boss.fetch('payrun-wake')).toMatchObject([{ data: { batch: 'nov' } }]);
  const worker = join(identity);
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  expect(worker.led).toEqual(['nov resume']);
});

it('an hour whose worker died once it had opened the batch, which then stopped for a person, does not come again', {
  tags: ['long'],
}, async () => {
  const at = await office(inDoubt);
  const { ledger, identity, plan, join } = at;
  await plan(1, hourOf(ago(2)));
  await openedAndStopped(at);
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, { read });
  await looked();
  await worker.leave();
  expect(worker.led).not.toContain('nov resume');
});

it.each([
  ['rows of it are in doubt', true],
  ['its last result is not written', false],
])(
  'an hour whose worker is drained before it opened the batch comes to the next one, also where %s',
  { tags: ['long'] },
  async (_, isWritten) => {
    const at = await office(inDoubt);
    const { identity, plan, join } = at;
    await openedAndStopped(at, isWritten);
    // It is the next full minute, and stays so.
    const next = Math.ceil((Date.now() + 1) / 60_000) * 60_000;
    at.ledger.fleet!.now = async () => next + 1000;
    await plan(next - 60_000);
    const worker = join(identity, { lead: async () => 'signal' });
    await until('it is led', () => worker.led.includes('nov resume'));
    await worker.leave();
    const other = join(identity);
    await until('it is led by another one', () => other.led.includes('nov resume'));
    await other.leave();
  },
);

it('an hour whose worker is drained once it opened the batch, which stopped for a person, does not come again', {
  tags: ['long'],
}, async () => {
  const at = await office(inDoubt);
  const { ledger, identity, plan, join } = at;
  await plan(1, hourOf(ago(2)));
  const worker = join(identity, {
    lead: async () => {
      await openedAndStopped(at);
      return 'signal';
    },
  });
  await until('it is led', () => worker.led.includes('nov resume'));
  await worker.leave();
  const { read, looked } = watchedLedger(ledger);
  const other = join(identity, { read });
  await looked();
  await other.leave();
  expect(other.led).not.toContain('nov resume');
});

it('an hour whose worker is drained among the first payments, before it opened the batch, comes to the next one', {
  tags: ['long'],
}, async () => {
  const { ledger, identity, plan, join } = await office();
  await plan(1, hourOf(ago(2)));
  const lead = async (): Promise<End> => {
    await ledger.trail.record({
      batch: 'nov',
      row: null,
      what: 'run',
      data: { sent: 1, stopped: null, until: Date.now() },
    });
    return 'signal';
  };
  const worker = join(identity, { lead });
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  const other = join(identity);
  await until('it is led by another one', () => other.led.length > 0);
  await other.leave();
});

it('a window that opens at the very hour is found open by the clock of the machine that pays', {
  tags: ['long'],
}, async () => {
  const { ledger, identity, plan, join } = await office();
  const hour = Math.floor(ago(1) / 60_000) * 60_000;
  await plan(1, hourOf(hour));
  // It is behind the database's.
  let behind = 3_600_000;
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, {
    read,
    clock: { ...systemClock, now: () => Date.now() - behind },
    lead: async () => {
      const data = { code: 'OUTSIDE_PAY_WINDOW', facts: { windows: [], until: hour } } as const;
      if (worker.led.length === 1) await ledger.trail.record({ batch: 'nov', row: null, what: 'stop', data });
      return 'later';
    },
  });
  await until('it is led', () => worker.led.length === 1);
  await looked();
  expect(worker.led).toHaveLength(1);
  behind = 0;
  await until('it is led again', () => worker.led.length === 2);
  await looked();
  await worker.leave();
  expect([worker.led.length, worker.missed]).toEqual([2, []]);
});

it('a run that found the window shut before an hour does not use that up', { tags: ['long'] }, async () => {
  const { ledger, identity, plan, join } = await office();
  await plan(1, hourOf(ago(1)));
  const data = { code: 'OUTSIDE_PAY_WINDOW', facts: { windows: [], until: ago(1) } } as const;
  await ledger.trail.record({ batch: 'nov', row: null, what: 'stop', data });
  const worker = join(identity);
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  expect(worker.led[0]).toBe('nov resume');
});

it('a run that found the window shut does not bring an hour forward', { tags: ['long'] }, async () => {
  const { ledger, identity, plan, join } = await office();
  await plan(1, hourOf(Date.now() + 3_600_000));
  await ledger.trail.record({
    batch: 'nov',
    row: null,
    what: 'hour',
    data: { hour: new Date().toISOString(), end: 'done' },
  });
  const data = { code: 'OUTSIDE_PAY_WINDOW', facts: { windows: [], until: ago(1) } } as const;
  await ledger.trail.record({ batch: 'nov', row: null, what: 'stop', data });
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, { read });
  await looked();
  await worker.leave();
  expect([worker.led, worker.missed]).toEqual([[], []]);
});

it('a batch that found its window shut at its hour, and was never opened, is gone on with as it opens', {
  tags: ['long'],
}, async () => {
  const { ledger, identity, plan, join } = await office();
  await plan(1, hourOf(ago(3)));
  const opens = Date.now() + 3_600_000;
  // Of the database, and of the machine that pays.
  let ahead = 0;
  const now = () => Date.now() + ahead;
  ledger.fleet!.now = async () => now();
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, {
    read,
    clock: { ...systemClock, now },
    lead: async () => {
      const data = { code: 'OUTSIDE_PAY_WINDOW', facts: { windows: [], until: opens } } as const;
      if (worker.led.length === 1) await ledger.trail.record({ batch: 'nov', row: null, what: 'stop', data });
      return 'later';
    },
  });
  await until('it is led', () => worker.led.length === 1);
  await looked();
  expect(worker.led).toHaveLength(1);
  ahead = 3_600_000;
  await until('it is led again', () => worker.led.length === 2);
  await looked();
  await worker.leave();
  expect([worker.led, worker.missed]).toEqual([['nov resume', 'nov resume'], []]);
});

it('an hour that passes in a pause is told to people, and in the trail', async () => {
  const { desk, service, ledger, identity, plan, join } = await office();
  service.fault = () => undefined;
  await plan(1, hourOf(ago(1)));
  await command(desk, ['pause', '--reason', 'The bank is away.']);
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, { read, lead: async () => 'later', code: 'PAUSED' });
  await until('it is told', () => worker.missed.length > 0);
  await command(desk, ['pause', '--end']);
  await looked();
  await worker.leave();
  expect([worker.led, worker.missed]).toEqual([['nov resume'], ['nov']]);
  const { notes } = documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));
  expect(notes).toContainEqual(noted('hour-missed', { why: 'paused' }));
});

it('a cron that means another hour each time is refused', { tags: ['long'] }, async () => {
  const { desk, ledger } = await office();
  for (const hours of ['H 6 25 * *', '0 h 25 * *', '0 6 H(1-9) * *', '0,H/5 6 * * *'])
    await expect(
      scheduleBatch({ ledger }, { batch: 'nov', when: { cron: hours, zone } }, { driver: 'terminal', name: null }),
    ).rejects.toMatchObject({
      refusal: { code: 'SCHEDULE_UNUSABLE', facts: { cron: hours, why: { fault: 'cron-has-other-fields' } } },
    });
  expect(await ledger.trail.newestEntry('nov', 'scheduled'), 'none was recorded').toBeNull();
  expect((await command(desk, ['schedule', 'nov', '--cron', '0 6 * * THU'])).exit).toBe(0);
});

it.each([
  ['which the clock has', 'Europe/Berlin', '30 3 * * *', '2027-03-28T01:30:00Z'],
  ['which the clock leaps over as summer begins', 'Europe/Berlin', '30 2 * * *', '2027-03-28T01:30:00Z'],
  ['at the midnight that the clock leaps over', 'Africa/Cairo', '0 0 * * *', '2027-04-29T22:00:00Z'],
  ['of a clock that is set by half an hour', 'Australia/Lord_Howe', '0 6 * * *', '2027-04-03T19:30:00Z'],
])('an hour %s comes as it is shown', async (_, where, hours, comes) => {
  const boss = new PgBoss('postgres://nobody@127.0.0.1:1/none');
  const at = Date.parse(comes);
  const asked = { cron: hours, zone: where };
  expect(nextHour(boss, asked, at - 6 * 3_600_000)).toBe(at);
  for (const late of [0, 1000, 4 * 3_600_000]) expect(lastHour(boss, { ...asked, since: 1 }, at + late)).toBe(at);
  expect(lastHour(boss, { ...asked, since: at + 1 }, at + 3_600_000)).toBeNull();
  expect(lastHour(boss, { ...asked, since: at }, at + 3_600_000)).toBe(at);
});

it('an hour that comes twice as summer ends comes once', () => {
  const boss = new PgBoss('postgres://nobody@127.0.0.1:1/none');
  const one = { cron: '30 2 * * *', zone: 'Europe/Berlin', since: 1 };
  const at = Date.parse('2026-10-25T00:30:00Z');
  for (const minutes of [0, 29, 31, 61, 240]) expect(lastHour(boss, one, at + minutes * 60_000)).toBe(at);
});

it('a schedule that this machine cannot keep keeps no other from its hours', { tags: ['long'] }, async () => {
  const { desk, ledger, identity, plan, join } = await office();
  expect((await command(desk, ['schedule', 'nov', '--cron', cron, '--zone', ''])).exit).toBe(2);
  // As a machine gave it that knows the zone.
  const data = { cron, zone: 'Mars/Olympus', since: 1 };
  await ledger.trail.record({ batch: 'dec', row: null, what: 'scheduled', data });
  await plan(1, hourOf(ago(1)));
  const worker = join(identity);
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  expect(worker.led[0]).toBe('nov resume');
});

it('a schedule of a ledger that was dropped is none of the one in its place', { tags: ['long'] }, async () => {
  const { desk, ledger, identity, engine, sql, boss, join } = await office();
  await command(desk, ['schedule', 'nov', '--cron', cron, '--zone', zone]);
  await ledger.close();
  await sql(`DROP SCHEMA ${engine.schema.replace(/_boss$/, '')} CASCADE`);
  const run = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  expect(run.exit, run.out).toBe(25);
  expect(JSON.parse((await command(desk, ['schedule', '--list', '--json'])).out)).toEqual({ schedules: [] });
  const anew = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => anew.close());
  const { read, looked } = watchedLedger(anew);
  const worker = join(identity, { read, joinedAt: ago(60) });
  await boss.send('payrun-wake', { batch: 'nov' }, { singletonKey: 'nov' });
  await looked();
  await worker.leave();
  expect(worker.led).toEqual([]);
});

it('a batch continues at its hour although the tables of pg-boss are lost while a worker runs', {
  tags: ['long'],
}, async () => {
  const { ledger, identity, sql, plan, join } = await office();
  const { read, looked } = watchedLedger(ledger);
  const worker = join(identity, { read, joinedAt: ago(60) });
  await looked();
  await sql('DROP SCHEMA BOSS CASCADE');
  await plan(1, hourOf(ago(1)));
  await until('it is led', () => worker.led.length > 0);
  await worker.leave();
  expect(worker.led[0]).toBe('nov resume');
  const lines = worker.said.map((note) => JSON.stringify(note));
  expect(lines, 'each fault is reported once').toEqual([...new Set(lines)]);
});

it('a schedule is shown, ended and not found again, without the tables of pg-boss', { tags: ['long'] }, async () => {
  const { desk, sql } = await office();
  const at = async (...words: string[]) => (await command(desk, ['schedule', ...words])).out;
  await sql('DROP SCHEMA BOSS CASCADE');
  await at('nov', '--cron', '0 6 25 * *');
  expect(await at('--list')).toContain('0 6 25 * *');
  for (const was of ['no longer scheduled', 'was not scheduled']) {
    expect(await at('nov', '--end')).toContain(was);
    expect(JSON.parse(await at('--list', '--json'))).toEqual({ schedules: [] });
  }
});

it('schedule tells where no worker would come to the hour, since those that are there lead nothing, or no such batch', {
  tags: ['long'],
}, async () => {
  const { desk, ledger, identity, join } = await office();
  const said = async (...words: string[]) => (await command(desk, ['schedule', ...words])).err;
  expect(await said('nov', '--cron', '0 6 25 * *')).toMatch(/^No worker is [^(]*\n$/);
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
    expect(await said(...words)).toMatch(/^No worker .*\bnov \(/);
  await comes(identity);
  for (const words of [['nov', '--cron', '0 6 25 * *'], ['--list']]) expect(await said(...words)).toBe('');
});

it('a batch that a person stopped, and that is paused, lets its hours pass', { tags: ['long'] }, async () => {
  const { ledger, identity, plan, join } = await office();
  await plan(1);
  await ledger.trail.record({
    batch: 'nov',
    row: null,
    what: 'stop',
    data: { code: 'STOPPED', facts: { signal: null, hasEnded: true } },
  });
  await ledger.holds.pause('nov', 'Ada', 'A word.');
  const next = Math.ceil((Date.now() + 1) / 60_000) * 60_000;
  ledger.fleet!.now = async () => next + 1000;
  const worker = join(identity);
  await until('it is told', () => kindsOf(worker.said).includes('hours-pass'));
  expect(worker.said).toContainEqual(noted('hours-pass', { batch: 'nov' }));
  await worker.leave();
  expect(worker.led).toEqual([]);
});
