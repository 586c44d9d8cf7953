/** What takes minutes, hours or days, on a clock that the test holds: nothing here waits in earnest. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Assembled, assemble } from '../../src/cli/assemble.ts';
import { loadSettings } from '../../src/cli/config.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import type { Outcome } from '../../src/pipeline/outcome.ts';
import { type RunOrder, run } from '../../src/pipeline/run.ts';
import type { Independent } from '../independent/service.ts';
import {
  command,
  type Desk,
  deskFor,
  expectOnePaymentEach,
  expectSound,
  kenyanRows,
  newService,
  pay,
  resultOf,
} from '../support.ts';

/** Sleeping moves it at once; `move` is a machine that stood still. */
function handClock(): Clock & { move(ms: number): void; readonly slept: number[] } {
  let offset = 0;
  const slept: number[] = [];
  return {
    ...systemClock,
    slept,
    now: () => Math.floor(Date.now() + offset),
    monotonic: () => performance.now() + offset,
    async sleep(delayMs) {
      slept.push(delayMs);
      offset += delayMs;
      await systemClock.sleep(1);
    },
    move(ms) {
      offset += ms;
    },
  };
}

const orderOf = (desk: Desk, changes: Partial<RunOrder> = {}): RunOrder => ({
  file: desk.sheet,
  batch: 'nov',
  add: false,
  allowMomoPush: false,
  flags: '',
  confirmRepeat: null,
  skipInvalid: false,
  updateNames: false,
  outDir: null,
  format: null,
  sheet: {},
  rules: {
    numberFormat: null,
    accountChecks: 'by-rule',
    documents: 'require',
    btcUnit: null,
    networkProvider: 'MOMO',
    defaults: {},
  },
  documentsFolder: desk.folder,
  ...changes,
});

async function runOn(
  desk: Desk,
  clock: Clock,
  {
    waitMs = 0,
    order = {},
    deps: change = (deps) => deps,
  }: { waitMs?: number; order?: Partial<RunOrder>; deps?: (deps: Deps) => Deps } = {},
): Promise<Outcome> {
  const assembled: Assembled = await assemble({
    settings: loadSettings({ env: desk.env, cwd: desk.folder }, {}),
    env: desk.env,
    sandbox: false,
    fresh: false,
    concurrency: 4,
    waitMs,
    stop: new AbortController().signal,
    progress: () => {},
    say: () => {},
    again: 'payrun run',
    clock,
  });
  try {
    const outcome = await run(change(assembled.deps), orderOf(desk, order));
    expectSound(outcome);
    return outcome;
  } finally {
    await assembled.close();
  }
}

const posts = (service: Independent) => service.calls.get('POST /payments') ?? 0;
const hourMs = 60 * 60 * 1000;

describe('time', () => {
  it.each([
    ['never readable', { readableAfterMs: hourMs }],
    ['readable without a tag', { foldTag: () => '' }],
  ])('the first payment is %s: a minute later the run ends with 25, having sent one row', async (_title, shape) => {
    const service = await newService(shape);
    const clock = handClock();
    const { exit, stopped, rows } = await runOn(deskFor(service, kenyanRows(5)), clock);
    expect([exit, stopped?.code, rows]).toMatchObject([25, 'TAG_LOST', { pending: 1, not_sent: 4 }]);
    expect(posts(service)).toBe(1);
    const waited = clock.slept.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(50_000);
    expect(waited).toBeLessThan(65_000);
  });

  it('a machine that slept between intent and send does not send the old decision', async () => {
    const service = await newService();
    const clock = handClock();
    let naps = 3;
    const rows = kenyanRows(6);
    const sleepy = (deps: Deps): Deps => ({
      ...deps,
      ledger: {
        ...deps.ledger,
        async move(move) {
          await deps.ledger.move(move);
          if (move.to === 'sending' && naps > 0) {
            naps -= 1;
            clock.move(10_000);
          }
        },
      },
    });
    const { rows: counts, sent, result } = await runOn(deskFor(service, rows), clock, { deps: sleepy });
    expect([sent, counts.pending, naps]).toEqual([6, 6, 0]);
    const attempts = resultOf(result).reduce((sum, { payrun_attempts }) => sum + Number(payrun_attempts), 0);
    expect(attempts, 'three intents were abandoned and written anew').toBe(9);
    expect(posts(service), 'and never reached the service').toBe(6);
    expectOnePaymentEach(service, rows);
  });

  it('payments that stay open for two hours cost few calls', async () => {
    const service = await newService({ settleAfterMs: 10 * hourMs });
    const clock = handClock();
    const { exit, rows } = await runOn(deskFor(service, kenyanRows(2)), clock, { waitMs: 2 * hourMs });
    expect([exit, rows.pending]).toEqual([23, 2]);
    expect(service.calls.get('GET /payments/:id')).toBeLessThan(120);
    expect(Math.max(...clock.slept), 'five minutes are the longest pause').toBeLessThanOrEqual(6.25 * 60_000);
  });

  it('a failed look tells nothing of a payment: the next one may', async () => {
    const service = await newService({ settleAfterMs: 10 });
    const clock = handClock();
    const desk = deskFor(service, kenyanRows(2));
    service.fault = ({ route, nth }) =>
      route === 'GET /payments/:id' && nth > 2 && nth < 30 ? { kind: 'answer', status: 503 } : undefined;
    const { exit, rows } = await runOn(desk, clock, { waitMs: hourMs });
    expect([exit, rows.paid]).toEqual([0, 2]);
  });

  it('a finished batch run again within a day is 0, later it is 26: December is never lost silently', async () => {
    const service = await newService();
    const clock = handClock();
    const desk = deskFor(service, kenyanRows(2));
    expect((await runOn(desk, clock, { waitMs: hourMs })).exit).toBe(0);
    clock.move(20 * hourMs);
    expect((await runOn(desk, clock)).exit).toBe(0);
    clock.move(10 * hourMs);
    await expect(runOn(desk, clock)).rejects.toMatchObject({
      code: 'BATCH_CHANGED',
      message: expect.stringContaining('paid'),
    });
    expect(posts(service)).toBe(2);
  });
});

describe('a single row that the service forbids', () => {
  it('is refused and the others are paid, since the caller may still read', async () => {
    const service = await newService();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 3'
        ? { kind: 'answer', status: 403, body: { message: 'not to this payee' } }
        : undefined;
    const { exit, document } = await pay(deskFor(service, kenyanRows(5)), '--wait', '20s');
    expect([exit, document.rows]).toMatchObject([21, { paid: 4, unpaid: 1 }]);
  });
});

describe('a ledger that was changed from outside', () => {
  it('is an alarm, and the changed row is not sent', async () => {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(3));
    service.fault = ({ route }) =>
      route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [] } } : undefined;
    expect((await pay(desk, '--batch', 'nov')).exit).toBe(25);
    service.fault = () => undefined;
    const db = new DatabaseSync(desk.ledger);
    db.exec(`UPDATE payout_content SET content = replace(content, '"amount":100', '"amount":900')`);
    db.close();
    const { exit, out } = await command(desk, ['resume', 'nov', '--json', '--wait', '0']);
    expect([exit, JSON.parse(out).stopped]).toMatchObject([27, { code: 'LEDGER_DAMAGED' }]);
    expect(service.payments.filter(({ reference }) => reference === 'Ref 1')).toEqual([]);
  });
});
