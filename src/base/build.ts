/** The version of this build, and the format of the ledgers that it reads. */

export const version = '0.1.0';

/** Raise this number if the ledger's tables, trail or data change. A build opens only ledgers with this number. */
export const ledgerFormat = 35;

export const build = `Payrun ${version} (ledger format ${ledgerFormat})`;
