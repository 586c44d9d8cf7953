/** Routes that are not in the interface: API description, health checks and metrics. They need no token. */
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { type FileAnswer, HttpRefusal } from './call.ts';
import type { Metrics } from './metrics.ts';
import { openApiOf } from './openapi.ts';
import { pageOf } from './openapi-page.ts';
import { open, type Route } from './routes.ts';

interface OperationsDeps {
  readonly store: Store;
  readonly metrics: Metrics | null;
  readonly address: () => string;
}

const title = 'Payout and remittance service';
// The interface does not show its own version (interface 9). This service's OpenAPI document has the version 1.0.0.
const version = '1.0.0';

export function withOperations(interfaceRoutes: readonly Route[], deps: OperationsDeps): readonly Route[] {
  const described = () => openApiOf(routes, { title, version, url: deps.address() });
  const routes: readonly Route[] = [
    ...interfaceRoutes,
    open('GET /openapi.json', { answer: z.record(z.string(), z.unknown()), handle: async () => described() }),
    open('GET /reference', {
      answer: 'file',
      handle: async () =>
        textAnswer(pageOf(routes, described(), title), 'text/html; charset=utf-8', {
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
          'referrer-policy': 'no-referrer',
        }),
    }),
    open('GET /health', {
      answer: z.object({ status: z.literal('ok') }),
      handle: async () => ({ status: 'ok' as const }),
    }),
    open('GET /ready', {
      answer: z.object({ status: z.literal('ready') }),
      handle: async () => {
        await deps.store.ping().catch(() => {
          throw new HttpRefusal(503, 'The database does not answer');
        });
        return { status: 'ready' as const };
      },
    }),
    ...(deps.metrics === null ? [] : [metricsRoute(deps.metrics)]),
  ];
  return routes;
}

function metricsRoute(metrics: Metrics): Route {
  return open('GET /metrics', {
    answer: 'file',
    handle: async () => {
      const { text, type } = await metrics.shown();
      return textAnswer(text, type);
    },
  });
}

function textAnswer(text: string, type: string, headers: { readonly [name: string]: string } = {}): FileAnswer {
  return { body: text, headers: { 'content-type': type, ...headers } };
}
