/** What a statement is given. */
export type SqlValue = string | number | bigint | null;
