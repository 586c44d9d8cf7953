/** Payments that webhooks name are read at once, and nothing is asked by the clock in between. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resume } from '../../src/app/run-batch.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { assemble } from '../../src/cli/compose/assemble.ts';
import { loadSettings } from '../../src/cli/compose/config.ts';
import { exitOf } from '../../src/cli/render/exit-code.ts';
import { type Hints, openHints } from '../../src/pipeline/webhooks/receiver.ts';
import { deskFor, newService } from '../held-clock.ts';
import type { Call, Fault, Independent } from '../independent/service.ts';
import { csvOf, type Desk, kenyanRows, pay, type SheetRow } from '../support.ts';

const advance = { updateNames: false, skipInvalid: false, outDir: null, format: null } as const;

it.each([
  ['three rows by id', 3],
  ['thirty from the list', 30],
])('%s, to their end, whatever the hints say and however often they come', async (_title, count) => {
  const service = await newService({ settleAfterMs: 0 });
  const desk = deskFor(service, kenyanRows(count));
  await pay(desk, '--batch', 'nov', '--concurrency', '16');
  const asked: string[] = [];
  service.fault = ({ route }) => {
    asked.push(route);
    return undefined;
  };
  const hints = openHints();
  const ended = waited(desk, hints, []);
  const ids = service.payments.map(({ id }) => String(id));
  for (const id of [...ids, ...ids, 'somebody', ids[0]!]) hints.put({ ids: [id, 'e-1'], signed: true });
  expect(await ended).toMatchObject({ exit: 0, rows: { paid: count } });
  const reads = asked.filter((route) => route.startsWith('GET /payments'));
  expect(reads.length, reads.join()).toBeLessThanOrEqual(count + 1);
});

interface Waiting {
  readonly waitMs?: number;
  readonly stop?: AbortSignal;
}

/**
 * `resume nov`, and what happens in the world whenever it waits. The clock alone would never look: a long pause ends with a hint, or not
 * at all, unless what happened says that it `passes`.
 */
async function waited(
  desk: Desk,
  hints: Hints,
  happenings: (() => unknown)[],
  { waitMs = 3_600_000, stop = AbortSignal.timeout(150_000) }: Waiting = {},
) {
  let moved = 0;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + moved,
    sleep: async (delayMs, signal) => {
      const isLong = delayMs > 1000;
      const passes = isLong && happenings.shift()?.() === 'passes';
      if (passes) moved += delayMs;
      await systemClock.sleep(isLong && !passes ? 3_600_000 : 1, signal);
    },
  };
  const { deps, close } = await assemble({
    settings: loadSettings({ env: desk.env, cwd: desk.folder }, {}),
    fresh: false,
    concurrency: 8,
    waitMs,
    stop,
    actor: { driver: 'terminal', name: null },
    hints,
    progress: () => {},
    say: () => {},
    clock,
  });
  try {
    const outcome = await resume(
      { ...deps, limits: { ...deps.limits, firstPollMs: 10_000 } },
      { ...advance, batch: 'nov' },
    );
    return { ...outcome, exit: exitOf(outcome.end) };
  } finally {
    await close();
  }
}

/** Three payments that have ended, which the ledger does not know yet. */
async function ended() {
  const service = await newService({ settleAfterMs: 0 });
  const desk = deskFor(service, kenyanRows(3));
  await pay(desk, '--batch', 'nov');
  const hints = openHints();
  const hearAll = () => hints.put({ ids: service.payments.map(({ id }) => String(id)), signed: true });
  return { service, desk, hints, hearAll, asked: () => service.calls.get(byId) ?? 0 };
}

const byId = 'GET /payments/:id';
/** No payment can be read now. */
const unread = ({ route }: Call): Fault | undefined => (route === byId ? { kind: 'answer', status: 409 } : undefined);
/** The key is no longer good. */
const refused = ({ route }: Call): Fault | undefined =>
  route === byId || route === 'POST /token' ? { kind: 'answer', status: 401 } : undefined;

describe.concurrent('what was heard', () => {
  it('before a run that waits for nothing is asked about by it', async () => {
    const { desk, hints, hearAll } = await ended();
    hearAll();
    expect(await waited(desk, hints, [], { waitMs: 0 })).toMatchObject({ exit: 0, rows: { paid: 3 } });
  });

  it('before a run that is stopped is not', async () => {
    const { desk, hints, hearAll, asked } = await ended();
    const before = asked();
    hearAll();
    const { rows } = await waited(desk, hints, [], { waitMs: 0, stop: AbortSignal.abort() });
    expect([rows.pending, asked()]).toEqual([3, before]);
  });

  it('at a moment at which no payment can be read is found by the next look', async () => {
    const { service, desk, hints, hearAll, asked } = await ended();
    const before = asked();
    const { exit, rows } = await waited(desk, hints, [
      () => {
        service.fault = unread;
        hearAll();
      },
      () => {
        expect(asked()).toBe(before + 3);
        service.fault = () => undefined;
        return 'passes';
      },
    ]);
    expect([exit, rows.paid, asked()]).toEqual([0, 3, before + 6]);
  });

  it('with a key that is refused meanwhile ends the wait, and the payments stay pending', async () => {
    const { service, desk, hints, hearAll } = await ended();
    const { rows, stopped } = await waited(desk, hints, [
      () => {
        service.fault = refused;
        hearAll();
      },
    ]);
    expect([rows.pending, stopped?.code]).toEqual([3, 'CREDENTIALS_REFUSED']);
  });
});

describe.concurrent('a hint for a payment that had expired', () => {
  const rows = kenyanRows(3, 3).map(({ row_id: _row_id, ...row }) => row);

  /** The third row of a sheet has expired, and payment `id` may be said to end in another way. */
  async function expired(name: string) {
    const service = await newService({ expires: new Set(['Ref 3']) });
    const desk = deskFor(service, rows);
    expect((await pay(desk, '--batch', name, '--wait', '20s')).document.rows).toMatchObject({ paid: 2, unpaid: 1 });
    const late = service.payments.find(({ reference }) => reference === 'Ref 3')!;
    Object.assign(late, { ends: 'expired' });
    const hints = openHints();
    return { service, desk, hints, late, hear: (id: unknown) => hints.put({ ids: [String(id)], signed: false }) };
  }

  /** One more row, which stays pending; in a sheet of its own there may be another one behind it. */
  async function pending(
    desk: Desk,
    service: Independent,
    row: SheetRow,
    more: readonly string[] = [],
    behind: readonly SheetRow[] = [],
  ) {
    service.fault = ({ route }) => {
      if (route !== 'POST /payments')
        for (const payment of service.payments)
          if (payment.reference === row.reference && payment.amount === Number(row.amount))
            Object.assign(payment, { ends: payment.ends ?? 'never' });
      return undefined;
    };
    writeFileSync(desk.sheet, csvOf(more.includes('--add') ? [...rows, row] : [row, ...behind]));
    expect((await pay(desk, '--batch', 'nov', '--wait', '0', ...more)).document.rows.pending).toBe(1);
    return service.payments.at(-1)!;
  }

  it('makes it known at once, with all the others still open', async () => {
    const { service, desk, hints, late, hear } = await expired('nov');
    const open = await pending(desk, service, { ...rows[0]!, reference: 'Ref 4' }, ['--add']);
    const paid: unknown[] = [];
    const { exit, rows: counts } = await waited(desk, hints, [
      () => {
        Object.assign(late, { ends: 'success' });
        hear(late.id);
      },
      () => {
        paid.push(late.id);
        Object.assign(open, { ends: 'success' });
        hear(open.id);
      },
    ]);
    expect([exit, counts.paid, paid]).toEqual([0, 4, [late.id]]);
  });

  it('is an alarm where the same payment was sent since, in the run that waits for that copy', async () => {
    const { service, desk, hints, late, hear } = await expired('oct');
    const copy = await pending(desk, service, { ...rows[2]!, row_id: 'n3' });
    const { exit, stopped } = await waited(desk, hints, [
      () => {
        Object.assign(late, { ends: 'success' });
        hear(late.id);
      },
      () => {
        Object.assign(copy, { ends: 'success' });
        hear(copy.id);
      },
    ]);
    expect([exit, stopped?.code, JSON.stringify(stopped?.facts)]).toEqual([
      27,
      'COPIES_PAID',
      expect.stringContaining(String(late.id)),
    ]);
  });

  it('is an alarm among the first rows of its copy’s batch too, and no other row of that is sent', async () => {
    const { service, desk, hints, late, hear } = await expired('oct');
    const other = { ...rows[0]!, reference: 'Ref 5' };
    const copy = await pending(desk, service, { ...rows[2]!, row_id: 'n3' }, ['--canary', '1'], [other]);
    const {
      exit,
      stopped,
      rows: counts,
    } = await waited(desk, hints, [
      () => {
        Object.assign(late, { ends: 'success' });
        hear(late.id);
      },
      () => {
        Object.assign(copy, { ends: 'success' });
        hear(copy.id);
      },
    ]);
    expect([exit, stopped?.code, JSON.stringify(stopped?.facts)]).toEqual([
      27,
      'COPIES_PAID',
      expect.stringContaining(String(late.id)),
    ]);
    expect([counts.paid, counts.not_sent, service.payments.length]).toEqual([1, 1, 4]);
  });

  it('and cannot be read now is asked about again at the next look', async () => {
    const { service, desk, hints, late, hear } = await expired('nov');
    const open = await pending(desk, service, { ...rows[0]!, reference: 'Ref 4' }, ['--add']);
    const { exit, rows: counts } = await waited(desk, hints, [
      () => {
        Object.assign(late, { ends: 'success' });
        service.fault = unread;
        hear(late.id);
      },
      () => {
        service.fault = () => undefined;
        return 'passes';
      },
      () => {
        Object.assign(open, { ends: 'success' });
        hear(open.id);
      },
    ]);
    expect([exit, counts.paid]).toEqual([0, 4]);
  });

  it('with a key that is refused meanwhile ends the wait, and it stays unpaid', async () => {
    const { service, desk, hints, late, hear } = await expired('nov');
    await pending(desk, service, { ...rows[0]!, reference: 'Ref 4' }, ['--add']);
    const { rows: counts, stopped } = await waited(desk, hints, [
      () => {
        Object.assign(late, { ends: 'success' });
        service.fault = refused;
        hear(late.id);
      },
    ]);
    expect([counts.unpaid, counts.pending, stopped?.code]).toEqual([1, 1, 'CREDENTIALS_REFUSED']);
  });
});
