/** The surroundings of a command: its parsed arguments, the environment and the streams. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { failureOf, PayrunError, systemFault } from '../../base/errors.ts';
import type { Failure } from '../../base/refusal.ts';
import { shellWord, visible } from '../../base/words.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import type { End } from '../../domain/sending/end.ts';
import { isPostgres } from '../../ledger/ledger.ts';
import { forOthers } from '../../messages/format/program.ts';
import type { Place } from '../../messages/next-actions.ts';
import { endOf, endOfFailure, type Outcome } from '../../pipeline/outcome.ts';
import { exitOf, type Signal, type TerminalEnd } from '../render/exit-code.ts';
import { type ShownOutcome, shownFailure, shownOutcome } from '../render/outcome-document.ts';
import { firstLine, type Kind, type Streams, summary } from '../render/screen.ts';

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The command that started the program, if it is not `payrun` (program.ts). */
  readonly program?: string;
  readonly streams: Streams;
  /** The machine's clock if absent. */
  readonly clock?: Clock;
  /** The person logged in at this terminal if absent. */
  readonly actor?: Actor;
  /** Asks the person at the terminal for a secret; absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  readonly signals: {
    on(signal: Signal, listener: () => void): unknown;
    off(signal: Signal, listener: () => void): unknown;
    exit(code: number): never;
  };
}

export type Heard = Pick<CommandContext, 'env' | 'cwd'> & { readonly streams: Pick<Streams, 'err'> };

export const everySignal: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Aborts at the first signal. Ignores later ones without `onRepeat`, because npm and terminals send two. */
export function stopOn(
  signals: CommandContext['signals'],
  names: readonly Signal[] = ['SIGINT', 'SIGTERM'],
  onRepeat: (signal: Signal) => void = () => {},
) {
  const stopped = new AbortController();
  let heard = null as Signal | null;
  const stop = () => stopped.abort();
  const listening = new DisposableStack();
  for (const name of names) {
    const listener = () => {
      if (heard !== null) onRepeat(name);
      heard ??= name;
      stop();
    };
    signals.on(name, listener);
    listening.defer(() => void signals.off(name, listener));
  }
  return {
    signal: stopped.signal,
    asked: once(stopped.signal, 'abort'),
    heard: () => heard,
    stop,
    [Symbol.dispose]: () => listening.dispose(),
  };
}

export type Args = Record<string, unknown>;

const saidOften = ['_', 'fields', 'expect', 'cap', 'retry-row', 'retryRow', 'only', 'ignore-column', 'ignoreColumn'];

const [aReason, aName] = ['a reason in your own words, which the trail keeps', 'the name of a person'];
const typedByPeople: Readonly<Record<string, string>> = {
  reason: aReason,
  'confirm-repeat': aReason,
  'confirm-variance': aReason,
  by: aName,
  maker: aName,
};
/** Throws for an empty reason, for a name that no person wrote, and for a repeated option of which only one value would count. */
export function refuseMistakes(args: Args): void {
  for (const [name, value] of Object.entries(args)) {
    if (!saidOften.includes(name) && Array.isArray(value)) throw usage(`--${name} was given twice`);
    if (typedByPeople[name] !== undefined && ['', 'NAME'].includes(String(value).trim()))
      throw usage(`--${name} takes ${typedByPeople[name]}`);
  }
}

export const text = (args: Args, name: string): string | null =>
  typeof args[name] === 'string' ? (args[name] as string) : null;
export const texts = (args: Args, name: string): readonly string[] =>
  (args[name] as readonly string[] | undefined) ?? [];
export const flag = (args: Args, name: string): boolean => args[name] === true;

/** A mistake in the command line (USAGE) or in a setting (CONFIG). Only the terminal words it: the core has no such code. */
export class CommandMistake extends Error {
  readonly code: 'USAGE' | 'CONFIG';
  constructor(code: CommandMistake['code'], text: string) {
    super(text.split('\n').map(visible).join('\n'));
    this.code = code;
  }
}

export const usage = (sentence: string) => new CommandMistake('USAGE', sentence);
export const badSetting = (sentence: string) => new CommandMistake('CONFIG', sentence);

type ExpectedError = PayrunError | CommandMistake;
export const isExpected = (error: unknown): error is ExpectedError =>
  error instanceof PayrunError || error instanceof CommandMistake;

export const failureIn = (error: unknown): Failure =>
  error instanceof CommandMistake ? { code: error.code, why: systemFault(error) } : failureOf(error);

export function reasonFor(what: string, args: Args): string {
  const reason = text(args, 'reason');
  if (reason === null) throw usage(`${what} takes a --reason in your own words, which the trail keeps`);
  return reason;
}

/** Makes the words of stdout. `--json` is for other programs. */
export const shownTo = <T>(args: Args, words: () => T): T => (flag(args, 'json') ? forOthers(words) : words());

/** Prints the document with `--json`, else the words. The command is then done. */
export function reply(args: Args, { streams }: Pick<CommandContext, 'streams'>, document: object, words: string): End {
  streams.out.write(flag(args, 'json') ? `${JSON.stringify(document)}\n` : words);
  return 'done';
}

export function print(
  outcome: Outcome,
  args: Args,
  { streams, cwd }: Pick<CommandContext, 'streams' | 'cwd'>,
  kind: Kind,
  end: TerminalEnd = endOf(outcome),
): TerminalEnd {
  const place = placeFlags(args, { cwd }, outcome.service === 'sandbox');
  const shown = shownTo(args, () => shownOutcome(outcome, place, end));
  printShown(shown, args, streams, kind);
  return end;
}

/** `--quiet` prints nothing after success. After a failure it adds the line that names service and ledger. */
export function printShown(outcome: ShownOutcome, args: Args, streams: Streams, kind: Kind): void {
  if (flag(args, 'json')) streams.out.write(`${JSON.stringify(outcome)}\n`);
  else if (!flag(args, 'quiet')) streams.out.write(summary(outcome, streams, kind));
  else if (outcome.end !== 'done')
    streams.out.write(firstLine(outcome.service, outcome.ledger) + summary(outcome, streams, kind));
}

export function tellFailure(
  error: ExpectedError,
  args: Args,
  { streams, cwd }: Pick<CommandContext, 'streams' | 'cwd'>,
  end: TerminalEnd = endOfFailure(failureIn(error)),
): TerminalEnd {
  const shown = () => shownFailure(failureIn(error), placeFlags(args, { cwd }));
  if (flag(args, 'json')) streams.out.write(`${JSON.stringify({ error: forOthers(shown), end, exit: exitOf(end) })}\n`);
  streams.err.write(`payrun: ${shown().message}\n`);
  return end;
}

/** Returns flags for a later command, so that it uses the same ledger and service in any folder. */
export function placeFlags(args: Args, { cwd }: Pick<CommandContext, 'cwd'>, sandbox = flag(args, 'sandbox')): Place {
  const ledger = text(args, 'ledger');
  const user = text(args, 'asUser');
  const place = ledger === null || isPostgres(ledger) ? ledger : resolve(cwd, ledger);
  const flagOf = (name: string, value: string | null) => (value === null ? '' : ` --${name} ${shellWord(value)}`);
  return { user: flagOf('as-user', user), ledger: `${flagOf('ledger', place)}${sandbox ? ' --sandbox' : ''}` };
}
