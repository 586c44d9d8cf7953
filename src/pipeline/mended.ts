/** Rows of a batch that nothing was sent for, and that a sheet which waits at the console has otherwise: let go, or sent, they are paid before it. */
import { PayrunError } from '../base/errors.ts';
import { rowDigest, rowOfContent } from '../domain/digest.ts';
import { destinationKey } from '../domain/merchant.ts';
import { type BatchFacts, type Ledger, type LedgerRow, type RowState, rowStates, wordOf } from '../ledger/ledger.ts';
import { planOf } from './outcome.ts';
import { digestWords, openPlan, type PlanFile } from './plan-file.ts';

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
const unsent: readonly RowState[] = ['planned', 'ready'];
/** Of more, nobody decides on each; so many are looked at together. */
const mostWaiting = 10_000;

type Asked = Pick<LedgerRow, 'key' | 'number' | 'content'>;

async function mendedRows(rows: readonly Asked[], path: string): Promise<readonly MendedRow[]> {
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

/** Those that have one of these rows of it otherwise, or perhaps have; of all that wait, where none is named. */
export async function mendedSheets(
  ledger: Ledger,
  batch: string,
  now: number,
  rows: readonly LedgerRow[] | null = null,
): Promise<readonly MendedSheet[]> {
  const plans = plansThatWait(ledger, batch, now);
  if (plans.length === 0) return [];
  return await sheetsOf(plans, rows ?? (await ledger.rows({ batch, states: waiting, limit: mostWaiting })));
}

const plansThatWait = ({ uploads }: Ledger, batch: string, now: number) =>
  uploads.plansFor(batch).filter(({ expiresAt }) => expiresAt === null || now < Date.parse(expiresAt));

async function sheetsOf(
  plans: ReturnType<typeof plansThatWait>,
  asked: readonly Asked[],
): Promise<readonly MendedSheet[]> {
  const sheets = plans.map(async ({ path, upload, digest, file, by, approved }) => {
    const mended = await mendedRows(asked, path).catch(() => null);
    return { upload, digest, file, by, approved, rows: mended };
  });
  return (await Promise.all(sheets)).filter(({ rows: mended }) => mended?.length !== 0);
}

const hows = {
  account: 'this row goes to another account in it',
  otherwise: 'this row is otherwise in it',
  missing: 'it lacks this row',
};

function mendedWords({ file, by, approved, rows }: MendedSheet, key: string): string | null {
  const row = rows?.find((one) => one.key === key);
  if (rows !== null && row === undefined) return null;
  const how = row === undefined ? 'what it says of this row cannot be read here' : hows[row.how];
  return `the sheet ${file}, handed in at the console by ${by}, goes on with this batch, and its plan ${approved ? 'is approved' : 'waits for approval'}: ${how}`;
}

/** Why none of these rows of one batch is let go: the account that an approved correction took out would be paid, and the correction come too late. */
export async function whyMended(
  ledger: Ledger,
  rows: readonly LedgerRow[],
  now: number,
): Promise<{ readonly row: LedgerRow; readonly why: string } | null> {
  const [first] = rows;
  const sheets = first === undefined ? [] : await mendedSheets(ledger, first.batch, now, rows);
  for (const row of rows)
    for (const sheet of sheets) {
      const words = mendedWords(sheet, row.key);
      if (words !== null)
        return {
          row,
          why: `${words}. Nothing was released. If the row shall be paid as it is here, an approver declines that plan first; else leave the row, and let that sheet be paid`,
        };
    }
  return null;
}

/**
 * Why a batch that goes on sends nothing: for the same reason. Not for the sheet that the batch is of by now. What would be sent as soon as
 * it is proven absent counts where `resends` says that nobody is asked then.
 */
export async function mendedStop(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
  {
    again = [],
    resends = false,
  }: {
    /** What would be sent once more. */
    readonly again?: readonly LedgerRow[];
    readonly resends?: boolean;
  } = {},
): Promise<PayrunError | null> {
  const own = planOf(batch);
  const plans = plansThatWait(ledger, batch.name, now).filter(
    ({ digest }) => own === null || digest !== digestWords(own.digest),
  );
  if (plans.length === 0) return null;
  const states: readonly RowState[] = resends ? [...unsent, 'in_doubt', 'absent'] : unsent;
  const stop = await stopOf(batch.name, plans, again);
  if (stop !== null) return stop;
  for await (const rows of pagesOf(ledger, { batch: batch.name, sheet: batch.sheet.id, states })) {
    const found = await stopOf(batch.name, plans, rows);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The same of a sheet that is handed in, as it has the rows. Under a plan of its own only for what a newer one has otherwise: whoever
 * approves is told of the older ones, and two that add rows lack each other's.
 */
export async function refuseMended(ledger: Ledger, batch: string, now: number, own: PlanFile | null): Promise<void> {
  const waits = plansThatWait(ledger, batch, now);
  const plans = own === null ? waits : await newerThan(own, waits);
  if (plans.length === 0) return;
  const known = new Set<string>();
  if (own === null)
    for await (const page of pagesOf(ledger, { batch, states: unsent })) for (const { key } of page) known.add(key);
  const rows = [...ledger.plannedRows(batch)].filter(({ state }) => unsent.includes(state));
  const stop = await stopOf(batch, plans, rows, ({ key, how }) => how !== 'missing' || known.has(key));
  if (stop !== null) throw stop;
}

async function newerThan(own: PlanFile, waits: ReturnType<typeof plansThatWait>) {
  const opened = waits.map(async (one) => {
    const other = await openPlan(one.path).catch(() => null);
    return other !== null && other.digest !== own.digest && other.head.made_at > own.head.made_at ? [one] : [];
  });
  return (await Promise.all(opened)).flat();
}

async function* pagesOf(
  ledger: Ledger,
  which: { readonly batch: string; readonly sheet?: number; readonly states: readonly RowState[] },
): AsyncIterable<readonly LedgerRow[]> {
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const rows: readonly LedgerRow[] = await ledger.rows({ ...which, afterId, limit: mostWaiting });
    yield rows;
    afterId = rows.at(-1)?.id;
  }
}

async function stopOf(
  batch: string,
  plans: ReturnType<typeof plansThatWait>,
  rows: readonly Asked[],
  counts: (row: MendedRow) => boolean = () => true,
): Promise<PayrunError | null> {
  if (rows.length === 0) return null;
  for (const mended of await sheetsOf(plans, rows)) {
    const key = (mended.rows?.filter(counts) ?? rows)[0]?.key;
    if (key === undefined) continue;
    return new PayrunError('BATCH_CHANGED', {
      detail: `Nothing of batch ${batch} is sent. Of row ${key}: ${mendedWords(mended, key)}. Pay that sheet, which goes on with all of the batch; or, if the rows shall be paid as they are here, an approver declines its plan first, or whoever handed it in discards it.`,
    });
  }
  return null;
}

const overtakenHows = {
  account: 'goes to another account in this sheet',
  otherwise: 'is otherwise in this sheet',
  missing: 'is missing in this sheet',
};

/** What of the batch is not sent yet, and this plan, which goes on with it, has otherwise. A plan of new rows alone says nothing of the others. */
export async function overtaken(ledger: Ledger, { name, sheet }: BatchFacts, path: string): Promise<string | null> {
  const wordsOf = ({ number, how }: MendedRow) =>
    `Row ${number} of batch ${name} is not sent yet, and ${overtakenHows[how]}`;
  const plan = await openPlan(path);
  const hasOthers = async () => {
    for await (const { kind, line } of plan.lines())
      if (kind === 'rows' && (await ledger.rowByKey(name, line.key)) !== null) return true;
    return false;
  };
  let missing: MendedRow | undefined;
  for await (const rows of pagesOf(ledger, { batch: name, sheet: sheet.id, states: unsent })) {
    const mended = await mendedRows(rows, path);
    const otherwise = mended.find(({ how }) => how !== 'missing');
    if (otherwise !== undefined) return wordsOf(otherwise);
    missing ??= mended[0];
  }
  return missing !== undefined && (await hasOthers()) ? wordsOf(missing) : null;
}
