/** What these lists found and is not mended yet: each is switched on (true) with the code that mends it. */
export const keeps = {
  /** A row was refused, then paid, and a copy of the ledger from between is restored: a run with nothing to send makes no pass, and the row stays unpaid. */
  refusalsRestored: true,
  /**
   * A row that was asked for, and came back to ready, is planned again by the next run, and that run ends before its
   * merchant is known: `audit verify` misses the merchant of the intent, and calls a sound ledger damaged.
   */
  merchantsPlanned: true,
  /**
   * The declared limit: a ledger is lost with its witness while a payment is under way, and the row is sent again. When
   * the first comes to light late, a run that has nothing to send and nothing in doubt makes no pass: it says paid, and
   * not paid twice.
   */
  lateDoublesTold: true,
  /** A ledger restored from before a refused row was corrected and paid, the row no longer in the sheet: the pass sees a living payment of other content under its tag, and says nothing. */
  refusedOtherContent: true,
} as const;
