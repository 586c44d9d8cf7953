/** Starts the web console: one server on the ledger that the command line also uses. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PayrunError } from '../base/errors.ts';
import { wordsOf } from '../messages/refusals.ts';
import type { PageMessage } from '../messages/web/messages.ts';
import type { SettingsView } from './api.ts';
import { type DeskOrder, openDesk } from './desk.ts';
import { readPage } from './http/page-files.ts';
import type { Route } from './http/route.ts';
import { buildServer } from './http/server.ts';
import { openSessions } from './http/session.ts';
import { settingsRoutes } from './http/settings-routes.ts';
import { openPeople, type PeopleDeps } from './people/people.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { openPolicy } from './people/policy.ts';

/** `service` is `sandbox`, or the base URL of the service. */
export interface ConsoleOrder extends Omit<DeskOrder, 'policy' | 'keys'>, Pick<PeopleDeps, 'stretch'> {
  readonly version: string;
  readonly serviceFault: () => Promise<PageMessage | null>;
  readonly settings: () => SettingsView['settings'];
  /** The policy file of the machine, which replaces the console's policy; null for none. */
  readonly machinePolicy: string | null;
  readonly page: string | null;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly behindProxy: string | null;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
}

export interface Console {
  readonly url: string;
  /** The address on which the console listens. Behind a proxy it differs from `url`. */
  readonly local: string;
  readonly firstLink: string | null;
  readonly routes: readonly Pick<Route, 'method' | 'path' | 'may' | 'takes'>[];
  close(): Promise<void>;
}

const graceMs = 2000;

export async function startConsole(order: ConsoleOrder): Promise<Console> {
  const lock = order.ledger.holdConsole();
  try {
    const console = await serve(order);
    return {
      ...console,
      async close() {
        await console.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function serve(order: ConsoleOrder): Promise<Console> {
  const { host, behindProxy, tls, ledger, clock } = order;
  const secure = behindProxy !== null || tls !== null;
  const sessions = openSessions(ledger.people, clock, secure);
  const people = openPeople({
    store: ledger.people,
    sessions,
    clock,
    changed: () => policy.write(),
    stretch: order.stretch,
  });
  const policy = openPolicy({
    store: ledger.people,
    people,
    folder: join(ledger.folder, 'console'),
    machine: order.machinePolicy,
  });
  if (!isLoopback(host) && people.empty()) throw new PayrunError('CONSOLE_HAS_NO_ACCOUNTS', { host });
  policy.write();
  const desk = await openDesk({
    ...order,
    policy: () => policy.path,
    keys: { unlock: people.unlockKey, file: people.keyFile },
  });
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
    throw new PayrunError('CONSOLE_ADDRESS_UNUSABLE', { host, port: order.port, detail: wordsOf(error) });
  }
  const bound = server.app.server.address() as AddressInfo;
  const local = namesOf(bound, host, tls === null ? 'http' : 'https');
  origins = behindProxy === null ? local : [new URL(behindProxy).origin];
  const token = await people.firstLink();
  return {
    url: origins[0] ?? '',
    local: local[0] ?? '',
    firstLink: token === null ? null : linkOf(token),
    routes,
    async close() {
      await desk.close();
      await server.close(graceMs);
    },
  };
}

/** Returns the addresses that a browser may use. The printed one comes first. */
function namesOf({ port }: AddressInfo, host: string, scheme: string): readonly string[] {
  const named = host.includes(':') ? `[${host}]` : host;
  const names = isLoopback(host) ? [named, '127.0.0.1', 'localhost', '[::1]'] : [named];
  return [...new Set(names)].map((name) => new URL(`${scheme}://${name}:${port}`).origin);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
