/** What the suite needs of a machine that nobody prepared: whole files that nobody else could lay there, and a place for PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { builtOnce } from '../src/console/build-page.ts';
import { postgresFolder } from './postgres-server.ts';
import { newFolder, start } from './support.ts';

it('what a killed process built in part is not taken for the whole', async () => {
  const folder = newFolder();
  const [cache, source] = [join(folder, 'cache'), join(folder, 'source')];
  writeFileSync(source, 'a source');
  const module = pathToFileURL(join(import.meta.dirname, '../src/console/build-page.ts')).href;
  const dies = `import { writeFileSync } from 'node:fs';
    const { builtOnce } = await import(${JSON.stringify(module)});
    await builtOnce(${JSON.stringify(cache)}, [${JSON.stringify(source)}], async (made) => {
      writeFileSync(made + '/program', 'ha');
      console.log('half');
      await new Promise((_) => setInterval(() => {}, 1000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', dies], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await ended;
  expect(readdirSync(cache)).toHaveLength(1);
  let made = 0;
  const build = async () =>
    await builtOnce(cache, [source], async (into) => {
      made += 1;
      writeFileSync(join(into, 'program'), 'whole');
    });
  const built = await build();
  expect([readFileSync(join(built, 'program'), 'utf8'), statSync(built).mode & 0o077]).toEqual(['whole', 0]);
  expect([await build(), made]).toEqual([built, 1]);
});

it('two that build at one moment both have the whole, and nothing is left of the slower one', async () => {
  const folder = newFolder();
  const [cache, source] = [join(folder, 'cache'), join(folder, 'source')];
  writeFileSync(source, 'a source');
  const both = Promise.withResolvers<void>();
  let building = 0;
  const build = async () =>
    await builtOnce(cache, [source], async (into) => {
      building += 1;
      if (building === 2) both.resolve();
      await both.promise;
      writeFileSync(join(into, 'program'), 'whole');
    });
  const [one, other] = await Promise.all([build(), build()]);
  expect(one).toBe(other);
  expect([readdirSync(cache), readFileSync(join(one, 'program'), 'utf8')]).toEqual([[one.split('/').at(-1)], 'whole']);
});

it.runIf(userInfo().uid === 0)('PostgreSQL finds a folder that its user may enter, or says what to do', () => {
  const closed = newFolder();
  chmodSync(closed, 0o700);
  const open = newFolder();
  chmodSync(open, 0o755);
  const found = postgresFolder(['/proc', closed, open]);
  expect([found.startsWith(open), readdirSync(closed)]).toEqual([true, []]);
  rmSync(found, { recursive: true });
  expect(() => postgresFolder([closed])).toThrow(/Set TMPDIR to a folder .* or PAYRUN_TEST_DATABASE_URL/);
});

it('compiled modules lie in a folder of their owner alone, none in the shared temporary folder', async () => {
  const [folder, shared] = [newFolder(), newFolder()];
  const env = { NODE_COMPILE_CACHE: '', TMPDIR: shared };
  expect(await start({ folder, env }, ['--version']).ended).toMatchObject({ exit: 0, err: '' });
  const cache = join(folder, '.cache/payrun');
  expect(readdirSync(cache)).toHaveLength(1);
  expect([statSync(cache).mode & 0o077, readdirSync(shared)]).toEqual([0, []]);
});
