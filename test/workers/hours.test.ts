import { PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { nextHour, scheduleBatch, takeHours } from '../../src/app/schedule-batch.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Note } from '../../src/domain/note.ts';
import { driverAddress, type Ledger, openLedger, readPostgres } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { listenForWork } from '../../src/workers/waking.ts';
import { atEnd } from '../endings.ts';
import { identity, take } from '../ledger/claims.ts';
import { newPlace } from '../ledger/stores.ts';
import { noted, until } from '../support.ts';

const hourMs = 3_600_000;
const ada = { driver: 'terminal', name: 'Ada' } as const;
const everyHour = { cron: '0 * * * *', zone: 'UTC', expires: 4 * hourMs };
const boss = new PgBoss('postgres://nobody@127.0.0.1:1/none');
const midnight = Date.parse('2027-03-28T00:00:00Z');

const clockAt = (at: number): Clock => ({ ...systemClock, now: () => at });

/** A batch of two rows that waits for a time after all tests. */
async function newBatch(): Promise<Ledger> {
  const ledger = openLedger(await newPlace('Postgres'), systemClock);
  atEnd(() => ledger.close());
  await take(ledger, 'nov', 2);
  await ledger.leads.finish('nov', { at: Number.MAX_SAFE_INTEGER, why: null }, null);
  return ledger;
}

const schedule = async (ledger: Ledger, when: Parameters<typeof scheduleBatch>[1]['when'], at = midnight) =>
  await scheduleBatch({ ledger, clock: clockAt(at) }, { batch: 'nov', when }, ada);

it.each([
  ['before it', hourMs - 1, []],
  ['at it', hourMs, ['begun']],
  ['late', 5 * hourMs, ['begun']],
  ['too late', 5 * hourMs + 1, ['expired']],
])('an hour is used up once, %s', async (_, after, ends) => {
  const ledger = await newBatch();
  await schedule(ledger, everyHour);
  const deps = { ledger, service: { identity }, clock: clockAt(midnight + after) };
  const taken = await takeHours(deps, boss);
  expect(taken.map(({ end }) => end)).toEqual(ends);
  expect(await takeHours(deps, boss)).toEqual([]);
  const next = midnight + (Math.floor(after / hourMs) + 1) * hourMs;
  expect(ledger.leads.schedules()).toMatchObject([{ next }]);
});

it('a machine that does not know the time zone leaves the hour to another worker', async () => {
  const ledger = await newBatch();
  await ledger.leads.schedule('nov', { ...everyHour, zone: 'Mars/Olympus', next: midnight }, 'Ada');
  const deps = { ledger, service: { identity }, clock: clockAt(midnight) };
  expect(await takeHours(deps, boss)).toEqual([]);
  expect(ledger.leads.schedules()).toMatchObject([{ next: midnight }]);
});

it('a cron that means another hour each time, or none, is refused', async () => {
  const ledger = await newBatch();
  for (const cron of ['H 6 25 * *', '0 h 25 * *', '0 6 H(1-9) * *', '0,H/5 6 * * *'])
    await expect(schedule(ledger, { ...everyHour, cron })).rejects.toMatchObject({
      refusal: { code: 'SCHEDULE_UNUSABLE', facts: { cron, why: { fault: 'cron-has-other-fields' } } },
    });
  for (const [cron, zone, why] of [
    ['99 * * * *', 'UTC', { fault: 'cron-field-is-invalid', field: 'minute', value: '99' }],
    ['0 6 30 2 *', 'UTC', { fault: 'cron-never-comes' }],
    ['0 6 25 * *', 'Afrika', { fault: 'zone-is-unknown', zone: 'Afrika' }],
  ] as const)
    await expect(schedule(ledger, { ...everyHour, cron, zone })).rejects.toMatchObject({
      refusal: { code: 'SCHEDULE_UNUSABLE', facts: { cron, zone, why } },
    });
  await expect(schedule(ledger, { ...everyHour, zone: '' })).rejects.toMatchObject({ code: 'SCHEDULE_UNUSABLE' });
  expect(ledger.leads.schedules()).toEqual([]);
  expect(await schedule(ledger, { ...everyHour, cron: '0 6 * * THU' })).toMatchObject({ wasScheduled: false });
  expect(await schedule(ledger, null)).toMatchObject({ wasScheduled: true });
});

it.each([
  ['that the clock has', 'Europe/Berlin', '30 3 * * *', '2027-03-28T01:30:00Z'],
  ['that the clock leaps over as summer begins', 'Europe/Berlin', '30 2 * * *', '2027-03-28T01:30:00Z'],
  ['at the midnight that the clock leaps over', 'Africa/Cairo', '0 0 * * *', '2027-04-29T22:00:00Z'],
  ['of a clock that is set by half an hour', 'Australia/Lord_Howe', '0 6 * * *', '2027-04-03T19:30:00Z'],
])('an hour %s comes as it is shown', (_, zone, cron, comes) => {
  const at = Date.parse(comes);
  expect(nextHour(boss, { cron, zone }, at - 6 * hourMs)).toBe(at);
});

interface Joined {
  readonly led: readonly string[];
  readonly missed: readonly string[];
  readonly said: readonly Note[];
  leave(): Promise<void>;
}

function join(ledger: Ledger, at: number): Joined {
  const [led, missed, said]: [string[], string[], Note[]] = [[], [], []];
  const stop = new AbortController();
  const address = driverAddress(ledger.at.place, null);
  const schema = `${readPostgres(ledger.at.place).schema}_boss`;
  const listening = listenForWork({
    address,
    schema,
    clock: systemClock,
    stop: stop.signal,
    sweepMs: 50,
    deps: { ledger, clock: clockAt(at), service: { identity }, actor: { driver: 'worker', name: null } } as Deps,
    say: (note) => void said.push(note),
    async lead({ batch, task }) {
      led.push(`${batch} ${task}`);
      await ledger.leads.finish(batch, { at: Number.MAX_SAFE_INTEGER, why: null }, null);
      return 'later';
    },
    missed: async (_, batch) => void missed.push(batch),
  });
  const leave = async () => {
    stop.abort();
    await listening;
  };
  atEnd(leave);
  return { led, missed, said, leave };
}

it('one of two workers continues the batch at its hour', async () => {
  const ledger = await newBatch();
  await schedule(ledger, everyHour);
  const workers = [join(ledger, midnight + hourMs), join(ledger, midnight + hourMs)];
  await until('it is led', () => workers.some(({ led }) => led.length > 0));
  for (const { leave } of workers) await leave();
  expect(workers.flatMap(({ led }) => led)).toEqual(['nov resume']);
  expect(workers.flatMap(({ said }) => said)).toEqual([noted('batch-hour', { batch: 'nov', end: 'begun' })]);
});

it.each([
  ['that expired', 'expired', async () => {}],
  ['of a paused batch', 'stopped', async (ledger: Ledger) => void (await ledger.holds.pause('nov', 'Ada', 'ask'))],
] as const)('an hour %s is reported to people', async (_, end, before) => {
  const ledger = await newBatch();
  await schedule(ledger, everyHour);
  await before(ledger);
  const worker = join(ledger, midnight + 9 * hourMs);
  await until('it is reported', () => worker.missed.length > 0);
  await worker.leave();
  expect([worker.led, worker.missed]).toEqual([[], ['nov']]);
  expect(worker.said).toContainEqual(noted('batch-hour', { batch: 'nov', end }));
});
