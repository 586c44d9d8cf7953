#!/usr/bin/env node
/** The program's entry. Only the files of src/cli read argv and the environment, and exit. */
// Imports the whole module. An older Node would refuse a missing name before it runs the first line.
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** The least version of Node, as in `engines` of package.json. The program checks it too, because npm only warns. */
const leastNode = '24.12';
if (process.versions.node.localeCompare(leastNode, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `payrun: Node ${process.versions.node} is too old: Payrun needs Node ${leastNode} or later (https://nodejs.org). Nothing was done.\n`,
  );
  process.exit(2);
}

// All files of this program contain account numbers, so nobody else may read them.
process.umask(0o077);
enableCompileCache(process.env);

/** Uses a private cache, because others could put code into Node's default cache, which is a shared folder. */
function enableCompileCache(env: NodeJS.ProcessEnv): void {
  const home = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  const folder = env.NODE_COMPILE_CACHE || (home && join(home, 'payrun'));
  if (!folder) return;
  nodeModule.enableCompileCache(folder);
  // Threads look for the cache in this folder, which has a subfolder for each version of Node.
  const cache = nodeModule.getCompileCacheDir();
  if (cache !== undefined) env.NODE_COMPILE_CACHE = dirname(cache);
}

// npm changes to the project's folder first, but people name files from the folder in which they type.
if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD !== undefined)
  process.chdir(process.env.INIT_CWD);
const cwd = currentFolder();
if (cwd === null) {
  process.stderr.write(
    'payrun: The folder that it was started in is gone. Change to one that is there, and give the command again. Nothing was done.\n',
  );
  process.exit(2);
}

// A closed pipe, or a full disk behind `>`, must not end a run. The run continues, and its exit code reports the error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });

const { runCommand } = await import('./args/command-line.ts');
const { programOf } = await import('./args/program.ts');
// Keeps the young generation small: the objects of a long run are short-lived. Growth would cost a hundred megabytes.
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
