/** The package's exports: the typed client, the embedded service, the ledger, and the pipeline that pays a sheet. */
export { check, plan } from './app/preview-batch.ts';
export { resume, run } from './app/run-batch.ts';
export { type Clock, systemClock } from './base/clock.ts';
export { PayrunError } from './base/errors.ts';
export type { Problem, Severity } from './base/problem.ts';
export type { ErrorCode, Refusal } from './base/refusal.ts';
export { Secret } from './base/secret.ts';
export { CallFailure, type Client, type ClientSettings, openClient } from './client/client.ts';
export { type BatchFacts, type Ledger, openLedger } from './ledger/ledger.ts';
export { refusalWords } from './messages/refusals.ts';
export type { Deps, Limits, ServiceFacts } from './pipeline/deps.ts';
export type { RunOrder } from './pipeline/order.ts';
export type { Outcome } from './pipeline/outcome.ts';
export { type Service, type ServiceOptions, startService } from './service/service.ts';
