/** Defines the commands for the service's own endpoints. */
import { kycDocumentTypes } from '../../wire/kyc.ts';
import type { Verb } from '../commands/service-calls.ts';
import { type CommandTable, optionsOf, type Run } from './command-table.ts';
import type { OptionTable } from './options.ts';
import { off, valued } from './options.ts';

const merchantFields = `Always: name and country. Beside them, by country:
  SouthAfrica  bankName, accountNumber
  Nigeria      bankName or bankCode, accountNumber
  Kenya        networkProvider=MOMO, contactNumber
  BTC          lnurl: a Lightning Address or LNURL
Countries, banks and phones may be spelt as in a sheet: country=ZA bankName=FNB.

  $0 merchants add name="Thandi Mokoena" country=ZA bankName=FNB accountNumber=62123456789`;

const all = { all: off('Read the list to its end') };
const body = { body: valued('A file with these fields as a JSON object') };
const document = { file: 'PDF, PNG or JPEG' };

function call(verb: Verb, about: string, more: OptionTable = {}) {
  const run: Run = async (args, world) => (await import('../commands/service-calls.ts')).verbs[verb](args, world);
  return { about, options: optionsOf(['service'], more), run };
}

export const endpointCommands: CommandTable = {
  tokens: call('tokenMint', 'Print a bearer token of the service, for curl and other programs', {
    user: valued("A token of this user (userId), good for 24 hours; without: the tenant's, for an hour"),
  }),
  users: {
    about: 'Users of the tenant: list, show, add, change, disable',
    below: {
      list: call('usersList', 'List users: the active ones, or with --inactive the disabled ones', {
        ...all,
        inactive: off('List disabled users'),
      }),
      'show <user>': call('usersShow', 'Show every field of a user'),
      'add <email> <name>': {
        ...call('usersAdd', 'Create a user; where the e-mail is there already, show that user'),
        positionals: { name: 'The name to show' },
      },
      'set <user> [fields..]': call('usersSet', 'Change fields of a user: firstName=Ada addressCity=Lagos', body),
      'disable <user>': call('usersDisable', 'Disable a user, for good: nothing enables one again'),
    },
  },
  kyc: {
    about: "Upload users' KYC documents",
    below: {
      'add <user> <file>': {
        ...call('kycAdd', 'Upload a document of a user, at most 10 MB', {
          type: { choices: kycDocumentTypes, requiresArg: true, demandOption: true, describe: 'What the document is' },
        }),
        positionals: document,
      },
    },
  },
  profile: {
    about: "A user's own profile and mobile-money accounts; say whose with --as-user",
    below: {
      show: call('profileShow', 'Show the profile and its accounts'),
      'set [fields..]': call('profileSet', 'Change fields: companyName="Obi Ltd" sector=Retail', body),
      'add-momo <phone>': call('momoAdd', 'Add a mobile-money account; the first becomes the default', {
        label: valued('A name for it'),
      }),
      'set-momo <account> [fields..]': call('momoSet', 'Change an account: label=Shop phoneNumber=+254712345678', body),
      'default-momo <account>': call(
        'momoDefault',
        'Make an account the default: payments funded from Kenya are collected there',
      ),
      'remove-momo <account>': call('momoRemove', 'Remove an account; without a default nothing is collected'),
    },
  },
  merchants: {
    about: 'Saved payees (payout destinations): list, show, add, change',
    below: {
      list: call('merchantsList', 'List the saved payees', all),
      'show <merchant>': call('merchantsShow', 'Show a payee'),
      'add [fields..]': { ...call('merchantsAdd', 'Save a payee', body), more: merchantFields },
      'set <merchant> [fields..]': {
        ...call('merchantsSet', 'Change a payee: only the fields that are named', body),
        more: merchantFields,
      },
    },
  },
  payments: {
    about: 'Look at payments; they are made with run alone',
    below: {
      list: call('paymentsList', 'List payments, as the service orders them', all),
      'show <payment>': call('paymentsShow', 'Show a payment and where it stands'),
    },
  },
  documents: {
    about: 'Supporting documents of payments: list, attach',
    below: {
      'list <payment>': call('documentsList', 'List the documents of a payment, with addresses to download them'),
      'add <payment> <file>': { ...call('documentsAdd', 'Attach a file to a payment'), positionals: document },
    },
  },
};
