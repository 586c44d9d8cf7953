/** The store of a ledger: its statements, identity and lock. */
import type { PayrunError } from '../../base/errors.ts';
import type { Lock } from '../../base/lock.ts';
import type { Sql } from './sql.ts';

export interface OpenOptions {
  /** `at one moment` reads everything as of one moment, whoever writes. */
  readonly readOnly?: true | 'at one moment';
  /** Opens only an existing ledger. */
  readonly existing?: true;
  /** How long a write waits for another process. */
  readonly busyTimeoutMs?: number;
  /** The password of a Postgres whose address has none. */
  readonly password?: string;
  /** The folder for copies of sheets when the ledger is no file; each ledger has a folder of its own there. */
  readonly files?: string;
}

export interface Store {
  readonly sql: Sql;
  readonly where: string;
  /** Made once with the ledger. */
  readonly id: string;
  /** Its place, and its place when it last sent; null before that. */
  readonly place: string;
  readonly home: string | null;
  /** Becomes the only sender until it closes or the process ends. */
  hold(now: number): void;
  /** Takes the console's lock. A second console would treat the first one's jobs as ended. */
  holdConsole(now: number, refusal?: (holder: string) => PayrunError): Lock;
  /** True when any process holds it; absent where only one can use it. */
  readonly isHeld?: () => boolean;
  /** True when another process holds it. */
  isHeldElsewhere(): boolean;
  /** Throws when there is too little room to begin a run. */
  requireRoom(): void;
  /** Lets new numbers follow those of copied rows. */
  renumber(): void;
  /** Returns faults in its tables, by damage or another program. */
  faults(): string[];
  /** Resolves when its connection is lost for good; absent without one. */
  readonly lost?: Promise<void>;
  close(): Promise<void>;
}

/** Opens the same ledger in another thread. */
export interface LedgerPlace {
  readonly place: string;
  readonly options: OpenOptions;
}
