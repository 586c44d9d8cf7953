/** Names this build of Payrun, and the format of the ledgers that it reads. */

export const version = '0.1.0';

/** Raise it with every change of the ledger's tables, trail entries or stored facts: a build reads only its own format. */
export const ledgerFormat = 11;

export const build = `Payrun ${version} (ledger format ${ledgerFormat})`;
