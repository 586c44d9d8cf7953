/** The settings in force, as a person reads them: what each is, and who said so. Secrets are only ever set or not set. */
import { readFileSync } from 'node:fs';
import { isPostgres } from '../ledger/ledger.ts';
import type { Settings } from './config.ts';
import type { World } from './world.ts';

export interface ShownSetting {
  /** As `payrun.config.json` has it; a variable's name for what stands in no file. */
  readonly name: string;
  /** A sentence for people who do not know its name. */
  readonly means: string;
  readonly value: string;
  readonly from: string;
}

type Shown = readonly [name: string, means: string, variable: string | null, value: (settings: Settings) => unknown];

const hidden = (secret: unknown) => (secret === null ? null : 'set');

/** A list, or a table, that says nothing is not set. */
const some = <T extends object>(value: T) => (Object.keys(value).length === 0 ? null : value);

/** In the order of docs/settings.md. */
const shown: readonly Shown[] = [
  ['baseUrl', 'The payout service.', 'PAYRUN_BASE_URL', ({ baseUrl }) => baseUrl],
  [
    'userId',
    'Whose token pays: some services want that of a user.',
    'PAYRUN_USER_ID',
    ({ userId }) => userId ?? "the tenant's token",
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
    ({ ledgerPath, ledgerFiles }) => (isPostgres(ledgerPath) ? ledgerFiles : null),
  ],
  [
    'http.timeout',
    'How long one call to the service may take.',
    'PAYRUN_HTTP_TIMEOUT',
    ({ httpTimeoutMs }) => seconds(httpTimeoutMs),
  ],
  [
    'doubt.horizon',
    'How long after its call a payment in doubt may still come to light.',
    'PAYRUN_DOUBT_HORIZON',
    ({ doubt }) => seconds(doubt.horizonMs),
  ],
  [
    'doubt.confirm',
    'How far apart two looks are that prove that no such payment exists.',
    'PAYRUN_DOUBT_CONFIRM',
    ({ doubt }) => seconds(doubt.confirmMs),
  ],
  [
    'doubt.visible',
    'How long a new payment may take until the service lists it.',
    'PAYRUN_DOUBT_VISIBLE',
    ({ doubt }) => seconds(doubt.visibleMs),
  ],
  [
    'doubt.policy',
    'A row whose payment is proven absent is left to a person (hold) or sent again (resend).',
    'PAYRUN_DOUBT_POLICY',
    ({ doubt }) => doubt.policy,
  ],
  [
    'scan.presend',
    'Payments at the service are read before every run (always), or where something hints at unknown ones (suspect).',
    'PAYRUN_SCAN_PRESEND',
    ({ presend }) => presend,
  ],
  [
    'webhook.url',
    'Where the service tells what becomes of new payments.',
    'PAYRUN_WEBHOOK_URL',
    ({ webhook }) => webhook.url,
  ],
  [
    'PAYRUN_WEBHOOK_SECRET',
    'What it signs that with.',
    'PAYRUN_WEBHOOK_SECRET',
    ({ webhook }) => hidden(webhook.secret),
  ],
  [
    'controls.totals',
    'Each sheet needs control totals (require).',
    'PAYRUN_CONTROL_TOTALS',
    ({ requiresTotals }) => (requiresTotals ? 'require' : null),
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
    ({ variance }) => variance,
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
    ({ documents }) => `${documents.maxBytes} bytes`,
  ],
  [
    'requireApproval',
    'Nothing is sent without an approved plan.',
    'PAYRUN_REQUIRE_APPROVAL',
    ({ requireApproval }) => requireApproval,
  ],
  [
    'PAYRUN_POLICY',
    'The file that says how many approvals are needed.',
    'PAYRUN_POLICY',
    ({ policyPath }) => policyPath,
  ],
  [
    'notify.mail',
    'Who is told by mail.',
    'PAYRUN_NOTIFY_MAIL',
    ({ notify }) => (notify.mail.length === 0 ? null : notify.mail.join(', ')),
  ],
  ['notify.sendmail', 'The program that takes the mail.', 'PAYRUN_NOTIFY_SENDMAIL', ({ notify }) => notify.sendmail],
  [
    'notify.command',
    'The program that is given each notification.',
    'PAYRUN_NOTIFY_COMMAND',
    ({ notify }) => notify.command,
  ],
  [
    'PAYRUN_NOTIFY_WEBHOOK',
    'The chat that is given each notification.',
    'PAYRUN_NOTIFY_WEBHOOK',
    ({ notify }) => hidden(notify.webhook),
  ],
  ['caps', 'The most that may be sent, by currency.', null, ({ guards }) => some(guards.caps)],
  ['payWindow', 'Days and hours in which payments may be sent.', null, ({ guards }) => some(guards.windows)],
  [
    'rails',
    'A row above the limit of its way of paying is held, warned of, or let through (off).',
    null,
    ({ guards }) => guards.rails,
  ],
  ['breaker', 'So many refusals in a row, or doubts, stop a run by itself.', null, ({ guards }) => guards.breaker],
  ['btc.unit', 'What an amount in BTC counts where its row does not say.', null, ({ btcUnit }) => btcUnit],
  [
    'kenya.networkProvider',
    'What is sent as the network of mobile money.',
    null,
    ({ networkProvider }) => networkProvider,
  ],
  ['kenya.prompts', 'How many phones a run may ask for money at most.', null, ({ guards }) => guards.prompts],
  [
    'payments.statuses',
    'What further words of the service for a payment mean.',
    null,
    ({ statusWords }) => some(statusWords),
  ],
  ['statuses.refused', 'Further answers that count as “read, and refused”.', null, ({ refused }) => some(refused)],
];

export function settingsShown(settings: Settings, { env }: Pick<World, 'env'>): readonly ShownSetting[] {
  const file: unknown = settings.configPath === null ? {} : JSON.parse(readFileSync(settings.configPath, 'utf8'));
  return shown.map(([name, means, variable, value]) => ({
    name,
    means,
    value: words(value(settings)),
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

function seconds(ms: number | null): string | null {
  return ms === null ? null : `${ms / 1000}s`;
}

function words(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
