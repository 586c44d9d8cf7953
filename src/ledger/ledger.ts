/** The ledger: what was decided, written before it is done. This is the room's door. */
export { accountChanged, correctedWhy } from './columns.ts';
export * from './contract.ts';
export { type CopiedLedger, copyLedger } from './copying.ts';
export { type Elsewhere, elsewhereCommand, elsewhereWords } from './elsewhere.ts';
export * from './facts.ts';
export { isPassingFault, isUnanswered } from './faults.ts';
export { type Closing, type Fleet, isPersonsStop, type Opened, type StopEntry, stepsOn, type Terms } from './fleet.ts';
export { openLedger } from './opening.ts';
export type { PageQuery, Pages } from './pages.ts';
export { endOfPause, pausedError } from './pausing.ts';
export { driverAddress, isPostgres, readPostgres } from './postgres.ts';
export * from './states.ts';
export type { LedgerPlace, OpenOptions } from './store.ts';
export type {
  Change as UploadChanges,
  CorrectionRecord,
  Doing,
  JobRecord,
  UploadBrief,
  UploadChange,
  UploadRecord,
  Uploads,
  WaitingPlan,
} from './uploads.ts';
export * from './witness.ts';
