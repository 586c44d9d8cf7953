/** The settings in force, as a person reads them: what each is, and who said so. Secrets are only ever set or not set. */
import { readFileSync } from 'node:fs';
import { isPostgres } from '../ledger/ledger.ts';
import type { Settings } from './config.ts';
import type { World } from './world.ts';

export interface ShownSetting {
  /** As `payrun.config.json` has it; a variable's name for what stands in no file. */
  readonly name: string;
  readonly value: string;
  readonly from: string;
}

type Shown = readonly [name: string, variable: string | null, value: (settings: Settings) => unknown];

/** In the order of docs/settings.md. */
const shown: readonly Shown[] = [
  ['baseUrl', 'PAYRUN_BASE_URL', ({ baseUrl }) => baseUrl],
  ['userId', 'PAYRUN_USER_ID', ({ userId }) => userId ?? "the tenant's token"],
  ['PAYRUN_API_KEY', 'PAYRUN_API_KEY', ({ apiKey }) => (apiKey === null ? 'not set' : 'set')],
  ['PAYRUN_API_SECRET', 'PAYRUN_API_SECRET', ({ apiSecret }) => (apiSecret === null ? 'not set' : 'set')],
  ['ledger', 'PAYRUN_LEDGER', ({ ledgerPath }) => ledgerPath],
  [
    'ledgerFiles',
    'PAYRUN_LEDGER_FILES',
    ({ ledgerPath, ledgerFiles }) => (isPostgres(ledgerPath) ? ledgerFiles : null),
  ],
  ['http.timeout', 'PAYRUN_HTTP_TIMEOUT', ({ httpTimeoutMs }) => seconds(httpTimeoutMs)],
  ['doubt.horizon', 'PAYRUN_DOUBT_HORIZON', ({ doubt }) => seconds(doubt.horizonMs)],
  ['doubt.confirm', 'PAYRUN_DOUBT_CONFIRM', ({ doubt }) => seconds(doubt.confirmMs)],
  ['doubt.visible', 'PAYRUN_DOUBT_VISIBLE', ({ doubt }) => seconds(doubt.visibleMs)],
  ['doubt.policy', 'PAYRUN_DOUBT_POLICY', ({ doubt }) => doubt.policy],
  ['scan.presend', 'PAYRUN_SCAN_PRESEND', ({ presend }) => presend],
  ['webhook.url', 'PAYRUN_WEBHOOK_URL', ({ webhook }) => webhook.url],
  ['PAYRUN_WEBHOOK_SECRET', 'PAYRUN_WEBHOOK_SECRET', ({ webhook }) => (webhook.secret === null ? 'not set' : 'set')],
  ['controls.totals', 'PAYRUN_CONTROL_TOTALS', ({ requiresTotals }) => (requiresTotals ? 'require' : null)],
  ['controls.payees', 'PAYRUN_PAYEES', ({ payees }) => payees],
  ['controls.variance', null, ({ variance }) => variance],
  ['documents.kinds', 'PAYRUN_DOCUMENTS_KINDS', ({ documents }) => documents.kinds.join(', ')],
  ['documents.maxSize', 'PAYRUN_DOCUMENTS_MAX_SIZE', ({ documents }) => `${documents.maxBytes} bytes`],
  ['requireApproval', 'PAYRUN_REQUIRE_APPROVAL', ({ requireApproval }) => requireApproval],
  ['PAYRUN_POLICY', 'PAYRUN_POLICY', ({ policyPath }) => policyPath],
  ['notify.mail', 'PAYRUN_NOTIFY_MAIL', ({ notify }) => (notify.mail.length === 0 ? null : notify.mail.join(', '))],
  ['notify.sendmail', 'PAYRUN_NOTIFY_SENDMAIL', ({ notify }) => notify.sendmail],
  ['notify.command', 'PAYRUN_NOTIFY_COMMAND', ({ notify }) => notify.command],
  ['PAYRUN_NOTIFY_WEBHOOK', 'PAYRUN_NOTIFY_WEBHOOK', ({ notify }) => (notify.webhook === null ? 'not set' : 'set')],
  ['caps', null, ({ guards }) => (Object.keys(guards.caps).length === 0 ? null : guards.caps)],
  ['payWindow', null, ({ guards }) => (guards.windows.length === 0 ? null : guards.windows)],
  ['rails', null, ({ guards }) => guards.rails],
  ['breaker', null, ({ guards }) => guards.breaker],
  ['btc.unit', null, ({ btcUnit }) => btcUnit],
  ['kenya.networkProvider', null, ({ networkProvider }) => networkProvider],
  ['kenya.prompts', null, ({ guards }) => guards.prompts],
  ['payments.statuses', null, ({ statusWords }) => (Object.keys(statusWords).length === 0 ? null : statusWords)],
  ['statuses.refused', null, ({ refused }) => (refused.length === 0 ? null : refused)],
];

export function settingsShown(settings: Settings, { env }: Pick<World, 'env'>): readonly ShownSetting[] {
  const file: unknown = settings.configPath === null ? {} : JSON.parse(readFileSync(settings.configPath, 'utf8'));
  return shown.map(([name, variable, value]) => ({
    name,
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
