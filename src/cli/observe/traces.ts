/** Makes OpenTelemetry spans from the log. Loaded only if the environment names a collector. */
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Each } from '../../base/words.ts';

interface Line
  extends Each<'event run time', string>,
    Partial<
      Each<'command stage method route outcome span trace parent code', string> &
        Each<'ms exit', number> &
        Each<'total status', number | null>
    > {}

type Ids = Partial<Each<'trace span parent', string | undefined>>;

interface Run {
  readonly root: Span;
  readonly stages: { readonly span: Span; readonly from: number }[];
}

export type Traces = ReturnType<typeof openTraces>;

const timeoutMs = 3000;

export function openTraces(version: string) {
  const { begin, end, close } = openTracer(version);
  const runs = new Map<string, Run>();

  function endRun(id: string, at: number): void {
    const run = runs.get(id);
    if (run === undefined) return;
    runs.delete(id);
    for (const span of [run.stages.at(-1)?.span, run.root]) if (span !== undefined) end(span, at);
  }

  /** Returns the newest stage before `from` as the parent. Log times are whole milliseconds, so 1 ms is tolerated. */
  function within({ run: id }: Line, from: number): Ids {
    const run = runs.get(id);
    const span = run?.stages.findLast((stage) => stage.from < from + 1)?.span ?? run?.root;
    return { trace: id, parent: span?.spanContext().spanId };
  }

  function exchange(kind: SpanKind, name: string, ids: Ids, attributes: Attributes, line: Line, at: number): void {
    const { ms = 0, status = null, outcome } = line;
    const span = begin(name, at - ms, ids, { 'http.request.method': name.split(' ')[0], ...attributes }, kind);
    if (outcome !== undefined) span.setAttribute('payrun.outcome', outcome);
    if (status !== null) span.setAttribute('http.response.status_code', status);
    if (status === null || status >= (kind === SpanKind.CLIENT ? 400 : 500)) {
      span.setAttribute('error.type', String(status ?? outcome ?? 'no answer'));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    end(span, at);
  }

  const events: Readonly<Record<string, (line: Line, at: number) => void>> = {
    start({ run, command = '' }, at) {
      const name = `payrun ${command}`.trimEnd();
      runs.set(run, { root: begin(name, at, { trace: run }, { 'process.pid': process.pid }), stages: [] });
    },
    stage({ run: id, stage: name = '', total = null }, at) {
      const run = runs.get(id);
      if (run === undefined) return;
      const before = run.stages.at(-1);
      if (before !== undefined) end(before.span, at);
      const ids = { trace: id, parent: run.root.spanContext().spanId };
      run.stages.push({ span: begin(name, at, ids, total === null ? {} : { 'payrun.stage.size': total }), from: at });
    },
    call(line, at) {
      const { method = '', route = '', ms = 0, span } = line;
      const ids = { ...within(line, at - ms), span };
      exchange(SpanKind.CLIENT, `${method} ${route}`, ids, { 'url.template': route }, line, at);
    },
    served(line, at) {
      const { route = '', trace: traceId, parent } = line;
      const attributes = { 'http.route': route.split(' ')[1] };
      exchange(SpanKind.SERVER, route, { trace: traceId, parent }, attributes, line, at);
    },
    end({ run, exit = 0 }, at) {
      runs.get(run)?.root.setAttribute('payrun.exit', exit);
      endRun(run, at);
    },
    failed({ run, code = '' }, at) {
      runs.get(run)?.root.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
      endRun(run, at);
    },
  };

  return {
    write(line: object) {
      const { event, time } = line as Line;
      events[event]?.(line as Line, Date.parse(time));
    },
    async close() {
      for (const id of runs.keys()) endRun(id, Date.now());
      return await close();
    },
  };
}

function openTracer(version: string) {
  let ended = 0;
  let accepted = 0;
  let why = 'they came faster than it takes them';
  const collector = new OTLPTraceExporter({ timeoutMillis: timeoutMs });
  const exporter: SpanExporter = {
    export: (spans, done) =>
      collector.export(spans, (result) => {
        if (result.error === undefined) accepted += spans.length;
        else why = result.error.message;
        done(result);
      }),
    shutdown: () => collector.shutdown(),
  };
  const random = new RandomIdGenerator();
  let ids: Ids = {};
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'payrun', 'service.version': version }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    idGenerator: {
      generateTraceId: () => ids.trace ?? random.generateTraceId(),
      generateSpanId: () => ids.span ?? random.generateSpanId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: timeoutMs })],
  });
  const tracer = provider.getTracer('payrun', version);
  return {
    begin(name: string, startTime: number, own: Ids, attributes: Attributes, kind = SpanKind.INTERNAL): Span {
      ids = own;
      const { trace: traceId, parent: spanId } = own;
      const isPart = traceId !== undefined && spanId !== undefined;
      const context = isPart ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 }) : ROOT_CONTEXT;
      return tracer.startSpan(name, { startTime, kind, attributes }, context);
    },
    end(span: Span, at: number): void {
      ended += 1;
      span.end(at);
    },
    async close() {
      await provider.shutdown().catch(() => {});
      return { lost: ended - accepted, why };
    },
  };
}
