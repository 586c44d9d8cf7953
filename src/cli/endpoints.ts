/** The commands for the service's own endpoints, and what each takes. */
import type { Argv } from 'yargs';
import { kycDocumentTypes } from '../wire/kyc.ts';
import { verbs } from './calling.ts';
import { withFields, withList, withService } from './options.ts';
import type { Handle } from './world.ts';

export function withEndpoints(cli: Argv, handle: Handle): Argv {
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
      'A token of the service, for use elsewhere',
      (y) => withService(y).option('user', { type: 'string', requiresArg: true, describe: 'For this user, 24 hours' }),
      handle(verbs.tokenMint),
    )
    .command('users', 'Users of the service', (y) =>
      y
        .command(
          'list',
          'Active users',
          (t) =>
            withList(withService(t)).option('inactive', { type: 'boolean', default: false, describe: 'Disabled ones' }),
          handle(verbs.usersList),
        )
        .command('show <user>', 'A user', (t) => withService(user(t)), handle(verbs.usersShow))
        .command(
          'add <email> <name>',
          'A new user, or the one with this e-mail',
          (t) => withService(id(id(t, 'email', 'The e-mail address'), 'name', 'The name to show')),
          handle(verbs.usersAdd),
        )
        .command(
          'set <user> [fields..]',
          'Change fields of a user',
          (t) => withFields(withService(user(t))),
          handle(verbs.usersSet),
        )
        .command('disable <user>', 'Disable a user, for good', (t) => withService(user(t)), handle(verbs.usersDisable))
        .demandCommand(1, 'users takes list, show, add, set or disable'),
    )
    .command('kyc', 'KYC documents of users', (y) =>
      y
        .command(
          'add <user> <file>',
          'Upload a document',
          (t) =>
            withService(file(user(t))).option('type', {
              choices: kycDocumentTypes,
              requiresArg: true,
              demandOption: true,
              describe: 'What it is',
            }),
          handle(verbs.kycAdd),
        )
        .demandCommand(1, 'kyc takes add'),
    )
    .command('profile', "The profile of a token's user: --as-user ID", (y) =>
      y
        .command('show', 'The profile', (t) => withService(t), handle(verbs.profileShow))
        .command('set [fields..]', 'Change it', (t) => withFields(withService(t)), handle(verbs.profileSet))
        .command(
          'add-momo <phone>',
          'Add a mobile-money account; the first becomes the default',
          (t) =>
            withService(id(t, 'phone', '+254 and nine digits')).option('label', {
              type: 'string',
              requiresArg: true,
              describe: 'A name for it',
            }),
          handle(verbs.momoAdd),
        )
        .command(
          'set-momo <account> [fields..]',
          'Change an account',
          (t) => withFields(withService(account(t))),
          handle(verbs.momoSet),
        )
        .command(
          'default-momo <account>',
          'Make an account the default',
          (t) => withService(account(t)),
          handle(verbs.momoDefault),
        )
        .command('remove-momo <account>', 'Remove an account', (t) => withService(account(t)), handle(verbs.momoRemove))
        .demandCommand(1, 'profile takes show, set, add-momo, set-momo, default-momo or remove-momo'),
    )
    .command('merchants', 'Saved payout destinations', (y) =>
      y
        .command('list', 'All of them', (t) => withList(withService(t)), handle(verbs.merchantsList))
        .command('show <merchant>', 'One of them', (t) => withService(merchant(t)), handle(verbs.merchantsShow))
        .command('add [fields..]', 'A new one', (t) => withFields(withService(t)), handle(verbs.merchantsAdd))
        .command(
          'set <merchant> [fields..]',
          'Change one',
          (t) => withFields(withService(merchant(t))),
          handle(verbs.merchantsSet),
        )
        .demandCommand(1, 'merchants takes list, show, add or set'),
    )
    .command('payments', 'Payments, to look at: they are made with run', (y) =>
      y
        .command('list', 'All of them', (t) => withList(withService(t)), handle(verbs.paymentsList))
        .command('show <payment>', 'One of them', (t) => withService(payment(t)), handle(verbs.paymentsShow))
        .demandCommand(1, 'payments takes list or show; payments are made with run'),
    )
    .command('documents', "Payments' documents", (y) =>
      y
        .command('list <payment>', 'All of a payment', (t) => withService(payment(t)), handle(verbs.documentsList))
        .command(
          'add <payment> <file>',
          'Attach a file to a payment',
          (t) => withService(file(payment(t))),
          handle(verbs.documentsAdd),
        )
        .demandCommand(1, 'documents takes list or add'),
    );
}
