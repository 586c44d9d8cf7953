/** Reading answers loosely: tables of what honest services may write, and of what must not be guessed. */
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import {
  expiryIn,
  fieldNames,
  messageOf,
  pageOf,
  paymentIdOf,
  readMerchant,
  readPayment,
  tokenIn,
} from '../../src/client/answers.ts';
import { readRetryAfter } from '../../src/client/exchange.ts';
import { CallFailure, callOutcome } from '../../src/client/failure.ts';
import { maxTries, readRetryDelay, withRetries } from '../../src/client/retry.ts';

describe('callOutcome: what an answer to POST /payments proves', () => {
  const object = { message: 'no' };
  it.each<readonly [number, unknown, string]>([
    [200, undefined, 'done'],
    [201, object, 'done'],
    [202, '<html>', 'done'],
    [299, null, 'done'],
    [199, object, 'unknown'],
    [300, object, 'unknown'],
    [400, object, 'refused'],
    [404, object, 'refused'],
    [413, object, 'refused'],
    [415, object, 'refused'],
    [422, object, 'refused'],
    [422, {}, 'refused'],
    [400, '<html>Bad gateway</html>', 'unknown'],
    [404, 'not found', 'unknown'],
    [422, undefined, 'unknown'],
    [422, null, 'unknown'],
    [422, [], 'unknown'],
    [401, object, 'not-sent'],
    [429, '<html>', 'not-sent'],
    [403, object, 'refused'],
    [100, object, 'unknown'],
    [301, object, 'unknown'],
    [302, object, 'unknown'],
    [307, object, 'unknown'],
    [402, object, 'unknown'],
    [405, object, 'unknown'],
    [408, object, 'unknown'],
    [409, object, 'unknown'],
    [410, object, 'unknown'],
    [425, object, 'unknown'],
    [451, object, 'unknown'],
    [500, object, 'unknown'],
    [502, '<html>', 'unknown'],
    [503, object, 'unknown'],
    [504, object, 'unknown'],
  ])('%i with %j is %s', (status, body, outcome) => {
    expect(callOutcome(status, body)).toBe(outcome);
  });
});

it('a failed call is told by its own name', () => {
  const failure = new CallFailure('unknown', { fault: 'call-was-cut', call: 'POST /payments' });
  expect(String(failure)).toMatch(/^CallFailure: POST \/payments: /);
});

describe('callOutcome, where the configuration names a status that refuses', () => {
  const object = { message: 'no' };
  it.each([
    [409, object, 'refused'],
    [409, '<html>', 'unknown'],
    [422, object, 'refused'],
    [410, object, 'unknown'],
    [401, object, 'not-sent'],
    [429, object, 'not-sent'],
    [200, object, 'done'],
  ])('%i with %j is %s', (status, body, outcome) => {
    expect(callOutcome(status, body, [409, 401, 429, 200])).toBe(outcome);
  });
});

describe('tokenIn', () => {
  const jwt = 'aaa.bbb.ccc';
  it.each<readonly [string, unknown, string | undefined, string | null]>([
    ['token', { token: jwt, expiry: 1 }, undefined, jwt],
    ['accessToken, nested', { data: { accessToken: jwt } }, undefined, jwt],
    ['a name nobody knows, deep down', { a: { b: { c: { sesame: jwt } } } }, undefined, jwt],
    ['a usual name without dots', { access_token: 'opaque' }, undefined, 'opaque'],
    ['two with dots: the usual name decides', { refresh: 'x.y.z', token: jwt }, undefined, jwt],
    ['two with dots and no usual name', { one: jwt, two: 'x.y.z' }, undefined, null],
    ['the configured name wins over dots', { token: jwt, mine: 'opaque' }, 'mine', 'opaque'],
    ['the configured name is not there', { token: jwt }, 'mine', jwt],
    ['opaque and unusual', { sesame: 'opaque' }, undefined, null],
    ['a sentence with two dots is no token', { note: 'Good for. one. hour' }, undefined, null],
    ['an IP address has three dots', { host: '10.0.0.1', token: 'opaque' }, undefined, 'opaque'],
    ['an empty token', { token: '' }, undefined, null],
    ['a number', { token: 17 }, undefined, null],
    ['null', null, undefined, null],
    ['a plain text', 'aaa.bbb.ccc', undefined, 'aaa.bbb.ccc'],
    ['an empty body', undefined, undefined, null],
    ['a list', [{ token: jwt }], undefined, jwt],
  ])('%s', (_title, body, configured, token) => {
    expect(tokenIn(body, configured)).toBe(token);
  });

  it('never says a value when it names the fields', () => {
    expect(fieldNames({ data: { bearer: 'secret' }, expiry: 5 })).toBe('bearer, expiry');
    expect(fieldNames(null)).toBe('');
  });

  it('is looked for six levels deep, and no deeper', () => {
    const nested = (levels: number): unknown => (levels === 0 ? jwt : { a: nested(levels - 1) });
    expect([tokenIn(nested(6)), tokenIn(nested(7))]).toEqual([jwt, null]);
  });

  it.each<readonly [unknown, number | null]>([
    [{ expiry: 1_800_000_000_000 }, 1_800_000_000_000],
    [{ data: { expiry: 1_800_000_000_000 } }, 1_800_000_000_000],
    [{ expiry: '1800000000000' }, null],
    [{ expires_in: 3600 }, null],
    [null, null],
  ])('expiryIn %j', (body, expiry) => {
    expect(expiryIn(body)).toBe(expiry);
  });
});

describe('paymentIdOf', () => {
  it.each<readonly [unknown, string | undefined, string | null]>([
    [{ id: 'a' }, undefined, 'a'],
    [{ id: 42 }, undefined, '42'],
    [{ id: 0 }, undefined, '0'],
    [{ paymentId: 'a' }, undefined, 'a'],
    [{ payment: { id: 'a' } }, undefined, 'a'],
    [{ data: { id: 'a' } }, undefined, 'a'],
    [{ data: { paymentId: 'a' } }, undefined, 'a'],
    [{ id: '', paymentId: 'b' }, undefined, 'b'],
    [{ id: null, data: { id: 'b' } }, undefined, 'b'],
    [{ id: 'a', result: { ref: 'z' } }, 'result.ref', 'z'],
    [{ id: 'a' }, 'result.ref', 'a'],
    [{ id: 1.5 }, undefined, null],
    [{ id: 2 ** 60 }, undefined, null],
    [{ id: true }, undefined, null],
    [{ id: { value: 'a' } }, undefined, null],
    [{ id: ['a'] }, undefined, null],
    [{ ok: true }, undefined, null],
    [{}, 'constructor.name', null],
    [[], undefined, null],
    ['id', undefined, null],
    [null, undefined, null],
    [undefined, undefined, null],
  ])('of %j (configured: %s) is %j', (body, configured, id) => {
    expect(paymentIdOf(body, configured)).toBe(id);
  });
});

describe('messageOf', () => {
  it.each<readonly [unknown, string | null]>([
    [{ message: 'no' }, 'no'],
    [{ error: 'no' }, 'no'],
    [{ detail: 'no' }, 'no'],
    [{ errors: ['a', 'b'] }, 'a; b'],
    [{ errors: ['', 7, null, { code: 1 }] }, '""; 7; null; {"code":1}'],
    [{ message: { length: 3 } }, '{"length":3}'],
    [{ errors: [{ message: 'a' }, { detail: 'b' }] }, 'a; b'],
    [{ error: { message: 'no' } }, 'no'],
    [{ message: ['a', 'b'] }, 'a; b'],
    [{ message: null, error: 'no' }, 'no'],
    [{ status: 7 }, '{"status":7}'],
    ['plain', 'plain'],
    ['', null],
    [undefined, null],
    [null, null],
    [7, null],
  ])('of %j is %j', (body, words) => {
    expect(messageOf(body)).toBe(words);
  });

  it.each<[string, unknown]>([
    ['a page of HTML', 'x'.repeat(5000)],
    ['a long message', { message: 'x'.repeat(5000) }],
    ['a long list', { errors: ['x'.repeat(400), 'x'.repeat(400)] }],
    ['another field', { other: 'x'.repeat(5000) }],
  ])('is cut at 500 characters, so that it does not fill a cell: %s', (_title, body) => {
    expect(messageOf(body)).toHaveLength(500);
  });

  const jwt = 'eyJhbGci-OiJI_1.eyJzdWIi-OiIx_2.c2ln-bmF0_dXJl';
  it.each<[string, unknown, string]>([
    ['a token', `${jwt} has ended`, '[token] has ended'],
    ['two of them', { message: `${jwt} is not ${jwt}` }, '[token] is not [token]'],
    ['one without a signature', { errors: [`${jwt.slice(0, jwt.lastIndexOf('.'))}. is none`] }, '[token] is none'],
    ['one behind its scheme', 'got Bearer  opaque-1.2/3 instead', 'got Bearer [token] instead'],
    ['a scheme in other letters', { other: 'BEARER x' }, '{"other":"Bearer [token]'],
    ['one that the cut would fall into', `${'x'.repeat(490)} ${jwt}`, `${'x'.repeat(490)} [token]`],
    ['control characters', 'a\u0000\u001b\u0007b\r\nc\u202ed', 'a b c d'],
  ])('shows no secret and commands no terminal: %s', (_title, body, words) => {
    expect(messageOf(body)).toBe(words);
  });
});

describe('readRetryAfter', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  it.each<readonly [string | undefined, number | null]>([
    [undefined, null],
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
    ['1.5', null],
  ])('%j is %j ms', (header, ms) => {
    const read = readRetryAfter(header, now);
    // A word that JavaScript takes for a date is at worst "now": never a negative wait, never more than it says.
    if (ms === null) expect(read === null || read === 0).toBe(true);
    else expect(read).toBe(ms);
  });
});

describe('readRetryDelay: only calls that change nothing are repeated, and never for ever', () => {
  const call = 'GET /payments';
  const failure = (status: number | null, retryAfterMs: number | null = null) =>
    status === null
      ? new CallFailure('unknown', { fault: 'call-was-cut', call })
      : new CallFailure('unknown', { fault: 'call-was-answered', call, status, reason: null }, retryAfterMs);
  it.each<readonly [string, CallFailure, number, number | null]>([
    ['no answer', failure(null), 1, 250],
    ['no answer, the second time', failure(null), 2, 500],
    ['no answer, the fourth time', failure(null), 4, 2000],
    ['no answer, the fifth time', failure(null), maxTries, null],
    ['429 as told', failure(429, 7000), 1, 7000],
    ['429 told too long is capped', failure(429, 3_600_000), 1, 120_000],
    ['429 without a word', failure(429), 1, 250],
    ['500', failure(500), 1, 250],
    ['503', failure(503), 3, 1000],
    ['408', failure(408), 1, 250],
    ['425', failure(425), 1, 250],
    ['404', failure(404), 1, null],
    ['400', failure(400), 1, null],
    ['409', failure(409), 1, null],
    ['302', failure(302), 1, null],
  ])('%s', (_title, failed, tries, delayMs) => {
    expect(readRetryDelay(failed, tries, 0.5)).toBe(delayMs);
  });
});

it.each([
  [1, 0, 125],
  [1, 1, 375],
  [3, 0.25, 750],
])('the wait after try %i, at random %f, is %i ms: never the same for all who failed together', (tries, random, ms) =>
  expect(
    readRetryDelay(new CallFailure('not-sent', { fault: 'call-was-cut', call: 'GET /payments' }), tries, random),
  ).toBe(ms),
);

describe('withRetries', () => {
  const unreached = new CallFailure('not-sent', { fault: 'call-was-cut', call: 'GET /payments' });
  const refused = new CallFailure('refused', {
    fault: 'call-was-answered',
    call: 'GET /payments',
    status: 400,
    reason: 'no',
  });
  const bug = new TypeError('a bug');
  it.each<[string, readonly Error[], string, readonly number[]]>([
    ['an answer is handed on', [], 'done', []],
    ['a call that fails twice is made three times', [unreached, unreached], 'done', [250, 500]],
    ['a refusal is told at once', [refused], refused.message, []],
    ['a refusal ends the trying', [unreached, refused], refused.message, [250]],
    ['a bug is no failed call', [bug], 'a bug', []],
    ['five times, and no more', [1, 2, 3, 4, 5].map(() => unreached), unreached.message, [250, 500, 1000, 2000]],
  ])('%s', async (_title, failures, end, waits) => {
    const slept: number[] = [];
    const clock: Clock = { ...systemClock, random: () => 0.5, sleep: async (ms) => void slept.push(ms) };
    const left = [...failures];
    const call = async () => {
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return 'done';
    };
    expect(await withRetries(clock, call).catch((error: unknown) => (error as Error).message)).toBe(end);
    expect([slept, left]).toEqual([waits, []]);
  });
});

describe('lists and records', () => {
  it.each<readonly [unknown, boolean]>([
    [{ items: [], offsetMarker: null }, true],
    [{ items: [null, 'x'], offsetMarker: 'm', total: 9 }, true],
    [{ items: [] }, false],
    [{ items: {}, offsetMarker: null }, false],
    [{ items: [], offsetMarker: 7 }, false],
    [[], false],
    ['<html>', false],
    [undefined, false],
  ])('the envelope %j is a page: %s', (body, page) => {
    expect(pageOf(body) !== null).toBe(page);
  });

  it.each<readonly [unknown, string | null]>([
    [{ id: 'a' }, 'a'],
    [{ id: 7 }, '7'],
    [{ payment: { id: 'a' } }, 'a'],
    [{ data: { id: 'a' } }, 'a'],
    [{ id: 'a', amount: '12', tag: 7, status: {} }, 'a'],
    [{ id: 'a', payment: { id: 'b' }, data: { id: 'c' } }, 'a'],
    [{ id: '' }, null],
    [{}, null],
    ['x', null],
    [null, null],
  ])('the payment %j has the id %j', (body, id) => {
    expect(readPayment(body)?.id ?? null).toBe(id);
  });

  it.each<readonly [unknown, object | null]>([
    [
      { id: 'm', name: 'Ann', accountNumber: 12, bankCode: '' },
      { id: 'm', accountNumber: '12', bankCode: null },
    ],
    [
      { id: 7, lnurl: null },
      { id: '7', lnurl: null },
    ],
    [{ name: 'nobody' }, null],
    [undefined, null],
  ])('the merchant %j', (body, merchant) => {
    const read = readMerchant(body);
    if (merchant === null) expect(read).toBeNull();
    else expect(read).toMatchObject(merchant);
  });
});
