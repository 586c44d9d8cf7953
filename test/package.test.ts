/** What is published: packed as it would be, installed in an empty folder without a registry, and used from there. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { makeSamples } from '../samples/make.ts';
import type { ShownOutcome } from '../src/cli/render/outcome-document.ts';
import { mainFile } from './program.ts';
import { newFolder, start, until } from './support.ts';

const root = resolve(import.meta.dirname, '..');
const shipped = ['package.json', 'README.md', 'CHANGELOG.md', 'docs', 'samples', 'templates', 'src'];
const { version, engines, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
  scripts: { build: string; prepack: string };
};

/** What a person leaves who tries the program where it lies, by README's first command and with a sheet of their own. */
const left = (
  'result.xlsx result.csv result.html checked.xlsx checked-2.xlsx problems.csv problems.json ' +
  'plan.json plan.html totals.json pain.002.xml'
)
  .split(' ')
  .map((ending) => `november.${ending}`);
const strays = [
  ...left,
  'staff.csv',
  'staff.xlsx',
  'invoice.pdf',
  'Ama.key',
  '.payrun-files.jsonl',
  'payrun.policy.json',
];
const strayFolders = [
  '',
  'docs',
  'docs/console',
  'samples',
  'samples/documents',
  'samples/other',
  'templates',
  'templates/cron',
];

let home: string;
let installed: string;
const path = `${dirname(process.execPath)}:${process.env.PATH}`;
const npm = async (cwd: string, ...argv: string[]) =>
  // A cache of its own, and nowhere to ask: what is not in the package is not there.
  await promisify(execFile)(
    'npm',
    [...argv, '--offline', '--cache', join(home, 'npm-cache'), '--no-audit', '--no-fund'],
    {
      cwd,
      env: { PATH: path, HOME: home },
    },
  );
const payrun = (...argv: string[]) =>
  spawnSync(join(home, 'empty/node_modules/.bin/payrun'), argv, {
    cwd: home,
    encoding: 'utf8',
    env: { PATH: path, HOME: home },
  });

beforeAll(async () => {
  home = newFolder();
  // The checkout's own `dist` stays as it is.
  const copy = join(home, 'copy');
  for (const name of shipped) cpSync(join(root, name), join(copy, name), { recursive: true });
  // The script `prepack` builds the same files (build-program.ts).
  cpSync(dirname(dirname(mainFile)), join(copy, 'dist'), { recursive: true });
  for (const folder of strayFolders)
    for (const name of strays) writeFileSync(join(copy, folder, name), 'of a person who tried the program');
  await npm(copy, 'pack', '--ignore-scripts', '--pack-destination', home);
  mkdirSync(join(home, 'empty'));
  writeFileSync(join(home, 'empty/package.json'), '{}');
  await npm(join(home, 'empty'), 'install', '--ignore-scripts', join(home, `payrun-${version}.tgz`));
  installed = join(home, 'empty/node_modules/payrun');
}, 180_000);

test('packing it builds it', () => {
  expect(scripts).toMatchObject({ prepack: 'npm run build', build: 'node scripts/build.ts' });
});

test('it runs the main job, and all that a person begins with', async () => {
  expect(payrun('--version').stdout).toBe(`${version}\n`);
  const november = join(installed, 'samples/november.xlsx');
  expect(payrun('check', november, '--out', home).status).toBe(0);
  const ran = payrun('run', november, '--sandbox', '--out', home, '--json');
  expect(ran.stderr).toBe('');
  const { rows, result } = JSON.parse(ran.stdout) as ShownOutcome;
  expect([ran.status, rows.paid, rows.total]).toEqual([0, 24, 24]);
  expect(existsSync(result!)).toBe(true);

  const { child, ended } = start(
    { folder: home, env: { PATH: path } },
    ['console', '--sandbox', '--port', '0', '--json'],
    join(installed, 'dist/program/main.mjs'),
  );
  let told = '';
  child.stdout!.on('data', (text: string) => (told += text));
  await until('the console tells its address', () => told.includes('\n'));
  const { url } = JSON.parse(told) as { url: string };
  const page = await (await fetch(url)).text();
  expect(page).toMatch(/<script type="module"[^>]* src="/);
  const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)![1]!;
  expect((await fetch(new URL(script, url))).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).exit).toBe(0);
});

test('it holds every sample and template, and nothing that a person made where they lie', async () => {
  const made = join(home, 'made');
  await makeSamples(join(made, 'samples'), join(made, 'templates'));
  const filesIn = (folder: string) =>
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .toSorted();
  expect(filesIn(join(installed, 'samples'))).toEqual(['README.md', ...filesIn(join(made, 'samples'))].toSorted());
  const templates = filesIn(join(installed, 'templates'));
  expect(templates.filter((name) => !name.includes('/'))).toEqual(filesIn(join(made, 'templates')));
  expect(templates.map(dirname)).toEqual(expect.arrayContaining(['container', 'cron', 'grafana', 'systemd']));
  const held = (readdirSync(installed, { recursive: true }) as string[]).map((name) => basename(name));
  expect(held.filter((name) => strays.includes(name))).toEqual([]);
});

test('it brings its licences, its bill of materials and its manual, and needs no other package', () => {
  expect(existsSync(join(home, 'empty/node_modules/exceljs'))).toBe(false);
  const bill = JSON.parse(readFileSync(join(installed, 'dist/bom.cdx.json'), 'utf8')) as {
    components: { name: string; version: string }[];
  };
  const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['yargs', 'zod', 'exceljs', 'fastify', 'kysely', 'preact'])
    expect(bill.components.map((one) => one.name)).toContain(name);
  for (const one of bill.components) expect(notices).toContain(`\n${one.name} ${one.version} (`);
  expect(readFileSync(join(installed, 'docs/payrun.1'), 'utf8')).toMatch(/^\.TH PAYRUN 1/m);
  expect(existsSync(join(installed, 'src'))).toBe(false);
});

test('the steps of the container file install it, and its command looks into the folder', () => {
  const file = readFileSync(join(installed, 'templates/container/Containerfile'), 'utf8');
  const step = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(file)![1]!;
  const box = join(home, 'container');
  const inBox = (text: string) => text.replaceAll(/(?<![\w.])\/(?=\w)/g, `${box}/`);
  expect(step('FROM')).toContain(`/node:${Number.parseInt(engines.node.replace('>=', ''), 10)}-`);
  for (const folder of [
    'tmp',
    'var/lib/payrun',
    'var/lib/payrun-witness',
    'run/secrets',
    'etc/payrun',
    'srv/payouts/in',
  ])
    mkdirSync(join(box, folder), { recursive: true });
  const [from, to] = step('COPY').split(' ');
  expect(globSync(from!, { cwd: home })).toEqual([`payrun-${version}.tgz`]);
  cpSync(join(home, `payrun-${version}.tgz`), inBox(to!));
  const npmSettings = { npm_config_prefix: box, npm_config_offline: 'true', npm_config_cache: join(home, 'npm-cache') };
  const ran = spawnSync('sh', ['-ec', inBox(step('RUN'))], { env: { PATH: path, HOME: home, ...npmSettings } });
  expect([ran.status, existsSync(inBox(to!))]).toEqual([0, false]);
  expect(readFileSync(join(box, 'share/man/man1/payrun.1'), 'utf8'), 'man payrun').toMatch(/^\.TH PAYRUN 1/m);
  const env: Record<string, string> = { PATH: `${join(box, 'bin')}:${path}`, PAYRUN_BASE_URL: 'http://127.0.0.1:9' };
  for (const [, pairs] of file.matchAll(/^ENV (.*)$/gm))
    for (const pair of pairs!.split(' ')) env[pair.split('=')[0]!] = inBox(pair.split('=')[1]!);
  for (const name of ['PAYRUN_API_KEY_FILE', 'PAYRUN_API_SECRET_FILE'])
    writeFileSync(env[name]!, 'of the test\n', { mode: 0o400 });
  const [entry, ...words] = ['ENTRYPOINT', 'CMD'].flatMap((name) => JSON.parse(step(name)) as string[]);
  const argv = [...words.map(inBox), '--once'];
  const look = () => spawnSync(entry!, argv, { cwd: inBox(step('WORKDIR')), env, encoding: 'utf8' });
  const unheld = look();
  expect([unheld.status, unheld.stderr]).toEqual([2, expect.stringContaining('PAYRUN_CONFIG names')]);
  writeFileSync(env.PAYRUN_CONFIG!, '{"controls":{"totals":"require"}}');
  const looked = look();
  expect([looked.status, looked.stdout, looked.stderr]).toEqual([0, '', '']);
  expect(globSync('*', { cwd: join(box, 'srv/payouts/in') }).sort()).toEqual(['out', 'taken']);
});

test('its types are whole, for whoever has no other package than those of Node', () => {
  writeFileSync(
    join(home, 'empty/consumer.mts'),
    `import { type Outcome, run } from 'payrun';
import { type Client, openClient } from 'payrun/client';
export const paid = (outcome: Outcome): number => outcome.rows.paid;
export const open: (...args: Parameters<typeof openClient>) => Client = openClient;
export type Ran = ReturnType<typeof run>;
type Body = Parameters<Client['createPayment']>[0];
// An amount that is a text must not pass: the library that says so is within.
// @ts-expect-error
export const wrong: Body = { merchantId: 'm', amount: '12', reference: 'r', tag: 't' };
`,
  );
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(home, 'empty/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.mts'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [tsc, '-p', join(home, 'empty')], { encoding: 'utf8' });
  expect(checked.stdout).toBe('');
});

test.each(['20.19.0', '24.9.0'])('payrun refuses to start with an older Node: %s', (version) => {
  const main = join(installed, 'dist/program/main.mjs');
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', old, main, '--version'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain(`needs Node ${engines.node.replace('>=', '')} or later`);
  // An older one refuses names that it does not have before it runs a line: nothing is taken by its name that is younger.
  expect(readFileSync(main, 'utf8').match(/^import .*/gm)).toEqual([
    'import nodeModule from "node:module";',
    'import { dirname, join } from "node:path";',
    'import { setFlagsFromString } from "node:v8";',
  ]);
});

test('a folder that is gone while a command starts in it is told', () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" list';
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', script, process.execPath, join(installed, 'dist/program/main.mjs')],
    {
      cwd: home,
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^payrun: .*\bis gone/)]);
});

test('bash completes commands, options and what these take', () => {
  const script = payrun('completion', 'bash').stdout;
  const typed = (...words: string[]) =>
    spawnSync(
      'bash',
      ['-c', `${script}\nCOMP_WORDS=(payrun "$@"); COMP_CWORD=$#; _payrun; echo "\${COMPREPLY[@]}"`, '-', ...words],
      { encoding: 'utf8' },
    ).stdout.trim();
  expect(typed('resu')).toBe('resume');
  expect(typed('audit', '')).toBe('verify export');
  expect(typed('service', 'tenant', '')).toBe('add');
  expect(typed('run', 'sheet.csv', '--sand')).toBe('--sandbox');
  expect(typed('run', '--format', '')).toBe('csv xlsx');
  // Then the shell's own names of files.
  expect(typed('run', 'sheet')).toBe('');
});
