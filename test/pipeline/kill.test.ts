/** A real process dies by `kill -9`, between intent and answer and at any other moment: the service never holds two payments for a row. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { genesis, link } from '../../src/audit/chain.ts';
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
  expectNoTwins,
  expectOnePaymentEach,
  kenyanRows,
  newService,
  pay,
  resultOf,
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

async function expectWholeTrail({ ledger: path }: Desk): Promise<number> {
  const ledger = openLedger(path, systemClock);
  try {
    let head = genesis;
    let entries = 0;
    for (const { seq, text, hash } of ledger.trail.eachTrail()) {
      entries += 1;
      head = link(head, text);
      expect([seq, hash], 'each entry follows from the one before').toEqual([entries, head]);
    }
    expect(await ledger.trail.head()).toEqual({ seq: entries, hash: head });
    return entries;
  } finally {
    await ledger.close();
  }
}

const rows = kenyanRows(5);
const posts = (service: Independent) => service.calls.get('POST /payments') ?? 0;

describe.concurrent('killed between intent and answer', () => {
  it('the payment exists: the next run adopts it and sends the others', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth >= 2 ? { kind: 'hold', after: true, until: never } : undefined;
    const desk = deskFor(service, rows);
    await killWhen(
      desk,
      'three payments were made, two unanswered',
      () => service.payments.length === 3,
      '--concurrency',
      '2',
    );
    service.fault = () => undefined;
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.sent, document.rows.paid]).toEqual([0, 2, 5]);
    expectOnePaymentEach(service, rows);
    await expectWholeTrail(desk);
  });

  it('the payment does not exist: the row stays in doubt, the others are paid, exit 22, as often as one asks', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 3 ? { kind: 'hold', until: never } : undefined;
    const desk = deskFor(service, rows);
    await killWhen(desk, 'the third payment waits', () => posts(service) === 3, '--concurrency', '1');
    for (const sent of [2, 0, 0]) {
      const { exit, document } = await pay(desk, '--wait', '20s');
      expect([exit, document.sent, document.rows]).toMatchObject([22, sent, { in_doubt: 1, paid: 4 }]);
      expect(resultOf(document.result)[2]).toMatchObject({
        payrun_status: 'in doubt',
        payrun_reason: expect.stringMatching(/.+/),
      });
    }
    expect(posts(service), 'no second payment was ever asked for').toBe(5);
    await expectWholeTrail(desk);
  });

  it('the payment is made long after the death: a later run finds it', async () => {
    const service = await newService();
    let open = () => {};
    const opened = new Promise<void>((done) => (open = done));
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth === 3 ? { kind: 'hold', until: opened } : undefined;
    const desk = deskFor(service, rows);
    await killWhen(desk, 'the third payment waits', () => posts(service) === 3, '--concurrency', '1');
    const early = await pay(desk, '--wait', '20s');
    expect([early.exit, early.document.rows]).toMatchObject([22, { in_doubt: 1, paid: 4 }]);
    open();
    await until('the late payment is there', () => service.payments.length === 5);
    const late = await pay(desk, '--wait', '20s');
    expect([late.exit, late.document.sent, late.document.rows.paid]).toEqual([0, 0, 5]);
    expectOnePaymentEach(service, rows);
  });

  it('on the first payment of all, before its tag was seen', async () => {
    const service = await newService();
    service.fault = ({ route }) => (route === 'GET /payments/:id' ? { kind: 'hold', until: never } : undefined);
    const desk = deskFor(service, rows);
    await killWhen(desk, 'the tag is asked for', () => (service.calls.get('GET /payments/:id') ?? 0) > 0);
    service.fault = () => undefined;
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.sent, document.rows.paid]).toEqual([0, 4, 5]);
    expectOnePaymentEach(service, rows);
  });

  it('while a payee is being made: it is not made twice', async () => {
    const service = await newService();
    service.fault = ({ route }) =>
      route === 'POST /merchants' ? { kind: 'hold', after: true, until: never } : undefined;
    const desk = deskFor(service, rows);
    await killWhen(desk, 'payees are under way', () => service.merchants.size > 2);
    service.fault = () => undefined;
    const { exit } = await pay(desk, '--wait', '20s');
    expect([exit, service.merchants.size]).toEqual([0, 5]);
    expectOnePaymentEach(service, rows);
  });
});

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
  /** Changes with every word that is written into the ledger. */
  function written({ ledger }: Desk): string {
    const stats = statSync(`${ledger}-wal`, { throwIfNoEntry: false });
    return `${stats?.size} ${stats?.mtimeMs}`;
  }

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

  it('ten times in a batch of sixty, at any moment', async () => {
    const service = await newService();
    const chance = chanceOf(seed);
    const many = kenyanRows(60);
    const desk = deskFor(service, many);
    let kills = 0;
    while (kills < 10 && service.payments.length < 55) {
      // With one of its calls, before that is carried out, after it, or once it is answered; or with its first word in the ledger.
      const how = chance.one(['before', 'after', 'answered', 'ledger']);
      const ledger = written(desk);
      let calls = how === 'ledger' ? 0 : 1 + chance.below(12);
      let dies = false;
      service.fault = () => {
        calls -= 1;
        if (calls !== 0) return undefined;
        dies = true;
        return how === 'answered' ? undefined : { kind: 'hold', after: how === 'after', until: never };
      };
      const holds = () => dies || (how === 'ledger' && written(desk) !== ledger);
      await killWhen(desk, `death ${kills + 1} of seed ${seed}: ${how}`, holds, '--concurrency', '4');
      kills += 1;
      expectNoTwins(service);
    }
    service.fault = () => undefined;
    expect(kills).toBeGreaterThan(6);
    const { exit, document } = await pay(desk, '--wait', '30s');
    expectNoTwins(service);
    // A death between the intent and the first byte leaves a row that no search can find: shown, not paid.
    const lost = resultOf(document.result).filter(({ payrun_status }) => payrun_status === 'in doubt');
    expect(document.rows).toMatchObject({
      total: 60,
      paid: 60 - lost.length,
      in_doubt: lost.length,
      held: 0,
      paid_twice: 0,
    });
    expect(exit).toBe(lost.length === 0 ? 0 : 22);
    expect(service.payments).toHaveLength(60 - lost.length);
    const references = new Set(service.payments.map(({ reference }) => reference));
    expect(
      lost.every(({ reference = '' }) => !references.has(reference)),
      'only what the service never saw is in doubt',
    ).toBe(true);
    expectOnePaymentEach(
      service,
      many.filter(({ reference = '' }) => references.has(reference)),
    );
    expect(lost.length, 'most deaths fall where the answer can be found').toBeLessThan(30);
    expect(await expectWholeTrail(desk)).toBeGreaterThan(180);
  });

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
    await expectWholeTrail(desk);
  });
});
