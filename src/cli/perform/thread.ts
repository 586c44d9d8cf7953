/** Performs a command in its own thread, so that the console keeps serving pages. A stop lets calls under way end. */
import { addAbortListener } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Command, FileCommand, Perform, PlaceOptions } from '../../app/batch/command.ts';
import { faultOf } from '../../base/errors.ts';
import type { Fault } from '../../base/faults/fault.ts';
import { programName } from '../../messages/format/program.ts';
import type { Progress } from '../../pipeline/deps.ts';
import type { Ending } from '../../pipeline/outcome.ts';
import type { CommandContext } from '../compose/command-context.ts';
import { type SeenBy, seeing } from '../observe/observe.ts';
import type { Around } from './perform.ts';

export interface CommandGiven extends Pick<Around, 'env' | 'cwd' | 'actor'> {
  readonly command: (Command | FileCommand) & PlaceOptions;
  readonly key?: { readonly file: string; readonly passphrase: string } | undefined;
  readonly isSeen: boolean;
  readonly program: string;
}

export type ThreadMessage =
  | { readonly step: Progress }
  | { readonly sentence: string }
  | { readonly line: object }
  | { readonly called: Parameters<SeenBy['called']> }
  | { readonly ending: Ending };

const entry = join(import.meta.dirname, `command-thread${extname(import.meta.filename)}`);

export function performIn(
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
  place: PlaceOptions,
  onCall?: SeenBy['called'],
): Perform {
  const observer = seeing()?.seenBy;
  return async (command, { actor, key, onProgress, say, stop }) => {
    const given: CommandGiven = {
      command: { ...command, ...place },
      env,
      cwd,
      actor,
      key: key && { file: key.file, passphrase: key.passphrase.reveal() },
      isSeen: observer !== undefined || onCall !== undefined,
      program: programName(),
    };
    await using thread = new Worker(entry, { workerData: given, stdin: false });
    using _stopping = stop && addAbortListener(stop, () => thread.postMessage('stop'));
    return await ended(thread, (message) => {
      if ('step' in message) {
        observer?.progress(message.step);
        onProgress?.(message.step);
      } else if ('line' in message) observer?.write(message.line);
      else if ('called' in message) {
        observer?.called(...message.called);
        onCall?.(...message.called);
      } else if ('sentence' in message) say?.(message.sentence);
    });
  };
}

function ended(thread: Worker, tell: (message: ThreadMessage) => void): Promise<Ending> {
  return new Promise((done) => {
    // The thread cannot continue after an error. The next run can, because the ledger has every decision.
    const failed = (why: Fault) => done({ kind: 'refused', failure: { code: null, why }, interrupted: false });
    thread.on('message', (message: ThreadMessage) => {
      if ('ending' in message) done(message.ending);
      else tell(message);
    });
    thread.once('error', (error) => failed(faultOf(error)));
    thread.once('exit', () => failed({ fault: 'system', detail: 'the command ended without an answer' }));
  });
}
