/** What a person stops, no worker goes on with: each way out of a run by a signal leaves its batch to a person. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { performIn } from '../../src/cli/perform/thread.ts';
import type { Actor } from '../../src/domain/sending/actor.ts';
import { type Fleet, type Ledger, openLedger, type SendingSession } from '../../src/ledger/ledger.ts';
import { endOf } from '../../src/pipeline/outcome.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import {
  command,
  csvOf,
  type Desk,
  deskFor,
  kenyanRows,
  newService,
  type Process,
  resultOf,
  start,
  until,
} from '../support.ts';

type Service = Awaited<ReturnType<typeof newService>>;

interface Left {
  readonly desk: Desk;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly fleet: Fleet;
  readonly opened: SendingSession;
  /** A member that lives has a row of it under way. */
  claim(): Promise<void>;
  /** A worker's task once nobody leads. */
  task(clock?: Clock): Promise<string | undefined>;
}

const rows = kenyanRows(3);
const wrong = rows.map((row, at) => (at === 0 ? { ...row, amount: 'ten' } : row));
const credentials = { kind: 'answer', status: 401 } as const;

/** A batch of three rows that are ready; whoever led it is dead, or ended before it opened it. */
async function leftBatch(shape: Parameters<typeof newService>[0] = {}, isOpened = true): Promise<Left> {
  const service = await newService(shape);
  const desk = deskFor(service, rows, { PAYRUN_LEDGER: await newPlace('Postgres') });
  service.fault = ({ route }) => (route === 'POST /payments' ? credentials : undefined);
  await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  service.fault = () => undefined;
  const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => ledger.close());
  const fleet = ledger.fleet!;
  const { identity, sheet } = (await ledger.batches.batch('nov'))!;
  const terms = { sourceWords: [], holdsRails: false, isUnderPolicy: false, refusals: 9, doubtsInARow: 9, doubts: 9 };
  await ledger.leads.goOn('nov', { continuesStopped: true });
  const opened = { batch: 'nov', since: sheet.id, epoch: 1, terms };
  if (isOpened) await fleet.open({ ...opened, leader: 'gone', room: 8 });
  return {
    desk,
    service,
    ledger,
    fleet,
    opened,
    async claim() {
      // Of all members of the server.
      const member = randomUUID();
      await fleet.beat(member);
      const sentMoment = JSON.stringify([Date.now(), null, randomUUID(), 1]);
      const how = { member, identity, most: 1, leaseMs: 600_000, submittedAt: Date.now(), sentMoment };
      expect(await fleet.claim({ ...how, spans: () => [], isUnderPolicy: false, intentOf: () => ({}) })).toMatchObject({
        rows: [{}],
      });
    },
    async task(clock = systemClock) {
      // A server may take a moment to see that a process has ended.
      await untilIs('nobody leads', async () => !(await ledger.isLedElsewhere()));
      return ledger.leads.whenDue(identity, clock.now()).find(({ batch }) => batch === 'nov')?.task;
    },
  };
}

/** All of it is sent and pending, and workers follow it. */
async function pendingBatch(): Promise<Left> {
  const one = await leftBatch({ settleAfterMs: 3_600_000 });
  await command(one.desk, ['resume', 'nov', '--wait', '0']);
  expect([await one.task(), await one.task(later)]).toEqual([undefined, 'resume']);
  return one;
}

/** After the next check of its payments. */
const later: Clock = { ...systemClock, now: () => Date.now() + 60_000 };
const tomorrow: Clock = { ...systemClock, now: () => Date.now() + 24 * 3_600_000 };

/** Nothing may be sent now. */
function shutWindow(): string {
  const hour = String(Math.floor((Date.now() / 3_600_000 + 4) % 24)).padStart(2, '0');
  return `${hour}:00-${hour}:30`;
}

const worker: Actor = { driver: 'worker', name: null };
const ada: Actor = { driver: 'console', name: 'Ada' };
const bySignal = { code: 'STOPPED', facts: { signal: null, hasEnded: true } } as const;
const byAda = { by: 'Ada', why: bySignal } as const;

/** Calls of it wait for their answers until `answer`; `asked`: the first has come. `after`: they are taken all the same. */
function holdAt(service: Service, wanted: string, after: boolean) {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  service.fault = ({ route }) => {
    if (!route.startsWith(wanted)) return undefined;
    asked.resolve();
    return { kind: 'hold', after, until: answered.promise };
  };
  return { asked: asked.promise, answer: answered.resolve };
}

/** Its sheet is being checked when it is stopped. */
async function stopChecking({ desk, service }: Left, meanwhile: (run: Process) => Promise<void>): Promise<Process> {
  const { asked, answer } = holdAt(service, 'GET /utils/', false);
  const run = start(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  await asked;
  await meanwhile(run);
  await signalOnce(run);
  answer();
  return run;
}

async function untilIs(what: string, holds: () => Promise<boolean>): Promise<void> {
  let is = false;
  await until(what, () => {
    void holds().then((found) => (is = found));
    return is;
  });
}

async function signalOnce({ child }: Process): Promise<void> {
  let said = '';
  child.stderr!.on('data', (words: string) => (said += words));
  child.kill('SIGINT');
  await until('the signal is heard', () => said.includes('Stopping'));
}

/** As a person does who does not wait. */
async function signalTwice(run: Process): Promise<void> {
  await signalOnce(run);
  run.child.kill('SIGINT');
  await run.ended;
}

describe('a batch of a dead leader is left to a person', () => {
  for (const [by, tags, signal, flags, sheet] of [
    ['by one signal', [], signalOnce, ['--batch', 'nov'], rows],
    ['by two signals', ['long'], signalTwice, ['--batch', 'nov'], rows],
    ['by a signal, also where its sheet, which names no batch, is then refused', ['long'], signalOnce, [], wrong],
  ] as const)
    it(`by a run that is stopped while it checks its sheet, ${by}`, { tags: [...tags] }, async () => {
      const { desk, service, ledger, task } = await leftBatch();
      expect(await task()).toBe('resume');
      const { asked, answer } = holdAt(service, 'GET /utils/', false);
      writeFileSync(desk.sheet, csvOf(sheet));
      const run = start(desk, ['run', desk.sheet, ...flags, '--wait', '0']);
      await asked;
      await signal(run);
      answer();
      expect((await run.ended).exit).toBe(130);
      expect([await task(), ledger.leads.of('nov').stands]).toEqual(['report', 'stopped']);
    });

  it.each(['resume', 'run', 'retry'])(
    'by two signals to `%s` that waits for a member that lives',
    { tags: ['long'] },
    async (verb) => {
      const { desk, fleet, opened, claim, ledger, task } = await leftBatch();
      await claim();
      const words = verb === 'run' ? ['run', desk.sheet, '--batch', 'nov'] : [verb, 'nov'];
      const waits = start(desk, [...words, '--wait', '0']);
      await untilIs('it waits', async () => (await fleet.lead(opened, [])) === null);
      await signalTwice(waits);
      expect((await waits.ended).exit).toBe(130);
      expect([await task(), ledger.leads.of('nov').stands]).toEqual(['report', 'stopped']);
    },
  );
});

it('a run that a signal stops with its first payments does not open its batch', { tags: ['long'] }, async () => {
  const service = await newService();
  const desk = deskFor(service, rows, { PAYRUN_LEDGER: await newPlace('Postgres') });
  const { asked, answer } = holdAt(service, 'POST /payments', true);
  const run = start(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  await asked;
  await signalOnce(run);
  answer();
  expect((await run.ended).exit).toBe(130);
  const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => ledger.close());
  expect([service.payments.length, await ledger.trail.newestEntry('nov', 'opened')]).toEqual([1, null]);
});

it('a run outside its pay window that a signal stops is gone on with at its hour by a person alone', {
  tags: ['long'],
}, async () => {
  const { desk, service, ledger, task } = await leftBatch({ settleAfterMs: 3_600_000 });
  // The first is sent and pending, the others wait.
  service.fault = ({ route, nth }) => (route === 'POST /payments' && nth > 3 ? credentials : undefined);
  await command(desk, ['resume', 'nov', '--wait', '0']);
  expect(service.payments).toHaveLength(1);
  let follows = false;
  service.fault = ({ route }) => {
    follows ||= route === 'GET /payments/:id';
    return undefined;
  };
  const resume = start(desk, ['resume', 'nov', '--pay-window', shutWindow(), '--wait', '10m']);
  await until('it follows', () => follows);
  await signalOnce(resume);
  expect((await resume.ended).exit).toBe(130);
  expect((await ledger.trail.newestEntry('nov', 'stop'))?.data).toMatchObject({ code: 'STOPPED' });
  expect([await task(tomorrow), ledger.leads.of('nov').stands]).toEqual([undefined, 'stopped']);
});

describe('a signal', { tags: ['long'] }, () => {
  it('is written also where the connection to the ledger is gone', async () => {
    const left = await leftBatch();
    const address = new URL(left.desk.env.PAYRUN_LEDGER!);
    address.search = '';
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    atEnd(() => client.end());
    const run = await stopChecking(left, async ({ child }) => {
      const own = `application_name LIKE 'payrun process ${child.pid} on %'`;
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${own}`);
    });
    expect((await run.ended).exit).toBe(130);
    expect([await left.task(), left.ledger.leads.of('nov').stands]).toEqual(['report', 'stopped']);
  });

  it('to a run whose batch another process leads says what stops that', async () => {
    const left = await leftBatch();
    const run = await stopChecking(left, async () => await left.ledger.hold());
    expect(await run.ended).toMatchObject({
      exit: 130,
      err: expect.stringContaining('payrun pause nov --reason TEXT'),
    });
  });

  it('to a run of what has ended stops nothing of it, unless rows could be sent', async () => {
    const sent = await pendingBatch();
    expect((await (await stopChecking(sent, async () => {})).ended).exit).toBe(130);
    expect(await sent.task(later)).toBe('resume');
    const { ledger, task } = await leftBatch();
    await ledger.leads.stop('nov', byAda);
    expect(await task()).toBe('report');
  });
});

/** As often as the trail tells that a batch stopped. */
const stopsTold = (ledger: Ledger) =>
  [...ledger.trail.eachTrail()].filter(({ text }) => text.includes(',"stop",')).length;

describe('a person who stops a batch', () => {
  const reconcile = async ({ desk }: Left) => {
    const give = performIn({ env: desk.env, cwd: desk.folder }, {});
    await give({ do: 'reconcile', batch: 'nov' }, { actor: worker });
  };
  for (const [how, tags, isOpened, before] of [
    ['was never opened', ['long'], false, async () => {}],
    ['is open', [], true, async () => {}],
    [
      'waits for an hour',
      ['long'],
      true,
      async (ledger: Ledger) => await ledger.leads.finish('nov', { at: 7, why: null }, null),
    ],
  ] as const)
    it(`that ${how} is recorded once, and no worker continues the batch`, { tags: [...tags] }, async () => {
      const left = await leftBatch({}, isOpened);
      const { ledger, task } = left;
      await before(ledger);
      const [stops, { turn }] = [stopsTold(ledger), ledger.leads.of('nov')];
      await ledger.leads.stop('nov', byAda);
      expect(ledger.leads.of('nov').turn, 'for a worker that had decided before').not.toBe(turn);
      await ledger.leads.stop('nov', byAda);
      await ledger.leads.finish('nov', { stop: byAda }, bySignal);
      await reconcile(left);
      expect([await task(tomorrow), ledger.leads.of('nov').stands]).toEqual([undefined, 'stopped']);
      expect(stopsTold(ledger) - stops).toBe(1);
    });
});

describe('a worker that meets a service that is away', { tags: ['long'] }, () => {
  const away = ({ route }: { readonly route: string }) =>
    /token/.test(route) ? ({ kind: 'answer', status: 503 } as const) : undefined;
  const lookAt = async ({ desk }: Left) => {
    const give = performIn({ env: desk.env, cwd: desk.folder }, {});
    return endOf(await give({ do: 'resume', batch: 'nov', waitMs: 0 }, { actor: worker }));
  };

  it('follows what is pending later', async () => {
    const pending = await pendingBatch();
    pending.service.fault = away;
    expect([await lookAt(pending), await pending.task(later)]).toEqual(['service', 'resume']);
  });

  it('goes on later with what had an hour, and holds no other batch up until that comes', async () => {
    const left = await leftBatch();
    const { desk, service, task } = left;
    const shut = { payWindow: shutWindow(), outside: 'wait', waitMs: 0 };
    const give = performIn({ env: desk.env, cwd: desk.folder }, {});
    expect(endOf(await give({ do: 'resume', batch: 'nov', ...shut }, { actor: worker }))).toBe('later');
    expect([await task(), await task(tomorrow)]).toEqual([undefined, 'resume']);
    service.fault = away;
    expect([await lookAt(left), await task(tomorrow)]).toEqual(['service', 'resume']);
  });
});

it('a person who goes on with it and stops comes before a worker that had decided to lead it on', async () => {
  const { desk, service, ledger } = await leftBatch();
  const seen = { turn: ledger.leads.of('nov').turn };
  const give = performIn({ env: desk.env, cwd: desk.folder }, {});
  const lead = async () => await give({ do: 'resume', batch: 'nov', waitMs: 0, seen }, { actor: worker });
  const goOn = { actor: ada, stop: AbortSignal.abort() };
  expect(endOf(await give({ do: 'resume', batch: 'nov', waitMs: 0 }, goOn))).toBe('signal');
  expect(await lead()).toMatchObject({ kind: 'refused', failure: { code: 'LEAD_MOVED' } });
  expect([service.payments.length, ledger.leads.of('nov').stands]).toEqual([0, 'stopped']);
});

describe('what stopped a batch', () => {
  it('is told by the worker that writes the result which its leader owed, and to people', async () => {
    const { desk, ledger } = await leftBatch();
    const why = { fault: 'call-was-answered', call: 'POST /token', status: 401, reason: 'no such key' } as const;
    const refusal = { code: 'CREDENTIALS_REFUSED', facts: { why, hint: null } } as const;
    await ledger.leads.finish('nov', { stop: { by: null, why: refusal } }, null);
    const kept = join(desk.folder, 'told');
    const page = join(desk.folder, 'page');
    writeFileSync(page, `#!/bin/sh\ncat >> '${kept}'\n`, { mode: 0o755 });
    const keyboard = new EventEmitter();
    let said = '';
    keyboard.on('told', (words: string) => (said = words));
    const notified = { ...desk, env: { ...desk.env, PAYRUN_NOTIFY_COMMAND: page } };
    const ended = command(notified, ['worker'], keyboard);
    await until('it is told', () => said.includes('Batch nov, report: ') && existsSync(kept));
    keyboard.emit('SIGTERM');
    expect((await ended).exit).toBe(0);
    expect(resultOf(join(desk.folder, 'november.result.csv')).map(({ payrun_status }) => payrun_status)).toEqual(
      rows.map(() => 'not sent'),
    );
    expect(said).toMatch(/Batch nov, report: exit 25; /);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ exit: 25, code: 'CREDENTIALS_REFUSED' });
  });
});
