/** Real processes at one ledger, and Ctrl-C in the middle of a batch. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stopSending } from '../../src/app/pause-batch.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { runCommand } from '../../src/cli/args/command-line.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { newPlace, stores } from '../ledger/stores.ts';
import {
  command,
  type Desk,
  deskFor,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  newService,
  type Process,
  pay,
  resultOf,
  start,
  until,
} from '../support.ts';
import { ownTime } from './own-time.ts';

/** Lets the test open the door through which held payments go on. */
function door() {
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open };
}

it('rows under way are being sent while their run lives, and in doubt once it is dead', async () => {
  const service = await newService();
  service.fault = ({ route }) =>
    route === 'POST /payments' ? { kind: 'hold', until: new Promise(() => {}) } : undefined;
  const desk = deskFor(service, kenyanRows(3));
  const run = start(desk, ['run', desk.sheet, '--wait', '0']);
  await until('the first payment is under way', () => (service.calls.get('POST /payments') ?? 0) > 0);
  const status = async () => documentOf(await command(desk, ['status', '--json', '--exit-code']));
  const alive = await status();
  expect(alive).toMatchObject({ exit: 23, rows: { being_sent: 1, in_doubt: 0, total: 3 }, totals: [{ in_doubt: 0 }] });
  expect(alive.next).toMatchObject([{ action: 'resume' }]);
  const words = async () =>
    (
      JSON.parse((await command(desk, ['list', alive.batch!, '--json'])).out) as { rows: { status: string }[] }
    ).rows.map(({ status: word }) => word);
  const explained = async () =>
    JSON.parse((await command(desk, ['explain', alive.batch!, '2', '--json'])).out) as object;
  const cells = async () => {
    const { out } = await command(desk, ['report', alive.batch!, '--html']);
    const page = readFileSync(out.trim(), 'utf8');
    return ['being sent', 'in doubt'].filter((word) => page.includes(`<td>${word}</td>`));
  };
  expect([await words(), await cells()]).toEqual([['being sent', 'not sent', 'not sent'], ['being sent']]);
  expect(await explained()).toMatchObject({ row: { word: 'being sent' }, why: null, next: null });
  run.child.kill('SIGKILL');
  await run.ended;
  const dead = await status();
  expect(dead).toMatchObject({ exit: 22, rows: { being_sent: 0, in_doubt: 1, total: 3 }, totals: [{ being_sent: 0 }] });
  expect(dead.next[0]).toMatchObject({ action: 'reconcile' });
  expect([await words(), await cells()]).toEqual([['in doubt', 'not sent', 'not sent'], ['in doubt']]);
  expect(await explained()).toMatchObject({ row: { word: 'in doubt' }, next: { action: 'reconcile' } });
});

it.each(stores)('a stop by another process ends a run on %s, and only a person continues the batch', async (store) => {
  const service = await newService();
  const { opened, open } = door();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 3 ? { kind: 'hold', until: opened } : undefined;
  const rows = kenyanRows(20);
  const desk = deskFor(service, rows, { PAYRUN_LEDGER: await newPlace(store) });
  const argv = ['--batch', 'nov', '--concurrency', '1', '--wait', '0'];
  const run = start(desk, ['run', desk.sheet, ...argv, '--json']);
  await until('the first payments are sent', () => (service.calls.get('POST /payments') ?? 0) > 3);
  const console = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  const stop = async () => await stopSending({ ledger: console }, { batch: 'nov' }, { driver: 'console', name: 'Ada' });
  expect([(await stop()).isNew, (await stop()).isNew]).toEqual([true, false]);
  await console.close();
  open();
  const ended = await run.ended;
  expect([ended.exit, documentOf(ended).stopped?.code]).toEqual([23, 'STOPPED_BEFORE']);
  expect(service.payments.length).toBeLessThan(20);
  expect(await stopsOf(desk)).toBe(1);
  const status = documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code']));
  expect(status.notes).toMatchObject([
    { note: 'batch-stopped', why: { code: 'STOPPED_BEFORE', facts: { by: 'Ada', why: { code: 'STOPPED' } } } },
  ]);
  expect(status.next).toMatchObject([{ action: 'resume' }]);
  expect(documentOf(await command(desk, ['resume', 'nov', '--wait', '20s', '--json'])).rows.paid).toBe(20);
  expectOnePaymentEach(service, rows);
});

async function stopsOf({ env }: Desk): Promise<number> {
  const ledger = openLedger(env.PAYRUN_LEDGER!, systemClock);
  const stops = [...ledger.trail.eachTrail()].filter(({ text }) => text.includes('"stop",'));
  await ledger.close();
  return stops.length;
}

it.each(['terminal', 'hot folder'] as const)(
  'a signal to a %s on Postgres stops only the batch of a person',
  async (driver) => {
    const service = await newService();
    const { opened, open } = door();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 3 ? { kind: 'hold', until: opened } : undefined;
    const desk = {
      ...deskFor(service, kenyanRows(20), { PAYRUN_LEDGER: await newPlace('Postgres') }),
      actor: { driver, name: null },
    };
    const keyboard = new EventEmitter();
    const argv = ['run', desk.sheet, '--batch', 'nov', '--concurrency', '1', '--wait', '0'];
    const ended = command(desk, argv, keyboard);
    await until('the first payments are sent', () => (service.calls.get('POST /payments') ?? 0) > 3);
    keyboard.emit('SIGTERM');
    open();
    await ended;
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    expect(ledger.leads.of('nov').stands).toBe(driver === 'terminal' ? 'stopped' : 'going');
    await ledger.close();
    expect(await stopsOf(desk)).toBe(driver === 'terminal' ? 1 : 0);
  },
);

it('one Ctrl-C on a ledger in a file is one stop in the trail', async () => {
  const service = await newService();
  const { opened, open } = door();
  service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 3 ? { kind: 'hold', until: opened } : undefined;
  const desk = deskFor(service, kenyanRows(20));
  const keyboard = new EventEmitter();
  const ended = command(desk, ['run', desk.sheet, '--batch', 'nov', '--concurrency', '1', '--wait', '0'], keyboard);
  await until('the first payments are sent', () => (service.calls.get('POST /payments') ?? 0) > 3);
  keyboard.emit('SIGINT');
  open();
  await ended;
  expect(await stopsOf(desk)).toBe(1);
});

it('a run during a pause ends as finished if every row is paid', async () => {
  const desk = deskFor(await newService(), kenyanRows(3));
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  await command(desk, ['pause', '--reason', 'Ask the bank.']);
  expect((await command(desk, ['resume', 'nov', '--wait', '20s'])).exit).toBe(0);
  await command(desk, ['pause', '--end']);
  expect(documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code'])).notes).toEqual([]);
});

const stopping = 'payments in flight';

/** Until a run says that it heeds its first signal. */
async function heeded({ child }: Process): Promise<void> {
  let told = '';
  child.stderr!.on('data', (text: string) => (told += text));
  await until('the first one is heeded', () => told.includes(stopping));
}

/** A run in whose waits no time passes: SIGINT comes in the first of these, which nothing but the signal ends. */
async function stoppedInWait(desk: Desk, argv: readonly string[], isIt: (delayMs: number) => boolean) {
  const keyboard = new EventEmitter();
  const clock = ownTime();
  let isSent = false;
  const own: Clock = {
    ...clock,
    async sleep(delayMs, signal) {
      if (!isIt(delayMs)) return await clock.sleep(delayMs, signal);
      const ended = new Promise<void>((done) => signal?.addEventListener('abort', () => done()));
      if (!isSent) setImmediate(() => keyboard.emit('SIGINT'));
      isSent = true;
      if (signal?.aborted !== true) await ended;
    },
  };
  return await command({ ...desk, clock: own }, argv, keyboard);
}

describe.concurrent('Ctrl-C', () => {
  it('sends in flight finish, the result is written, and running again goes on', async () => {
    const service = await newService();
    const { opened, open } = door();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 3 ? { kind: 'hold', until: opened } : undefined;
    const rows = kenyanRows(20);
    const desk = deskFor(service, rows);
    const argv = ['run', desk.sheet, '--wait', '0', '--json', '--concurrency', '4'];
    const run = start(desk, argv);
    await until('four are in flight', () => (service.calls.get('POST /payments') ?? 0) >= 7);
    run.child.kill('SIGTERM');
    await heeded(run);
    open();
    const ended = await run.ended;
    const document = documentOf(ended);
    expect([ended.exit, document.rows.in_doubt, document.sent]).toEqual([143, 0, 7]);
    expect(ended.err).toContain(stopping);
    expect(
      resultOf(document.result)
        .map(({ payrun_status }) => payrun_status)
        .filter((word) => word === 'pending'),
    ).toHaveLength(7);
    expect(resultOf(document.result)).toHaveLength(20);
    expect(service.payments).toHaveLength(7);
    const again = await pay(desk);
    expect(again.document).toMatchObject({ sent: 13, rows: { total: 20, pending: 20 } });
    expectOnePaymentEach(service, rows);
  });

  it('twice ends at once; what was in flight is in doubt, and found again by the next run', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'hold', after: true, until: new Promise(() => {}) } : undefined;
    const rows = kenyanRows(6);
    const desk = deskFor(service, rows);
    const run = start(desk, ['run', desk.sheet, '--wait', '0', '--concurrency', '2']);
    await until('two are in flight', () => service.payments.length === 3);
    run.child.kill('SIGINT');
    await heeded(run);
    run.child.kill('SIGINT');
    const ended = await run.ended;
    expect([ended.exit, ended.err]).toEqual([130, expect.stringContaining('be in doubt')]);
    service.fault = () => undefined;
    const again = await pay(desk);
    expect(again.document).toMatchObject({ sent: 3, rows: { pending: 6, in_doubt: 0 } });
    expectOnePaymentEach(service, rows);
  });

  it('while the first payment of a kind cannot be read yet does not wait the full minute', async () => {
    const service = await newService({ readableAfterMs: 3_600_000 });
    const desk = deskFor(service, kenyanRows(3));
    const isRead = () => (service.calls.get('GET /payments/:id') ?? 0) > 1;
    const ended = await stoppedInWait(desk, ['run', desk.sheet, '--wait', '0', '--json'], isRead);
    expect([ended.exit, documentOf(ended).rows]).toMatchObject([130, { pending: 1, not_sent: 2 }]);
  });

  it('while payments are only followed ends at once', async () => {
    const service = await newService({ settleAfterMs: 3_600_000 });
    const desk = deskFor(service, kenyanRows(2));
    const argv = ['run', desk.sheet, '--wait', '1h', '--json'];
    // Long enough that it is none of the pauses between two calls.
    const ended = await stoppedInWait(desk, argv, (delayMs) => service.payments.length === 2 && delayMs > 1000);
    expect([ended.exit, documentOf(ended).rows]).toMatchObject([130, { pending: 2 }]);
  });

  it('during a long 429 ends without waiting for it', async () => {
    const service = await newService();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1
        ? { kind: 'answer', status: 429, headers: { 'retry-after': '90' } }
        : undefined;
    const desk = deskFor(service, kenyanRows(4));
    const argv = ['run', desk.sheet, '--wait', '0', '--json'];
    const ended = await stoppedInWait(desk, argv, (delayMs) => delayMs >= 90_000);
    expect([ended.exit, documentOf(ended).rows]).toMatchObject([130, { pending: 1, not_sent: 3, in_doubt: 0 }]);
  });
});

describe.concurrent('a signal while nothing is sent yet', () => {
  /** A command to which a signal comes while the service is asked for something. */
  async function signalled(verb: 'run' | 'plan', at: string, signal: string, env: Record<string, string> = {}) {
    const service = await newService();
    const desk = deskFor(service, kenyanRows(2), env);
    const signals = new EventEmitter();
    service.fault = ({ route, nth }) => {
      if (route === at && nth === 1) signals.emit(signal);
      return undefined;
    };
    return await command(desk, [verb, desk.sheet, '--json', ...(verb === 'run' ? ['--wait', '0'] : [])], signals);
  }

  it.each([
    ['run', 'POST /token', 'SIGTERM', 143],
    ['run', 'GET /utils/banks/:country', 'SIGINT', 130],
    ['run', 'GET /utils/banks/:country', 'SIGTERM', 143],
    ['run', 'GET /utils/banks/:country', 'SIGHUP', 129],
    ['run', 'GET /merchants', 'SIGTERM', 143],
    ['run', 'GET /payments', 'SIGTERM', 143],
    ['run', 'GET /payments/:id', 'SIGTERM', 143],
    ['plan', 'GET /utils/banks/:country', 'SIGTERM', 143],
  ] as const)('%s, at %s: %s gives %i and its name', async (verb, at, signal, code) => {
    const { exit, out } = await signalled(verb, at, signal);
    const { exit: told, error, stopped } = JSON.parse(out);
    expect([exit, told]).toEqual([code, code]);
    expect(error ?? stopped).toMatchObject({ code: 'STOPPED', facts: { signal } });
  });

  it('gives its code also if the command fails by itself, and reports that failure', async () => {
    const { exit, out } = await signalled('plan', 'POST /token', 'SIGTERM', { PAYRUN_API_SECRET: 'another' });
    expect(exit).toBe(143);
    expect(JSON.parse(out)).toMatchObject({
      exit: 143,
      error: { code: 'CREDENTIALS_REFUSED', facts: { hint: null } },
    });
  });
});

it('a signal that comes while the result is written leaves the outcome as it is', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(2));
  const keyboard = Object.assign(new EventEmitter(), { exit: () => expect.fail('one signal ends nothing') });
  let out = '';
  let isWriting = false;
  const write = (text: string) => {
    if (isWriting || !text.includes('Writing the result')) return;
    isWriting = true;
    keyboard.emit('SIGINT');
  };
  const exit = await runCommand(['run', desk.sheet, '--batch', 'nov', '--wait', '20s'], {
    env: desk.env,
    cwd: desk.folder,
    clock: ownTime(),
    signals: keyboard,
    streams: { out: { write: (text) => (out += text) }, err: { write, isTTY: true }, color: false },
  });
  expect([isWriting, exit, out]).toEqual([true, 0, expect.stringMatching(/^Finished: /m)]);
  expect(out).not.toContain('SIGINT');
});
