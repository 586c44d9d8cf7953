/** Declares the database of one ledger, with its statements, identity and locks. */
import type { PayrunError } from '../../base/errors.ts';
import type { TableFault } from '../../base/faults/audit-finding.ts';
import type { LedgerFault } from '../../base/faults/fault.ts';
import type { Lock } from '../../base/lock.ts';
import type { Sql } from './sql.ts';

export interface OpenOptions {
  /** `at-one-moment` reads the state of one moment, even while other processes write. */
  readonly readOnly?: true | 'at-one-moment';
  readonly existing?: true;
  readonly busyTimeoutMs?: number;
  readonly password?: string;
  /** The folder for copies of sheets if the ledger is on Postgres. Each ledger has its own folder in this folder. */
  readonly files?: string;
  /** Opens the store in place of `openStore`: tests keep many ledgers in memory. */
  readonly store?: (place: string | null) => Store;
}

export interface Store {
  readonly sql: Sql;
  readonly where: string;
  readonly id: string;
  /** The ledger's present place. `homeNow` reads the place of its last sending (relocation.ts). */
  readonly place: string;
  hold(now: number): void;
  holdConsole(now: number, refusal?: (holder: LedgerFault) => PayrunError): Lock;
  /** True if a process has the sender's lock. On SQLite, call this only while this store has not the lock. */
  isHeld(): boolean;
  requireRoom(): void;
  renumber(): void;
  faults(): TableFault[];
  /** Absent on SQLite, where no other process sends. */
  readonly lost?: Promise<void>;
  close(): Promise<void>;
}

export interface LedgerPlace {
  readonly place: string;
  readonly options: OpenOptions;
}
