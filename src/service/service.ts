/** Starts the embedded payout service, which receives payments (docs/reference/interface.md). The door of `src/service`. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { listenFault, PayrunError } from '../base/errors.ts';
import { holdFile, type Lock } from '../base/lock.ts';
import { type RailLimits, railLimits } from '../domain/calendar/rail-limit.ts';
import { type DocumentLimits, defaultDocuments } from '../domain/rows/document.ts';
import type { UserCreate } from '../wire/user.ts';
import { type FaultRule, openFaults } from './faults.ts';
import { minuteBudget } from './http/budget.ts';
import { filesIn } from './http/files.ts';
import { openKeys, type Salts } from './http/keys.ts';
import { listsOf } from './http/lists.ts';
import { openMetrics } from './http/metrics.ts';
import { withOperations } from './http/operations.ts';
import { routeTable } from './http/routes.ts';
import { openSecrets, type Secrets } from './http/secrets.ts';
import { buildServer } from './http/server.ts';
import { documentsResource } from './resources/documents.ts';
import { merchantsResource } from './resources/merchants.ts';
import { paymentsResource } from './resources/payments.ts';
import { profileResource } from './resources/profile.ts';
import type { Settle } from './resources/rails.ts';
import { reference } from './resources/reference.ts';
import { type Credentials, createTenant, type TenantDeps, tenantOfKey } from './resources/tenants.ts';
import { tokensResource } from './resources/tokens.ts';
import { createUser, usersResource, verifyUser } from './resources/users.ts';
import { openStore, type Store, type StorePlace } from './store/store.ts';
import { isHere, isLoopback } from './webhooks/address.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

export { type BookedPayment, readBooks } from './books.ts';
export { type FaultRule, faultRule } from './faults.ts';

export type { Credentials } from './resources/tenants.ts';
export type { StorePlace } from './store/store.ts';

export interface ServiceOptions extends StorePlace {
  /** Nodes with the same deployment accept each other's tokens (interface 5.5). SQLite services ignore this option. */
  readonly deployment?: string;
  readonly port?: number;
  readonly host?: string;
  readonly basePath?: string;
  /** The URL under which clients reach the service; by default the service's own address. */
  readonly publicUrl?: string;
  readonly clock?: Clock;
  readonly settle?: Settle;
  readonly faults?: readonly FaultRule[];
  /** The most tokens in a minute for each API key; 60 by default, 0 for no limit. Wrong secrets have the same limit. */
  readonly tokensPerMinute?: number;
  /** The most calls in a minute with the tokens of a tenant and its users; 0 by default, for no limit. */
  readonly requestsPerMinute?: number;
  /** The limits of a payment's amount; null for no limits. `domain/calendar/rail-limit.ts` has the defaults. */
  readonly railLimits?: RailLimits | null;
  readonly metrics?: boolean;
  /** Receives one object for each call, each webhook call and each unexpected error. */
  readonly log?: (line: object) => void;
  /** The limits of payment documents; by default the limits of KYC documents. */
  readonly documents?: DocumentLimits;
  readonly limits?: {
    readonly momoAccounts?: number;
    /** The limits of a tenant's KYC and payment documents together; by default 100,000 files and 20 GiB. */
    readonly uploads?: number;
    readonly uploadBytes?: number;
  };
}

/** Written out, so that the published types do not contain the types of the HTTP server. */
export interface Service extends Operator {
  readonly url: string;
  readonly port: number;
  /** True if only this machine can reach the service. Webhooks may then go to this machine too. */
  readonly onLoopback: boolean;
  /** Returns the calls by route (such as `POST /payments`), and the faults by kind, since the start. */
  stats(): {
    readonly requests: { readonly [route: string]: number };
    readonly faults: { readonly [kind: string]: number };
  };
  close(): Promise<void>;
}

/** The changes that only the operator makes: no HTTP call creates a tenant or verifies a user. */
export interface Operator {
  readonly tenants: {
    add(name: string): Promise<Credentials>;
    list(): Promise<readonly { id: string; name: string; apiKey: string; createdAt: number }[]>;
  };
  readonly users: {
    add(tenantApiKey: string, user: UserCreate): Promise<{ userId: string }>;
    verify(userId: string): Promise<void>;
  };
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const store = await openStore(options);
  try {
    return await serviceOn(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Locks the data folder, because two services on one SQLite folder would refuse each other's tokens. */
export function holdData(dataDir: string): Lock {
  const path = join(dataDir, 'service.lock');
  return holdFile(path, systemClock.now(), (holder, cause) => {
    return new PayrunError('SERVICE_DATA_BUSY', { folder: dataDir, holder }, { cause });
  });
}

async function serviceOn(store: Store, options: ServiceOptions): Promise<Service> {
  const { dataDir, host = '127.0.0.1', port = 0, clock = systemClock, log = () => {} } = options;
  const basePath = checkedBasePath(options.basePath ?? '');
  const publicUrl = options.publicUrl === undefined ? null : checkedPublicUrl(options.publicUrl);
  const secrets = await secretsOf(store, dataDir, clock);
  const keys = await openKeys({ clock, secrets, salts: await saltsOf(store, clock, options) });
  const lists = listsOf(secrets);
  let onLoopback = false;
  const metrics = options.metrics === true ? await openMetrics() : null;
  const webhooks = openWebhooks({
    store,
    clock,
    secrets,
    faults: () => faults,
    rules: () => ({ loopback: onLoopback }),
    metrics,
    log,
  });
  const deps = { store, clock, secrets, keys, lists };
  const payments = paymentsResource({
    ...deps,
    webhooks,
    railLimits: options.railLimits === undefined ? railLimits : options.railLimits,
    settle: options.settle ?? null,
  });
  const files = filesIn(join(dataDir, 'documents'), clock);
  await files.sweep();
  const { limits = {} } = options;
  const room = { files: limits.uploads ?? 100_000, bytes: limits.uploadBytes ?? 20 * 1024 ** 3 };
  let url = '';
  const address = () => publicUrl ?? url;
  const interfaceRoutes = routeTable({
    tokens: tokensResource({ ...deps, tokensPerMinute: options.tokensPerMinute ?? 60 }),
    users: usersResource(deps),
    profile: profileResource({ ...deps, mostMomoAccounts: limits.momoAccounts ?? 10 }),
    reference,
    merchants: merchantsResource(deps),
    payments,
    documents: documentsResource({
      ...deps,
      files,
      room,
      limits: options.documents ?? defaultDocuments,
      payments,
      address,
    }),
  });
  const routes = withOperations(interfaceRoutes, { store, metrics, address });
  const requests: Record<string, number> = Object.fromEntries(routes.map(({ name }) => [name, 0]));
  const rules = options.faults ?? [];
  const faults = openFaults({ rules, routes: Object.keys(requests), clock, rotate: () => keys.rotate() });
  const server = buildServer({
    routes,
    basePath,
    store,
    keys,
    faults,
    clock,
    log,
    metrics,
    // The interface does not show limits for calls with a token (interface 8). This service has none by default. A
    // setting limits each tenant's calls in a minute. Further calls get 429, with Retry-After in seconds.
    spend: minuteBudget(clock, options.requestsPerMinute ?? 0, 'Too many calls'),
    counted: (route) => {
      requests[route] = (requests[route] ?? 0) + 1;
    },
  });

  try {
    await server.app.listen({ host, port });
  } catch (error) {
    throw new PayrunError('SERVICE_ADDRESS_UNUSABLE', { host, port, why: listenFault(error) });
  }
  const bound = server.app.server.address() as AddressInfo;
  // `publicUrl` can name a proxy. Webhooks that other machines register through the proxy must not reach this machine.
  onLoopback = isLoopback(bound.address) && (publicUrl === null || isHere(new URL(publicUrl)));
  webhooks.start();
  url = `http://${reachable(bound.address)}:${bound.port}${basePath}`;

  async function close(): Promise<void> {
    faults.close();
    await Promise.all([server.close(), webhooks.close()]);
    await store.close();
  }
  let closed: Promise<void> | undefined;

  return {
    url,
    port: bound.port,
    onLoopback,
    ...operatorOn(deps),
    stats: () => ({ requests: { ...requests }, faults: faults.struck() }),
    close: () => (closed ??= close()),
  };
}

function operatorOn(deps: TenantDeps): Operator {
  return {
    tenants: { add: (name) => createTenant(deps, name), list: () => deps.store.tenants.list() },
    users: {
      async add(tenantApiKey, user) {
        const { row } = await createUser(deps, await tenantOfKey(deps, tenantApiKey), user);
        return { userId: row.user_id };
      },
      verify: (userId) => verifyUser(deps, userId),
    },
  };
}

/** Opens the data of a service, which may be running, for a change by the operator. */
export async function operate<T>(place: StorePlace, change: (operator: Operator) => Promise<T>): Promise<T> {
  await using store = await openStore(place);
  const secrets = await secretsOf(store, place.dataDir, systemClock);
  return await change(operatorOn({ store, secrets, clock: systemClock }));
}

/** Refuses the pepper (a secret file) of another database, because no API secret would match. */
async function secretsOf(store: Store, dataDir: string, clock: Clock): Promise<Secrets> {
  const secrets = openSecrets(dataDir, clock);
  const fingerprint = secrets.sign('pepper', [], 16);
  if ((await store.deployments.firstFingerprint(fingerprint)) === fingerprint) return secrets;
  throw new PayrunError('SERVICE_DATA_FOREIGN', { folder: dataDir });
}

/** Nodes on Postgres share their deployment's salt. On SQLite each start is a deployment, which has a new salt. */
async function saltsOf({ deployments }: Store, clock: Clock, options: ServiceOptions): Promise<Salts> {
  const { deployment = 'default', database } = options;
  const salt = clock.randomHex(32);
  if (database === undefined) await deployments.setSalt(deployment, salt);
  else await deployments.add(deployment, salt);
  return {
    current: () => deployments.saltOf(deployment),
    async renew() {
      await deployments.setSalt(deployment, clock.randomHex(32));
      return deployments.saltOf(deployment);
    },
  };
}

function checkedBasePath(basePath: string): string {
  const trimmed = basePath.replace(/\/+$/, '');
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(trimmed)) return trimmed;
  throw new PayrunError('BASE_PATH_INVALID', { path: basePath });
}

function checkedPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '')
    return text.replace(/\/+$/, '');
  throw new PayrunError('PUBLIC_URL_INVALID', { url: text });
}

function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}
