/** Rows of a batch that nothing was sent for, and that a sheet which waits at the console has otherwise: let go, they are paid before it. */
import { rowDigest, rowOfContent } from '../domain/digest.ts';
import { destinationKey } from '../domain/merchant.ts';
import { type Ledger, rowStates, wordOf } from '../ledger/ledger.ts';
import { openPlan } from './plan-file.ts';

export interface MendedRow {
  readonly key: string;
  readonly number: number;
  /** `missing`: the plan lacks it. */
  readonly how: 'account' | 'otherwise' | 'missing';
}

/** A sheet that goes on with the batch, and whose plan waits for approval, or to be paid. */
export interface MendedSheet {
  readonly upload: string;
  /** Of its plan: by which an approver declines it. */
  readonly digest: string;
  readonly file: string;
  readonly by: string;
  readonly approved: boolean;
  /** Null where its plan cannot be read here. */
  readonly rows: readonly MendedRow[] | null;
}

const waiting = rowStates.filter(
  (state) => wordOf[state] === 'held' || wordOf[state] === 'not sent' || state === 'absent',
);
/** Of more, nobody decides on each. */
const mostWaiting = 10_000;

async function mendedRows(ledger: Ledger, batch: string, path: string): Promise<readonly MendedRow[]> {
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

/** Those that have rows of it otherwise, or perhaps have. */
export async function mendedSheets(ledger: Ledger, batch: string, now: number): Promise<readonly MendedSheet[]> {
  const plans = ledger.uploads
    .plansFor(batch)
    .filter(({ expiresAt }) => expiresAt === null || now < Date.parse(expiresAt))
    .map(async ({ path, upload, digest, file, by, approved }) => {
      const rows = await mendedRows(ledger, batch, path).catch(() => null);
      return { upload, digest, file, by, approved, rows };
    });
  return (await Promise.all(plans)).filter(({ rows }) => rows?.length !== 0);
}

const hows = {
  account: 'this row goes to another account in it',
  otherwise: 'this row is otherwise in it',
  missing: 'it lacks this row',
};

/** Why a row is not let go: the account that an approved correction took out would be paid, and the correction come too late. */
export function whyMended(sheets: readonly MendedSheet[], key: string): string | null {
  for (const { file, by, approved, rows } of sheets) {
    const row = rows?.find((one) => one.key === key);
    if (rows !== null && row === undefined) continue;
    const how = row === undefined ? 'what it says of this row cannot be read here' : hows[row.how];
    return `the sheet ${file}, handed in at the console by ${by}, goes on with this batch, and its plan ${approved ? 'is approved' : 'waits for approval'}: ${how}. Nothing was released. If the row shall be paid as it is here, an approver declines that plan first; else leave the row, and let that sheet be paid`;
  }
  return null;
}
