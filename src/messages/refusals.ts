/** The sentences of refusals and failures: one entry for each error code. */
import { faultOf, PayrunError } from '../base/errors.ts';
import type { CredentialsHint, DepositFacts, ErrorCode, Failure, Refusal, RowOfBatch } from '../base/refusal.ts';
import { ended, visible } from '../base/words.ts';
import { detailWords } from '../domain/amounts/deposit.ts';
import { resumeOf } from '../domain/next-action.ts';
import { type Audience, atTerminal, lines } from './audience.ts';
import { copyWords } from './duplicates.ts';
import { answerWords, faultWords, worded } from './faults/fault-words.ts';
import { identityWords } from './format/identity.ts';
import { windowsWords } from './format/limits.ts';
import { counted, grouped, named } from './format/numbers.ts';
import { timeWords } from './format/times.ts';
import { commandOf, noPlace, type Place } from './next-actions.ts';
import type { RefusalWords } from './passage.ts';
import { problemWords } from './problems.ts';
import { causeWords, reasonWords } from './reasons.ts';
import { batchRefusals } from './refusals/batch-refusals.ts';
import { controlRefusals } from './refusals/control-refusals.ts';
import { planRefusals } from './refusals/plan-refusals.ts';
import { rowRefusals } from './refusals/row-refusals.ts';
import { sheetRefusals } from './refusals/sheet-refusals.ts';
import { usageRefusals } from './refusals/usage-refusals.ts';

const withAll = (words: string, why: readonly string[]) => (why.length === 1 ? [`${words} ${why[0]}`] : [words, why]);

const hints: { readonly [H in CredentialsHint]: string } = {
  'new-token-too': ' (also with a new token)',
  'user-unknown': ' (the user is unknown, disabled, or of another tenant; see PAYRUN_USER_ID)',
  'user-token-needed': ". This service may want a user's token: set PAYRUN_USER_ID (interface 5.7)",
};

const rowsNamed = (shown: readonly RowOfBatch[], total: number) =>
  `${shown.map(({ batch, row }) => `${row} of batch ${batch}`).join(', ')}${total > shown.length ? ', …' : ''}`;

export const detailsWords = (details: DepositFacts['now']) => detailWords(details) || 'none';

const quotedDetails = (details: DepositFacts['now']) => (details.length === 0 ? 'none' : `'${detailWords(details)}'`);

export const depositWords = ({ row, payment, was, now }: DepositFacts) =>
  `Row ${row}, payment ${payment}: first ${quotedDetails(was)}, now ${quotedDetails(now)}.`;

const words: RefusalWords = {
  CREDENTIALS_MISSING: ({ missing }, to) =>
    `Payrun does not know the payout service, because these settings are missing: ${missing}.${atTerminal(to, ' Set PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET, or use --sandbox for the embedded service.')}`,
  ...usageRefusals,
  ...rowRefusals,
  FILE_UNREADABLE: ({ path, why }) => `Payrun cannot read ${path}: ${why}.`,
  SHEET_COPY_GONE: ({ path, folder, batch, list, command }, to) => [
    `The copy of the sheet of batch ${batch} is missing: ${path}. No payment is lost${atTerminal(to, `: ${list} shows each row`)}.`,
    `Restore the folder ${folder} from a backup. Or submit the same sheet again, which pays nothing twice${to === 'page' ? '.' : `: ${command}`}`,
  ],
  MAP_UNUSABLE: ({ map, why }) => withAll(`The map ${map} cannot be used:`, why),
  CORRECTIONS_UNUSABLE: ({ path, why }) => `The corrections ${path} cannot be used: ${why}`,
  FOLDER_UNWRITABLE: ({ path, why }, to) =>
    `Payrun cannot write to ${path}: ${why}.${atTerminal(to, ' Choose another folder with --out.')}`,
  FOLDER_UNUSABLE: ({ path, why }) => `The folder ${path} cannot be watched: ${why}.`,
  HOT_FOLDER_REPLACED: ({ path }) =>
    `The folder ${path} cannot be watched: its subfolder 'taken' is missing. If the disk of the folder is not mounted, mount it again.`,
  HOT_FOLDER_LOCK_DAMAGED: ({ path, lock, why }) =>
    `The folder ${path} cannot be watched: its lock ${lock} is damaged (${why}). End every watcher of the folder, then delete the lock.`,
  HOT_FOLDER_RECORD_UNREADABLE: ({ path, record, why }) =>
    `Payrun cannot read ${path}/${record}, the record of an accepted sheet (${why}). The watcher accepts no sheet until a person checks the folder ${path} and moves it away.`,
  DISK_UNWRITABLE: ({ path, why }) =>
    `Payrun cannot write to ${path}: ${why}. Nothing was sent. Make sure that the disk works and has room, then try again.`,
  COPIES_UNWRITABLE: ({ path, why }) =>
    `Payrun cannot store a copy of the sheet in ${path}: ${why}. Nothing was sent. Give the user of the Payrun process write access to that folder, then try again.`,
  FOLDER_BUSY: ({ path, holder }) =>
    `Another watcher holds the folder ${path}${holder}. No sheet was accepted. Wait until that watcher ends.`,
  ...sheetRefusals,
  SHEET_HAS_PROBLEMS: ({ problem }, to) => `The sheet was refused: ${problemWords(problem, to)}`,
  PAYEES_REFUSED: ({ payees }, to) =>
    `The service did not accept ${counted(payees, 'payee')}. Nothing was sent. Correct the rows of ${payees === 1 ? 'this payee' : 'these payees'}, or ${to === 'page' ? 'leave them out' : 'pay the other rows with --skip-invalid'}.`,
  SHEET_CHANGED: ({ path }) =>
    `The sheet ${path} changed after it was accepted or planned. Nothing was sent. Submit or plan the sheet again.`,
  ...controlRefusals,
  LEDGER_BUSY: ({ path, holder }) =>
    `Another run holds the ledger ${path}${holder}. Nothing was sent. Wait until that run ends.`,
  LEDGER_OF_OTHER_BUILD: ({ path, other, format, build }, to) =>
    `The ledger ${path} is from ${other ?? `a build of ledger format ${format}`}, and ${build} cannot read it. Nothing was sent. Finish the batches of the ledger with the version that made it${atTerminal(to, ', or name a new ledger with --ledger')}.`,
  LEDGER_UNUSABLE: ({ path, why }) => `The ledger ${path} cannot be used: ${why}. Nothing was sent.`,
  LEDGER_UNWRITABLE: ({ path, why }) =>
    `Payrun can no longer use the ledger ${path}: ${why}. Nothing more is sent. Check the disk of the ledger, and end other programs that hold the ledger. The next run finds the payments that were under way.`,
  LEDGER_DAMAGED: ({ why }) =>
    `The ledger is damaged: ${why}. Nothing more is sent. Keep the file and restore a backup.`,
  BATCH_UNKNOWN: ({ batch }, to, place) =>
    `The ledger has no batch ${batch}.${atTerminal(to, ` \`${commandOf({ action: 'list-batches' }, place)}\` lists the batches of the ledger.`)}`,
  ...batchRefusals,
  REPEATS_A_DOUBT: ({ row, other, batch, next }, to) =>
    `Row ${row} looks like row ${other} of batch ${batch}, and row ${other} may have been paid (in doubt). Nothing was sent. Payrun does not send row ${row} until row ${other} is settled, even if you give a reason. ${to === 'page' ? `Search for row ${other} on its page.` : `Run ${next}.`}`,
  IDENTITY_CHANGED: ({ batch, was, now, command }, to) =>
    `Batch ${batch} was sent with ${identityWords(was)}, and this run uses ${identityWords(now)}. Nothing was sent. Use the earlier address and key${atTerminal(to, `, or prove that the new address and key show the same payments: ${command}`)}. A new ${to === 'page' ? 'name of the batch' : '--batch name'} would pay every row again.`,
  IDENTITY_UNPROVEN: ({ batch, was, now, payment, row }) =>
    `Batch ${batch} keeps ${identityWords(was)}. With ${identityWords(now)}, the service does not show payment ${payment} of row ${row} with its tag. Nothing was changed. Continue with the earlier address, key and user, or ask the service why the payment is missing.`,
  ...planRefusals,
  POLICY_NOT_FOUND: ({ path }, to) =>
    `This folder has no policy, and payments need the approvals of ${path}. Nothing was sent. ${to === 'page' ? 'Ask an administrator to put that file back.' : 'Run the command in the folder of that policy, or name the policy with PAYRUN_POLICY or `policy` in payrun.config.json.'}`,
  POLICY_DIFFERS: ({ path, last }) =>
    `Payments from this ledger need the policy ${last}, and ${path} differs from it. Nothing was sent. Use ${last}, or change that file.`,
  POLICY_UNUSABLE: ({ path, why }) => withAll(`Nothing was sent. The policy ${path} cannot be used:`, why),
  KEY_UNUSABLE: ({ path, why }) =>
    `The key ${path ?? 'of the console'} cannot be used: ${why}. Nothing was signed. ${path === null ? 'Restore the key' : 'Name the file of a key, or restore it'} from a copy.`,
  PASSPHRASE_WRONG: ({ path }) =>
    `The passphrase does not open the key ${path ?? 'of the console'}. Nothing was signed. Enter it again. If it is right, the key was changed: restore it from a copy.`,
  SERVICE_UNREACHABLE: ({ service, why }) => `The payout service at ${service} cannot be reached: ${why}`,
  SERVICE_ANSWER: answerWords,
  SERVICE_UNREADABLE: ({ service, count, reason }) =>
    `The payout service at ${service} left ${grouped(count)} payments in doubt, and also one row that Payrun sent alone as a test. Nothing more is sent. The last error was: ${ended(causeWords(reason))}`,
  REFUSED_IN_A_ROW: ({ count, reason }) =>
    `The payout service refused ${grouped(count)} payments one after another. Nothing more is sent. The last reason was: ${ended(causeWords(reason))} Find the common cause before you send the other rows.`,
  SERVICE_REFUSED: ({ why }) =>
    `The payout service did not carry out the command: ${ended(why)} Correct the cause, then run the command again.`,
  CALL_IN_DOUBT: ({ why }) =>
    `The payout service may have carried out the command: ${ended(why)} List what it has before you run the command again.`,
  SERVICE_LACKS: ({ what }) => `The service has no ${what}.`,
  DOCUMENTS_NOT_LISTED: ({ payment }) =>
    `The service has payment ${payment}, but no list of its documents at a path that Payrun knows.`,
  CREDENTIALS_REFUSED: ({ why, hint }) =>
    `The payout service refused the credentials: ${why}${hint === null ? '' : hints[hint]}`,
  SERVICE_BUSY: ({ why }) => `The payout service repeatedly reported too many requests: ${why}`,
  TAG_LOST: ({ payment, tag, seen, seconds }) =>
    `The service ${seen === null ? `did not return payment ${payment} with its tag '${tag}' within ${seconds} s` : `returned payment ${payment} with the tag '${seen}' instead of '${tag}'`}. Nothing more is sent, because Payrun needs the tag to find a payment after a lost answer.`,
  PASS_INCOMPLETE: ({ why }) => `Payrun cannot rely on the service's list of payments: ${why}. Nothing more is sent.`,
  PAID_ELSEWHERE: ({ rows, until }) =>
    `Another ledger paid ${rows === null ? 'rows of this batch' : `${counted(rows, 'row')} of this ledger`}. ${othersWait(until)}`,
  SENT_ELSEWHERE: ({ ledger, service, lastSentAt, until }) =>
    `A ledger other than ${ledger} sent payments to ${service} with these credentials. The last of these payments was sent before ${timeWords(lastSentAt)}. ${othersWait(until)}`,
  LEDGER_RESTORED: ({ ledger, until }) =>
    `The ledger ${ledger} is older than its last payments, so it is a restored copy. ${othersWait(until)}`,
  PAID_TWICE: ({ rows: { shown, total }, command }, to) =>
    `${total === 1 ? 'A row has' : `${counted(total, 'row')} have`} two payments at the service (${rowsNamed(shown, total)}). Nothing more is sent. Ask the service to stop or return one ${total === 1 ? 'of these payments' : 'payment of each row'}. ${othersAfter(to, command)}`,
  COPIES_PAID: ({ copies: { shown, total }, command }, to) =>
    `${shown.map(copyWords).join(' ')}${total > shown.length ? ' …' : ''} Nothing more is sent. Ask the service to stop or return one of these payments. ${othersAfter(to, command)}`,
  PAYMENT_UNDONE: ({ rows: { shown, total } }) =>
    `The service reported ${counted(total, 'row')} as paid, but no longer reports ${named(total).it} as paid (${rowsNamed(shown, total)}). Nothing more is sent. Ask the service whether the money left. The result shows the new status.`,
  DEPOSIT_CHANGED: ({ changes: { shown, total }, command }, to) =>
    `The service changed the deposit details of ${counted(total, 'payment')}. ${shown.map(depositWords).join(' ')}${total > shown.length ? ' …' : ''} Deposit nothing. Ask the service through a contact that you already had. Nothing more is sent until you confirm the details${to === 'page' ? '.' : `: ${command}`}`,
  CANARY_OPEN: ({ rows, paid }) =>
    `${grouped(paid)} of the ${counted(rows, 'row')} that Payrun sent first (canaries) ${named(paid).is} paid. Nothing more is sent until all canaries are paid. After that, continue the batch.`,
  CANARY_UNPAID: ({ row, reason }) =>
    `Row ${row}, which Payrun sent first as a canary, is not paid. ${reasonWords(reason) ?? 'The ledger has no reason for it.'} Nothing more is sent. Find the cause, then send the row again, or send the other rows without it.`,
  RAIL_SHUT: ({ rows, until }) =>
    `${counted(rows, 'row')} ${rows === 1 ? 'exceeds' : 'exceed'} the amount that the rail accepts in one payment at this hour. Payrun sends ${rows === 1 ? 'this row' : 'these rows'} after ${timeWords(until)}. Continue the batch after that time.`,
  OUTSIDE_PAY_WINDOW: ({ windows, until }) =>
    `The pay window (${windowsWords(windows)}) is closed. Nothing is sent before ${timeWords(until)}. Continue the batch after that time.`,
  PAUSED: ({ batch, paused, id, reason }, to, place) => {
    const onPage =
      paused === null ? 'This pause ends at a terminal.' : 'An approver or an administrator can end the pause here.';
    const next = `To end the pause: ${commandOf({ action: 'end-pause', batch: paused, pause: id }, place)}. Then: ${commandOf(resumeOf(batch), place)}`;
    return `${paused === null ? 'All batches are' : `Batch ${batch} is`} paused (${reason}). Nothing more of ${paused === null ? `batch ${batch}` : 'the batch'} is sent, and the calls under way have ended. ${to === 'page' ? onPage : next}`;
  },
  STOPPED_BEFORE: ({ batch, by, why, command }, to) => {
    const next = to === 'page' ? '.' : `: ${command}`;
    const reason = stopWords(batch, by, why);
    if (reason !== null) return `${reason} Its unsent rows wait until a person continues the batch${next}`;
    return `Payrun stopped batch ${batch}. ${storedWords(why!, to)} Then${to === 'page' ? ' continue the batch.' : next}`;
  },
  HOUR_MISSED: ({ batch, at, command }, to) =>
    `No worker came in time for the scheduled time ${timeWords(at)} of batch ${batch}. Nothing was sent${to === 'page' ? '.' : `. To send the rows now: ${command}`}`,
  STOPPED: ({ signal, hasEnded }) =>
    `${signal ?? 'A signal'} stopped the run. Nothing more was sent${hasEnded ? ', and the calls under way have ended' : ''}.`,
};

/** Returns null if the reason is a refusal with its own words. */
function stopWords(batch: string, by: string | null, why: { readonly code: ErrorCode } | null): string | null {
  if (why === null) return `Batch ${batch} waits.`;
  if (why.code === 'STOPPED') return `${by ?? 'A person'} stopped batch ${batch}.`;
  if (why.code === 'PAUSED') return `A pause stopped batch ${batch}.`;
  return why.code === 'PROPOSAL_WAITS' ? `A plan stopped batch ${batch}.` : null;
}

const othersAfter = (to: Audience, command: string): string =>
  to === 'page' ? 'After that, say so on the page of the row.' : `To send the other rows: ${command}`;
const othersWait = (until: number): string =>
  `Payments that this ledger does not know may still be under way. Nothing more is sent before ${timeWords(until)}. Continue the batch after that time.`;
const linesOf = ({ code, facts }: Pick<PayrunError, 'code' | 'facts'>, to: Audience, place: Place): string[] => {
  const say = words[code] as (facts: unknown, ...to: [Audience, Place]) => ReturnType<RefusalWords[ErrorCode]>;
  return lines(to, ...[say(worded(facts, place, to), to, place)].flat(1)).map(visible);
};

/** Invisible characters, such as from a sheet, are printed by name. */
export const refusalWords = (refusal: Pick<PayrunError, 'code' | 'facts'>, place = noPlace): string =>
  linesOf(refusal, 'terminal', place).join('\n');

/** Returns the text of a refusal for a page: one line for each paragraph, and indented lines for a list. */
export const refusalOnPage = (refusal: Pick<PayrunError, 'code' | 'facts'>): string =>
  linesOf(refusal, 'page', noPlace).join('\n');

export const wordsOf = (error: unknown): string =>
  error instanceof PayrunError ? refusalWords(error) : faultWords(faultOf(error));

/** A trail entry shows the first line of a refusal. Further lines were for the person who ran the command. */
export const storedWords = (data: object, to: Audience): string => linesOf(data as Refusal, to, noPlace)[0] ?? '';

export const firstLineOf = (error: Failure, place: Place): string =>
  'facts' in error ? (linesOf(error, 'terminal', place)[0] ?? '') : faultWords(error.why, place);

export const failureWords = (error: Failure, place = noPlace): string =>
  'facts' in error ? refusalWords(error, place) : faultWords(error.why, place);
