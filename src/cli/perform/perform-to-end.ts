/** Performs a command for the console or a worker. Always returns an end, and notifies people after a run. */
import type { Command, CommandEnd, FileCommand, PlaceOptions } from '../../app/batch/command.ts';
import type { Failure } from '../../base/refusal.ts';
import { interruptedEnd } from '../../domain/sending/end.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import { endOfFailure, failureIn, placeFlags } from '../compose/command-context.ts';
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
  const world = { ...around, streams: { err: { write: around.say } }, place: placeFlags({ ...command }, around) };
  await notifyOfRun(command, end, around.actor, world);
  return end;
}

/** Returns an end even if `work` throws. */
export async function endOf(
  work: () => Promise<Outcome | { readonly file: string; readonly sha256: string }>,
  stop: AbortSignal,
): Promise<CommandEnd> {
  try {
    const made = await work();
    return 'file' in made ? { end: 'done', ...made } : { end: made.end, outcome: made };
  } catch (error) {
    return endByError(failureIn(error), stop);
  }
}

/** A stop changes the end, except after an alarm or an unexpected error. */
export function endByError(error: Failure, { aborted: interrupted }: AbortSignal): CommandEnd {
  const end = endOfFailure(error);
  return { end: interrupted && error.code !== null ? interruptedEnd(end) : end, error, interrupted };
}
