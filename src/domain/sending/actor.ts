/** Actors: the programs that run a batch, and the rights of each. */

export type Driver = 'terminal' | 'console' | 'hot folder' | 'worker';

export interface Actor {
  readonly driver: Driver;
  /** The person's name; null if the operating system does not report it. */
  readonly name: string | null;
}

export type AfterSignal = 'person' | 'watcher' | 'worker';

export interface Rights {
  /** True if a run outside the pay window can wait until the window opens. If false, such a run ends. */
  readonly waitsForWindow: boolean;
  /** True if an unwritable result folder makes a run fail. If false, the run writes its result beside the ledger instead. */
  readonly needsResult: boolean;
  readonly afterSignal: AfterSignal;
  readonly continuesStopped: boolean;
  /** True if the actor may move a batch to another service, key or user, provided that the batch never sent a payment. */
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
