/** What the protocol is put through: where it must hold, which rules must be missed, and what it does not withstand. */
import type { Rules } from './rules.ts';
import type { Bounds } from './world.ts';

const faults = { timeouts: 1, kills: 1 } as const;
const slowList = { lag: 1, visible: 1 } as const;
/** A request that arrives after the horizon: outside of what the protocol assumes, so it need only be reported. */
const tooLate = { rows: 1, ...faults, late: 6 } as const;
const reportedAtLeast = ['S2', 'S3', 'S4', 'L1'] as const;

export interface Environment {
  readonly name: string;
  readonly bounds: Partial<Bounds>;
  /** What must hold; everything, if not said. */
  readonly properties?: readonly string[];
}

/** Everything that may happen within these bounds leaves every row paid once at most, and ends. */
export const safe: readonly Environment[] = [
  {
    name: 'one row refused, not sent, retried',
    bounds: { rows: 1, timeouts: 2, kills: 2, refusals: 1, unsent: 1, retries: 1 },
  },
  { name: 'two rows refused, not sent, retried', bounds: { ...faults, refusals: 1, unsent: 1, retries: 1 } },
  { name: 'a first run, with its canary', bounds: { ...faults, refusals: 1, trusted: false } },
  { name: 'payments expire and succeed after all', bounds: { kills: 1, expiries: 1, flips: 1, retries: 1 } },
  { name: 'twice so', bounds: { rows: 1, ...faults, expiries: 2, flips: 1, retries: 2 } },
  { name: 'a list that lags', bounds: { ...faults, ...slowList } },
  { name: 'a list that lags longer', bounds: { ...faults, lag: 2, visible: 2 } },
  { name: 'one row, a list that is empty twice', bounds: { rows: 1, ...faults, blind: 2 } },
  { name: 'two lists that lack a payment, sent again by policy', bounds: { ...faults, hidden: 2, policy: 'resend' } },
  {
    name: '400 though the payment was made, then retried or corrected',
    bounds: { rows: 1, ...faults, lies: 1, refusals: 1, retries: 2, corrections: 1 },
  },
  { name: 'a lost ledger', bounds: { losses: 1, ...faults } },
  { name: 'a lost ledger and a list that is empty once', bounds: { losses: 1, kills: 1, blind: 1 } },
  { name: 'a lost ledger and a list that lags', bounds: { losses: 1, kills: 1, ...slowList } },
  { name: 'a lost ledger after four refusals', bounds: { rows: 1, losses: 1, timeouts: 1, refusals: 4, retries: 4 } },
  {
    name: 'a lost ledger after payments that expired',
    bounds: { rows: 1, losses: 1, kills: 1, expiries: 1, flips: 1, retries: 1 },
  },
  { name: 'a restored ledger, one row', bounds: { rows: 1, restores: 1, timeouts: 2, kills: 1 } },
  {
    name: 'a restored ledger after a payment that expired',
    bounds: { rows: 1, restores: 1, kills: 1, expiries: 1, retries: 1 },
  },
  { name: 'a second ledger, nothing under way', bounds: { turns: 2 } },
  { name: 'a second ledger at once, a list that lags', bounds: { turns: 1, ...slowList } },
  { name: 'commits beyond the horizon are reported', bounds: tooLate, properties: reportedAtLeast },
  {
    name: 'commits beyond the horizon and payments that expire are reported',
    bounds: { ...tooLate, expiries: 1, flips: 1, retries: 1 },
    properties: reportedAtLeast,
  },
];

export interface Control extends Environment {
  readonly rules: Partial<Rules>;
  readonly breaks: string;
  /** Changes to `asDesigned` under which nothing may break with the same bounds. */
  readonly mend?: Partial<Rules>;
}

/** Each rule taken away must be seen to do harm, where with all the rules there is none. */
export const controls: readonly Control[] = [
  { name: 'intent before the byte', bounds: faults, rules: { intentFirst: false }, breaks: 'S1' },
  { name: 'death is doubt', bounds: faults, rules: { deathIsDoubt: false }, breaks: 'S1' },
  { name: 'a send that was held up is abandoned', bounds: faults, rules: { abandonsOnDrift: false }, breaks: 'S1' },
  { name: 'the horizon', bounds: faults, rules: { horizon: false }, breaks: 'S1' },
  {
    name: 'a pass before sending',
    bounds: { losses: 1, ...faults },
    rules: { passBeforeSending: false },
    breaks: 'S1',
  },
  {
    name: 'revisions above the highest found',
    bounds: { rows: 1, losses: 1, kills: 1, expiries: 1, retries: 1 },
    rules: { revisionsAbove: 0 },
    breaks: 'S4',
  },
  {
    name: 'three of them, where a refusal takes a new revision',
    bounds: { rows: 1, losses: 1, kills: 1, refusals: 2, retries: 2 },
    rules: { revisionsAbove: 1, refusedKeepsRevision: false },
    breaks: 'S2',
  },
  {
    name: 'refused keeps its revision',
    bounds: { rows: 1, losses: 1, kills: 1, refusals: 4, retries: 4 },
    rules: { refusedKeepsRevision: false },
    breaks: 'S2',
  },
  {
    name: 'earlier revisions, where a refusal takes a new one',
    bounds: { rows: 1, lies: 1, retries: 1 },
    rules: { earlierRevisions: false, refusedKeepsRevision: false },
    breaks: 'S1',
  },
  {
    name: 'every tag is counted',
    bounds: tooLate,
    rules: { everyTag: false },
    breaks: 'S2',
    properties: reportedAtLeast,
  },
  {
    name: 'completeness',
    bounds: { timeouts: 1, blind: 3, trusted: false },
    rules: { completeness: false },
    breaks: 'S1',
  },
  { name: 'two passes', bounds: { rows: 1, ...faults, blind: 2 }, rules: { twoPasses: false }, breaks: 'S1' },
  {
    name: 'a pass after the release',
    bounds: { ...faults, hidden: 2, policy: 'resend' },
    rules: { passAfterRelease: false },
    breaks: 'S1',
  },
  { name: 'twice the horizon when no row is left', bounds: faults, rules: { twiceHorizon: false }, breaks: 'L1' },
  {
    name: 'the same where policy sends again',
    bounds: { ...faults, policy: 'resend' },
    rules: { twiceHorizonWhenResending: false },
    breaks: 'L1',
  },
  {
    name: 'a lost ledger waits for its witness',
    bounds: { losses: 1, ...faults },
    rules: { witnessHolds: 'nothing' },
    breaks: 'S1',
  },
  {
    name: 'its pass begins after that wait, not only its sending',
    bounds: { losses: 1, ...faults },
    rules: { witnessHolds: 'send' },
    breaks: 'S1',
  },
  {
    name: 'a restored ledger waits for its witness',
    bounds: { restores: 1, kills: 1 },
    rules: { witnessHolds: 'nothing' },
    breaks: 'S1',
  },
  {
    name: 'another ledger’s young payment stops the sending',
    bounds: { turns: 1, kills: 1 },
    rules: { foreignStops: 'nothing' },
    breaks: 'S1',
    mend: { foreignStops: 'from pass' },
  },
  {
    name: 'the canary of a new ledger, an empty list',
    bounds: { losses: 1, kills: 1, blind: 1 },
    rules: { canary: 'no' },
    breaks: 'S1',
  },
  {
    name: 'the canary of a new ledger, a list that lags',
    bounds: { turns: 1, ...slowList },
    rules: { canary: 'no' },
    breaks: 'S1',
  },
  {
    name: 'a person’s word needs two passes',
    bounds: { rows: 1, ...faults, verdicts: 1 },
    rules: { verdictNeedsPasses: false },
    breaks: 'S1',
  },
  {
    name: 'held has an exit',
    bounds: { rows: 1, ...faults, lookalikes: 1 },
    rules: { heldHasExit: false },
    breaks: 'L1',
  },
  {
    name: 'paid twice has an exit',
    bounds: { ...tooLate, expiries: 1 },
    rules: { duplicateHasExit: false },
    breaks: 'S3',
    properties: reportedAtLeast,
  },
];

/** Situations in which `rules` still lets a row be paid twice. With `mend`, where it is given, nothing breaks. */
export const questions: readonly Control[] = [
  {
    name: 'a sender idle beyond the horizon: its payment is twice that old before its last request ends',
    bounds: { turns: 1, kills: 1 },
    rules: { foreignStops: 'from payment' },
    breaks: 'S1',
    mend: { foreignStops: 'from pass' },
  },
  {
    name: 'another ledger’s young payment stops the run that adopts it, but not the next run, which adopts nothing',
    bounds: { turns: 1, kills: 1 },
    rules: { foreignStops: 'one run' },
    breaks: 'S1',
    mend: { foreignStops: 'from pass' },
  },
  {
    name: 'a first run that ends before its canary leaves the second run without one',
    bounds: { losses: 1, kills: 1, blind: 1 },
    rules: { canary: 'first run' },
    breaks: 'S1',
    mend: { canary: 'until seen' },
  },
  {
    name: 'a restored ledger has had its first run: what a list lacks once is paid again, any row of it',
    bounds: { restores: 1, hidden: 1 },
    rules: { restoredIsNew: false },
    breaks: 'S1',
    mend: { restoredIsNew: true },
  },
  {
    name: 'a canary in doubt hands its part on while the list still lags: two rows, not one',
    bounds: { turns: 1, timeouts: 1, ...slowList },
    rules: { foreignStops: 'from pass' },
    breaks: 'S1',
  },
  {
    name: '400 though the payment was made, retried before the list can show it',
    bounds: { rows: 1, lies: 1, retries: 1, ...slowList },
    rules: {},
    breaks: 'S1',
  },
  {
    name: '400 though the payment will yet be made, retried before the horizon',
    bounds: { rows: 1, earlyLies: 1, retries: 1 },
    rules: {},
    breaks: 'S1',
  },
];

/** From seconds to hours: what a long campaign goes through. In each case a smaller one of `safe` stands for it. */
export const campaign: readonly (Environment & { readonly rules?: Partial<Rules> })[] = [
  { name: 'two rows, two time-outs, two kills', bounds: { timeouts: 2, kills: 2 } },
  { name: 'the same, sent again by policy', bounds: { timeouts: 2, kills: 2, policy: 'resend' } },
  { name: 'later commits, a longer horizon', bounds: { timeouts: 2, kills: 1, late: 2, horizon: 3 } },
  { name: 'a list that lacks a payment once', bounds: { timeouts: 2, kills: 1, hidden: 1 } },
  { name: 'a list that is empty once', bounds: { timeouts: 2, kills: 1, blind: 1 } },
  {
    name: 'look-alikes, and a person’s word on evidence',
    bounds: { ...faults, lookalikes: 1, verdicts: 1 },
  },
  { name: 'a lost ledger and a list that lacks a payment once', bounds: { losses: 1, kills: 1, hidden: 1 } },
  { name: 'a restored ledger', bounds: { restores: 1, kills: 1 } },
  { name: 'two rows, three time-outs, three kills', bounds: { timeouts: 3, kills: 3, policy: 'resend' } },
  { name: 'three rows', bounds: { rows: 3, timeouts: 2, kills: 1 } },
  { name: 'three rows, one is refused', bounds: { rows: 3, ...faults, refusals: 1, retries: 1 } },
  {
    name: 'later commits and a list that lags',
    bounds: { timeouts: 2, kills: 2, late: 3, horizon: 4, lag: 2, visible: 2 },
  },
  { name: 'two rows, payments expire', bounds: { timeouts: 2, kills: 1, expiries: 2, flips: 1, retries: 2 } },
  {
    name: 'a lost ledger and payments that expire',
    bounds: { losses: 1, ...faults, expiries: 1, flips: 1, retries: 1 },
  },
  { name: 'a restored ledger', bounds: { restores: 1, timeouts: 2, kills: 1 } },
  { name: 'a restored ledger, sent again by policy', bounds: { restores: 1, timeouts: 2, kills: 1, policy: 'resend' } },
  {
    name: 'a second ledger, one after the other',
    bounds: { turns: 2, ...faults },
    rules: { foreignStops: 'from pass' },
  },
  {
    name: 'a second ledger and a list that is empty once',
    bounds: { turns: 1, kills: 1, blind: 1 },
    rules: { foreignStops: 'from pass' },
  },
  {
    name: 'a second ledger and payments that expire',
    bounds: { rows: 1, turns: 2, ...faults, expiries: 1, flips: 1, retries: 1 },
    rules: { foreignStops: 'from pass' },
  },
];
