/** The protective rules of the protocol, each of them a switch: a rule that is not missed protects nothing. */

export interface Rules {
  /** The intent is written before the first byte leaves. */
  readonly intentFirst: boolean;
  /** A row that was being sent when its process died is in doubt. */
  readonly deathIsDoubt: boolean;
  /** A send that was held up since its intent is given up. */
  readonly abandonsOnDrift: boolean;
  readonly horizon: boolean;
  readonly passBeforeSending: boolean;
  /** How many revisions above the highest found are looked for. */
  readonly revisionsAbove: number;
  readonly earlierRevisions: boolean;
  /** Every pass counts every tag of ours, whatever the row's state. */
  readonly everyTag: boolean;
  /** A pass is complete only if it holds every payment that the ledger knows. */
  readonly completeness: boolean;
  readonly twoPasses: boolean;
  /** What is sent again needs a pass begun after its release. */
  readonly passAfterRelease: boolean;
  /** Where no row is left to show that the list is fresh, a doubt may end after twice the horizon. */
  readonly twiceHorizon: boolean;
  /** The same under the policy that sends again by itself. */
  readonly twiceHorizonWhenResending: boolean;
  /** What waits for the horizon when the witness is ahead of the ledger. */
  readonly witnessHolds: 'pass' | 'send' | 'nothing';
  /**
   * What another ledger's young payment stops: this ledger, until the payment is twice the horizon old (and, "from
   * pass", for a horizon at least); the one run that saw it first; or nothing.
   */
  readonly foreignStops: 'from pass' | 'from payment' | 'one run' | 'nothing';
  /** How long a ledger without trust keeps to its canary: until the list held it, for its first run, or not at all. */
  readonly canary: 'until seen' | 'first run' | 'no';
  /** A restored ledger has lost the trust that a canary gave it. */
  readonly restoredIsNew: boolean;
  readonly refusedKeepsRevision: boolean;
  /** A person's word that a row was not paid needs two passes without it. */
  readonly verdictNeedsPasses: boolean;
  /** A held row can be found to be unpaid. */
  readonly heldHasExit: boolean;
  /** Two payments of which one ends unpaid are no longer two. */
  readonly duplicateHasExit: boolean;
}

/** The protocol with all of its rules, as Payrun follows it. */
export const asDesigned: Rules = {
  intentFirst: true,
  deathIsDoubt: true,
  abandonsOnDrift: true,
  horizon: true,
  passBeforeSending: true,
  revisionsAbove: 3,
  earlierRevisions: true,
  everyTag: true,
  completeness: true,
  twoPasses: true,
  passAfterRelease: true,
  twiceHorizon: true,
  twiceHorizonWhenResending: true,
  witnessHolds: 'pass',
  foreignStops: 'from payment',
  canary: 'until seen',
  restoredIsNew: false,
  refusedKeepsRevision: true,
  verdictNeedsPasses: true,
  heldHasExit: true,
  duplicateHasExit: true,
};
