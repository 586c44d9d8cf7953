/** `payrun worker`: a member of a fleet, until it is stopped. */
import { systemClock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { counted } from '../base/words.ts';
import { assemble } from './assemble.ts';
import { loadSettings } from './config.ts';
import { guardsOf } from './guarding.ts';
import { readWhole } from './values.ts';
import { type Args, againFlags, flag, type Signal, text, type World } from './world.ts';

export async function joinFleet(args: Args, world: World): Promise<number> {
  const { work } = await import('../workers/worker.ts');
  const { env, cwd, streams, signals } = world;
  if (flag(args, 'sandbox'))
    throw new PayrunError('USAGE', {
      detail:
        'the sandbox is one process, and workers are several: run payrun service, and name it with PAYRUN_BASE_URL',
    });
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const concurrency = readWhole(text(args, 'concurrency') ?? '8', '--concurrency', 1, 64);
  const draining = new AbortController();
  const heard: Signal[] = ['SIGINT', 'SIGTERM'];
  const drain = () => draining.abort();
  for (const signal of heard) signals.on(signal, drain);
  const say = (sentence: string) => streams.err.write(`${sentence}\n`);
  try {
    const sent = await work({
      assemble: async () =>
        await assemble({
          settings,
          env,
          sandbox: false,
          fresh: false,
          asUser: text(args, 'as-user'),
          concurrency,
          waitMs: 0,
          guards: guardsOf(args, settings),
          stop: draining.signal,
          again: againFlags(args, world),
          progress: () => {},
          say,
        }),
      clock: systemClock,
      stop: draining.signal,
      say,
    });
    streams.out.write(
      flag(args, 'json') ? `${JSON.stringify({ sent })}\n` : `Drained: ${counted(sent, 'payment')} sent.\n`,
    );
    return 0;
  } finally {
    for (const signal of heard) signals.off(signal, drain);
  }
}
