/** The habits of a service where nothing goes wrong by itself: only commands bring trouble. */
import type { Faults, Parameters } from '../simulation/parameters.ts';
import { debtRows } from './sheet.ts';

const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const dayMs = 24 * 60 * minuteMs;
/** How long a plan may wait. */
export const planMs = 14 * dayMs;
export const horizonMs = 10 * minuteMs;
export const deadlineMs = 30 * secondMs;

const noFaults: Faults = {
  notSent: 0,
  lost: 0,
  answerLost: 0,
  late: 0,
  failsBefore: 0,
  failsAfter: 0,
  cut: 0,
  busy: 0,
  unauthorized: 0,
  forbidden: 0,
  lying: 0,
  withoutStatus: 0,
  otherId: 0,
  readFails: 0,
  blind: 0,
  hides: 0,
  shuffles: 0,
  markerRepeats: 0,
  token: 0,
  merchant: 0,
  document: 0,
};

export const calmParameters = (seed: number): Parameters => ({
  seed,
  rows: debtRows,
  rowIds: true,
  named: true,
  concurrency: 2,
  waitMs: 2 * minuteMs,
  doubt: { horizonMs, confirmMs: minuteMs, visibleMs: 20 * secondMs, policy: 'hold', presend: 'always', deadlineMs },
  latencyMs: [1, 50],
  lateMs: 0.99 * horizonMs,
  listLagMs: 0,
  merchantLagMs: 0,
  readableMs: 0,
  pageSize: 3,
  listOrder: 'newest',
  settleMs: [10, minuteMs],
  expires: 0,
  revives: 0,
  foreign: 0,
  lookalikes: 0,
  // A command changes the faults of its story.
  faults: { ...noFaults },
  lockedOut: null,
  crash: 0,
  stop: 0,
  suspend: 0,
  clockJump: 0,
  ledgerLost: 0,
  ledgerRestored: 0,
  secondLedger: 0,
  commands: 0,
  corrects: true,
  useResume: false,
  breaks: { late: false, lag: false },
});
