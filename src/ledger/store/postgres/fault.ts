/** An error of a Postgres server or its connection. */
export class PostgresFault extends Error {
  /** The SQLSTATE, or the system's error code. */
  readonly code: string;
  constructor({ message, code }: { readonly message: string; readonly code: string }) {
    super(message);
    this.code = code;
  }
}
