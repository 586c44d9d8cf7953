/** How a command about a batch ended. The shells translate it into an exit code, a notification or words on a page. */

/**
 * The worst comes first. `machine`: a disk or the program failed. `usage`: the command, a setting or a file is unusable.
 * `rule`: a rule or a person forbids the payments. `sheet`: the sheet has mistakes. `later`: the same command succeeds later.
 */
export const refusalKinds = [
  'signal',
  'alarm',
  'doubt',
  'service',
  'machine',
  'usage',
  'busy',
  'rule',
  'sheet',
  'later',
] as const;

export type RefusalKind = (typeof refusalKinds)[number];

/** No run has to follow `done` and `unpaid`. After `unpaid`, some rows are not paid, or documents are not attached. */
export type End = 'done' | 'unpaid' | RefusalKind;

/** The exit code of each end (docs/reference/exit-codes.md), which the trail and the hot folder's answers name too. */
export const exitCodes: { readonly [E in End]: number } = {
  done: 0,
  machine: 1,
  usage: 2,
  sheet: 20,
  unpaid: 21,
  doubt: 22,
  later: 23,
  busy: 24,
  service: 25,
  rule: 26,
  alarm: 27,
  signal: 130,
};

/** Returns the end of a command that a signal interrupted. An alarm remains an alarm. */
export const interruptedEnd = (end: End): End => (end === 'alarm' ? end : 'signal');
