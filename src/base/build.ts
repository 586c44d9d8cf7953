/** The version of this build, and the format of the ledgers that it reads. */

export const version = '0.1.0';

/** Raise this number with every change of the ledger's tables, trail entries or stored facts. A build reads only its own format. */
export const ledgerFormat = 16;

export const build = `Payrun ${version} (ledger format ${ledgerFormat})`;
