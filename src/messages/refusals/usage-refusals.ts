/** The words of refusals of an option, a setting, a name or a file that a command was given. */

import { atTerminal } from '../audience.ts';
import { windowWords } from '../format/limits.ts';
import { grouped } from '../format/numbers.ts';
import { commandOf, someRows } from '../next-actions.ts';
import type { RefusalWords } from '../passage.ts';

export const usageRefusals = {
  LEDGER_HAS_NO_BATCH: ({ ledger }) => `The ledger ${ledger} has no batch yet.`,
  LEDGER_ADDRESS_UNUSABLE: ({ why }) => `The address of the ledger cannot be used: ${why}.`,
  LEDGER_COPY_NEEDS_POSTGRES: () =>
    'Payrun copies a ledger only between a file and Postgres. Nothing was copied. To move a ledger file, end the programs that use it, and move the file.',
  COPY_MEETS_OTHER_LEDGER: ({ from, to, isPostgres }) =>
    `The ledger ${from} was not copied: ${to} holds another ledger. Name another ${isPostgres ? 'schema (?schema=NAME)' : 'file'}.`,
  COPY_MEETS_EARLIER_STATE: ({ from, to, isPostgres }) =>
    `The ledger ${from} was not copied: ${to} holds an earlier state of this ledger. Send nothing from it. Name ${isPostgres ? 'another schema (?schema=NAME), or drop the existing schema (DROP SCHEMA … CASCADE)' : 'another file, or move the existing file away'}.`,
  COPY_WENT_APART: ({ from, to }) =>
    `The ledger ${from} was not copied: ${to} holds this ledger too, and both have changed separately. End the programs that use them, continue with the one that paid last, and keep the other one unused.`,
  WORKERS_NEED_POSTGRES: ({ ledger }) =>
    `Workers and schedules need a ledger on Postgres, and ${ledger} is a file. Nothing was changed. Name a ledger on Postgres with --ledger or PAYRUN_LEDGER (docs/how-to/workers.md). To stop a run on this ledger, press Ctrl-C in its terminal.`,
  SCHEDULE_UNUSABLE: ({ cron, zone, why }) => `The schedule --cron '${cron}' --zone '${zone}' cannot be used: ${why}.`,
  CAP_UNUSABLE: ({ cap, why }) => `The cap --cap '${cap}' cannot be used: ${why}.`,
  EXPECT_UNUSABLE: ({ expect, why }) => `The control total --expect '${expect}' cannot be used: ${why}.`,
  PAY_WINDOWS_NEVER_MEET: ({ batch, payWindow, others, command }, to) =>
    `The pay window of batch ${batch} (${payWindow}) never overlaps the pay window that applies now (${others.map(windowWords).join(' and ')}). Nothing was sent. Submit the sheet again with another pay window${to === 'page' ? '.' : `: ${command}`}`,
  WEBHOOKS_UNHEARD: ({ host, port, why }) => `Payrun cannot receive webhooks on ${host}:${port}: ${why}.`,
  ROW_UNKNOWN: ({ batch, sheet, row }) =>
    `Batch ${batch} has no row '${row}'. Name the row by its payrun_row, or by its number in the newest sheet, ${sheet}.`,
  ROWS_AMBIGUOUS: ({ batch, said, readings }, to) => {
    const choices = readings.map(({ row, seen }) => `--seen ${seen} for ${someRows({ shown: [row], total: 1 })}`);
    const repeat = choices[0] ? `Repeat the command with ${choices.join(', or with ')}` : 'Name one row at a time';
    return `'${said}' can mean different rows of batch ${batch}. Nothing was done. ${to === 'page' ? 'Choose the row on the page of the batch' : repeat}.`;
  },
  ROW_NOT_UNPAID: ({ batch, row }, to) => [
    `${row === null ? 'No row of this sheet is an' : `Row '${row}' of this sheet is no`} unpaid row of batch ${batch} as it was sent.`,
    to === 'page'
      ? 'Upload a sheet to correct unpaid rows.'
      : 'To send corrected rows, plan the sheet without --retry.',
  ],
  PLAN_MOVED: () =>
    'The plan changed after you opened it, or waits no longer. Nothing was done. Read the plan of this sheet again.',
  ROW_MOVED: ({ batch, row }, to, place) =>
    to === 'page'
      ? `Row ${row} of batch ${batch} changed after you opened it. Nothing was done. Read the row again, then decide.`
      : `Row ${row} of batch ${batch} changed after the command was printed. Nothing was done. Read the row as it is now, then decide: ${commandOf({ action: 'explain-row', batch, row, named: null }, place)}`,
  BATCH_MOVED: ({ batch }, to, place) =>
    to === 'page'
      ? `The unpaid rows of batch ${batch} changed after you opened it. Nothing was sent. Read the batch again, then decide.`
      : `The rows of batch ${batch} changed after the command was printed. Nothing was done. Read the rows as they are now, then decide: ${commandOf({ action: 'list-rows', batch }, place)}`,
  PAUSE_MOVED: ({ batch }) =>
    `The pause of ${batch === null ? 'all batches' : `batch ${batch}`} began or ended after you saw it. Nothing was done. Read who paused what and why, then decide.`,
  LEAD_MOVED: ({ batch }) =>
    `Another process opened, continued, stopped or scheduled batch ${batch} first. This run sent nothing. Check the status of the batch, then decide.`,
  PAYMENT_UNKNOWN: ({ payment }) => `No row of this ledger has payment ${payment}.`,
  TEMPLATE_FORMAT_UNKNOWN: () => 'Payrun writes a template only as .xlsx or .csv.',
  RESULT_FORMAT_UNKNOWN: ({ file }) => `Payrun writes a result only as .csv or .xlsx, so '${file}' is not possible.`,
  WORKBOOK_ROWS_TOO_MANY: ({ row, most }, to) =>
    `The result needs ${grouped(row)} rows, and a sheet of a workbook has at most ${grouped(most)}. Ask for CSV${atTerminal(to, ' (--format csv)')}.`,
  WORKBOOK_CELLS_TOO_MANY: (_, to) =>
    `The result has too many cells: its workbook would unpack to more than 1 GiB. Ask for CSV${atTerminal(to, ' (--format csv)')}.`,
  CONSOLE_BUSY: ({ ledger, holder }) =>
    `Another console uses the ledger ${ledger}${holder}. Use that console, or end it first.`,
  CONSOLE_HAS_NO_ACCOUNTS: ({ host }) =>
    `--listen ${host} opens the console to other machines, but nobody has an account yet. Start the console without --listen. Create an account through the link that the console prints. Then start the console with --listen again.`,
  CONSOLE_ADDRESS_UNUSABLE: ({ host, port, why }) => `The console cannot listen on ${host}:${port}: ${why}.`,
  CONSOLE_PAGE_MISSING: ({ folder }) => `The console cannot start, because its page is missing from ${folder}.`,
  SERVICE_DATA_BUSY: ({ folder, holder }) =>
    `Another payout service uses the data folder ${folder}${holder}. Stop that service, or choose another folder with --data.`,
  SERVICE_DATA_FOREIGN: ({ folder }) =>
    `The secret (pepper) in the data folder ${folder} does not belong to this database. With --data, name the folder that the other nodes use.`,
  SERVICE_DATABASE_UNUSABLE: ({ database, why }) => `The service's database at ${database} cannot be used: ${why}.`,
  SERVICE_ADDRESS_UNUSABLE: ({ host, port, why }) => `The service cannot listen on ${host}:${port}: ${why}.`,
  BASE_PATH_INVALID: ({ path }) => `'${path}' is not a base path. Write a path such as /payout/v1.`,
  PUBLIC_URL_INVALID: ({ url }) => `'${url}' is not a public address. Write an address such as https://pay.example/v1.`,
  FAULT_ROUTE_UNKNOWN: ({ route, routes }) =>
    `A fault names '${route}', which is not a route of the service. The routes are *, ${routes.join(', ')}.`,
  FAULT_KIND_MISPLACED: ({ kind, route, kinds, pushing }) =>
    `A fault of the kind '${kind}' has no effect on '${route}'. Only ${pushing} has the kinds ${kinds.join(' and ')}, and ${pushing} has no other kinds.`,
  TENANT_NAMELESS: () => 'A tenant needs a name.',
  TENANT_UNKNOWN: ({ key }) => `No tenant has the API key ${key}.`,
  USER_UNKNOWN: ({ user }) => `No user has the userId ${user}. GET /users lists the userId of each user.`,
  USER_DISABLED: ({ user }) => `The user ${user} is disabled.`,
} satisfies Partial<RefusalWords>;
