/** Lists the settings in force, with their meaning and origin. For a secret, says only whether it is set. */
import { readFileSync } from 'node:fs';
import { counted, grouped } from '../../base/words.ts';
import { isPostgres } from '../../ledger/ledger.ts';
import { noteWords } from '../../messages/notes.ts';
import type { DoubtSettings } from '../../pipeline/deps.ts';
import { choiceNotes } from '../../sheet/sheet.ts';
import type { Settings } from '../compose/config.ts';
import type { World } from '../compose/world.ts';

export interface ShownSetting {
  /** The key in `payrun.config.json`; for a setting without a key, the variable's name. */
  readonly name: string;
  readonly means: string;
  readonly value: string;
  readonly from: string;
}

/** The settings in force. Some default values differ in the sandbox. */
type InForce = Omit<Settings, 'doubt'> & { readonly doubt: DoubtSettings };

type Shown = readonly [name: string, means: string, variable: string | null, value: (settings: InForce) => string];

const hidden = (secret: unknown) => (secret === null ? 'not set' : 'set');

const some = (value: object, otherwise: string) =>
  Object.keys(value).length === 0
    ? otherwise
    : JSON.stringify(value)
        .replaceAll(/[{}"[\]]/g, '')
        .replaceAll(/[,:]/g, '$& ');

const shown: readonly Shown[] = [
  ['baseUrl', 'The payout service.', 'PAYRUN_BASE_URL', ({ baseUrl }) => baseUrl ?? 'none: the sandbox'],
  [
    'userId',
    'In whose name payments are made: the organisation’s own, or one user’s, where the service wants that.',
    'PAYRUN_USER_ID',
    ({ userId }) => userId ?? 'the organisation’s own',
  ],
  ['PAYRUN_API_KEY', 'The key for the payout service.', 'PAYRUN_API_KEY', ({ apiKey }) => hidden(apiKey)],
  [
    'PAYRUN_API_SECRET',
    'The secret that belongs to the key.',
    'PAYRUN_API_SECRET',
    ({ apiSecret }) => hidden(apiSecret),
  ],
  ['ledger', 'Where every batch and its trail are kept.', 'PAYRUN_LEDGER', ({ ledgerPath }) => ledgerPath],
  [
    'ledgerFiles',
    'Where copies of the sheets lie beside a ledger that is a database.',
    'PAYRUN_LEDGER_FILES',
    ({ ledgerPath, ledgerFiles }) => (isPostgres(ledgerPath) ? ledgerFiles : 'beside the ledger, which is a file'),
  ],
  [
    'http.timeout',
    'How long one call to the service may take.',
    'PAYRUN_HTTP_TIMEOUT',
    ({ httpTimeoutMs }) => duration(httpTimeoutMs),
  ],
  [
    'doubt.horizon',
    'How long after its call a payment in doubt may still come to light.',
    'PAYRUN_DOUBT_HORIZON',
    ({ doubt }) => duration(doubt.horizonMs),
  ],
  [
    'doubt.confirm',
    'How far apart two looks are that prove that no such payment exists.',
    'PAYRUN_DOUBT_CONFIRM',
    ({ doubt }) => duration(doubt.confirmMs),
  ],
  [
    'doubt.visible',
    'How long a new payment may take until the service lists it.',
    'PAYRUN_DOUBT_VISIBLE',
    ({ doubt }) => duration(doubt.visibleMs),
  ],
  [
    'doubt.policy',
    'A row whose payment is proven absent is left to a person (hold) or sent again (resend).',
    'PAYRUN_DOUBT_POLICY',
    ({ doubt }) => doubt.policy,
  ],
  [
    'scan.presend',
    'The payments that the service has are read before anything is sent: each time (always), or where something hints at ones that are not known here (suspect).',
    'PAYRUN_SCAN_PRESEND',
    ({ presend }) => presend,
  ],
  [
    'webhook.url',
    'Where the service tells what becomes of new payments.',
    'PAYRUN_WEBHOOK_URL',
    ({ webhook }) => webhook.url ?? 'nowhere: the service is asked',
  ],
  [
    'PAYRUN_WEBHOOK_SECRET',
    'The secret by which it is known that the service said so.',
    'PAYRUN_WEBHOOK_SECRET',
    ({ webhook }) => hidden(webhook.secret),
  ],
  [
    'controls.totals',
    'Each sheet needs control totals (require).',
    'PAYRUN_CONTROL_TOTALS',
    ({ requiresTotals }) => (requiresTotals ? 'require' : 'no'),
  ],
  [
    'controls.payees',
    'A row whose payee’s account changed is held, warned of, or let through (off).',
    'PAYRUN_PAYEES',
    ({ payees }) => payees,
  ],
  [
    'controls.variance',
    'How far a sheet may differ from the last of its series, and whether more stops it.',
    null,
    ({ variance }) => `${variance.percent} %; more ${variance.stop ? 'stops it' : 'is a warning'}`,
  ],
  [
    'sheet',
    'Which rows are meant, where a column that is not read says it.',
    null,
    ({ choices }) =>
      choiceNotes(choices)
        .map((note) => noteWords(note))
        .join(' ') || 'each such column is asked about',
  ],
  [
    'documents.kinds',
    'Which kinds of documents may go to payments.',
    'PAYRUN_DOCUMENTS_KINDS',
    ({ documents }) => documents.kinds.join(', '),
  ],
  [
    'documents.maxSize',
    'How large each document may be.',
    'PAYRUN_DOCUMENTS_MAX_SIZE',
    ({ documents }) => `${grouped(documents.maxBytes)} bytes`,
  ],
  [
    'policy',
    'The file that says how many approvals are needed.',
    'PAYRUN_POLICY',
    ({ policies }) => policies[0] ?? 'none',
  ],
  [
    'notify.mail',
    'Who is told by mail.',
    'PAYRUN_NOTIFY_MAIL',
    ({ notify }) => (notify.mail.length === 0 ? 'nobody' : notify.mail.join(', ')),
  ],
  ['notify.sendmail', 'The program that takes the mail.', 'PAYRUN_NOTIFY_SENDMAIL', ({ notify }) => notify.sendmail],
  [
    'notify.command',
    'The program that is given each notification.',
    'PAYRUN_NOTIFY_COMMAND',
    ({ notify }) => notify.command ?? 'none',
  ],
  [
    'PAYRUN_NOTIFY_WEBHOOK',
    'The chat that is given each notification.',
    'PAYRUN_NOTIFY_WEBHOOK',
    ({ notify }) => hidden(notify.webhook),
  ],
  ['caps', 'The most that may be sent, by currency.', null, ({ guards }) => some(guards.caps, 'any amount')],
  [
    'payWindow',
    'Days and hours in which payments may be sent.',
    null,
    ({ guards }) => some(guards.windows, 'at any time'),
  ],
  [
    'rails',
    'A row above the limit of its way of paying is held, warned of, or let through (off).',
    null,
    ({ guards }) => guards.rails,
  ],
  [
    'duplicates.window',
    'For how many days a payment holds a row with the same payee, amount and reference.',
    null,
    ({ guards }) => counted(guards.duplicatesWindow, 'day'),
  ],
  [
    'breaker',
    'So many refusals in a row, or doubts, stop a run by itself.',
    null,
    ({ guards }) => breakerWords(guards.breaker),
  ],
  [
    'btc.unit',
    'What an amount in BTC counts where its row does not say.',
    null,
    ({ btcUnit }) => btcUnit ?? 'each row says it',
  ],
  [
    'kenya.networkProvider',
    'What is sent as the network of mobile money.',
    null,
    ({ networkProvider }) => networkProvider,
  ],
  [
    'kenya.prompts',
    'How many phones a run may ask for money at most.',
    null,
    ({ guards }) => String(guards.prompts ?? 'any number that is asked for'),
  ],
  [
    'payments.statuses',
    'What further words of the service for a payment mean.',
    null,
    ({ statusWords }) => some(statusWords, 'none: every other word is open'),
  ],
  [
    'payments.types',
    'Types of payments that the service takes beside PURCHASE.',
    null,
    ({ paymentTypes }) => some(paymentTypes, 'none'),
  ],
  [
    'statuses.refused',
    'Further answers that count as “read, and refused”.',
    null,
    ({ refused }) => some(refused, 'none'),
  ],
];

const breakerWords = ({ refusals, doubts }: Settings['guards']['breaker']) =>
  `${counted(refusals, 'refusal')}; ${counted(doubts.rows, 'doubt')}, and ${doubts.percent} % of the batch`;

export function settingsShown(settings: InForce, { env }: Pick<World, 'env'>): readonly ShownSetting[] {
  const file: unknown = settings.configPath === null ? {} : JSON.parse(readFileSync(settings.configPath, 'utf8'));
  return shown.map(([name, means, variable, value]) => ({
    name,
    means,
    value: value(settings),
    from: source(name, variable),
  }));

  function source(name: string, variable: string | null): string {
    const said = [variable, `${variable}_FILE`].find((one) => one !== null && (env[one] ?? '') !== '');
    if (variable !== null && said !== undefined) return said ?? '';
    return within(file, name) ? (settings.configPath ?? '') : 'default';
  }
}

function within(file: unknown, name: string): boolean {
  let value = file;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return value !== undefined;
}

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
