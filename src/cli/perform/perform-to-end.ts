/** Performs a command for the console or a worker. Always returns an end, and notifies people after a run. */
import type { Command, CommandEnd, FileCommand, PlaceOptions } from '../../app/command.ts';
import { failureOf, PayrunError } from '../../base/errors.ts';
import { exitOfCode } from '../../pipeline/exit-code.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import { signalExits } from '../compose/command-context.ts';
import { notifyOfRun } from '../observe/notify.ts';
import { makeFile } from './make-file.ts';
import { type Around, perform } from './perform.ts';

export async function performToEnd(
  command: (Command | FileCommand) & PlaceOptions,
  around: Around,
): Promise<CommandEnd> {
  const end = await endOf(
    async () =>
      command.do === 'result' || command.do === 'result page' || command.do === 'evidence'
        ? await makeFile(command, around)
        : await perform(command, around),
    around.stop,
  );
  await notifyOfRun(command, end, around.actor, { ...around, streams: { err: { write: around.say } } });
  return end;
}

/** Returns an end even if `work` throws. A stop changes the exit code, except after an alarm or unexpected error. */
export async function endOf(
  work: () => Promise<Outcome | { readonly file: string; readonly sha256: string }>,
  stop: AbortSignal,
): Promise<CommandEnd> {
  const exitAfter = (exit: number, interrupted: boolean) => (interrupted && exit !== 27 ? signalExits.SIGINT : exit);
  try {
    const made = await work();
    if ('file' in made) return { exit: 0, ...made };
    return { exit: exitAfter(made.exit, made.interrupted === true), outcome: made };
  } catch (error) {
    const exit = error instanceof PayrunError ? exitAfter(exitOfCode(error.code), stop.aborted) : 1;
    return { exit, error: failureOf(error), interrupted: stop.aborted };
  }
}
