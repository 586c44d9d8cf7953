/** Another process writes the ledger for longer than a person waits, or what is under way here breaks: nothing stays under way for good. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Upload } from '../../src/console/api.ts';
import { type JobOrder, openJobs } from '../../src/console/jobs.ts';
import { openReader } from '../../src/console/reading.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { driverAddress } from '../../src/ledger/postgres.ts';
import { newPlace } from '../ledger/stores.ts';
import { csvOf, kenyanRows, newFolder } from '../support.ts';
import { openOffice, settledAtOnce } from './office.ts';

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
  const office = await openOffice();
  const { status, body } = await office.send<Upload>('Nomsa', '/api/uploads', 'nov.csv', csvOf(kenyanRows(2)));
  expect([status, body.state]).toEqual([201, 'reading']);
  const end = writing(office.ledger);
  // Longer than a request waits.
  await sleep(21_000);
  end();
  expect(await office.settled(body.id)).toMatchObject({ state: 'ready', message: null });
  await office.close();
});

it('many sheets that wait for the ledger hold up no page', async () => {
  const path = join(newFolder(), 'ledger.db');
  const ledger = openLedger(path, systemClock, { patienceMs: 20 });
  const doing = { account: 1, by: 'Ann', did: 'handed in' };
  const names = Array.from({ length: 50 }, (_, nth) => `u${nth}`);
  for (const id of names)
    await ledger.uploads.add({ id, file: 'a.csv', bytes: 1, sha256: 's', state: 'reading', facts: '{}' }, doing);
  const end = writing(path);
  const kept = names.map((id) => ledger.uploads.keep(id, () => ({ state: 'ready' })));
  // Each is a moment in which a page could be answered.
  let moments = 0;
  const until = performance.now() + 2000;
  for (; performance.now() < until; moments += 1) await sleep(5);
  end();
  await Promise.all(kept);
  expect(ledger.uploads.list(['ready'])).toHaveLength(50);
  expect(moments).toBeGreaterThan(10);
  await ledger.close();
});

it('who stops a batch for all is not turned away because others are writing', async () => {
  const place = await newPlace('Postgres');
  const ledger = openLedger(place, systemClock, { patienceMs: 20 });
  const client = new pg.Client({ connectionString: driverAddress(place, null) });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${new URL(place).searchParams.get('schema')}.trail`);
  const stopping = ledger.fleet!.pause('nov', 'Ada', 'stopped', { stop: true });
  const ending = sleep(300).then(() => client.end());
  expect(await stopping).toBe(true);
  await ending;
  expect(await ledger.fleet!.endPause('nov', 'Ada')).toBe(true);
  await ledger.close();
});

const ann = { id: 1, name: 'Ann', role: 'preparer' } as const;
const planning: JobOrder = { kind: 'plan', upload: 'u1', batch: null, argv: [], did: 'asked for a plan' };
const ended = { exit: 0, document: { plan: 'a plan' }, said: '' };

it('a job that breaks as it ends is under way no more', async () => {
  const ledger = openLedger(join(newFolder(), 'ledger.db'), systemClock);
  const jobs = await openJobs(ledger, async () => ended);
  const broken = jobs.give(ann, {
    ...planning,
    refuses: () => {
      throw new Error('the plan cannot be read');
    },
  });
  await expect(broken).rejects.toThrow('the plan cannot be read');
  expect(jobs.of({ upload: 'u1' })).toMatchObject({ state: 'failed', message: expect.stringMatching(/./) });
  await ledger.close();
});

it('a job that ends as it is stopped has ended', async () => {
  const ledger = openLedger(join(newFolder(), 'ledger.db'), systemClock);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: over, resolve: end } = Promise.withResolvers<typeof ended>();
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
  end({ ...ended, exit: 130 });
  await job;
  go();
  await Promise.all(written);
  expect(jobs.of({ batch: 'nov' })).toMatchObject({
    state: 'done',
    message: expect.stringMatching(/^Stopped by Ann, /),
  });
  await ledger.close();
});

it('a question that is asked as the reading thread dies of the one before is answered', async () => {
  const path = join(newFolder(), 'ledger.db');
  const reader = openReader({ ledger: { place: path, options: {} }, doubt: settledAtOnce });
  await expect(reader.ask('uploads', '')).rejects.toThrow();
  await openLedger(path, systemClock).close();
  expect(await reader.ask('uploads', '')).toEqual([]);
  await reader.close();
});
