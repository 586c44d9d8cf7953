/** Secrets are compared in a time that tells nothing, and what a caller may not see costs the same work as what is not there: by what is done, not by a stopwatch. */
import { StatementSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSigned, signatureOf } from '../../src/wire/webhook.ts';
import { newFormWith } from './forms.ts';
import { callerOf, merchantOf, paymentOf, started, tokenFor } from './started.ts';

/** The lengths of what was compared, and how often something was hashed with a key. */
const seen = vi.hoisted(() => ({ compared: [] as number[][], hashed: 0 }));

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const timingSafeEqual: typeof crypto.timingSafeEqual = (one, other) => {
    seen.compared.push([one.byteLength, other.byteLength]);
    return crypto.timingSafeEqual(one, other);
  };
  const createHmac: typeof crypto.createHmac = (...args) => {
    seen.hashed += 1;
    return crypto.createHmac(...args);
  };
  return { ...crypto, default: { ...crypto, timingSafeEqual, createHmac }, timingSafeEqual, createHmac };
});

afterEach(() => vi.restoreAllMocks());

/** What was compared and hashed, and which statements ran how often, while this went on. */
async function workOf<T>(go: () => Promise<T>) {
  seen.compared = [];
  seen.hashed = 0;
  const reading = vi.spyOn(StatementSync.prototype, 'all');
  const writing = vi.spyOn(StatementSync.prototype, 'run');
  const answer = await go();
  const statements = [...reading.mock.contexts, ...writing.mock.contexts]
    .map((statement) => (statement as StatementSync).sourceSQL)
    // Looking for webhooks that are due goes by the clock.
    .filter((text) => !text.includes('webhook_calls'));
  vi.restoreAllMocks();
  return { answer, work: { compared: seen.compared, hashed: seen.hashed, statements } };
}

describe('a comparison', () => {
  it('of an API secret does the same for a right one, any wrong one and a key that nobody has', async () => {
    const { anonymous, credentials, service } = await started();
    const other = await service.tenants.add('Other');
    const { apiKey, apiSecret } = credentials;
    const pairs = {
      right: credentials,
      'wrong at its end': { apiKey, apiSecret: `${apiSecret.slice(0, -1)}~` },
      'wrong at its beginning': { apiKey, apiSecret: `~${apiSecret.slice(1)}` },
      short: { apiKey, apiSecret: 's' },
      long: { apiKey, apiSecret: apiSecret.repeat(50) },
      'of another tenant': { apiKey, apiSecret: other.apiSecret },
      'for a key that nobody has': { apiKey: 'pk_nobody', apiSecret },
    };
    const works = [];
    for (const [what, pair] of Object.entries(pairs)) {
      const { answer, work } = await workOf(async () => (await anonymous('POST', '/token', pair)).status);
      expect([what, answer]).toEqual([what, what === 'right' ? 200 : 401]);
      works.push(work);
    }
    expect(works[0]).toMatchObject({ compared: [[64, 64]], hashed: 1, statements: [expect.any(String)] });
    for (const work of works) expect(work).toEqual(works[0]);
  });

  it('of a presigned address compares the whole signature, wherever it is wrong', async () => {
    const { call } = await started();
    const payment = await paymentOf(call, await merchantOf(call));
    await call('POST', `/payments/${payment.id}/document`, newFormWith({}));
    const [document] = (await call('GET', `/payments/${payment.id}/documents`)).body.items;
    const right = new URL(document.presignedUrl);
    const signature = right.searchParams.get('signature')!;
    const works = [];
    for (const wrong of [`~${signature.slice(1)}`, `${signature.slice(0, -1)}~`, '~'.repeat(signature.length)]) {
      right.searchParams.set('signature', wrong);
      const { answer, work } = await workOf(async () => (await fetch(right)).status);
      expect(answer).toBe(403);
      works.push(work);
    }
    expect(works[0]).toEqual({ compared: [[signature.length, signature.length]], hashed: 1, statements: [] });
    for (const work of works) expect(work).toEqual(works[0]);
  });

  it('of a webhook’s signature compares the whole of it', async () => {
    const body = Buffer.from('{"id":"p-1"}');
    const right = signatureOf('secret', 1_763_712_000, body);
    const flipped = (at: number) => right.slice(0, at) + (right[at] === '0' ? '1' : '0') + right.slice(at + 1);
    const headers = [right, flipped(right.length - 64), flipped(right.length - 1)];
    const verdicts = [];
    for (const header of headers) {
      const { answer, work } = await workOf(async () => isSigned(header, 'secret', body, 1_763_712_000_000));
      verdicts.push(answer);
      expect(work).toEqual({ compared: [[right.length, right.length]], hashed: 1, statements: [] });
    }
    expect(verdicts).toEqual([true, false, false]);
  });
});

describe('another tenant’s id', () => {
  it('costs the statements, and gets the answer, of one that nobody has', async () => {
    const base = await started({ settle: { afterMs: 0 } });
    const theirs = callerOf(base.service.url, await tokenFor(base.service, await base.service.tenants.add('Other')));
    const merchantId = await merchantOf(base.call);
    const payment = await paymentOf(base.call, merchantId);
    const { userId } = (await base.call('POST', '/users', { email: 'a@example.com', name: 'A' })).body;
    const nobody = '00000000-0000-4000-8000-000000000000';
    const asks: [string, string, (id: string) => string, ((id: string) => unknown)?][] = [
      ['POST', userId, () => '/tokens/user', (id) => ({ userId: id })],
      ['GET', userId, (id) => `/users/${id}`],
      ['PATCH', userId, (id) => `/users/${id}`, () => ({ firstName: 'Taken' })],
      ['DELETE', userId, (id) => `/users/${id}`],
      ['POST', userId, (id) => `/users/${id}/kyc-documents`, () => newFormWith({ documentType: 'other' })],
      ['GET', merchantId, (id) => `/merchants/${id}`],
      ['PATCH', merchantId, (id) => `/merchants/${id}`, () => ({ name: 'Taken' })],
      ['POST', merchantId, () => '/payments', (id) => ({ merchantId: id, amount: 1, reference: 'x' })],
      ['GET', payment.id, (id) => `/payments/${id}`],
      ['POST', payment.id, (id) => `/payments/${id}/document`, () => newFormWith({})],
      ['GET', payment.id, (id) => `/payments/${id}/documents`],
    ];
    // A tenant is looked for with its first call only.
    await theirs('GET', '/merchants');
    for (const [method, foreign, path, body] of asks) {
      const told = async (id: string) => {
        const { status, body: said } = await theirs(method, path(id), body?.(id));
        return { status, said };
      };
      const ofForeign = await workOf(async () => await told(foreign));
      const ofNobody = await workOf(async () => await told(nobody));
      expect([method, path(':id'), ofForeign]).toEqual([method, path(':id'), ofNobody]);
      expect(ofForeign.answer.status).toBe(404);
      expect(ofForeign.work.statements.length).toBeGreaterThan(0);
    }
  });
});
