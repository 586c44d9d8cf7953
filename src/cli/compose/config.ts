/** Reads settings from flags, environment, payrun.config.json and defaults. Secrets never come from flags. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { repeatedKeys } from '../../base/json.ts';
import { isSafeUrl } from '../../base/loopback.ts';
import { Secret } from '../../base/secret.ts';
import { readSmallFile } from '../../base/small-file.ts';
import { eachOf, shellWord } from '../../base/words.ts';
import { statusWordsFault } from '../../domain/sending/payment.ts';
import { isPostgres, readPostgres } from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { joined } from '../../messages/format/numbers.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { usualLimits } from '../../pipeline/deps.ts';
import { readChoices } from '../../sheet/sheet.ts';
import { readDuration } from '../args/durations-and-numbers.ts';
import { type Args, badSetting, type CommandContext, CommandMistake, flag, text, usage } from './command-context.ts';
import { listOf, readDocuments } from './document-settings.ts';
import { guardSchemas, guardSettings, section } from './limits.ts';

export const configFileName = 'payrun.config.json';
const policyFileName = 'payrun.policy.json';

const word = z.string().min(1).exactOptional();

/** A 4xx status that settings may count as a refusal. Statuses about credentials or a later retry are excluded. */
const refusal = z
  .number()
  .int()
  .min(400)
  .max(499)
  .refine((status) => ![401, 403, 408, 425, 429].includes(status), 'has a meaning of its own');

const statusWords = z.record(z.string(), z.enum(['success', 'expired'])).check((said) => {
  const fault = statusWordsFault(said.value);
  if (fault !== null) said.issues.push({ code: 'custom', message: faultWords(fault), input: said.value });
});

const paymentType = z.string().regex(/^[A-Za-z0-9 _-]{1,64}$/);

/** Refuses unknown keys, because a misspelt limit would limit nothing. No key is for a secret. */
const configSchema = z.strictObject({
  ...eachOf(word, 'baseUrl userId ledger ledgerFiles policy'),
  http: section({ timeout: word }),
  doubt: section({ horizon: word, confirm: word, visible: word, policy: z.enum(['hold', 'resend']).exactOptional() }),
  scan: section({ presend: z.enum(['always', 'suspect']).exactOptional() }),
  btc: section({ unit: z.literal('sat').exactOptional() }),
  webhook: section({ url: word }),
  names: section({ token: word, paymentId: word }),
  paths: section({ documents: word }),
  sheet: section({
    only: z.array(z.string().regex(/[^=\s][^=]*=/, 'is not COLUMN=VALUE')).exactOptional(),
    ignoreColumns: z.array(z.string().min(1)).exactOptional(),
  }),
  statuses: section({ refused: z.array(refusal).exactOptional() }),
  payments: section({ statuses: statusWords.exactOptional(), types: z.array(paymentType).exactOptional() }),
  documents: section({ kinds: z.array(z.string()).exactOptional(), maxSize: z.string().exactOptional() }),
  controls: section({
    totals: z.literal('require').exactOptional(),
    payees: z.enum(['hold', 'warn', 'off']).exactOptional(),
    variance: section({ percent: z.number().min(0).max(1000).exactOptional(), stop: z.boolean().exactOptional() }),
  }),
  ...guardSchemas,
  notify: section({ mail: z.array(z.string()).exactOptional(), sendmail: word, command: word }),
});

export type Environment = Pick<CommandContext, 'env' | 'cwd'>;

export type Settings = Readonly<ReturnType<typeof loadSettings>>;

export function loadSettings(
  { env, cwd }: Environment,
  args: Args,
  /** False for a command that only reads the ledger: a wrong service address must not stop it. */
  calls = true,
) {
  const named = nonEmpty(env.PAYRUN_CONFIG);
  const configPath = resolve(cwd, named ?? configFileName);
  if (named !== undefined && !existsSync(configPath))
    throw badSetting(`PAYRUN_CONFIG names ${configPath}, and there is no such file`);
  const file = readConfigFile(configPath);
  const sandbox = flag(args, 'sandbox');
  const namedLedger = text(args, 'ledger');
  const ledger = namedLedger ?? nonEmpty(env.PAYRUN_LEDGER);
  const files = nonEmpty(env.PAYRUN_LEDGER_FILES);
  const timeout = nonEmpty(env.PAYRUN_HTTP_TIMEOUT) ?? file.http?.timeout ?? '75s';
  const duration = (name: string, key: string, inFile: string | undefined): number | null => {
    const given = nonEmpty(env[name]) ?? inFile;
    return given === undefined ? null : readDuration(given, `${name} (${key})`);
  };
  return {
    baseUrl: calls ? readBaseUrl(nonEmpty(env.PAYRUN_BASE_URL) ?? file.baseUrl) : null,
    apiKey: readSecret(env, 'PAYRUN_API_KEY'),
    apiSecret: readSecret(env, 'PAYRUN_API_SECRET'),
    sandbox,
    /** The user whose token pays. The sandbox has no user of the settings. */
    userId: text(args, 'asUser') ?? (sandbox ? null : (nonEmpty(env.PAYRUN_USER_ID) ?? file.userId ?? null)),
    configPath: existsSync(configPath) ? configPath : null,
    configNamed: named !== undefined,
    ...(ledger !== undefined
      ? readLedger(ledger, cwd, env, namedLedger === null ? null : '--ledger')
      : file.ledger !== undefined
        ? readLedger(file.ledger, dirname(configPath), env, `ledger in ${configPath}`)
        : { ledgerPath: join(stateFolder(env), sandbox ? 'sandbox/ledger.db' : 'ledger.db'), ledgerPassword: null }),
    /** The folder for copies of sheets if the ledger is on Postgres. */
    ledgerFiles:
      files !== undefined
        ? resolve(cwd, files)
        : resolve(dirname(configPath), file.ledgerFiles ?? join(stateFolder(env), 'ledgers')),
    ledgerNamed: (ledger ?? file.ledger) !== undefined,
    /** The witnesses stay outside the ledger's folder, because that folder may be lost or restored. */
    witnessFolder: join(ownFolder(env, 'XDG_DATA_HOME', 'share'), 'witness'),
    httpTimeoutMs: readDuration(timeout, 'PAYRUN_HTTP_TIMEOUT (http.timeout)'),
    /** Null means the default, which differs between the sandbox and a real service. */
    doubt: {
      horizonMs: duration('PAYRUN_DOUBT_HORIZON', 'doubt.horizon', file.doubt?.horizon),
      confirmMs: duration('PAYRUN_DOUBT_CONFIRM', 'doubt.confirm', file.doubt?.confirm),
      visibleMs: duration('PAYRUN_DOUBT_VISIBLE', 'doubt.visible', file.doubt?.visible),
      policy: choice(env, 'PAYRUN_DOUBT_POLICY', ['hold', 'resend']) ?? file.doubt?.policy ?? null,
    },
    presend: choice(env, 'PAYRUN_SCAN_PRESEND', ['always', 'suspect']) ?? file.scan?.presend ?? 'always',
    requiresTotals: (choice(env, 'PAYRUN_CONTROL_TOTALS', ['require']) ?? file.controls?.totals ?? null) !== null,
    /** A flag may only make these limits stricter. */
    guards: guardSettings(file),
    payees: choice(env, 'PAYRUN_PAYEES', ['hold', 'warn', 'off']) ?? file.controls?.payees ?? usualLimits.payees,
    variance: { percent: 10, stop: false, ...file.controls?.variance },
    choices: readChoices(file.sheet?.only ?? [], file.sheet?.ignoreColumns ?? []) ?? [],
    btcUnit: file.btc?.unit ?? null,
    networkProvider: file.kenya?.networkProvider ?? 'MOMO',
    paymentTypes: file.payments?.types ?? [],
    webhook: {
      url: readWebhookUrl(text(args, 'webhookUrl') ?? nonEmpty(env.PAYRUN_WEBHOOK_URL) ?? file.webhook?.url),
      secret: readSecret(env, 'PAYRUN_WEBHOOK_SECRET'),
    },
    /** The policies that settings name, even without a file, and those beside the settings or in the working folder. */
    policies: policiesAt({ env, cwd }, dirname(configPath), file.policy),
    names: {
      ...file.names,
      ...(file.paths?.documents === undefined ? {} : { documentsPath: file.paths.documents }),
    },
    statusWords: file.payments?.statuses ?? {},
    documents: readDocuments(
      listOf(nonEmpty(env.PAYRUN_DOCUMENTS_KINDS)) ?? file.documents?.kinds,
      nonEmpty(env.PAYRUN_DOCUMENTS_MAX_SIZE) ?? file.documents?.maxSize,
      { kinds: 'PAYRUN_DOCUMENTS_KINDS (documents.kinds)', size: 'PAYRUN_DOCUMENTS_MAX_SIZE (documents.maxSize)' },
    ),
    notify: {
      mail: readAddresses(listOf(nonEmpty(env.PAYRUN_NOTIFY_MAIL)) ?? file.notify?.mail ?? []),
      sendmail: nonEmpty(env.PAYRUN_NOTIFY_SENDMAIL) ?? file.notify?.sendmail ?? '/usr/sbin/sendmail',
      /** A program that gets the notification as JSON on its standard input. */
      command: nonEmpty(env.PAYRUN_NOTIFY_COMMAND) ?? file.notify?.command ?? null,
      webhook: readChat(readSecret(env, 'PAYRUN_NOTIFY_WEBHOOK')),
    },
    refused: file.statuses?.refused ?? [],
  };
}

/** Refuses a password in a flag or in the settings file, where other people could read it. */
function readLedger(given: string, folder: string, env: Environment['env'], open: string | null) {
  if (!isPostgres(given)) return { ledgerPath: resolve(folder, given), ledgerPassword: null };
  const { address, password } = readPostgres(given);
  if (password !== null && open !== null)
    throw usage(`${open} holds a password: put the address into PAYRUN_LEDGER, or the password into PGPASSWORD`);
  const ledgerPassword = password === null ? readSecret(env, 'PGPASSWORD') : new Secret(password);
  return { ledgerPath: address, ledgerPassword };
}

function choice<T extends string>(env: Environment['env'], name: string, words: readonly T[]): T | null {
  const given = nonEmpty(env[name]);
  if (given === undefined) return null;
  const word = words.find((one) => one === given);
  if (word === undefined) throw badSetting(`${name} '${given}' is not ${joined(words, 'or')}`);
  return word;
}

const ownFolder = (env: Environment['env'], variable: string, usual: string) =>
  join(nonEmpty(env[variable]) ?? join(nonEmpty(env.HOME) ?? homedir(), '.local', usual), 'payrun');

export const stateFolder = (env: Environment['env']) => ownFolder(env, 'XDG_STATE_HOME', 'state');

const maxConfigBytes = 1024 * 1024;

/** True even for a link to a missing file: a policy that cannot be read must still bind. */
const lies = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function policiesAt({ env, cwd }: Environment, configFolder: string, configured: string | undefined) {
  const variable = nonEmpty(env.PAYRUN_POLICY);
  const found = [cwd, configFolder].map((folder) => resolve(folder, policyFileName)).filter(lies);
  return [
    ...(variable === undefined ? [] : [resolve(cwd, variable)]),
    ...(configured === undefined ? [] : [resolve(configFolder, configured)]),
    ...found,
  ];
}

const nearest = (name: string, folder: string): string | null => {
  const path = join(folder, name);
  if (lies(path)) return path;
  return dirname(folder) === folder ? null : nearest(name, dirname(folder));
};

export const nearestPolicy = (folder: string): string | null => nearest(policyFileName, folder);

export function foldersOf(cwd: string, file: string): readonly string[] {
  const folder = dirname(file);
  const real = existsSync(file) ? dirname(realpathSync(file)) : existsSync(folder) ? realpathSync(folder) : folder;
  return [cwd, folder, real];
}

/** Throws if settings in or above a folder would be ignored, unless PAYRUN_CONFIG names the settings. */
export function refuseUnread({ configPath, configNamed }: Settings, folders: readonly string[]): void {
  if (configNamed) return;
  for (const folder of folders) {
    const path = nearest(configFileName, folder);
    if (path === null || (configPath !== null && realpathSync(configPath) === realpathSync(path))) continue;
    throw badSetting(
      `the settings ${path} do not apply, because ${configPath === null ? 'the command was given in another folder' : `the folder of the command has ${configPath}`}. Nothing was sent. Give the command in the folder of the settings (cd ${shellWord(dirname(path))}), or choose one file: PAYRUN_CONFIG=${shellWord(path)}`,
    );
  }
}

function readConfigFile(path: string): z.infer<typeof configSchema> {
  if (!existsSync(path)) return {};
  try {
    const content = readSmallFile(path, maxConfigBytes);
    const json: unknown = JSON.parse(content);
    const [repeated] = repeatedKeys(content, json);
    if (repeated !== undefined) throw new Error(`'${repeated}' stands twice in one place`);
    return configSchema.parse(json);
  } catch (error) {
    const detail =
      error instanceof z.ZodError
        ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
        : wordsOf(error);
    throw badSetting(`${path}: ${detail}`);
  }
}

function readBaseUrl(given: string | undefined): string | null {
  if (given === undefined) return null;
  const url = readSafeUrl(given, 'PAYRUN_BASE_URL');
  if (url.search !== '') throw badSetting('PAYRUN_BASE_URL may have no query');
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

/** The webhook's path may be secret. */
const readWebhookUrl = (given: string | undefined): string | null =>
  given === undefined ? null : readSafeUrl(given, 'The webhook URL').href;

/** A user and password in a URL are refused, because other programs log them. */
function readSafeUrl(given: string, name: string): URL {
  // `localhost:8080` parses as a URL with the scheme localhost, so the text must also have `://`.
  if (!URL.canParse(given) || !/^[a-z]+:\/\//i.test(given))
    throw badSetting(
      `${name} '${given}' is not a URL; write https:// before it, or http:// where it is on this machine`,
    );
  if (!isSafeUrl(given)) throw badSetting(`${name} must begin with https:// (http:// is for this machine only)`);
  const url = new URL(given);
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw badSetting(`${name} may have no user, password or fragment`);
  return url;
}

/** Allows no leading hyphen, because the mail program would read the address as an option. */
const address = /^[\w.+!#$%&'*/=?^`{|}~][\w.+!#$%&'*/=?^`{|}~-]*@[a-z0-9.-]+$/i;

function readAddresses(mail: readonly string[]): readonly string[] {
  const to = mail.map((one) => one.trim());
  const wrong = to.find((one) => !address.test(one));
  if (wrong !== undefined) throw badSetting(`PAYRUN_NOTIFY_MAIL (notify.mail) '${wrong}' is not a mail address`);
  return to;
}

/** The address is a secret, because everybody who knows it can write in the chat. */
function readChat(webhook: Secret | null): Secret | null {
  if (webhook === null || isSafeUrl(webhook.reveal())) return webhook;
  throw badSetting('PAYRUN_NOTIFY_WEBHOOK must be a URL that begins with https:// (http:// is for this machine only)');
}

export const readPassphrase = (env: Environment['env']): Secret | null => readSecret(env, 'PAYRUN_PASSPHRASE');

/** Reads a secret from its variable, from a file that only its owner can read, or from systemd's credentials. */
function readSecret(env: Environment['env'], name: string): Secret | null {
  const direct = nonEmpty(env[name]);
  if (direct !== undefined) return new Secret(direct);
  const path = nonEmpty(env[`${name}_FILE`]);
  if (path !== undefined) return new Secret(readSecretFile(path, `${name}_FILE`, true));
  const folder = nonEmpty(env.CREDENTIALS_DIRECTORY);
  const credential = folder === undefined ? undefined : join(folder, name);
  if (credential === undefined || !existsSync(credential)) return null;
  const value = readSecretFile(credential, name, false);
  // The systemd units set an empty credential if none is needed (SetCredential).
  return value === '' ? null : new Secret(value);
}

function readSecretFile(path: string, name: string, ownerOnly: boolean): string {
  try {
    if (ownerOnly && (statSync(path).mode & 0o077) !== 0)
      throw badSetting(`${name}: ${path} can be read by others; chmod 600 it`);
    const value = readFileSync(path, 'utf8').trim();
    if (value === '' && ownerOnly) throw badSetting(`${name}: ${path} is empty`);
    return value;
  } catch (error) {
    if (error instanceof CommandMistake) throw error;
    throw badSetting(`${name}: ${wordsOf(error)}`);
  }
}

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value;
