/** What a command gets from outside: its arguments as they were read, the environment, and the streams. */

import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { isPostgres } from '../../ledger/ledger.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { exitOfCode, type Outcome, shellWord } from '../../pipeline/outcome.ts';
import { firstLine, type Kind, type Streams, summary } from '../render/screen.ts';

/** What a shell says of a program that a signal ended. */
export const signalExits = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof signalExits;

/** What takes the log and the figures of a command. */
export interface SeenBy {
  write(line: object): void;
  /** `status` is null where no whole answer came. */
  called(route: string, status: number | null, seconds: number): void;
  progress(step: Progress): void;
}

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What a person types to start it, where that is not `payrun` (program.ts). */
  readonly program?: string;
  readonly streams: Streams;
  /** By which it is checked, planned and paid, where that is not the machine's. */
  readonly clock?: Clock;
  /** Who gives the command, where that is not whom the system knows: somebody who is logged in at the console. */
  readonly person?: string;
  /** A worker gives it: stopped, it leaves its batch to another one. */
  readonly handsOver?: true;
  /** How the opening of its batch stood when the worker decided on it. */
  readonly asOf?: string;
  /** The pause that going on ends, by its id: the console gives it, after Stop. */
  readonly endsPause?: number;
  /** Told how far the command is, whatever the screen shows. */
  readonly progress?: (step: Progress) => void;
  /** Of a command in a thread: whoever started that has the log and the figures. */
  readonly seenBy?: SeenBy;
  /** Told how a command ended that had a ledger and a service, whatever is printed of it. */
  readonly ended?: (end: CommandEnd) => void;
  /** Asks the person at the terminal for what nobody may see; absent where there is none. */
  readonly ask?: (question: string) => Promise<string>;
  readonly signals: {
    on(signal: Signal, listener: () => void): unknown;
    off(signal: Signal, listener: () => void): unknown;
    exit(code: number): never;
  };
}

/** From the first signal on; a second one, which npm and terminals send along with it, is not heard: what is in flight always ends. */
export function stopOn(
  signals: World['signals'],
  names: readonly Signal[] = ['SIGINT', 'SIGTERM'],
): { readonly signal: AbortSignal; readonly asked: Promise<unknown>; stop(): void; end(): void } {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  for (const name of names) signals.on(name, stop);
  return {
    signal: stopped.signal,
    asked: once(stopped.signal, 'abort'),
    stop,
    end() {
      for (const name of names) signals.off(name, stop);
    },
  };
}

/** One of the two: where it stands, or what stopped it before it could be told. */
export type CommandEnd =
  | { readonly outcome: Outcome; readonly exit: number }
  | { readonly error: PayrunError; readonly exit: number };

export type Args = Record<string, unknown>;
export type Handler = (args: Args, world: World) => Promise<number>;
export type Handle = (handler: Handler) => (args: Args) => void;

const saidOften = ['_', 'fields', 'expect', 'cap', 'retry-row', 'retryRow', 'only', 'ignore-column', 'ignoreColumn'];

/** A list would be taken for its first or last value: an option that is given twice is a slip. */
export function refuseRepeats(args: Args): void {
  for (const [name, value] of Object.entries(args))
    if (!saidOften.includes(name) && Array.isArray(value))
      throw new PayrunError('USAGE', { detail: `--${name} was given twice` });
}

export const text = (args: Args, name: string): string | null =>
  typeof args[name] === 'string' ? (args[name] as string) : null;
export const flag = (args: Args, name: string): boolean => args[name] === true;

/** Every output says which service and ledger it was; a quiet one is either empty or whole. */
export function print(outcome: Outcome, args: Args, streams: Streams, kind: Kind): void {
  if (flag(args, 'json')) streams.out.write(`${JSON.stringify(outcome)}\n`);
  else if (!flag(args, 'quiet')) streams.out.write(summary(outcome, streams, kind));
  else if (outcome.exit !== 0)
    streams.out.write(firstLine(outcome.service, outcome.ledger) + summary(outcome, streams, kind));
}

/** A command that failed, in one sentence on stderr; returns its exit code. */
export function tellFailure(error: PayrunError, json: boolean, { out, err }: Streams, exit = exitOfCode[error.code]) {
  if (json) out.write(`${JSON.stringify({ error: { code: error.code, message: error.message }, exit })}\n`);
  err.write(`payrun: ${error.message}\n`);
  return exit;
}

/** A batch that is not there, with the list of the same ledger; whoever pays from it makes no difference there. Any other error as it is. */
export function pointed(error: PayrunError, args: Args, world: Pick<World, 'cwd'>): PayrunError {
  if (error.code !== 'BATCH_UNKNOWN') return error;
  const again = againFlags({ ...args, 'as-user': null }, world);
  return new PayrunError('BATCH_UNKNOWN', { batch: text(args, 'batch') ?? '', again });
}

/** The flags that lead a later command back to the same ledger and service, from whichever folder it is given. */
export function againFlags(args: Args, { cwd }: Pick<World, 'cwd'>, sandbox = flag(args, 'sandbox')): string {
  const ledger = text(args, 'ledger');
  const user = text(args, 'as-user');
  return `${user === null ? '' : ` --as-user ${shellWord(user)}`}${ledger === null ? '' : ` --ledger ${shellWord(isPostgres(ledger) ? ledger : resolve(cwd, ledger))}`}${sandbox ? ' --sandbox' : ''}`;
}
