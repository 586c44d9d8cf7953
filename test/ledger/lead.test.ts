/** How a batch stands: what each cause makes of it, on both databases. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Refusal } from '../../src/base/refusal.ts';
import { type Ledger, type LedgerRow, openLedger } from '../../src/ledger/ledger.ts';
import { claim, identity, openBatch, take } from './claims.ts';
import { newPlace, type StoreName, stores } from './stores.ts';

const bySignal = { code: 'STOPPED', facts: { signal: null, hasEnded: true } } as const;
const byService: Refusal = {
  code: 'SERVICE_REFUSED',
  facts: { what: 'GET /payments', status: 500, reason: null },
} as never;
const byAda = { by: 'Ada', why: bySignal } as const;

describe.each(stores)('the lead of a batch on %s', (store: StoreName) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = openLedger(await newPlace(store), systemClock);
    await take(ledger, 'nov', 2);
  });
  afterEach(async () => await ledger.close());

  const rows = async () => await ledger.rows.list({ batch: 'nov', limit: 10 });
  const intend = async (row: LedgerRow) =>
    await ledger.rows.move({ row, from: 'ready', to: 'sending', attempted: 1, submittedAt: 1, reason: null });

  const finish = async (end: Parameters<Ledger['leads']['finish']>[1]) => await ledger.leads.finish('nov', end, null);
  const causes = {
    'a new version': async () => await take(ledger, 'nov', 3),
    'a person continues': async () => await ledger.leads.goOn('nov', ledger.leads.of('nov').turn),
    'a worker continues': async () => await ledger.leads.goOn('nov', null),
    'a person stops': async () => void (await ledger.leads.stop('nov', byAda)),
    'Payrun stops': async () => await finish({ stop: { by: null, why: byService } }),
    'a time is set': async () => await finish({ at: 7, why: byService }),
    'a run ends': async () => await finish({ at: 8, why: null }),
    'a worker drains': async () => await finish(null),
  };
  const ways = {
    going: causes['a person continues'],
    stopped: causes['a person stops'],
    until: causes['a time is set'],
  };

  // Each line: the cause, and how a batch with unsent rows stands after it that was going, stopped by Ada, or waiting.
  const table = {
    'a new version': ['going', 'stopped Ada', 'going'],
    'a person continues': ['going', 'going', 'going'],
    'a worker continues': ['going', 'stopped Ada', 'going'],
    'a person stops': ['stopped Ada', 'stopped Ada', 'stopped Ada'],
    'Payrun stops': ['stopped', 'stopped Ada', 'stopped'],
    'a time is set': ['until 7', 'stopped Ada', 'until 7'],
    'a run ends': ['until 8', 'stopped Ada', 'until 8'],
    'a worker drains': ['going', 'stopped Ada', 'until 7'],
  } as const satisfies Record<keyof typeof causes, readonly string[]>;

  it('changes by its causes as the table says', async () => {
    const found: Record<string, string[]> = {};
    for (const cause of Object.keys(table) as (keyof typeof table)[]) {
      found[cause] = [];
      for (const way of Object.values(ways)) {
        await ledger.leads.goOn('nov', ledger.leads.of('nov').turn);
        await way();
        await causes[cause]();
        const { stands, ...lead } = ledger.leads.of('nov') as {
          stands: string;
          at?: number;
          stop?: { by: string | null };
        };
        const more = stands === 'stopped' ? lead.stop!.by : stands === 'until' ? lead.at : '';
        found[cause].push([stands, more].join(' ').trim());
      }
    }
    expect(found).toEqual(table);
  });

  it('is idle once nothing is left to do, and a stop changes nothing then', async () => {
    for (const row of await rows()) await ledger.rows.move({ row, from: 'ready', to: 'withheld', reason: null });
    await finish({ at: 8, why: null });
    const idle = ledger.leads.of('nov');
    expect(idle.stands).toBe('idle');
    expect(await ledger.leads.stop('nov', byAda)).toBe(false);
    expect(ledger.leads.of('nov')).toEqual(idle);
  });

  it('is as it was while a hold stands, and stopped by the hold after its end', async () => {
    const before = ledger.leads.of('nov');
    const plan = { by: 'Ama', file: 'nov.csv', upload: null };
    await ledger.holds.unpropose(await ledger.holds.propose('nov', plan));
    expect(ledger.leads.of('nov'), 'a plan that was not made').toEqual(before);
    await ledger.holds.propose('nov', plan);
    expect(ledger.leads.of('nov')).toEqual(before);
    const said = { by: 'Kofi', did: 'plan-declined', declined: 'too much' };
    await ledger.holds.endProposal(ledger.holds.proposalOf('nov')!, said);
    expect(ledger.leads.of('nov')).toMatchObject({ stop: { why: { code: 'PROPOSAL_WAITS' } } });
    await ledger.leads.goOn('nov', ledger.leads.of('nov').turn);
    await ledger.holds.pause(null, 'Ada', 'The bank called.');
    await ledger.holds.endPause(null, 'Ada');
    expect(ledger.leads.of('nov')).toMatchObject({
      stop: { why: { code: 'PAUSED', facts: { batch: 'nov', paused: null } } },
    });
  });

  it('has a turn that each change moves on', async () => {
    const turns: number[] = [];
    for (const cause of ['a person continues', 'a person stops', 'a person stops', 'a person continues'] as const) {
      await causes[cause]();
      turns.push(ledger.leads.of('nov').turn);
    }
    expect(turns).toEqual([1, 2, 2, 3]);
  });

  it.each(['a person stops', 'a time is set'] as const)(
    '%s: no intent is written before somebody continues',
    async (cause) => {
      const [first, second] = await rows();
      await intend(first!);
      await causes[cause]();
      await expect(intend(second!)).rejects.toMatchObject({ code: 'STOPPED_BEFORE' });
      // The answer of a row under way is written all the same.
      await ledger.rows.move({ row: first!, from: 'sending', to: 'accepted', paymentId: 'p1' });
      await ledger.leads.goOn('nov', ledger.leads.of('nov').turn);
      await intend(second!);
    },
  );
});

describe.each(stores)('a worker on %s', (store: StoreName) => {
  let ledger: Ledger;
  let place: string;
  beforeEach(async () => {
    place = await newPlace(store);
    ledger = openLedger(place, systemClock);
    batch = 'nov';
    await take(ledger, 'nov', 2);
  });
  afterEach(async () => await ledger.close());

  /** Each line of a table has a batch of its own. */
  let batch = 'nov';
  const newBatch = async (line: number) => {
    batch = `nov ${line}`;
    await take(ledger, batch, 2);
  };
  const due = (now = 0, whose = identity): readonly string[] =>
    ledger.leads.whenDue(whose, now).flatMap((one) => (one.batch === batch ? [one.task] : []));
  const until = async (at: number) => await ledger.leads.finish(batch, { at, why: null }, null);
  const idle = async () => {
    for (const row of await ledger.rows.list({ batch, limit: 10 }))
      await ledger.rows.move({ row, from: 'ready', to: 'withheld', reason: null });
    await ledger.leads.finish(batch, { at: 8, why: null }, null);
  };
  it('follows payments while a hold stands', async () => {
    for (const row of await ledger.rows.list({ batch: 'nov', limit: 10 })) {
      await ledger.rows.move({ row, from: 'ready', to: 'sending', attempted: 1, submittedAt: 1 });
      await ledger.rows.move({ row, from: 'sending', to: 'accepted', paymentId: `p${row.id}` });
    }
    await until(7);
    await ledger.holds.pause(null, 'Ada', 'The bank called.');
    expect(due(7)).toEqual(['resume']);
  });

  const makes: Readonly<Record<string, () => Promise<unknown>>> = {
    going: async () => {},
    'waiting until 7': async () => await until(7),
    stopped: async () => await ledger.leads.stop(batch, byAda),
    idle,
    async 'idle, with a row that became ready'() {
      await idle();
      const [row] = await ledger.rows.list({ batch, limit: 1 });
      await ledger.rows.move({ row: row!, from: 'withheld', to: 'ready', reason: null });
    },
    paused: async () => await ledger.holds.pause(batch, 'Ada', 'The bank called.'),
    async 'no longer paused'() {
      await makes.paused!();
      await ledger.holds.endPause(batch, 'Ada');
    },
  };

  it('has this to do for a batch, at 6 and at 7', async () => {
    for (const [line, [how, at6, at7]] of (
      [
        ['going', ['resume'], ['resume']],
        ['waiting until 7', [], ['resume']],
        ['stopped', [], []],
        ['idle', [], []],
        ['idle, with a row that became ready', ['resume'], ['resume']],
        ['paused', [], []],
        ['no longer paused', [], []],
      ] as const
    ).entries()) {
      await newBatch(line);
      await makes[how]!();
      expect([how, due(6), due(7), due(7, 'another service')]).toEqual([how, at6, at7, []]);
    }
  });

  it('has nothing to do while a process holds the ledger', async () => {
    const leader = openLedger(place, systemClock);
    await leader.hold();
    expect(due()).toEqual([]);
    await leader.close();
  });

  const hour = { cron: '* * * * *', zone: 'UTC', next: 1000, expires: 500 };
  const useHour = async (now: number): Promise<string | null> => {
    const one = ledger.leads.hoursDue(identity, now).find((each) => each.batch === batch);
    return one === undefined ? 'none' : await ledger.leads.takeHour(one, 2000, now);
  };
  it('uses up an hour once: how the batch is, the time, and what becomes of the hour and of the batch', async () => {
    for (const [line, [how, now, end, stands]] of (
      [
        ['waiting until 7', 999, 'none', 'until'],
        ['waiting until 7', 1000, 'begun', 'going'],
        ['waiting until 7', 1500, 'begun', 'going'],
        ['waiting until 7', 1501, 'expired', 'stopped'],
        ['stopped', 1501, 'stopped', 'stopped'],
        ['paused', 1000, 'stopped', 'going'],
        ['idle', 1501, null, 'idle'],
      ] as const
    ).entries()) {
      await newBatch(line);
      await makes[how]!();
      await ledger.leads.schedule(batch, hour, 'Ada');
      expect([line, await useHour(now), ledger.leads.of(batch).stands]).toEqual([line, end, stands]);
      const next = ledger.leads.schedules().find((each) => each.batch === batch)?.next;
      expect([line, next]).toEqual([line, end === 'none' ? 1000 : 2000]);
      const kind = end === 'begun' ? 'hour' : end === 'expired' || end === 'stopped' ? 'hour missed' : 'scheduled';
      expect(await ledger.trail.newestEntry(batch, 'scheduled', 'hour', 'hour missed')).toMatchObject({ what: kind });
    }
  });

  it('leaves an hour to workers with the service of the batch, until it has expired', async () => {
    await ledger.leads.schedule('nov', hour, 'Ada');
    expect(ledger.leads.hoursDue('another service', 1500)).toEqual([]);
    const [one] = ledger.leads.hoursDue('another service', 1501);
    expect(await ledger.leads.takeHour(one!, 2000, 1501)).toBe('expired');
    expect(await ledger.leads.takeHour(one!, 2000, 1501), 'by a second worker').toBeNull();
    expect(ledger.leads.of('nov')).toMatchObject({ stop: { by: null, why: { code: 'HOUR_MISSED' } } });
  });

  it('uses no hour of a schedule that ended', async () => {
    expect(await ledger.leads.schedule('nov', null, 'Ada')).toBe(false);
    await ledger.leads.schedule('nov', hour, 'Ada');
    expect(await ledger.leads.schedule('nov', null, 'Ada')).toBe(true);
    expect([ledger.leads.schedules(), ledger.leads.hoursDue(identity, 9000)]).toEqual([[], []]);
  });
});

describe('a claim', () => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = openLedger(await newPlace('Postgres'), systemClock);
    await take(ledger, 'nov', 3);
    await openBatch(ledger);
  });
  afterEach(async () => await ledger.close());
  const claims = async () => (await claim(ledger.fleet!, 'A', 1)).length;

  it('asks whether the batch is going', async () => {
    expect(await claims()).toBe(1);
    await ledger.leads.stop('nov', byAda);
    expect(await claims()).toBe(0);
    await expect(openBatch(ledger)).rejects.toMatchObject({ code: 'STOPPED_BEFORE' });
    await ledger.leads.goOn('nov', ledger.leads.of('nov').turn);
    await openBatch(ledger);
    expect(await claims()).toBe(1);
  });

  it('makes its batch owe a result, which a worker writes unless the batch goes on', async () => {
    const due = () => ledger.leads.whenDue(identity, 0);
    expect(due()).toMatchObject([{ batch: 'nov', task: 'resume', sends: 1 }]);
    await ledger.leads.stop('nov', byAda);
    expect(due()).toMatchObject([{ batch: 'nov', task: 'report' }]);
    await ledger.leads.resultWritten('nov');
    expect(due()).toEqual([]);
  });

  it('stays forbidden after a pause that ends, until a person continues', async () => {
    await ledger.holds.pause(null, 'Ada', 'The bank called.');
    await ledger.holds.endPause(null, 'Ada');
    expect(ledger.leads.of('nov')).toMatchObject({ stands: 'stopped', stop: { why: { code: 'PAUSED' } } });
    await expect(openBatch(ledger)).rejects.toMatchObject({ code: 'STOPPED_BEFORE' });
  });
});
