/** Metrics for Prometheus: calls by route and status, and webhook calls by outcome. */
import type { Delivered } from '../webhooks/delivery.ts';

export type Metrics = Awaited<ReturnType<typeof openMetrics>>;

/** Loads `prom-client` only here, because a service without metrics does not need the library. */
export async function openMetrics() {
  const { Counter, collectDefaultMetrics, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'payrun_service_call_seconds',
    help: 'Calls by route and status, and how long they took',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'payrun_service_webhook_calls_total',
    help: "Calls to payments' webhookUrl: taken, refused with a status, or unanswered",
    labelNames: ['outcome'],
    registers: [registry],
  });
  return {
    /** `status` is null if a fault took over the connection. */
    answered: (route: string, status: number | null, seconds: number) =>
      calls.observe({ route, status: status ?? 'none' }, seconds),
    pushed({ done, status }: Delivered): void {
      webhooks.inc({ outcome: done ? 'taken' : status === null ? 'unanswered' : 'refused' });
    },
    shown: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}
