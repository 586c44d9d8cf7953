/** Serves metrics for Prometheus at `--metrics-port`, with the command's health and readiness. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { listenFault } from '../../base/errors.ts';
import { nodeHttp } from '../../base/http.ts';
import { type LedgerPlace, rowStates } from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { readPlace } from '../args/durations-and-numbers.ts';
import { badSetting } from '../compose/command-context.ts';
import { type Counted, countRows } from '../compose/count-rows.ts';

export type Figures = Awaited<ReturnType<typeof openFigures>>;

/** The metrics reuse a count of the rows for this time, because counting loads the database that payments need. */
const countedForMs = 15_000;
const readyForMs = 1000;

export async function openFigures(place: string) {
  const { host, port } = readPlace(place, '--metrics-port');
  const { Counter, Gauge, collectDefaultMetrics, Histogram, Registry } = await import('prom-client');
  const { createServer } = nodeHttp();
  const registry = new Registry();
  const registers = [registry];
  const named = (name: string, help: string, ...labelNames: string[]) => ({ name, help, labelNames, registers });
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    ...named(
      'payrun_call_seconds',
      'Calls to the payout service by route and status (none: no whole answer), and how long they took',
      'route',
      'status',
    ),
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 75],
  });
  const done = new Gauge(named('payrun_stage_done', 'How much of its stage the run has done', 'stage'));
  const total = new Gauge(
    named('payrun_stage_size', 'How much there is to do in the stage, where that is known', 'stage'),
  );
  const missed = new Counter(
    named(
      'payrun_hours_missed_total',
      'Scheduled hours that passed while no worker continued the batch, as this worker reported',
    ),
  );
  let home: LedgerPlace | null = null;
  let looked: { readonly at: number; readonly rows: Promise<Counted | null> } | null = null;
  /** Returns a count of the ledger's rows that began at most `ms` milliseconds ago; null if the ledger does not answer. */
  const rowsWithin = async (ms: number): Promise<Counted | null> => {
    if (home === null) return null;
    if (looked === null || performance.now() - looked.at >= ms)
      looked = { at: performance.now(), rows: countRows(home).catch(() => null) };
    return await looked.rows;
  };
  new Gauge({
    ...named('payrun_ledger_answers', '1 while the ledger answers; else 0, and its rows are not known'),
    async collect() {
      this.set((await rowsWithin(countedForMs)) === null ? 0 : 1);
    },
  });
  new Gauge({
    ...named('payrun_ledger_rows', `Rows of the ledger by state, at most ${countedForMs / 1000} seconds old`, 'state'),
    async collect() {
      this.reset();
      const counted = await rowsWithin(countedForMs);
      if (counted === null) return;
      for (const state of rowStates) this.set({ state }, 0);
      for (const { state, rows } of counted) this.set({ state }, rows);
    },
  });
  const server = createServer((request, response) => {
    const send = (status: number, body: string, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(body);
    const path = request.method === 'GET' ? request.url : undefined;
    if (path === '/metrics')
      registry.metrics().then(
        (figures) => send(200, figures, registry.contentType),
        () => send(500, '{"status":"the figures cannot be read"}'),
      );
    else if (path === '/health') send(200, '{"status":"ok"}');
    else if (path === '/ready')
      void rowsWithin(readyForMs).then((rows) =>
        rows === null ? send(503, '{"status":"the ledger does not answer"}') : send(200, '{"status":"ready"}'),
      );
    else send(404, '{"status":"not found"}');
  });
  server.maxConnections = 64;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw badSetting(`--metrics-port ${place} cannot be listened on: ${faultWords(listenFault(error))}`);
  }
  // Node ends a process after an `error` event without a listener. A failed connection must not end a payment run.
  server.on('error', () => {});
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}/`,
    called: (route: string, status: number | null, seconds: number) =>
      calls.observe({ route, status: status ?? 'none' }, seconds),
    progress(step: Progress) {
      done.set({ stage: step.stage }, step.done);
      if (step.total !== null) total.set({ stage: step.stage }, step.total);
    },
    hourMissed: () => missed.inc(),
    ledger(at: LedgerPlace) {
      home = at;
    },
    async close() {
      const closed = new Promise((end) => server.close(end));
      server.closeAllConnections();
      await closed;
    },
  };
}
