/** Exports the parts of the ledger that other folders use. */

export * from '../domain/rows/row-states.ts';
export type {
  Change as UploadChanges,
  CorrectionRecord,
  Doing,
  JobRecord,
  UploadBrief,
  UploadRecord,
  Uploads,
} from './accounts/uploads.ts';
export { versionConflict } from './batches/batches.ts';
export type { ChangedRow, Comparison, ReturningRow } from './batches/comparison.ts';
export { type Proposal, proposalWaits } from './batches/proposals.ts';
export * from './contract.ts';
export { matchTimes } from './duplicates/matches.ts';
export * from './facts.ts';
export {
  type Fleet,
  isPersonsStop,
  type SendingSession,
  type SessionEnd,
  type StopEntry,
  stepsOn,
  type Terms,
} from './fleet/fleet.ts';
export { pausedError } from './fleet/pause.ts';
export { openLedger } from './opening.ts';
export { eachRow, pagesOf, rowPages } from './rows/row-pages.ts';
export { type CopiedLedger, copyLedger } from './store/copy-database.ts';
export { isPassingFault, isUnanswered } from './store/faults.ts';
export { driverAddress, isPostgres, readPostgres } from './store/postgres/postgres.ts';
export { type Elsewhere, elsewhereAction, elsewhereFault } from './store/relocation.ts';
export type { LedgerPlace, OpenOptions } from './store/store.ts';
export * from './store/witness.ts';
