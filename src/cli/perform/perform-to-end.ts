/** Performs a command for the console or a worker. Always returns an end, and notifies people after a run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, FileCommand, PlaceOptions } from '../../app/batch/command.ts';
import { batchNamed } from '../../app/batch/find-batch.ts';
import { sha256 } from '../../base/digest.ts';
import { noteWords } from '../../messages/notes.ts';
import type { Ending, Refused } from '../../pipeline/outcome.ts';
import { failureIn, placeFlags } from '../compose/command-context.ts';
import { ledgerOnly, ledgerToRead } from '../compose/ledger-only.ts';
import { packName, writePackOf } from '../evidence/pack.ts';
import { notifyOfRun } from '../observe/notify.ts';
import { type Around, perform } from './perform.ts';
import { wordsOnPage, writeResult } from './write-result.ts';

export async function performToEnd(command: (Command | FileCommand) & PlaceOptions, around: Around): Promise<Ending> {
  const ending = await endingOf(
    async () =>
      command.do === 'result' || command.do === 'result page' || command.do === 'evidence'
        ? await makeFile(command, around)
        : await perform(command, around),
    around.stop,
  );
  const world = { ...around, streams: { err: { write: around.say } }, place: placeFlags({ ...command }, around) };
  await notifyOfRun(command, ending, around.actor, world);
  return ending;
}

/** Makes a file of a batch without a service: its result, as a sheet or page, or its evidence. */
async function makeFile(command: FileCommand & PlaceOptions, around: Around): Promise<Ending> {
  const world = { ...around, streams: { err: { write: around.say } } };
  await using ledger = await (command.do === 'evidence' ? ledgerToRead : ledgerOnly)(command, world);
  const batch = await batchNamed(ledger, command.batch);
  const finished = (file: string): Ending => ({ kind: 'finished', file, sha256: sha256(readFileSync(file)) });
  if (command.do === 'evidence') return finished(await writePackOf(ledger, batch, join(command.out, packName(batch))));
  const html = command.do === 'result page' ? { zone: command.zone } : null;
  const format = command.do === 'result' ? command.format : null;
  const order = { ledger, batch, outDir: command.out, format, html, page: wordsOnPage };
  const { result, notes } = await writeResult(order, command, world);
  for (const note of notes) around.say(noteWords(note));
  return finished(result);
}

/** Returns an ending even if `work` throws. */
export async function endingOf(work: () => Promise<Ending>, stop: AbortSignal): Promise<Ending> {
  try {
    return await work();
  } catch (error) {
    return refusedEnding(error, stop);
  }
}

export const refusedEnding = (error: unknown, { aborted: interrupted }: AbortSignal): Refused => ({
  kind: 'refused',
  failure: failureIn(error),
  interrupted,
});
