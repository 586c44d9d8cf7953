/** The programs that run a batch, and the rights of each program. */

import { eachOf, wordsIn } from '../../base/words.ts';

export type Driver = 'terminal' | 'console' | 'hot folder' | 'worker';

export interface Actor {
  readonly driver: Driver;
  /** The person's name; null for a worker and a hot folder, or if the operating system reports none. */
  readonly name: string | null;
  /** The person's account at the console. */
  readonly account?: number;
}

export interface Rights {
  /** True: a run outside the pay window waits until the window opens. False: the run ends. */
  readonly waitsForWindow: boolean;
  /** True: an unwritable result folder makes a run fail. False: the run writes the result beside the ledger. */
  readonly needsResult: boolean;
  /** True for a person: a signal stops the batch, and only a person continues it. After another signal, somebody else continues. */
  readonly continuesStopped: boolean;
  /** True if the actor may move an unsent batch to another service, API key or user. */
  readonly rebindsUnsent: boolean;
  /** True if each command notifies people when it ends. A worker notifies people only once for each batch. */
  readonly notifiesEnd: boolean;
}

const every = wordsIn('waitsForWindow needsResult continuesStopped rebindsUnsent notifiesEnd');
const person: Rights = eachOf(true, ...every);

const rights: { readonly [D in Driver]: Rights } = {
  terminal: person,
  console: person,
  'hot folder': { ...person, continuesStopped: false },
  worker: eachOf(false, ...every),
};

export const rightsOf = ({ driver }: Actor): Rights => rights[driver];
