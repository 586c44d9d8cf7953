/** What takes minutes, hours or days, on a clock that the test holds: nothing here waits in earnest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/app/run-batch.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { assemble } from '../../src/cli/compose/assemble.ts';
import { loadSettings } from '../../src/cli/compose/config.ts';
import { dayStart } from '../../src/domain/calendar/johannesburg.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import type { RunOrder } from '../../src/pipeline/order.ts';
import type { Independent } from '../independent/service.ts';
import { plainRules } from '../plain-rules.ts';
import { flatOutcome } from '../protocol/desk.ts';
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
  southAfrican,
} from '../support.ts';

/** Stands still but for what is slept, which moves it at once; `move` is a machine that stood still. */
function handClock(): Clock & { move(ms: number): void; readonly slept: number[] } {
  const start = Date.now();
  let offset = 0;
  const slept: number[] = [];
  return {
    ...systemClock,
    slept,
    now: () => Math.floor(start + offset),
    monotonic: () => offset,
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
  drop: false,
  prompts: 5,
  repeated: {},
  confirmRepeat: null,
  skipInvalid: false,
  updateNames: false,
  outDir: null,
  format: null,
  sheet: {},
  rules: plainRules,
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
): Promise<ReturnType<typeof flatOutcome>> {
  const assembled = await assemble({
    settings: loadSettings({ env: desk.env, cwd: desk.folder }, {}),
    fresh: false,
    concurrency: 4,
    waitMs,
    stop: new AbortController().signal,
    progress: () => {},
    say: () => {},
    actor: { driver: 'terminal', name: null },
    clock,
  });
  try {
    const outcome = await run(change(assembled.deps), orderOf(desk, order));
    expectSound(outcome);
    return flatOutcome(outcome);
  } finally {
    await assembled.close();
  }
}

/** Open from a minute ago until in ten minutes, or shut until in ten. */
function windowAt(clock: Clock, open: boolean, outside: 'wait' | 'stop'): (deps: Deps) => Deps {
  const minute = Math.floor((clock.now() - dayStart(clock.now())) / 60_000);
  const after = (minutes: number) => (minute + minutes + 1440) % 1440;
  const window = { days: 'every', closed: [] } as const;
  const hours = open ? { from: after(-1), until: after(10) || 1440 } : { from: after(10), until: after(30) || 1440 };
  const payWindow = { windows: [{ ...window, ...hours }], outside };
  return (deps) => ({ ...deps, limits: { ...deps.limits, payWindow } });
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
        rows: {
          ...deps.ledger.rows,
          async move(move) {
            await deps.ledger.rows.move(move);
            if (move.to === 'sending' && naps > 0) {
              naps -= 1;
              clock.move(10_000);
            }
          },
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
      code: 'BATCH_PAID',
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
    const { exit, document } = await pay({ ...deskFor(service, kenyanRows(5)), clock: handClock() }, '--wait', '20s');
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

describe('the hours at which is paid', () => {
  it('the pay window closes while a run is sending: what was sent is followed, the rest goes on when it opens', async () => {
    const service = await newService();
    const clock = handClock();
    const desk = deskFor(service, kenyanRows(6));
    let accepted = 0;
    const late = (deps: Deps): Deps => ({
      ...windowAt(clock, true, 'stop')(deps),
      ledger: {
        ...deps.ledger,
        rows: {
          ...deps.ledger.rows,
          async move(move) {
            await deps.ledger.rows.move(move);
            if (move.to !== 'accepted') return;
            accepted += 1;
            if (accepted === 2) clock.move(20 * 60_000);
          },
        },
      },
    });
    const { exit, stopped, rows, next } = await runOn(desk, clock, { waitMs: hourMs, deps: late });
    expect([exit, stopped?.code]).toEqual([23, 'OUTSIDE_PAY_WINDOW']);
    expect(rows.paid).toBe(posts(service));
    expect(rows.not_sent).toBeGreaterThanOrEqual(1);
    expect(rows).toMatchObject({ paid: 6 - rows.not_sent, pending: 0, in_doubt: 0 });
    const [step] = next;
    expect(step).toMatchObject({ action: 'resume', batch: 'nov' });
    expect(step!.notBefore! - clock.now()).toBeGreaterThan(23 * hourMs);
    clock.move(24 * hourMs - 20 * 60_000);
    const rest = await runOn(desk, clock, { waitMs: hourMs, deps: windowAt(clock, true, 'stop') });
    expect([rest.exit, rest.rows.paid]).toEqual([0, 6]);
    expectOnePaymentEach(service, kenyanRows(6));
  });

  it.each([
    ['stop', 23, 0],
    ['wait', 23, 6],
  ] as const)('before the pay window a run may %s', async (outside, exit, sent) => {
    const service = await newService();
    const clock = handClock();
    const desk = deskFor(service, kenyanRows(6));
    const outcome = await runOn(desk, clock, { deps: windowAt(clock, false, outside) });
    expect([outcome.exit, posts(service)]).toEqual([exit, sent]);
    expect(outcome.rows).toMatchObject({ not_sent: 6 - sent, pending: sent });
    expect(clock.slept.filter((ms) => ms > 30_000).length > 8).toBe(outside === 'wait');
  });

  it('a row above what its rail takes at the hour stays ready, and goes at the hour that takes it', async () => {
    const service = await newService();
    const clock = handClock();
    const rows = [
      { ...southAfrican, amount: '300000', documents: 'a.pdf' },
      { ...southAfrican, row_id: 'za2', reference: 'Two' },
      ...kenyanRows(2),
    ];
    const desk = deskFor(service, rows);
    writeFileSync(join(desk.folder, 'a.pdf'), '%PDF-1.4\n%%EOF\n');
    const holding = (deps: Deps): Deps => ({ ...deps, limits: { ...deps.limits, rails: 'hold' } });
    const saturday = Date.parse('2026-11-21T10:00:00+02:00');
    clock.move(saturday + 364 * 24 * hourMs - clock.now());
    const { exit, stopped, rows: counts, problems, next } = await runOn(desk, clock, { deps: holding });
    expect([exit, stopped?.code, counts]).toEqual([
      23,
      'RAIL_SHUT',
      expect.objectContaining({ pending: 3, not_sent: 1 }),
    ]);
    expect(problems).toMatchObject([{ row: 2, code: 'RAIL_LIMIT', severity: 'warning' }]);
    const monday = saturday + 364 * 24 * hourMs + 38 * hourMs;
    expect(next).toContainEqual({
      action: 'resume',
      batch: 'nov',
      why: null,
      notBefore: monday,
    });
    clock.move(monday - clock.now());
    expect((await runOn(desk, clock, { deps: holding })).rows).toMatchObject({ not_sent: 0, in_doubt: 0, unpaid: 0 });
    expectOnePaymentEach(service, rows);
    clock.move(17 * hourMs);
    expect((await runOn(desk, clock, { deps: holding })).problems, 'of what was sent nothing is told').toEqual([]);
  });

  it('a row that its rail takes at no hour is refused where rows are held, and told where they are not', async () => {
    const service = await newService();
    const desk = deskFor(service, [{ ...kenyanRows(1)[0]!, amount: '250001' }]);
    const rails = (policy: 'hold' | 'warn') => (deps: Deps) => ({ ...deps, limits: { ...deps.limits, rails: policy } });
    const held = await runOn(desk, handClock(), { deps: rails('hold') });
    expect([held.exit, posts(service), held.problems]).toMatchObject([
      20,
      0,
      [{ code: 'RAIL_LIMIT', severity: 'error' }],
    ]);
    const told = await runOn(desk, handClock(), { deps: rails('warn') });
    expect([told.exit, posts(service), told.problems]).toMatchObject([23, 1, [{ severity: 'warning' }]]);
  });
});
