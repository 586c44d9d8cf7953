/** The drivers of a run, and the rights of each. */

export type Driver = 'terminal' | 'console' | 'hot folder' | 'worker';

export interface Actor {
  readonly driver: Driver;
  /** The person who gives the command; null if the system does not know. */
  readonly name: string | null;
}

export type AfterSignal = 'person' | 'watcher' | 'worker';

export interface Rights {
  /** Waits for the pay window if the command asks for it. A driver without this right comes back at its time. */
  readonly waitsForWindow: boolean;
  /** Begins only if the result can be written. A driver that need not falls back to a folder beside the ledger. */
  readonly needsResult: boolean;
  /** The one who continues the batch after a signal. */
  readonly afterSignal: AfterSignal;
  /** Continues a batch that a person stopped. */
  readonly continuesStopped: boolean;
  /** Moves a batch that never sent anything to another service identity. */
  readonly rebindsUnsent: boolean;
  /** People are notified of the end of each command. A worker notifies them once of a batch. */
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
