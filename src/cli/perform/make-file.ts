/** Makes a file of a batch without a service: its result, as a sheet or page, or its evidence. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileCommand, PlaceOptions } from '../../app/batch/command.ts';
import { batchNamed } from '../../app/batch/find-batch.ts';
import { sha256 } from '../../base/digest.ts';
import { noteWords } from '../../messages/notes.ts';
import { withLedgerOnly, withLedgerToRead } from '../compose/ledger-only.ts';
import { packName, writePackOf } from '../evidence/pack.ts';
import type { Around } from './perform.ts';
import { wordsOnPage, writeResult } from './write-result.ts';

export async function makeFile(
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
