/** The drivers of a run, and the rights of each. */

export type Driver = 'terminal' | 'console' | 'hot folder' | 'worker';

export interface Actor {
  readonly driver: Driver;
  /** The person who gives the command; null if the system does not know. */
  readonly name: string | null;
}

export type AfterSignal = 'person' | 'watcher' | 'worker';

export interface Rights {
  /** A driver without this right ends the run, and returns when the window opens. */
  readonly waitsForWindow: boolean;
  /** False for a driver that may write the result to a folder beside the ledger. */
  readonly needsResult: boolean;
  readonly afterSignal: AfterSignal;
  readonly continuesStopped: boolean;
  /** May move a batch that never sent anything to another service identity. */
  readonly rebindsUnsent: boolean;
  /** Notifies people at the end of each command. A worker notifies them once for each batch. */
  readonly tellsEnd: boolean;
}

const person: Rights = {
  waitsForWindow: true,
  needsResult: true,
  afterSignal: 'person',
  continuesStopped: true,
  rebindsUnsent: true,
  tellsEnd: true,
};

const rights: { readonly [D in Driver]: Rights } = {
  terminal: person,
  console: person,
  'hot folder': { ...person, afterSignal: 'watcher', continuesStopped: false },
  worker: {
    waitsForWindow: false,
    needsResult: false,
    afterSignal: 'worker',
    continuesStopped: false,
    rebindsUnsent: false,
    tellsEnd: false,
  },
};

export const rightsOf = ({ driver }: Actor): Rights => rights[driver];
