/** The commands that pay, and `plan`, which is made of the same parts: run, plan, resume. */
import { PayrunError } from '../base/errors.ts';
import type { Deps } from '../pipeline/deps.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import { assemble } from './assemble.ts';
import { loadSettings, type Settings } from './config.ts';
import { advanceOrder, runOrder, sheetOptions } from './order.ts';
import { firstLine, type Kind, progressOf } from './screen.ts';
import { readDuration, readWhole } from './values.ts';
import { type Args, againFlags, flag, print, text, type World } from './world.ts';

export async function runFile(args: Args, world: World): Promise<number> {
  const { run } = await import('../pipeline/run.ts');
  // A slip in the map is told before anything is opened.
  const sheet = sheetOptions(args, world);
  return await withDeps(args, world, async (deps, settings) => await run(deps, runOrder(args, world, settings, sheet)));
}

export async function planFile(args: Args, world: World): Promise<number> {
  const { plan } = await import('../pipeline/preview.ts');
  const sheet = sheetOptions(args, world);
  return await withDeps(
    args,
    world,
    async (deps, settings) => await plan(deps, runOrder(args, world, settings, sheet)),
    'look',
  );
}

export async function resumeBatch(args: Args, world: World): Promise<number> {
  const { resume } = await import('../pipeline/run.ts');
  return await withDeps(
    args,
    world,
    async (deps) => await resume(deps, advanceOrder(args, world), text(args, 'batch') ?? ''),
  );
}

/** Puts the program together, listens for Ctrl-C, shows progress, prints the outcome, and takes it all down again. */
export async function withDeps(
  args: Args,
  world: World,
  work: (deps: Deps, settings: Settings) => Promise<Outcome>,
  kind: Kind = 'run',
): Promise<number> {
  const { streams, env, cwd } = world;
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const concurrency = readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  const waitMs = readDuration(text(args, 'wait') ?? '2m', '--wait');
  const sandbox = flag(args, 'sandbox');
  if (flag(args, 'fresh') && !sandbox)
    throw new PayrunError('USAGE', { detail: '--fresh begins the sandbox anew, and goes with --sandbox only' });
  const quiet = flag(args, 'quiet') || flag(args, 'json');
  const stopping = stopSignals(world);
  const line = progressOf(streams, quiet);
  const { deps, close } = await assemble({
    settings,
    env,
    sandbox,
    fresh: flag(args, 'fresh'),
    asUser: text(args, 'as-user'),
    concurrency,
    waitMs,
    stop: stopping.signal,
    again: againFlags(args),
    progress: line.show,
    say: (sentence) => {
      line.end();
      streams.err.write(`${sentence}\n`);
    },
  });
  try {
    if (!quiet) streams.out.write(firstLine(deps.service.label, deps.ledger.path));
    const outcome = await work(deps, settings);
    line.end();
    const exit = stopping.exit(outcome.exit);
    print(stopping.told({ ...outcome, exit }), args, streams, kind);
    return exit;
  } finally {
    line.end();
    stopping.end();
    await close();
  }
}

/** The first signal lets what is in flight end; the second ends at once, and leaves those rows in doubt. */
function stopSignals(world: World): {
  signal: AbortSignal;
  exit(otherwise: number): number;
  /** The outcome, with the signal as the reason where nothing else stopped it. */
  told(outcome: Outcome): Outcome;
  end(): void;
} {
  const controller = new AbortController();
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  let code = 0;
  const listeners = (Object.keys(codes) as (keyof typeof codes)[]).map((signal) => {
    const listener = () => {
      if (controller.signal.aborted) world.signals.exit(codes[signal]);
      code = codes[signal];
      world.streams.err.write('\nStopping: payments in flight are finished first. Once more ends at once.\n');
      controller.abort();
    };
    world.signals.on(signal, listener);
    return () => world.signals.off(signal, listener);
  });
  return {
    signal: controller.signal,
    exit: (otherwise) => (code !== 0 && otherwise !== 27 ? code : otherwise),
    told(outcome) {
      const name = Object.entries(codes).find(([, value]) => value === code)?.[0];
      if (name === undefined || outcome.stopped !== null) return outcome;
      const { message } = new PayrunError('STOPPED', { signal: name });
      return { ...outcome, stopped: { code: 'STOPPED', message } };
    },
    end: () => {
      for (const off of listeners) off();
    },
  };
}
