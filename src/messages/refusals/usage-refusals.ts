/** The words of refusals of an option, a setting, a name or a file that a command was given. */
import { grouped } from '../../base/words.ts';
import { atTerminal } from '../audience.ts';
import type { RefusalWords } from '../passage.ts';

export const usageRefusals = {
  LEDGER_HAS_NO_BATCH: ({ ledger }) => `the ledger ${ledger} has no batch yet`,
  LEDGER_ADDRESS_UNUSABLE: ({ why }) => why,
  LEDGER_COPY_NEEDS_POSTGRES: () =>
    'a ledger is copied from a file to a Postgres, or back; a file is moved as it is, while nothing uses it',
  LEDGER_COPY_REFUSED: ({ from, to, isPostgres, why }) =>
    `${to} holds ${why}; to copy ${from}, name ${isPostgres ? 'another schema (?schema=NAME), or drop the one that is there (DROP SCHEMA … CASCADE)' : 'another file, or move the one that is there away'}`,
  WORKERS_NEED_POSTGRES: ({ ledger }) =>
    `workers share a ledger on Postgres, and ${ledger} is a file, which one process at a time sends from: name a Postgres with --ledger or PAYRUN_LEDGER (docs/how-to/workers.md)`,
  SCHEDULE_UNUSABLE: ({ cron, zone, why }) => `--cron '${cron}' --zone '${zone}': ${why}`,
  CAP_UNUSABLE: ({ cap, why }) => `--cap '${cap}': ${why}`,
  EXPECT_UNUSABLE: ({ expect, why }) => `--expect '${expect}': ${why}`,
  PAY_WINDOWS_NEVER_MEET: ({ batch, payWindow, others, command }, to) =>
    `batch ${batch} was begun with ${to === 'page' ? 'the pay window' : '--pay-window'} ${payWindow}, which never meets the one of now, ${others.join(', and ')}; hand its sheet in again with one that does${atTerminal(to, `: ${command}`)}`,
  WEBHOOKS_UNHEARD: ({ host, port, why }) => `Webhooks cannot be heard on ${host}:${port}: ${why}.`,
  ROW_UNKNOWN: ({ batch, row }) => `batch ${batch} has no row '${row}'; say its payrun_row, or its number in the sheet`,
  ROWS_AMBIGUOUS: ({ batch, list }) =>
    `'${list}' is a row of batch ${batch} and a list of its rows as well; name one row at a time`,
  ROW_NOT_UNPAID: ({ batch, row }, to) =>
    `${to === 'page' ? 'Row' : '--retry-row'} '${row}' is no unpaid row of batch ${batch}`,
  ROW_STAYS: ({ batch, row, why }) => `Row ${row} of batch ${batch} stays as it is: ${why}.`,
  PAYMENT_UNKNOWN: ({ payment }) => `no row of this ledger has payment ${payment}`,
  TEMPLATE_FORMAT_UNKNOWN: () => 'A template is written as .xlsx or .csv.',
  RESULT_FORMAT_UNKNOWN: ({ file }) => `A result is written as .csv or .xlsx, not as '${file}'.`,
  WORKBOOK_ROWS_TOO_MANY: ({ row, most }, to) =>
    `A sheet of a workbook ends at row ${grouped(most)}, and this result has a row ${grouped(row)}. Ask for CSV${atTerminal(to, ' (--format csv)')}.`,
  WORKBOOK_CELLS_TOO_MANY: (_, to) =>
    `A workbook of so many cells would unpack to more than 1 GiB, which Payrun does not read. Ask for CSV${atTerminal(to, ' (--format csv)')}.`,
  CONSOLE_BUSY: ({ ledger, holder }) =>
    `another console works on the ledger ${ledger}${holder}: use that one, or end it first`,
  CONSOLE_HAS_NO_ACCOUNTS: ({ host }) =>
    `--listen ${host} lets other machines ask, and nobody has an account yet: start the console without it, open the link that it prints, and then start it again`,
  CONSOLE_ADDRESS_UNUSABLE: ({ host, port, detail }) => `the console cannot listen on ${host}:${port}: ${detail}`,
  CONSOLE_PAGE_MISSING: ({ folder }) => `the console's page is missing from ${folder}`,
  SERVICE_DATA_BUSY: ({ folder, holder }) =>
    `Another payout service runs on the data in ${folder}${holder}. Stop it, or choose another folder with --data.`,
  SERVICE_DATA_FOREIGN: ({ folder }) =>
    `The data folder ${folder} does not belong to this database: its pepper is another. Name the folder that the other nodes use, with --data.`,
  SERVICE_DATABASE_UNUSABLE: ({ database, detail }) =>
    `The service's database at ${database} cannot be used: ${detail}.`,
  SERVICE_ADDRESS_UNUSABLE: ({ host, port, why }) => `The service cannot listen on ${host}:${port}: ${why}.`,
  BASE_PATH_INVALID: ({ path }) => `'${path}' is not a base path such as /payout/v1.`,
  PUBLIC_URL_INVALID: ({ url }) => `'${url}' is not a public address such as https://pay.example/v1.`,
  FAULT_ROUTE_UNKNOWN: ({ route, routes }) =>
    `A fault is for '${route}', which is no route of the service. There are: *, ${routes.join(', ')}.`,
  FAULT_KIND_MISPLACED: ({ kind, route, kinds, pushing }) =>
    `A fault of the kind '${kind}' does nothing for '${route}': ${kinds.join(' and ')} are for ${pushing}, and nothing else is.`,
  TENANT_NAMELESS: () => 'A tenant needs a name.',
  TENANT_UNKNOWN: ({ key }) => `No tenant has the API key ${key}.`,
  USER_UNKNOWN: ({ user }) => `No user has the userId ${user}; POST /users and GET /users name it.`,
  USER_DISABLED: ({ user }) => `The user ${user} is disabled.`,
} satisfies Partial<RefusalWords>;

export const usageCodes = Object.keys(usageRefusals) as readonly (keyof typeof usageRefusals)[];
