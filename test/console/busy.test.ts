import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextMoment } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Upload } from '../../src/console/api.ts';
import { type JobOrder, openJobs } from '../../src/console/batches/jobs.ts';
import { openReader } from '../../src/console/batches/reading.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { driverAddress } from '../../src/ledger/store/postgres/postgres.ts';
import { deedOf } from '../../src/messages/web/deeds.ts';
import type { Outcome } from '../../src/pipeline/outcome.ts';
import { newPlace } from '../ledger/stores.ts';
import { csvOf, kenyanRows, newFolder, until } from '../support.ts';
import { openOffice, settledAtOnce } from './office.ts';

/** Writes for which a ledger was not free: how often each kind was turned away, and what the test does then. */
const writes = vi.hoisted(() => ({
  /** How long a person's request waits; undefined: as the program has it. */
  mostMs: undefined as number | undefined,
  turnedAway: { requests: 0, kept: 0 },
  onTurnedAway: () => {},
}));
vi.mock('../../src/ledger/store/commit.ts', async (original) => {
  const actual = await original<typeof import('../../src/ledger/store/commit.ts')>();
  const openWriting: typeof actual.openWriting = (sql, clock) => {
    const counting = (what: keyof typeof writes.turnedAway) => {
      const transaction: typeof sql.transaction = (work) => {
        try {
          return sql.transaction(work);
        } catch (error) {
          writes.turnedAway[what] += 1;
          writes.onTurnedAway();
          throw error;
        }
      };
      return actual.committer({ ...sql, transaction }, clock);
    };
    const [requests, kept] = [counting('requests'), counting('kept')];
    const writing = actual.openWriting(sql, clock);
    const whenFree = async <T>(work: () => T, mostMs = writes.mostMs) =>
      await (mostMs === Number.POSITIVE_INFINITY ? kept : requests).whenFree(work, mostMs);
    return { ...writing, commits: { ...writing.commits, whenFree } };
  };
  return { ...actual, openWriting };
});
afterEach(() => {
  Object.assign(writes, { mostMs: undefined, turnedAway: { requests: 0, kept: 0 }, onTurnedAway: () => {} });
});

/** As a terminal that takes a large sheet in. */
function writing(path: string): () => void {
  const db = new DatabaseSync(path);
  db.exec('BEGIN IMMEDIATE');
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

it('what was found of a sheet is kept once the ledger is free, however long that takes', async () => {
  const folder = newFolder();
  let end = () => {};
  let kept = 0;
  const onWrite = (what: string) => {
    if (what !== 'keep') return;
    kept += 1;
    if (kept === 1) end = writing(join(folder, 'ledger.db'));
  };
  const office = await openOffice(folder, {}, { onWrite });
  const { status, body } = await office.send<Upload>('Nomsa', '/api/uploads', 'nov.csv', csvOf(kenyanRows(2)));
  expect([status, body.state]).toEqual([201, 'reading']);
  writes.mostMs = 0;
  await until('it is to be kept', () => writes.turnedAway.kept > 0);
  // Longer than a request waits, which is refused and changes nothing.
  expect((await office.press('Nomsa', `/api/uploads/${body.id}/discard`)).status).toBe(503);
  const before = writes.turnedAway.kept;
  await until('it is tried again', () => writes.turnedAway.kept > before);
  end();
  expect(await office.settled(body.id)).toMatchObject({ state: 'ready', message: null });
  await office.close();
});

it('many sheets that wait for the ledger hold up no page', async () => {
  const path = join(newFolder(), 'ledger.db');
  const ledger = openLedger(path, systemClock, { busyTimeoutMs: 20 });
  const doing = { account: 1, by: 'Ann', did: 'handed in' };
  const names = Array.from({ length: 50 }, (_, nth) => `u${nth}`);
  for (const id of names)
    await ledger.uploads.add({ id, file: 'a.csv', bytes: 1, sha256: 's', state: 'reading', facts: '{}' }, doing);
  const end = writing(path);
  let moment = 0;
  const tries: number[] = [];
  writes.onTurnedAway = () => tries.push(moment);
  const kept = names.map((id) => ledger.uploads.keep(id, () => ({ state: 'ready' })));
  // Each is a moment in which a page could be answered.
  for (; tries.length < 5; moment += 1) await nextMoment();
  end();
  await Promise.all(kept);
  expect(ledger.uploads.list(['ready'])).toHaveLength(50);
  expect(new Set(tries).size, 'no two of them within one moment').toBe(tries.length);
  await ledger.close();
});

it('who stops a batch for all is not turned away because others are writing', async () => {
  const place = await newPlace('Postgres');
  const ledger = openLedger(place, systemClock, { busyTimeoutMs: 20 });
  const client = new pg.Client({ connectionString: driverAddress(place, null) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${new URL(place).searchParams.get('schema')}.trail`);
  const stopping = ledger.holds.pause('nov', 'Ada', 'wait');
  await until('it is turned away once', () => writes.turnedAway.requests > 0);
  await client.end();
  expect(await stopping).toBe(true);
  expect(await ledger.holds.endPause('nov', 'Ada')).toBe(true);
  await ledger.close();
});

const ann = { id: 1, name: 'Ann', role: 'preparer' } as const;
const planning: JobOrder = {
  kind: 'plan',
  upload: 'u1',
  batch: null,
  command: { do: 'plan', file: 'nov.csv' },
  deed: deedOf('plan-asked', { file: 'nov.csv', batch: 'nov', isRetry: false }),
};
const ended = { kind: 'finished', batch: 'nov', written: { plan: 'a plan' }, end: 'done' } as Outcome;

it('a job that breaks as it ends is under way no more', async () => {
  const ledger = openLedger(join(newFolder(), 'ledger.db'), systemClock);
  const jobs = await openJobs(ledger, async () => ended);
  const fault = new Error('unreadable');
  const broken = jobs.give(ann, {
    ...planning,
    refuses: () => {
      throw fault;
    },
  });
  await expect(broken).rejects.toThrow(fault);
  expect(jobs.of({ upload: 'u1' })).toMatchObject({ state: 'failed', said: { code: 'JOB_BROKE' } });
  await ledger.close();
});

it('a job that ends as it is stopped has ended', async () => {
  const ledger = openLedger(join(newFolder(), 'ledger.db'), systemClock);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: over, resolve: end } = Promise.withResolvers<Outcome>();
  const { promise: free, resolve: go } = Promise.withResolvers<void>();
  const { uploads } = ledger;
  const written: Promise<void>[] = [];
  const changeJob: typeof uploads.changeJob = async (id, change) => {
    // Whatever else is written of it waits for another process.
    const writing = (change.state === 'done' ? Promise.resolve() : free).then(() => uploads.changeJob(id, change));
    written.push(writing);
    await writing;
  };
  const jobs = await openJobs({ ...ledger, uploads: { ...uploads, changeJob } }, async () => {
    begin();
    return await over;
  });
  const job = jobs.give(ann, { ...planning, kind: 'pay', upload: null, batch: 'nov' });
  await begun;
  void jobs.stop('nov', ann);
  expect(jobs.of({ batch: 'nov' })?.state).toBe('stopping');
  end({ ...ended, interrupted: true });
  await job;
  go();
  await Promise.all(written);
  expect(jobs.of({ batch: 'nov' })).toMatchObject({
    state: 'done',
    said: { code: 'JOB_STOPPED', facts: { by: 'Ann' } },
  });
  await ledger.close();
});

it('a job that was stopped after its sheet was refused has failed', async () => {
  const ledger = openLedger(join(newFolder(), 'ledger.db'), systemClock);
  const jobs = await openJobs(
    ledger,
    async () => ({ ...ended, kind: 'open', end: 'sheet', interrupted: true }) as Outcome,
  );
  await jobs.give(ann, { ...planning, kind: 'pay' });
  expect(jobs.of({ upload: 'u1' })?.state).toBe('failed');
  await ledger.close();
});

it('a question that is asked as the reading thread dies of the one before is answered', async () => {
  const path = join(newFolder(), 'ledger.db');
  const reader = openReader({ ledger: { place: path, options: {} }, doubt: settledAtOnce, duplicatesWindow: 35 });
  await expect(reader.ask('uploads', '')).rejects.toThrow();
  await openLedger(path, systemClock).close();
  expect(await reader.ask('uploads', '')).toEqual([]);
  await reader.close();
});
