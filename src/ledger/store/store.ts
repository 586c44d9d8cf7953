/** What a ledger is kept in: its statements, who it is, and what holds it. */
import type { PayrunError } from '../../base/errors.ts';
import type { Lock } from '../../base/lock.ts';
import type { Sql } from './sql.ts';

export interface OpenOptions {
  /** `at one moment`: all that is read stood there then, whoever writes meanwhile. */
  readonly readOnly?: true | 'at one moment';
  /** One that is not there is not made. */
  readonly existing?: true;
  /** How long a write may stand still for another process. */
  readonly backoffMs?: number;
  /** Of a Postgres whose address has none. */
  readonly password?: string;
  /** Where the copies of the sheets of a ledger lie that is no file, each ledger's in a folder of its own. */
  readonly files?: string;
}

export interface Store {
  readonly sql: Sql;
  /** Where it is, for people. */
  readonly where: string;
  /** Made once with the ledger. */
  readonly id: string;
  /** Where it is, and where it was when it last sent; null before that. */
  readonly place: string;
  readonly home: string | null;
  /** Becomes the one sender, until it is closed or the process ends; kept where it is held already. */
  hold(now: number): void;
  /** One console for each ledger: beside another it would take the other's jobs for ended ones, and sheets that are being paid for idle ones. */
  holdConsole(now: number, refusal?: (holder: string) => PayrunError): Lock;
  /** Whether any process holds it; absent where one alone can use it. */
  readonly isHeld?: () => boolean;
  /** Whether a process other than this one holds it. */
  isHeldElsewhere(): boolean;
  /** Refused while there is too little room to begin a run. */
  requireRoom(): void;
  /** After rows were written with their numbers: the next ones follow them. */
  renumber(): void;
  /** What damage, or another hand, left in its tables. */
  faults(): string[];
  /** Settles when its connection is gone, which is never opened anew; absent where there is none. */
  readonly lost?: Promise<void>;
  close(): Promise<void>;
}

/** What opens a ledger once more, in another thread. */
export interface LedgerPlace {
  readonly place: string;
  readonly options: OpenOptions;
}
