/** An error of a Postgres server or of its connection. */
export class PostgresFault extends Error {
  /** An SQLSTATE, or an error code of the operating system; empty if the error has no code. */
  readonly code: string;
  constructor({ message, code }: { readonly message: string; readonly code: string }) {
    super(message);
    this.code = code;
  }
}
