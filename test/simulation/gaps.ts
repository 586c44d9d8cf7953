/**
 * What the pipeline does not survive yet, in one place: each is switched on (true) with the code that mends it, and
 * from then on fails a seed like everything else.
 */
export const survives = {
  /** An answer that names the payment of a row in doubt: the pass that then finds it there ends with a crash. */
  otherId: true,
  /** A list of merchants that lacks what was just made: others are made beside them, and then none can be chosen. */
  merchantLag: true,
  /** A refusal of a payment that was made, in a run that made no other: no pass follows, and the row stays unpaid. */
  lies: true,
  /** A run with nothing to send makes no pass: an expired payment that succeeded, a double that ended, stay unseen. */
  revivals: true,
  /** A pass before sending wherever another ledger was at work, and before a released row is sent again. */
  suspect: true,
  /** A row held for an expired payment of other content is held again by each pass after each verdict. */
  expiredContent: true,
  /** A wall clock that is set back: a wait of seconds becomes one of hours. */
  clockBack: true,
  /** A failed look at one payment while others are looked at: the next round meets them, and the run crashes. */
  failedLooks: true,
  /** A row is paid, and then its earlier payment, which had expired, succeeds after all: no run looks. */
  earlierRevisions: true,
  /** A corrected row that is held for a living payment of its old content: no verdict ends it. */
  correctedHeld: true,
} as const;
