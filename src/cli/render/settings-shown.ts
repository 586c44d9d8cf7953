/** Lists the settings in force, with their meaning and origin. For a secret, says only whether it is set. */
import { readFileSync } from 'node:fs';
import { wordsIn } from '../../base/words.ts';
import { isPostgres } from '../../ledger/ledger.ts';
import { counted, grouped } from '../../messages/format/numbers.ts';
import { noteWords } from '../../messages/notes.ts';
import type { DoubtSettings } from '../../pipeline/deps.ts';
import { choiceNotes } from '../../sheet/sheet.ts';
import type { CommandContext } from '../compose/command-context.ts';
import type { Settings } from '../compose/config.ts';

type InForce = Omit<Settings, 'doubt'> & { readonly doubt: DoubtSettings };

const hidden = (secret: unknown) => (secret === null ? 'not set' : 'set');

const some = (value: object, otherwise: string) =>
  Object.keys(value).length === 0
    ? otherwise
    : JSON.stringify(value)
        .replaceAll(/[{}"[\]]/g, '')
        .replaceAll(/[,:]/g, '$& ');

/** The keys of `payrun.config.json` over which a variable takes precedence. */
const variableKeys: readonly string[] = wordsIn(
  'baseUrl userId ledger ledgerFiles http.timeout doubt.horizon doubt.confirm doubt.visible doubt.policy scan.presend',
  'webhook.url controls.totals controls.payees documents.kinds documents.maxSize policy notify.mail notify.sendmail notify.command',
);
const otherVariables: Readonly<Record<string, string>> = {
  'controls.totals': 'PAYRUN_CONTROL_TOTALS',
  'controls.payees': 'PAYRUN_PAYEES',
};

/** Returns `PAYRUN_LEDGER_FILES` for `ledgerFiles`. A setting without a key has its variable's name. */
function variableOf(name: string): string | undefined {
  if (!variableKeys.includes(name)) return name.startsWith('PAYRUN_') ? name : undefined;
  return otherVariables[name] ?? `PAYRUN_${name.replaceAll(/\.|(?=[A-Z])/g, '_').toUpperCase()}`;
}

const means = {
  baseUrl: 'The address of the payout service.',
  userId: 'The user whose token pays. Some services require a user’s token instead of the tenant’s token.',
  PAYRUN_API_KEY: 'The tenant’s key at the payout service.',
  PAYRUN_API_SECRET: 'The tenant’s secret at the payout service.',
  ledger: 'The ledger, with all batches and their trail.',
  ledgerFiles: 'The folder for copies of sheets, if the ledger is on Postgres.',
  'http.timeout': 'How long one call to the service may take.',
  'doubt.horizon': 'How long, after a call’s deadline, Payrun waits for the call’s payment to appear.',
  'doubt.confirm': 'The shortest time between the two list scans that prove a payment absent.',
  'doubt.visible': 'How long a new payment may take to appear in the service’s list.',
  'doubt.policy':
    'What happens to a row whose payment is proven absent: it waits for a person (hold), or Payrun sends it again (resend).',
  'scan.presend':
    'Which runs scan the service’s list before they send: each run (always), or only runs whose ledger may lack payments (suspect).',
  'webhook.url': 'The address to which the service reports changes of payments.',
  PAYRUN_WEBHOOK_SECRET: 'The secret with which the service signs webhooks.',
  'controls.totals': 'Whether Payrun refuses a sheet without control totals (require).',
  'controls.payees': 'What happens to a row whose payee’s account changed: hold, warn or off (no check).',
  'controls.variance':
    'How far a batch may differ from the last batch of its series, and whether a larger change stops the run.',
  sheet: 'Which rows to pay, if an unused column may say so.',
  'documents.kinds': 'The kinds of documents that payments may have.',
  'documents.maxSize': 'The largest size of a document.',
  policy: 'The file that names the approvers and says how many approvals a plan needs.',
  'notify.mail': 'The mail addresses for notifications.',
  'notify.sendmail': 'The program that sends the mail.',
  'notify.command': 'The program that gets each notification.',
  PAYRUN_NOTIFY_WEBHOOK: 'The chat that gets each notification.',
  caps: 'The most that Payrun may send, by currency.',
  payWindow: 'The days and hours in which Payrun may send payments.',
  rails: 'What happens to a row above its rail’s limit: hold, warn or off (no check).',
  'duplicates.window': 'For how many days after a payment Payrun holds a row that repeats the payment.',
  breaker: 'How many successive refusals, or how many doubts, stop the sending of a run.',
  'btc.unit': 'The unit of BTC amounts without an amount_unit.',
  'kenya.networkProvider': 'The mobile-money network of rows to Kenya without a network_provider.',
  'kenya.prompts': 'The most phones that a sheet may ask for money.',
  'payments.statuses': 'How Payrun reads further statuses of payments.',
  'payments.types': 'Types of payments that the service accepts besides PURCHASE.',
  'statuses.refused': 'More HTTP statuses that mean “the service read the request and refused it”.',
};

function valuesOf(settings: InForce): { readonly [N in keyof typeof means]: string } {
  return {
    baseUrl: settings.baseUrl ?? 'none: the sandbox',
    userId: settings.userId ?? 'the tenant’s token',
    PAYRUN_API_KEY: hidden(settings.apiKey),
    PAYRUN_API_SECRET: hidden(settings.apiSecret),
    ledger: settings.ledgerPath,
    ledgerFiles: isPostgres(settings.ledgerPath) ? settings.ledgerFiles : 'beside the ledger’s file',
    'http.timeout': duration(settings.httpTimeoutMs),
    'doubt.horizon': duration(settings.doubt.horizonMs),
    'doubt.confirm': duration(settings.doubt.confirmMs),
    'doubt.visible': duration(settings.doubt.visibleMs),
    'doubt.policy': settings.doubt.policy,
    'scan.presend': settings.presend,
    'webhook.url': settings.webhook.url ?? 'none: Payrun asks the service',
    PAYRUN_WEBHOOK_SECRET: hidden(settings.webhook.secret),
    'controls.totals': settings.requiresTotals ? 'require' : 'no',
    'controls.payees': settings.payees,
    'controls.variance': `${settings.variance.percent} %; a larger change ${settings.variance.stop ? 'stops the run' : 'is a warning'}`,
    sheet:
      choiceNotes(settings.choices)
        .map((note) => noteWords(note))
        .join(' ') || 'Payrun asks about each such column',
    'documents.kinds': settings.documents.kinds.join(', '),
    'documents.maxSize': `${grouped(settings.documents.maxBytes)} bytes`,
    policy: settings.policies[0] ?? 'none',
    'notify.mail': settings.notify.mail.length === 0 ? 'nobody' : settings.notify.mail.join(', '),
    'notify.sendmail': settings.notify.sendmail,
    'notify.command': settings.notify.command ?? 'none',
    PAYRUN_NOTIFY_WEBHOOK: hidden(settings.notify.webhook),
    caps: some(settings.guards.caps, 'any amount'),
    payWindow: some(settings.guards.windows, 'at any time'),
    rails: settings.guards.rails,
    'duplicates.window': counted(settings.guards.duplicatesWindow, 'day'),
    breaker: breakerWords(settings.guards.breaker),
    'btc.unit': settings.btcUnit ?? 'none: each row must have an amount_unit',
    'kenya.networkProvider': settings.networkProvider,
    'kenya.prompts': String(settings.guards.prompts ?? 'any number that the run allows'),
    'payments.statuses': some(settings.statusWords, 'none: unknown statuses are pending'),
    'payments.types': some(settings.paymentTypes, 'none'),
    'statuses.refused': some(settings.refused, 'none'),
  };
}

const breakerWords = ({ refusals, doubts }: Settings['guards']['breaker']) =>
  `${counted(refusals, 'refusal')}; ${counted(doubts.rows, 'doubt')}, and ${doubts.percent} % of the batch`;

export function settingsShown(settings: InForce, { env }: Pick<CommandContext, 'env'>) {
  const file: unknown = settings.configPath === null ? {} : JSON.parse(readFileSync(settings.configPath, 'utf8'));
  const values = valuesOf(settings);
  return (Object.keys(means) as (keyof typeof means)[]).map((name) => ({
    name,
    means: means[name],
    value: values[name],
    from: source(name),
  }));

  function source(name: string): string {
    const variable = variableOf(name);
    const said = [variable, `${variable}_FILE`].find((one) => one !== undefined && (env[one] ?? '') !== '');
    return said ?? (within(file, name) ? (settings.configPath ?? '') : 'default');
  }
}

const within = (file: unknown, name: string): boolean =>
  name.split('.').reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], file) !== undefined;

const units = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function duration(ms: number): string {
  if (ms === 0) return 'none';
  const [unit, size] = units.find(([, one]) => ms >= one && ms % one === 0) ?? ['millisecond', 1];
  return counted(ms / size, unit);
}
