/** The limits of a run that its plan and its refusals name. */

/** The hours and days when payments may be sent. */
export interface PayWindow {
  /** Minutes after midnight. A window with `until` before `from` ends on the next day. */
  readonly from: number;
  readonly until: number;
  /** `mon-fri` includes public holidays. `business` is Monday to Friday without South Africa's public holidays. */
  readonly days: 'every' | 'mon-fri' | 'business';
  /** Dates such as `2026-11-04` on which the window stays shut, for example an election day. */
  readonly closed: readonly string[];
}

export interface Breaker {
  readonly refusals: number;
  /** The breaker opens when the rows in doubt exceed both limits: a number of rows, and a share of the batch. */
  readonly doubts: { readonly rows: number; readonly percent: number };
}
