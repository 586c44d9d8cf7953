/** What is seen of a command while it runs: a line of JSON for each event, and figures for Prometheus that the dashboard knows. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { deskFor, kenyanRows, newFolder, newService, oneOfEach, pay, start, until } from '../support.ts';

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

test('the sandbox tells of the same calls, each as a part of the call that asked', async () => {
  const folder = newFolder();
  const path = join(folder, 'payrun.log');
  const sheet = join(root, 'samples/kenya.csv');
  const { ended } = start({ folder, env: { PAYRUN_LOG: path } }, ['run', sheet, '--sandbox', '--out', folder]);
  expect((await ended).exit).toBe(0);
  const lines = linesOf(path);
  for (const { time } of lines) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
  const calls = lines.filter(({ event }) => event === 'call');
  const served = new Map(lines.filter(({ event }) => event === 'served').map((line) => [line.parent, line]));
  for (const { span, run, status } of calls) expect(served.get(span)).toMatchObject({ trace: run, status });
  expect(calls.length).toBeGreaterThan(3);
});

test('a long command has figures, health and readiness, and every figure of the dashboard', async () => {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(2));
  expect((await pay(desk, '--wait', '20s')).exit).toBe(0);
  const { child, ended } = start(desk, ['listen', '--ledger', desk.ledger, '--port', '0', '--metrics-port', '0']);
  let told = '';
  let greeted = '';
  child.stderr!.on('data', (text: string) => (told += text));
  child.stdout!.on('data', (text: string) => (greeted += text));
  await until('the address of the figures', () => /http:\S+metrics/.test(told));
  const address = /http:\S+metrics/.exec(told)![0];
  await until('its greeting, when the ledger is open', () => greeted !== '');
  const get = async (path: string) => await fetch(new URL(path, address));
  expect((await get('/health')).status).toBe(200);
  expect((await get('/ready')).status).toBe(200);
  expect((await get('/elsewhere')).status).toBe(404);
  let figures = await (await get('/metrics')).text();
  expect(figures).toContain('payrun_ledger_rows{state="succeeded"} 2');
  child.kill('SIGTERM');
  expect((await ended).exit).toBe(0);
  figures += readFileSync(join(root, 'src/service/metrics.ts'), 'utf8');
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
