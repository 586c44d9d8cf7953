/** An error of a Postgres server or of its connection. */
import { FaultError } from '../../../base/errors.ts';

export class PostgresFault extends FaultError {
  /** An SQLSTATE, or an error code of the operating system; empty if the error has no code. */
  readonly code: string;
  constructor({ fault, code }: Pick<PostgresFault, 'fault' | 'code'>) {
    super(fault);
    this.code = code;
  }
}
