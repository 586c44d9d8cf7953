/** The type of a value in an SQL statement. */
export type SqlValue = string | number | bigint | null;
