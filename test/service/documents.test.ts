/** Documents of payments (interface 4.23, 4.24): what is taken, what is kept, and who may fetch it. */
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentCreated, documentList } from '../../src/wire/document.ts';
import { newFormWith } from './forms.ts';
import {
  callerOf,
  handClock,
  merchantOf,
  onBoth,
  paymentOf,
  type Started,
  started,
  tokenFor,
  userOf,
} from './started.ts';

const pdf = '%PDF-1.7\nan invoice';
const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('pixels')]);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('pixels')]);

function form(content: string | Uint8Array<ArrayBuffer>, field = 'file', name = 'invoice.pdf'): FormData {
  const data = new FormData();
  data.set(field, new Blob([content]), name);
  return data;
}

async function withPayment(options = {}): Promise<Started & { paymentId: string }> {
  const base = await started(options);
  const { id } = await paymentOf(base.call, await merchantOf(base.call));
  return { ...base, paymentId: id };
}

describe('an upload that a kill cut off', () => {
  it('is removed by the next start, and one that another node takes in now is not', async () => {
    const { folder, service, call, paymentId } = await withPayment();
    await call('POST', `/payments/${paymentId}/document`, form(pdf));
    await service.close();
    const documents = join(folder, 'documents');
    const anHourAgo = Date.now() / 1000 - 3600;
    for (const name of ['left.part', 'arriving.part']) writeFileSync(join(documents, name), '%PDF-');
    utimesSync(join(documents, 'left.part'), anHourAgo, anHourAgo);
    const [kept] = filesUnder(documents).filter((name) => !name.endsWith('.part'));
    utimesSync(join(documents, kept!.slice(0, 2), kept!), anHourAgo, anHourAgo);
    await started({ dataDir: folder });
    expect(new Set(filesUnder(documents))).toEqual(new Set([kept, 'arriving.part']));
  });
});

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('a document', () => {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';

  it('is attached, listed, and downloaded without a token', async () => {
    const { call, paymentId, service } = await withPayment();
    const { status, body } = await call('POST', `/payments/${paymentId}/document`, form(pdf));
    expect(status).toBe(201);
    expect(documentCreated.strict().parse(body)).toEqual(body);
    const list = (await call('GET', `/payments/${paymentId}/documents`)).body;
    expect(documentList.strict().parse(list)).toEqual(list);
    expect(list.items).toEqual([{ ...body, presignedUrl: expect.any(String) }]);
    expect(list.items[0].presignedUrl.startsWith(`${service.url}/documents/`)).toBe(true);
    const file = await fetch(list.items[0].presignedUrl);
    expect([file.status, await file.text()]).toEqual([200, pdf]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename="[0-9a-f-]+\.pdf"$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
  ])('may be %s, whatever its name says', async (type, bytes) => {
    const { call, paymentId } = await withPayment();
    expect((await call('POST', `/payments/${paymentId}/document`, form(bytes, 'file', '../../x.exe'))).status).toBe(
      201,
    );
    const [item] = (await call('GET', `/payments/${paymentId}/documents`)).body.items;
    const file = await fetch(item.presignedUrl);
    expect(file.headers.get('content-type')).toBe(type);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('is one more document each time, though equal files are kept once', async () => {
    const { call, paymentId, folder } = await withPayment();
    for (let count = 0; count < 3; count += 1) {
      expect((await call('POST', `/payments/${paymentId}/document`, form(pdf))).status).toBe(201);
    }
    const { items } = (await call('GET', `/payments/${paymentId}/documents`)).body;
    expect(new Set(items.map((item: { documentId: string }) => item.documentId)).size).toBe(3);
    const [name, ...others] = filesUnder(join(folder, 'documents'));
    expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), []]);
    expect(statSync(join(folder, 'documents')).mode & 0o077).toBe(0);
  });

  it('may be of exactly 10,485,760 bytes, and not of one more; nothing of it stays', async () => {
    const { call, paymentId, folder } = await withPayment();
    const most = Buffer.alloc(10_485_760, ' ');
    most.write(pdf);
    expect((await call('POST', `/payments/${paymentId}/document`, form(most))).status).toBe(201);
    const tooLarge = await call(
      'POST',
      `/payments/${paymentId}/document`,
      form(Buffer.concat([most, Buffer.from('x')])),
    );
    expect([tooLarge.status, Object.keys(tooLarge.body)]).toEqual([413, ['message']]);
    expect(filesUnder(join(folder, 'documents'))).toHaveLength(1);
  });

  it('may be of the kinds and the size that a setting says, and of no others', async () => {
    const { call, paymentId } = await withPayment({ documents: { kinds: ['tiff'], maxBytes: 1024 } });
    const sent = async (content: Uint8Array<ArrayBuffer> | string) => {
      const { status, body } = await call('POST', `/payments/${paymentId}/document`, form(content));
      return [status, body.message];
    };
    expect(await sent('MM\0*scanned')).toEqual([201, undefined]);
    expect(await sent(pdf)).toEqual([415, expect.stringContaining('TIFF')]);
    expect(await sent(`MM\0*${' '.repeat(1021)}`)).toEqual([413, expect.stringContaining('1 KB')]);
  });

  it('is cut off while it streams in, whatever length was announced', async () => {
    const { service, token, paymentId, folder } = await withPayment({ documents: { kinds: ['pdf'], maxBytes: 1024 } });
    const chunks = async function* () {
      yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-');
      for (let count = 0; count < 100; count += 1) yield Buffer.alloc(100, 'a');
      yield Buffer.from('\r\n--x--\r\n');
    };
    const response = await fetch(`${service.url}/payments/${paymentId}/document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: ReadableStream.from(chunks()),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(filesUnder(join(folder, 'documents'))).toEqual([]);
  });

  it.each<[string, () => unknown, number]>([
    ['an SVG', () => form('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
    ['HTML', () => form('<html>%PDF-1.7'), 415],
    ['a GIF', () => form('GIF89a'), 415],
    ['nothing', () => form(''), 400],
    ['another field', () => form(pdf, 'document'), 400],
    ['a form without a file', () => new FormData(), 400],
    ['JSON', () => ({ file: 'x' }), 415],
    [
      'two files',
      () => {
        const data = form(pdf);
        data.append('file', new Blob([pdf]), 'b.pdf');
        return data;
      },
      400,
    ],
  ])('is refused when it is %s', async (_what, body, status) => {
    const { call, paymentId } = await withPayment();
    const answer = await call('POST', `/payments/${paymentId}/document`, body());
    expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['message']]);
    expect((await call('GET', `/payments/${paymentId}/documents`)).body.items).toEqual([]);
  });

  it.each([
    ['a form without a boundary', '', '--x--'],
    ['a form whose boundary is empty', '; boundary=', '--x--'],
    ['a form whose boundary is too long', `; boundary=${'x'.repeat(300)}`, '--x--'],
    ['a form that breaks off in its file', '; boundary=x', `${head}%PDF-1.7 and no`],
    ['a form that breaks off behind its file', '; boundary=x', `${head}%PDF-1.7 x\r\n--x\r\n`],
  ])('is refused with 400 when it is %s', async (_what, boundary, body) => {
    const { service, token, call, paymentId, folder } = await withPayment();
    expect((await call('POST', `/payments/${paymentId}/document`, form(pdf))).status).toBe(201);
    const answer = await fetch(`${service.url}/payments/${paymentId}/document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data${boundary}` },
      body,
    });
    expect([answer.status, await answer.json()]).toEqual([400, { message: expect.stringMatching(/^the form /) }]);
    expect((await call('GET', `/payments/${paymentId}/documents`)).body.items).toHaveLength(1);
    expect(filesUnder(join(folder, 'documents'))).toHaveLength(1);
  });

  it('is seen by the user who made the payment, and not by another', async () => {
    const base = await started();
    const ann = await userOf(base, 'ann@example.com');
    const bob = await userOf(base, 'bob@example.com');
    const { id } = await paymentOf(ann, await merchantOf(ann));
    expect((await ann('POST', `/payments/${id}/document`, form(pdf))).status).toBe(201);
    expect((await bob('POST', `/payments/${id}/document`, form(pdf))).status).toBe(404);
    expect((await bob('GET', `/payments/${id}/documents`)).status).toBe(404);
    expect((await base.call('GET', `/payments/${id}/documents`)).body.items).toHaveLength(1);
  });
});

onBoth(() => {
  describe('what a tenant uploads', () => {
    const tooMany = [422, { message: expect.stringMatching(/ \d+ files and \d+ bytes/) }];

    async function withUser(limits: object) {
      const base = await withPayment({ limits });
      const { userId } = await base.service.users.add(base.credentials.apiKey, { email: 'a@example.com', name: 'A' });
      const answered = async (path: string, body: FormData, call = base.call) => {
        const answer = await call('POST', path, body);
        return [answer.status, answer.status < 400 ? null : answer.body];
      };
      return {
        ...base,
        answered,
        document: (content = pdf) => answered(`/payments/${base.paymentId}/document`, form(content)),
        kyc: (documentType: string) => answered(`/users/${userId}/kyc-documents`, newFormWith({ documentType })),
      };
    }

    it('is limited in number, KYC documents included, however many come at once; others are not', async () => {
      const base = await withUser({ uploads: 4 });
      const { document, kyc, service, folder } = base;
      expect((await kyc('no such type'))[0]).toBe(400);
      expect((await document('no PDF'))[0]).toBe(415);
      expect(await kyc('passport')).toEqual([201, null]);
      const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => document(`${pdf} ${at}`)));
      expect(answers.filter(([status]) => status === 201)).toHaveLength(3);
      expect(answers.filter(([status]) => status !== 201)).toEqual(Array.from({ length: 5 }, () => tooMany));
      expect(await kyc('selfie')).toEqual(tooMany);
      expect(filesUnder(join(folder, 'documents'))).toHaveLength(4);
      const other = callerOf(service.url, await tokenFor(service, await service.tenants.add('Other')));
      const { id } = await paymentOf(other, await merchantOf(other));
      expect(await base.answered(`/payments/${id}/document`, form(pdf), other)).toEqual([201, null]);
    });

    it('is limited in bytes, to the last one', async () => {
      const { document } = await withUser({ uploadBytes: 3 * pdf.length - 1 });
      expect([await document(), await document()]).toEqual([
        [201, null],
        [201, null],
      ]);
      expect(await document()).toEqual(tooMany);
      expect(await document(pdf.slice(0, -1))).toEqual([201, null]);
      expect(await document('%PDF-')).toEqual(tooMany);
    });
  });
});

describe('a presigned address', () => {
  it('works for 900 seconds, and says the same 403 to everything else', async () => {
    const clock = handClock();
    const { call, paymentId } = await withPayment({ clock });
    await call('POST', `/payments/${paymentId}/document`, form(pdf));
    await call('POST', `/payments/${paymentId}/document`, form(png));
    const { items } = (await call('GET', `/payments/${paymentId}/documents`)).body;
    const [first, second] = items.map((item: { presignedUrl: string }) => new URL(item.presignedUrl)) as [URL, URL];
    const changed = (change: (url: URL) => void) => {
      const url = new URL(first);
      change(url);
      return url;
    };
    const statusAndBody = async (url: URL, init = {}) => {
      const response = await fetch(url, init);
      return [response.status, await response.text()];
    };
    clock.move(899_000);
    expect((await statusAndBody(first))[0]).toBe(200);
    const wrong = [
      changed((url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 900))),
      changed((url) => url.searchParams.set('owner', 'x')),
      changed((url) => url.searchParams.delete('owner')),
      changed((url) => url.searchParams.delete('signature')),
      changed((url) => url.searchParams.set('signature', second.searchParams.get('signature')!)),
      changed((url) => url.searchParams.append('signature', 'x')),
      changed((url) => {
        url.pathname = second.pathname;
      }),
    ];
    const answers = await Promise.all(wrong.map((url) => statusAndBody(url)));
    clock.move(1000);
    answers.push(await statusAndBody(first));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]![0]).toBe(403);
    expect((await statusAndBody(first, { method: 'POST' }))[0]).toBe(404);
    expect((await statusAndBody(first, { method: 'HEAD' }))[0]).toBe(404);
  });

  it('is made for the public address where one is set', async () => {
    const { call, paymentId } = await withPayment({ publicUrl: 'https://pay.example/v1' });
    await call('POST', `/payments/${paymentId}/document`, form(pdf));
    const [item] = (await call('GET', `/payments/${paymentId}/documents`)).body.items;
    expect(item.presignedUrl).toMatch(/^https:\/\/pay\.example\/v1\/documents\//);
  });
});
