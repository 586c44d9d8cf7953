/** What becomes of a claimed row at a real service: sent once or given back, and an answer that comes too late is kept and moves nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { openClient } from '../../src/client/client.ts';
import { defaultDocuments } from '../../src/domain/rows/document.ts';
import { statusesOf } from '../../src/domain/sending/payment.ts';
import { type Fleet, type Ledger, type LedgerRow, openLedger } from '../../src/ledger/ledger.ts';
import { type Deps, usualLimits } from '../../src/pipeline/deps.ts';
import { newRun, type PayRun, payClaimed, sendWindowMs } from '../../src/pipeline/sending/send-row.ts';
import { atEnd } from '../endings.ts';
import type { Independent } from '../independent/service.ts';
import { claim as claimOf, identity, openBatch, take } from '../ledger/claims.ts';
import { newPlace } from '../ledger/stores.ts';
import { posts } from '../protocol/desk.ts';
import { newService } from '../support.ts';

const member = 'W';
const stood = { wall: Date.now(), steady: performance.now() };
/** It stands still: a claim is good for a few seconds, whatever the machine needs for it. */
const clock: Clock = { ...systemClock, now: () => stood.wall, monotonic: () => stood.steady };

let ledger: Ledger;
let fleet: Fleet;
let run: PayRun;
let service: Independent;
/** What the service says to whoever asks for a payment with this tag. */
let answer: (tag: string) => { readonly status: number; readonly body: object };
let turnedAway: Set<number>;

beforeEach(async () => {
  ledger = openLedger(await newPlace('Postgres'), systemClock);
  fleet = ledger.fleet!;
  service = await newService();
  service.fault = ({ route, body }) =>
    route === 'POST /payments' ? { kind: 'answer', ...answer(String(body.tag)) } : undefined;
  turnedAway = new Set();
  const client = openClient({
    baseUrl: service.url,
    apiKey: new Secret(service.apiKey),
    apiSecret: new Secret(service.apiSecret),
    userId: null,
    concurrency: 4,
    timeoutMs: 80_000,
  });
  atEnd(() => client.close());
  const deps: Deps = {
    ledger,
    client,
    clock,
    service: { label: service.url, identity, embedded: false, asUser: false },
    actor: { driver: 'worker', name: null },
    limits: {
      ...usualLimits,
      concurrency: 4,
      waitMs: 0,
      callMs: 80_000,
      firstPollMs: 100,
      probeMs: 1000,
      doubt: { horizonMs: 0, confirmMs: 0, visibleMs: 0, policy: 'hold', presend: 'always', deadlineMs: 3000 },
      documents: defaultDocuments,
    },
    statuses: statusesOf(),
    stop: new AbortController().signal,
    progress: () => {},
    say: () => {},
  };
  await client.ready();
  const options = { sourceWords: new Map(), collecting: false, beganAt: 0, most: null };
  run = { ...(await newRun(deps, options, 0)), member: { name: member, fleet } };
  await take(ledger, 'nov', 3);
  await openBatch(ledger);
  await fleet.beat(member);
});

// Whoever is of a fleet holds its name in the whole database.
afterEach(() => ledger.close());

const claim = async (leaseMs = 60_000): Promise<LedgerRow> => (await claimOf(fleet, member, 1, { leaseMs }))[0]!;

/** Its lease ends before its answer comes. */
async function claimAndLose(): Promise<LedgerRow> {
  const row = await claim(1);
  await expect.poll(async () => await fleet.endLeases()).toBe(1);
  expect((await ledger.rows.row(row.id))!.state).toBe('in_doubt');
  return row;
}

const send = (row: LedgerRow, ageMs = 0) =>
  payClaimed(run, row, { wall: stood.wall - ageMs, steady: stood.steady - ageMs, turnedAway });
const stands = async ({ id }: LedgerRow) => {
  const { state, paymentId } = (await ledger.rows.row(id))!;
  return [state, paymentId];
};
const kept = async ({ id }: LedgerRow) =>
  (await ledger.trail.trailOf(id)).flatMap(({ what, data }) => (what === 'orphan' ? [data.answer] : []));

describe('a claimed row', () => {
  it('is given back and not sent when its machine slept since the claim, or its run ends', async () => {
    const slept = await claim();
    expect(await send(slept, sendWindowMs + 1)).toBeNull();
    expect(await stands(slept)).toEqual(['ready', null]);
    const [first, next] = [await claim(), await claim()];
    run.broken = true;
    expect(await send(first)).toBeNull();
    expect(await stands(first)).toEqual(['ready', null]);
    expect(posts(service)).toBe(0);
    expect((await stands(next))[0]).toBe('sending');
  });

  it('is let go for a new token once, and the second time the run ends for it', async () => {
    answer = () => ({ status: 401, body: { message: 'token expired' } });
    const row = await claim();
    expect(await send(row)).toBeNull();
    expect([await stands(row), run.stopped]).toEqual([['ready', null], null]);
    const again = await claim();
    expect(again.id).toBe(row.id);
    expect(await send(again)).toBeNull();
    expect(run.stopped?.code).toBe('CREDENTIALS_REFUSED');
    expect(await stands(row)).toEqual(['ready', null]);
    expect(posts(service)).toBe(2);
  });

  it('that alone is forbidden is refused, and the fleet counts that', async () => {
    answer = () => ({ status: 403, body: { message: 'this payee is blocked' } });
    const row = await claim();
    await send(row);
    await send(await claim());
    expect(await stands(row)).toEqual(['refused', null]);
    expect((await ledger.rows.row(row.id))!.reason).toContain('this payee is blocked');
    expect([run.stopped, run.refusedInARow]).toEqual([null, 0]);
  });

  it('whose answer says nothing of a payment is in doubt, and the fleet counts that', async () => {
    answer = () => ({ status: 500, body: { message: 'oh' } });
    const row = await claim();
    expect(await send(row)).toBeNull();
    expect(await stands(row)).toEqual(['in_doubt', null]);
    expect([run.doubtsInARow, run.unsettled.size, await kept(row)]).toEqual([0, 0, []]);
  });

  it('waits with all others where nobody listens, since nothing has left', async () => {
    const row = await claim();
    await service.close();
    expect(await send(row)).toBeNull();
    expect(await stands(row)).toEqual(['ready', null]);
    expect([run.patience, run.openAt > clock.monotonic()]).toEqual([1, true]);
  });
});

describe('an answer that comes after the lease', () => {
  it('without the tag is kept, and the row stays in doubt', async () => {
    answer = () => ({ status: 201, body: { id: 'p1' } });
    const row = await claimAndLose();
    const accepted = await send(row);
    expect([accepted?.id, await accepted?.written]).toEqual(['p1', false]);
    expect(await stands(row)).toEqual(['in_doubt', null]);
    expect(await kept(row)).toEqual([{ to: 'accepted', paymentId: 'p1' }]);
  });

  it('that says nothing of a payment is kept, and is no second doubt', async () => {
    answer = () => ({ status: 500, body: { message: 'oh' } });
    const row = await claimAndLose();
    expect(await send(row)).toBeNull();
    expect(await stands(row)).toEqual(['in_doubt', null]);
    expect(await kept(row)).toEqual([
      {
        to: 'in_doubt',
        reason: [
          {
            kind: 'answer-lost',
            failure: { fault: 'call-was-answered', call: 'POST /payments', status: 500, reason: 'oh' },
          },
        ],
      },
    ]);
  });

  it('with the tag settles it, but for one that names the payment of another row', async () => {
    answer = (tag) => ({ status: 201, body: { id: 'p1', tag } });
    const first = await claimAndLose();
    await (await send(first))!.written;
    expect(await stands(first)).toEqual(['accepted', 'p1']);
    const second = await claimAndLose();
    expect(await (await send(second))!.written).toBe(false);
    expect(await stands(second)).toEqual(['in_doubt', null]);
    expect(await kept(second)).toEqual([
      {
        to: 'in_doubt',
        reason: [{ kind: 'answered-with-other-payment', paymentId: 'p1', row: 'k1', batch: 'nov' }],
      },
    ]);
    expect([run.sent, run.unsettled.size]).toEqual([1, 0]);
  });
});
