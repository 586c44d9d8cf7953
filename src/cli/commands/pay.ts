/** Runs the commands that need a ledger and a service, such as `run`, `plan` and `resume`, at the terminal. */
import type { BareCommand } from '../../app/batch/command.ts';
import { PayrunError } from '../../base/errors.ts';
import type { End } from '../../domain/sending/end.ts';
import { type Ending, endOf, outcomeOf } from '../../pipeline/outcome.ts';
import { actorOf } from '../args/build-orders.ts';
import { readCommand, readOrder } from '../args/read-command.ts';
import {
  type Args,
  type CommandContext,
  everySignal,
  flag,
  isExpected,
  placeFlags,
  print,
  stopOn,
  tellFailure,
  text,
} from '../compose/command-context.ts';
import { notifyOfRun } from '../observe/notify.ts';
import { type Around, perform } from '../perform/perform.ts';
import { refusedEnding } from '../perform/perform-to-end.ts';
import { exitOf, type TerminalEnd } from '../render/exit-code.ts';
import { firstLine, type Kind, progressOf } from '../render/screen.ts';

/** The words of the summary. The other commands about a batch show its state. */
const kinds: { readonly [D in BareCommand['do']]?: Kind } = {
  run: 'run',
  resume: 'run',
  retry: 'run',
  plan: 'look',
  propose: 'look',
};

export async function give(args: Args, command: BareCommand, world: CommandContext): Promise<TerminalEnd> {
  const key = text(args, 'key') === null ? undefined : (await import('./approve.ts')).keyOf(args, world);
  const { streams, env, cwd, clock } = world;
  const quiet = flag(args, 'quiet') || flag(args, 'json');
  const stopping = stopSignals(world);
  const line = progressOf(streams, quiet);
  const around: Around = {
    env,
    cwd,
    clock,
    actor: actorOf(world),
    key,
    stop: stopping.signal,
    progress: line.show,
    say(sentence) {
      line.end();
      streams.err.write(`${sentence}\n`);
    },
    opened(service, ledger, config) {
      if (!quiet) streams.out.write(firstLine(service, ledger, config));
    },
  };
  let ended: Ending | null = null;
  try {
    const ordered = await readOrder(args, command, world);
    const reached = await perform(readCommand(ordered.args, ordered.bare, around), around);
    line.end();
    const isUnsaid = reached.interrupted === true && reached.stopped === undefined;
    ended = isUnsaid ? outcomeOf(reached, stopping.error().refusal) : reached;
    return print(ended, args, world, kinds[command.do] ?? 'status', stopping.endFor(endOf(ended)));
  } catch (error) {
    if (!isExpected(error)) {
      ended ??= refusedEnding(error, stopping.signal);
      throw error;
    }
    line.end();
    const failure = error.code === 'STOPPED' ? stopping.error() : error;
    ended = refusedEnding(failure, stopping.signal);
    return tellFailure(failure, args, world, stopping.endFor(endOf(ended)));
  } finally {
    line.end();
    stopping[Symbol.dispose]();
    if (ended !== null) await notifyOfRun(command, ended, around.actor, { ...world, place: placeFlags(args, world) });
  }
}

/** The first signal lets calls under way end. The second ends the process at once: rows of open calls stay in doubt. */
function stopSignals({ signals, streams }: CommandContext) {
  const stop = stopOn(signals, everySignal, (signal) => {
    streams.err.write(
      '\nEnded at once. Payments in flight may be in doubt. Run the same command again to search for them.\n',
    );
    signals.exit(exitOf(signal));
  });
  stop.signal.addEventListener('abort', () => {
    streams.err.write('\nStopping: Payrun finishes the payments in flight first. A second signal ends it at once.\n');
  });
  const error = () => new PayrunError('STOPPED', { signal: stop.heard(), hasEnded: true });
  const endFor = (end: End): TerminalEnd => (end === 'signal' ? (stop.heard() ?? end) : end);
  return { ...stop, error, endFor };
}
