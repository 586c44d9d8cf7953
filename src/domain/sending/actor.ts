/** Actors: the programs that run a batch, and the rights of each. */

export type Driver = 'terminal' | 'console' | 'hot folder' | 'worker';

export interface Actor {
  readonly driver: Driver;
  /** The person; null if the system does not know the name. */
  readonly name: string | null;
}

export type AfterSignal = 'person' | 'watcher' | 'worker';

export interface Rights {
  /** If false, the run ends at a shut pay window, and starts again when the window opens. */
  readonly waitsForWindow: boolean;
  /** If false, and the result folder is not writable, the result goes to a folder beside the ledger. */
  readonly needsResult: boolean;
  readonly afterSignal: AfterSignal;
  readonly continuesStopped: boolean;
  /** True if the actor may move a batch to another service identity, provided that the batch never sent a payment. */
  readonly rebindsUnsent: boolean;
  /** True if each command notifies people at its end. A worker notifies them once for each batch. */
  readonly notifiesEnd: boolean;
}

const person: Rights = {
  waitsForWindow: true,
  needsResult: true,
  afterSignal: 'person',
  continuesStopped: true,
  rebindsUnsent: true,
  notifiesEnd: true,
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
    notifiesEnd: false,
  },
};

export const rightsOf = ({ driver }: Actor): Rights => rights[driver];
