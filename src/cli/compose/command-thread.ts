/** Runs one command in a thread, with its own streams, signals and person. thread.ts starts it. */
import { EventEmitter } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/errors.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { runCommand } from '../args/command-line.ts';
import type { CommandGiven, CommandTold } from './thread.ts';

const port = parentPort;
assert(port !== null, 'this file is a thread of thread.ts');
const { argv, isSeen, ...given } = workerData as CommandGiven;
const tell = (told: CommandTold) => port.postMessage(told);

const betweenMs = 100;
let stage: Progress['stage'] | null = null;
let toldAt = Number.NEGATIVE_INFINITY;

const signals = Object.assign(new EventEmitter(), {
  // A thread gets only one stop, so calls under way always end.
  exit(code: number): never {
    throw new Error(`the command was to leave at once, with ${code}`);
  },
});
port.on('message', () => signals.emit('SIGINT'));

let out = '';
const exit = await runCommand(argv, {
  ...given,
  ...(isSeen
    ? {
        seenBy: {
          write: (line) => tell({ line }),
          called: (...called) => tell({ called }),
          // Stages are reported by `progress` below, for every command.
          progress: () => {},
        },
      }
    : {}),
  streams: {
    out: { write: (text) => (out += text) },
    err: { write: (said) => tell({ said }) },
    color: false,
  },
  signals,
  progress(step) {
    const now = performance.now();
    if (step.stage === stage && now - toldAt < betweenMs) return;
    stage = step.stage;
    toldAt = now;
    tell({ step });
  },
});
tell({ exit, out });
port.close();
