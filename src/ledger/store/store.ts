/** The store of a ledger on either database: its statements, its identity and its locks. */
import type { PayrunError } from '../../base/errors.ts';
import type { LedgerFault } from '../../base/faults/fault.ts';
import type { Lock } from '../../base/lock.ts';
import type { TableFault } from '../../domain/audit-finding.ts';
import type { Sql } from './sql.ts';

export interface OpenOptions {
  /** `at one moment` reads everything as it is at one time, even while other processes write. */
  readonly readOnly?: true | 'at one moment';
  readonly existing?: true;
  readonly busyTimeoutMs?: number;
  readonly password?: string;
  /** The folder for copies of sheets if the ledger is in Postgres. Each ledger has its own folder there. */
  readonly files?: string;
}

export interface Store {
  readonly sql: Sql;
  readonly where: string;
  /** The ledger's id, which a copy of the ledger shares. */
  readonly id: string;
  /** `home` is the ledger's place when it last sent; null before that. */
  readonly place: string;
  readonly home: string | null;
  /** Takes the sender's lock until the store closes or the process ends. */
  hold(now: number): void;
  /** Takes the console's lock. Only one console may run, because a second one would treat the first one's jobs as ended. */
  holdConsole(now: number, refusal?: (holder: LedgerFault) => PayrunError): Lock;
  /** True if a process holds the ledger. Absent if only one process can use the ledger. */
  readonly isHeld?: () => boolean;
  isHeldElsewhere(): boolean;
  requireRoom(): void;
  renumber(): void;
  faults(): TableFault[];
  /** Resolves when the connection is lost. Absent if there is no connection. */
  readonly lost?: Promise<void>;
  close(): Promise<void>;
}

export interface LedgerPlace {
  readonly place: string;
  readonly options: OpenOptions;
}
