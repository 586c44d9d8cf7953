/** Rows of a batch that nothing was sent for, and that a plan which waits has otherwise: what is done with them is done before it. */
import { rowDigest, rowOfContent } from '../domain/digest.ts';
import { destinationKey } from '../domain/merchant.ts';
import { type Ledger, rowStates, wordOf } from '../ledger/ledger.ts';
import { openPlan } from '../pipeline/preview.ts';

export interface MendedRow {
  readonly key: string;
  readonly number: number;
  /** `missing`: the plan lacks it. */
  readonly how: 'account' | 'otherwise' | 'missing';
}

const waiting = rowStates.filter((state) => wordOf[state] === 'held' || wordOf[state] === 'not sent');
/** Of more, nobody decides on each. */
const mostWaiting = 10_000;

export async function mendedRows(ledger: Ledger, batch: string, path: string): Promise<readonly MendedRow[]> {
  const rows = await ledger.rows({ batch, states: waiting, limit: mostWaiting });
  const open = new Map(rows.map((row) => [row.key, row]));
  const how = new Map<string, MendedRow['how'] | null>();
  if (rows.length > 0)
    for await (const { kind, line } of (await openPlan(path)).lines()) {
      const row = kind === 'rows' ? open.get(line.key) : undefined;
      if (kind !== 'rows' || row === undefined) continue;
      const own = rowOfContent(row.content, row.number);
      const isSame = rowDigest(own) === line.digest;
      const isMoved = destinationKey(own.destination) !== destinationKey(line.destination);
      how.set(row.key, isSame ? null : isMoved ? 'account' : 'otherwise');
    }
  return rows.flatMap(({ key, number }) => {
    const found = how.has(key) ? how.get(key) : 'missing';
    return found == null ? [] : [{ key, number, how: found }];
  });
}
