/** Observes a command: its log (`--log`), metrics for Prometheus (`--metrics-port`) and spans for OpenTelemetry. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { isoTime, systemClock } from '../../base/clock.ts';
import { folderFault } from '../../base/errors.ts';
import type { SeenCall } from '../../client/client.ts';
import type { LedgerPlace } from '../../ledger/ledger.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import { counted } from '../../messages/format/numbers.ts';
import type { Progress } from '../../pipeline/deps.ts';
import { type Args, badSetting, type Heard, isExpected, text } from '../compose/command-context.ts';
import { exitOf, type TerminalEnd } from '../render/exit-code.ts';
import type { Figures } from './figures.ts';
import type { Traces } from './traces.ts';

export interface SeenBy {
  write(line: object): void;
  /** `status` is null if no complete answer arrived. */
  called(route: string, status: number | null, seconds: number): void;
  progress(step: Progress): void;
}

/** The observer of the running command. Functions read it here, so callers need not pass it on. */
const lookingOn = new AsyncLocalStorage<ReturnType<typeof lookerOn>>();
export const seeing = () => lookingOn.getStore();

/** `seenBy` is set for a command in a thread: its log lines and metrics go to the process that started the thread. */
export async function seen(
  args: Args,
  world: Heard & { readonly seenBy?: SeenBy },
  version: string,
  work: () => Promise<TerminalEnd>,
): Promise<TerminalEnd> {
  const file = text(args, 'log') ?? world.env.PAYRUN_LOG ?? '';
  const port = text(args, 'metrics-port');
  const isTraced = world.seenBy === undefined && hasCollector(world);
  if (file === '' && port === null && !isTraced && world.seenBy === undefined) return await work();
  const log = openLog(world.seenBy === undefined ? file : '', world);
  let figures: Figures | null = null;
  let traces: Traces | null = null;
  const began = performance.now();
  const run = randomBytes(16).toString('hex');
  const seenBy: SeenBy = world.seenBy ?? {
    write(line) {
      log.write(line);
      traces?.write(line);
    },
    called: (...call) => figures?.called(...call),
    progress: (step) => figures?.progress(step),
  };
  const tell = (event: string, facts: object = {}) =>
    seenBy.write({ time: isoTime(systemClock.now()), run, event, ...facts });
  try {
    figures = port === null ? null : await (await import('./figures.ts')).openFigures(port);
    if (isTraced) traces = (await import('./traces.ts')).openTraces(version);
    if (figures !== null) world.streams.err.write(`Figures for Prometheus: ${figures.url}metrics\n`);
    tell('start', { command: String((args._ as unknown[] | undefined)?.join(' ') ?? ''), version, pid: process.pid });
    const end = await lookingOn.run(lookerOn(run, tell, seenBy, figures), work);
    tell('end', { exit: exitOf(end), ms: Math.round(performance.now() - began) });
    return end;
  } catch (error) {
    // The log omits the error's message, which may contain names and accounts. The screen shows the message.
    tell('failed', { code: isExpected(error) ? error.code : 'BUG', ms: Math.round(performance.now() - began) });
    throw error;
  } finally {
    await figures?.close();
    const { lost, why } = (await traces?.close()) ?? { lost: 0, why: '' };
    if (lost > 0) world.streams.err.write(`Traces: the collector did not take ${counted(lost, 'span')}: ${why}\n`);
    log.close();
  }
}

const hasCollector = ({ env }: Heard): boolean =>
  env.OTEL_SDK_DISABLED !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none' &&
  (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '') !== '';

function lookerOn(run: string, tell: (event: string, facts: object) => void, seenBy: SeenBy, figures: Figures | null) {
  let stage: Progress['stage'] | null = null;
  return {
    run,
    /** Commands in other threads write their log lines and metrics to this object. */
    seenBy,
    trace: () => `00-${run}-${randomBytes(8).toString('hex')}-01`,
    call({ seconds, trace, ...call }: SeenCall) {
      seenBy.called(`${call.method} ${call.route}`, call.status, seconds);
      const span = trace === null ? {} : { span: trace.split('-')[2] };
      tell('call', { ...call, ms: Math.round(seconds * 1e6) / 1000, ...span });
    },
    progress(step: Progress) {
      seenBy.progress(step);
      if (step.stage === stage) return;
      stage = step.stage;
      tell('stage', { stage, total: step.total });
    },
    /** Logs a line of the service in this process: an answered call, a webhook or a fault. */
    served(line: object) {
      // The line's own time is a number. The log writes times as text, so `tell` sets another one.
      const { time: _, ...facts } = line as Record<string, unknown>;
      tell('webhook' in facts ? 'webhook' : 'error' in facts ? 'fault' : 'served', facts);
    },
    hourMissed() {
      tell('hour missed', {});
      figures?.hourMissed();
    },
    ledger: (place: LedgerPlace) => figures?.ledger(place),
  };
}

const lineStart = '{"time":"';

/** Keeps log lines out of other files, such as the sheet. A pipe or a device may get them. */
function isLogOrNew(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile() !== true || file.size === 0) return true;
  const opened = openSync(path, 'r');
  const start = Buffer.alloc(lineStart.length);
  try {
    return start.toString('latin1', 0, readSync(opened, start)) === lineStart;
  } finally {
    closeSync(opened);
  }
}

/** Throws for an unusable file. Later write errors do not stop the run: the next written line counts the lost lines. */
function openLog(file: string, { cwd, streams }: Heard) {
  if (file === '') return { write: () => {}, close: () => {} };
  if (file === '-')
    return { write: (line: object) => void streams.err.write(`${JSON.stringify(line)}\n`), close: () => {} };
  const path = resolve(cwd, file);
  let to: number;
  try {
    if (!isLogOrNew(path)) throw new Error('it holds something else than a log; name another file');
    to = openSync(path, 'a', 0o600);
  } catch (error) {
    throw badSetting(`the log ${path} cannot be written: ${faultWords(folderFault(error))}`);
  }
  let lost = 0;
  return {
    write(line: object) {
      try {
        writeSync(to, `${JSON.stringify(lost === 0 ? line : { ...line, lost })}\n`);
        lost = 0;
      } catch {
        lost += 1;
      }
    },
    close: () => closeSync(to),
  };
}
