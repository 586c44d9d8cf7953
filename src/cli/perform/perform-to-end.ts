/** Performs a command of the console or of a worker. Always returns an end, and notifies people as at a terminal. */
import type { Command, CommandEnd, FileCommand, PlaceOptions } from '../../app/command.ts';
import { failureOf, PayrunError } from '../../base/errors.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import { exitOfCode } from '../../pipeline/exit-code.ts';
import { signalExits } from '../compose/world.ts';
import { notify } from '../observe/notify.ts';
import { makeFile } from './make-file.ts';
import { type Around, perform } from './perform.ts';

export async function performToEnd(
  command: (Command | FileCommand) & PlaceOptions,
  around: Around,
): Promise<CommandEnd> {
  const end = await endOf(command, around);
  const pays = command.do === 'run' || command.do === 'resume' || command.do === 'retry';
  if (pays && rightsOf(around.actor).tellsEnd) {
    const outcome = 'outcome' in end ? end.outcome : null;
    const code = 'error' in end ? end.error.code : (outcome?.stopped?.code ?? null);
    const ended = { exit: end.exit, code, outcome, batch: command.batch ?? null, sheet: null };
    await notify(ended, { ...around, streams: { err: { write: around.say } } });
  }
  return end;
}

async function endOf(command: Command | FileCommand, around: Around): Promise<CommandEnd> {
  const exitAfter = (exit: number, interrupted: boolean) => (interrupted && exit !== 27 ? signalExits.SIGINT : exit);
  try {
    if (command.do === 'result' || command.do === 'result page' || command.do === 'evidence')
      return { exit: 0, ...(await makeFile(command, around)) };
    const outcome = await perform(command, around);
    return { exit: exitAfter(outcome.exit, outcome.interrupted === true), outcome };
  } catch (error) {
    const interrupted = around.stop.aborted;
    const isKnown = error instanceof PayrunError;
    return {
      exit: isKnown ? exitAfter(exitOfCode(error.code), interrupted) : 1,
      error: failureOf(error),
      interrupted,
    };
  }
}
