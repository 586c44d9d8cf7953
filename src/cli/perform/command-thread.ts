/** Performs one command in a thread that thread.ts starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { readKeyFile, unlockKey } from '../../approval/approval.ts';
import { version } from '../../base/build.ts';
import { assert } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { inProgram } from '../../messages/format/program.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { type Ending, endOf } from '../../pipeline/outcome.ts';
import { seen as observed, type SeenBy } from '../observe/observe.ts';
import { performToEnd } from './perform-to-end.ts';
import type { CommandGiven, ThreadMessage } from './thread.ts';

const port = parentPort;
assert(port !== null, 'this file is a thread of thread.ts');
const { command, env, cwd, actor, key, isSeen, program } = workerData as CommandGiven;
const tell = (message: ThreadMessage) => port.postMessage(message);

const betweenMs = 100;
let stage: Progress['stage'] | null = null;
let reportedAt = Number.NEGATIVE_INFINITY;

const stop = new AbortController();
port.on('message', () => stop.abort());

const say = (sentence: string) => tell({ sentence });
const observer = {
  write: (line: object) => tell({ line }),
  called: (...called: Parameters<SeenBy['called']>) => tell({ called }),
  // The command's own `progress` below reports the stages.
  progress: () => {},
};

const heard = { env, cwd, streams: { err: { write: say } }, ...(isSeen ? { seenBy: observer } : {}) };
let ending: Ending | null = null;
await observed({ _: [command.do] }, heard, version, async () => {
  const around = { env, cwd, actor, key: key && keyOf(key), stop: stop.signal, say, progress };
  ending = await inProgram(program, async () => await performToEnd(command, around));
  return endOf(ending);
});
// The log line of the end was sent before, because the thread is ended when this arrives.
if (ending !== null) tell({ ending });
port.close();

function progress(step: Progress): void {
  const now = performance.now();
  if (step.stage === stage && now - reportedAt < betweenMs) return;
  stage = step.stage;
  reportedAt = now;
  tell({ step });
}

function keyOf({ file: text, passphrase }: NonNullable<CommandGiven['key']>) {
  const file = readKeyFile(null, text);
  return { file, unlock: async () => await unlockKey(null, file, new Secret(passphrase)) };
}
