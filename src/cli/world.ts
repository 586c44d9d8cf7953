/** What a command gets from outside: its arguments as they were read, the environment, and the streams. */
import { PayrunError } from '../base/errors.ts';
import { type Outcome, shellWord } from '../pipeline/outcome.ts';
import { firstLine, type Kind, type Streams, summary } from './screen.ts';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly streams: Streams;
  readonly signals: {
    on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
    off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
    exit(code: number): never;
  };
}

export type Args = Record<string, unknown>;
export type Handler = (args: Args, world: World) => Promise<number>;
export type Handle = (handler: Handler) => (args: Args) => void;

/** A list would be taken for its first or last value: an option that is given twice is a slip. */
export function refuseRepeats(args: Args): void {
  for (const [name, value] of Object.entries(args))
    if (name !== '_' && name !== 'fields' && Array.isArray(value))
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

/** The flags that lead a later command back to the same ledger and service. */
export function againFlags(args: Args): string {
  const ledger = text(args, 'ledger');
  const user = text(args, 'as-user');
  return `${user === null ? '' : ` --as-user ${shellWord(user)}`}${ledger === null ? '' : ` --ledger ${shellWord(ledger)}`}${flag(args, 'sandbox') ? ' --sandbox' : ''}`;
}
