#!/usr/bin/env node
/** The program's entry. Only this room reads argv and the environment, and exits. */
// Import the whole module: an older Node would refuse a missing name before it runs the first line.
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** The same as `engines` in package.json, with which npm only warns. */
const leastNode = '24.12';
if (process.versions.node.localeCompare(leastNode, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `payrun: Node ${process.versions.node} is too old: Payrun needs Node ${leastNode} or later (https://nodejs.org). Nothing was done.\n`,
  );
  process.exit(2);
}

// Everything that this program writes contains account numbers, so nobody else may read it.
process.umask(0o077);
enableCompileCache(process.env);

/** Others could put code into Node's default cache, a shared folder. */
function enableCompileCache(env: NodeJS.ProcessEnv): void {
  const home = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  const folder = env.NODE_COMPILE_CACHE || (home && join(home, 'payrun'));
  if (!folder) return;
  nodeModule.enableCompileCache(folder);
  // Threads look for the cache in this folder, which has a subfolder for each version of Node.
  const cache = nodeModule.getCompileCacheDir();
  if (cache !== undefined) env.NODE_COMPILE_CACHE = dirname(cache);
}

// npm changes to the project's folder first, but a person means paths from their own folder.
if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD !== undefined)
  process.chdir(process.env.INIT_CWD);
const cwd = currentFolder();
if (cwd === null) {
  process.stderr.write(
    'payrun: The folder that it was started in is gone. Change to one that is there, and give the command again. Nothing was done.\n',
  );
  process.exit(2);
}

// A closed pipe or a full disk behind `>` must not end a run. It continues, and its exit code reports the error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });

const { runCommand } = await import('./args/command-line.ts');
const { programOf } = await import('./args/program.ts');
// The garbage of a long run is short-lived. A growing young generation would cost a hundred megabytes and save no time.
setFlagsFromString('--semi-space-growth-factor=1');
const exit = await runCommand(process.argv.slice(2), {
  env: process.env,
  cwd,
  program: programOf(import.meta.filename, {
    argv0: process.argv0,
    npmScript: process.env.npm_lifecycle_event,
  }),
  streams: {
    out: process.stdout,
    err: process.stderr,
    color: process.stdout.isTTY === true && !process.env.NO_COLOR,
  },
  signals: process,
  ...(process.stdin.isTTY && process.stderr.isTTY
    ? { ask: async (question: string) => await (await import('./render/terminal.ts')).askHidden(question) }
    : {}),
});
if (exit !== 0) process.exitCode = exit;

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
