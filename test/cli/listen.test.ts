/** `payrun listen` beside a run that names it: what is heard, and what is shown of it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startService } from '../../src/service/service.ts';
import {
  command,
  deskFor,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  newFolder,
  newService,
  pay,
  refusalOf,
  start,
  until,
  usageAbout,
} from '../support.ts';

const secret = 'whsec-canary-c0ffee';

// biome-ignore lint/suspicious/noExplicitAny: what is printed is what the tests look at.
type Line = any;

/** Starts it, and waits until it says where it listens. */
async function listening(desk: { env: Record<string, string>; folder: string }, ...more: string[]) {
  const { child, ended } = start(desk, ['listen', '--json', '--port', '0', ...more]);
  let text = '';
  child.stdout!.on('data', (chunk: string) => (text += chunk));
  const lines = (): Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  await Promise.race([until('it listens', () => lines().length > 0), ended.then(({ err }) => expect.fail(err))]);
  return { url: lines()[0].url as string, heard: () => lines().slice(1), child, ended };
}

it('tells every payment of a run to its end, as the service says it, and stops when asked to', async () => {
  const service = await startService({ dataDir: newFolder(), tokensPerMinute: 0, settle: { afterMs: 600 } });
  try {
    const { apiKey, apiSecret } = await service.tenants.add('Acme');
    const rows = kenyanRows(3);
    const desk = deskFor(null, rows, {
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: apiKey,
      PAYRUN_API_SECRET: apiSecret,
      PAYRUN_DOUBT_VISIBLE: '0',
      PAYRUN_WEBHOOK_SECRET: secret,
    });
    const ear = await listening(desk);
    const ran = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json', '--webhook-url', ear.url]);
    expect(documentOf(ran)).toMatchObject({ exit: 0 });
    const successes = () => ear.heard().filter(({ status }) => status === 'success');
    await until('three successes are heard', () => new Set(successes().map(({ row }) => row)).size === 3);
    expect(successes(), 'each end is told once').toHaveLength(3);
    expect(successes()[0]).toEqual({
      time: expect.any(String),
      payment: expect.any(String),
      status: 'success',
      amount: expect.any(Number),
      destinationCurrency: 'KES',
      reference: expect.stringMatching(/^Ref /),
      tag: expect.stringMatching(/^q/),
      batch: 'nov',
      row: expect.any(String),
      signed: true,
    });
    // A forger who knows an id but not the secret.
    const forged = JSON.stringify({ id: successes()[0].payment, status: 'expired' });
    expect((await fetch(ear.url, { method: 'POST', body: forged })).status).toBe(401);
    ear.child.kill('SIGTERM');
    const { exit, out, err } = await ear.ended;
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).not.toContain('expired');
    expect(`${out}${ran.out}${ran.err}`).not.toContain(secret);
  } finally {
    await service.close();
  }
});

it('a run that listens itself follows its payments by what it hears, and its port is freed', async () => {
  const service = await startService({ dataDir: newFolder(), tokensPerMinute: 0, settle: { afterMs: 600 } });
  try {
    const { apiKey, apiSecret } = await service.tenants.add('Acme');
    const desk = deskFor(null, kenyanRows(3), {
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: apiKey,
      PAYRUN_API_SECRET: apiSecret,
      PAYRUN_DOUBT_VISIBLE: '0',
      PAYRUN_WEBHOOK_SECRET: secret,
    });
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const argv = ['run', desk.sheet, '--json', '--listen', String(port), '--webhook-url', `http://127.0.0.1:${port}/`];
    const refused = await command(desk, argv);
    expect(refused.exit).toBe(2);
    expect(refusalOf(refused)).toMatchObject({
      code: 'WEBHOOKS_UNHEARD',
      facts: { host: '127.0.0.1', port, why: { fault: 'address-is-in-use' } },
    });
    taken.close();
    await once(taken, 'close');
    expect(documentOf(await command(desk, argv))).toMatchObject({ exit: 0, sent: 3, rows: { paid: 3 } });
    expect((await command(desk, argv)).exit).toBe(0);
    const noPort = await command(desk, ['run', desk.sheet, '--listen', 'here', '--json']);
    expect(refusalOf(noPort)).toEqual(usageAbout("--listen 'here'"));
  } finally {
    await service.close();
  }
});

it('without a secret it asks about open payments of its ledger alone, and never believes what a call says', async () => {
  const service = await newService({ settleAfterMs: 3_600_000 });
  const rows = kenyanRows(2);
  const desk = deskFor(service, rows);
  const { document } = await pay(desk, '--batch', 'nov');
  expect(document.rows.pending).toBe(2);
  expectOnePaymentEach(service, rows);
  const ear = await listening(desk);
  const asked: string[] = [];
  const { promise: allSaid, resolve: saidAll } = Promise.withResolvers<void>();
  // However long the flood takes: until its end, no more than one question is answered.
  service.fault = ({ route, path }) => {
    if (!route.startsWith('GET /payments')) return undefined;
    asked.push(path);
    return { kind: 'hold', until: allSaid };
  };
  const say = async (body: object) => (await fetch(ear.url, { method: 'POST', body: JSON.stringify(body) })).status;
  const id = String(service.payments[0]!.id);
  const foreign = Array.from({ length: 30 }, (_, n) => ({ id: `forged-${n}`, status: 'success' }));
  expect(new Set(await Promise.all(foreign.map(say)))).toEqual(new Set([204]));
  // Out of order, doubled, in a shape of its own, and a lie.
  const flood = Array.from({ length: 40 }, () => ({ type: 'payment', data: { payment: { id, status: 'success' } } }));
  expect(new Set(await Promise.all(flood.map(say)))).toEqual(new Set([204]));
  saidAll();
  await until('it is told', () => ear.heard().length > 0);
  expect(ear.heard()[0]).toMatchObject({ payment: id, batch: 'nov', row: 'k1', signed: false });
  expect(ear.heard().map(({ status }) => status)).not.toContain('success');
  expect(asked.length, 'calls for seventy hints').toBeLessThan(5);
  expect(asked.every((path) => path.endsWith(id))).toBe(true);
  ear.child.kill('SIGINT');
  expect((await ear.ended).exit).toBe(0);
  const status = await command(desk, ['status', 'nov', '--json']);
  expect(JSON.parse(status.out)).toMatchObject({ rows: { pending: 2 } });
});

it('the address and secret go with new payments alone, and stand neither in ledger, output nor printed commands', async () => {
  const bodies: Line[] = [];
  const service = await newService();
  service.fault = ({ route, body }) => {
    if (route === 'POST /payments') bodies.push(body);
    return undefined;
  };
  const desk = deskFor(service, kenyanRows(1), {
    PAYRUN_WEBHOOK_URL: 'https://hooks.example/payrun',
    PAYRUN_WEBHOOK_SECRET: secret,
  });
  const ran = await pay(desk, '--batch', 'nov');
  expect(bodies).toMatchObject([{ webhookUrl: 'https://hooks.example/payrun', webhookSecret: secret }]);
  for (const text of [ran.out, ran.err, readFileSync(desk.ledger, 'latin1')]) expect(text).not.toContain(secret);
});

it.each([
  ['http://hooks.example/', /with https/],
  ['hooks.example', /not a URL/],
  ['https://me:pw@hooks.example/', /no user/],
])('--webhook-url %s is refused, and nothing is sent', async (url, words) => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(1));
  const { exit, err } = await command(desk, ['run', desk.sheet, '--webhook-url', url]);
  expect({ exit, sent: service.payments.length }).toEqual({ exit: 2, sent: 0 });
  expect(err).toMatch(words);
});
