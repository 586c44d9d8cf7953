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

export type End =
  | { readonly is: 'finished'; readonly why: 'done' | 'unpaid' }
  /** `machine`: every row has ended, but the result could not be written. */
  | { readonly is: 'open'; readonly why: 'later' | 'doubt' | 'machine' }
  /** A refused command sent nothing, and a stopped command may have sent some rows. */
  | { readonly is: 'refused' | 'stopped'; readonly why: RefusalKind };

export type EndKind = End['why'];

/** Returns the end of a command that a signal interrupted. An alarm remains an alarm. */
export const interruptedEnd = (end: End): End => (end.why === 'alarm' ? end : { is: 'stopped', why: 'signal' });
