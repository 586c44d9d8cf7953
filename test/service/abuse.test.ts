/** What a hostile client may try that no rule of the interface speaks of: slow connections, forged headers, files of two kinds, statements in every field. */
import { request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFormWith } from './forms.ts';
import { type Body, merchantOf, nigerian, onBoth, paymentOf, started } from './started.ts';

describe('slow clients', () => {
  it('hold nobody up, and are ended when their headers do not come', async () => {
    const { service, call } = await started();
    const slow = Array.from({ length: 200 }, () => connect(service.port, '127.0.0.1'));
    const said: string[] = slow.map(() => '');
    const ended = slow.map(
      (socket, at) =>
        new Promise<void>((done) => {
          socket.on('data', (chunk) => (said[at] += String(chunk)));
          socket.on('error', () => {});
          socket.on('close', () => done());
        }),
    );
    for (const socket of slow) socket.write('POST /payments HTTP/1.1\r\nHost: x\r\nX-Slow:');
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('GET', '/merchants')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(ended);
    for (const text of said) expect(text).toMatch(/^HTTP\/1\.1 408 .*\{"message":"Request Timeout"\}$/s);
  });
});

describe('headers', () => {
  it('of a proxy that nobody named, and a forged Host, change no address that the service tells', async () => {
    const { service, call, token } = await started();
    const payment = await paymentOf(call, await merchantOf(call));
    await call('POST', `/payments/${payment.id}/document`, newFormWith({}));
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const text = await new Promise<string>((done, failed) => {
      const path = `/payments/${payment.id}/documents`;
      const headers = { authorization: `Bearer ${token}`, ...forged, 'x-forwarded-for': '203.0.113.9' };
      request({ port: service.port, host: '127.0.0.1', path, headers }, (answer) => {
        let body = '';
        answer.on('data', (chunk) => (body += String(chunk)));
        answer.on('end', () => done(body));
      })
        .on('error', failed)
        .end();
    });
    const [{ presignedUrl }] = JSON.parse(text).items;
    expect(presignedUrl.startsWith(`${service.url}/documents/`)).toBe(true);
  });

  it('of every answer, refusals included, keep it from caches and from guesses at its kind, and name no software', async () => {
    const { call, anonymous } = await started({ metrics: true });
    const answers = await Promise.all([
      call('GET', '/merchants'),
      call('POST', '/merchants', {}),
      call('GET', '/payments/x'),
      call('GET', '/nowhere'),
      call('GET', '/users/%zz'),
      anonymous('GET', '/merchants'),
      anonymous('GET', '/documents/x?signature=x'),
      ...['/openapi.json', '/reference', '/health', '/ready', '/metrics', '/utils/countries'].map((path) =>
        anonymous('GET', path),
      ),
    ]);
    for (const { status, headers } of answers) {
      expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        status,
        'no-store',
        'nosniff',
      ]);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/);
      expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null]);
    }
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['words', 'hello\r\n\r\n'],
    ['headers without end', `GET /users HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['two lengths', 'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('%s: 400, under the headers of every answer', async (_what, text) => {
    const { service } = await started();
    const answer = await new Promise<string>((done) => {
      let said = '';
      const socket = connect(service.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (said += String(chunk)));
      socket.on('close', () => done(said));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"message":"Bad Request"\}$/s);
    expect(answer).toMatch(/\r\ncache-control: no-store\r\n/);
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f]{16}\r\n/);
  });
});

describe('a file of two kinds', () => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('PK\u0003\u0004 an archive')]);
  it.each<[string, string | Buffer<ArrayBuffer>, number]>([
    ['an image that is also an archive', gif, 415],
    ['an archive with a PDF in it', 'PK\u0003\u0004%PDF-1.7', 415],
    ['a page with a PDF in it', '<script>alert(1)</script>%PDF-1.7', 415],
    ['a PDF with a page in it', '%PDF-1.7\n<script>alert(1)</script>', 201],
  ])('%s: %i', async (_what, content, status) => {
    const { call } = await started();
    const payment = await paymentOf(call, await merchantOf(call));
    const form = new FormData();
    form.set('file', new Blob([content], { type: 'text/html' }), 'page.html');
    expect((await call('POST', `/payments/${payment.id}/document`, form)).status).toBe(status);
    for (const { presignedUrl } of (await call('GET', `/payments/${payment.id}/documents`)).body.items) {
      // A browser saves it, and runs nothing of it.
      const { headers } = await fetch(presignedUrl);
      expect(headers.get('content-type')).toBe('application/pdf');
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f-]+\.pdf"$/);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    }
  });
});

onBoth(() => {
  it('a statement in any field is a text like any other', async () => {
    const { call } = await started({ settle: { afterMs: 0 } });
    const merchantId = await merchantOf(call);
    const { userId } = (await call('POST', '/users', { email: 'a@example.com', name: 'A' })).body;
    const bits = ["'", '"', '--', ';', '/*', '\\', '%', '$1', '?', '\u2019', ' OR 1=1', ' UNION SELECT secret_hmac'];
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...bits), fc.string({ unit: 'grapheme-ascii', maxLength: 4 })), { minLength: 1 })
      .map((parts) => parts.join(''));
    const before = (await call('GET', '/merchants')).body;
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const user: Body = (await call('PATCH', `/users/${userId}`, { firstName: text, addressCity: text })).body;
        expect([user.firstName, user.address.city]).toEqual([text, text]);
        const meta = JSON.stringify({ text });
        const made = await paymentOf(call, merchantId, { tag: text, type: text, meta });
        const read = (await call('GET', `/payments/${made.id}`)).body;
        expect([read.tag, read.type, read.meta]).toEqual([text, text, meta]);
        for (const field of ['name', 'bankName', 'bankCode', 'accountNumber']) {
          const { status } = await call('POST', '/merchants', { ...nigerian, [field]: `${text}'` });
          expect([field, status]).toEqual([field, 400]);
        }
        for (const field of ['merchantId', 'reference', 'fromCountry']) {
          const sent = { merchantId, amount: 1, reference: 'A', [field]: `${text}'` };
          expect([field, (await call('POST', '/payments', sent)).status]).toEqual([
            field,
            expect.toBeOneOf([400, 404]),
          ]);
        }
      }),
      { numRuns: 25 },
    );
    expect((await call('GET', '/merchants')).body).toEqual(before);
  });
});
