/** The texts of a command line as the values of a command, and which of several mistakes is reported. */
import { expect, it } from 'vitest';
import { repeatedOptions } from '../../src/cli/args/build-orders.ts';
import { readCommand, readOptions } from '../../src/cli/args/read-command.ts';
import { CommandMistake } from '../../src/cli/compose/command-context.ts';
import { command, kenyanRows, newFolder } from '../support.ts';
import { deskFor } from './own-time.ts';

const world = { env: {}, cwd: '/pay' };

it('reads numbers, durations, lists and addresses', () => {
  const said = { concurrency: '4', wait: '90s', listen: '[::1]:9000', rows: 'a,b', retryRow: ['c,d'], out: 'results' };
  expect(readOptions(said)).toMatchObject({
    concurrency: 4,
    waitMs: 90_000,
    listen: { host: '::1', port: 9000 },
    rows: [{ row: 'c,d' }, { list: 'a,b' }],
    out: 'results',
  });
  expect(readOptions({ retry: true }).rows).toBe('all');
});

it.each([
  [{}, {}],
  [{ concurrency: '8' }, {}],
  [{ concurrency: '4' }, { concurrency: '4' }],
  [{ listen: '9000' }, { listen: '9000' }],
  [{ listen: 'localhost:9000' }, { listen: 'localhost:9000' }],
  [{ listen: '[::1]:9000' }, { listen: '[::1]:9000' }],
  [
    { format: 'csv', wait: '90s', skipInvalid: true },
    { format: 'csv', skipInvalid: true },
  ],
])('repeats %j in the next step as %j', (said, repeated) => {
  expect(repeatedOptions(readOptions(said), world)).toEqual(repeated);
});

it('reports the same one of several mistakes', () => {
  const cwd = newFolder();
  const right = { map: 'wise', concurrency: '8', wait: '2m', fresh: false, listen: '0', cap: [], expires: '24h' };
  const wrong = { map: 'nix', concurrency: 'x', wait: 'x', fresh: true, listen: 'x', cap: ['x'], expires: '0' };
  const names = ['map', 'concurrency', 'wait', 'fresh', 'listen', 'cap', 'expires'] as const;
  const bare = { do: 'plan', file: 'x.csv' } as const;
  const reported = names.map((_, corrected) => {
    const args = Object.fromEntries(names.map((name, at) => [name, at < corrected ? right[name] : wrong[name]]));
    try {
      return readCommand(args, bare, { env: {}, cwd });
    } catch (error) {
      return error instanceof CommandMistake ? /--(\w+)/.exec(error.message)?.[1] : error;
    }
  });
  expect(reported).toMatchObject([
    { code: 'MAP_UNUSABLE' },
    'concurrency',
    'wait',
    'fresh',
    'listen',
    { code: 'CAP_UNUSABLE' },
    'expires',
  ]);
  expect(readCommand(right, bare, { env: {}, cwd })).toMatchObject({ ...bare, expiresMs: 86_400_000 });
});

it('counts a value that is negated as absent', async () => {
  const desk = deskFor(null, kenyanRows(1));
  const ran = await command(desk, ['plan', desk.sheet, '--sandbox', '--no-out', '--no-maker', '--no-documents']);
  expect(ran.exit).toBe(0);
});
