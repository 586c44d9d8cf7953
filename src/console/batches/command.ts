/** A command of the terminal as the console gives it: what the command line hands in, so that this room needs not know it. */
import pLimit from 'p-limit';
import type { Secret } from '../../base/secret.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { Refused } from '../http/route.ts';

/** How a command ended. */
export interface CommandEnd {
  readonly exit: number;
  /** What it printed, as `--json` has it; null where it printed none. */
  readonly document: unknown;
  /** What a person at a terminal would have read beside it. */
  readonly said: string;
}

/** The command line in a thread of its own; resolves when the command has ended, however it did. */
export type GiveCommand = (
  argv: readonly string[],
  given: {
    /** Who gives it: the maker of a plan, the one who runs a sheet. */
    readonly person: string;
    readonly onProgress?: (step: Progress) => void;
    /** As Ctrl-C: what is in flight ends, and nothing more is begun. */
    readonly stop?: AbortSignal;
    /** Stopped so, it leaves its batch to another one of the fleet. */
    readonly handsOver?: true;
    /** How the batch stood when that was decided: somebody's word since goes before. */
    readonly asOf?: string;
    /** A pause, by its id, that going on ends once nothing refuses it. */
    readonly endsPause?: number;
    /** Of the person's key, where the command signs. */
    readonly passphrase?: Secret;
  },
) => Promise<CommandEnd>;

/** Each is a thread that reads a whole batch: no more of them at once, however many files are asked for. */
const mostMaking = 2;
const mostWaiting = 12;

export type FewAtOnce = ReturnType<typeof openFewAtOnce>;

/** For what only makes a file to take away: some wait for others, and too many are refused. */
export function openFewAtOnce() {
  const limit = pLimit(mostMaking);
  return async <T>(make: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= mostWaiting)
      throw new Refused(503, 'Many files are being made just now. Try again in a minute.', 'BUSY', {
        'retry-after': '60',
      });
    return await limit(make);
  };
}
