/** Runs `payrun report BATCH`: writes the result again, as a sheet or as a page. */
import { batchNamed } from '../../app/batch/find-batch.ts';
import type { End } from '../../domain/sending/end.ts';
import { noteWords } from '../../messages/notes.ts';
import { elsewhereFields } from '../../pipeline/outcome.ts';
import { advanceOrder } from '../args/build-orders.ts';
import { type Args, type CommandContext, flag, reply, text } from '../compose/command-context.ts';
import { ledgerOnly } from '../compose/ledger-only.ts';
import { writeResult } from '../perform/write-result.ts';

export async function reportOf(args: Args, world: CommandContext): Promise<End> {
  await using ledger = await ledgerOnly(args, world);
  const batch = await batchNamed(ledger, text(args, 'batch'));
  const html = flag(args, 'html') ? { zone: text(args, 'zone') } : null;
  const { result, notes } = await writeResult({ ledger, batch, ...advanceOrder(args, world), html }, args, world);
  const document = { batch: batch.name, ...elsewhereFields(await ledger.elsewhere()), result };
  for (const note of notes) world.streams.err.write(`${noteWords(note)}\n`);
  return reply(args, world, document, `${result}\n`);
}
