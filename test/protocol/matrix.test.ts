/**
 * What can go wrong with one call, as a table: the fault, what the rows are afterwards, and how many payments there
 * are. Whatever the fault, no row has two payments, every doubt is shown, and a second run sends nothing again.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Fault, Shape } from '../independent/service.ts';
import { command, kenyanRows, newFolder, until } from '../support.ts';
import {
  atPayment,
  expectNoDouble,
  machine,
  pastTwiceMs,
  paymentsOf,
  posts,
  proxied,
  run,
  statusOf,
  twiceIn,
  type Watched,
  watched,
  widths,
} from './desk.ts';
import type { Toxic } from './proxy.ts';

/** Which payment goes wrong: the fifth, or another one for each seed of the long run. Never the first, which goes alone. */
const seed = Number(process.env.PAYRUN_TEST_SEED ?? 0);
const html = '<html><body>Bad Gateway</body></html>';

/** Answers of our own making, as bytes on the wire. */
const bytes = {
  chunkedAndCut:
    'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"id":"3f',
  endedByClosing: 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"id":"3f',
  withoutEnd: 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n',
};

type Becomes =
  /** The payment exists and the run's own last pass found it. */
  | 'found'
  /** No payment exists, and nothing may say so yet. */
  | 'in doubt'
  /** The answer was good. */
  | 'accepted'
  /** The service said no. */
  | 'unpaid';

/** Faults of one call for a payment; the request may never arrive, and the row is in doubt all the same. */
const single: readonly (readonly [name: string, Fault | Toxic, Becomes])[] = [
  ['F4 time-out, and no payment', { kind: 'hang' }, 'in doubt'],
  ['F5 time-out after the payment was made', { kind: 'hang', after: true }, 'found'],
  ['F7 RST before the payment', { kind: 'reset' }, 'in doubt'],
  ['F8 RST after the payment', { kind: 'reset', after: true }, 'found'],
  ['F9 FIN before the payment', { kind: 'fin' }, 'in doubt'],
  ['F9 FIN after the payment', { kind: 'fin', after: true }, 'found'],
  ['F10 an answer cut short of its length', { kind: 'limit_data', bytes: 190 }, 'found'],
  ['F10 an answer cut within its head', { kind: 'limit_data', bytes: 12 }, 'found'],
  ['F11 a chunked answer cut short', { kind: 'instead', bytes: bytes.chunkedAndCut }, 'found'],
  ['F12 an answer that ends with its connection, cut', { kind: 'instead', bytes: bytes.endedByClosing }, 'found'],
  ['F13 200 as a web page', { kind: 'answer', status: 200, body: html, after: true }, 'found'],
  ['F14 200 without a body', { kind: 'answer', status: 200, body: '', after: true }, 'found'],
  ['F15 200 without an id', { kind: 'answer', status: 200, body: { ok: true }, after: true }, 'found'],
  ['F15 200 with an id that is no id', { kind: 'answer', status: 200, body: { id: { x: 1 } }, after: true }, 'found'],
  ['F17 204', { kind: 'answer', status: 204, body: '', after: true }, 'found'],
  ['F18 500 after the payment was made', { kind: 'answer', status: 500, after: true }, 'found'],
  ['F19 500 and no payment', { kind: 'answer', status: 500 }, 'in doubt'],
  ['F20 502 from a gateway, after the payment', { kind: 'answer', status: 502, body: html, after: true }, 'found'],
  ['F20 503 from a gateway, before it', { kind: 'answer', status: 503, body: html }, 'in doubt'],
  ['F20 504 from a gateway, after it', { kind: 'answer', status: 504, body: html, after: true }, 'found'],
  ['F23 403 for one row, for ever', { kind: 'answer', status: 403 }, 'unpaid'],
  ['F26 a head that comes byte by byte', { kind: 'bandwidth', bytesPerSecond: 1 }, 'found'],
  ['F27 an answer in pieces of one byte', { kind: 'slicer' }, 'accepted'],
  ['F28 a body without end', { kind: 'instead', bytes: bytes.withoutEnd, endless: true }, 'found'],
];

const isFault = (one: Fault | Toxic): one is Fault => one.kind === 'answer';
/** Its call ends only with the caller's patience. */
const isMute = (one: Toxic) =>
  one.kind === 'hang' || one.kind === 'bandwidth' || (one.kind === 'instead' && one.endless);
const wordFor = { found: 'pending', accepted: 'pending', unpaid: 'unpaid', 'in doubt': 'in doubt' } as const;

describe.each(widths)('at concurrency %i', { concurrent: true }, (width) => {
  const wide = ['--concurrency', String(width)];
  /** More rows than may be under way at once. */
  const count = Math.max(8, 2 * width);
  const rows = kenyanRows(count, 2);
  const nth = 2 + ((seed + 3) % (count - 1));
  const chosen = `Ref ${nth}`;
  /** How many payments are asked for while one call has no answer; at a width of 1 none comes after it. */
  const askedMeanwhile = width === 1 ? nth : count;

  describe('one payment goes wrong', () => {
    it.each(single)('%s', async (_name, what, becomes) => {
      const seen = await watched();
      const { service } = seen;
      const { proxy, at } = await proxied(service);
      const unheard: Promise<void>[] = [];
      if (isFault(what))
        seen.fault = ({ route, body }) => (route === 'POST /payments' && body.reference === chosen ? what : undefined);
      else
        proxy.toxic = (one) => {
          if (one !== nth) return undefined;
          if (isMute(what)) unheard.push(seen.clock.expire(() => proxy.asked === askedMeanwhile));
          return what;
        };
      const desk = machine(at, rows);
      const first = await run(desk, ...wide);
      await Promise.all(unheard);
      const made = becomes === 'found' || becomes === 'accepted' ? count : count - 1;
      const doubt = becomes === 'in doubt' ? 1 : 0;
      const unpaid = becomes === 'unpaid' ? 1 : 0;
      expect(first.document.rows).toMatchObject({ total: count, pending: made, in_doubt: doubt, unpaid });
      expect(first.exit).toBe(doubt === 1 ? 22 : 23);
      const marked = Object.values(statusOf(first)).filter((status) => status !== 'pending');
      expect(marked).toEqual(becomes === 'found' || becomes === 'accepted' ? [] : [wordFor[becomes]]);
      expect(service.payments).toHaveLength(made);
      const sent = posts(service);
      const second = await run(desk, ...wide);
      expect([second.exit, posts(service)], 'nothing is sent again').toEqual([first.exit, sent]);
      expect(second.document.rows).toMatchObject({ pending: made, in_doubt: doubt, unpaid });
      expectNoDouble(service);
      for (const [tag, hits] of seen.hits) expect(hits, `calls for ${tag}`).toBeLessThanOrEqual(unpaid === 0 ? 1 : 2);
    });

    it('F16 the id of another row: in doubt, and found by its own tag', async () => {
      const seen = await watched();
      const { service } = seen;
      seen.fault = (call) =>
        call.route === 'POST /payments' && call.nth === nth
          ? { kind: 'answer', status: 201, body: { id: service.payments[0]?.id }, after: true }
          : undefined;
      const { exit, document } = await run(machine(service, rows), ...wide);
      expect([exit, document.rows.pending, posts(service)]).toEqual([23, count, count]);
      expectNoDouble(service);
    });

    it.each([200, 201, 202])('F17 %i with an id', async (status) => {
      const { service } = await watched({ created: { status, answer: ({ id }) => ({ id }) } });
      const { exit, document } = await run(machine(service, rows), ...wide);
      expect([exit, document.rows.pending, posts(service)]).toEqual([23, count, count]);
      expectNoDouble(service);
    });

    it('F6 the payment is made after the pass that looked for it: the next run finds it', async () => {
      const seen = await watched();
      const { service } = seen;
      const { promise, resolve } = Promise.withResolvers<void>();
      const unheard: Promise<void>[] = [];
      seen.fault = (call) => {
        const fault = atPayment(nth, { kind: 'hold', until: promise })(call);
        if (fault !== undefined) unheard.push(seen.clock.expire(() => posts(service) === askedMeanwhile));
        return fault;
      };
      const desk = machine(service, rows);
      const first = await run(desk, ...wide);
      await Promise.all(unheard);
      expect([first.exit, first.document.rows]).toMatchObject([22, { in_doubt: 1, pending: count - 1 }]);
      resolve();
      await until('the late payment', () => service.payments.length === count);
      const second = await run(desk, ...wide);
      expect([second.exit, second.document.rows.pending, posts(service)]).toEqual([23, count, count]);
      expectNoDouble(service);
    });
  });

  describe('the service cannot be reached', () => {
    it('F1 connection refused: no call, the rows are ready, and the next run pays them', async () => {
      const { service } = await watched();
      const { proxy, at } = await proxied(service);
      const desk = machine(at, rows);
      service.fault = ({ route, nth }) => {
        if (route === 'GET /payments' && nth === 1) void proxy.refuse();
        return undefined;
      };
      const first = await run(desk, ...wide);
      expect([first.exit, first.document.stopped?.code]).toEqual([25, 'SERVICE_UNREACHABLE']);
      expect(first.document.rows).toMatchObject({ not_sent: count, in_doubt: 0 });
      expect([posts(service), proxy.asked]).toEqual([0, 0]);
      await proxy.accept();
      const second = await run(desk, ...wide);
      expect([second.exit, second.document.rows.pending, posts(service)]).toEqual([23, count, count]);
      expectNoDouble(service);
    });

    it('F2 a name that no one knows', async () => {
      // Too long a label: the resolver refuses it by itself, and nothing leaves this machine.
      const desk = machine(null, rows, {
        PAYRUN_BASE_URL: `https://${'x'.repeat(64)}.invalid`,
        PAYRUN_API_KEY: 'key',
        PAYRUN_API_SECRET: 'secret',
      });
      const { exit, document } = await run(desk, ...wide);
      expect([exit, document.rows.not_sent, document.rows.in_doubt]).toEqual([25, count, 0]);
    });

    it.each([
      ['a certificate that nobody vouches for', true],
      ['no TLS at all', false],
    ])('F3 %s', async (_name, secure) => {
      let hits = 0;
      const answer = () => (hits += 1);
      const server = secure ? createSecureServer(selfSigned(), answer) : createPlainServer(answer);
      closing.push(() => server.close());
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo;
      const desk = machine(null, rows, {
        PAYRUN_BASE_URL: `https://127.0.0.1:${port}`,
        PAYRUN_API_KEY: 'key',
        PAYRUN_API_SECRET: 'secret',
      });
      const { exit, document } = await run(desk, ...wide);
      expect([exit, document.rows.not_sent, document.rows.in_doubt, hits]).toEqual([25, count, 0, 0]);
    });
  });

  describe('the service does not let us in, or not now', () => {
    it('F21 the signing secret is rotated in the middle: one new token, and each row has one payment', async () => {
      const seen = await watched();
      const { service } = seen;
      seen.fault = ({ route, nth }) => {
        if (route === 'POST /payments' && nth === 4) service.rotate();
        return undefined;
      };
      const { exit, document } = await run(machine(service, rows), ...wide);
      expect([exit, document.rows.pending]).toEqual([23, count]);
      expect(service.calls.get('POST /token')).toBe(2);
      expectNoDouble(service);
    });

    it.skipIf(width === 1)('F21 a 401 to the old token that comes late is no reason for a third one', async () => {
      const seen = await watched();
      const { service } = seen;
      const { promise, resolve } = Promise.withResolvers<void>();
      let old: string | null = null;
      let held = false;
      seen.fault = ({ route, nth, token }) => {
        if (route !== 'POST /payments') return undefined;
        if (nth === 3) {
          service.rotate();
          old = token;
        } else if (old !== null && token !== old) resolve();
        else if (old !== null && !held) {
          held = true;
          return { kind: 'hold', until: promise };
        }
        return undefined;
      };
      const { exit, document } = await run(machine(service, rows), ...wide);
      expect([exit, document.rows.pending, held]).toEqual([23, count, true]);
      expect(service.calls.get('POST /token')).toBe(2);
      expectNoDouble(service);
    });

    it('F22 401 for ever: one new token, and no doubt', async () => {
      const seen = await watched();
      const { service } = seen;
      seen.fault = ({ route, nth }) =>
        route === 'POST /payments' && nth > 3 ? { kind: 'answer', status: 401 } : undefined;
      const { exit, document } = await run(machine(service, rows), ...wide);
      expect([exit, document.stopped?.code]).toEqual([25, 'CREDENTIALS_REFUSED']);
      expect(document.rows).toMatchObject({ pending: 3, not_sent: count - 3, in_doubt: 0 });
      // Among many calls, one with the first token may be refused after another with the second, and asks for a third.
      expect(width <= 4 ? [2] : [2, 3]).toContain(service.calls.get('POST /token'));
      expect(service.payments).toHaveLength(3);
    });

    it('F23 403 for the first payment ends the run, and says what may be missing', async () => {
      const seen = await watched();
      seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 403 } : undefined);
      const { exit, document } = await run(machine(seen.service, rows), ...wide);
      expect([exit, document.stopped?.message]).toEqual([25, expect.stringContaining('PAYRUN_USER_ID')]);
      expect(document.rows).toMatchObject({ not_sent: count, in_doubt: 0, unpaid: 0 });
    });

    it.each<[string, (now: number) => string | null]>([
      ['in seconds', () => '1'],
      ['as a date', (now) => new Date(now + 1500).toUTCString()],
      ['not at all', () => null],
    ])('F24 429, and when to come back stands there %s: everybody waits', async (_name, when) => {
      const seen = await watched();
      const { service } = seen;
      const at: number[] = [];
      seen.fault = ({ route, nth }) => {
        if (route !== 'POST /payments') return undefined;
        at.push(seen.clock.now());
        const told = nth === 4 ? when(seen.clock.now()) : null;
        return nth === 4
          ? { kind: 'answer', status: 429, ...(told === null ? {} : { headers: { 'retry-after': told } }) }
          : undefined;
      };
      // So many that those under way with it, and what began before it was read, are not all.
      const many = kenyanRows(4 * width + 8, 2);
      const { exit, document } = await run(machine(service, many), ...wide);
      expect([exit, document.rows.pending, posts(service)]).toEqual([23, many.length, many.length + 1]);
      const early = at.filter((moment, index) => index > 3 && moment < at[3]! + 990);
      if (when(0) !== null) expect(early.length, 'sent before the time').toBeLessThan(3 * width);
      expectNoDouble(service);
    });

    it('F24 429 without end: five waits, then the run ends with its rows ready', async () => {
      const seen = await watched();
      const { service } = seen;
      seen.fault = ({ route, nth }) =>
        route === 'POST /payments' && nth > 3
          ? { kind: 'answer', status: 429, headers: { 'retry-after': '0' } }
          : undefined;
      const { exit, document } = await run(machine(service, rows), ...wide);
      expect([exit, document.stopped?.code]).toEqual([25, 'SERVICE_BUSY']);
      expect(document.rows).toMatchObject({ pending: 3, not_sent: count - 3, in_doubt: 0 });
    });

    it.each([302, 307, 308])('F25 %i to another host is not followed, and the token stays here', async (status) => {
      const asked: unknown[] = [];
      const other = createPlainServer((request, response) => {
        asked.push(request.headers.authorization);
        response.end('{"id":"elsewhere"}');
      });
      closing.push(() => other.close());
      await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/payments`;
      const seen = await watched();
      seen.fault = atPayment(nth, { kind: 'answer', status, headers: { location } });
      const { exit, document } = await run(machine(seen.service, rows), ...wide);
      expect([exit, document.rows.in_doubt, asked]).toEqual([22, 1, []]);
      expectNoDouble(seen.service);
    });
  });

  describe('the list of payments cannot be trusted', () => {
    /** A row in doubt, and a list that proves nothing of it: whatever the policy, it is not sent again. */
    async function doubtful(shape: Shape): Promise<{ seen: Watched; again: () => ReturnType<typeof run> }> {
      const seen = await watched({ pageSize: 2, ...shape });
      const desk = machine(seen.service, rows, { PAYRUN_DOUBT_POLICY: 'resend' });
      seen.fault = atPayment(nth, { kind: 'drop' });
      const first = await run(desk, ...wide);
      expect(first.document.rows.in_doubt).toBe(1);
      seen.fault = () => undefined;
      seen.clock.moved += pastTwiceMs;
      return { seen, again: async () => await run(desk, ...wide) };
    }

    it.each<readonly [string, Watched['fault']]>([
      [
        'its marker comes again and again',
        ({ route }) =>
          route === 'GET /payments'
            ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: 'YWZ0ZXIgMQ==' } }
            : undefined,
      ],
      [
        'its third page is 500 for ever',
        ({ route, query }) =>
          route === 'GET /payments' && query.get('offset') === Buffer.from('after 3').toString('base64')
            ? { kind: 'answer', status: 500 }
            : undefined,
      ],
      [
        'it is empty',
        ({ route }) =>
          route === 'GET /payments'
            ? { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } }
            : undefined,
      ],
      [
        'it has no marker',
        ({ route }) => (route === 'GET /payments' ? { kind: 'answer', status: 200, body: { items: [] } } : undefined),
      ],
    ])('F35 %s', async (_name, fault) => {
      const { seen, again } = await doubtful({});
      seen.fault = fault;
      const sent = posts(seen.service);
      const second = await again();
      expect([second.exit, second.document.rows.in_doubt, posts(seen.service)]).toEqual([22, 1, sent]);
      expectNoDouble(seen.service);
    });

    it('F35 it is a replica that stands still: its silence lets no row go', async () => {
      const seen = await watched();
      const { service } = seen;
      const desk = machine(service, rows, { PAYRUN_DOUBT_POLICY: 'resend' });
      // What was listed before the lost payment, and what came after it, but never that one.
      seen.fault = (call) => {
        if (call.route === 'POST /payments' && call.body.reference === chosen) return { kind: 'drop', after: true };
        if (call.route !== 'GET /payments') return undefined;
        const items = service.payments.filter(({ reference }) => reference !== chosen);
        return { kind: 'answer', status: 200, body: { items, offsetMarker: null } };
      };
      expect((await run(desk, ...wide)).document.rows.in_doubt).toBe(1);
      seen.clock.moved += pastTwiceMs;
      for (const _ of [1, 2]) {
        const { exit, document } = await run(desk, ...wide);
        expect([exit, document.rows.in_doubt, posts(service)]).toEqual([22, 1, count]);
        seen.clock.moved += 1300;
      }
      expectNoDouble(service);
    });

    it('F35 pages that repeat payments, and one that is empty before the end, are read to the end', async () => {
      const seen = await watched({ pageSize: 3 });
      const desk = machine(seen.service, rows);
      // Between two pages another payment comes in front, so that the last of one page is the first of the next.
      let moved = 0;
      seen.fault = (call) => {
        if (call.route === 'GET /payments' && moved < 3) {
          moved += 1;
          seen.service.payments.push({ ...foreign, id: `foreign-${moved}`, reference: `Foreign ${moved}` });
        }
        return atPayment(nth, { kind: 'drop', after: true })(call);
      };
      const first = await run(desk, ...wide);
      const second = await run(desk, ...wide);
      expect([first.document.rows.pending, second.document.rows.pending, posts(seen.service)]).toEqual([
        count,
        count,
        count,
      ]);
      expectNoDouble(seen.service);
    });
  });

  it('F36 a second run on the ledger ends within a second, and asks the service for nothing', async () => {
    const seen = await watched();
    const { promise, resolve } = Promise.withResolvers<void>();
    const desk = machine(seen.service, rows);
    seen.fault = atPayment(3, { kind: 'hold', until: promise, after: true });
    const first = run(desk, ...wide);
    await until('the third payment', () => posts(seen.service) > 2);
    const before = seen.service.calls.get('POST /token');
    const began = seen.clock.moved;
    const second = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '0']);
    expect([second.exit, seen.clock.moved - began < 1000]).toEqual([24, true]);
    expect(seen.service.calls.get('POST /token')).toBe(before);
    resolve();
    expect((await first).document.rows.pending).toBe(count);
    expectNoDouble(seen.service);
  });

  it('F37 the same sheet from two machines at one moment: at most the first payment twice, and both say so', async () => {
    const seen = await watched();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Both have read the list, and neither has sent.
    seen.fault = ({ route, nth }) => {
      if (route === 'POST /payments' && nth === 2) resolve();
      return route === 'POST /payments' && nth === 1 ? { kind: 'hold', until: promise } : undefined;
    };
    const [one, two] = await Promise.all([
      run(machine(seen.service, rows), ...wide),
      run(machine(seen.service, rows), ...wide),
    ]);
    expect(paymentsOf(seen.service)).toEqual({ 'Ref 1': 2 });
    for (const { exit, document } of [one, two])
      expect([exit, twiceIn(document), document.rows.not_sent]).toEqual([27, 1, count - 1]);
  });
});

const foreign = { amount: 5, merchantId: 'someone', createdAtMs: 0, madeBy: 'tenant' };

const closing: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = newFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
