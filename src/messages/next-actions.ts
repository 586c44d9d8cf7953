/** Names the command, the comment and the button for each next action. */
import { isoTime } from '../base/clock.ts';
import { counted, shellWord } from '../base/words.ts';
import type {
  ActionKind,
  ActionNamed,
  ActionOf,
  NextAction,
  RepeatedOptions,
  RowEffect,
} from '../domain/next-action.ts';

type Commands = { readonly [K in ActionKind]: (action: ActionOf<K>, place: string) => string };
type Comments = { readonly [K in ActionKind]?: (action: ActionOf<K>) => string | null };

/** Options that `plan` does not accept. */
const ofRunsAlone: readonly (keyof RepeatedOptions)[] = ['concurrency', 'format', 'listen', 'webhookUrl'];

export function optionFlags(options: RepeatedOptions, without: readonly (keyof RepeatedOptions)[] = []): string {
  const said = Object.entries(options) as [keyof RepeatedOptions, string | boolean | readonly string[]][];
  return said
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, value]) => {
      const flag = ` --${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      if (value === false) return [];
      return value === true || value === '' ? [flag] : [value].flat().map((one) => `${flag} ${shellWord(String(one))}`);
    })
    .join('');
}

const named = (batch: string | null) => (batch === null ? '' : ` --batch ${shellWord(batch)}`);
const versionFlags = ({ add, drop = false }: { readonly add: boolean; readonly drop?: boolean }) =>
  `${add ? ' --add' : ''}${drop ? ' --drop' : ''}`;
const on = ({ batch, row }: { readonly batch: string; readonly row: string }) =>
  `${shellWord(batch)} --row ${shellWord(row)}`;

const onRows = ({ batch, rows }: { readonly batch: string; readonly rows: readonly string[] }) =>
  `${shellWord(batch)} --row ${rows.map(shellWord).join(',')}`;

const commands: Commands = {
  reconcile: ({ batch }, place) => `reconcile ${shellWord(batch)}${place}`,
  resume: ({ batch, why }, place) => `resume ${shellWord(batch)}${place}${why === 'past-canary' ? ' --canary 0' : ''}`,
  retry: ({ batch, rows }, place) =>
    `retry ${shellWord(batch)}${rows === null ? '' : ` --rows ${rows.map(shellWord).join(',')}`}${place}`,
  'release-absent': ({ batch }, place) => `resolve ${shellWord(batch)} --release-absent --reason TEXT${place}`,
  report: ({ batch, needsFolder }, place) => `report ${shellWord(batch)}${needsFolder ? ' --out DIR' : ''}${place}`,
  'list-rows': ({ batch }, place) => `list ${shellWord(batch)}${place}`,
  'show-deposits': ({ batch }, place) => `funding ${shellWord(batch)}${place}`,
  rebind: ({ batch }, place) => `ledger rebind ${shellWord(batch)} --reason TEXT${place}`,
  pause: ({ batch }, place) => `pause ${shellWord(batch)} --reason TEXT${place}`,
  'end-pause': ({ batch }, place) => `pause ${batch === null ? '' : `${shellWord(batch)} `}--end${place}`,
  'drop-rows': (action, place) => `drop ${onRows(action)} --reason TEXT${place}`,
  'reopen-rows': (action, place) =>
    `reopen ${onRows(action)} ${action.signs ? '--key FILE ' : ''}--reason TEXT${place}`,
  'explain-row': ({ batch, row }, place) => `explain ${shellWord(batch)} ${shellWord(row)}${place}`,
  'release-row': (action, place) =>
    `release ${on(action)} ${action.signs ? '--key FILE' : '--by NAME'} --reason TEXT${place}`,
  'resolve-known': (action, place) => `resolve ${on(action)} --known --reason TEXT${place}`,
  'resolve-paid': (action, place) => `resolve ${on(action)} --paid ${shellWord(action.payment)}${place}`,
  'resolve-not-paid': (action, place) => `resolve ${on(action)} --not-paid --reason TEXT${place}`,
  'allow-repeat': (action, place) => `resolve ${on(action)} --not-a-repeat --reason TEXT${place}`,
  'run-sheet': ({ file, batch, options, ...flags }, place) =>
    `run ${shellWord(file)}${named(batch)}${versionFlags(flags)}${optionFlags(options)}${place}`,
  'repeat-sheet': ({ file, batch, needsReason, options }, place) =>
    `run ${shellWord(file)}${named(batch ?? 'NEWNAME')}${needsReason ? ' --confirm-repeat "the reason"' : ''}${optionFlags(options)}${place}`,
  'plan-sheet': ({ file, batch, options, ...flags }, place) =>
    `plan ${shellWord(file)}${named(batch)}${versionFlags(flags)}${retryFlag(flags)}${optionFlags(options, ofRunsAlone)}${place}`,
  'approve-plan': ({ plan }) => `approve ${shellWord(plan)} --key FILE`,
  'run-plan': ({ file, batch, digest, confirmRepeat, confirmVariance, needsReason, options, ...flags }, place) =>
    `run ${shellWord(file)}${named(batch)}${reasonFlag('variance', confirmVariance)}${versionFlags(flags)}${reasonFlag('repeat', confirmRepeat)}${needsReason ? ' --confirm-variance REASON' : ''}${optionFlags(options)}${place} --approve ${digest}`,
  'list-batches': (_, place) => `list${place}`,
  'copy-ledger': ({ from, to }) => `ledger copy ${shellWord(to)} --ledger ${shellWord(from)}`,
  'open-copy': ({ batch, ledger }) => `status ${shellWord(batch)} --ledger ${shellWord(ledger)}`,
};

const retryFlag = ({ row, why }: Pick<ActionOf<'plan-sheet'>, 'row' | 'why'>) =>
  row === null ? (why === 'unpaid' ? ' --retry' : '') : ` --retry-row ${shellWord(row)}`;

const reasonFlag = (of: string, reason: string | null) =>
  reason === null ? '' : ` --confirm-${of} ${shellWord(reason)}`;

const comments: Comments = {
  resume: ({ why }) => (why === null ? null : 'sends the other rows without it'),
  retry: ({ count }) => (count === null ? null : `${counted(count, 'row')} as ${count === 1 ? 'it is' : 'they are'}`),
  'release-absent': ({ count }) =>
    count === null ? null : `${counted(count, 'row')}: no payment has ${count === 1 ? 'its tag' : 'their tags'}`,
  'explain-row': ({ why }) => (why === null ? null : 'says why the row is held, and what to do'),
  'drop-rows': ({ rows }) =>
    `closes ${rows.length === 1 ? 'the row unpaid, if it repeats a payment' : 'the rows unpaid, if they repeat payments'}`,
  'allow-repeat': () => 'pays the row, if it repeats no payment',
  'release-row': ({ why }) =>
    why === null ? null : 'by a second person, who has asked the payee about the new account',
  'resolve-known': ({ why }) =>
    why === null ? null : 'after one of the two payments is stopped or returned, or if both are right',
  'run-sheet': runComment,
  'plan-sheet': ({ why, signs }) => (why === null ? null : `${onceSigned(signs)} payrun run FILE --approve DIGEST`),
};

const onceSigned = (signs: boolean) => (signs ? 'after the approvals:' : 'then:');

function runComment(action: ActionOf<'run-sheet'>): string | null {
  switch (action.why) {
    case 'column-removed':
      return 'pays the rows, after the column payrun_status is removed from the file';
    case 'corrected':
      return `with ${action.rows === 1 ? 'this row' : 'these rows'} corrected`;
    case null:
      return null;
  }
}

const commentOf = (action: ActionNamed): string | null => comments[action.action]?.(action as never) ?? null;

/** Returns the terminal's command with its comment. `place` has the flags for service and ledger. */
export function commandOf(action: ActionNamed, place: string): string {
  const comment = commentOf(action);
  return `payrun ${commands[action.action](action as never, place)}${comment === null ? '' : `   # ${comment}`}`;
}

/** An action in `--json` output. `after` is its earliest time; null means at once. */
export interface ActionDocument {
  readonly action: ActionKind;
  readonly command: string;
  readonly after: string | null;
  readonly [fact: string]: unknown;
}

export const actionDocument = ({ notBefore, ...action }: NextAction, place: string): ActionDocument => ({
  ...action,
  command: commandOf(action, place),
  after: notBefore === null ? null : isoTime(notBefore),
});

const effects: { readonly [E in RowEffect]: string | ((action: ActionNamed) => string) } = {
  'ends-two-payments': 'continues with the other rows, after one of the two payments is stopped or returned',
  'sends-once-listed': 'sends the row after a sheet has it again, because the newest sheet lacks it',
  sends: 'sends the row',
  scans: "searches the service's list for the payment, and sends nothing",
  'sends-absent': 'lets Payrun send the row again, with all other absent rows',
  'releases-account':
    'lets Payrun send the row, after a second person has asked the payee. Or put the old account back into the sheet, and run it again',
  'releases-repeat': 'lets Payrun send the row, if it repeats no payment',
  corrects: 'pays the row, after its mistake is corrected in the sheet',
  drops: 'closes the row unpaid, if it repeats a payment',
  reopens: 'opens the row again, so that Payrun can pay it',
  'accepts-payment':
    'says that this payment pays the row. If it does not, ask the service to stop the payment, and use --not-paid',
  'denies-payment':
    'says that the row was not paid, if the service confirmed it to you. If it was paid, name the payment with --paid ID',
  'asks-service': 'asks the service for the status of the payment',
  'retries-once-listed':
    'adds the row to the batch after a sheet has it again. Then retry sends it. To leave it unpaid, close it with payrun drop',
  'plans-retry': (action) =>
    `makes a plan that sends the row again; ${onceSigned('signs' in action && action.signs)} payrun run FILE --approve DIGEST`,
  retries: 'sends the row again unchanged',
};

export function effectWords(effect: RowEffect, action: ActionNamed): string {
  const words = effects[effect];
  return typeof words === 'string' ? words : words(action);
}

export type Button = 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve' | 'reopen';

interface OnPage {
  /** The button that starts the action; null if these pages have no button for it. */
  readonly button: Button | null;
  readonly label: string;
}

const handingIn: OnPage = { button: null, label: 'Upload the sheet again' };
const resolving: OnPage = { button: 'resolve', label: 'Decide about it' };
const retrying: OnPage = { button: 'retry', label: 'Send it again' };

const onPage: { readonly [K in ActionKind]?: OnPage } = {
  reconcile: { button: 'reconcile', label: 'Search for it' },
  resume: { button: 'resume', label: 'Continue' },
  retry: retrying,
  'plan-sheet': retrying,
  'release-row': { button: 'release', label: 'Release it' },
  'explain-row': resolving,
  'reopen-rows': { button: 'reopen', label: 'Open it again' },
  'release-absent': resolving,
  'resolve-known': resolving,
  'resolve-paid': resolving,
  'resolve-not-paid': resolving,
  'allow-repeat': resolving,
  'run-sheet': handingIn,
  'repeat-sheet': handingIn,
  'run-plan': handingIn,
};

export const buttonOf = ({ action }: ActionNamed): Button | null => onPage[action]?.button ?? null;

const buttonWords: { readonly [B in Button]: string } = {
  resume: 'Some rows are still open. Continue sends the rows that were not sent, and follows pending payments.',
  reconcile: "Search the service's list for the rows in doubt. Nothing is sent.",
  retry: 'Send unpaid rows again. A new plan lists them, and an approver approves it.',
  release:
    'A payee’s account changed. A second person, who has asked the payee, releases the row. To leave it unpaid, a preparer or an approver closes it on its page.',
  reopen: 'A person closed the row. An approver who did not prepare it can open it again.',
  resolve: 'A row waits for a decision. Open it to see why.',
};

export const resumeWords = buttonWords.resume;

/** The page's words for some effects. The terminal's words for these effects name commands or options. */
const pageEffects: { readonly [E in RowEffect]?: string } = {
  'accepts-payment': 'says that this payment pays the row. If it does not, ask the service to stop the payment',
  'denies-payment': 'says that the row was not paid, if the service confirmed it to you',
  'retries-once-listed': 'adds the row to the batch after a sheet has it again',
  'plans-retry': 'makes a plan that sends the row again',
};

export const pageEffectWords = (effect: RowEffect, action: ActionNamed): string =>
  `${onPage[action.action]?.label ?? 'Next'}: ${pageEffects[effect] ?? effectWords(effect, action)}`;

/** Actions whose button needs no sentence beside it. */
const saidAlready: readonly ActionKind[] = ['release-row', 'explain-row', 'allow-repeat', 'plan-sheet'];

export function pageWords(action: ActionNamed): string {
  const button = buttonOf(action);
  const comment = commentOf(action);
  if (button !== null)
    return comment === null || saidAlready.includes(action.action)
      ? buttonWords[button]
      : `${buttonWords[button]} (${comment})`;
  if (action.action !== 'run-sheet')
    return onPage[action.action] === undefined ? 'See the notes above.' : 'Upload the fixed sheet again.';
  return action.why === 'corrected' || comment === null
    ? 'Upload the fixed sheet again.'
    : `Upload that sheet again: it ${comment}.`;
}
