/** What is wrong before anything is read: exit 2, one plain sentence, and not one request at the service. */
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Independent } from '../independent/service.ts';
import { command, type Desk, kenyanRows, newFolder, refusalOf, start, usageAbout } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

let service: Independent;
beforeAll(async () => {
  service = await newService();
});

type Case = readonly [title: string, argv: (desk: Desk) => string[], says: RegExp, prepare?: (desk: Desk) => void];

const run = (desk: Desk, ...more: string[]) => ['run', desk.sheet, ...more];

const cases: readonly Case[] = [
  ['no command at all', () => [], /name a command/i],
  ['a command that does not exist', () => ['pay', 'x.csv'], /pay|unknown/i],
  ['run without a file', () => ['run'], /file|Not enough/i],
  ['a missing file', ({ folder }) => ['run', join(folder, 'december.csv')], /december\.csv.*no such file/],
  ['a missing pack', ({ folder }) => ['audit', 'verify', join(folder, 'none')], /none: .* no such file/],
  ['a folder instead of a file', ({ folder }) => ['run', folder], /not a file/],
  ['an unknown flag', (desk) => run(desk, '--dry-rnu'), /dry-rnu/],
  ['a flag given twice', (desk) => run(desk, '--batch', 'a', '--batch', 'b'), /--batch was given twice/],
  ['a value where the flag needs one', (desk) => run(desk, '--batch'), /batch/],
  ['--concurrency abc', (desk) => run(desk, '--concurrency', 'abc'), /--concurrency 'abc' .*whole number/],
  ['--concurrency 0', (desk) => run(desk, '--concurrency', '0'), /from 1 to 64/],
  ['--concurrency 65', (desk) => run(desk, '--concurrency', '65'), /from 1 to 64/],
  ['--concurrency 1.5', (desk) => run(desk, '--concurrency', '1.5'), /whole number/],
  ['--concurrency -1', (desk) => run(desk, '--concurrency=-1'), /whole number/],
  ['--concurrency 1e1', (desk) => run(desk, '--concurrency', '1e1'), /whole number/],
  ['--wait 5, which could be seconds or minutes', (desk) => run(desk, '--wait', '5'), /--wait '5' .*duration/],
  ['--wait soon', (desk) => run(desk, '--wait', 'soon'), /500ms, 20s, 2m, 1h or 0/],
  ['--wait -1s', (desk) => run(desk, '--wait=-1s'), /duration/],
  ['a policy that does not exist', (desk) => run(desk, '--documents-policy', 'maybe'), /documents-policy|Choices/],
  ['a format that does not exist', (desk) => run(desk, '--format', 'pdf'), /format|Choices/],
  ['--fresh without --sandbox', (desk) => run(desk, '--fresh'), /--sandbox/],
  ['a hot folder that its answers would go to', (desk) => ['watch', desk.folder, '--out', '.', '--once'], / as sheets/],
  ['an empty batch name', (desk) => run(desk, '--batch', ''), /--batch/],
  ['a batch name of 65 characters', (desk) => run(desk, '--batch', 'x'.repeat(65)), /1 to 64/],
  ['a result folder that is a file', (desk) => run(desk, '--out', desk.sheet), /cannot write to .*november\.csv/],
  [
    'a result folder that does not exist',
    (desk) => run(desk, '--out', join(desk.folder, 'nowhere')),
    /cannot write to/,
  ],
  [
    'a result folder that is a link to nothing',
    (desk) => run(desk, '--out', join(desk.folder, 'gone')),
    /cannot write to/,
    ({ folder }) => symlinkSync(join(folder, 'never'), join(folder, 'gone')),
  ],
  ['a batch that the ledger does not know', () => ['resume', 'october'], /no batch october/],
  ['a status before there is a ledger', () => ['status', 'october'], /no ledger at/],
  ['schedule without a batch', () => ['schedule'], / takes a batch/],
  ['schedules before there is a ledger', () => ['schedule', '--list'], /no ledger at/],
  ['a funding source that does not exist', (desk) => run(desk, '--from-country', 'Narnia'), /Narnia/],
  [
    'a config file with a misspelt key',
    (desk) => run(desk),
    /payrun\.config\.json.*basUrl/,
    ({ folder }) => writeFileSync(join(folder, 'payrun.config.json'), '{"basUrl":"https://x.example"}'),
  ],
  [
    'a config file that says a thing twice',
    (desk) => run(desk),
    /payrun\.config\.json.*'ledger' stands twice/,
    ({ folder }) => writeFileSync(join(folder, 'payrun.config.json'), '{"ledger":"a.db","ledger":"b.db"}'),
  ],
  [
    'a config file that is no JSON',
    (desk) => run(desk),
    /payrun\.config\.json/,
    ({ folder }) => writeFileSync(join(folder, 'payrun.config.json'), 'baseUrl = x'),
  ],
  [
    'a config file that takes a failure for a refusal',
    (desk) => run(desk),
    /payrun\.config\.json.*statuses\.refused\.1/,
    ({ folder }) => writeFileSync(join(folder, 'payrun.config.json'), '{"statuses":{"refused":[409,503]}}'),
  ],
  [
    'a config file that takes "not now" for a refusal',
    (desk) => run(desk),
    /statuses\.refused\.0: has a meaning/,
    ({ folder }) => writeFileSync(join(folder, 'payrun.config.json'), '{"statuses":{"refused":[429]}}'),
  ],
  [
    'a config file that tries to hold a secret',
    (desk) => run(desk),
    /apiSecret/,
    ({ folder }) => writeFileSync(join(folder, 'payrun.config.json'), '{"apiSecret":"s"}'),
  ],
];

describe('exit 2, and no request at all', () => {
  const named = cases.map(([title, argv, says, prepare]) => ({ title, argv, says, prepare }));
  it.each(named)('$title', async ({ argv, says, prepare }) => {
    const desk = deskFor(service, kenyanRows(2));
    prepare?.(desk);
    const before = service.total();
    const { exit, err } = await command(desk, argv(desk));
    expect([exit, err]).toEqual([2, expect.stringMatching(says)]);
    expect(err.split('\n').length, 'one sentence, no stack').toBeLessThan(4);
    expect(service.total() - before).toBe(0);
  });

  const missing: readonly (readonly [string, string])[] = [
    ['the base URL', 'PAYRUN_BASE_URL'],
    ['the key', 'PAYRUN_API_KEY'],
    ['the secret', 'PAYRUN_API_SECRET'],
  ];
  it.each(missing)('%s is not set, and the refusal names its variable', async (_title, name) => {
    for (const empty of [true, false]) {
      const desk = deskFor(service, kenyanRows(2));
      if (empty) desk.env[name] = '';
      else delete desk.env[name];
      const before = service.total();
      const ran = await command(desk, ['run', desk.sheet, '--json']);
      expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('--sandbox') as string });
      expect(refusalOf(ran)).toMatchObject({ code: 'CREDENTIALS_MISSING', facts: { missing: name } });
      expect(service.total() - before).toBe(0);
    }
  });

  const urls: readonly (readonly [string, RegExp])[] = [
    ['http://payouts.example', /https:\/\//],
    ['http://10.0.0.1:8080/v1', /https:\/\//],
    ['http://127.0.0.1.evil.example', /https:\/\//],
    ['ftp://127.0.0.1', /https:\/\//],
    ['file:///etc/passwd', /https:\/\//],
    ['payouts.example', /not a URL/],
    ['https://user:secret@payouts.example', /no user/],
    ['https://payouts.example/?tenant=1', /query/],
    ['https://payouts.example/#v1', /fragment/],
  ];
  it.each(urls)('the base URL %s', async (url, says) => {
    const desk = deskFor(service, kenyanRows(2), { PAYRUN_BASE_URL: url });
    const { exit, err } = await command(desk, ['run', desk.sheet]);
    expect([exit, err]).toEqual([2, expect.stringMatching(says)]);
    expect(err, 'what may be a password is not printed').not.toContain('secret');
  });

  it.each([
    ['can be read by others', 0o644, 'value', /chmod 600/],
    ['can be read by its group', 0o640, 'value', /chmod 600/],
    ['is empty', 0o600, '\n', /empty/],
  ])('a secret file that %s', async (_title, mode, text, says) => {
    const path = join(newFolder(), 'secret');
    writeFileSync(path, text);
    chmodSync(path, mode);
    const desk = deskFor(service, kenyanRows(2), { PAYRUN_API_SECRET: '', PAYRUN_API_SECRET_FILE: path });
    const { exit, err } = await command(desk, ['run', desk.sheet]);
    expect([exit, err]).toEqual([2, expect.stringMatching(says)]);
  });

  it('a secret file that does not exist', async () => {
    const desk = deskFor(service, kenyanRows(2), { PAYRUN_API_SECRET: '', PAYRUN_API_SECRET_FILE: '/nowhere/secret' });
    const { exit, err } = await command(desk, ['run', desk.sheet]);
    expect([exit, err]).toEqual([2, expect.stringMatching(/PAYRUN_API_SECRET_FILE.*\/nowhere\/secret/)]);
  });

  it('a result folder that was deleted while the sheet lies elsewhere', async () => {
    const desk = deskFor(service, kenyanRows(2));
    const out = join(desk.folder, 'out');
    mkdirSync(out);
    rmSync(out, { recursive: true });
    const before = service.total();
    expect((await command(desk, ['run', desk.sheet, '--out', out])).exit).toBe(2);
    expect(service.total() - before).toBe(0);
  });

  it.each([
    'release nov --row k1 --by Ama --reason TEXT',
    'drop nov --row k1 --reason TEXT',
    'reopen nov --row k1 --reason TEXT',
    'resolve nov --row k1 --paid p1 --reason TEXT',
    'ledger rebind nov --reason TEXT',
    'ledger rebind nov --reason REASON',
    'run x.csv --batch again --confirm-repeat REASON',
    'run x.csv --confirm-variance REASON',
    'plan x.csv --confirm-variance REASON',
  ])('a reason that no person wrote: %s', async (line) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'x.csv'), '');
    const ran = await command({ folder, env: deskFor(service, kenyanRows(1)).env }, [...line.split(' '), '--json']);
    expect([ran.exit, refusalOf(ran)?.code]).toEqual([2, 'REASON_PLACEHOLDER']);
    expect(readdirSync(folder)).toEqual(['x.csv']);
  });

  it('an empty reason', async () => {
    const ran = await command({ folder: newFolder(), env: {} }, ['ledger', 'rebind', 'nov', '--reason=', '--json']);
    expect([ran.exit, refusalOf(ran)]).toEqual([2, usageAbout('--reason takes')]);
  });

  it.each(['abc', '5', '-1s'])('PAYRUN_HTTP_TIMEOUT=%s', async (value) => {
    const desk = deskFor(service, kenyanRows(2), { PAYRUN_HTTP_TIMEOUT: value });
    const before = service.total();
    const ran = await command(desk, ['run', desk.sheet, '--json']);
    expect([ran.exit, refusalOf(ran)]).toEqual([2, usageAbout(`PAYRUN_HTTP_TIMEOUT (http.timeout) '${value}'`)]);
    expect(service.total() - before).toBe(0);
  });
});

describe('secrets', () => {
  it('come from owner-only files, with the newline at their end taken off', async () => {
    const folder = newFolder();
    const env: Record<string, string> = {};
    for (const [name, value] of [
      ['PAYRUN_API_KEY', service.apiKey],
      ['PAYRUN_API_SECRET', service.apiSecret],
    ] as const) {
      writeFileSync(join(folder, name), `${value}\n`, { mode: 0o600 });
      env[name] = '';
      env[`${name}_FILE`] = join(folder, name);
    }
    const desk = deskFor(service, kenyanRows(1), env);
    expect((await command(desk, ['plan', desk.sheet])).exit).toBe(0);
  });

  it("come from systemd's credentials", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'PAYRUN_API_KEY'), service.apiKey);
    writeFileSync(join(folder, 'PAYRUN_API_SECRET'), service.apiSecret);
    const desk = deskFor(service, kenyanRows(1), {
      PAYRUN_API_KEY: '',
      PAYRUN_API_SECRET: '',
      CREDENTIALS_DIRECTORY: folder,
    });
    expect((await command(desk, ['plan', desk.sheet])).exit).toBe(0);
  });
});

describe('the real process', () => {
  it('ends with 2 and one sentence for an unknown flag', async () => {
    const desk = deskFor(service, kenyanRows(2));
    const before = service.total();
    const { exit, out, err } = await start(desk, ['run', desk.sheet, '--concurency', '4']).ended;
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(/^payrun: .*concurency/);
    expect(service.total() - before).toBe(0);
  });

  it('prints help on stdout and ends with 0', async () => {
    const { exit, out, err } = await start(deskFor(null, []), ['run', '--help']).ended;
    expect([exit, err]).toEqual([0, '']);
    for (const flag of ['--ledger', '--out', '--batch', '--documents', '--documents-policy', '--from-country'])
      expect(out).toContain(flag);
  });
});

describe('a slip on the command line is answered with what was meant, and nothing runs', () => {
  it.each([
    ['mercahnts list', "'mercahnts'", 'merchants?', ''],
    ['merchant list', "'merchant'", 'merchants?', ''],
    ['runn x.csv', "'runn'", 'run?', ''],
    ['users lst', "'users lst'", 'users list?', 'users '],
    ['payments add', "'payments add'", '', 'payments '],
    ['run x.csv --sandbx', '--sandbx', '--sandbox?', 'run '],
    ['run --sandbx x.csv', '--sandbx', '--sandbox?', 'run '],
    ['run x.csv --batch', '--batch', 'something', 'run '],
    ['run x.csv --format pdf', "--format 'pdf'", "'csv', 'xlsx'", 'run '],
    ['run x.csv --wiat 0', '--wiat', '--wait?', 'run '],
    ['run x.csv --dry-run', '--dry-run', '', 'run '],
    ['run x.csv -x', '-x', '', 'run '],
    ['release nov', 'release', '--row and --reason', 'release '],
    ['completion tcsh', "shell 'tcsh'", "'bash', 'zsh', 'fish'", 'completion '],
    ['run', 'missing', 'payrun run <file>', 'run '],
    ['users show', 'missing', 'payrun users show <user>', 'users show '],
    ['users', 'users', 'list, show, add, set', 'users '],
    ['', 'name a command', '', ''],
  ])('payrun %s', async (line, wrong, meant, helped) => {
    const { exit, out, err } = await command({ folder: newFolder(), env: {} }, line.split(' ').filter(Boolean));
    const [, told = '', help] = /^payrun: (.*[;?]) payrun (.*)\n$/.exec(err) ?? [];
    expect({ exit, out, help }).toEqual({ exit: 2, out: '', help: `${helped}--help shows more` });
    for (const part of [wrong, meant]) expect(told).toContain(part);
    expect(told.includes('did you mean')).toBe(meant.endsWith('?'));
  });

  it.each([
    ['help', '--help'],
    ['-h', '--help'],
    ['merchants -h', 'merchants --help'],
    ['help merchants', 'merchants --help'],
    ['help merchants add', 'merchants add --help'],
  ])('payrun %s is payrun %s', async (line, same) => {
    const desk = { folder: newFolder(), env: {} };
    const [one, other] = [await command(desk, line.split(' ')), await command(desk, same.split(' '))];
    expect(one).toEqual(other);
    expect(one).toMatchObject({ exit: 0, err: '' });
    expect(one.out).toMatch(/^payrun/);
  });
});
