/** What a person stops, no worker goes on with: each way out of a run by a signal leaves its batch to a person. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  type Desk,
  deskFor,
  documentOf,
  kenyanRows,
  newFolder,
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
const credentials = { kind: 'answer', status: 401 } as const;

/** A batch of three rows that are ready. Its leader is dead. */
async function leftBatch(env: Record<string, string> = {}): Promise<Left> {
  const service = await newService();
  const desk = deskFor(service, rows, { PAYRUN_LEDGER: await newPlace('Postgres'), ...env });
  service.fault = ({ route }) => (route === 'POST /payments' ? credentials : undefined);
  await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
  service.fault = () => undefined;
  const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
  atEnd(() => ledger.close());
  const fleet = ledger.fleet!;
  const { identity, sheet } = (await ledger.batches.batch('nov'))!;
  const terms = { sourceWords: [], holdsRails: false, isUnderPolicy: false, refusals: 9, doubtsInARow: 9, doubts: 9 };
  await ledger.leads.goOn('nov', ledger.leads.of('nov').turn);
  const opened = { batch: 'nov', since: sheet.id, epoch: 1, terms };
  await fleet.open({ ...opened, leader: 'gone', room: 8 });
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

const tomorrow: Clock = { ...systemClock, now: () => Date.now() + 24 * 3_600_000 };

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

describe('a batch of a dead leader is left to a person', () => {
  it('by a run that a signal stops while it checks its sheet', async () => {
    const { desk, service, ledger, task } = await leftBatch();
    expect(await task()).toBe('resume');
    const { asked, answer } = holdAt(service, 'GET /utils/', false);
    const run = start(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
    await asked;
    await signalOnce(run);
    answer();
    expect((await run.ended).exit).toBe(130);
    expect([await task(), ledger.leads.of('nov').stands]).toEqual(['report', 'stopped']);
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
  it('is recorded once, and no worker continues the batch', async () => {
    const left = await leftBatch();
    const { ledger, task } = left;
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

describe('a worker without the folder of the sheet', () => {
  it.each([
    ['puts the result beside the copy of the sheet', true],
    ['reports that it has no copy of the sheet', false],
  ])('pays the batch, and %s', async (_, isShared) => {
    const files = newFolder();
    const { desk, service, ledger } = await leftBatch({ PAYRUN_LEDGER_FILES: files });
    for (const gone of [desk.folder, ...(isShared ? [] : [files])]) rmSync(gone, { recursive: true });
    const folder = newFolder();
    const state = { XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') };
    const there = {
      folder,
      env: { ...desk.env, ...state, PAYRUN_LEDGER_FILES: isShared ? files : join(folder, 'files') },
    };
    const keyboard = new EventEmitter();
    const ended = command(there, ['worker'], keyboard);
    await untilIs('it is led to its end', async () => ledger.leads.of('nov').stands === 'idle');
    keyboard.emit('SIGTERM');
    expect((await ended).exit).toBe(0);
    expect(service.payments).toHaveLength(3);
    const { notes } = documentOf(await command(there, ['status', 'nov', '--json']));
    const [away] = notes.flatMap((note) => (note.note === 'result-away' ? [note] : []));
    if (!isShared) expect(away?.path).toBeNull();
    else expect(resultOf(away!.path).map(({ payrun_status }) => payrun_status)).toEqual(rows.map(() => 'paid'));
  });
});
