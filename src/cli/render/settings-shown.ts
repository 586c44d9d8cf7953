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

/** The settings in force. Some default values differ in the sandbox. */
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

const shown: Readonly<Record<string, readonly [means: string, value: (settings: InForce) => string]>> = {
  baseUrl: ['The address of the payout service.', ({ baseUrl }) => baseUrl ?? 'none: the sandbox'],
  userId: [
    'The user whose token pays. Some services require a user’s token instead of the tenant’s token.',
    ({ userId }) => userId ?? 'the tenant’s token',
  ],
  PAYRUN_API_KEY: ['The tenant’s key at the payout service.', ({ apiKey }) => hidden(apiKey)],
  PAYRUN_API_SECRET: ['The tenant’s secret at the payout service.', ({ apiSecret }) => hidden(apiSecret)],
  ledger: ['The ledger, with all batches and their trail.', ({ ledgerPath }) => ledgerPath],
  ledgerFiles: [
    'The folder for copies of sheets, if the ledger is on Postgres.',
    ({ ledgerPath, ledgerFiles }) => (isPostgres(ledgerPath) ? ledgerFiles : 'beside the ledger’s file'),
  ],
  'http.timeout': ['How long one call to the service may take.', ({ httpTimeoutMs }) => duration(httpTimeoutMs)],
  'doubt.horizon': [
    'How long, after a call’s deadline, Payrun waits for the call’s payment to appear.',
    ({ doubt }) => duration(doubt.horizonMs),
  ],
  'doubt.confirm': [
    'The shortest time between the two list scans that prove a payment absent.',
    ({ doubt }) => duration(doubt.confirmMs),
  ],
  'doubt.visible': [
    'How long a new payment may take to appear in the service’s list.',
    ({ doubt }) => duration(doubt.visibleMs),
  ],
  'doubt.policy': [
    'What happens to a row whose payment is proven absent: it waits for a person (hold), or Payrun sends it again (resend).',
    ({ doubt }) => doubt.policy,
  ],
  'scan.presend': [
    'Which runs scan the service’s list before they send: each run (always), or only runs whose ledger may lack payments (suspect).',
    ({ presend }) => presend,
  ],
  'webhook.url': [
    'The address to which the service reports changes of payments.',
    ({ webhook }) => webhook.url ?? 'none: Payrun asks the service',
  ],
  PAYRUN_WEBHOOK_SECRET: ['The secret with which the service signs webhooks.', ({ webhook }) => hidden(webhook.secret)],
  'controls.totals': [
    'Whether Payrun refuses a sheet without control totals (require).',
    ({ requiresTotals }) => (requiresTotals ? 'require' : 'no'),
  ],
  'controls.payees': [
    'What happens to a row whose payee’s account changed: hold, warn or off (no check).',
    ({ payees }) => payees,
  ],
  'controls.variance': [
    'How far a batch may differ from the last batch of its series, and whether a larger change stops the run.',
    ({ variance }) => `${variance.percent} %; a larger change ${variance.stop ? 'stops the run' : 'is a warning'}`,
  ],
  sheet: [
    'Which rows to pay, if an unused column may say so.',
    ({ choices }) =>
      choiceNotes(choices)
        .map((note) => noteWords(note))
        .join(' ') || 'Payrun asks about each such column',
  ],
  'documents.kinds': ['The kinds of documents that payments may have.', ({ documents }) => documents.kinds.join(', ')],
  'documents.maxSize': ['The largest size of a document.', ({ documents }) => `${grouped(documents.maxBytes)} bytes`],
  policy: [
    'The file that names the approvers and says how many approvals a plan needs.',
    ({ policies }) => policies[0] ?? 'none',
  ],
  'notify.mail': [
    'The mail addresses for notifications.',
    ({ notify }) => (notify.mail.length === 0 ? 'nobody' : notify.mail.join(', ')),
  ],
  'notify.sendmail': ['The program that sends the mail.', ({ notify }) => notify.sendmail],
  'notify.command': ['The program that gets each notification.', ({ notify }) => notify.command ?? 'none'],
  PAYRUN_NOTIFY_WEBHOOK: ['The chat that gets each notification.', ({ notify }) => hidden(notify.webhook)],
  caps: ['The most that Payrun may send, by currency.', ({ guards }) => some(guards.caps, 'any amount')],
  payWindow: [
    'The days and hours in which Payrun may send payments.',
    ({ guards }) => some(guards.windows, 'at any time'),
  ],
  rails: ['What happens to a row above its rail’s limit: hold, warn or off (no check).', ({ guards }) => guards.rails],
  'duplicates.window': [
    'For how many days after a payment Payrun holds a row that repeats the payment.',
    ({ guards }) => counted(guards.duplicatesWindow, 'day'),
  ],
  breaker: [
    'How many successive refusals, or how many doubts, stop the sending of a run.',
    ({ guards }) => breakerWords(guards.breaker),
  ],
  'btc.unit': [
    'The unit of BTC amounts without an amount_unit.',
    ({ btcUnit }) => btcUnit ?? 'none: each row must have an amount_unit',
  ],
  'kenya.networkProvider': [
    'The mobile-money network of rows to Kenya without a network_provider.',
    ({ networkProvider }) => networkProvider,
  ],
  'kenya.prompts': [
    'The most phones that a sheet may ask for money.',
    ({ guards }) => String(guards.prompts ?? 'any number that the run allows'),
  ],
  'payments.statuses': [
    'How Payrun reads further statuses of payments.',
    ({ statusWords }) => some(statusWords, 'none: unknown statuses are pending'),
  ],
  'payments.types': [
    'Types of payments that the service accepts besides PURCHASE.',
    ({ paymentTypes }) => some(paymentTypes, 'none'),
  ],
  'statuses.refused': [
    'More HTTP statuses that mean “the service read the request and refused it”.',
    ({ refused }) => some(refused, 'none'),
  ],
};

const breakerWords = ({ refusals, doubts }: Settings['guards']['breaker']) =>
  `${counted(refusals, 'refusal')}; ${counted(doubts.rows, 'doubt')}, and ${doubts.percent} % of the batch`;

export function settingsShown(settings: InForce, { env }: Pick<CommandContext, 'env'>) {
  const file: unknown = settings.configPath === null ? {} : JSON.parse(readFileSync(settings.configPath, 'utf8'));
  return Object.entries(shown).map(([name, [means, value]]) => ({
    name,
    means,
    value: value(settings),
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
