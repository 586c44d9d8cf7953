/** How a command about a batch ended. The shells translate it into an exit code, a notification or words on a page. */
import { wordsIn } from '../../base/words.ts';

/**
 * The worst comes first. `machine`: a disk or the program failed. `usage`: the command, a setting or a file is unusable.
 * `rule`: a rule or a person forbids the payments. `sheet`: the sheet has mistakes. `later`: the same command succeeds later.
 */
export const refusalKinds = wordsIn('signal alarm doubt service machine usage busy rule sheet later');

export type RefusalKind = (typeof refusalKinds)[number];

/**
 * The fate of a sheet in the hot folder after a refusal. `final`: refused for good. `repeated`: also, because it or its rows
 * were submitted before. `approval`, `policy`: waits for one. `totals`: waits for its totals. `again`: runs again later.
 */
export type Fate = 'final' | 'repeated' | 'approval' | 'policy' | 'totals' | 'again';

/** No run has to follow `done` and `unpaid`. After `unpaid`, some rows are not paid, or documents are not attached. */
export type End = 'done' | 'unpaid' | RefusalKind;

export const interruptedEnd = (end: End): End => (end === 'alarm' ? end : 'signal');
