/** Performs a command for the console or a worker. Always returns an end, and notifies people after a run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, CommandEnd, FileCommand, PlaceOptions } from '../../app/batch/command.ts';
import { batchNamed } from '../../app/batch/find-batch.ts';
import { sha256 } from '../../base/digest.ts';
import type { Failure } from '../../base/refusal.ts';
import { interruptedEnd } from '../../domain/sending/end.ts';
import { noteWords } from '../../messages/notes.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import { endOfFailure, failureIn, placeFlags } from '../compose/command-context.ts';
import { withLedgerOnly, withLedgerToRead } from '../compose/ledger-only.ts';
import { packName, writePackOf } from '../evidence/pack.ts';
import { notifyOfRun } from '../observe/notify.ts';
import { type Around, perform } from './perform.ts';
import { wordsOnPage, writeResult } from './write-result.ts';

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

/** Makes a file of a batch without a service: its result, as a sheet or page, or its evidence. */
async function makeFile(
  command: FileCommand & PlaceOptions,
  around: Around,
): Promise<{ readonly file: string; readonly sha256: string }> {
  const world = { ...around, streams: { err: { write: around.say } } };
  const file =
    command.do === 'evidence'
      ? await withLedgerToRead(command, world, async (ledger) => {
          const batch = await batchNamed(ledger, command.batch);
          return await writePackOf(ledger, batch, join(command.out, packName(batch)));
        })
      : await withLedgerOnly(command, world, async (ledger) => {
          const batch = await batchNamed(ledger, command.batch);
          const html = command.do === 'result page' ? { zone: command.zone } : null;
          const format = command.do === 'result' ? command.format : null;
          const order = { ledger, batch, outDir: command.out, format, html, page: wordsOnPage };
          const { result, notes } = await writeResult(order, command, world);
          for (const note of notes) around.say(noteWords(note));
          return result;
        });
  return { file, sha256: sha256(readFileSync(file)) };
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
