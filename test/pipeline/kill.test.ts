/** A real process dies by `kill -9`, with the rows that stand ready, or with its embedded service. test/kill has every other moment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { startService } from '../../src/service/service.ts';
import { chanceOf } from '../fuzz/chance.ts';
import type { Independent } from '../independent/service.ts';
import { handClock } from '../protocol/desk.ts';
import { callerOf, everyItem } from '../service/started.ts';
import {
  command,
  type Desk,
  deskFor as deskOf,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  newService,
  pay,
  start,
  until,
} from '../support.ts';

const never = new Promise<never>(() => {});
const seed = Number(process.env.PAYRUN_TEST_SEED ?? 1);

/** A process has the machine's time; the runs of this one, which follow, wait for nothing in earnest. */
const deskFor = (...given: Parameters<typeof deskOf>): Desk => ({ ...deskOf(...given), clock: handClock() });

type TrailLine = [number, string | null, string | null, string, { from?: string; to?: string; rows?: number }];

/** Starts a run, waits for the moment, kills the process without a word, and waits for its end. */
async function killWhen(desk: Desk, moment: string, holds: () => boolean, ...more: string[]): Promise<void> {
  const run = start(desk, ['run', desk.sheet, '--wait', '0', ...more]);
  await until(moment, holds);
  run.child.kill('SIGKILL');
  expect((await run.ended).signal).toBe('SIGKILL');
}

const rows = kenyanRows(5);
const posts = (service: Independent) => service.calls.get('POST /payments') ?? 0;

describe.concurrent('killed while rows stand ready', () => {
  /** How many rows were made ready anew. */
  async function readiedAgain({ ledger: path }: Desk): Promise<number> {
    const ledger = openLedger(path, systemClock);
    try {
      const entries = Array.from(ledger.trail.eachTrail(), ({ text }) => JSON.parse(text) as TrailLine);
      const moves = entries.flatMap(([, , , what, data]) => (what === 'move' ? [data] : []));
      return moves.reduce((sum, { from, to, rows = 1 }) => sum + (from === 'ready' && to === 'planned' ? rows : 0), 0);
    } finally {
      await ledger.close();
    }
  }

  it('the next run sends them as they stand, but for those whose payee is gone from the service', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 2 ? { kind: 'hold', after: true, until: never } : undefined;
    const desk = deskFor(service, rows);
    await killWhen(desk, 'the second payment waits', () => posts(service) === 2, '--concurrency', '1');
    const [gone] = [...service.merchants].find(([, { contactNumber }]) => contactNumber === rows[3]!.contact_number)!;
    service.merchants.delete(gone);
    service.fault = () => undefined;
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.sent, document.rows.paid]).toEqual([0, 3, 5]);
    expectOnePaymentEach(service, rows);
    expect(service.payments.map(({ merchantId }) => merchantId)).not.toContain(gone);
    expect(await readiedAgain(desk)).toBe(1);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });
});

describe.concurrent('killed again and again', () => {
  /** How many rows have left for the service. */
  function tried({ ledger }: Desk): number {
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(ledger, { readOnly: true });
      const [{ count }] = db
        .prepare("SELECT count(*) AS count FROM payout WHERE state NOT IN ('planned', 'ready')")
        .all() as [{ count: number }];
      return count;
    } catch {
      // It is being made.
      return 0;
    } finally {
      db?.close();
    }
  }

  it('with the embedded service in the same process', async () => {
    const many = kenyanRows(40);
    const desk = deskFor(null, many);
    const argv = ['run', desk.sheet, '--sandbox', '--json', '--concurrency', '4'];
    const chance = chanceOf(seed);
    for (let deaths = 0; deaths < 3; deaths += 1) {
      const run = start(desk, [...argv, '--wait', '0']);
      const enough = tried(desk) + 1 + chance.below(8);
      const holds = () => tried(desk) >= enough || run.child.exitCode !== null;
      await until(`death ${deaths + 1} of seed ${seed}: ${enough} rows were tried`, holds);
      run.child.kill('SIGKILL');
      await run.ended;
    }
    const last = await start(desk, [...argv, '--wait', '30s']).ended;
    const document = documentOf(last);
    const data = `${desk.ledger}.sandbox`;
    const service = await startService({ dataDir: data });
    try {
      const keys = JSON.parse(readFileSync(join(data, 'sandbox-credentials.json'), 'utf8'));
      const { body } = await callerOf(service.url)('POST', '/token', keys);
      const payments = await everyItem(callerOf(service.url, body.token), '/payments');
      const references = payments.map(({ reference }) => reference);
      expect(new Set(references).size, 'no reference is paid twice').toBe(references.length);
      expect(references.length + document.rows.in_doubt).toBe(40);
    } finally {
      await service.close();
    }
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });
});
