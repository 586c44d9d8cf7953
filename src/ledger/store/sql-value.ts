/** A value of a statement. */
export type SqlValue = string | number | bigint | null;
