/** Creates service, client and ledger for one command, and closes them in reverse order. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Clock, systemClock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { folderFault, PayrunError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { given } from '../../base/words.ts';
import { type Client, openClient } from '../../client/client.ts';
import type { Note } from '../../domain/note.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import { statusesOf } from '../../domain/sending/payment.ts';
import { isPostgres, type Ledger, type LedgerPlace, openLedger, openWitness } from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { type Deps, type DoubtSettings, type Progress, usualLimits } from '../../pipeline/deps.ts';
import { policyOfConsole } from '../../pipeline/plans/policy-in-force.ts';
import type { Hints } from '../../pipeline/webhooks/receiver.ts';
import { seeing } from '../observe/observe.ts';
import { badSetting, usage } from './command-context.ts';
import type { Settings } from './config.ts';
import type { Guards } from './limits.ts';

interface PlaceOrder {
  readonly settings: Settings;
  readonly fresh?: boolean;
  readonly clock?: Clock;
}

interface AssembleOrder extends PlaceOrder {
  readonly concurrency: number;
  readonly waitMs?: number;
  readonly guards?: Guards;
  readonly stop: AbortSignal;
  /** The policy of this command. The console's policy applies if there is none. */
  readonly policy?: Deps['policy'] | null;
  readonly actor: Actor;
  readonly progress?: (step: Progress) => void;
  readonly say: (note: Note) => void;
  readonly hints?: Hints | undefined;
}

interface ServicePlace extends AsyncDisposable {
  readonly label: string;
  readonly embedded: boolean;
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
}

export async function assemble(order: AssembleOrder) {
  const { settings, clock = systemClock } = order;
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await placeFor(order));
  const ledger = opened.use(await openOwnLedger(place, settings, clock));
  const seen = seeing();
  // A stop ends a wait that has no signal of its own, even if the service asked for a long wait.
  const patience: Clock = { ...clock, sleep: (delayMs, signal) => clock.sleep(delayMs, signal ?? order.stop) };
  const client = opened.use(clientAt(place, settings, order.concurrency, patience));
  const { userId } = settings;
  const who = userId === null ? 'tenant' : `user:${userId}`;
  // The sandbox gets a new port at each start, so its identity has no address.
  const identity = `${place.embedded ? 'sandbox' : place.baseUrl}|key:${sha256(place.apiKey.reveal()).slice(0, 16)}|${who}`;
  const policy = order.policy ?? (await policyOfConsole(ledger));
  // Each service, key and user has its own witness.
  const witnessPath = join(settings.witnessFolder, `${sha256(identity).slice(0, 24)}.json`);
  const witness = place.embedded ? null : openWitness(witnessPath);
  const deps: Deps = {
    ledger,
    client,
    clock,
    service: { label: place.label, identity, embedded: place.embedded, asUser: userId !== null },
    limits: {
      concurrency: order.concurrency,
      callMs: settings.httpTimeoutMs,
      waitMs: order.waitMs ?? 0,
      firstPollMs: place.embedded ? 250 : 2000,
      probeMs: 60_000,
      doubt: doubtSettings(settings, place.embedded),
      documents: settings.documents,
      ...usualLimits,
      payees: settings.payees,
      ...order.guards,
    },
    statuses: statusesOf(settings.statusWords),
    ...given({ policy, hints: order.hints, witness }),
    ...(settings.webhook.url === null ? {} : { webhook: { ...settings.webhook, url: settings.webhook.url } }),
    stop: order.stop,
    actor: order.actor,
    progress: (step) => {
      seen?.progress(step);
      order.progress?.(step);
    },
    say: order.say,
  };
  const owned = opened.move();
  const close = async () => await owned.disposeAsync();
  return { deps, close, [Symbol.asyncDispose]: close };
}

/** Throws if a ledger would mix the sandbox and a real service: a trial payment must never make a row look paid. */
async function openOwnLedger({ embedded }: ServicePlace, settings: Settings, clock: Clock): Promise<Ledger> {
  const { place: ledgerPath, options } = ledgerPlace(settings);
  await using opened = new AsyncDisposableStack();
  const ledger = opened.use(openLedger(ledgerPath, clock, options));
  if (await holdsOthers(ledger, embedded))
    throw badSetting(
      embedded
        ? `the ledger ${ledgerPath} holds batches of a real service, and the sandbox needs a ledger of its own: leave out --ledger and PAYRUN_LEDGER`
        : `the ledger ${ledgerPath} holds batches of the sandbox; name another one with --ledger or PAYRUN_LEDGER`,
    );
  opened.move();
  return ledger;
}

/** True if the ledger has batches of a real service, for the embedded one, or batches of the sandbox, for a real one. */
const holdsOthers = async (ledger: Ledger, embedded: boolean) =>
  (await ledger.batches.list()).some(({ service }) => (service === 'sandbox') !== embedded);

/** Throws if the settings lack the service or its keys. Never uses the sandbox instead. */
export async function placeFor(order: PlaceOrder): Promise<ServicePlace> {
  const { settings } = order;
  if (settings.sandbox) return await sandboxPlace(order);
  return { ...credentialsIn(settings), embedded: false, [Symbol.asyncDispose]: async () => {} };
}

export function clientAt(
  { baseUrl, apiKey, apiSecret }: ServicePlace,
  { userId, httpTimeoutMs, names, refused, documents }: Settings,
  concurrency: number,
  clock: Clock,
): Client {
  return openClient(
    {
      baseUrl,
      apiKey,
      apiSecret,
      userId,
      concurrency,
      names,
      refused,
      timeoutMs: httpTimeoutMs,
      documentBytes: documents.maxBytes,
      ...given({ seen: seeing() }),
    },
    clock,
  );
}

const minuteMs = 60_000;

/** By default the embedded service needs no waits: no payment appears there after its caller has ended. */
export function doubtSettings({ doubt, presend, httpTimeoutMs }: Settings, embedded: boolean): DoubtSettings {
  return {
    horizonMs: doubt.horizonMs ?? (embedded ? 0 : 30 * minuteMs),
    confirmMs: doubt.confirmMs ?? (embedded ? 0 : minuteMs),
    visibleMs: doubt.visibleMs ?? (embedded ? 0 : 20_000),
    policy: doubt.policy ?? (embedded ? 'resend' : 'hold'),
    presend,
    deadlineMs: embedded ? 0 : httpTimeoutMs,
  };
}

export function credentialsIn({ baseUrl, apiKey, apiSecret }: Settings) {
  if (baseUrl !== null && apiKey !== null && apiSecret !== null) return { label: baseUrl, baseUrl, apiKey, apiSecret };
  const named = { PAYRUN_BASE_URL: baseUrl, PAYRUN_API_KEY: apiKey, PAYRUN_API_SECRET: apiSecret };
  const missing = Object.entries(named).flatMap(([name, value]) => (value === null ? [name] : []));
  throw new PayrunError('CREDENTIALS_MISSING', { missing: missing.join(', ') });
}

export function ledgerPlace({ ledgerPath, ledgerPassword, ledgerFiles }: Settings): LedgerPlace {
  if (!isPostgres(ledgerPath)) return { place: ledgerPath, options: {} };
  const password = ledgerPassword === null ? {} : { password: ledgerPassword.reveal() };
  return { place: ledgerPath, options: { files: ledgerFiles, ...password } };
}

function sandboxData({ ledgerPath, ledgerFiles, ledgerNamed }: Settings): string {
  if (isPostgres(ledgerPath)) return join(ledgerFiles, `${sha256(ledgerPath).slice(0, 16)}.sandbox`);
  return ledgerNamed ? `${ledgerPath}.sandbox` : join(dirname(ledgerPath), 'service');
}

async function sandboxPlace(order: PlaceOrder): Promise<ServicePlace> {
  const dataDir = sandboxData(order.settings);
  if (order.fresh) await beginAnew(order.settings.ledgerPath, dataDir);
  const { startService } = await import('../../service/service.ts');
  const seen = seeing();
  await using opened = new AsyncDisposableStack();
  const service = await startService({
    dataDir,
    tokensPerMinute: 0,
    documents: order.settings.documents,
    ...given({ log: seen?.served, clock: order.clock }),
  }).catch((error: unknown) => {
    if (error instanceof PayrunError) throw error;
    throw badSetting(`the sandbox's data cannot be kept in ${dataDir}: ${faultWords(folderFault(error))}`);
  });
  opened.defer(async () => await service.close());
  const { apiKey, apiSecret } = await sandboxCredentials(dataDir, () => service.tenants.add('sandbox'));
  opened.move();
  return {
    label: 'sandbox',
    embedded: true,
    baseUrl: service.url,
    apiKey: new Secret(apiKey),
    apiSecret: new Secret(apiSecret),
    [Symbol.asyncDispose]: async () => await service.close(),
  };
}

const sandboxFile = /^(?:pepper|documents|sandbox-credentials\.json|service\.(?:db|lock)(?:-wal|-shm)?)$/;

/** Deletes the sandbox's ledger and files. Throws while a run uses them, or if they hold more than trials. */
async function beginAnew(ledgerPath: string, dataDir: string): Promise<void> {
  if (isPostgres(ledgerPath))
    throw usage(
      `--fresh deletes files alone, and the ledger ${ledgerPath} is none: name another schema, or drop that one`,
    );
  try {
    mkdirSync(dirname(ledgerPath), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new PayrunError('LEDGER_UNUSABLE', { path: ledgerPath, why: folderFault(error) });
  }
  {
    await using ledger = openLedger(ledgerPath, systemClock);
    await ledger.hold();
    if (await holdsOthers(ledger, true))
      throw usage(`--fresh: the ledger ${ledgerPath} holds batches of a real service`);
    if ((await ledger.trail.entries(null, 'policy')).length + ledger.people.accounts().length > 0)
      throw usage(
        `--fresh would delete what the ledger ${ledgerPath} keeps of a policy, or of people at the console. Name another ledger with --ledger, or end the console and delete that file`,
      );
  }
  const other = existsSync(dataDir) ? readdirSync(dataDir).find((name) => !sandboxFile.test(name)) : undefined;
  if (other !== undefined)
    throw usage(
      `--fresh would delete ${join(dataDir, other)}, which is no file of the sandbox. Move it to another folder`,
    );
  for (const suffix of ['', '-wal', '-shm', '.lock', '.lock-wal', '.lock-shm'])
    rmSync(`${ledgerPath}${suffix}`, { force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

const credentialsSchema = z.object({ apiKey: z.string(), apiSecret: z.string() });
type Credentials = z.infer<typeof credentialsSchema>;

/** Creates the sandbox's tenant once, so that later runs see the same payments. */
async function sandboxCredentials(dataDir: string, add: () => Promise<Credentials>): Promise<Credentials> {
  const path = join(dataDir, 'sandbox-credentials.json');
  if (existsSync(path)) return credentialsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const made = await add();
  writeFileSync(path, JSON.stringify(made), { mode: 0o600, flag: 'wx' });
  return made;
}
