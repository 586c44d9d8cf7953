/** Finds the change that a sheet makes to each row of its batch. */
import type { SheetOrder } from './commands.ts';
import { type Batch, headOf, type Row, standingIn, type World } from './model-world.ts';
import { contentOf, isSameMoney, keyOf, type Line } from './sheet.ts';
import { type Column, mayHavePayment, type Standing } from './tables.ts';

export interface Change {
  readonly batch: Batch;
  readonly isNew: boolean;
  readonly file: ReadonlyMap<string, Line>;
  readonly cells: readonly { readonly row: Row; readonly standing: Standing; readonly column: Column }[];
  readonly added: readonly string[];
}

export function changeOf(world: World, { ledger, batch: name, lines }: SheetOrder): Change {
  const known = world.ledgers[ledger]!.batches[name];
  const batch = known ?? { name, versions: [], rows: {}, isStopped: false, signedFirst: 0 };
  const file = new Map<string, Line>();
  for (const line of lines) {
    const key = keyOf(line);
    if (key !== null) file.set(key, line);
  }
  const cells = Object.values(batch.rows).map((row) => {
    const line = file.get(row.key);
    const column: Column =
      line === undefined ? 'missing' : line.isMistaken ? 'mistake' : isContent(row, line) ? 'same' : 'other';
    // A closed row that comes back is what it was before, so an absent one may be paid.
    const isKept = row.state === 'absent' && (column === 'other' || column === 'mistake');
    return { row, standing: isKept ? 'may be paid' : standingIn(batch, row), column };
  });
  const added = [...file.keys()].filter((key) => batch.rows[key] === undefined);
  return { batch, isNew: known === undefined, file, cells, added };
}

/** Counts the lines of the newest sheet that are no rows: they have a mistake and no id. */
export const looseLines = (batch: Batch) => (headOf(batch)?.lines ?? []).filter((line) => keyOf(line) === null).length;

/** True if a line with a mistake ends with a whole list. A line without an id belongs to its sheet alone, and is a new row once it is fixed. */
export function endsMistakes({ batch, cells, added }: Change, { lines, add, drop }: SheetOrder): boolean {
  const known = looseLines(batch) + cells.filter(({ column }) => column === 'mistake').length;
  return !(add && !drop) && known > lines.filter(({ isMistaken }) => isMistaken).length + added.length;
}

export const isUnpaid = ({ state }: Row) => state === 'refused' || state === 'expired';

/** Only the money counts for a row that may have a payment, and for an absent row that a person closed. */
export function isContent(row: Row, line: Line): boolean {
  if (row.isMistaken) return false;
  const content = contentOf(line);
  return mayHavePayment(row) || row.state === 'absent'
    ? isSameMoney(row.content, content)
    : row.content.join() === content.join();
}
