/** Defines the commands for the service's own endpoints, and the arguments of each. */
import type { Argv } from 'yargs';
import type { Verb } from '../commands/service-calls.ts';
import type { Handle } from '../compose/command-context.ts';
import { fieldsFile, inactive, kycDocument, label, list, service, token } from './options.ts';

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
  const fields = (y: Argv) =>
    y.options({ ...service, ...fieldsFile }).positional('fields', {
      type: 'string',
      array: true,
      describe: "name=value …, as the service's interface names them",
    });
  const user = (y: Argv) => id(y, 'user', "The user's userId");
  const merchant = (y: Argv) => id(y, 'merchant', "The merchant's id");
  const payment = (y: Argv) => id(y, 'payment', "The payment's id");
  const account = (y: Argv) => id(y, 'account', "The account's id");
  const file = (y: Argv) => id(y, 'file', 'PDF, PNG or JPEG');

  return cli
    .command(
      'tokens',
      'Print a bearer token of the service, for curl and other programs',
      (y) => y.options({ ...service, ...token }),
      verb('tokenMint'),
    )
    .command('users', 'Users of the tenant: list, show, add, change, disable', (y) =>
      y
        .command(
          'list',
          'List users: the active ones, or with --inactive the disabled ones',
          (t) => t.options({ ...service, ...list, ...inactive }),
          verb('usersList'),
        )
        .command('show <user>', 'Show every field of a user', (t) => user(t).options(service), verb('usersShow'))
        .command(
          'add <email> <name>',
          'Create a user; where the e-mail is there already, show that user',
          (t) => id(id(t, 'email', 'The e-mail address'), 'name', 'The name to show').options(service),
          verb('usersAdd'),
        )
        .command(
          'set <user> [fields..]',
          'Change fields of a user: firstName=Ada addressCity=Lagos',
          (t) => fields(user(t)),
          verb('usersSet'),
        )
        .command(
          'disable <user>',
          'Disable a user, for good: nothing enables one again',
          (t) => user(t).options(service),
          verb('usersDisable'),
        )
        .demandCommand(1, 'users takes list, show, add, set or disable'),
    )
    .command('kyc', "Upload users' KYC documents", (y) =>
      y
        .command(
          'add <user> <file>',
          'Upload a document of a user, at most 10 MB',
          (t) => file(user(t)).options({ ...service, ...kycDocument }),
          verb('kycAdd'),
        )
        .demandCommand(1, 'kyc takes add'),
    )
    .command('profile', "A user's own profile and mobile-money accounts; say whose with --as-user", (y) =>
      y
        .command('show', 'Show the profile and its accounts', (t) => t.options(service), verb('profileShow'))
        .command(
          'set [fields..]',
          'Change fields: companyName="Obi Ltd" sector=Retail',
          (t) => fields(t),
          verb('profileSet'),
        )
        .command(
          'add-momo <phone>',
          'Add a mobile-money account; the first becomes the default',
          (t) => id(t, 'phone', '+254 and nine digits').options({ ...service, ...label }),
          verb('momoAdd'),
        )
        .command(
          'set-momo <account> [fields..]',
          'Change an account: label=Shop phoneNumber=+254712345678',
          (t) => fields(account(t)),
          verb('momoSet'),
        )
        .command(
          'default-momo <account>',
          'Make an account the default: payments funded from Kenya are collected there',
          (t) => account(t).options(service),
          verb('momoDefault'),
        )
        .command(
          'remove-momo <account>',
          'Remove an account; without a default nothing is collected',
          (t) => account(t).options(service),
          verb('momoRemove'),
        )
        .demandCommand(1, 'profile takes show, set, add-momo, set-momo, default-momo or remove-momo'),
    )
    .command('merchants', 'Saved payees (payout destinations): list, show, add, change', (y) =>
      y
        .command('list', 'List the saved payees', (t) => t.options({ ...service, ...list }), verb('merchantsList'))
        .command('show <merchant>', 'Show a payee', (t) => merchant(t).options(service), verb('merchantsShow'))
        .command('add [fields..]', 'Save a payee', (t) => fields(t).epilogue(merchantFields), verb('merchantsAdd'))
        .command(
          'set <merchant> [fields..]',
          'Change a payee: only the fields that are named',
          (t) => fields(merchant(t)).epilogue(merchantFields),
          verb('merchantsSet'),
        )
        .demandCommand(1, 'merchants takes list, show, add or set'),
    )
    .command('payments', 'Look at payments; they are made with run alone', (y) =>
      y
        .command(
          'list',
          'List payments, as the service orders them',
          (t) => t.options({ ...service, ...list }),
          verb('paymentsList'),
        )
        .command(
          'show <payment>',
          'Show a payment and where it stands',
          (t) => payment(t).options(service),
          verb('paymentsShow'),
        )
        .demandCommand(1, 'payments takes list or show; payments are made with run'),
    )
    .command('documents', 'Supporting documents of payments: list, attach', (y) =>
      y
        .command(
          'list <payment>',
          'List the documents of a payment, with addresses to download them',
          (t) => payment(t).options(service),
          verb('documentsList'),
        )
        .command(
          'add <payment> <file>',
          'Attach a file to a payment',
          (t) => file(payment(t)).options(service),
          verb('documentsAdd'),
        )
        .demandCommand(1, 'documents takes list or add'),
    );
}
