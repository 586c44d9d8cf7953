/** A value in a statement. */
export type SqlValue = string | number | bigint | null;
