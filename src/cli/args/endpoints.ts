/** Defines the commands for the service's own endpoints, and the arguments of each. */
import type { Argv } from 'yargs';
import { kycDocumentTypes } from '../../wire/kyc.ts';
import type { Verb } from '../commands/service-calls.ts';
import type { Handle } from '../compose/world.ts';
import { withFields, withList, withService } from './options.ts';

const merchantFields = `Always: name and country. Beside them, by country:
  SouthAfrica  bankName, accountNumber
  Nigeria      bankName or bankCode, accountNumber
  Kenya        networkProvider=MOMO, contactNumber
  BTC          lnurl: a Lightning Address or LNURL
Countries, banks and phones may be spelt as in a sheet: country=ZA bankName=FNB.

  payrun merchants add name="Thandi Mokoena" country=ZA bankName=FNB accountNumber=62123456789`;

export function withEndpoints(cli: Argv, handle: Handle): Argv {
  const verb = (name: Verb) =>
    handle(async (args, world) => (await import('../commands/service-calls.ts')).verbs[name](args, world));
  const id = (y: Argv, name: string, describe: string) =>
    y.positional(name, { type: 'string', demandOption: true, describe });
  const user = (y: Argv) => id(y, 'user', "The user's userId");
  const merchant = (y: Argv) => id(y, 'merchant', "The merchant's id");
  const payment = (y: Argv) => id(y, 'payment', "The payment's id");
  const account = (y: Argv) => id(y, 'account', "The account's id");
  const file = (y: Argv) => id(y, 'file', 'PDF, PNG or JPEG');

  return cli
    .command(
      'tokens',
      'Print a bearer token of the service, for curl and other programs',
      (y) =>
        withService(y).option('user', {
          type: 'string',
          requiresArg: true,
          describe: "A token of this user (userId), good for 24 hours; without: the tenant's, for an hour",
        }),
      verb('tokenMint'),
    )
    .command('users', 'Users of the tenant: list, show, add, change, disable', (y) =>
      y
        .command(
          'list',
          'List users: the active ones, or with --inactive the disabled ones',
          (t) =>
            withList(withService(t)).option('inactive', {
              type: 'boolean',
              default: false,
              describe: 'List disabled users',
            }),
          verb('usersList'),
        )
        .command('show <user>', 'Show every field of a user', (t) => withService(user(t)), verb('usersShow'))
        .command(
          'add <email> <name>',
          'Create a user; where the e-mail is there already, show that user',
          (t) => withService(id(id(t, 'email', 'The e-mail address'), 'name', 'The name to show')),
          verb('usersAdd'),
        )
        .command(
          'set <user> [fields..]',
          'Change fields of a user: firstName=Ada addressCity=Lagos',
          (t) => withFields(withService(user(t))),
          verb('usersSet'),
        )
        .command(
          'disable <user>',
          'Disable a user, for good: nothing enables one again',
          (t) => withService(user(t)),
          verb('usersDisable'),
        )
        .demandCommand(1, 'users takes list, show, add, set or disable'),
    )
    .command('kyc', "Upload users' KYC documents", (y) =>
      y
        .command(
          'add <user> <file>',
          'Upload a document of a user, at most 10 MB',
          (t) =>
            withService(file(user(t))).option('type', {
              choices: kycDocumentTypes,
              requiresArg: true,
              demandOption: true,
              describe: 'What the document is',
            }),
          verb('kycAdd'),
        )
        .demandCommand(1, 'kyc takes add'),
    )
    .command('profile', "A user's own profile and mobile-money accounts; say whose with --as-user", (y) =>
      y
        .command('show', 'Show the profile and its accounts', (t) => withService(t), verb('profileShow'))
        .command(
          'set [fields..]',
          'Change fields: companyName="Obi Ltd" sector=Retail',
          (t) => withFields(withService(t)),
          verb('profileSet'),
        )
        .command(
          'add-momo <phone>',
          'Add a mobile-money account; the first becomes the default',
          (t) =>
            withService(id(t, 'phone', '+254 and nine digits')).option('label', {
              type: 'string',
              requiresArg: true,
              describe: 'A name for it',
            }),
          verb('momoAdd'),
        )
        .command(
          'set-momo <account> [fields..]',
          'Change an account: label=Shop phoneNumber=+254712345678',
          (t) => withFields(withService(account(t))),
          verb('momoSet'),
        )
        .command(
          'default-momo <account>',
          'Make an account the default: payments funded from Kenya are collected there',
          (t) => withService(account(t)),
          verb('momoDefault'),
        )
        .command(
          'remove-momo <account>',
          'Remove an account; without a default nothing is collected',
          (t) => withService(account(t)),
          verb('momoRemove'),
        )
        .demandCommand(1, 'profile takes show, set, add-momo, set-momo, default-momo or remove-momo'),
    )
    .command('merchants', 'Saved payees (payout destinations): list, show, add, change', (y) =>
      y
        .command('list', 'List the saved payees', (t) => withList(withService(t)), verb('merchantsList'))
        .command('show <merchant>', 'Show a payee', (t) => withService(merchant(t)), verb('merchantsShow'))
        .command(
          'add [fields..]',
          'Save a payee',
          (t) => withFields(withService(t)).epilogue(merchantFields),
          verb('merchantsAdd'),
        )
        .command(
          'set <merchant> [fields..]',
          'Change a payee: only the fields that are named',
          (t) => withFields(withService(merchant(t))).epilogue(merchantFields),
          verb('merchantsSet'),
        )
        .demandCommand(1, 'merchants takes list, show, add or set'),
    )
    .command('payments', 'Look at payments; they are made with run alone', (y) =>
      y
        .command(
          'list',
          'List payments, as the service orders them',
          (t) => withList(withService(t)),
          verb('paymentsList'),
        )
        .command(
          'show <payment>',
          'Show a payment and where it stands',
          (t) => withService(payment(t)),
          verb('paymentsShow'),
        )
        .demandCommand(1, 'payments takes list or show; payments are made with run'),
    )
    .command('documents', 'Supporting documents of payments: list, attach', (y) =>
      y
        .command(
          'list <payment>',
          'List the documents of a payment, with addresses to download them',
          (t) => withService(payment(t)),
          verb('documentsList'),
        )
        .command(
          'add <payment> <file>',
          'Attach a file to a payment',
          (t) => withService(file(payment(t))),
          verb('documentsAdd'),
        )
        .demandCommand(1, 'documents takes list or add'),
    );
}
