/** What a Postgres server, or the way to it, reports. */
export class PostgresFault extends Error {
  /** Its SQLSTATE, or the system's word. */
  readonly code: string;
  constructor({ message, code }: { readonly message: string; readonly code: string }) {
    super(message);
    this.code = code;
  }
}
