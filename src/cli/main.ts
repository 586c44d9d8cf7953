#!/usr/bin/env node
/** The program's entry. Only files in src/cli read argv and the environment, and end the process. */
// Imports the whole module, because an older Node refuses a missing name before it runs the first line.
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** The least version of Node, as in `engines` of package.json. npm only warns about an older Node. */
const [leastMajor, leastMinor] = [24, 12];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(
    `payrun: Node ${process.versions.node} is too old: Payrun needs Node ${leastMajor}.${leastMinor} or later (https://nodejs.org). Nothing was done.\n`,
  );
  process.exit(2);
}

// Files that Payrun writes may contain account numbers, so other users may not read them.
process.umask(0o077);
enableCompileCache(process.env);

/** Node's default cache is a shared folder, where others could put code. Payrun's cache is private. */
function enableCompileCache(env: NodeJS.ProcessEnv): void {
  const home = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  const folder = env.NODE_COMPILE_CACHE || (home && join(home, 'payrun'));
  if (!folder) return;
  nodeModule.enableCompileCache(folder);
  // Threads need the parent folder, because Node adds a subfolder for its version.
  const cache = nodeModule.getCompileCacheDir();
  if (cache !== undefined) env.NODE_COMPILE_CACHE = dirname(cache);
}

// `npm start` changes to the project's folder, but people name files from the folder in which they type.
if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD !== undefined)
  process.chdir(process.env.INIT_CWD);
const cwd = currentFolder();
if (cwd === null) {
  process.stderr.write(
    'payrun: The folder that it was started in is gone. Change to one that is there, and give the command again. Nothing was done.\n',
  );
  process.exit(2);
}

// A write error of stdout or stderr must not end a run. The exit code reports the error, except for a closed pipe.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });

const { runCommand } = await import('./args/command-line.ts');
const { programOf } = await import('./args/program.ts');
// V8's young generation stays small. Its growth in a long run would cost a hundred megabytes.
setFlagsFromString('--semi-space-growth-factor=1');
const exit = await runCommand(process.argv.slice(2), {
  env: process.env,
  cwd,
  program: programOf(import.meta.filename, { argv0: process.argv0, npmScript: process.env.npm_lifecycle_event }),
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
