/** What a worker does at the hours of a schedule: a job of the engine decides nothing by itself. */
import { PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { driverAddress, type Ledger, openLedger, readPostgres } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { listenForWork, schedule } from '../../src/workers/waking.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import { deskFor, kenyanRows, newService, start, until } from '../support.ts';

const cron = '* * * * *';
const zone = 'UTC';

interface Office {
  readonly ledger: Ledger;
  readonly identity: string;
  readonly boss: PgBoss;
  /** From `since` on. */
  plan(since: number | null): Promise<void>;
  /** Its hour of a schedule that was given at `since` comes now. */
  come(since: number): Promise<void>;
  /** A worker with this identity, by this clock. */
  join(identity: string, clock?: Clock): { readonly led: readonly string[]; said(): string; leave(): Promise<void> };
}

/** A batch of which nothing was ever sent, and whose run was not opened. */
async function office(): Promise<Office> {
  const service = await newService();
  const place = await newPlace('Postgres');
  const desk = deskFor(service, kenyanRows(3), { PAYRUN_LEDGER: place });
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
  await start(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']).ended;
  const ledger = openLedger(place, systemClock);
  atEnd(() => ledger.close());
  const engine = { address: driverAddress(place, null), schema: `${readPostgres(place).schema}_boss` };
  const say = () => {};
  const data = (since: number) => ({ batch: 'nov', scheduled: true, cron, zone, since });
  const plan = async (since: number | null) =>
    void (await schedule({ ...engine, say }, 'nov', since === null ? null : { cron, zone, since }, async () => {}));
  await plan(0);
  const boss = new PgBoss({
    connectionString: engine.address,
    schema: engine.schema,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  atEnd(() => boss.stop({ graceful: false }));
  return {
    ledger,
    identity: (await ledger.batch('nov'))!.identity,
    boss,
    plan,
    come: async (since) => void (await boss.send('payrun-wake', data(since), { retryLimit: 60, retryDelay: 1 })),
    join(identity, clock = systemClock) {
      const led: string[] = [];
      let words = '';
      const stop = new AbortController();
      const listening = listenForWork({
        ...engine,
        deps: { ledger, clock, again: '', service: { identity } } as Deps,
        clock,
        stop: stop.signal,
        sweepMs: 100,
        say: (sentence) => (words += `${sentence}\n`),
        lead: async (batch, deed) => {
          led.push(`${batch} ${deed}`);
          return 0;
        },
      });
      const leave = async () => {
        stop.abort();
        await listening;
      };
      atEnd(leave);
      return { led, said: () => words, leave };
    },
  };
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

it('an hour whose schedule was ended, or given anew, goes on with nothing', async () => {
  const { identity, plan, come, join, boss } = await office();
  await plan(2);
  await come(1);
  await come(2);
  const worker = join(identity);
  await until('that which stands is led', () => worker.led.length > 0);
  await plan(null);
  await come(2);
  let left = 1;
  await until('no job is left', () => {
    void boss.findJobs('payrun-wake').then((jobs) => {
      left = jobs.filter(({ state }) => state !== 'completed').length;
    });
    return left === 0;
  });
  await worker.leave();
  expect(worker.led).toEqual(['nov resume']);
});

it('an hour that nobody went on with in its minutes is over, and a worker says so', async () => {
  const { identity, plan, come, join } = await office();
  await plan(1);
  await come(1);
  const worker = join(identity, { ...systemClock, now: () => Date.now() + 600_000 });
  await until('it is told', () => worker.said().includes('is over, and nobody went on with it then'));
  await worker.leave();
  expect(worker.led).toEqual([]);
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
