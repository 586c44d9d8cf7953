/** An error of a Postgres server or of its connection. */
import type { FileFault, LedgerFault } from '../../../base/faults/fault.ts';

export interface DatabaseFault {
  readonly why: FileFault | LedgerFault;
  /** An SQLSTATE, or an error code of the operating system; empty if the error has no code. */
  readonly code: string;
}

export class PostgresFault extends Error {
  readonly why: DatabaseFault['why'];
  readonly code: string;
  constructor({ why, code }: DatabaseFault) {
    super('detail' in why ? why.detail : why.fault);
    this.why = why;
    this.code = code;
  }
}
