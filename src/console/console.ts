/** The web console: one server on the ledger of the command line. This is the room's door. */
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Session } from './api.ts';
import type { GiveCommand } from './command.ts';
import { readPage } from './page-files.ts';
import { forAnyone, type Route } from './route.ts';
import { buildServer } from './server.ts';

export type { CommandEnd, GiveCommand } from './command.ts';

export interface ConsoleOrder {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly command: GiveCommand;
  readonly version: string;
  /** `sandbox`, or the base URL. */
  readonly service: string;
  readonly page: string | null;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** How browsers reach it through a proxy, which speaks https with them. */
  readonly behindProxy: string | null;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly log: (words: string) => void;
}

export interface Console {
  /** As a browser reaches it. */
  readonly url: string;
  close(): Promise<void>;
}

const graceMs = 2000;

export async function startConsole(order: ConsoleOrder): Promise<Console> {
  const { host, behindProxy, tls } = order;
  let origins: readonly string[] = [];
  const server = buildServer({
    routes: consoleRoutes(order),
    page: readPage(order.page),
    origins: () => origins,
    tls,
    behindProxy: behindProxy !== null,
    secure: behindProxy !== null || tls !== null,
    whoIs: () => null,
    bearsToken: () => false,
    log: order.log,
  });
  try {
    await server.app.listen({ port: order.port, host });
  } catch (error) {
    throw new PayrunError('USAGE', { detail: `the console cannot listen on ${host}:${order.port}: ${wordsOf(error)}` });
  }
  origins = originsOf(server.app.server.address() as AddressInfo, host, order);
  return {
    url: origins[0] ?? '',
    close: () => server.close(graceMs),
  };
}

/** The table: what is not in it is not answered. */
export function consoleRoutes({ service, version }: ConsoleOrder): readonly Route[] {
  return [
    forAnyone({ method: 'GET', path: '/api/session' }, (): Session => {
      return { person: null, csrf: null, empty: true, service, version };
    }),
  ];
}

/** The names under which browsers may ask, the one that is told first. */
function originsOf({ port }: AddressInfo, host: string, { behindProxy, tls }: ConsoleOrder): readonly string[] {
  if (behindProxy !== null) return [new URL(behindProxy).origin];
  const scheme = tls === null ? 'http' : 'https';
  const named = host.includes(':') ? `[${host}]` : host;
  const names = isLoopback(host) ? [named, '127.0.0.1', 'localhost', '[::1]'] : [named];
  return [...new Set(names)].map((name) => new URL(`${scheme}://${name}:${port}`).origin);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
