/** What is drawn before the first command: the sheet, and the habits of a service where nothing goes wrong by itself. */
import fc from 'fast-check';
import type { Faults, Parameters, SheetRow } from '../simulation/parameters.ts';
import type { NewRow } from './model.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

export interface Setup {
  readonly seed: number;
  readonly rows: readonly NewRow[];
  readonly concurrency: number;
  readonly policy: 'hold' | 'resend';
  readonly waitMs: number;
  readonly listLag: boolean;
  readonly slow: boolean;
}

export const newRow: fc.Arbitrary<NewRow> = fc.record({
  payee: fc.nat(2),
  amount: fc.integer({ min: 100, max: 105 }),
  bad: fc.boolean(),
});

export const setup: fc.Arbitrary<Setup> = fc.record({
  seed: fc.nat(1000),
  rows: fc.array(newRow, { minLength: 1, maxLength: 4 }),
  concurrency: fc.constantFrom(1, 2, 4),
  policy: fc.constantFrom('hold', 'resend'),
  waitMs: fc.constantFrom(0, 2 * minuteMs),
  listLag: fc.boolean(),
  slow: fc.boolean(),
});

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

export const horizonMs = 10 * minuteMs;
export const deadlineMs = 30 * secondMs;

/** A story in which only commands bring trouble. */
export function machineless(drawn: Setup, rows: readonly SheetRow[]): Parameters {
  const visibleMs = 20 * secondMs;
  return {
    seed: drawn.seed,
    rows,
    rowIds: true,
    named: true,
    concurrency: drawn.concurrency,
    waitMs: drawn.waitMs,
    doubt: { horizonMs, confirmMs: minuteMs, visibleMs, policy: drawn.policy, presend: 'always', deadlineMs },
    latencyMs: [1, drawn.slow ? 3 * secondMs : 50],
    lateMs: 0.99 * horizonMs,
    listLagMs: drawn.listLag ? 0.9 * visibleMs : 0,
    merchantLagMs: 0,
    readableMs: 0,
    pageSize: 3,
    listOrder: 'newest',
    settleMs: drawn.slow ? [minuteMs, 6 * 60 * minuteMs] : [10, minuteMs],
    expires: 0,
    revives: 0,
    foreign: 2,
    lookalikes: 0,
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
  };
}
