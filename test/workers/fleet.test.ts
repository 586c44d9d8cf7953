import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { readBooks, startService } from '../../src/service/service.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import { command, type Desk, deskFor, documentOf, kenyanRows, newFolder, start, until } from '../support.ts';

const rows = kenyanRows(120);

interface Office {
  readonly desk: Desk;
  /** What stands at the service, by tag. */
  tags(): Promise<Map<string, number>>;
  sent(): number;
  /** A person looks at the batch's doubts once their horizon has passed, and releases what is proven absent. */
  release(batch: string): Promise<void>;
  /** Asked past the product. */
  ask<T>(text: string): Promise<T[]>;
  worker(...more: string[]): ReturnType<typeof start>;
}

async function newOffice(): Promise<Office> {
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
    faults: [...faults],
    tokensPerMinute: 0,
    railLimits: null,
    clock,
  });
  atEnd(() => service.close());
  const { apiKey, apiSecret } = await service.tenants.add('fleet');
  const place = await newPlace('Postgres');
  const desk: Desk = Object.assign(
    deskFor(null, rows, {
      PAYRUN_LEDGER: place,
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: apiKey,
      PAYRUN_API_SECRET: apiSecret,
      // A lease lasts ten seconds longer.
      PAYRUN_HTTP_TIMEOUT: '8s',
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
  const ask: Office['ask'] = async (text) => (await client.query(text)).rows;
  return {
    desk,
    async release(batch) {
      ahead += 120_000;
      await command(desk, ['reconcile', batch]);
      await command(desk, ['resolve', batch, '--release-absent', '--reason', 'not there after twice the horizon']);
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

const slow = { route: 'POST /payments', action: { kind: 'delay', at: 'before', ms: 40 } } as const;
const often = (probability: number, seed: string) => ({ route: 'POST /payments', probability, seed });
const faults = [
  slow,
  { ...often(0.02, 'a'), action: { kind: 'drop', at: 'after' } },
  { ...often(0.01, 'b'), action: { kind: 'drop', at: 'before' } },
  { ...often(0.01, 'c'), action: { kind: 'answer', at: 'before', status: 500 } },
] as const;

describe('workers on one batch', () => {
  it('die, freeze and are cut off, its leader too: no row is paid twice or lost', async () => {
    const { desk, sent, tags, ask, worker, release } = await newOffice();
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
});
