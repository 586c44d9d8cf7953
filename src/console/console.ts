/** Starts the web console: one server on the ledger that the command line also uses. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Perform } from '../app/batch/command.ts';
import { listenFault, PayrunError } from '../base/errors.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import type { ViewSettings } from './batches/batch-views.ts';
import { type BatchOrder, openBatchDesk } from './batches/batches.ts';
import { openFewAtOnce } from './batches/few-at-once.ts';
import { openJobs } from './batches/jobs.ts';
import { openReader } from './batches/reading.ts';
import type { SheetOrder } from './drafts/sheet-records.ts';
import { openUploadDesk } from './drafts/uploads.ts';
import { readPage } from './http/page-files.ts';
import { refused } from './http/route.ts';
import { buildServer, type ServerOrder } from './http/server.ts';
import { openSessions } from './http/session.ts';
import { type SettingsDesk, settingsRoutes } from './http/settings-routes.ts';
import { openPeople, type PeopleDeps } from './people/people.ts';
import { type PeopleDesk, peopleRoutes } from './people/people-routes.ts';
import { openPolicy } from './people/policy.ts';

interface DeskOrder extends SheetOrder, BatchOrder, Pick<ViewSettings, 'doubt'> {
  /** Called for a batch whose sending the console stops when it closes. */
  readonly tell?: (batch: string | null) => void;
}

/** `service` is `sandbox`, or the base URL of the service. */
export interface ConsoleOrder
  extends Omit<DeskOrder, 'policy' | 'keys'>,
    Pick<PeopleDeps, 'stretch'>,
    Pick<PeopleDesk, 'version'>,
    Pick<SettingsDesk, 'settings' | 'serviceFault'>,
    Pick<ServerOrder, 'tls'> {
  /** The policy file of the machine, which replaces the console's policy; null for none. */
  readonly machinePolicy: string | null;
  readonly page: string | null;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly behindProxy: string | null;
}

export type Console = Awaited<ReturnType<typeof serve>>;

export async function startConsole(order: ConsoleOrder): Promise<Console> {
  const lock = order.ledger.holdConsole();
  const release = () => lock.release();
  return await serve(order, release).catch((error: unknown) => {
    release();
    throw error;
  });
}

async function serve(order: ConsoleOrder, release: () => void) {
  const { host, behindProxy, tls, ledger, clock, stretch, machinePolicy: machine } = order;
  const { people: store } = ledger;
  const secure = behindProxy !== null || tls !== null;
  const sessions = openSessions(store, clock, secure);
  const people = openPeople({ store, sessions, clock, stretch, changed: () => policy.write() });
  const policy = openPolicy({ store, people, machine, folder: join(ledger.folder, 'console') });
  if (!isLoopback(host) && people.empty()) throw new PayrunError('CONSOLE_HAS_NO_ACCOUNTS', { host });
  policy.write();
  const keys = { unlock: people.unlockKey, file: people.keyFile };
  const desk = await openDesk({ ...order, policy: () => policy.path, keys });
  let origins: readonly string[] = [];
  const linkOf = (token: string) => `${origins[0]}/join#${token}`;
  const routes = [
    ...peopleRoutes({ ...order, people, sessions, linkOf }),
    ...settingsRoutes({ ...order, people, policy }),
    ...desk.routes,
  ];
  const server = buildServer({
    routes,
    page: readPage(order.page),
    origins: () => origins,
    tls,
    behindProxy: behindProxy !== null,
    secure,
    sessions,
    log: order.log,
  });
  try {
    await server.app.listen({ port: order.port, host });
  } catch (error) {
    await desk.close();
    throw new PayrunError('CONSOLE_ADDRESS_UNUSABLE', { host, port: order.port, why: listenFault(error) });
  }
  const bound = server.app.server.address() as AddressInfo;
  const local = namesOf(bound, host, tls === null ? 'http' : 'https');
  origins = behindProxy === null ? local : [new URL(behindProxy).origin];
  const token = await people.firstLink();
  return {
    url: origins[0] ?? '',
    /** The address on which the console listens. Behind a proxy it differs from `url`. */
    local: local[0] ?? '',
    firstLink: token === null ? null : linkOf(token),
    routes,
    async close() {
      await desk.close();
      await server.close();
      release();
    },
  };
}

/** Opens the parts for sheets and batches: reader, jobs and routes. */
export async function openDesk(order: DeskOrder) {
  const { ledger, perform, doubt } = order;
  const reader = openReader({ ledger: ledger.at, doubt, duplicatesWindow: order.check.duplicatesWindow });
  const jobs = await openJobs(ledger, perform, order.tell);
  // To make a file, Payrun reads a whole batch.
  const fewAtOnce = openFewAtOnce(2, 12, () => refused(503, 'MANY_FILES', { retryAfterMs: 60_000 }));
  const uploads = openUploadDesk({ ...order, fewAtOnce }, reader, jobs);
  const forFiles: Perform = async (command, given) => await fewAtOnce(() => perform(command, given));
  const batches = openBatchDesk({ ...order, perform: forFiles }, reader, jobs, uploads);
  return {
    routes: batchRoutes(uploads, batches, reader),
    async close() {
      batches.close();
      await jobs.close();
      await uploads.close();
      await reader.close();
    },
  };
}

/** Returns the addresses that a browser may use. The printed one comes first. */
function namesOf({ port }: AddressInfo, host: string, scheme: string): readonly string[] {
  const named = host.includes(':') ? `[${host}]` : host;
  const names = isLoopback(host) ? [named, '127.0.0.1', 'localhost', '[::1]'] : [named];
  return [...new Set(names)].map((name) => new URL(`${scheme}://${name}:${port}`).origin);
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
