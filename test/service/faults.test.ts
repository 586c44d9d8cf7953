/** Faults on purpose: what the caller sees, and what the service did all the same. */
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/service/service.ts';
import { until } from '../support.ts';
import { callerOf, everyItem, merchantOf, patientClock, started, tokenFor } from './started.ts';

const sent = { amount: 100, reference: 'Pay 1', tag: 't1' };

interface Struck {
  /** The caller goes when the fault has struck. */
  readonly leaves?: true;
  /** The service sleeps, for so long, until this has ended. */
  readonly asleep?: (ms: number, made: () => Promise<unknown[]>) => Promise<unknown>;
}

/** A service with one fault in its first POST /payments, and what came of that call. */
async function struck(action: FaultRule['action'], { leaves, asleep }: Struck = {}) {
  const sleep = async (ms: number) => void (await asleep?.(ms, made));
  const clock = { ...patientClock, ...(asleep === undefined ? {} : { sleep }) };
  const base = await started({ clock, faults: [{ route: 'POST /payments', nth: 1, action }] });
  const made = () => everyItem(base.call, '/payments');
  const merchantId = await merchantOf(base.call);
  const leaving = new AbortController();
  const isStruck = () => Object.keys(base.service.stats().faults).length > 0;
  const left = leaves && until('the fault has struck', isStruck).then(() => leaving.abort());
  let outcome: { status: number; text: string; headers: Headers } | { error: string };
  try {
    const response = await fetch(`${base.service.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${base.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...sent, merchantId }),
      signal: leaving.signal,
    });
    outcome = { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    outcome = { error: String((error as Error).cause ?? error) };
  }
  await left;
  return { ...base, merchantId, outcome, made };
}

describe('a connection that ends', () => {
  it.each(['reset', 'close'] as const)('before the commit leaves no payment (%s)', async (how) => {
    const { outcome, made, call, merchantId } = await struck({ kind: 'drop', at: 'before', how });
    expect(outcome).toHaveProperty('error');
    expect(await made()).toEqual([]);
    // The rule is about the first call only.
    expect((await call('POST', '/payments', { ...sent, merchantId })).status).toBe(201);
  });

  it.each(['reset', 'close'] as const)('after the commit leaves one (%s)', async (how) => {
    const { outcome, made } = await struck({ kind: 'drop', at: 'after', how });
    expect(outcome).toHaveProperty('error');
    expect(await made()).toMatchObject([sent]);
  });

  it('may be followed by a late commit', async () => {
    const { promise: later, resolve: commit } = Promise.withResolvers<void>();
    const { outcome, made } = await struck({ kind: 'late', ms: 1500 }, { asleep: () => later });
    expect(outcome).toHaveProperty('error');
    expect(await made()).toEqual([]);
    commit();
    await expect.poll(made).toMatchObject([sent]);
  });

  it('may never be followed by it, when the service ends first', async () => {
    const { service, folder, credentials } = await struck({ kind: 'late', ms: 60_000 });
    await service.close();
    const again = await started({ dataDir: folder });
    expect(
      await everyItem(callerOf(again.service.url, await tokenFor(again.service, credentials)), '/payments'),
    ).toEqual([]);
  });
});

describe('an answer that is not the handler’s', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('is a 500 %s the commit', async (at, payments) => {
    const { outcome, made } = await struck({ kind: 'answer', at, status: 500 });
    expect(outcome).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
    expect(await made()).toHaveLength(payments);
  });

  it('is a 429 that says how long to wait', async () => {
    const headers = { 'retry-after': '7' };
    const { outcome, made } = await struck({ kind: 'answer', at: 'before', status: 429, headers });
    expect(outcome).toMatchObject({ status: 429 });
    expect('headers' in outcome && outcome.headers.get('retry-after')).toBe('7');
    expect(await made()).toEqual([]);
  });

  it.each([
    ['a page', '<html>Bad Gateway</html>', 'text/html'],
    ['nothing', '', 'application/json'],
    ['a body without an id', '{"ok":true}', 'application/json'],
  ])('is %s with 200, after the commit', async (_what, body, type) => {
    const action = { kind: 'answer', at: 'after', status: 200, body, headers: { 'content-type': type } } as const;
    const { outcome, made } = await struck(action);
    expect(outcome).toMatchObject({ status: 200, text: body });
    expect(await made()).toHaveLength(1);
  });

  it.each(['length', 'chunked'] as const)('breaks off in its middle (%s)', async (framing) => {
    const { outcome, made } = await struck({ kind: 'cut', framing });
    expect(outcome).toHaveProperty('error');
    expect(await made()).toHaveLength(1);
  });

  it('breaks off and looks whole, where only the connection’s end would tell', async () => {
    const { outcome, made } = await struck({ kind: 'cut', framing: 'close' });
    expect(outcome).toMatchObject({ status: 201 });
    expect(() => JSON.parse((outcome as { text: string }).text)).toThrow();
    expect(await made()).toHaveLength(1);
  });

  it('comes byte by byte', async () => {
    const slept: number[] = [];
    const { outcome } = await struck({ kind: 'trickle', msPerByte: 7 }, { asleep: async (ms) => slept.push(ms) });
    const { text } = outcome as { text: string };
    expect(JSON.parse(text)).toMatchObject(sent);
    expect(slept).toEqual(Array.from(Buffer.from(text), () => 7));
  });
});

describe('time', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('passes %s the commit', async (at, already) => {
    const passed: [number, number][] = [];
    const asleep = async (ms: number, made: () => Promise<unknown[]>) => passed.push([ms, (await made()).length]);
    const { outcome, made } = await struck({ kind: 'delay', at, ms: 120 }, { asleep });
    expect(outcome).toMatchObject({ status: 201 });
    expect(passed).toEqual([[120, already]]);
    expect(await made()).toHaveLength(1);
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('stands still %s the commit, and the service closes all the same', async (at, payments) => {
    const { outcome, made, service } = await struck({ kind: 'hang', at }, { leaves: true });
    expect(outcome).toHaveProperty('error');
    expect(await made()).toHaveLength(payments);
    await service.close();
  });

  it.each([
    ['hangs already', [{ kind: 'hang', at: 'before' }]],
    [
      'comes to hang only then',
      [
        { kind: 'delay', at: 'before', ms: 60_000 },
        { kind: 'hang', at: 'after' },
      ],
    ],
  ] as const)('does not hold up closing: a call that %s is ended', async (_when, actions) => {
    const faults = actions.map((action) => ({ route: 'GET /merchants', action }));
    const { service, call } = await started({ clock: patientClock, faults });
    const hanging = call('GET', '/merchants').catch(() => 'ended');
    await until('the fault has struck', () => Object.keys(service.stats().faults).length > 0);
    await service.close();
    expect(await hanging).toBe('ended');
  });
});

describe('a deployment in the middle', () => {
  it('makes every token invalid, and new ones work', async () => {
    const { outcome, made, call, service, credentials, merchantId } = await struck({ kind: 'rotate' });
    expect(outcome).toMatchObject({ status: 401, text: '{"message":"Invalid token"}' });
    expect((await call('GET', '/payments')).status).toBe(401);
    const again = callerOf(service.url, await tokenFor(service, credentials));
    expect(await everyItem(again, '/payments')).toEqual([]);
    expect((await again('POST', '/payments', { ...sent, merchantId })).status).toBe(201);
    await expect(made()).rejects.toThrow(/401/);
  });
});

describe('the rules', () => {
  it('strike the calls they name: by number, from one on, at most so often, by seeded chance', async () => {
    const answer = (status: number) => ({ kind: 'answer', at: 'before', status }) as const;
    const statuses = async (rule: Partial<FaultRule>) => {
      const { call } = await started({ faults: [{ route: 'GET /merchants', action: answer(503), ...rule }] });
      const seen: boolean[] = [];
      for (let count = 0; count < 12; count += 1) seen.push((await call('GET', '/merchants')).status === 503);
      return seen.flatMap((hit, at) => (hit ? [at + 1] : []));
    };
    expect(await statuses({ nth: 3 })).toEqual([3]);
    expect(await statuses({ nth: [2, 5] })).toEqual([2, 5]);
    expect(await statuses({ from: 11 })).toEqual([11, 12]);
    expect(await statuses({ times: 2 })).toEqual([1, 2]);
    expect(await statuses({ probability: 0 })).toEqual([]);
    const chance = await statuses({ probability: 0.5, seed: 7 });
    expect(chance.length).toBeGreaterThan(0);
    expect(chance.length).toBeLessThan(12);
    expect(await statuses({ probability: 0.5, seed: 7 })).toEqual(chance);
    expect(await statuses({ route: 'POST /payments' })).toEqual([]);
  });

  it('must be about a route that there is, in words that are known', async () => {
    const action = { kind: 'hang', at: 'before' } as const;
    await expect(started({ faults: [{ route: 'POST /payment', action }] })).rejects.toMatchObject({
      code: 'FAULT_ROUTE_UNKNOWN',
      facts: { route: 'POST /payment' },
    });
    await expect(started({ faults: [{ route: '*', action, nht: 1 } as FaultRule] })).rejects.toThrow(/nht/);
  });
});
