/** What is seen of a command while it runs: a line of JSON for each event, and figures for Prometheus that the dashboard knows. */
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { rowStates, wordOf } from '../../src/ledger/ledger.ts';
import { atEnd } from '../endings.ts';
import { newPlace } from '../ledger/stores.ts';
import {
  command,
  configAbout,
  csvOf,
  type Desk,
  kenyanRows,
  newFolder,
  oneOfEach,
  pay,
  refusalOf,
  start,
  until,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const root = resolve(import.meta.dirname, '../..');
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a run tells its events under one id, and nothing of a payee, a key or a token', async () => {
  const service = await newService();
  const desk = deskFor(service, oneOfEach);
  const path = join(desk.folder, 'payrun.log');
  expect((await pay(desk, '--wait', '20s', '--log', path)).exit).toBe(0);
  const lines = linesOf(path);
  expect(new Set(lines.map(({ run }) => run)).size).toBe(1);
  expect(lines[0]).toMatchObject({ event: 'start', command: 'run' });
  expect(lines.at(-1)).toMatchObject({ event: 'end', exit: 0 });
  const calls = lines.filter(({ event }) => event === 'call');
  expect(calls.filter(({ method, route }) => method === 'POST' && route === '/payments')).toHaveLength(
    oneOfEach.length,
  );
  expect(calls.map(({ route }) => route)).toContain('/payments/:id');
  expect(lines.filter(({ event }) => event === 'stage').map(({ stage }) => stage)).toContain('paying');
  const whole = readFileSync(path, 'utf8');
  const secret = Object.entries(desk.env).flatMap(([name, value]) => (/KEY|SECRET/.test(name) ? [value] : []));
  expect(secret).toHaveLength(2);
  for (const word of [...secret, ...oneOfEach.flatMap((row) => [row.name, row.account_number, row.contact_number])])
    if (word !== undefined) expect(whole).not.toContain(word);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('a file that is no log, such as the sheet, is refused as a log', async () => {
  const desk = deskFor(await newService(), oneOfEach);
  const before = readFileSync(desk.sheet, 'utf8');
  const ran = await command(desk, ['run', desk.sheet, '--log', desk.sheet, '--json']);
  expect([ran.exit, refusalOf(ran)]).toEqual([2, configAbout(desk.sheet)]);
  expect(readFileSync(desk.sheet, 'utf8')).toBe(before);
});

const sample = join(root, 'samples/kenya.csv');

test('the sandbox tells of the same calls, each as a part of the call that asked', async () => {
  const desk = deskFor(null, []);
  const path = join(desk.folder, 'payrun.log');
  const ran = await command(desk, ['run', sample, '--sandbox', '--out', desk.folder, '--log', path]);
  expect(ran.exit).toBe(0);
  const lines = linesOf(path);
  for (const { time } of lines) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
  const calls = lines.filter(({ event }) => event === 'call');
  const served = new Map(lines.filter(({ event }) => event === 'served').map((line) => [line.parent, line]));
  for (const { span, run, status } of calls) expect(served.get(span)).toMatchObject({ trace: run, status });
  expect(calls.length).toBeGreaterThan(3);
});

interface TracedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** Takes what OTLP over HTTP hands over. Its libraries read the environment of their process: these commands have their own. */
async function newCollector() {
  const bodies: string[] = [];
  const server = createHttpServer((request, response) => {
    void bodyOf(request).then((body) => {
      bodies.push(`${request.url} ${body}`);
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  atEnd(() => void server.close());
  const taken = () =>
    bodies.flatMap((body) => {
      expect(body).toMatch(/^\/v1\/traces /);
      const { resourceSpans } = JSON.parse(body.slice(body.indexOf(' '))) as {
        resourceSpans: { scopeSpans: { spans: TracedSpan[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  return { env, bodies, taken };
}

test('a collector of OpenTelemetry is handed a span of the command, each stage, each call and what served it', async () => {
  const collector = await newCollector();
  const folder = newFolder();
  const path = join(folder, 'payrun.log');
  const env = { PAYRUN_LOG: path, ...collector.env };
  const { exit, err } = await start({ folder, env }, ['run', sample, '--sandbox', '--out', folder]).ended;
  expect([exit, err]).toEqual([0, expect.not.stringContaining('Traces')]);
  const lines = linesOf(path);
  const spans = collector.taken();
  const ofKind = (kind: number) => spans.filter((span) => span.kind === kind);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const parentOf = ({ parentSpanId }: TracedSpan) => (parentSpanId === undefined ? null : byId.get(parentSpanId)!);
  const [internal, server, client] = [1, 2, 3].map(ofKind) as [TracedSpan[], TracedSpan[], TracedSpan[]];
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([lines[0]!.run]));
  const roots = spans.filter((span) => parentOf(span) === null);
  expect(roots.map(({ name }) => name)).toEqual(['payrun run']);
  expect(roots[0]!.attributes).toContainEqual({ key: 'payrun.exit', value: { intValue: 0 } });
  const stages = lines.filter(({ event }) => event === 'stage').map(({ stage }) => stage);
  expect(internal.filter((span) => span !== roots[0]).map((span) => [span.name, parentOf(span)])).toEqual(
    stages.map((stage) => [stage, roots[0]]),
  );
  const calls = lines.filter(({ event }) => event === 'call');
  expect(new Set(client.map(({ spanId }) => spanId))).toEqual(new Set(calls.map(({ span }) => span)));
  expect(server.map((span) => parentOf(span)!.kind)).toEqual(calls.map(() => 3));
  const payments = client.filter(({ name }) => name === 'POST /payments');
  expect(payments).toHaveLength(5);
  for (const payment of payments) expect(parentOf(payment)!.name).toBe('paying');
  for (const span of spans) expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
  // Of the sheet there is nothing, in no word of it.
  const words = new Set(
    spans.flatMap(({ name, attributes }) => [name, ...attributes.map(({ value }) => String(Object.values(value)[0]))]),
  );
  const cells = readFileSync(sample, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((row) => row.split(','));
  for (const cell of cells.filter((text) => text.length > 2))
    for (const word of words) expect(word.includes(cell)).toBe(false);
});

test('a collector that refuses or takes for ever changes nothing but one sentence', async () => {
  const service = await newService();
  const refusing = createHttpServer((_request, response) => void response.writeHead(400).end());
  const silent = createServer(() => {});
  for (const server of [refusing, silent]) await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  atEnd(() => void refusing.close());
  const ports = [refusing, silent].map((server) => (server.address() as AddressInfo).port);
  const ends = await Promise.all(
    ports.map(async (port, index) => {
      const endpoint = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces` };
      const rows = kenyanRows(4).slice(2 * index, 2 * index + 2);
      const desk = deskFor(service, rows, endpoint);
      return await start(desk, ['run', desk.sheet, '--wait', '0']).ended;
    }),
  );
  const told = ends.map(({ exit, err }) => [exit, /^Traces: .* \d+ spans: (.*)/m.exec(err)?.[1]]);
  expect(told).toEqual([
    [23, 'Bad Request'],
    [23, expect.any(String)],
  ]);
  expect(service.payments).toHaveLength(4);
});

test('OpenTelemetry is switched off as its variables say', async () => {
  const collector = await newCollector();
  for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
    const folder = newFolder();
    const env = { ...collector.env, ...off };
    expect((await start({ folder, env }, ['check', sample, '--out', folder]).ended).exit).toBe(0);
  }
  expect(collector.bodies).toEqual([]);
});

/** A command that runs on, once its figures can be asked for. */
async function figuresOf(desk: Desk, words: readonly string[]) {
  const process = start(desk, [...words, '--metrics-port', '0']);
  let told = '';
  process.child.stderr!.on('data', (text: string) => (told += text));
  await until('the address of the figures', () => /http:\S+metrics/.test(told));
  const address = /http:\S+metrics/.exec(told)![0];
  return { ...process, get: async (path: string) => await fetch(new URL(path, address)) };
}

/** Its figures are at most some seconds old. */
async function eventually(get: (path: string) => Promise<Response>, status: number, figures: readonly string[]) {
  const seen = async () => {
    const [ready, metrics] = [await get('/ready'), await get('/metrics')];
    const text = await metrics.text();
    return [ready.status, metrics.status, ...figures.filter((line) => text.includes(line))];
  };
  await expect.poll(seen, { interval: 300 }).toEqual([status, 200, ...figures]);
  return await (await get('/metrics')).text();
}

test('a watcher tells of its ledger while it pays nothing, of what waits for somebody in each batch, and that the ledger is gone', async () => {
  const service = await newService();
  service.fault = ({ route, nth }) => (route === 'POST /payments' && nth === 2 ? { kind: 'drop' } : undefined);
  const desk = deskFor(service, kenyanRows(2), { PAYRUN_DOUBT_HORIZON: '30m' });
  expect((await pay(desk, '--wait', '20s')).exit).toBe(22);
  service.fault = () => undefined;
  for (let n = 3; n < 6; n += 1) {
    writeFileSync(desk.sheet, csvOf(kenyanRows(n).slice(n - 1)));
    expect((await pay(desk, '--batch', `more-${n}`)).exit).toBe(23);
  }
  const { child, ended, get } = await figuresOf(desk, ['watch', newFolder()]);
  const inDoubt = 'payrun_ledger_rows{state="in_doubt"} 1';
  await eventually(get, 200, [inDoubt, 'payrun_ledger_rows{state="accepted"} 3', 'payrun_ledger_answers 1']);
  renameSync(desk.ledger, `${desk.ledger}.away`);
  expect(await eventually(get, 503, ['payrun_ledger_answers 0'])).not.toContain('payrun_ledger_rows{');
  renameSync(`${desk.ledger}.away`, desk.ledger);
  await eventually(get, 200, [inDoubt]);
  child.kill('SIGTERM');
  expect((await ended).exit).toBe(0);
});

test('a worker whose database does not answer is not ready, and its figures say so', async () => {
  const service = await newService();
  const place = new URL(await newPlace('Postgres'));
  const behind = { host: place.hostname, port: Number(place.port) };
  const links = new Set<Socket>();
  let isUp = true;
  const database = createServer((near) => {
    if (!isUp) return void near.destroy();
    const far = connect(behind);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      links.add(one);
      one.pipe(other);
      one.on('error', () => {}).once('close', () => other.destroy());
    }
  });
  await new Promise<void>((done) => void database.listen(0, '127.0.0.1', done));
  atEnd(() => void database.close());
  const through = place.href.replace(place.host, `127.0.0.1:${(database.address() as AddressInfo).port}`);
  const desk = deskFor(service, kenyanRows(2), { PAYRUN_LEDGER: place.href });
  expect((await pay(desk, '--wait', '20s')).exit).toBe(0);
  desk.env.PAYRUN_LEDGER = through;
  const { child, ended, get } = await figuresOf(desk, ['worker']);
  await eventually(get, 200, ['payrun_ledger_rows{state="succeeded"} 2']);
  isUp = false;
  for (const link of links) link.destroy();
  expect(await eventually(get, 503, ['payrun_ledger_answers 0'])).not.toContain('payrun_ledger_rows{');
  isUp = true;
  await eventually(get, 200, ['payrun_ledger_rows{state="succeeded"} 2']);
  child.kill('SIGTERM');
  expect((await ended).exit).toBe(0);
});

test('what to be woken for, and the dashboard, name each state in which a row waits for somebody', () => {
  const needed = rowStates.filter((state) => ['in doubt', 'held', 'paid twice'].includes(wordOf[state]));
  const named = (file: string) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/state=~\\?"([^"\\]*)/g)].map(([, states]) =>
      states!.split('|'),
    );
  expect([...named('docs/how-to/observe.md'), ...named('templates/grafana/payrun.json')]).toEqual([needed, needed]);
});

test('a long command has figures, health and readiness, and every figure of the dashboard', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(2));
  expect((await pay(desk, '--wait', '20s')).exit).toBe(0);
  const { child, ended, get } = await figuresOf(desk, ['listen', '--ledger', desk.ledger, '--port', '0']);
  expect((await get('/health')).status).toBe(200);
  expect((await get('/ready')).status).toBe(200);
  expect((await get('/elsewhere')).status).toBe(404);
  let figures = await (await get('/metrics')).text();
  expect(figures).toContain('payrun_ledger_rows{state="succeeded"} 2');
  child.kill('SIGTERM');
  expect((await ended).exit).toBe(0);
  figures += readFileSync(join(root, 'src/service/http/metrics.ts'), 'utf8');
  const folder = join(root, 'templates/grafana');
  for (const file of readdirSync(folder)) {
    const { panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const named = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:payrun|process|nodejs)_\w+/g) ?? []),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(figures, name).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
  }
});
