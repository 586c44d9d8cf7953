/** The store of a ledger, on either database: its statements, identity and locks. */
import type { PayrunError } from '../../base/errors.ts';
import type { Lock } from '../../base/lock.ts';
import type { Sql } from './sql.ts';

export interface OpenOptions {
  /** `at one moment` reads everything as of one moment, even while other processes write. */
  readonly readOnly?: true | 'at one moment';
  /** Opens only an existing ledger. */
  readonly existing?: true;
  /** How long a write waits for another process, in milliseconds. */
  readonly busyTimeoutMs?: number;
  /** The password of a Postgres whose address has none. */
  readonly password?: string;
  /** The folder for copies of sheets if the ledger is in Postgres. Each ledger has a folder of its own in it. */
  readonly files?: string;
}

export interface Store {
  readonly sql: Sql;
  readonly where: string;
  /** Made once with the ledger. A copy has the same id. */
  readonly id: string;
  /** The ledger's place. `home` is its place when it last sent; null before that. */
  readonly place: string;
  readonly home: string | null;
  /** Becomes the only sender until the store closes or the process ends. */
  hold(now: number): void;
  /** Takes the console's lock. A second console would treat the first one's jobs as ended. */
  holdConsole(now: number, refusal?: (holder: string) => PayrunError): Lock;
  /** True if a process is the ledger's sender now. Missing if only one process can use the ledger. */
  readonly isHeld?: () => boolean;
  /** True if another process is the ledger's sender now. */
  isHeldElsewhere(): boolean;
  /** Throws if there is too little disk space to begin a run. */
  requireRoom(): void;
  /** Makes the numbers of new rows follow those of copied rows. */
  renumber(): void;
  /** Returns what damage or another program has changed in the tables. */
  faults(): string[];
  /** Resolves when the database connection is lost; missing if there is none. */
  readonly lost?: Promise<void>;
  close(): Promise<void>;
}

/** The data needed to open the same ledger in another thread. */
export interface LedgerPlace {
  readonly place: string;
  readonly options: OpenOptions;
}
