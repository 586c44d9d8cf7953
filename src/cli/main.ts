#!/usr/bin/env node
/** The entry: the only room that reads argv and the environment, and exits. */
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

enableCompileCache();
// Everything this program writes holds account numbers: nobody else may read it.
process.umask(0o077);

const { runCommand } = await import('./commands.ts');
// The garbage of a long run is short-lived: a young generation that grows with it costs a hundred megabytes and saves no time.
setFlagsFromString('--semi-space-growth-factor=1');
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  streams: {
    out: process.stdout,
    err: process.stderr,
    color: process.stdout.isTTY === true && !process.env.NO_COLOR,
  },
  signals: process,
});
