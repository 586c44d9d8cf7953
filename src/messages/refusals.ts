/** The sentences of refusals and failures: one entry for each error code. */
import { timeWords } from '../base/clock.ts';
import { FaultError, PayrunError } from '../base/errors.ts';
import type { CredentialsHint, DepositFacts, Failure, Refusal, RowOfBatch } from '../base/refusal.ts';
import { counted, grouped, visible } from '../base/words.ts';
import { type Audience, atTerminal } from './audience.ts';
import { answerWords, faultWords, worded } from './faults/fault-words.ts';
import { copyWords, leavingRefusals } from './leaving.ts';
import { commandOf } from './next-actions.ts';
import type { PlanAdvice, Reader, RefusalWords } from './passage.ts';
import { problemWords } from './problems.ts';
import { reasonWords } from './reasons.ts';
import { batchRefusals } from './refusals/batch-refusals.ts';
import { controlRefusals } from './refusals/control-refusals.ts';
import { planRefusals } from './refusals/plan-refusals.ts';
import { usageRefusals } from './refusals/usage-refusals.ts';
import { pageRefusals } from './web/page-refusals.ts';

const allOf = ([only, ...others]: readonly string[]) =>
  others.length === 0 ? `${only}` : `\n  ${[only, ...others].join('\n  ')}`;

const hints: { readonly [H in CredentialsHint]: string } = {
  'new-token-too': ', with a new token too',
  'user-unknown': ' (the user is unknown, disabled, or of another tenant; see PAYRUN_USER_ID)',
  'user-token-needed': ". This service may want a user's token: set PAYRUN_USER_ID (interface 5.7)",
};

export const rowsNamed = (shown: readonly RowOfBatch[], total: number) =>
  `${shown.map(({ batch, row }) => `${row} of batch ${batch}`).join(', ')}${total > shown.length ? ', …' : ''}`;

export const depositWords = ({ row, payment, was, now }: DepositFacts) =>
  `Row ${row}, payment ${payment}: first '${was}', now '${now}'.`;

const words: RefusalWords = {
  USAGE: ({ detail }) => detail,
  CONFIG: ({ detail }) => detail,
  CREDENTIALS_MISSING: ({ missing }, to) =>
    `No payout service is configured: ${missing} not set.${atTerminal(to, ' Set PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET, or use --sandbox for the embedded service.')}`,
  ...usageRefusals,
  FILE_UNREADABLE: ({ path, why }) => `Cannot read ${path}: ${why}.`,
  SHEET_COPY_GONE: ({ path, folder, batch, list, command }, to) =>
    `Cannot read ${path}: the copy of the sheet that batch ${batch} was paid from is gone. Nothing that was paid is lost${atTerminal(to, `: ${list} shows each row`)}.\n${atTerminal(to, '  ')}Put the folder ${folder} back from a backup, or hand in the same sheet again, which makes a new copy and sends nothing twice${to === 'page' ? '.' : `: ${command}`}`,
  MAP_UNUSABLE: ({ map, why }) => `The map ${map} cannot be used: ${allOf(why)}`,
  CORRECTIONS_UNUSABLE: ({ path, why }) => `The corrections ${path} cannot be used: ${why}`,
  FOLDER_UNWRITABLE: ({ path, why }, to) =>
    `Cannot write to ${path}: ${why}${atTerminal(to, '; choose another folder with --out')}.`,
  FOLDER_UNUSABLE: ({ path, why }) => `The folder ${path} cannot be watched: ${why}.`,
  HOT_FOLDER_REPLACED: ({ path }) =>
    `The folder ${path} cannot be watched: it is not the folder any more that was watched.`,
  HOT_FOLDER_LOCK_DAMAGED: ({ path, lock, detail }) =>
    `The folder ${path} cannot be watched: ${lock} is damaged (${detail}): while no watcher is at work, delete it.`,
  HOT_FOLDER_RECORD_UNREADABLE: ({ path, record, detail }) =>
    `The folder ${path} cannot be watched: ${record} in it does not say what was taken (${detail}); nothing is taken before a person has looked, and moved that folder away.`,
  DISK_UNWRITABLE: ({ path, why }) =>
    `${path} cannot be written: ${why}. Nothing was sent. See that its disk works and has room; the same command then goes on.`,
  COPIES_UNWRITABLE: ({ path, why }) =>
    `No copy of the sheet can be kept in ${path}: ${why}. Nothing was sent. Let the user that Payrun runs as write there; the same command then goes on.`,
  FOLDER_BUSY: ({ path, holder }) =>
    `Another watcher holds the folder ${path}${holder}. Wait for it to end; nothing was taken.`,
  SHEET_REFUSED: ({ why }) => why,
  SHEET_HAS_PROBLEMS: ({ problem }, to) =>
    `The sheet was refused: ${problem === null ? 'it has no rows to pay' : problemWords(problem, to)}`,
  PAYEES_REFUSED: ({ payees }, to) =>
    `The service did not take ${grouped(payees)} of the payees, so nothing was sent. Mend these rows, or ${to === 'page' ? 'leave them out' : 'pay the others with --skip-invalid'}.`,
  SHEET_CHANGED: ({ path }) =>
    `The sheet ${path} is not the one any more that was taken: its bytes were changed since. Nothing was sent.`,
  ...controlRefusals,
  LEDGER_BUSY: ({ path, holder }) =>
    `Another run holds the ledger ${path}${holder}. Wait for it to end; nothing was sent.`,
  LEDGER_OF_OTHER_BUILD: ({ path, other, build }, to) =>
    `The ledger ${path} was made by ${other}, and ${build} cannot read it. Nothing was sent. Finish its batches with the build that made it${atTerminal(to, ', or name a new ledger with --ledger')}.`,
  LEDGER_UNUSABLE: ({ path, why }) => `The ledger ${path} cannot be used: ${why}. Nothing was sent.`,
  PAUSED_LEDGER_WAS_COPIED: ({ home }) =>
    `The ledger that was to be paused cannot be used: by now it is ${home}, and nothing is paused. Nothing was sent.`,
  LEDGER_UNWRITABLE: ({ path, detail }) =>
    `The ledger ${path} can no longer be used: ${detail}. Nothing more is sent; what was in flight is looked for by the next run. See that its disk works and has room, and that no other program holds it, and run it again.`,
  LEDGER_DAMAGED: ({ why }) =>
    `The ledger is damaged: ${why}. Nothing more is sent. Keep the file and restore a backup.`,
  BATCH_UNKNOWN: ({ batch }, to, { place }) =>
    `The ledger has no batch ${batch}.${atTerminal(to, ` \`${commandOf({ action: 'list-batches' }, place)}\` names the ones it has.`)}`,
  ...batchRefusals,
  ...leavingRefusals,
  REPEATS_A_DOUBT: ({ row, other, batch, next }, to) =>
    `Row ${row} is like row ${other} of batch ${batch}, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled.${atTerminal(to, ` Run ${next}.`)}`,
  IDENTITY_CHANGED: ({ batch, was, now, command }, to) =>
    `Batch ${batch} was sent from as ${was}; this run is ${now}, which may not see the earlier payments. Nothing was sent. Continue with that address and key${atTerminal(to, `, or show that this one sees the payments: ${command}`)}. A new ${to === 'page' ? 'name of the batch' : '--batch name'} would pay every row again.`,
  IDENTITY_UNPROVEN: ({ batch, was, now, payment, row }) =>
    `Batch ${batch} stays with ${was}: ${now} does not show payment ${payment} of row ${row} with its tag, so it may not be the same account. Nothing was changed. Go on with the address, key and user that the batch was sent with, or ask the service why the payment is not shown.`,
  ...planRefusals,
  POLICY_NOT_FOUND: ({ path }) =>
    `No policy is found here, and payments need the approvals of the one at ${path}. Nothing was sent. Give the command in its folder, or name it with PAYRUN_POLICY or \`policy\` in payrun.config.json.`,
  POLICY_DIFFERS: ({ path, last }) =>
    `The policy ${path} is not the one that payments here need, which is at ${last}. Nothing was sent. Use that one, or change it where it is.`,
  POLICY_UNUSABLE: ({ path, why }) => `The policy ${path} cannot be used: ${allOf(why)}. Nothing was sent.`,
  KEY_UNUSABLE: ({ path, why }) => `The key ${path} cannot be used: ${why}.`,
  SERVICE_UNREACHABLE: ({ service, detail }) => `The payout service at ${service} cannot be reached: ${detail}`,
  SERVICE_ANSWER: answerWords,
  SERVICE_UNREADABLE: ({ service, count, detail }) =>
    `The payout service at ${service} left ${grouped(count)} payments in doubt, and one row sent alone as well, so nothing more is sent. The last: ${detail}`,
  REFUSED_IN_A_ROW: ({ count, detail }) =>
    `The payout service refused ${grouped(count)} payments one after another, so nothing more is sent. The last: ${detail}. Find out what they have in common before the rest goes on.`,
  SERVICE_REFUSED: ({ detail, mayBeDone }) =>
    `${detail}${mayBeDone ? '; it may have been done all the same: look before you repeat it' : ''}`,
  SERVICE_LACKS: ({ what }) => `The service has no ${what}`,
  DOCUMENTS_NOT_LISTED: ({ payment }) =>
    `The service lists no documents for payment ${payment} at a path that is known here`,
  CREDENTIALS_REFUSED: ({ detail, hint }) =>
    `The payout service refused the credentials: ${detail}${hint === null ? '' : hints[hint]}`,
  SERVICE_BUSY: ({ detail }) => `The payout service kept answering "too many requests": ${detail}`,
  TAG_LOST: ({ payment, tag, seen, seconds }) =>
    `Payment ${payment} ${seen === null ? `did not come back with its tag '${tag}' within ${seconds} s` : `came back with the tag '${seen}' instead of '${tag}'`}. Without its tag a payment cannot be found again after a lost answer, so nothing more is sent.`,
  PASS_INCOMPLETE: ({ why }) => `The service's list of payments cannot be relied on: ${why}. Nothing more is sent.`,
  PAID_ELSEWHERE: ({ rows, until }) =>
    `${rows === null ? 'Rows of this batch were paid' : `${counted(rows, 'row')} of this ledger ${rows === 1 ? 'was' : 'were'} already paid`} from elsewhere. ${othersWait(until)}`,
  SENT_ELSEWHERE: ({ ledger, service, lastSentAt, until }) =>
    `Payments were sent to ${service} with these credentials, the last before ${timeWords(lastSentAt)}, and not from the ledger ${ledger}. ${othersWait(until)}`,
  LEDGER_RESTORED: ({ ledger, until }) =>
    `The ledger ${ledger} is older than what was sent from it: it was restored from a copy. ${othersWait(until)}`,
  PAID_TWICE: ({ rows: { shown, total }, command }, to) =>
    `${total === 1 ? 'A row has' : `${counted(total, 'row')} have`} two payments at the service (${rowsNamed(shown, total)}). Nothing more is sent. Ask the service to stop or return one of each; once that is under way, ${to === 'page' ? 'say so on the page of the row, and the other rows can go on' : `${command} lets the other rows go on`}.`,
  COPIES_PAID: ({ copies: { shown, total }, command }, to) =>
    `${shown.map(copyWords).join(' ')}${total > shown.length ? ' …' : ''} Nothing more is sent. Ask the service to stop or return one of each two; once that is under way, or if both are meant, ${to === 'page' ? 'say so on the page of the row, and the other rows can go on' : `${command} lets the other rows go on`}.`,
  PAYMENT_UNDONE: ({ rows: { shown, total } }) =>
    `The service no longer says that ${counted(total, 'row')} it had paid out (${rowsNamed(shown, total)}) were paid; the result has what it says now. Nothing was sent after that. Ask the service whether the money left.`,
  DEPOSIT_CHANGED: ({ changes: { shown, total }, command }, to) =>
    `The service changed the deposit details of ${counted(total, 'payment')}. ${shown.map(depositWords).join(' ')}${total > shown.length ? ' …' : ''} Deposit nothing there, and do not take the newer ones: ask the service, by a way that you knew before. Nothing more is sent until somebody has, and says so${to === 'page' ? '.' : `: ${command}`}`,
  CANARY_OPEN: ({ rows, paid }) =>
    `Sent ahead of the others: ${counted(rows, 'row')}, of which ${paid} paid by now. Nothing more is sent before all are. The same command follows them, and goes on.`,
  CANARY_UNPAID: ({ row, reason, batch }, to) =>
    `Row ${row}, which went ahead of the others, is not paid: ${reasonWords(reason) ?? ''} Nothing more is sent. Find out why; then send it again${to === 'page' ? ', or make a new plan' : ` (payrun retry ${batch}), or let the others go without it with --canary 0, and under a plan by a new one`}.`,
  RAIL_SHUT: ({ rows, until }) =>
    `${counted(rows, 'row')} would be more than the rail takes in one payment at this hour, and not sent before ${timeWords(until)}; the same command then goes on.`,
  OUTSIDE_PAY_WINDOW: ({ window, until }) =>
    `Outside the pay window (${window}): nothing is sent before ${timeWords(until)}; the same command then goes on.`,
  PAUSED: ({ batch, reason }, to) =>
    `Batch ${batch} is paused (${reason}): nothing more of it is sent, and what was under way has ended.${atTerminal(to, ` Once it may go on: payrun pause --end, with the batch where it was paused by its name; then payrun resume ${batch}.`)}`,
  STOPPED_BEFORE: ({ batch, command }, to) =>
    `A person stopped batch ${batch}: what is left of it is not sent before somebody goes on with it.${atTerminal(to, ` To go on: ${command}.`)}`,
  STOPPED: ({ signal, hasEnded }) =>
    `Stopped by ${signal ?? 'a signal'}: nothing new was sent${hasEnded ? ', and what was in flight has ended' : ''}.`,
};

const othersWait = (until: number): string =>
  `Requests that this ledger does not know of may still be under way, so nothing more is sent before ${timeWords(until)}; the same command then looks again and goes on.`;
const said = ({ code, facts }: Pick<PayrunError, 'code' | 'facts'>, to: Audience, reader: Reader): string => {
  const sentence = words[code] as (facts: unknown, to: Audience, reader: Reader) => string;
  return sentence(worded(facts, reader.place, to), to, reader)
    .split('\n')
    .map(visible)
    .join('\n');
};

/** `place` has the flags for service and ledger. Invisible characters, such as from a sheet, are printed by name. */
export const refusalWords = (refusal: Pick<PayrunError, 'code' | 'facts'>, place = ''): string =>
  said(refusal, 'terminal', { place });

/** Returns the text of a refusal for a page: one line for each paragraph, and indented lines for a list. */
export function refusalOnPage(refusal: Pick<PayrunError, 'code' | 'facts'>, advice?: PlanAdvice): string {
  const own = (pageRefusals as Readonly<Record<string, unknown>>)[refusal.code];
  if (own === undefined) return said(refusal, 'page', { place: '', ...(advice && { advice }) });
  const sentence = (own as (facts: unknown, advice?: PlanAdvice) => string)(refusal.facts, advice);
  return sentence.split('\n').map(visible).join('\n');
}

/** Uses only the message of an error, because its other fields may hold headers and secrets. */
export const wordsOf = (error: unknown): string =>
  error instanceof PayrunError
    ? refusalWords(error)
    : error instanceof FaultError
      ? faultWords(error.fault)
      : error instanceof Error
        ? error.message
        : String(error);

/** A trail entry shows the first line of a refusal. Further lines were for the person who ran the command. */
export const storedWords = (data: object, to: Audience): string =>
  (to === 'page' ? refusalOnPage(data as Refusal) : refusalWords(data as Refusal)).split('\n')[0] ?? '';

export const failureWords = (error: Failure, place = ''): string =>
  error.code === null ? error.message : refusalWords(error, place);
