/** Names the command and the button for each next action: one total map for the terminal, and one for the page. */
import { isoTime } from '../base/clock.ts';
import type { Signing, Some } from '../base/refusal.ts';
import { eachOf, type NotedRow, shellWord, visible, wordsIn } from '../base/words.ts';
import type {
  ActionKind,
  ActionNamed,
  ActionOf,
  DoubtNamed,
  NextAction,
  OfRow,
  RepeatedOptions,
  RowEffect,
  ShownState,
  SignedKind,
} from '../domain/next-action.ts';
import { type Audience, atTerminal, fileName } from './audience.ts';
import { counted, moneyOf } from './format/numbers.ts';
import { typed } from './format/program.ts';
import { timeWords } from './format/times.ts';
import { paymentWords } from './reasons.ts';

/** The flags of a command for its user, and for its ledger and service. A later command repeats those that it accepts. */
export interface Place {
  readonly user: string;
  readonly ledger: string;
}

export const noPlace: Place = { user: '', ledger: '' };

/** Commands that accept no user. */
const ofLedger: readonly ActionKind[] = wordsIn('report list-rows list-batches explain-row pause end-plan end-pause');

/** The command after the program's name, and a comment if the command does not say what it does. The page shows some comments too. */
type Commands = {
  readonly [K in ActionKind]: (
    action: ActionOf<K>,
    place: string,
  ) => string | readonly [command: string, comment: string | null];
};

/** Options that `plan` does not accept. */
const ofRunsAlone: readonly (keyof RepeatedOptions)[] = ['concurrency', 'format', 'listen', 'webhookUrl'];

function optionFlags(options: RepeatedOptions, without: readonly (keyof RepeatedOptions)[] = []): string {
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
const seenFlag = (seen: string) => ` --seen ${seen}`;
const on = ({ batch, row, seen }: OfRow & ShownState) => `${shellWord(batch)} --row ${shellWord(row)}${seenFlag(seen)}`;

const onRows = ({ batch, rows, seen }: Pick<ActionOf<'drop-rows'>, 'batch' | 'rows' | 'seen'>) =>
  `${shellWord(batch)} --row ${rows.map(shellWord).join(',')}${seenFlag(seen)}`;

/** The line of an invalid row may have neither payee nor currency. */
export const rowNamed = ({ key, number, payee, money }: NotedRow) =>
  `${key} (${[payee, money.currency === '' ? '' : moneyOf(money), number === null ? '' : `row ${number} of the sheet`].filter((one) => one !== '').join(', ')})`;

const shownRows = 3;

export function someRows({ shown, total }: Some<NotedRow>): string {
  // Names come from sheets, so invisible characters are printed by name.
  const names = shown.slice(0, shownRows).map((row) => visible(rowNamed(row)));
  const more = total - names.length;
  return `${total === 1 ? 'row' : 'rows'} ${names.join(', ')}${more > 0 ? ` and ${counted(more, 'more row')}` : ''}`;
}

/** Adds to the words about the last row the time from which the first row can be settled. */
const waitWords = (doubt: DoubtNamed): string =>
  `${lastWords(doubt)}${doubt.firstAt === null ? '' : ` The list can settle the first of them ${doubt.firstAt === 'now' ? 'now' : `from ${timeWords(doubt.firstAt)} on`}.`}`;

/** Returns the words for each state of a doubt: why a scan cannot settle it earlier, and when it can. */
function lastWords({ rows: { total }, wait: { why, ...moments } }: DoubtNamed): string {
  const [it, of] = total === 1 ? ['the row', 'it'] : ['the rows', 'them'];
  const [end, at] = [moments.end, moments.at ?? moments.end].map(timeWords);
  const newer = `${it} as soon as Payrun has sent another payment${moments.at === null ? '' : `, or else after ${at}`}.`;
  switch (why) {
    case 'may-appear':
      return `The service may list a payment of ${of} until ${end}. After that, its list settles ${at === end && moments.at !== null ? `${it}.` : newer}`;
    case 'list-may-be-old':
      return `Payrun sent no payment after ${end}, so the service's list may be out of date. It settles ${newer}${moments.at === null ? " Send the batch's other rows first." : ''}`;
    case 'second-scan':
      return `The service's list had no payment of ${of}. A second search after ${at} confirms that.`;
    case 'none':
      return `The service's list can settle ${it} now.`;
  }
}

const commands: Commands = {
  reconcile: ({ batch, doubt }, place) => [
    `reconcile ${shellWord(batch)}${place}`,
    doubt && `${someRows(doubt.rows)}. ${waitWords(doubt)}`,
  ],
  resume: ({ batch, why }, place) =>
    why === null
      ? `resume ${shellWord(batch)}${place}`
      : [`resume ${shellWord(batch)}${place} --canary 0`, 'sends the other rows without it'],
  retry: ({ batch, rows, seen, count }, place) => [
    `retry ${shellWord(batch)}${rows === null ? '' : ` --rows ${rows.map(shellWord).join(',')}`}${seen === null ? '' : seenFlag(seen)}${place}`,
    count === null ? null : `${counted(count, 'row')} as ${count === 1 ? 'it is' : 'they are'}`,
  ],
  'release-absent': ({ batch, signs, row, rows, seen }, place) => [
    `resolve ${shellWord(batch)}${row === null ? '' : ` --row ${shellWord(row)}`}${seenFlag(seen)} --release-absent${keyFlag(signs)} --reason TEXT${place}`,
    rows && `${someRows(rows)}. The service's list proves that no payment exists.`,
  ],
  report: ({ batch, needsFolder }, place) => `report ${shellWord(batch)}${needsFolder ? ' --out DIR' : ''}${place}`,
  'list-rows': ({ batch }, place) => `list ${shellWord(batch)}${place}`,
  'show-deposits': ({ batch }, place) => `funding ${shellWord(batch)}${place}`,
  rebind: ({ batch }, place) => `ledger rebind ${shellWord(batch)} --reason TEXT${place}`,
  pause: ({ batch }, place) => `pause ${shellWord(batch)} --reason TEXT${place}`,
  'end-plan': ({ batch, ending }, place) => `${ending} ${shellWord(batch)} --by NAME --reason TEXT${place}`,
  'end-pause': ({ batch, pause }, place) =>
    `pause ${batch === null ? '' : `${shellWord(batch)} `}--end${seenFlag(String(pause))}${place}`,
  'drop-rows': (action, place) => [
    `drop ${onRows(action)} --reason TEXT${place}`,
    action.named && `closes ${someRows(action.named)} unpaid`,
  ],
  'reopen-rows': (action, place) => `reopen ${onRows(action)}${keyFlag(action.signs)} --reason TEXT${place}`,
  'explain-row': ({ batch, row, named: held }, place) => [
    `explain ${shellWord(batch)} ${shellWord(row)}${place}`,
    held && `says why Payrun holds ${someRows(held)}, and what to do`,
  ],
  'release-row': ({ named: held, ...action }, place) => [
    `release ${on(action)}${keyFlag(action.signs, ' --by NAME')} --reason TEXT${place}`,
    held &&
      `by a second person, who has asked the payee about the new account of ${someRows({ shown: held.shown.slice(0, 1), total: 1 })}${held.total === 1 ? '' : `; then Payrun prints the command of the next of ${counted(held.total - 1, 'more row')}`}`,
  ],
  'resolve-known': (action, place) => [
    `resolve ${on(action)} --known --reason TEXT${place}`,
    action.named &&
      `after one of the two payments of ${someRows(action.named)} is stopped or returned, or if both are right`,
  ],
  'resolve-paid': (action, place) => `resolve ${on(action)} --paid ${shellWord(action.payment)}${place}`,
  'resolve-not-paid': (action, place) =>
    `resolve ${on(action)} --not-paid${keyFlag(action.signs)} --reason TEXT${place}`,
  'allow-repeat': (action, place) => [
    `resolve ${on(action)} --not-a-repeat${keyFlag(action.signs)} --reason TEXT${place}`,
    action.named && repeatWords(action),
  ],
  'run-sheet': (action, place) => [
    `run ${shellWord(action.file)}${named(action.batch)}${versionFlags(action)}${optionFlags(action.options)}${place}`,
    action.why && runComments[action.why],
  ],
  'repeat-sheet': ({ file, batch, signs, options }, place) =>
    `plan ${shellWord(file)}${named(batch)} --confirm-repeat "the reason"${planFlags(options, signs)}${place}`,
  'plan-sheet': ({ file, batch, options, signs, why, ...flags }, place) => [
    `plan ${shellWord(file)}${named(batch)}${versionFlags(flags)}${retryFlag(flags)}${planFlags(options, signs)}${place}`,
    flags.retry.length > 0 ? 'the sheet must have the unpaid rows' : why && runComments[why],
  ],
  'approve-plan': ({ plan }) => `approve ${shellWord(plan)} --key FILE`,
  'run-plan': ({ plan, digest, needsReason }, place) =>
    `run ${shellWord(plan)}${needsReason ? ' --confirm-variance REASON' : ''}${place} --approve ${digest}`,
  'list-batches': (_, place) => `list${place}`,
  'copy-ledger': ({ from, to }) => `ledger copy ${shellWord(to)} --ledger ${shellWord(from)}`,
  'open-copy': ({ batch, ledger }) => `status ${shellWord(batch)} --ledger ${shellWord(ledger)}`,
};

const repeatWords = ({ row, named: held }: ActionOf<'allow-repeat'>, where = '') =>
  held === null
    ? `pays ${rowsOf([row])}${where}, if it repeats no payment`
    : `pays ${someRows(held)}${where}, if it does not repeat ${paymentWords(held.to)}`;

const planFlags = (options: RepeatedOptions, signs: Signing) =>
  optionFlags({ ...(signs === 'no' ? {} : { maker: 'NAME' }), ...options }, ofRunsAlone);

const keyFlag = (signs: Signing, unsigned = '') => (signs === 'no' ? unsigned : ' --key FILE');

const retryFlag = ({ retry }: Pick<ActionOf<'plan-sheet'>, 'retry'>) =>
  retry === 'all' ? ' --retry' : retry.map((row) => ` --retry-row ${shellWord(row)}`).join('');

const runComments = { corrected: 'after you correct the rows in the sheet, which must be the whole list' };

function saidOf(action: ActionNamed, { user, ledger }: Place) {
  const place = ofLedger.includes(action.action) ? ledger : `${user}${ledger}`;
  return [commands[action.action](action as never, place)].flat() as [command: string, comment?: string | null];
}

const rowsOf = (rows: readonly string[]) => `${rows.length === 1 ? 'row' : 'rows'} ${rows.map(visible).join(', ')}`;

/** The comment of each action at the console, whose approvers have no key files. */
const atConsole: { readonly [K in SignedKind]: (action: ActionOf<K>) => string } = {
  'release-absent': ({ row, rows }) =>
    row === null && rows !== null
      ? `an approver lets Payrun send ${someRows(rows)} there. The service's list proves that no payment exists.`
      : `an approver lets Payrun send ${row === null ? 'the absent rows' : rowsOf([row])} there`,
  'reopen-rows': ({ rows }) => `an approver opens ${rowsOf(rows)} again there`,
  'release-row': ({ row, named: held }) =>
    `an approver releases ${held ? someRows(held) : rowsOf([row])} there, after asking the payee about the new account`,
  'resolve-not-paid': ({ row }) => `an approver says there that ${rowsOf([row])} was not paid`,
  'allow-repeat': (action) => `an approver ${repeatWords(action, ' there')}`,
  'repeat-sheet': ({ file }) =>
    `a preparer uploads ${visible(fileName(file))} there as a new batch, with the reason to pay it again`,
  'plan-sheet': ({ file, retry, why }) =>
    retry.length === 0
      ? `a preparer uploads ${why === null ? '' : 'the corrected '}${visible(fileName(file))} there, and an approver approves its plan`
      : `a preparer tries ${retry === 'all' ? 'the unpaid rows' : rowsOf(retry)} again there, and an approver approves the plan`,
  'approve-plan': () => 'a preparer uploads the sheet there, and an approver approves its plan',
};

export function commandOf(action: ActionNamed, place: Place): string {
  const [command, comment = null] =
    'signs' in action && action.signs === 'console'
      ? [`console${place.ledger}`, atConsole[action.action](action as never)]
      : saidOf(action, place);
  return `${typed(command)}${comment === null ? '' : `   # ${comment}`}`;
}

/** An action in `--json` output. `after` is its earliest time; null means at once. */
export type ActionDocument = ActionNamed & { readonly command: string; readonly after: string | null };

export const actionDocument = ({ notBefore, ...action }: NextAction, place: Place): ActionDocument => ({
  ...action,
  command: commandOf(action, place),
  after: notBefore === null ? null : isoTime(notBefore),
});

const effects: { readonly [E in RowEffect]: string | ((to: Audience, action: ActionNamed) => string) } = {
  'ends-two-payments': 'continues with the other rows, after one of the two payments is stopped or returned',
  sends: 'sends the row',
  scans: (to, action) =>
    `searches the service's list for the payment, and sends nothing${to === 'page' && action.action === 'reconcile' && action.doubt !== null ? `. ${waitWords(action.doubt)}` : ''}`,
  'sends-absent': 'lets Payrun send the row again',
  'releases-account':
    'lets Payrun send the row, after a second person has asked the payee. Or put the old account back into the sheet, and run it again',
  'releases-repeat': 'lets Payrun send the row, if it repeats no payment',
  corrects: 'pays the row, after you correct it in the sheet, which must be the whole list',
  drops: 'closes the row unpaid',
  reopens: 'opens the row again, so that Payrun can pay it',
  'takes-back': 'takes the row back into the batch, after you put it back into the sheet',
  'accepts-payment': (to) =>
    `says that this payment pays the row. If it does not, ask the service to stop the payment${atTerminal(to, ', and use --not-paid')}`,
  'denies-payment': (to) =>
    `says that the row was not paid, if the service confirmed it to you${atTerminal(to, '. If it was paid, name the payment with --paid ID')}`,
  'asks-service': 'asks the service for the status of the payment',
  'plans-retry': 'makes a plan that sends the row again',
  retries: 'sends the row again unchanged',
};

export function effectWords(effect: RowEffect, action: ActionNamed, to: Audience = 'terminal'): string {
  const words = effects[effect];
  return typeof words === 'string' ? words : words(to, action);
}

export type Button = 'resume' | 'reconcile' | 'retry' | 'release' | 'resolve' | 'reopen';

type OnPage = Button | 'upload' | 'notes';

/** The notes of the batch explain each other action. */
const onPage: { readonly [K in ActionKind]?: OnPage } = {
  reconcile: 'reconcile',
  resume: 'resume',
  retry: 'retry',
  'plan-sheet': 'retry',
  'reopen-rows': 'reopen',
  'release-row': 'release',
  ...eachOf('resolve' as const, 'release-absent explain-row resolve-known resolve-paid resolve-not-paid allow-repeat'),
  ...eachOf('upload' as const, 'run-sheet repeat-sheet run-plan'),
};

const pageSays: { readonly [P in OnPage]: readonly [label: string, sentence: string] } = {
  resume: [
    'Continue',
    'Some rows are still open. Continue sends the rows that were not sent, and follows pending payments.',
  ],
  reconcile: ['Search at the service again', 'Search at the service again for the rows in doubt. Nothing is sent.'],
  retry: [
    'Try this row again',
    'Try unpaid rows again: an approver approves their plan. To leave a row unpaid, close it on its page.',
  ],
  release: [
    'Release this row',
    'A payee’s account changed. A second person, who has asked the payee, releases the row. To leave it unpaid, a preparer or an approver closes it on its page.',
  ],
  reopen: ['Open this row again', 'A person closed the row. An approver who did not prepare it can open it again.'],
  resolve: ['It was paid, or it was not paid', 'A row waits for a decision. Open it to see why.'],
  upload: [
    'Upload a sheet on Home',
    'To correct a row, upload the corrected sheet on Home, and plan it as the next version of this batch.',
  ],
  notes: ['See the notes above', 'See the notes above.'],
};

/** A plan without rows to send again is that of a sheet. */
const pageOf = (action: ActionNamed): OnPage =>
  action.action === 'plan-sheet' && action.retry.length === 0 ? 'upload' : (onPage[action.action] ?? 'notes');

export function buttonOf(action: ActionNamed): Button | null {
  const button = pageOf(action);
  return button === 'upload' || button === 'notes' ? null : button;
}

export const [, resumeWords] = pageSays.resume;

export const pageEffectWords = (effect: RowEffect, action: ActionNamed): string =>
  `${pageSays[pageOf(action)][0]}: ${effectWords(effect, action, 'page')}`;

/** Actions whose button needs no sentence beside it. */
const saidAlready: readonly ActionKind[] = wordsIn('drop-rows release-row explain-row allow-repeat plan-sheet');

export function pageWords(action: ActionNamed): string {
  const [, words] = pageSays[pageOf(action)];
  const [, comment = null] = saidOf(action, noPlace);
  if (comment === null || saidAlready.includes(action.action)) return words;
  if (action.action === 'run-sheet')
    return action.why === 'corrected' ? words : `Upload that sheet again: it ${comment}.`;
  // The comments of these actions name the rows in doubt, in sentences.
  return ['reconcile', 'release-absent'].includes(action.action)
    ? `In doubt: ${comment} ${words}`
    : `${words} (${comment})`;
}
