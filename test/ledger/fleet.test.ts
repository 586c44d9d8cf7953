/** Claims on a real Postgres: who may write what of a row that several processes could send. */
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type Fleet, type Ledger, type LedgerRow, openLedger } from '../../src/ledger/ledger.ts';
import { lostFor, refusedFor } from '../reasons.ts';
import { claim, openBatch as openOf, take, terms } from './claims.ts';
import { newPlace } from './stores.ts';

describe('a claim', () => {
  let leader: Ledger;
  let worker: Ledger;
  let fleet: Fleet;
  let other: Fleet;

  let place: string;
  let schema: string;
  /** Past the ledgers. */
  let client: pg.Client;
  beforeEach(async () => {
    place = await newPlace('Postgres');
    const address = new URL(place);
    schema = address.searchParams.get('schema')!;
    address.search = '';
    client = new pg.Client({ connectionString: address.href });
    await client.connect();
    leader = openLedger(place, systemClock);
    worker = openLedger(place, systemClock);
    [fleet, other] = [leader.fleet!, worker.fleet!];
    await take(leader, 'nov', 12);
  });
  afterEach(async () => {
    await worker.close();
    await leader.close();
    await client.end();
  });

  /** Leases last for a minute, by the database's clock. */
  const minuteMs = 60_000;
  const leasesEnd = async () =>
    await client.query(`UPDATE ${schema}.payout SET lease_until = lease_until - $1 WHERE state = 'sending'`, [
      minuteMs,
    ]);

  const openBatch = async (batch = 'nov', room?: number) => {
    await leader.leads.goOn(batch, leader.leads.of(batch).turn);
    return await openOf(leader, batch, room);
  };
  const accepted = (row: LedgerRow, paymentId: string) =>
    ({ row, from: 'sending', to: 'accepted', paymentId, acceptedAt: Date.now() }) as const;
  const stateOf = async ({ id }: LedgerRow) => {
    const { state, attempts, paymentId } = (await leader.rows.row(id))!;
    return [state, attempts, paymentId];
  };
  const orphansOf = async ({ id }: LedgerRow) =>
    (await leader.trail.trailOf(id)).flatMap(({ what, data }) => (what === 'orphan' ? [data] : []));

  it('is of nothing for which a plan waits at the console', async () => {
    await openBatch();
    const [row] = await claim(other, 'B', 1);
    const doing = { account: 1, by: 'Nomsa', did: 'handed it in' };
    await worker.uploads.add({ id: 'u', file: 'f.csv', bytes: 1, sha256: 's', facts: '{}', state: 'ready' }, doing);
    const id = await worker.holds.propose('nov', { by: 'Nomsa', file: 'f.csv', upload: 'u' });
    await worker.holds.keepPlan(id, 'd', null);
    await worker.uploads.change('u', () => ({ plan: 'd' }));
    expect(await claim(other, 'B', 8)).toEqual([]);
    await expect(openBatch()).rejects.toMatchObject({ code: 'PROPOSAL_WAITS' });
    // What was claimed before is answered.
    expect(await other.answer('B', accepted(row!, 'p1'), true)).toBe(true);
    await worker.uploads.change('u', () => ({ plan: null }), doing);
    await openBatch();
    expect(await claim(other, 'B', 8)).toHaveLength(8);
  });

  it('is of nobody else, within the room, and only of what is open', async () => {
    expect(await claim(fleet, 'A', 8)).toEqual([]);
    const opened = await openBatch();
    await fleet.beat('A');
    await other.beat('B');
    expect(await other.members()).toEqual(['A', 'B']);
    const first = await claim(fleet, 'A', 8);
    const second = await claim(other, 'B', 8);
    const numbers = (rows: readonly LedgerRow[]) => rows.map(({ number }) => number);
    expect([numbers(first), numbers(second)]).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
    expect([await claim(fleet, 'A', 8), await claim(other, 'B', 8)]).toEqual([[], []]);
    expect(await fleet.answer('A', accepted(first[0]!, 'p1'), true)).toBe(true);
    expect(numbers(await claim(fleet, 'A', 8))).toEqual([9]);
    expect(await fleet.lead(opened, [])).toMatchObject({ closed: null, sent: 1, ready: true, underWay: 8 });
    await fleet.close('nov', { why: 'sent' });
    expect(await fleet.answer('A', accepted(first[1]!, 'p2'), true)).toBe(true);
    expect(await claim(fleet, 'A', 8)).toEqual([]);
  });

  it('is of no row that a person closed, until it is opened again', async () => {
    const said = { by: 'Nomsa', why: 'Paid by hand' };
    const ready = await leader.rows.list({ batch: 'nov', states: ['ready'], limit: 100 });
    await leader.rows.closeRows(ready.slice(1), said);
    await openBatch();
    const [first, ...none] = await claim(other, 'B', 8);
    expect([first?.number, none]).toEqual([1, []]);
    // Nothing moves a closed row to sending, whoever asks for it.
    const [closed] = await leader.rows.list({ batch: 'nov', closed: true, limit: 1 });
    const intent = { row: closed!, from: 'ready', to: 'sending', attempted: 1 } as const;
    await expect(leader.rows.move(intent)).rejects.toThrow(/is not ready/);
    await leader.rows.reopenRows([closed!], said);
    await openBatch();
    expect(await claim(other, 'B', 8)).toMatchObject([{ key: closed!.key }]);
  });

  it('is of nothing whose time is over, whether its leader is there or not', async () => {
    const { sheet } = (await leader.batches.batch('nov'))!;
    const shut = { batch: 'nov', since: sheet.id, leader: 'L', room: 8, terms, mostMs: 0 };
    const opened = { ...shut, epoch: await fleet.open(shut) };
    expect(await claim(other, 'B', 1)).toEqual([]);
    await fleet.lead(opened, []);
    expect(await claim(other, 'B', 1)).toHaveLength(1);
    await fleet.lead(opened, [], 0);
    expect(await claim(other, 'B', 1)).toEqual([]);
  });

  it('whose lease has ended is in doubt, and a later answer is kept without touching the next try', async () => {
    await openBatch();
    await other.beat('B');
    const [row] = await claim(other, 'B', 1, { leaseMs: minuteMs });
    expect(await other.giveBack('A', row!), 'another member').toBe(false);
    await leasesEnd();
    expect(await other.giveBack('B', row!), 'after its lease').toBe(false);
    expect(await fleet.endLeases()).toBe(1);
    expect(await stateOf(row!)).toEqual(['in_doubt', 1, null]);
    // Without its tag the answer names no payment of the row's for certain.
    expect(await other.answer('B', accepted(row!, 'p1'), false)).toBe(false);
    expect(await stateOf(row!)).toEqual(['in_doubt', 1, null]);
    const doubt = (await leader.rows.row(row!.id))!;
    await leader.rows.move({ row: doubt, from: 'in_doubt', to: 'absent' });
    await leader.rows.move({ row: doubt, from: 'absent', to: 'ready' });
    await leader.rows.move({ row: doubt, from: 'ready', to: 'sending', attempted: 1, submittedAt: Date.now() });
    expect(await other.answer('B', accepted(row!, 'p1'), true)).toBe(false);
    expect(await stateOf(row!)).toEqual(['sending', 2, null]);
    expect(await orphansOf(row!)).toMatchObject([
      { attempt: 1, worker: 'B', answer: { to: 'accepted', paymentId: 'p1' } },
      { attempt: 1, worker: 'B', answer: { to: 'accepted', paymentId: 'p1' } },
    ]);
  });

  it('settles its own doubt by an answer with its tag while the batch is open, and not while a pass may look', async () => {
    await openBatch();
    await other.beat('B');
    const rows = await claim(other, 'B', 2, { leaseMs: minuteMs });
    await leasesEnd();
    expect(await fleet.endLeases()).toBe(2);
    expect(await other.answer('B', accepted(rows[0]!, 'p1'), true)).toBe(false);
    expect(await stateOf(rows[0]!)).toEqual(['accepted', 1, 'p1']);
    await fleet.close('nov', { why: 'sent' });
    expect(await other.answer('B', accepted(rows[1]!, 'p2'), true)).toBe(false);
    expect(await stateOf(rows[1]!)).toEqual(['in_doubt', 1, null]);
    expect(await orphansOf(rows[1]!)).toHaveLength(1);
  });

  it('of a connection that ended is in doubt at once; of one that lives it is not', async () => {
    await openBatch();
    await fleet.beat('A');
    await other.beat('B');
    const [own] = await claim(fleet, 'A', 1);
    const [row] = await claim(other, 'B', 1);
    expect(await fleet.endLeases()).toBe(0);
    await worker.close();
    await expect.poll(() => fleet.endLeases(), { interval: 20 }).toBe(1);
    expect([await stateOf(row!), await stateOf(own!)]).toEqual([
      ['in_doubt', 1, null],
      ['sending', 1, null],
    ]);
  });

  it('finds half the room once the service calls it too fast, and by and by all of it again', async () => {
    await openBatch('nov', 8);
    const later = async (ms: number) =>
      await client.query(`UPDATE ${schema}.opening SET not_before = not_before - $1`, [ms]);
    /** By the database's clock, which nobody holds: a slow machine takes steps of its own. */
    const stepsNow = async () => {
      const since = `SELECT extract(epoch FROM clock_timestamp()) - not_before / 1000.0 AS since FROM ${schema}.opening`;
      return Math.max(0, Math.floor(Number((await client.query<{ since: string }>(since)).rows[0]!.since)));
    };
    /** Claims what is free where so many may be under way and each step adds one; `underWay`: those before it. */
    const claimAt = async (by: Fleet, member: string, width: number, underWay: number) => {
      const [before, rows, after] = [await stepsNow(), await claim(by, member, 8), await stepsNow()];
      const possible = [before, after].map((taken) => Math.max(0, Math.min(8, width + taken) - underWay));
      expect(rows.length).toBeGreaterThanOrEqual(possible[0]!);
      expect(rows.length).toBeLessThanOrEqual(possible[1]!);
      return rows;
    };
    await fleet.slow('nov', 60_000);
    // Rows that were under way together count once.
    await other.slow('nov', 10);
    expect(await claim(fleet, 'A', 8), 'while it waits').toEqual([]);
    await later(60_000);
    // Half of the eight.
    const first = await claimAt(fleet, 'A', 4, 0);
    await later(2000);
    const second = await claimAt(other, 'B', 4, first.length);
    await later(60_000);
    const third = await claim(other, 'B', 8);
    expect(first.length + second.length + third.length, 'never more than its leader asked for').toBe(8);
    for (const [at, row] of first.entries()) await fleet.answer('A', accepted(row, `p${at}`), true);
    await other.slow('nov', 0);
    await later(300);
    // Half again.
    const more = await claimAt(fleet, 'A', 4, 8 - first.length);
    await openBatch('nov', 8);
    expect(await claim(fleet, 'A', 8), 'opened anew').toHaveLength(4 - more.length);
  });

  it('under a policy is of nothing that was opened without one', async () => {
    await openBatch();
    expect(await claim(other, 'B', 2, { isUnderPolicy: true })).toEqual([]);
    expect(await claim(other, 'B', 2)).toHaveLength(2);
  });

  it('that is given back can be claimed again', async () => {
    await openBatch();
    const [one, two] = await claim(other, 'B', 2);
    expect(await other.giveBack('B', one!)).toBe(true);
    expect((await claim(fleet, 'A', 1)).map(({ number, attempts }) => [number, attempts])).toEqual([[1, 2]]);
    expect(await other.answer('B', accepted(two!, 'p2'), true)).toBe(true);
  });

  it('goes round the batches, whichever has more rows', async () => {
    await take(leader, 'oct', 3);
    await openBatch('nov');
    await openBatch('oct');
    const batches: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) batches.push((await claim(fleet, 'A', 1))[0]!.batch);
    expect(batches).toEqual(['nov', 'oct', 'nov', 'oct', 'nov', 'oct']);
    expect((await claim(fleet, 'A', 1))[0]!.batch).toBe('nov');
  });

  it('refused so often in a row, whoever sent them, closes the batch; so do doubts of several causes', async () => {
    const opened = await openBatch();
    const refused = (row: LedgerRow) => ({ row, from: 'sending', to: 'refused', reason: refusedFor('No') }) as const;
    const rows = [...(await claim(fleet, 'A', 2)), ...(await claim(other, 'B', 2))];
    await fleet.answer('A', refused(rows[0]!), false);
    await other.answer('B', refused(rows[2]!), false);
    expect(await fleet.lead(opened, [])).toMatchObject({ closed: null, ended: 2 });
    await fleet.answer('A', refused(rows[1]!), false);
    expect(await fleet.lead(opened, [])).toMatchObject({
      closed: { why: 'stop', code: 'REFUSED_IN_A_ROW', facts: { count: 3, reason: refusedFor('No') } },
    });
    expect(leader.leads.of('nov')).toMatchObject({ stands: 'stopped', stop: { why: { code: 'REFUSED_IN_A_ROW' } } });
    const again = await openBatch();
    expect(again.epoch).toBe(2);
    const doubt = (row: LedgerRow, words: string) =>
      ({ row, from: 'sending', to: 'in_doubt', reason: lostFor(words) }) as const;
    const more = await claim(fleet, 'A', 4);
    for (const [at, words] of ['cut', 'cut', 'late', 'gone'].entries()) {
      expect((await fleet.lead(again, []))!.closed).toBeNull();
      await fleet.answer('A', doubt(more[at]!, words), false);
    }
    expect(await fleet.lead(again, [])).toMatchObject({ closed: { why: 'doubts', reason: lostFor('gone') } });
    expect(await fleet.lead(opened, []), 'of an earlier opening').toBeNull();
  });

  it('is forbidden by a pause, which only a person who saw it ends', async () => {
    await leader.holds.pause('nov', null, 'A word.');
    const [before] = await leader.holds.pauses(null);
    expect(await leader.holds.endPause('nov', null, { only: before!.id })).toBe(true);
    await leader.holds.pause('nov', null, 'Another word.');
    expect(await leader.holds.endPause('nov', null, { only: before!.id }), 'who has seen the one before').toBe(false);
    expect(await leader.holds.pauses(null)).toMatchObject([{ batch: 'nov', reason: 'Another word.' }]);
  });

  it.each([null, 'nov'])('of a batch is no longer intended once it is paused (%s), by any sender', async (paused) => {
    await openBatch();
    const [row] = await claim(fleet, 'A', 1);
    const [alone] = await leader.rows.list({ batch: 'nov', states: ['ready'], limit: 1 });
    expect(await worker.holds.pause(paused, null, 'A word.')).toBe(true);
    // What a row alone decides shares its commit with an answer, which is written all the same.
    const [intent, answer] = await Promise.allSettled([
      leader.rows.move({ row: alone!, from: 'ready', to: 'sending', attempted: 1, submittedAt: Date.now() }),
      fleet.answer('A', accepted(row!, 'p1'), true),
    ]);
    expect(intent).toMatchObject({ status: 'rejected', reason: { code: 'PAUSED', facts: { batch: 'nov', paused } } });
    expect(answer).toMatchObject({ status: 'fulfilled', value: true });
    expect([await stateOf(alone!), await stateOf(row!)]).toEqual([
      ['ready', 0, null],
      ['accepted', 1, 'p1'],
    ]);
    expect(await claim(fleet, 'A', 1)).toEqual([]);
    await expect(openBatch()).rejects.toMatchObject({ code: 'PAUSED', facts: { batch: 'nov', paused } });
  });

  it('is waited for by whoever takes the lead next', async () => {
    await openBatch();
    await other.beat('B');
    const [row] = await claim(other, 'B', 1, { leaseMs: 300 });
    await leader.rows.recover();
    expect(await stateOf(row!)).toEqual(['in_doubt', 1, null]);
    expect(await claim(other, 'B', 1)).toEqual([]);
  });
});

it('a ledger in a file has no fleet', async () => {
  const ledger = openLedger(await newPlace('SQLite'), systemClock);
  expect(ledger.fleet).toBeNull();
  await ledger.close();
});
