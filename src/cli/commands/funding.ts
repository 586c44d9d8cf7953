/** Runs `payrun funding BATCH`: shows where to deposit money. Reads the details again, to notice a changed account. */
import { batchNamed } from '../../app/batch/find-batch.ts';
import { visible } from '../../base/words.ts';
import type { Note } from '../../domain/note.ts';
import type { BatchFacts, Ledger } from '../../ledger/ledger.ts';
import { counted, grouped, moneyOf } from '../../messages/format/numbers.ts';
import { forOthers } from '../../messages/format/program.ts';
import { commandOf } from '../../messages/next-actions.ts';
import { noteDocument, noteWords } from '../../messages/notes.ts';
import { type Funding, type FundingGroup, fundingOf, knowDeposit, openChanges } from '../../pipeline/results/report.ts';
import { actorOf } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { assemble } from '../compose/assemble.ts';
import { type Args, type CommandContext, flag, placeFlags, reply, text } from '../compose/command-context.ts';
import { loadSettings } from '../compose/config.ts';
import { ledgerOnly } from '../compose/ledger-only.ts';
import { exitOf } from '../render/exit-code.ts';
import { firstLine, table } from '../render/screen.ts';

export const fundingOfBatch: Run = async (args, world) => {
  if (flag(args, 'offline')) {
    await using ledger = await ledgerOnly(args, world);
    const batch = await batchNamed(ledger, text(args, 'batch'));
    return await tell(ledger, batch, [{ note: 'deposits-not-read-again' }], args, world);
  }
  const { openBatch } = await import('../../app/batch/row-decisions.ts');
  const { lookAtDeposits } = await import('../../pipeline/settle/settle.ts');
  await using assembled = await assemble({
    settings: loadSettings(world, args),
    concurrency: 8,
    stop: new AbortController().signal,
    actor: actorOf(world),
    say: (note) => world.streams.err.write(`${noteWords(note, placeFlags(args, world))}\n`),
  });
  const { deps } = assembled;
  const batch = await openBatch(deps, { batch: text(args, 'batch') ?? '' });
  const unasked = await lookAtDeposits(deps, batch);
  const notes: Note[] = unasked === 0 ? [] : [{ note: 'deposits-unasked', payments: unasked }];
  return await tell(deps.ledger, batch, notes, args, world);
};

async function tell(ledger: Ledger, batch: BatchFacts, notes: readonly Note[], args: Args, world: CommandContext) {
  const funding = await fundingOf(ledger, batch);
  const known = await knowDeposit(ledger, await openChanges(ledger, batch.name));
  const end = known === null ? 'done' : 'alarm';
  const { name, service } = batch;
  const none: Funding = { batch: name, service, ledger: ledger.path, groups: [], rows_total: 0, notes: [] };
  const shown = funding ?? none;
  const allNotes = [...notes, ...shown.notes];
  const place = placeFlags(args, world, service === 'sandbox');
  const noteDocuments = forOthers(() => allNotes.map((note) => noteDocument(note, place)));
  const document = { ...shown, notes: noteDocuments, exit: exitOf(end) };
  const lines = [
    `Batch ${name}: ${funding === null ? 'no row is funded from elsewhere; nothing is to be deposited' : `${counted(funding.rows_total, 'row')} funded from elsewhere`}`,
    ...allNotes.map((note) => noteWords(note, place)),
    ...(known === null ? [] : [`Once the service has confirmed: ${commandOf(known, place)}`]),
    ...shown.groups.flatMap(groupLines),
  ];
  reply(args, world, document, `${firstLine(service, ledger.path)}${lines.join('\n')}\n`);
  return end;
}

/** The most rows of a group on the screen. The workbook and --json have all rows. */
const shownRows = 50;

function groupLines({ from, currency, account, waiting, to_deposit, rows }: FundingGroup): string[] {
  const sum = to_deposit === null ? '' : `, ${to_deposit} ${currency ?? ''}`.trimEnd();
  const details = account.map(({ name, value }) => [`  ${visible(name)}`, visible(value)]);
  const listed = rows.slice(0, shownRows).map((row) => [
    `  ${row.row}`,
    row.status === 'not due' ? `not due (${row.row_status})` : row.status,
    // A reference may end with a space, and the quotes show it.
    row.reference === null ? '' : `'${visible(row.reference)}'`,
    row.amount === null ? '' : visible(row.amount),
    moneyOf(row.pays),
  ]);
  const more = rows.length - listed.length;
  return [
    '',
    `From ${from}: ${waiting === 0 ? 'nothing waits' : `${counted(waiting, 'payment')} waiting for a deposit${sum}`}`,
    ...table(details, 2),
    ...table([['  row', 'status', 'reference', 'to deposit', 'pays'], ...listed], 3),
    ...(more > 0 ? [`  and ${grouped(more)} more; --json has them all`] : []),
  ];
}
