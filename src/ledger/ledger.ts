/** Exports the parts of the ledger that other folders use. */

export * from '../domain/rows/row-states.ts';
export type { Account, People } from './accounts/people.ts';
export type {
  Change as UploadChanges,
  CorrectionRecord,
  Doing,
  JobRecord,
  Maker,
  UploadRecord,
  Uploads,
} from './accounts/uploads.ts';
export { type Comparison, repeatsHead } from './batches/batch-comparison.ts';
export type { CapOrder } from './batches/cap-totals.ts';
export type { Claim } from './batches/claims.ts';
export type { Draft, InvalidLine } from './batches/draft.ts';
export { type Proposal, proposalWaits } from './batches/holds.ts';
export { type LeadEnd, stoppedBefore } from './batches/lead.ts';
export type { Passes } from './duplicates/list-scans.ts';
export { matchTimes } from './duplicates/matches.ts';
export * from './facts.ts';
export type {
  Fleet,
  SendingSession,
  SessionEnd,
  Terms,
} from './fleet/fleet.ts';
export type { DueBatch } from './fleet/leads.ts';
export type { Hours } from './fleet/schedules.ts';
export { type Ledger, openLedger } from './opening.ts';
export { eachRow, pagesOf, rowPages } from './rows/rows.ts';
export { type CopiedLedger, copyLedger } from './store/copy-database.ts';
export { isPassingFault, isUnanswered } from './store/faults.ts';
export { driverAddress, isPostgres, readPostgres } from './store/postgres/postgres.ts';
export { type Elsewhere, elsewhereAction, elsewhereFault } from './store/relocation.ts';
export type { LedgerPlace, OpenOptions } from './store/store.ts';
export * from './store/witness.ts';
