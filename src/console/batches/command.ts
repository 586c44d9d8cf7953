/** Commands of the terminal as the console gives them, so that this room does not know the command line. */

import pLimit from 'p-limit';
import type { Seen } from '../../app/run-batch.ts';
import type { Secret } from '../../base/secret.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { Refused } from '../http/route.ts';

export interface CommandEnd {
  readonly exit: number;
  /** The `--json` output; null for none. */
  readonly document: unknown;
  /** The text for a person at a terminal. */
  readonly said: string;
}

/** Runs the command line in a thread; resolves when the command has ended. */
export type GiveCommand = (
  argv: readonly string[],
  given: {
    readonly actor: Actor;
    readonly seen?: Seen;
    readonly onProgress?: (step: Progress) => void;
    /** Like Ctrl-C: calls in flight end, and no new one begins. */
    readonly stop?: AbortSignal;
    /** Opens the person's key for signing. */
    readonly passphrase?: Secret;
  },
) => Promise<CommandEnd>;

/** Limits threads, because each reads a whole batch. */
const mostMaking = 2;
const mostWaiting = 12;

export type FewAtOnce = ReturnType<typeof openFewAtOnce>;

/** Limits downloads: some wait, and too many are refused. */
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
