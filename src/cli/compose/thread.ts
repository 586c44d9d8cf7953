/** Runs a terminal command in a thread of its own, so that the console keeps serving pages. A stop lets calls under way end. */

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Seen } from '../../app/run-batch.ts';
import { wordsOf } from '../../base/errors.ts';
import type { CommandEnd, GiveCommand } from '../../console/console.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { seeing } from '../observe/observe.ts';
import type { SeenBy, World } from './world.ts';

export interface CommandGiven {
  readonly argv: readonly string[];
  readonly env: World['env'];
  readonly cwd: string;
  readonly actor: Actor;
  readonly seen?: Seen;
  /** True if the thread reports its log and its calls. */
  readonly isSeen: boolean;
}

export type CommandTold =
  | { readonly step: Progress }
  | { readonly said: string }
  | { readonly line: object }
  | { readonly called: Parameters<SeenBy['called']> }
  | { readonly exit: number; readonly out: string };

const entry = join(import.meta.dirname, `command-thread${extname(import.meta.filename)}`);

/** Returns a command's words. `place` holds the flags for ledger and service, which some commands do not have. */
export const argvAt = (place: readonly string[], argv: readonly string[]): readonly string[] => [
  ...argv,
  ...(argv[0] === 'check' || argv[0] === 'approve' ? [] : place),
  '--json',
];

export function commandsAt(
  { env, cwd }: Pick<World, 'env' | 'cwd'>,
  place: readonly string[],
  onCall?: SeenBy['called'],
): GiveCommand {
  const observer = seeing()?.seenBy;
  return async (argv, { actor, seen, onProgress, stop, passphrase }) => {
    const given: CommandGiven = {
      argv: argvAt(place, argv),
      env: { ...env, ...(passphrase === undefined ? {} : { PAYRUN_PASSPHRASE: passphrase.reveal() }) },
      cwd,
      actor,
      ...(seen === undefined ? {} : { seen }),
      isSeen: observer !== undefined || onCall !== undefined,
    };
    const thread = new Worker(entry, { workerData: given, stdin: false });
    const end = () => thread.postMessage('stop');
    if (stop?.aborted) end();
    else stop?.addEventListener('abort', end);
    try {
      return await told(thread, {
        write: (line) => observer?.write(line),
        called(...call) {
          observer?.called(...call);
          onCall?.(...call);
        },
        progress(step) {
          observer?.progress(step);
          onProgress?.(step);
        },
      });
    } finally {
      stop?.removeEventListener('abort', end);
      await thread.terminate();
    }
  };
}

function told(thread: Worker, { write, called, progress }: SeenBy): Promise<CommandEnd> {
  let said = '';
  return new Promise((done) => {
    thread.on('message', (message: CommandTold) => {
      if ('step' in message) progress(message.step);
      else if ('line' in message) write(message.line);
      else if ('called' in message) called(...message.called);
      else if ('said' in message) said += message.said;
      else done({ exit: message.exit, document: documentIn(message.out), said });
    });
    // The thread had an error or no memory. The ledger has every decision up to then, and the next run continues.
    thread.once('error', (error) => done({ exit: 1, document: null, said: `${said}payrun: ${wordsOf(error)}\n` }));
    thread.once('exit', () =>
      done({ exit: 1, document: null, said: `${said}payrun: the command ended without an answer\n` }),
    );
  });
}

function documentIn(out: string): unknown {
  try {
    return JSON.parse(out);
  } catch {
    return null;
  }
}
