/** The commands `run`, `resume` and `plan`, which share their parts. */
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { SheetFacts } from '../../ledger/ledger.ts';
import type { Deps } from '../../pipeline/deps.ts';
import { exitOfCode, type Outcome } from '../../pipeline/outcome.ts';
import type { Taken } from '../../watch/watch.ts';
import {
  actorOf,
  advanceOrder,
  approveOrder,
  planMaking,
  policyInForce,
  policyOfRun,
  runOrder,
  sheetOptions,
} from '../args/order.ts';
import { readDuration, readWhole } from '../args/values.ts';
import { assemble } from '../compose/assemble.ts';
import { loadSettings, refusePolicyBeside, refuseUnread, type Settings } from '../compose/config.ts';
import { guardsOf } from '../compose/limits.ts';
import {
  type Args,
  againFlags,
  flag,
  pointed,
  print,
  type Signal,
  signalExits,
  tellFailure,
  text,
  type World,
} from '../compose/world.ts';
import { firstLine, type Kind, progressOf } from '../render/screen.ts';

export async function runFile(args: Args, world: World): Promise<number> {
  const { run } = await import('../../app/run-batch.ts');
  // Read the map first, so that a mistake in it is reported before anything is opened.
  const sheet = sheetOptions(args, world);
  const approve = approveOrder(args, world);
  return await withDeps(
    args,
    world,
    async (deps, settings) => await run(deps, { ...runOrder(args, world, settings, sheet), approve }),
  );
}

/** Runs a sheet that stays in its place, as in a hot folder. If its batch exists, the batch is resumed instead. */
export async function runOrResume(args: Args, world: World, taken: Taken, onBegan: () => void): Promise<number> {
  const { resume, run } = await import('../../app/run-batch.ts');
  const { writtenAt } = await import('../../watch/watch.ts');
  const { batch, sha256, taken_at } = taken;
  const sheet = sheetOptions(args, world);
  const approve = approveOrder(args, world);
  return await withDeps(args, world, async (given, settings) => {
    const deps: Deps = { ...given, actor: { ...given.actor, driver: 'hot folder' } };
    const numbered = await deps.ledger.handedIn(`${taken_at} ${sha256}`);
    const handedIn = { ...numbered, writtenAt: writtenAt(taken) };
    const bytes = sha256 === null ? {} : { sha256 };
    const at = Date.parse(taken_at);
    const order = { ...runOrder(args, world, settings, sheet), approve, handedIn, seen: { at }, ...bytes };
    // A watcher that crashed did not record the sheet's batch. Its path is not enough: other sheets had it before.
    const became = ({ origin, options, receivedAt }: SheetFacts) =>
      origin === order.file && options.sha256 === sha256 && receivedAt >= at;
    const batches = await deps.ledger.batches();
    const own =
      batches.find(({ name }) => name === batch) ?? batches.find(({ name }) => deps.ledger.sheetsOf(name).some(became));
    if (own === undefined) return await run(deps, order);
    onBegan();
    return await resume(deps, order, own.name);
  });
}

export async function planFile(args: Args, world: World): Promise<number> {
  const { plan } = await import('../../app/preview-batch.ts');
  const sheet = sheetOptions(args, world);
  const making = planMaking(args, world);
  return await withDeps(
    args,
    world,
    // The plan names its maker, so the run names none.
    async (deps, settings) => {
      await deps.ledger.requireHome();
      return await plan(deps, runOrder({ ...args, maker: undefined }, world, settings, sheet), making);
    },
    'look',
  );
}

export async function resumeBatch(args: Args, world: World): Promise<number> {
  const { resume } = await import('../../app/run-batch.ts');
  const seen = world.seen === undefined ? {} : { seen: world.seen };
  return await withDeps(
    args,
    world,
    async (deps) => await resume(deps, { ...advanceOrder(args, world), ...seen }, text(args, 'batch') ?? ''),
  );
}

/** Sets up the program, handles Ctrl-C, shows progress, prints the outcome and closes everything again. */
export async function withDeps(
  args: Args,
  world: World,
  work: (deps: Deps, settings: Settings) => Promise<Outcome>,
  kind: Kind = 'run',
): Promise<number> {
  const { streams, env, cwd, clock } = world;
  const settings = loadSettings(
    { env, cwd },
    { ledger: text(args, 'ledger') ?? undefined, webhookUrl: text(args, 'webhook-url') ?? undefined },
  );
  const file = text(args, 'file');
  if (file !== null) {
    refuseUnread(settings, resolve(cwd, file));
    refusePolicyBeside(settings, policyInForce(args, world, settings), resolve(cwd, file));
  }
  const concurrency = readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  const waitMs = readDuration(text(args, 'wait') ?? '2m', '--wait');
  const sandbox = flag(args, 'sandbox');
  if (flag(args, 'fresh') && !sandbox)
    throw new PayrunError('USAGE', { detail: '--fresh begins the sandbox anew, and goes with --sandbox only' });
  const quiet = flag(args, 'quiet') || flag(args, 'json');
  const stopping = stopSignals(world);
  const line = progressOf(streams, quiet);
  let close = async () => {};
  let ear: Awaited<ReturnType<typeof openEar>> = null;
  try {
    ear = await openEar(text(args, 'listen'), settings);
    const { deps, close: end } = await assemble({
      settings,
      hints: ear?.hints,
      env,
      sandbox,
      fresh: flag(args, 'fresh'),
      asUser: text(args, 'as-user'),
      concurrency,
      waitMs,
      guards: guardsOf(args, settings),
      policy: policyOfRun(args, world, settings),
      stop: stopping.signal,
      led: stopping.led,
      again: againFlags(args, world),
      ...(clock === undefined ? {} : { clock }),
      actor: actorOf(world),
      progress: (step) => {
        line.show(step);
        world.progress?.(step);
      },
      say: (sentence) => {
        line.end();
        streams.err.write(`${sentence}\n`);
      },
    });
    close = end;
    const batch = file === null ? await deps.ledger.batch(text(args, 'batch') ?? '') : null;
    if (batch !== null) refuseUnread(settings, batch.sheet.origin);
    if (!quiet) streams.out.write(firstLine(deps.service.label, deps.ledger.path, settings.configPath));
    const outcome = await work(deps, settings);
    line.end();
    const exit = stopping.exit(outcome.exit);
    const told = stopping.told({ ...outcome, exit });
    world.ended?.({ outcome: told, exit });
    print(told, args, streams, kind);
    return exit;
  } catch (error) {
    if (!(error instanceof PayrunError)) throw error;
    line.end();
    const exit = stopping.exit(exitOfCode[error.code]);
    const told = error.code === 'STOPPED' ? stopping.error() : pointed(error, args, world);
    world.ended?.({ error: told, exit });
    return tellFailure(told, flag(args, 'json'), streams, exit);
  } finally {
    line.end();
    stopping.end();
    await ear?.close();
    await close();
  }
}

/** Opens the receiver for webhooks while payments are followed: `--listen [HOST:]PORT`. */
async function openEar(place: string | null, { webhook }: Settings) {
  if (place === null) return null;
  const [match, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(place) ?? [];
  if (match === undefined)
    throw new PayrunError('USAGE', { detail: `--listen '${place}' is not a port, nor HOST:PORT` });
  const { openHints, openReceiver } = await import('../../pipeline/webhooks/receiver.ts');
  const hints = openHints();
  const settings = {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: readWhole(port, '--listen', 0, 65_535),
    secret: webhook.secret,
    unsigned: webhook.secret === null,
  };
  const { close } = await openReceiver(settings, systemClock, hints.put);
  return { hints, close };
}

interface Stopping {
  readonly signal: AbortSignal;
  /** Marks the end of sending; a later signal stops nothing. */
  led(): void;
  /** Returns the exit code. A signal's code replaces every other code, except for an alarm. */
  exit(otherwise: number): number;
  /** Returns the outcome, with the signal as the reason if nothing else stopped the run. */
  told(outcome: Outcome): Outcome;
  error(): PayrunError;
  end(): void;
}

/** Handles signals. The first lets calls under way end; the second ends at once and leaves their rows in doubt. */
function stopSignals({ signals, streams }: World): Stopping {
  const controller = new AbortController();
  let heard: Signal | null = null;
  let isLed = false;
  let stopped: Signal | null = null;
  const listeners = (Object.keys(signalExits) as Signal[]).map((signal) => {
    const listener = () => {
      if (heard !== null) {
        streams.err.write(
          '\nEnded at once. What was in flight may be in doubt: run the same command again, which looks for it.\n',
        );
        signals.exit(signalExits[signal]);
      }
      heard = signal;
      if (!isLed) stopped = signal;
      streams.err.write('\nStopping: payments in flight are finished first. Once more ends at once.\n');
      controller.abort();
    };
    signals.on(signal, listener);
    return () => signals.off(signal, listener);
  });
  const error = () => new PayrunError('STOPPED', { signal: stopped ?? 'a signal' });
  return {
    signal: controller.signal,
    led: () => {
      isLed = true;
    },
    exit: (otherwise) => (stopped === null || otherwise === 27 ? otherwise : signalExits[stopped]),
    told(outcome) {
      if (stopped === null || outcome.stopped !== null) return outcome;
      return { ...outcome, stopped: { code: 'STOPPED', message: error().message } };
    },
    error,
    end: () => {
      for (const off of listeners) off();
    },
  };
}
