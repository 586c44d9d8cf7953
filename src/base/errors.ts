/**
 * Failures that Payrun expects in operation. One table holds all codes with their messages, in the order of a run.
 * `{placeholders}` are filled in by the code that fails.
 */
import { visible } from './words.ts';

export const errorCodes = {
  // Usage and configuration: nothing was sent.
  USAGE: '{detail}',
  CONFIG: '{detail}',
  CREDENTIALS_MISSING:
    'No payout service is configured: {missing} not set. Set PAYRUN_BASE_URL, PAYRUN_API_KEY and PAYRUN_API_SECRET, or use --sandbox for the embedded service.',
  FILE_UNREADABLE: 'Cannot read {path}: {detail}',
  MAP_UNUSABLE: 'The map {map} cannot be used: {detail}',
  CORRECTIONS_UNUSABLE: 'The corrections {path} cannot be used: {detail}',
  FOLDER_UNWRITABLE: 'Cannot write to {path}: {detail}; choose another folder with --out.',
  FOLDER_UNUSABLE: 'The folder {path} cannot be watched: {detail}.',
  DISK_UNWRITABLE:
    '{path} cannot be written: {detail}. Nothing was sent. See that its disk works and has room; the same command then goes on.',
  COPIES_UNWRITABLE:
    'No copy of the sheet can be kept in {path}: {detail}. Nothing was sent. Let the user that Payrun runs as write there; the same command then goes on.',
  FOLDER_BUSY: 'Another watcher holds the folder {path}{holder}. Wait for it to end; nothing was taken.',
  // The sheet.
  SHEET_REFUSED: '{detail}',
  SHEET_CHANGED:
    'The sheet {path} is not the one any more that was taken: its bytes were changed since. Nothing was sent.',
  TOTALS_DIFFER: '{detail}',
  OVER_CAP: '{detail}',
  VARIANCE: '{detail}',
  // The ledger.
  LEDGER_BUSY: 'Another run holds the ledger {path}{holder}. Wait for it to end; nothing was sent.',
  LEDGER_OF_OTHER_BUILD:
    'The ledger {path} was made by {other}, and {build} cannot read it. Nothing was sent. Finish its batches with the build that made it, or name a new ledger with --ledger.',
  LEDGER_UNUSABLE: 'The ledger {path} cannot be used: {detail}. Nothing was sent.',
  LEDGER_UNWRITABLE:
    'The ledger {path} can no longer be used: {detail}. Nothing more is sent; what was in flight is looked for by the next run. See that its disk works and has room, and that no other program holds it, and run it again.',
  LEDGER_DAMAGED: 'The ledger is damaged: {detail}. Nothing more is sent. Keep the file and restore a backup.',
  BATCH_UNKNOWN: 'The ledger has no batch {batch}. `payrun list{again}` names the ones it has.',
  BATCH_CHANGED: '{detail}',
  REPEATS_A_DOUBT:
    'Row {row} is like row {other} of batch {batch}, which is in doubt: it may have been paid. Nothing was sent, and no reason to pay again counts until that is settled. Run {next}.',
  CORRECTION_WAITS: '{detail}',
  SHEET_OVERTAKEN: '{detail}',
  IDENTITY_CHANGED:
    'Batch {batch} was sent from as {was}; this run is {now}, which may not see the earlier payments. Nothing was sent. Continue with that address and key, or show that this one sees the payments: {command}. A new --batch name would pay every row again.',
  IDENTITY_UNPROVEN:
    'Batch {batch} stays with {was}: {now} does not show payment {payment} of row {row} with its tag, so it may not be the same account. Nothing was changed. Go on with the address, key and user that the batch was sent with, or ask the service why the payment is not shown.',
  // The plan and its approval: nothing was sent.
  PLAN_REFUSED: '{detail}',
  APPROVAL_MISSING: '{detail}',
  POLICY_NOT_FOUND:
    'No policy is found here, and payments need the approvals of the one at {path}. Nothing was sent. Give the command in its folder, or name it with PAYRUN_POLICY or `policy` in payrun.config.json.',
  POLICY_DIFFERS:
    'The policy {path} is not the one that payments here need, which is at {last}. Nothing was sent. Use that one, or change it where it is.',
  POLICY_UNUSABLE: 'The policy {path} cannot be used: {detail}. Nothing was sent.',
  KEY_UNUSABLE: 'The key {path} cannot be used: {detail}.',
  // The service.
  SERVICE_UNREACHABLE: 'The payout service at {service} cannot be reached: {detail}',
  SERVICE_ANSWER: 'The payout service answered {what} in a way that cannot be used: {detail}',
  SERVICE_UNREADABLE:
    'The payout service at {service} left {count} payments in doubt, and one row sent alone as well, so nothing more is sent. The last: {detail}',
  REFUSED_IN_A_ROW:
    'The payout service refused {count} payments one after another, so nothing more is sent. The last: {detail}. Find out what they have in common before the rest goes on.',
  SERVICE_REFUSED: '{detail}',
  CREDENTIALS_REFUSED: 'The payout service refused the credentials: {detail}',
  SERVICE_BUSY: 'The payout service kept answering "too many requests": {detail}',
  TAG_LOST: '{detail}',
  PASS_INCOMPLETE: "The service's list of payments cannot be relied on: {detail}. Nothing more is sent.",
  OTHER_LEDGER:
    '{detail}. Requests that this ledger does not know of may still be under way, so nothing more is sent before {until}; the same command then looks again and goes on.',
  PAID_TWICE: '{detail}',
  PAYMENT_UNDONE:
    'The service no longer says that {rows} it had paid out ({named}) were paid; the result has what it says now. Nothing was sent after that. Ask the service whether the money left.',
  DEPOSIT_CHANGED:
    'The service changed the deposit details of {rows}. {shown} Deposit nothing there, and do not take the newer ones: ask the service, by a way that you knew before. Nothing more is sent until somebody has, and says so: {command}',
  CANARY_OPEN:
    'Sent ahead of the others: {rows}, of which {paid} paid by now. Nothing more is sent before all are. The same command follows them, and goes on.',
  CANARY_UNPAID:
    'Row {row}, which went ahead of the others, is not paid: {reason} Nothing more is sent. Find out why; then send it again (payrun retry {batch}), or let the others go without it with --canary 0, and under a plan by a new one.',
  RAIL_SHUT:
    '{rows} would be more than the rail takes in one payment at this hour, and not sent before {until}; the same command then goes on.',
  OUTSIDE_PAY_WINDOW:
    'Outside the pay window ({window}): nothing is sent before {until}; the same command then goes on.',
  // Stopped by a person.
  PAUSED:
    'Batch {batch} is paused ({reason}): nothing more of it is sent, and what was under way has ended. Once it may go on: payrun pause --end, with the batch where it was paused by its name; then payrun resume {batch}.',
  PLANNED_SINCE:
    'A plan that goes on with batch {batch} was made at the console meanwhile: nothing more is sent before it is known whether that has rows of it otherwise. The same command looks, and goes on.',
  STOPPED_BEFORE:
    'A person stopped batch {batch}: what is left of it is not sent before somebody goes on with it. To go on: {command}.',
  STOPPED: 'Stopped by {signal}: nothing new was sent, and what was in flight has ended.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

type Holes = Record<string, string | number>;

export class PayrunError extends Error {
  readonly code: ErrorCode;
  /** The same command fails in the same way before this time; null if the time is not known. */
  readonly until: string | null;
  constructor(code: ErrorCode, holes: Holes = {}, options?: ErrorOptions) {
    super(
      errorCodes[code].replace(/\{(\w+)\}/g, (_, hole: string) => onScreen(String(holes[hole] ?? ''))),
      options,
    );
    this.name = 'PayrunError';
    this.code = code;
    this.until = typeof holes.until === 'string' ? holes.until : null;
  }
}

const folderFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is read-only here (a unit of systemd writes to its ReadWritePaths alone)',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk has no more room for this user',
};

/** Returns why a folder cannot be written to, in the system's words if there are no plainer ones. */
export function folderWords(error: unknown): string {
  return folderFaults[(error as NodeJS.ErrnoException).code ?? ''] ?? wordsOf(error);
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
};

/** Returns why a file cannot be read, in the system's words if there are no plainer ones. */
export function fileWords(error: unknown): string {
  return fileFaults[(error as NodeJS.ErrnoException).code ?? ''] ?? wordsOf(error);
}

/** Throws if the condition is false, which is a programmer's mistake. It is safer to stop than to pay on wrong facts. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Returns the message of any thrown value. Its fields are left out, since they may hold headers and secrets. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows hidden characters by name, since values come from sheets, services and file names. Line breaks stay. */
function onScreen(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
